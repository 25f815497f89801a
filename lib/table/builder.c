/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rows of one column, and the Arrow array that is made of them. A column is data, offsets,
 * a bitmap of nulls and perhaps a dictionary. Rows are added by decode*.c or by derived tables;
 * table_builder_array() hands the buffers over or lends them. A failure of memory is a flag
 * that the reader asks once for each batch.
 */
#include "builder.h"

#include "arrow_array.h"

/* Bytes of a value: of an item in lists, of a character in texts; 0: it is a bit. */
static uint8_t width_of(const struct table_column *column)
{
	switch (column->type) {
	case TABLE_BOOL:
		return 0;
	case TABLE_TIME:
		return 8;
	case TABLE_TEXT:
	case TABLE_BYTES:
		return 1;
	case TABLE_INT:
	case TABLE_LIST:
		return column->len;
	default:
		return 4;
	}
}

/*
 * Prepares a builder without rows. Only names need a dictionary, which lives across batches.
 * False: no memory.
 */
bool table_builder_init(struct table_builder *b, const struct table_column *column)
{
	memset(b, 0, sizeof(*b));
	b->column = column;
	/* Names are stored as int32 indices; the width of other types is not used. */
	b->width = width_of(column);
	b->has_ends = column->type == TABLE_TEXT || column->type == TABLE_BYTES ||
		      column->type == TABLE_LIST || column->type == TABLE_LIST_NAME;
	if (column->type != TABLE_NAME && column->type != TABLE_LIST_NAME)
		return true;
	b->dict = malloc(sizeof(*b->dict));
	if (b->dict)
		table_dict_init(b->dict);
	return b->dict;
}

void table_builder_fini(struct table_builder *b)
{
	table_mem_fini(&b->valid);
	table_mem_fini(&b->data);
	table_mem_fini(&b->offsets);
	if (b->dict)
		table_dict_fini(b->dict);
	free(b->dict);
	b->dict = NULL;
}

void table_builder_clear(struct table_builder *b)
{
	/* The next batch makes room for the same number of rows at once. */
	b->expected = b->rows;
	b->rows = b->nulls = b->names_len = 0;
	b->valid.len = b->data.len = b->offsets.len = 0;
	b->failed = false;
	/* A large dictionary starts anew: it would be copied into every batch. */
	if (b->dict && table_dict_is_large(b->dict))
		table_dict_clear(b->dict);
	b->dict_len = b->dict ? b->dict->chars.len : 0;
}

/* Bytes that the batch adds, by which readers end it: names count from the batch's start. */
size_t table_builder_len(const struct table_builder *b)
{
	const size_t names_len = b->dict ? b->dict->chars.len - b->dict_len : 0;

	return b->valid.len + b->data.len + b->offsets.len + b->names_len + names_len;
}

size_t table_builder_size(const struct table_builder *b)
{
	/* The names of a list's items become texts of their own with an offset each: give_names().
	 */
	const size_t list_len = b->names_len ? b->names_len + b->data.len : 0;

	return b->valid.cap + b->data.cap + b->offsets.cap + list_len +
	       (b->dict ? table_dict_size(b->dict) : 0);
}

/* Makes the bitmap len bytes long; new bits are set: their rows are valid. */
static bool extend_valid(struct table_builder *b, size_t len)
{
	const size_t had = b->valid.len;

	if (len <= had)
		return true;
	if (!table_mem_room(&b->valid, len - had)) {
		b->failed = true;
		return false;
	}
	memset(b->valid.ptr + had, 0xff, len - had);
	b->valid.len = len;
	return true;
}

bool table_builder_extend(struct table_builder *b, size_t rows)
{
	return extend_valid(b, (rows + 7) / 8);
}

/* Clears the bits of n rows: single bits up to a whole byte, whole bytes, and the rest. */
void table_builder_nulls(struct table_builder *b, size_t row, size_t n)
{
	const size_t end = row + n;

	if (!n || !extend_valid(b, (end + 7) / 8))
		return;
	b->nulls += n;
	for (; row < end && row % 8; row++)
		b->valid.ptr[row / 8] &= (uint8_t) ~(1u << (row & 7));
	memset(b->valid.ptr + row / 8, 0, (end - row) / 8);
	for (row += (end - row) / 8 * 8; row < end; row++)
		b->valid.ptr[row / 8] &= (uint8_t) ~(1u << (row & 7));
}

/* Hands a buffer to an array: with its memory, or borrowed. An empty one is still a pointer. */
static void give(struct ArrowArray *a, int i, struct table_mem *m, enum table_give how)
{
	static const uint64_t nothing[1] = {0};

	/* Consumers may read the pointer even if the length is 0, so it must not be NULL. */
	if (!m->ptr) {
		table_array_borrow(a, i, nothing);
	} else if (how != TABLE_LEND) {
		table_array_own(a, i, m->ptr);
		memset(m, 0, sizeof(*m));
	} else {
		table_array_borrow(a, i, m->ptr);
	}
}

