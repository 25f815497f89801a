/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for unpack.c in builds without libarchive. */
#include "input/unpack.h"

#include <stddef.h>

const char *const cli_unpack_needs = NULL;

bool cli_unpack_load(void)
{
	return false;
}

void cli_unpack_run(const struct cli_unpack *job)
{
	(void)job;
}
