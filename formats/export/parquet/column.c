/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes rows of a batch into the open page of a column. A column has an open page with values,
 * levels and perhaps a dictionary. Rows come in slices of some hundred for all columns at a
 * time, so that all of them fit in the cache. Pages end by rows and bytes alone, never by how
 * rows were cut into batches.
 */
#include "column.h"

#include <stdlib.h>

#include "core/grow.h"

enum {
	TRY_VALUES = 1024,	  /* values after which a dictionary must have proved useful */
	ENTRIES_MOST = 1 << 16,	  /* of a dictionary of texts, about */
	NUMBERS_MOST = 1 << 14,	  /* of a dictionary of numbers */
	DICTIONARY_LEN = 1 << 19, /* bytes of the texts in a dictionary, about */
	KEPT_LEN = 2048,	  /* bytes of a buffer that the next row group uses again */
};

enum tdat_status column_no_memory(struct tdat_error *err)
{
	return tdat_error_no_memory(err, "the columns of a table");
}

static bool is_text(const struct column *c)
{
	return c->physical == PARQUET_BYTE_ARRAY;
}

/* Physical type of a column; narrow numbers are stored as INT32. */
static enum parquet_type physical_of(const struct column_type *t)
{
	switch (t->kind) {
	case COLUMN_BOOL:
		return PARQUET_BOOLEAN;
	case COLUMN_DOUBLE:
		return PARQUET_DOUBLE;
	case COLUMN_TEXT:
	case COLUMN_BYTES:
		return PARQUET_BYTE_ARRAY;
	default:
		return t->width << t->as_signed >= 8 ? PARQUET_INT64 : PARQUET_INT32;
	}
}

/* State at the start of a column chunk. Booleans and doubles gain nothing from a dictionary. */
static void chunk_start(struct column *c)
{
	c->codec = c->setup->compress ? PARQUET_ZSTD : PARQUET_UNCOMPRESSED;
	c->use = c->physical == PARQUET_BOOLEAN || c->physical == PARQUET_DOUBLE ? DICTIONARY_OFF
										 : DICTIONARY_TRY;
}

void column_init(struct column *c, const struct column_type *type, struct column_setup *setup)
{
	memset(c, 0, sizeof(*c));
	c->type = type;
	c->setup = setup;
	c->physical = physical_of(type);
	/*
	 * Levels: one repetition level for lists; one definition level for each thing that may be
	 * missing.
	 */
	c->max_rep = type->is_list;
	c->max_def = (uint8_t)(type->nullable + type->is_list + type->item_nullable);
	chunk_start(c);
}

/* Returns the dictionary, made at its first use; NULL: no memory. */
struct dictionary *column_dictionary(struct column *c)
{
	if (c->dictionary)
		return c->dictionary;
	c->dictionary = malloc(sizeof(*c->dictionary));
	if (c->dictionary)
		dictionary_init(c->dictionary, is_text(c) ? UINT32_MAX - 1 : NUMBERS_MOST);
	else
		c->no_dictionary = true;
	return c->dictionary;
}

/* The entry of a text; DICTIONARY_FULL: there is no memory. */
static uint32_t text_entry(struct column *c, struct tdat_span s)
{
	struct dictionary *d = column_dictionary(c);

	return d ? dictionary_text(d, s.ptr, s.len) : DICTIONARY_FULL;
}

void column_fini(struct column *c)
{
	tdat_build_fini(&c->values);
	tdat_build_fini(&c->lens);
	tdat_build_fini(&c->defs);
	tdat_build_fini(&c->reps);
	tdat_build_fini(&c->pages);
	if (c->dictionary)
		dictionary_fini(c->dictionary);
	free(c->dictionary);
	free(c->records);
	free(c->map);
}

/* Makes the column ready for the next row group. */
void column_reset(struct column *c)
{
	const struct column_type *type = c->type;
	struct column_setup *setup = c->setup;

	struct tdat_build values = c->values, defs = c->defs;

	/*
	 * Short buffers are kept. Thousands of tables that free and allocate many of them by turns
	 * would fragment the heap.
	 */
	values.len = defs.len = 0;
	if (values.cap <= KEPT_LEN)
		tdat_build_init(&c->values, false);
	if (defs.cap <= KEPT_LEN)
		tdat_build_init(&c->defs, false);
	column_fini(c);
	column_init(c, type, setup);
	if (values.cap <= KEPT_LEN)
		c->values = values;
	if (defs.cap <= KEPT_LEN)
		c->defs = defs;
}

