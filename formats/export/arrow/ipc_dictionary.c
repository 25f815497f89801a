/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what a reader of Arrow IPC has of dictionaries. For a stream it compares the dictionary
 * of a batch with what was sent: nothing, a delta or a replacement follows. For a file it
 * collects all entries of all batches and maps indices to them. One such state belongs to each
 * column that has a dictionary.
 */
#include "ipc_dictionary.h"

#include <stdlib.h>

#include "core/grow.h"

void ipc_dictionary_init(struct ipc_dictionary *d)
{
	memset(d, 0, sizeof(*d));
	dictionary_init(&d->all, INT32_MAX);
}

void ipc_dictionary_fini(struct ipc_dictionary *d)
{
	tdat_build_fini(&d->offsets);
	tdat_build_fini(&d->bytes);
	tdat_build_fini(&d->new_offsets);
	tdat_build_fini(&d->new_bytes);
	dictionary_fini(&d->all);
	free(d->map);
}

/* ---- streams ---- */

/* Entry of a dictionary array. */
static struct tdat_span entry_at(const struct ArrowArray *a, uint64_t index)
{
	const int32_t *offsets = array_offsets(a) + a->offset + index;

	return (struct tdat_span){(const uint8_t *)a->buffers[2] + offsets[0],
				  (size_t)(offsets[1] - offsets[0])};
}

/* Appends an offset; limits of Arrow keep it below 2^31. */
static void put_offset(struct tdat_build *b, size_t v)
{
	const int32_t offset = (int32_t)v;

	tdat_build_bytes(b, &offset, sizeof(offset));
}

/* Takes the entries of the batch. A null one becomes empty: its rows are null (ipc_body.c). */
static void take_entries(struct ipc_dictionary *d, const struct ArrowArray *a)
{
	const uint8_t *valid = array_validity(a);

	d->new_offsets.len = d->new_bytes.len = 0;
	put_offset(&d->new_offsets, 0);
	for (int64_t i = 0; i < a->length; i++) {
		const struct tdat_span s = entry_at(a, (uint64_t)i);

		if (!valid || array_bit(valid, (size_t)(a->offset + i)))
			tdat_build_bytes(&d->new_bytes, s.ptr, s.len);
		put_offset(&d->new_offsets, d->new_bytes.len);
	}
}

/* True if one buffer begins with the content of the other. */
static bool starts_with(const struct tdat_build *all, const struct tdat_build *start)
{
	return all->len >= start->len && (!start->len || !memcmp(all->ptr, start->ptr, start->len));
}

static void swap(struct tdat_build *a, struct tdat_build *b)
{
	const struct tdat_build old = *a;

	*a = *b;
	*b = old;
}

/*
 * Compares the batch's dictionary with what was sent: *news says what must follow, *first the
 * number of entries that the reader has.
 */
enum tdat_status ipc_dictionary_stream(struct ipc_dictionary *d, const struct array_view *v,
				       enum ipc_dictionary_news *news, size_t *first,
				       struct tdat_error *err)
{
	take_entries(d, v->dictionary);
	if (d->new_offsets.failed || d->new_bytes.failed)
		return tdat_error_no_memory(err, "dictionaries");
	*first = 0;
	*news = DICTIONARY_NEW;
	if (d->sent && starts_with(&d->new_offsets, &d->offsets) &&
	    starts_with(&d->new_bytes, &d->bytes)) {
		*first = d->offsets.len / sizeof(int32_t) - 1;
		*news = d->new_offsets.len == d->offsets.len ? DICTIONARY_SAME : DICTIONARY_GREW;
	}
	/* The new state is kept, the old one's memory is used for the next batch. */
	swap(&d->offsets, &d->new_offsets);
	swap(&d->bytes, &d->new_bytes);
	d->sent = true;
	return TDAT_OK;
}

/* Fills the body with the entries from first on. */
enum tdat_status ipc_dictionary_body(const struct ipc_dictionary *d, size_t first,
				     struct ipc_body *b, size_t *count, struct tdat_error *err)
{
	const int32_t *offsets = (const int32_t *)(const void *)d->offsets.ptr;

	*count = d->offsets.len / sizeof(*offsets) - 1 - first;
	return ipc_body_texts(b, offsets + first, d->bytes.ptr, *count, err);
}

/* ---- files ---- */

/*
 * Adds the entries that a batch uses to the file's dictionary, and sets d->map from the batch's
 * indices to it.
 */
enum tdat_status ipc_dictionary_collect(struct ipc_dictionary *d, const struct column_type *t,
					const struct array_view *v, struct tdat_error *err)
{
	const struct ArrowArray *a = v->dictionary;
	const size_t len = (size_t)a->length;

	if (!TDAT_GROW(d->map, &d->map_cap, len + 1))
		return tdat_error_no_memory(err, "dictionaries");
	memset(d->map, 0xff, len * sizeof(*d->map));
	for (size_t i = v->off; i < v->off + v->len; i++) {
		const uint64_t index =
			array_index(v->array->buffers[1], i, t->index_width, t->index_signed);
		struct tdat_span s;

		if ((v->valid && !array_bit(v->valid, i)) || index >= len ||
		    d->map[index] != UINT32_MAX)
			continue;
		if (array_validity(a) &&
		    !array_bit(array_validity(a), (size_t)a->offset + (size_t)index))
			continue;
		s = entry_at(a, index);
		d->map[index] = dictionary_text(&d->all, s.ptr, s.len);
	}
	if (dictionary_failed(&d->all))
		return tdat_error_no_memory(err, "dictionaries");
	if (d->all.bytes.len > INT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "the dictionary of column '%s' has %zu bytes, but an Arrow "
				      "file can have at most %d: write a stream",
				      t->name, d->all.bytes.len, INT32_MAX);
	return TDAT_OK;
}

/* Fills the body with the whole dictionary of a file. */
enum tdat_status ipc_dictionary_all(const struct ipc_dictionary *d, struct ipc_body *b,
				    size_t *count, struct tdat_error *err)
{
	const uint64_t *ends = (const uint64_t *)(const void *)d->all.ends.ptr;
	struct tdat_build offsets;
	enum tdat_status st;

	tdat_build_init(&offsets, false);
	put_offset(&offsets, 0);
	for (uint32_t i = 0; i < d->all.count; i++)
		put_offset(&offsets, (size_t)ends[i]);
	*count = d->all.count;
	st = offsets.failed ? tdat_error_no_memory(err, "dictionaries")
			    : ipc_body_texts(b, (const int32_t *)(const void *)offsets.ptr,
					     d->all.bytes.ptr, *count, err);
	tdat_build_fini(&offsets);
	return st;
}

/* Header of a dictionary batch. The column's number is the dictionary's id. */
flat_ref ipc_dictionary_batch(struct flat *f, const struct ipc_body *b, size_t column, size_t count,
			      bool delta)
{
	const flat_ref data = ipc_record_batch(f, b, count);

	flat_table(f);
	flat_field_i64(f, 0, (int64_t)column);
	flat_field_ref(f, 1, data);
	flat_field_u8(f, 2, delta);
	return flat_table_end(f);
}
