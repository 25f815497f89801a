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
	struct export_key *v = tdat_map_grown(&m->map, m->v, &m->cap, sizeof(*v));
	uint64_t hash;
	uint32_t i;

	if (!v)
		return false;
	m->v = v;
	hash = tdat_hash_u64(m->map.seed, key);
	TDAT_MAP_FIND(i, &m->map, hash, v[i].key == key);
	if (i == TDAT_MAP_NONE) {
		i = (uint32_t)m->map.count;
		v[i] = (struct export_key){key, next};
		tdat_map_put(&m->map, hash, i);
	}
	*number = v[i].number;
	return true;
}

void export_map_fini(struct export_map *m)
{
	free(m->v);
	tdat_map_fini(&m->map);
}