/* ---- values ---- */

static void widen8(uint32_t *to, const uint8_t *from, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++)
		to[i] = is_signed ? (uint32_t)(int8_t)from[i] : from[i];
}

static void widen16(uint32_t *to, const uint16_t *from, size_t n, bool is_signed)
{
	for (size_t i = 0; i < n; i++)
		to[i] = is_signed ? (uint32_t)(int16_t)from[i] : from[i];
}

static void widen32(struct column *c, const uint32_t *from, size_t n)
{
	uint64_t *to = (uint64_t *)(void *)tdat_build_room(&c->values, n * sizeof(*to));

	if (!to)
		return;
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
	c->values.len += n * sizeof(*to);
}

/* Appends n numbers from element first on, widened to INT32 or INT64. */
static void put_numbers(struct column *c, const void *from, size_t first, size_t n)
{
	const struct column_type *t = c->type;
	uint32_t *to;

	if (t->width == 4 && t->as_signed) {
		widen32(c, (const uint32_t *)from + first, n);
		return;
	}
	if (t->width >= 4) {
		tdat_build_bytes(&c->values, (const uint8_t *)from + first * t->width,
				 n * t->width);
		return;
	}
	to = (uint32_t *)(void *)tdat_build_room(&c->values, n * sizeof(*to));
	if (!to)
		return;
	if (t->width == 1)
		widen8(to, (const uint8_t *)from + first, n, t->is_signed);
	else
		widen16(to, (const uint16_t *)from + first, n, t->is_signed);
	c->values.len += n * sizeof(*to);
}

/* Appends booleans as bytes; the page packs them. */
static void put_bools(struct column *c, const uint8_t *bits, size_t first, size_t n)
{
	uint8_t *to = tdat_build_room(&c->values, n);

	if (!to)
		return;
	for (size_t i = 0; i < n; i++)
		to[i] = array_bit(bits, first + i);
	c->values.len += n;
}

/* Appends an index into the dictionary. */
static void put_entry(struct column *c, uint32_t entry)
{
	tdat_build_bytes(&c->values, &entry, sizeof(entry));
}

static struct tdat_span text_at(const struct ArrowArray *a, size_t i)
{
	const int32_t *offsets = array_offsets(a);

	return (struct tdat_span){(const uint8_t *)a->buffers[2] + offsets[i],
				  (size_t)(offsets[i + 1] - offsets[i])};
}

/* Appends a text: its index in the dictionary, or its length and bytes. */
static void put_text(struct column *c, struct tdat_span s)
{
	const uint32_t len = (uint32_t)s.len;

	if (c->use != DICTIONARY_OFF) {
		put_entry(c, text_entry(c, s));
		return;
	}
	tdat_build_bytes(&c->lens, &len, sizeof(len));
	tdat_build_bytes(&c->values, s.ptr, s.len);
}

/* Appends texts that are consecutive in an array: without a dictionary, one copy for all. */
static void put_texts(struct column *c, const struct ArrowArray *a, size_t first, size_t n)
{
	const int32_t *offsets = array_offsets(a) + first;
	uint32_t *lens;

	if (c->use != DICTIONARY_OFF) {
		for (size_t i = 0; i < n; i++)
			put_text(c, text_at(a, first + i));
		return;
	}
	lens = (uint32_t *)(void *)tdat_build_room(&c->lens, n * sizeof(*lens));
	if (!lens)
		return;
	for (size_t i = 0; i < n; i++)
		lens[i] = (uint32_t)(offsets[i + 1] - offsets[i]);
	c->lens.len += n * sizeof(*lens);
	tdat_build_bytes(&c->values, (const uint8_t *)a->buffers[2] + offsets[0],
			 (size_t)(offsets[n] - offsets[0]));
}

/* Appends the values of n elements, none of them null. */
static void put_values(struct column *c, const struct ArrowArray *a, size_t first, size_t n)
{
	c->count += n;
	if (c->physical == PARQUET_BOOLEAN)
		put_bools(c, a->buffers[1], first, n);
	else if (is_text(c))
		put_texts(c, a, first, n);
	else
		put_numbers(c, a->buffers[1], first, n);
}

