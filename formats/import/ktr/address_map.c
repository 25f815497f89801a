/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts ranges that may overlap into pieces that do not, so that an address is found by halves.
 * Ranges come from segments of kernels and modules that the user names, which may contradict
 * each other. The result is sorted and immutable.
 */
#include "address_map.h"

#include <stdlib.h>

#include "core/search.h"
#include "core/heap.h"

/* Address behind the range, cut at UINT64_MAX: images name their addresses and may lie. */
static uint64_t end_of(const struct ktr_range *r)
{
	return r->len < UINT64_MAX - r->addr ? r->addr + r->len : UINT64_MAX;
}

/*
 * Sweeps over the ranges by address; of the open ones, the range with the lowest index wins.
 * starts: one piece per range, sorted; open: room for all of them.
 */
static void cut(struct ktr_address_map *m, const struct ktr_range *ranges,
		const struct ktr_piece *starts, size_t count, struct tdat_heap *open)
{
	uint64_t at = 0;
	size_t i = 0;

	while (i < count || open->count) {
		size_t first;
		uint64_t end;

		/* Nothing is open: jump over the gap to the next range. */
		if (!open->count)
			at = starts[i].addr;
		/*
		 * Keyed by the index of the range, so that the heap's top is the segment that the
		 * file lists first.
		 */
		for (; i < count && starts[i].addr <= at; i++)
			tdat_heap_push(open, (struct tdat_heap_item){starts[i].range, 0});
		first = (size_t)open->items[0].key;
		end = end_of(&ranges[first]);
		if (end <= at) {
			tdat_heap_drop_top(open);
			continue;
		}
		/* Another range begins here and may win, so the piece ends before it. */
		if (i < count && starts[i].addr < end)
			end = starts[i].addr;
		m->pieces[m->count++] = (struct ktr_piece){at, end, first};
		at = end;
	}
}

bool ktr_address_map_init(struct ktr_address_map *m, const struct ktr_range *ranges, size_t count)
{
	struct ktr_piece *starts = calloc(count + 1, sizeof(*starts));
	struct tdat_heap open = {calloc(count + 1, sizeof(*open.items)), 0};
	bool ok;

	/* A piece ends where its range ends or another one starts, so 2 * count pieces suffice. */
	*m = (struct ktr_address_map){calloc(2 * count + 1, sizeof(*m->pieces)), 0};
	ok = starts && open.items && m->pieces;
	if (ok) {
		for (size_t i = 0; i < count; i++)
			starts[i] = (struct ktr_piece){ranges[i].addr, 0, i};
		qsort(starts, count, sizeof(*starts), tdat_by_u64);
		cut(m, ranges, starts, count, &open);
	}
	free(starts);
	free(open.items);
	return ok;
}

void ktr_address_map_fini(struct ktr_address_map *m)
{
	free(m->pieces);
	*m = (struct ktr_address_map){NULL, 0};
}

/*
 * Finds the range that covers an address, by binary search over the pieces. False: no range covers
 * it.
 */
bool ktr_address_map_find(const struct ktr_address_map *m, uint64_t addr, size_t *range)
{
	size_t low;

	TDAT_SEARCH(low, m->count, m->pieces[low].end <= addr);
	if (low == m->count || m->pieces[low].addr > addr)
		return false;
	*range = m->pieces[low].range;
	return true;
}
