/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks who owns the plugins that are to be loaded, since they are code. */
#ifndef CLI_PLUGINS_H
#define CLI_PLUGINS_H

#include "args/opt.h"

/*
 * cli_plugins_check refuses a folder, or a shared object in it, that somebody
 * other than root and the user owns or can write, and sees to it that no other
 * folder is looked into. CLI_OK, or complains.
 */
int cli_plugins_check(const struct cli_list *dirs);

#endif
