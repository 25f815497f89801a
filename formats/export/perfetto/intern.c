/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives numbers to byte strings, by a keyed hash, since they come from a trace. */
#include "intern.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

void pf_set_init(struct pf_set *s)
{
	memset(s, 0, sizeof(*s));
	s->seed = tdat_hash_seed();
	tdat_build_init(&s->bytes, false);
}

void pf_set_fini(struct pf_set *s)
{
	free(s->slots);
	free(s->ends);
	tdat_build_fini(&s->bytes);
	memset(s, 0, sizeof(*s));
}

void pf_set_clear(struct pf_set *s)
{
	if (s->slots)
		memset(s->slots, 0, s->slot_cap * sizeof(*s->slots));
	s->count = 0;
	s->bytes.len = 0;
}

static size_t start_of(const struct pf_set *s, size_t i)
{
	return i ? s->ends[i - 1] : 0;
}

/* The slot that a string has, or would get. */
static size_t slot_of(const struct pf_set *s, const void *p, size_t len)
{
	size_t at = (size_t)tdat_hash_bytes(s->seed, p, len) & (s->slot_cap - 1);

	for (; s->slots[at]; at = (at + 1) & (s->slot_cap - 1)) {
		const size_t i = s->slots[at] - 1, start = start_of(s, i);

		if (s->ends[i] - start == len && !memcmp(s->bytes.ptr + start, p, len))
			break;
	}
	return at;
}

/* At most half of the slots are taken. */
static bool grow_slots(struct pf_set *s)
{
	const size_t cap = s->slot_cap ? 2 * s->slot_cap : 64;
	uint32_t *slots;

	if (2 * (s->count + 1) <= s->slot_cap)
		return true;
	slots = calloc(cap, sizeof(*slots));
	if (!slots)
		return false;
	free(s->slots);
	s->slots = slots;
	s->slot_cap = cap;
	for (size_t i = 0; i < s->count; i++) {
		const size_t start = start_of(s, i);

		slots[slot_of(s, s->bytes.ptr + start, s->ends[i] - start)] = (uint32_t)i + 1;
	}
	return true;
}

uint32_t pf_set_add(struct pf_set *s, const void *bytes, size_t len, bool *fresh)
{
	size_t at, *ends;

	*fresh = false;
	if (s->count >= UINT32_MAX / 4 || !grow_slots(s))
		return 0;
	at = slot_of(s, bytes, len);
	if (s->slots[at])
		return s->slots[at];
	ends = tdat_grown(s->ends, &s->end_cap, s->count + 1, sizeof(*ends));
	if (!ends)
		return 0;
	s->ends = ends;
	tdat_build_bytes(&s->bytes, bytes, len);
	if (s->bytes.failed)
		return 0;
	ends[s->count++] = s->bytes.len;
	s->slots[at] = (uint32_t)s->count;
	*fresh = true;
	return (uint32_t)s->count;
}