/* ---- levels ---- */

/*
 * Starts to write definition levels. Until a null comes they are all the highest, and only counted.
 */
static void keep_defs(struct column *c)
{
	if (c->has_defs)
		return;
	c->has_defs = true;
	tdat_build_fill(&c->defs, c->max_def, c->slots);
}

static void put_defs(struct column *c, uint8_t def, size_t n)
{
	if (def != c->max_def)
		keep_defs(c);
	if (c->has_defs)
		tdat_build_fill(&c->defs, def, n);
	c->slots += n;
}

/* Appends elements with their validity: runs of values, and levels for runs of nulls. */
static void put_elements(struct column *c, const struct ArrowArray *a, const uint8_t *valid,
			 size_t first, size_t n)
{
	const uint8_t null_def = (uint8_t)(c->max_def - 1);
	size_t i = 0, end;

	if (!valid) {
		put_defs(c, c->max_def, n);
		put_values(c, a, first, n);
		return;
	}
	for (; i < n; i = end) {
		const bool set = array_bit(valid, first + i);

		for (end = i + 1; end < n && array_bit(valid, first + end) == set;)
			end++;
		put_defs(c, set ? c->max_def : null_def, end - i);
		if (set)
			put_values(c, a, first + i, end - i);
	}
}

/* ---- rows ---- */

/* Appends rows that are lists: repetition level 0 begins a row, 1 continues its list. */
static void put_lists(struct column *c, const struct array_view *v, size_t first, size_t n)
{
	const int32_t *offsets = array_offsets(v->array);
	const uint8_t *items_valid = array_validity(v->items);

	for (size_t i = v->off + first; i < v->off + first + n; i++) {
		const bool set = !v->valid || array_bit(v->valid, i);
		const size_t len = set ? (size_t)(offsets[i + 1] - offsets[i]) : 0;

		tdat_build_u8(&c->reps, 0);
		if (!len) {
			/* A null list has definition level 0, an empty one the next. */
			put_defs(c, (uint8_t)(set && c->type->nullable), 1);
			continue;
		}
		tdat_build_fill(&c->reps, 1, len - 1);
		put_elements(c, v->items, items_valid, (size_t)(v->items->offset + offsets[i]),
			     len);
	}
}

/*
 * Returns the column's dictionary entry for an entry of the batch's dictionary; looked up by text
 * once per batch.
 */
static uint32_t map_entry(struct column *c, const struct array_view *v, uint64_t index)
{
	struct tdat_span s;
	uint32_t entry;

	if (index < c->map_len && c->map[index] != DICTIONARY_FULL)
		return c->map[index];
	s = text_at(v->dictionary, (size_t)v->dictionary->offset + (size_t)index);
	entry = text_entry(c, s);
	if (index < c->map_len)
		c->map[index] = entry;
	return entry;
}

/*
 * Appends rows by the map of a batch: the usual case, without nulls in rows or entries. Returns the
 * rows done: it stops at an index that is out of range, which the caller reports.
 */
static size_t put_mapped(struct column *c, const struct array_view *v, size_t first, size_t n)
{
	const struct column_type *t = c->type;
	const void *indices = v->array->buffers[1];
	uint32_t *to = (uint32_t *)(void *)tdat_build_room(&c->values, n * sizeof(*to));
	const uint32_t *map = c->map;
	size_t i;

	for (i = 0; to && i < n; i++) {
		const uint64_t index =
			array_index(indices, v->off + first + i, t->index_width, t->index_signed);

		if (index >= c->map_len)
			break;
		to[i] = map[index] != DICTIONARY_FULL ? map[index] : map_entry(c, v, index);
	}
	c->values.len += i * sizeof(*to);
	c->count += i;
	put_defs(c, c->max_def, i);
	return i;
}

