/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers keys in the order in which they come. A keyed hash with open addressing; the caller
 * says which number a new key gets, so output does not depend on the hash. Used by CTF and
 * Chrome for files and tracks.
 */
#include "number_map.h"

/* Returns the number of a key in *number; a new key gets next. False: no memory. */
bool export_map_number(struct export_map *m, uint64_t key, uint32_t next, uint32_t *number)
{
	uint64_t hash;
	uint32_t i;

	if (!TDAT_MAP_GROW(&m->map, m->v, &m->cap))
		return false;
	hash = tdat_hash_u64(m->map.seed, key);
	TDAT_MAP_FIND(i, &m->map, hash, m->v[i].key == key);
	if (i == TDAT_MAP_NONE) {
		i = tdat_map_add(&m->map, hash);
		m->v[i] = (struct export_key){key, next};
	}
	*number = m->v[i].number;
	return true;
}

void export_map_fini(struct export_map *m)
{
	free(m->v);
	tdat_map_fini(&m->map);
}
