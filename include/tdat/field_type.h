/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the values of the fields of an event type are: their kinds, by the type in the format file
 * and by what print fmt makes of them. Tables (tdat/table.h) have columns of the same kinds;
 * docs/tables.md says which field is of which.
 *
 * Threads: a struct tdat_field_types never changes and may be used by several threads at once.
 *
 * Owners: it is the caller's to free, before the file of its format is closed.
 */
#ifndef TDAT_FIELD_TYPE_H
#define TDAT_FIELD_TYPE_H

#include <tdat/event.h>

TDAT_BEGIN_DECLS

enum tdat_value_kind {
	TDAT_VALUE_INT,	  /* an integer of 1, 2, 4 or 8 bytes */
	TDAT_VALUE_BOOL,  /* one byte, 0 is false */
	TDAT_VALUE_TEXT,  /* up to the first NUL; it may be no UTF-8 */
	TDAT_VALUE_BYTES, /* of no known type */
	TDAT_VALUE_INTS,  /* an array of integers */
	TDAT_VALUE_BITS	  /* words of a mask, the one with the lowest bits first */
};

/* A number and the text that print fmt has for it. */
struct tdat_value_name {
	uint64_t value; /* with the sign extended to 64 bits where print fmt gives one */
	const char *text;
};

/* What the values of one field are. Only the library makes these; members are appended. */
struct tdat_field_type {
	const struct tdat_field *field;
	enum tdat_value_kind kind;
	uint8_t len;	/* bytes of a number: of the field, or of an element */
	bool is_signed; /* INT, INTS */
	bool fixed;	/* the value is the field's own bytes, as many in every record; not TEXT */
	bool hex;	/* INT, INTS: an address, or what print fmt prints in hexadecimal */
	/*
	 * INT: the table of the field's first __print_symbolic in print fmt, in its order, each
	 * value once; 0 names without one.
	 */
	const struct tdat_value_name *names;
	size_t name_count;
};

struct tdat_field_types;

/* tdat_field_types_new finds out what the fields of a format are. */
TDAT_API enum tdat_status tdat_field_types_new(struct tdat_field_types **out,
					       const struct tdat_event_format *format,
					       struct tdat_error *err);
/* tdat_field_types_free frees them. NULL is allowed. */
TDAT_API void tdat_field_types_free(struct tdat_field_types *types);

/* tdat_field_types_list gives a type for each field, in the order of tdat_event_format_fields. */
TDAT_API const struct tdat_field_type *tdat_field_types_list(const struct tdat_field_types *types,
							     size_t *count);

/*
 * tdat_field_types_bytes gives the bytes of a field's value in a record: TEXT without its NUL,
 * INTS and BITS as whole elements, of a kernel stack as many as it has. *out lies inside record,
 * and numbers in it are in the file's byte order. A field that does not lie in the record is
 * TDAT_E_DAMAGED, an index beyond the fields TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_field_types_bytes(const struct tdat_field_types *types, size_t index,
						 struct tdat_span record, struct tdat_span *out,
						 struct tdat_error *err);

TDAT_END_DECLS
#endif
