/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small sound trace.dat around the one part that a target is about. */
#ifndef TDAT_FUZZ_SMALL_H
#define TDAT_FUZZ_SMALL_H

#include "core/build.h"

enum { SMALL_PAGE = 4096 };

struct fuzz_small {
	bool big;
	uint32_t version;
	const char *compression; /* version 7 */
	const void *options;	 /* ids, lengths and data, without the last one */
	size_t options_len;
	const void *data; /* of CPU 0; NULL: a page with one event */
	size_t data_len;
	bool compressed; /* data is chunks */
};

/* The file; empty without memory. */
void fuzz_small_build(struct tdat_build *b, const struct fuzz_small *s);

#endif
