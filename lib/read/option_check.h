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
	/* For each damage, how many more options that hold facts have it than the one before. */
	ptrdiff_t *of_facts;
};

/* False: no memory. check_told_fini may be called all the same. */
bool check_told_init(struct check_told *told, const struct tdat_file *file);
void check_told_fini(struct check_told *told);

/* Whether opening, which reads some options itself, has reported that this one is broken. */
bool check_option_told(const struct check_told *told, const struct tdat_file_option *option);

/* Notes that an option holds a fact: its damage hides no events. */
void check_told_is_fact(struct check_told *told, const struct tdat_file_option *option);

/* How many of the damages are those of options that were noted so. */
size_t check_told_of_facts(const struct check_told *told);

#endif
