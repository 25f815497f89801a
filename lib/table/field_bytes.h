/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the bytes of a field's value in a record; every read is inside the record or fails. */
#ifndef TDAT_TABLE_FIELD_BYTES_H
#define TDAT_TABLE_FIELD_BYTES_H

#include "schema.h"

/* The bytes of a field; false where the field does not lie in the record. */
bool table_field_bytes(const struct table_source *s, struct tdat_span rec, struct tdat_span *out);

/*
 * The whole elements of an array, the same way; of a stack as many as its size says, and none
 * from ULONG_MAX on. big is the byte order of records.
 */
bool table_array_bytes(const struct table_source *s, bool big, struct tdat_span rec,
		       struct tdat_span *out);

/* The bits of a field of a number; false where it does not lie in the record. */
static inline bool table_load(const struct tdat_field *f, struct tdat_span rec, bool big,
			      uint64_t *v)
{
	if (rec.len < (size_t)f->off + f->len)
		return false;
	*v = tdat_load_uint(rec.ptr + f->off, f->len, big);
	return true;
}

/* One number of len bytes, as 64 bits: with its sign where the source has one. */
static inline uint64_t table_number(const struct table_source *s, uint64_t v, uint32_t len)
{
	const uint32_t unused = 64 - 8 * len;

	return s->is_signed ? (uint64_t)((int64_t)(v << unused) >> unused) : v;
}

#endif
