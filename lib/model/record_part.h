/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares values that records of some events have without a field for each: the arguments of
 * trace_printk(), and what EventHeader events say of themselves. They are columns of tables.
 */
#ifndef TDAT_MODEL_RECORD_PART_H
#define TDAT_MODEL_RECORD_PART_H

#include "core/build.h"
#include "format.h"

struct event_header_shape;
struct model_scratch;
struct prog_env;

enum record_part_type {
	RECORD_PART_TEXT,
	RECORD_PART_JSON, /* text, which is JSON */
	RECORD_PART_BYTES,
	RECORD_PART_INT, /* text: a number */
	RECORD_PART_BOOL /* text: true or false */
};

struct record_part;

struct record_part_in {
	const struct record_part *part;
	const struct tdat_event_format *format;
	const struct prog_env *env;
	struct tdat_span record;
	struct model_scratch *scratch;
	size_t text_most; /* limit print_len of the record's text */
};

struct record_part {
	const char *column; /* takes the place of a field of that name */
	enum record_part_type type;
	/* Appends the value; false: the record has none. */
	bool (*put)(const struct record_part_in *in, struct tdat_build *out);
	const struct event_header_shape *shape; /* of a part that is its field number field */
	size_t field;
	uint8_t len;	/* INT: bytes of a number */
	bool is_signed; /* INT */
};

/* The parts of records of a format, *count of them. */
const struct record_part *record_parts(const struct tdat_event_format *format, size_t *count);

/* A field of EventHeader events whose records all have the shape: a value of one type. */
struct record_part record_part_of_shape(const struct event_header_shape *shape, size_t field,
					const char *column);

#endif
