/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the columns of a record batch and checks them against the types of their table. A batch
 * comes from a caller, so its shape is checked before a byte is read: number of columns,
 * buffers, lengths, nulls. Everything after it may read without looking again. Used by all
 * exporters of tables.
 */
#include "array_view.h"

#include "core/checked.h"

/* Counts the bits that are 0, by words where possible. */
size_t array_zeros(const uint8_t *bits, size_t off, size_t n)
{
	size_t zeros = 0, i = 0;
	uint64_t word;

	/*
	 * Up to a whole byte bit by bit, then eight bytes at once; the words need not be aligned.
	 */
	for (; i < n && (off + i) % 8; i++)
		zeros += !array_bit(bits, off + i);
	for (; n - i >= 64; i += 64) {
		memcpy(&word, bits + (off + i) / 8, sizeof(word));
		zeros += 64u - (unsigned int)__builtin_popcountll(word);
	}
	for (; i < n; i++)
		zeros += !array_bit(bits, off + i);
	return zeros;
}

/* Refuses a batch whose shape is not that of the schema. */
static enum tdat_status bad_shape(const struct column_type *t, const char *why,
				  struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "a batch does not fit its schema: column '%s' %s", t->name, why);
}

/* Checks the batch as a whole: columns, rows, and that no row is null. */
enum tdat_status array_batch_check(const struct ArrowArray *rows, size_t column_count,
				   struct tdat_error *err)
{
	if (rows->n_children < 0 || (uint64_t)rows->n_children != column_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a batch has %lld columns, but its schema has %zu",
				      (long long)rows->n_children, column_count);
	if (rows->length < 0 || rows->offset < 0 || (uint64_t)rows->length > SIZE_MAX / 64 ||
	    (uint64_t)rows->offset > SIZE_MAX / 64)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a batch has an invalid range: %lld rows from row %lld",
				      (long long)rows->length, (long long)rows->offset);
	if (array_validity(rows) &&
	    array_zeros(array_validity(rows), (size_t)rows->offset, (size_t)rows->length))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "a batch has null rows");
	return TDAT_OK;
}

/* Buffers that an array of the type must have, by the Arrow C data interface. */
static int64_t buffers_of(const struct column_type *t)
{
	if (t->is_list || t->index_width)
		return 2;
	return t->kind == COLUMN_TEXT || t->kind == COLUMN_BYTES ? 3 : 2;
}

/* Checks the items of a list: the offsets of rows in use must be inside them. */
static enum tdat_status check_items(struct array_view *v, const struct column_type *t,
				    struct tdat_error *err)
{
	const struct ArrowArray *items = v->array->n_children == 1 ? v->array->children[0] : NULL;
	const int32_t *offsets = array_offsets(v->array);
	const bool text = t->kind == COLUMN_TEXT || t->kind == COLUMN_BYTES;

	if (!items || items->n_buffers != (text ? 3 : 2) || items->offset < 0)
		return bad_shape(t, "is not a list of its items", err);
	v->items = items;
	if (!v->len)
		return TDAT_OK;
	if (offsets[v->off] < 0 || offsets[v->off + v->len] < offsets[v->off] ||
	    offsets[v->off + v->len] > items->length)
		return bad_shape(t, "has offsets beyond its items", err);
	if (!t->item_nullable && array_validity(items) &&
	    array_zeros(array_validity(items), (size_t)(items->offset + offsets[v->off]),
			(size_t)(offsets[v->off + v->len] - offsets[v->off])))
		return bad_shape(t, "has null items, which its schema forbids", err);
	return TDAT_OK;
}

/*
 * Finds a column of a batch and checks its shape; sums of its offsets cannot overflow after that.
 * Offsets inside texts are not checked: the caller vouches for them.
 */
enum tdat_status array_column(struct array_view *view, const struct ArrowArray *rows, size_t column,
			      const struct column_type *type, struct tdat_error *err)
{
	const struct ArrowArray *a = rows->children[column];
	uint64_t first = 0, end;

	*view = (struct array_view){.array = a, .len = (size_t)rows->length};
	if (a->offset < 0 || a->length < 0 || (uint64_t)a->offset > SIZE_MAX / 64 ||
	    !tdat_add_u64((uint64_t)rows->offset, (uint64_t)rows->length, &end) ||
	    end > (uint64_t)a->length)
		return bad_shape(type, "has fewer rows than the batch", err);
	tdat_add_u64((uint64_t)a->offset, (uint64_t)rows->offset, &first);
	view->off = (size_t)first;
	if (a->n_buffers != buffers_of(type) || (type->index_width && !a->dictionary))
		return bad_shape(type, "has buffers that do not match its type", err);
	view->dictionary = type->index_width ? a->dictionary : NULL;
	if (view->dictionary && (view->dictionary->n_buffers != 3 || view->dictionary->offset < 0))
		return bad_shape(type, "has a dictionary that is not text", err);
	view->valid = array_validity(a);
	/* A bitmap without a 0 is as good as none. */
	if (view->valid && !array_zeros(view->valid, view->off, view->len))
		view->valid = NULL;
	if (view->valid && !type->nullable)
		return bad_shape(type, "has nulls, which its schema forbids", err);
	return type->is_list ? check_items(view, type, err) : TDAT_OK;
}

/* Fails for an index beyond its dictionary; callers check indices where they read them. */
enum tdat_status array_bad_index(const struct column_type *type, uint64_t index,
				 const struct ArrowArray *dictionary, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "column '%s' has index %lld, but its dictionary has %lld entries",
			      type->name, (long long)index, (long long)dictionary->length);
}
