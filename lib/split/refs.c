/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects the lines of a stored text that something refers to, and writes those alone. Refs are
 * found by place with a keyed hash while events are read, and sorted in the order of the text at
 * the end. Each line is written as often as its ref's copies say, which shrink_symbols.c needs.
 */
#include "refs.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"

void split_refs_fini(struct split_refs *refs)
{
	free(refs->v);
	tdat_map_fini(&refs->map);
	memset(refs, 0, sizeof(*refs));
}

/* Two refs to one place count as one unless they need different things of the line. */
static bool same(const struct split_ref *a, const struct split_ref *b)
{
	return a->start == b->start && a->exact == b->exact && a->named == b->named;
}

bool split_refs_add(struct split_refs *refs, const struct split_ref *ref)
{
	uint64_t hash;
	uint32_t i;

	if (!TDAT_MAP_GROW(&refs->map, refs->v, &refs->cap))
		return false;
	/* exact and named are one number for the hash. */
	hash = tdat_hash_pair(refs->map.seed, ref->start, (uint64_t)ref->exact * 2 + ref->named);
	TDAT_MAP_FIND(i, &refs->map, hash, same(&refs->v[i], ref));
	if (i != TDAT_MAP_NONE)
		return true;
	tdat_map_put(&refs->map, hash, refs->count);
	refs->v[refs->count++] = *ref;
	return true;
}

static int in_file_order(const void *a, const void *b)
{
	const struct split_ref *x = a, *y = b;

	/* The ref with the most copies comes first of its line. */
	return TDAT_ORDER(x->off, y->off, TDAT_ORDER(y->copies, x->copies, 0));
}

void split_refs_lines(struct split_refs *refs, struct tdat_span text, struct tdat_build *out)
{
	if (!refs->count)
		return;
	/* The map is of no use from now on: nothing is added any more. */
	qsort(refs->v, refs->count, sizeof(*refs->v), in_file_order);
	for (size_t i = 0; i < refs->count; i++) {
		const struct split_ref *ref = &refs->v[i];
		const uint8_t *from = text.ptr + ref->off, *nl;

		/* The others refer to the same line. */
		if (i && ref->off == ref[-1].off)
			continue;
		/* off may be any byte of the line. */
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
