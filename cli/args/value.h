/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the argument of an option as the value that the option's kind asks for. */
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

#include "args/opt.h"

/*
 * cli_value_parse reads value by opt's kind (U64, I64, SIZE, CHOICE, CPUS) into
 * *at. Returns CLI_OK, or complains and returns an exit status.
 */
int cli_value_parse(const struct cli_opt *opt, const char *value, void *at);

#endif
