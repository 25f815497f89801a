/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares sets of byte strings that get numbers, from 1, in the order in which they come. */
#ifndef TDAT_PERFETTO_INTERN_H
#define TDAT_PERFETTO_INTERN_H

#include "core/build.h"
#include "core/map.h"

struct pf_set {
	struct tdat_map map;
	size_t *ends; /* where each string ends in bytes */
	size_t end_cap;
	struct tdat_build bytes;
};

void pf_set_init(struct pf_set *set);
void pf_set_fini(struct pf_set *set);
/* Forgets all strings; the next one gets number 1. */
void pf_set_clear(struct pf_set *set);

/* The number of a string; *fresh: it was not there before. 0: no memory. */
uint32_t pf_set_add(struct pf_set *set, const void *bytes, size_t len, bool *fresh);

#endif
