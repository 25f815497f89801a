/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the bytes of a field's value in a record. A static field lies at its offset, a dynamic
 * one where the record says; both must lie within the record. Stacks end at their count or at
 * ULONG_MAX.
 */
#include "field_bytes.h"

#include "core/endian.h"

/*
 * Returns the bytes of a field; false: they do not lie in the record. Fields without a length take
 * the rest of the record.
 */
bool table_field_bytes(const struct table_source *s, struct tdat_span rec, struct tdat_span *out)
{
	const struct tdat_field *f = s->field;

	if (!s->to_end && f->len)
		return tdat_field_bytes(f, rec, out, NULL) == TDAT_OK;
	if (f->off > rec.len)
		return false;
	*out = (struct tdat_span){rec.ptr + f->off, rec.len - f->off};
	return true;
}

/* The bytes of whole elements only. */
bool table_array_bytes(const struct table_source *s, bool big, struct tdat_span rec,
		       struct tdat_span *out)
{
	uint64_t size;

	if (!table_field_bytes(s, rec, out))
		return false;
	/*
	 * Since Linux 5.9 the event's size counts the entries of a stack; older records end at
	 * their length.
	 */
	if (s->size_field && rec.len >= (size_t)s->size_field->off + s->size_field->len) {
		size = tdat_load_uint(rec.ptr + s->size_field->off, s->size_field->len, big);
		if (size < out->len / s->elem_len)
			out->len = (size_t)size * s->elem_len;
	}
	out->len -= out->len % s->elem_len;
	/*
	 * Old kernels end a stack with ULONG_MAX. All bits are set, so byte order does not matter.
	 */
	for (size_t at = 0; s->to_end && at < out->len; at += s->elem_len)
		if (tdat_load_uint(out->ptr + at, s->elem_len, false) ==
		    UINT64_MAX >> (64 - 8 * s->elem_len))
			out->len = at;
	return true;
}
