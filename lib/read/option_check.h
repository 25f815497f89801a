/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells whether the damage of a file names a broken option already. */
#ifndef TDAT_READ_OPTION_CHECK_H
#define TDAT_READ_OPTION_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tdat/file.h>

/* Where the damage lies that opening has reported, in rising order. */
struct check_told {
	uint64_t *offs;
	size_t count;
};

/* False: no memory. check_told_fini may be called all the same. */
bool check_told_init(struct check_told *told, const struct tdat_file *file);
void check_told_fini(struct check_told *told);

/* Whether opening, which reads some options itself, has reported that this one is broken. */
bool check_option_told(const struct check_told *told, const struct tdat_option *option);

#endif
