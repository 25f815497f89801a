/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the decoding of EventHeader events: user_events of programs that use
 * microsoft/LinuxTracepoints or .NET, many events to one type. Behind the eight bytes of a header,
 * which are the type's fields, each record may say its name, the fields that it has, and to which
 * activity it belongs; then come the values (libeventheader-tracepoint/include/eventheader/
 * eventheader.h in that repository).
 */
#ifndef TDAT_MODEL_EVENT_HEADER_H
#define TDAT_MODEL_EVENT_HEADER_H

#include "core/build.h"
#include "format.h"

struct event_header {
	bool big;			    /* byte order of all behind the header */
	bool described;			    /* the record says its name and fields */
	struct tdat_span name;		    /* without attributes */
	struct tdat_span definitions;	    /* of the fields */
	struct tdat_span activity, related; /* 16 bytes each, or empty */
	struct tdat_span values;	    /* to the end of the record */
};

/* Whether records of the format have the header: its fields say so, whatever records hold. */
bool event_header_is(const struct tdat_event_format *format);

/* Takes a record apart; false: its header or what follows it contradicts its length. */
bool event_header_read(const struct tdat_event_format *format, struct tdat_span record,
		       struct event_header *out);

/*
 * Appends the fields as a JSON object. Those from the first on that cannot be decoded, or that
 * would make the text longer than most, are left out. The result is the bytes of their values;
 * less than 4 behind the last field align the record, and are none.
 */
struct tdat_span event_header_put_fields(const struct event_header *h, size_t most,
					 struct tdat_build *out);

/* The type that all values of a field have: TEXT is that of all that is no number. */
enum event_header_kind { EVENT_HEADER_INT, EVENT_HEADER_BOOL, EVENT_HEADER_TEXT };

/* A field that is neither array nor struct. */
struct event_header_field {
	struct tdat_span name; /* without attributes */
	uint8_t encoding, format;
	enum event_header_kind kind;
	uint8_t len;	/* INT, BOOL: bytes of a value */
	bool is_signed; /* INT, and BOOL as an integer */
};

/* More fields have no place in a shape. */
enum { EVENT_HEADER_MOST_FIELDS = 128 };

/* What records of one shape have alike. */
struct event_header_shape {
	struct tdat_span name, definitions;
	struct event_header_field fields[EVENT_HEADER_MOST_FIELDS];
	size_t count;
};

/*
 * Fills the fields of a shape from its definitions, which they point into; false: one is an array
 * or a struct, has a name twice or an unknown encoding, or there are too many. names is changed.
 */
bool event_header_shape_read(struct event_header_shape *shape, bool big, struct tdat_build *names);

/* Whether a record has the shape's name and definitions. */
bool event_header_has_shape(const struct event_header *h, const struct event_header_shape *shape);

/*
 * Appends the value of field number at of a record of the shape: text as it is, all else as JSON.
 * False: it is cut, or null.
 */
bool event_header_put_one(const struct event_header *h, const struct event_header_shape *shape,
			  size_t at, struct tdat_build *out);

/* event_header_value.c: appends values as JSON. */

/* A value of one of the encodings that are no struct; false: the payload is cut, or no such. */
struct tdat_cursor;
bool event_header_put_value(struct tdat_cursor *values, uint8_t encoding, uint8_t format,
			    bool plain, struct tdat_build *out);
/* The same, but text as it is, without quotes; also false: the value is null. */
bool event_header_put_plain(struct tdat_cursor *values, uint8_t encoding, uint8_t format,
			    struct tdat_build *out);
/* Takes the bytes of one, without its length or end. */
bool event_header_take_value(struct tdat_cursor *values, uint8_t encoding, struct tdat_span *bytes);
/* Fills kind, len and is_signed from encoding and format; false: no such encoding. */
bool event_header_find_kind(struct event_header_field *f);

#endif
