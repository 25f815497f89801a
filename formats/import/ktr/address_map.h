/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds which of the ranges of a file lies at an address. */
#ifndef TDAT_IMPORT_KTR_ADDRESS_MAP_H
#define TDAT_IMPORT_KTR_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the file that lie at an address. */
struct ktr_range {
	uint64_t addr;
	uint64_t off;
	uint64_t len;
};

/* Addresses from addr up to end, at which the range of that index lies. */
struct ktr_piece {
	uint64_t addr, end;
	size_t range;
};

struct ktr_address_map {
	struct ktr_piece *pieces; /* in order, none over another */
	size_t count;
};

/*
 * Where ranges overlap, the first of the list has the addresses. What would lie beyond the last
 * address is left out. False: no memory.
 */
bool ktr_address_map_init(struct ktr_address_map *m, const struct ktr_range *ranges, size_t count);
void ktr_address_map_fini(struct ktr_address_map *m);

/* The index of the range at addr; false: there is none. */
bool ktr_address_map_find(const struct ktr_address_map *m, uint64_t addr, size_t *range);

#endif
