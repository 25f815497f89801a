/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives numbers to byte strings, by a keyed hash, since they come from a trace. Numbers are
 * given from 1 on in the order of first use; strings are copied. Memory is bounded by the
 * caller, which clears the set when it is full.
 */
#include "intern.h"

#include <stdlib.h>
#include <string.h>

void pf_set_init(struct pf_set *s)
{
	memset(s, 0, sizeof(*s));
	tdat_build_init(&s->bytes, false);
}

void pf_set_fini(struct pf_set *s)
{
	tdat_map_fini(&s->map);
	free(s->ends);
	tdat_build_fini(&s->bytes);
	memset(s, 0, sizeof(*s));
}

void pf_set_clear(struct pf_set *s)
{
	tdat_map_clear(&s->map);
	s->bytes.len = 0;
}

static size_t start_of(const struct pf_set *s, size_t i)
{
	return i ? s->ends[i - 1] : 0;
}

static bool same(const struct pf_set *s, size_t i, const void *p, size_t len)
{
	const size_t start = start_of(s, i);

	return s->ends[i] - start == len && !memcmp(s->bytes.ptr + start, p, len);
}

uint32_t pf_set_add(struct pf_set *s, const void *bytes, size_t len, bool *fresh)
{
	size_t *ends = tdat_map_grown(&s->map, s->ends, &s->end_cap, sizeof(*ends));
	uint64_t hash;
	uint32_t i;

	*fresh = false;
	if (!ends)
		return 0;
	s->ends = ends;
	hash = tdat_hash_bytes(s->map.seed, bytes, len);
	TDAT_MAP_FIND(i, &s->map, hash, same(s, i, bytes, len));
	if (i != TDAT_MAP_NONE)
		return i + 1;
	tdat_build_bytes(&s->bytes, bytes, len);
	if (s->bytes.failed)
		return 0;
	ends[s->map.count] = s->bytes.len;
	tdat_map_put(&s->map, hash, s->map.count);
	*fresh = true;
	return (uint32_t)s->map.count;
}
