/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads arrays of a record batch: where the rows of a column start, and which are null.
 *
 * A batch comes from the program itself, not from a file, so what the Arrow C data interface
 * demands of it (buffers as long as they must be) is taken as given; what the schema of the
 * table says of the batch is checked.
 */
#ifndef EXPORT_ARRAY_VIEW_H
#define EXPORT_ARRAY_VIEW_H

#include <stddef.h>
#include <string.h>

#include "column_type.h"

/* Rows of an array: row i is element off + i of its buffers. */
struct array_view {
	const struct ArrowArray *array;
	const uint8_t *valid; /* bitmap by element; NULL: none is null */
	size_t off, len;
	const struct ArrowArray *items;	     /* of a list, else NULL */
	const struct ArrowArray *dictionary; /* of a text in a dictionary, else NULL */
};

static inline bool array_bit(const uint8_t *bits, size_t i)
{
	return bits[i / 8] >> (i % 8) & 1;
}

/* The bitmap of an array, or NULL when it says that none is null. */
static inline const uint8_t *array_validity(const struct ArrowArray *a)
{
	return a->null_count && a->n_buffers > 0 ? a->buffers[0] : NULL;
}

/* How many of n bits from off on are zero. */
size_t array_zeros(const uint8_t *bits, size_t off, size_t n);

/*
 * The column of a batch; len rows. Fails with TDAT_E_USAGE when the arrays do not have the
 * shape of the type, or have nulls where the type has none.
 */
enum tdat_status array_column(struct array_view *view, const struct ArrowArray *rows, size_t column,
			      const struct column_type *type, struct tdat_error *err);

/* The same for all columns at once: whether the batch is of these types at all. */
enum tdat_status array_batch_check(const struct ArrowArray *rows, size_t column_count,
				   struct tdat_error *err);

/* Offsets of a text or a list: element i has those from [i] to [i + 1]. */
static inline const int32_t *array_offsets(const struct ArrowArray *a)
{
	return a->buffers[1];
}

/* Element i of the indices of a dictionary; negative ones become very large. */
static inline uint64_t array_index(const void *p, size_t i, uint8_t width, bool is_signed)
{
	switch (width) {
	case 1:
		return is_signed ? (uint64_t)((const int8_t *)p)[i] : ((const uint8_t *)p)[i];
	case 2:
		return is_signed ? (uint64_t)((const int16_t *)p)[i] : ((const uint16_t *)p)[i];
	case 4:
		return is_signed ? (uint64_t)((const int32_t *)p)[i] : ((const uint32_t *)p)[i];
	default:
		return ((const uint64_t *)p)[i];
	}
}

/* The sentence for an index behind the end of its dictionary. */
enum tdat_status array_bad_index(const struct column_type *type, uint64_t index,
				 const struct ArrowArray *dictionary, struct tdat_error *err);

#endif
