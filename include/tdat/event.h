/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event formats, the fields of a format, and the values of fields in a record.
 *
 * A format is the parsed text of a tracefs "format" file. Formats, their fields and their strings
 * belong to their tdat_file and live until it is closed. Source: "Event formats" in
 * Documentation/trace/events.rst of Linux.
 *
 * Threads: a format is parsed on first use and never changes afterwards. Several threads may call
 * all functions of this header at the same time with the same format.
 */
#ifndef TDAT_EVENT_H
#define TDAT_EVENT_H

#include <tdat/error.h>

TDAT_BEGIN_DECLS

struct tdat_event_format;

enum tdat_field_flags {
	TDAT_FIELD_SIGNED = 1u << 0,   /* "signed:1" or a signed type */
	TDAT_FIELD_ARRAY = 1u << 1,    /* type name[n], static or dynamic */
	TDAT_FIELD_DYNAMIC = 1u << 2,  /* __data_loc: u32 of offset and length */
	TDAT_FIELD_RELATIVE = 1u << 3, /* __rel_loc: the same, from the field's end */
	TDAT_FIELD_STRING = 1u << 4,   /* array of char */
	TDAT_FIELD_POINTER = 1u << 5,  /* the type contains a '*' */
	TDAT_FIELD_LONG = 1u << 6,     /* the type is a long, or has the size of one */
	TDAT_FIELD_COMMON = 1u << 7,   /* a common_* field, before the blank line */
	TDAT_FIELD_FLEXIBLE = 1u << 8  /* size 0, "type name[]": runs to the record's end */
};

/* A field of a format. Only the library creates these structs; later versions append members. */
struct tdat_field {
	const char *name;			/* "next_comm" */
	const char *type;			/* "char", "unsigned long", "__data_loc char[]" */
	uint32_t off;				/* bytes from the start of the record */
	uint32_t len;				/* bytes in the record */
	uint32_t elem_len;			/* bytes of one array element, else len */
	uint32_t array_count;			/* elements of a static array, else 0 */
	uint32_t flags;				/* enum tdat_field_flags */
	const struct tdat_event_format *format; /* the field's format */
};

/* tdat_event_format_id returns the value of common_type in the event's records. */
TDAT_API uint32_t tdat_event_format_id(const struct tdat_event_format *format);
/*
 * tdat_event_format_name returns the event's name, "sched_switch"; tdat_event_format_system its
 * system, "sched".
 */
TDAT_API const char *tdat_event_format_name(const struct tdat_event_format *format);
TDAT_API const char *tdat_event_format_system(const struct tdat_event_format *format);

/* tdat_event_format_print_fmt returns the text after "print fmt: ", or "" if there is none. */
TDAT_API const char *tdat_event_format_print_fmt(const struct tdat_event_format *format);

/* tdat_event_format_fields returns *count fields in file order, common fields first. */
TDAT_API const struct tdat_field *tdat_event_format_fields(const struct tdat_event_format *format,
							   size_t *count);

/* tdat_event_format_field finds a field by name (including common fields), or returns NULL. */
TDAT_API const struct tdat_field *tdat_event_format_field(const struct tdat_event_format *format,
							  const char *name);

/*
 * tdat_field_u64 and tdat_field_i64 read an integer field of 1, 2, 4 or 8 bytes. tdat_field_i64
 * extends the sign of a signed field. A field outside the record is TDAT_E_DAMAGED. A field of
 * another size is TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_field_u64(const struct tdat_field *field, struct tdat_span record,
					 uint64_t *out, struct tdat_error *err);
TDAT_API enum tdat_status tdat_field_i64(const struct tdat_field *field, struct tdat_span record,
					 int64_t *out, struct tdat_error *err);

/*
 * tdat_field_bytes sets *out to the bytes of a field's value. They lie inside record. If the field
 * is __data_loc or __rel_loc, they are the array to which it points. If the field is a flexible
 * array, they are the rest of the record. Otherwise they are the bytes of the field. A field that
 * points outside the record is TDAT_E_DAMAGED.
 */
TDAT_API enum tdat_status tdat_field_bytes(const struct tdat_field *field, struct tdat_span record,
					   struct tdat_span *out, struct tdat_error *err);

/* tdat_field_string is like tdat_field_bytes, but *out ends before the first NUL byte. */
TDAT_API enum tdat_status tdat_field_string(const struct tdat_field *field, struct tdat_span record,
					    struct tdat_span *out, struct tdat_error *err);

/*
 * tdat_field_elem reads element index (from 0) of a static or dynamic integer array. An index
 * outside the array or the record is an error, as in tdat_field_u64.
 */
TDAT_API enum tdat_status tdat_field_elem(const struct tdat_field *field, struct tdat_span record,
					  size_t index, uint64_t *out, struct tdat_error *err);

TDAT_END_DECLS
#endif
