/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns that --by names, as a list or with commas between. */
#ifndef CLI_KEY_LIST_H
#define CLI_KEY_LIST_H

#include "args/arg_list.h"

/*
 * cli_key_list replaces the strings of the list by their parts between commas. *text keeps these,
 * and is the caller's to free after the list. CLI_OK, or an exit status after a complaint, as when
 * there are more than most.
 */
int cli_key_list(struct cli_list *by, size_t most, char **text);

#endif
