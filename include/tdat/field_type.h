/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Types of an event's fields, derived from the C types in the format file and from the print fmt.
 * Columns of tables (tdat/table.h) have the same types. docs/tables.md defines the types.
 *
 * Threads: a struct tdat_field_types never changes. Several threads may use it at the same time.
 *
 * Owners: the caller frees it before it closes the file of its format.
 */
#ifndef TDAT_FIELD_TYPE_H
#define TDAT_FIELD_TYPE_H

#include <tdat/event.h>

TDAT_BEGIN_DECLS

enum tdat_value_kind {
	TDAT_VALUE_INT,	  /* an integer of 1, 2, 4 or 8 bytes */
	TDAT_VALUE_BOOL,  /* one byte, 0 is false */
	TDAT_VALUE_TEXT,  /* up to the first NUL; may be invalid UTF-8 */
	TDAT_VALUE_BYTES, /* bytes of unknown type */
	TDAT_VALUE_INTS,  /* an array of integers */
	TDAT_VALUE_BITS	  /* words of a bit mask, the lowest bits first */
};

/* A number, and the name that the print fmt prints for it. */
struct tdat_value_name {
	uint64_t value; /* sign-extended to 64 bits if the print fmt has a sign */
	const char *text;
};

/* The type of a field. Only the library creates these structs; later versions append members. */
struct tdat_field_type {
	const struct tdat_field *field;
	enum tdat_value_kind kind;
	uint8_t len;	/* bytes of the field's number, or of an array element */
	bool is_signed; /* INT, INTS */
	bool fixed;	/* the value is the field's own bytes, of constant length; not TEXT */
	bool hex;	/* INT, INTS: an address, or printed in hexadecimal by the print fmt */
	/*
	 * INT: the numbers and names in the first __print_symbolic of the field in the print fmt,
	 * in the same order, each number once. name_count 0: none.
	 */
	const struct tdat_value_name *names;
	size_t name_count;
};

struct tdat_field_types;

/* tdat_field_types_new determines the types of a format's fields. */
TDAT_API enum tdat_status tdat_field_types_new(struct tdat_field_types **out,
					       const struct tdat_event_format *format,
					       struct tdat_error *err);
/* tdat_field_types_free frees the types. NULL is allowed. */
TDAT_API void tdat_field_types_free(struct tdat_field_types *types);

/* tdat_field_types_list returns a type for each field, in the order of tdat_event_format_fields. */
TDAT_API const struct tdat_field_type *tdat_field_types_list(const struct tdat_field_types *types,
							     size_t *count);

/*
 * tdat_field_types_bytes sets *out to the bytes of a field's value. They lie inside record. A TEXT
 * does not include its NUL, INTS and BITS consist of whole elements, and a kernel stack has only
 * the elements that are used. Numbers have the file's byte order. A field outside the record is
 * TDAT_E_DAMAGED, an index after the last field TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_field_types_bytes(const struct tdat_field_types *types, size_t index,
						 struct tdat_span record, struct tdat_span *out,
						 struct tdat_error *err);

TDAT_END_DECLS
#endif
