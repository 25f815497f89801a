/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects which lines of a stored text are referred to, and writes those alone. */
#include "refs.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"

void split_refs_fini(struct split_refs *refs)
{
	free(refs->v);
	free(refs->slots);
	memset(refs, 0, sizeof(*refs));
}

static bool same(const struct split_ref *a, const struct split_ref *b)
{
	return a->start == b->start && a->exact == b->exact && a->named == b->named;
}

static uint32_t *slot_of(const struct split_refs *refs, const struct split_ref *ref)
{
	size_t mask = refs->slot_count - 1;
	uint64_t kind = (uint64_t)ref->exact * 2 + ref->named;
	size_t i = (size_t)tdat_hash_pair(refs->seed, ref->start, kind) & mask;

	while (refs->slots[i] && !same(&refs->v[refs->slots[i] - 1], ref))
		i = (i + 1) & mask;
	return &refs->slots[i];
}

/* Keeps at least half of the slots free, so that slot_of ends. */
static bool grow(struct split_refs *refs)
{
	struct split_ref *v = tdat_grown(refs->v, &refs->cap, refs->count + 1, sizeof(*v));
	uint32_t *slots;

	if (!v)
		return false;
	refs->v = v;
	if (refs->slot_count >= refs->cap * 2)
		return true;
	slots = calloc(refs->cap, 2 * sizeof(*slots));
	if (!slots)
		return false;
	if (!refs->slots)
		refs->seed = tdat_hash_seed();
	free(refs->slots);
	refs->slots = slots;
	refs->slot_count = refs->cap * 2;
	for (size_t i = 0; i < refs->count; i++)
		*slot_of(refs, &v[i]) = (uint32_t)i + 1;
	return true;
}

bool split_refs_add(struct split_refs *refs, const struct split_ref *ref)
{
	uint32_t *slot;

	if (!grow(refs))
		return false;
	slot = slot_of(refs, ref);
	if (*slot)
		return true;
	refs->v[refs->count++] = *ref;
	*slot = (uint32_t)refs->count;
	return true;
}

static int in_file_order(const void *a, const void *b)
{
	const struct split_ref *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	return (x->copies < y->copies) - (x->copies > y->copies);
}

void split_refs_lines(struct split_refs *refs, struct tdat_span text, struct tdat_build *out)
{
	if (!refs->count)
		return;
	/* Slots are of no use from now on: nothing is added any more. */
	qsort(refs->v, refs->count, sizeof(*refs->v), in_file_order);
	for (size_t i = 0; i < refs->count; i++) {
		const struct split_ref *ref = &refs->v[i];
		const uint8_t *from = text.ptr + ref->off, *nl;

		if (i && ref->off == ref[-1].off)
			continue;
		while (from > text.ptr && from[-1] != '\n')
			from--;
		nl = memchr(from, '\n', text.len - (size_t)(from - text.ptr));
		for (uint32_t k = 0; k < ref->copies; k++) {
			tdat_build_bytes(out, from,
					 (size_t)((nl ? nl : text.ptr + text.len) - from));
			tdat_build_u8(out, '\n');
		}
	}
}
