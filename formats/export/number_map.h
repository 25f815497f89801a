/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a table that numbers keys in the order in which they come. */
#ifndef EXPORT_NUMBER_MAP_H
#define EXPORT_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
struct export_map {
	uint64_t *keys; /* plus 1; 0: free */
	uint32_t *values;
	size_t count, cap;
};

/* The number of a key, which is not UINT64_MAX; a new key gets next. False without memory. */
bool export_map_number(struct export_map *m, uint64_t key, uint32_t next, uint32_t *number);
void export_map_fini(struct export_map *m);

#endif
