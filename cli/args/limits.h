/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --max NAME=VALUE, which sets a limit by the name that messages give it. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include <tdat/base.h>

#include "args/opt.h"

/* clang-format off */
#define CLI_LIMITS(type, member) \
	{ 0, "max", CLI_OPT_CALL, "NAME=VALUE", \
	  "raise a limit named in an error message; see tdat(1)", \
	  offsetof(type, member), 0, 0, NULL, cli_limits_set }
/* clang-format on */

/* cli_limits_set does what --max asks for; the struct tdat_limits is at opt->off of values. */
int cli_limits_set(void *values, const struct cli_opt *opt, const char *value);

/* Limits of packed inputs, which the library does not read; 0: not set. */
struct cli_unpack_limits {
	uint64_t unpacked, imported, window;
};

const struct cli_unpack_limits *cli_unpack_limits(void);

#endif
