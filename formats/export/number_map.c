/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers keys in the order in which they come. */
#include "number_map.h"

#include <stdlib.h>

#include "core/hash.h"

static size_t slot_of(const struct export_map *m, uint64_t key)
{
	size_t at = (size_t)tdat_hash_u64(tdat_hash_seed(), key) & (m->cap - 1);

	while (m->keys[at] && m->keys[at] != key + 1)
		at = (at + 1) & (m->cap - 1);
	return at;
}

static bool grow(struct export_map *m)
{
	struct export_map old = *m;

	m->cap = old.cap ? 2 * old.cap : 64;
	m->keys = calloc(m->cap, sizeof(*m->keys));
	m->values = calloc(m->cap, sizeof(*m->values));
	if (!m->keys || !m->values) {
		export_map_fini(m);
		*m = old;
		return false;
	}
	for (size_t i = 0; i < old.cap; i++) {
		if (old.keys[i]) {
			const size_t at = slot_of(m, old.keys[i] - 1);

			m->keys[at] = old.keys[i];
			m->values[at] = old.values[i];
		}
	}
	export_map_fini(&old);
	return true;
}

bool export_map_number(struct export_map *m, uint64_t key, uint32_t next, uint32_t *number)
{
	size_t at;

	if (2 * m->count >= m->cap && !grow(m))
		return false;
	at = slot_of(m, key);
	if (!m->keys[at]) {
		m->keys[at] = key + 1;
		m->values[at] = next;
		m->count++;
	}
	*number = m->values[at];
	return true;
}

void export_map_fini(struct export_map *m)
{
	free(m->keys);
	free(m->values);
}
