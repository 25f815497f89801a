/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPUs write ktr.out nearly in order of time. The survey notes the least time of
 * each block of entries; an entry that is earlier than all of the blocks to come
 * can go out, so that a small window does for files of any size. When too many
 * have to wait, the rest goes through the external sort.
 */
#include "reorder.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "import/sort.h"

enum {
	/* Entries of one block; each costs 8 bytes of memory over the import. */
	BLOCK = 4096,
	/* Entries that may wait, in memory. */
	WINDOW = 8 * BLOCK,
	/* Memory of the external sort that takes over when the window is too small. */
	MEMORY_LEN = 16 * 1024 * 1024,
	MOVES_MAX = 16 /* of each entry, beyond which qsort is faster */
};

void ktr_blocks_fini(struct ktr_blocks *b)
{
	free(b->least);
}

/*
 * First pass: notes an entry's time. Unused slots are not noted, and ktr_reorder_add() must skip
 * them too.
 */
void ktr_blocks_add(struct ktr_blocks *b, uint64_t ts)
{
	if (b->used++ % BLOCK) {
		if (b->count && ts < b->least[b->count - 1])
			b->least[b->count - 1] = ts;
	} else if (!b->failed && TDAT_GROW(b->least, &b->cap, b->count + 1)) {
		b->least[b->count++] = ts;
	} else {
		b->failed = true;
	}
}

/*
 * Ends the first pass: each block's least time becomes the least of it and all later ones. False:
 * no memory.
 */
bool ktr_blocks_end(struct ktr_blocks *b)
{
	for (size_t i = b->count; i-- > 1;)
		if (b->least[i] < b->least[i - 1])
			b->least[i - 1] = b->least[i];
	return !b->failed;
}

/* An entry that waits; its bytes are in raw. */
struct waiting {
	uint64_t ts;
	uint32_t cpu;
	uint32_t slot; /* in raw; also the order of reading */
};

struct ktr_reorder {
	const struct ktr_blocks *blocks;
	ktr_reorder_fn fn;
	void *ctx;
	size_t entry_len;
	struct waiting *items; /* of WINDOW */
	uint8_t *raw, *spare;  /* WINDOW entries each */
	size_t count;
	size_t fresh; /* of them from the block being read */
	size_t block;
	struct import_sort *sort; /* once the window was too small */
};

enum tdat_status ktr_reorder_new(struct ktr_reorder **out, const struct ktr_blocks *blocks,
				 size_t entry_len, ktr_reorder_fn fn, void *ctx,
				 struct tdat_error *err)
{
	struct ktr_reorder *r = calloc(1, sizeof(*r));

	*out = r;
	if (r) {
		r->blocks = blocks;
		r->entry_len = entry_len;
		r->fn = fn;
		r->ctx = ctx;
		r->items = calloc(WINDOW, sizeof(*r->items));
		r->raw = malloc(WINDOW * entry_len);
		r->spare = malloc(WINDOW * entry_len);
	}
	if (!r || !r->items || !r->raw || !r->spare)
		return tdat_error_no_memory(err, "entries to put in order");
	return TDAT_OK;
}

void ktr_reorder_free(struct ktr_reorder *r)
{
	if (!r)
		return;
	import_sort_free(r->sort);
	free(r->items);
	free(r->raw);
	free(r->spare);
	free(r);
}

static int by_time(const void *pa, const void *pb)
{
	const struct waiting *a = pa, *b = pb;

	return TDAT_ORDER(a->ts, b->ts,
			  TDAT_ORDER(a->cpu, b->cpu, TDAT_ORDER(a->slot, b->slot, 0)));
}

/*
 * Sorts entries that are nearly in order by insertion, the usual case. False if that takes more
 * than MOVES_MAX moves per entry: the order is then undefined, and the caller sorts again.
 */
static bool sort_nearly(struct waiting *items, size_t count)
{
	size_t moves = 0;

	for (size_t i = 1; i < count; i++) {
		const struct waiting w = items[i];
		size_t k = i;

		for (; k && by_time(&items[k - 1], &w) > 0; k--)
			items[k] = items[k - 1];
		items[k] = w;
		moves += i - k;
		if (moves > MOVES_MAX * count)
			return false;
	}
	return true;
}

static struct tdat_span raw_of(const struct ktr_reorder *r, const struct waiting *w)
{
	return (struct tdat_span){r->raw + w->slot * r->entry_len, r->entry_len};
}

/* Sorts the waiting entries and hands over those earlier than before, or all of them. */
static enum tdat_status let_go(struct ktr_reorder *r, uint64_t before, bool all,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint8_t *raw = r->raw;
	size_t i, kept = 0;

	if (!sort_nearly(r->items, r->count))
		qsort(r->items, r->count, sizeof(*r->items), by_time);
	for (i = 0; i < r->count && (all || r->items[i].ts < before); i++) {
		st = r->fn(r->ctx, r->items[i].ts, r->items[i].cpu, raw_of(r, &r->items[i]), err);
		if (st != TDAT_OK)
			return st;
	}
	/* The remaining entries move to the front, in their new order. */
	for (; i < r->count; i++, kept++) {
		struct waiting w = r->items[i];

		memcpy(r->spare + kept * r->entry_len, raw_of(r, &w).ptr, r->entry_len);
		w.slot = (uint32_t)kept;
		r->items[kept] = w;
	}
	r->raw = r->spare;
	r->spare = raw;
	r->count = kept;
	return TDAT_OK;
}

/*
 * Turns to the external sort for good. Entries that wait go first, to keep the order of equal ones.
 */
static enum tdat_status give_up(struct ktr_reorder *r, struct tdat_error *err)
{
	enum tdat_status st = import_sort_new(&r->sort, MEMORY_LEN, err);

	for (size_t i = 0; i < r->count && st == TDAT_OK; i++)
		st = import_sort_add(r->sort, r->items[i].ts, r->items[i].cpu,
				     raw_of(r, &r->items[i]).ptr, r->entry_len, err);
	r->count = 0;
	return st;
}

/* A block is complete: nothing earlier than the least time of later blocks can still come. */
static enum tdat_status end_block(struct ktr_reorder *r, struct tdat_error *err)
{
	enum tdat_status st;

	r->fresh = 0;
	r->block++;
	/* The file has more entries than the first pass saw: it grew meanwhile. */
	if (r->block >= r->blocks->count)
		return r->count + BLOCK > WINDOW ? give_up(r, err) : TDAT_OK;
	st = let_go(r, r->blocks->least[r->block], false, err);
	/* The next block might not fit. */
	if (st == TDAT_OK && r->count + BLOCK > WINDOW)
		st = give_up(r, err);
	return st;
}

/* Takes an entry of the second pass. raw: its bytes, which are copied. */
enum tdat_status ktr_reorder_add(struct ktr_reorder *r, uint64_t ts, uint32_t cpu,
				 const uint8_t *raw, struct tdat_error *err)
{
	if (r->sort)
		return import_sort_add(r->sort, ts, cpu, raw, r->entry_len, err);
	memcpy(r->raw + r->count * r->entry_len, raw, r->entry_len);
	r->items[r->count] = (struct waiting){ts, cpu, (uint32_t)r->count};
	r->count++;
	return ++r->fresh == BLOCK ? end_block(r, err) : TDAT_OK;
}

/* Hands over all that still waits; fn is not called again after it. */
enum tdat_status ktr_reorder_end(struct ktr_reorder *r, struct tdat_error *err)
{
	if (r->sort)
		return import_sort_each(r->sort, r->fn, r->ctx, err);
	return let_go(r, 0, true, err);
}
