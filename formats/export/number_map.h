/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a table that numbers keys in the order in which they come. */
#ifndef EXPORT_NUMBER_MAP_H
#define EXPORT_NUMBER_MAP_H

#include "core/map.h"

/* All zero: empty. */
struct export_map {
	struct export_key {
		uint64_t key;
		uint32_t number;
	} * v;
	size_t cap;
	struct tdat_map map;
};

/* The number of a key; a new key gets next. False without memory. */
bool export_map_number(struct export_map *m, uint64_t key, uint32_t next, uint32_t *number);
void export_map_fini(struct export_map *m);

#endif
