/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers keys in the order in which they come. */
#include "ctf.h"

#include <stdlib.h>

#include "core/hash.h"

static size_t slot_of(const struct ctf_map *m, uint64_t key)
{
	size_t at = (size_t)tdat_hash_u64(tdat_hash_seed(), key) & (m->cap - 1);

	while (m->keys[at] && m->keys[at] != key + 1)
		at = (at + 1) & (m->cap - 1);
	return at;
}

static bool grow(struct ctf_map *m)
{
	struct ctf_map old = *m;

	m->cap = old.cap ? 2 * old.cap : 64;
	m->keys = calloc(m->cap, sizeof(*m->keys));
	m->values = calloc(m->cap, sizeof(*m->values));
	if (!m->keys || !m->values) {
		ctf_map_fini(m);
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
	ctf_map_fini(&old);
	return true;
}

bool ctf_map_number(struct ctf_map *m, uint64_t key, uint32_t next, uint32_t *number)
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

void ctf_map_fini(struct ctf_map *m)
{
	free(m->keys);
	free(m->values);
}