/* Appends rows of a dictionary-encoded array. A null may be in the row or in the entry. */
static enum tdat_status put_indices(struct column *c, const struct array_view *v, size_t first,
				    size_t n, struct tdat_error *err)
{
	const struct column_type *t = c->type;
	const uint8_t *entries_valid = array_validity(v->dictionary);
	size_t i = v->off + first;

	if (!v->valid && !entries_valid && c->map_len && c->use != DICTIONARY_OFF)
		i += put_mapped(c, v, first, n);
	for (; i < v->off + first + n; i++) {
		uint64_t index;

		if (v->valid && !array_bit(v->valid, i)) {
			put_defs(c, 0, 1);
			continue;
		}
		index = array_index(v->array->buffers[1], i, t->index_width, t->index_signed);
		if (index >= (uint64_t)v->dictionary->length)
			return array_bad_index(t, index, v->dictionary, err);
		if (entries_valid &&
		    !array_bit(entries_valid, (size_t)v->dictionary->offset + (size_t)index)) {
			if (!t->nullable)
				return array_bad_index(t, index, v->dictionary, err);
			put_defs(c, 0, 1);
			continue;
		}
		put_defs(c, c->max_def, 1);
		c->count++;
		if (c->use != DICTIONARY_OFF)
			put_entry(c, map_entry(c, v, index));
		else
			put_text(c, text_at(v->dictionary,
					    (size_t)v->dictionary->offset + (size_t)index));
	}
	return TDAT_OK;
}

/* Prepares for a batch: a map from its dictionary's entries to the column's. */
enum tdat_status column_batch(struct column *c, const struct array_view *view,
			      struct tdat_error *err)
{
	size_t len = view->dictionary ? (size_t)view->dictionary->length : 0;

	/*
	 * With few rows of a large dictionary, clearing the map would take longer than looking up
	 * their texts.
	 */
	if (len / 4 > view->len || len > UINT32_MAX / 8)
		len = 0;
	c->map_len = 0;
	if (!len)
		return TDAT_OK;
	if (!TDAT_GROW(c->map, &c->map_cap, len))
		return column_no_memory(err);
	c->map_len = len;
	/* Every element DICTIONARY_FULL: not mapped yet. */
	memset(c->map, 0xff, len * sizeof(*c->map));
	return TDAT_OK;
}

/*
 * Appends rows first to first + n - 1 of the batch to the open page. Callers pass slices and call
 * column_check() between them.
 */
enum tdat_status column_rows(struct column *c, const struct array_view *view, size_t first,
			     size_t n, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	c->rows += n;
	if (view->items)
		put_lists(c, view, first, n);
	else if (view->dictionary)
		st = put_indices(c, view, first, n, err);
	else
		put_elements(c, view->array, view->valid, view->off + first, n);
	if (st == TDAT_OK && (c->values.failed || c->lens.failed || c->defs.failed ||
			      c->reps.failed || column_dictionary_failed(c)))
		return column_no_memory(err);
	return st;
}

/* Bytes that these rows add, about: for choosing the length of a slice. */
size_t column_rows_len(const struct column *c, const struct array_view *view, size_t first,
		       size_t n)
{
	const size_t at = view->off + first;
	const int32_t *offsets;
	size_t start, end;

	if (view->dictionary || (!view->items && !is_text(c)))
		return n * sizeof(uint64_t);
	offsets = array_offsets(view->array);
	start = (size_t)offsets[at];
	end = (size_t)offsets[at + n];
	if (!view->items || !is_text(c))
		return (end - start) * (view->items ? sizeof(uint64_t) : 1);
	offsets = array_offsets(view->items) + view->items->offset;
	return (size_t)(offsets[end] - offsets[start]);
}

/* ---- pages and dictionaries that are long enough ---- */

/*
 * True if the dictionary of texts is not worth it: it is too large, or more than half of the values
 * are different.
 */
static bool dictionary_useless(const struct column *c)
{
	const struct dictionary *d = c->dictionary;
	const uint64_t values = c->chunk_slots - c->chunk_nulls + c->count;

	if (!d)
		return false;
	if (d->count >= ENTRIES_MOST || d->bytes.len >= DICTIONARY_LEN)
		return true;
	return values >= TRY_VALUES && d->count > values / 2;
}

/*
 * Ends the page if it is long enough, and gives up a useless dictionary; entries so far stay valid
 * for the chunk's earlier pages.
 */
enum tdat_status column_check(struct column *c, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	const bool useless = is_text(c) && c->use != DICTIONARY_OFF && dictionary_useless(c);

	if (useless || c->slots >= c->setup->page_slots ||
	    (is_text(c) && c->values.len >= c->setup->page_len))
		st = column_end_page(c, err);
	if (useless)
		c->use = DICTIONARY_OFF;
	return st;
}