/* A list or a text without rows still has the offset of its start. */
static bool has_offsets(struct table_mem *offsets)
{
	const int32_t zero = 0;

	return offsets->len || table_mem_put(offsets, &zero, sizeof(zero));
}

/*
 * Hands the dictionary over. TABLE_MOVE copies it: later batches of the same builder still append
 * to it and refer to the indices of earlier names.
 */
static bool give_dict(struct ArrowArray *a, struct table_dict *d, enum table_give how)
{
	struct table_mem offsets = {NULL, 0, 0}, chars = {NULL, 0, 0};
	struct ArrowArray *values = a->dictionary;

	if (!has_offsets(&d->offsets))
		return false;
	values->length = (int64_t)d->count;
	if (how != TABLE_MOVE) {
		give(values, 1, &d->offsets, how);
		give(values, 2, &d->chars, how);
		return true;
	}
	if (!table_mem_put(&offsets, d->offsets.ptr, d->offsets.len) ||
	    !table_mem_put(&chars, d->chars.ptr, d->chars.len)) {
		table_mem_fini(&offsets);
		return false;
	}
	table_array_own(values, 1, offsets.ptr);
	table_array_own(values, 2, chars.ptr);
	return true;
}

/* The bitmap is left out if no row is null, which the format allows. */
static void give_valid(struct table_builder *b, struct ArrowArray *out, enum table_give how)
{
	if (b->nulls)
		give(out, 0, &b->valid, how);
	out->length = (int64_t)b->rows;
	out->null_count = (int64_t)b->nulls;
}

/* The names of a list's items as texts of their own: most readers know no list of a dictionary. */
static bool give_names(struct table_builder *b, struct ArrowArray *items)
{
	const struct table_dict *d = b->dict;
	const int32_t *ends = (const int32_t *)(const void *)d->offsets.ptr;
	const size_t count = b->data.len / 4;
	struct table_mem offsets = {NULL, 0, 0}, chars = {NULL, 0, 0};
	bool ok = b->names_len <= INT32_MAX && has_offsets(&offsets) &&
		  table_mem_room(&chars, b->names_len + 8) && table_mem_room(&offsets, 4 * count);

	for (size_t i = 0; i < count && ok; i++) {
		int32_t index, end;
		size_t len;

		memcpy(&index, b->data.ptr + 4 * i, 4);
		len = (size_t)(ends[index + 1] - ends[index]);
		memcpy(chars.ptr + chars.len, d->chars.ptr + ends[index], len);
		chars.len += len;
		end = (int32_t)chars.len;
		memcpy(offsets.ptr + offsets.len, &end, sizeof(end));
		offsets.len += sizeof(end);
	}
	if (!ok) {
		table_mem_fini(&offsets);
		table_mem_fini(&chars);
		return false;
	}
	table_array_own(items, 1, offsets.ptr);
	table_array_own(items, 2, chars.ptr);
	return true;
}

/* Makes the array of a list column: offsets, and one child with the items of all rows. */
static bool list_array(struct table_builder *b, struct ArrowArray *out, enum table_give how)
{
	const bool names = b->column->type == TABLE_LIST_NAME;
	struct ArrowArray *items;

	if (!table_array_init(out, 2, 1, false))
		return false;
	items = out->children[0];
	if (!table_array_init(items, names ? 3 : 2, 0, false) || (names && !give_names(b, items))) {
		out->release(out);
		return false;
	}
	items->length = (int64_t)(b->data.len / b->width);
	give_valid(b, out, how);
	give(out, 1, &b->offsets, how);
	if (!names)
		give(items, 1, &b->data, how);
	return true;
}

bool table_builder_array(struct table_builder *b, struct ArrowArray *out, enum table_give how)
{
	const enum table_type type = b->column->type;
	const bool text = type == TABLE_TEXT || type == TABLE_BYTES;
	const bool list = type == TABLE_LIST || type == TABLE_LIST_NAME;

	if (b->has_ends && !has_offsets(&b->offsets))
		return false;
	if (list)
		return list_array(b, out, how);
	if (!table_array_init(out, text ? 3 : 2, 0, type == TABLE_NAME))
		return false;
	if (type == TABLE_NAME &&
	    (!table_array_init(out->dictionary, 3, 0, false) || !give_dict(out, b->dict, how))) {
		out->release(out);
		return false;
	}
	give_valid(b, out, how);
	if (text)
		give(out, 1, &b->offsets, how);
	/* The last buffer is the data: buffer 1 of fixed widths, buffer 2 behind offsets. */
	give(out, text ? 2 : 1, &b->data, how);
	return true;
}
