/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares sets of byte strings that get numbers, from 1, in the order in which they come. */
#ifndef TDAT_CORE_BYTE_SET_H
#define TDAT_CORE_BYTE_SET_H

#include "build.h"
#include "map.h"

struct tdat_byte_set {
	struct tdat_map map;
	size_t *ends; /* where each string ends in bytes */
	size_t end_cap;
	struct tdat_build bytes;
};

void tdat_byte_set_init(struct tdat_byte_set *set);
void tdat_byte_set_fini(struct tdat_byte_set *set);
/* Forgets all strings; the next one gets number 1. */
void tdat_byte_set_clear(struct tdat_byte_set *set);

/* The number of a string; *fresh: it was not there before. 0: no memory. */
uint32_t tdat_byte_set_add(struct tdat_byte_set *set, const void *bytes, size_t len, bool *fresh);

/* The same for a string that is there; 0: it is not. */
uint32_t tdat_byte_set_find(const struct tdat_byte_set *set, const void *bytes, size_t len);
/* The string of a number, until the next one is added. */
struct tdat_span tdat_byte_set_get(const struct tdat_byte_set *set, uint32_t number);

#endif
