/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives numbers to byte strings, by a keyed hash, since they come from a trace. Numbers are
 * given from 1 on in the order of first use; strings are copied. Memory is bounded by the
 * caller, which clears the set when it is full.
 */
#include "byte_set.h"

#include <stdlib.h>
#include <string.h>

void tdat_byte_set_init(struct tdat_byte_set *s)
{
	memset(s, 0, sizeof(*s));
	tdat_build_init(&s->bytes, false);
}

void tdat_byte_set_fini(struct tdat_byte_set *s)
{
	tdat_map_fini(&s->map);
	free(s->ends);
	tdat_build_fini(&s->bytes);
	memset(s, 0, sizeof(*s));
}

/* Forgets all strings but keeps the memory; numbers start again at 1. */
void tdat_byte_set_clear(struct tdat_byte_set *s)
{
	tdat_map_clear(&s->map);
	s->bytes.len = 0;
}

/* The string of a number; it is valid until the next call that adds one. */
struct tdat_span tdat_byte_set_get(const struct tdat_byte_set *s, uint32_t number)
{
	const size_t start = number > 1 ? s->ends[number - 2] : 0;

	return (struct tdat_span){s->bytes.ptr + start, s->ends[number - 1] - start};
}

/* The number of a string; 0: it is not in the set. Numbers are map items plus 1. */
static uint32_t find(const struct tdat_byte_set *s, uint64_t hash, const void *bytes, size_t len)
{
	struct tdat_span had;
	uint32_t i;

	TDAT_MAP_FIND(i, &s->map, hash,
		      (had = tdat_byte_set_get(s, i + 1), had.len == len) &&
			      (!len || !memcmp(had.ptr, bytes, len)));
	return i == TDAT_MAP_NONE ? 0 : i + 1;
}

uint32_t tdat_byte_set_find(const struct tdat_byte_set *s, const void *bytes, size_t len)
{
	return find(s, tdat_hash_bytes(s->map.seed, bytes, len), bytes, len);
}

/* Finds or adds a string. 0: no memory. *fresh: it was added now. */
uint32_t tdat_byte_set_add(struct tdat_byte_set *s, const void *bytes, size_t len, bool *fresh)
{
	uint64_t hash;
	uint32_t number;

	*fresh = false;
	if (!TDAT_MAP_GROW(&s->map, s->ends, &s->end_cap))
		return 0;
	hash = tdat_hash_bytes(s->map.seed, bytes, len);
	number = find(s, hash, bytes, len);
	if (number)
		return number;
	tdat_build_bytes(&s->bytes, bytes, len);
	if (s->bytes.failed)
		return 0;
	s->ends[tdat_map_add(&s->map, hash)] = s->bytes.len;
	*fresh = true;
	return (uint32_t)s->map.count;
}
