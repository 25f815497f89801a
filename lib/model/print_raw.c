/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints a field by its type alone, for report -R and for events whose print format is broken.
 * Numbers are printed in the way that their C type says, text as text, arrays as lists. It
 * never fails, since it is the last resort.
 */
#include "print_prog.h"

#include <string.h>

/* True if the bytes up to a NUL are printable or blank: then an array prints as text. */
static bool is_text(struct tdat_span s)
{
	size_t i;

	for (i = 0; i < s.len && s.ptr[i]; i++) {
		uint8_t ch = s.ptr[i];

		if ((ch < 0x20 || ch > 0x7e) && (ch < '\t' || ch > '\r'))
			return false;
	}
	return true;
}

/* Prints an array as text or as "ARRAY[00, 11]", as libtraceevent does. */
static void print_array(const struct run *r, const struct tdat_field *f, struct tdat_build *out)
{
	uint64_t off = f->off, len = f->len;
	struct tdat_span s;
	size_t i;

	if (f->flags & TDAT_FIELD_DYNAMIC)
		run_dynamic(r, f, &off, &len);
	s = run_bytes(r, off, len);
	if ((f->flags & TDAT_FIELD_STRING) && is_text(s)) {
		s = run_cstr(r, off);
		tdat_build_bytes(out, s.ptr, s.len);
		return;
	}
	tdat_build_bytes(out, "ARRAY[", 6);
	for (i = 0; i < s.len; i++) {
		if (i)
			tdat_build_bytes(out, ", ", 2);
		tdat_number_x64(out, s.ptr[i], 2);
	}
	tdat_build_u8(out, ']');
}

/* Prints a signed number. The formats differ by size: those are libtraceevent's. */
static void print_signed(uint64_t v, const struct tdat_field *f, struct tdat_build *out)
{
	switch (f->len) {
	case 4:
		/* A long of a 32-bit machine is printed as an address. */
		if (f->flags & TDAT_FIELD_LONG) {
			tdat_number_0x(out, (uint32_t)v);
		} else {
			tdat_number_i64(out, (int32_t)v);
		}
		break;
	case 2:
		if ((int16_t)v >= 0 && (int16_t)v < 10)
			tdat_build_u8(out, ' ');
		tdat_number_i64(out, (int16_t)v);
		break;
	case 1:
		tdat_number_i64(out, (int8_t)v);
		break;
	default:
		tdat_number_i64(out, (int64_t)v);
	}
}

/* Prints a field's value by its type. Fields at fixed offsets are read unchecked: see fixed_len. */
void item_print_raw(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const struct tdat_field *f = it->field;
	uint64_t v;

	if (f->flags & TDAT_FIELD_ARRAY) {
		print_array(r, f, out);
		return;
	}
	v = tdat_load_uint(r->data + f->off, f->len, f->format->big);
	if ((f->flags & TDAT_FIELD_SIGNED) && !(f->flags & MODEL_FIELD_PLAIN_SIGN) &&
	    !(f->flags & TDAT_FIELD_POINTER)) {
		print_signed(v, f, out);
		return;
	}
	/* libtraceevent takes unsigned longs for addresses. */
	if (f->flags & (TDAT_FIELD_POINTER | TDAT_FIELD_LONG)) {
		tdat_number_0x(out, v);
		return;
	}
	tdat_number_u64(out, v);
}
