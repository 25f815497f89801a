/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the columns of a table are: decided here, once, from the format of an event type and its
 * print fmt, for all who give out values of fields.
 *
 * A table of events has a variant for each format that its name stands for: of each input, and
 * in merged files several of one input. Variants share columns; each has a source for every
 * column, which says where its value comes from.
 */
#ifndef TDAT_TABLE_SCHEMA_H
#define TDAT_TABLE_SCHEMA_H

#include <tdat/event.h>

#include "column_names.h"
#include "core/search.h"
#include "core/arena.h"
#include "model/field_view.h"
#include "model/record_part.h"

/* The Arrow types that columns have. */
enum table_type {
	TABLE_BOOL,
	TABLE_INT,	/* of 1, 2, 4 or 8 bytes */
	TABLE_TIME,	/* int64 nanoseconds, or a timestamp when the clock is wall time */
	TABLE_TEXT,	/* UTF-8 */
	TABLE_NAME,	/* UTF-8, few different ones: a dictionary */
	TABLE_BYTES,	/* bytes of no known type */
	TABLE_LIST,	/* of integers */
	TABLE_LIST_NAME /* of names */
};

struct table_column {
	const char *name;
	uint32_t tries; /* the number behind this name that a column got last: "x_3"; 0: none */
	enum table_type type;
	uint8_t len;	  /* INT, LIST: bytes of a number */
	bool is_signed;	  /* INT, LIST */
	bool wall;	  /* TIME: since 1970-01-01 in UTC */
	bool may_be_null; /* TIME: there are rows without it; others may always */
	uint32_t used_by; /* while schemas are made: the last variant with it, from 1 */
	bool on_demand;	  /* given out only when its name is asked for */
	const struct tdat_field
		*field; /* of the first variant that has it; NULL: common, or a part */
	const struct record_part *part; /* NULL: a field, or common */
};

/* How the value of a column is found. */
enum table_decode {
	TABLE_D_NULL, /* the variant has no such field */
	/* of every event */
	TABLE_D_TS,
	TABLE_D_CPU,
	TABLE_D_FILE,
	TABLE_D_BUFFER,
	TABLE_D_PID,
	TABLE_D_COMM,
	TABLE_D_TGID,
	TABLE_D_FLAG, /* bit of common_flags */
	TABLE_D_PREEMPT,
	TABLE_D_MIGRATE,
	TABLE_D_LOST,
	TABLE_D_ID,
	TABLE_D_SYSTEM,
	TABLE_D_EVENT,
	TABLE_D_LINE, /* the event's text */
	/* of a field */
	TABLE_D_NUMBER,
	TABLE_D_TRUTH,
	TABLE_D_STRING,
	TABLE_D_BYTES,
	TABLE_D_ARRAY,
	TABLE_D_BITS,	   /* numbers of the bits that are set */
	TABLE_D_SYMBOL,	   /* the function at an address */
	TABLE_D_SYMBOLS,   /* the same of an array of addresses */
	TABLE_D_VIEW_NAME, /* what print fmt prints for a number */
	TABLE_D_VIEW_TEXT, /* what print fmt prints for bytes */
	/* of a record */
	TABLE_D_PART /* a value that is no field (model/record_part.h) */
};

struct table_source {
	enum table_decode decode;
	const struct tdat_field *field;
	const struct tdat_field *size_field; /* ARRAY, SYMBOLS: how many elements; or NULL */
	uint8_t elem_len;		     /* ARRAY, BITS, SYMBOLS */
	bool is_signed;			     /* NUMBER, ARRAY */
	bool to_end;			     /* ARRAY, SYMBOLS: until the record ends */
	uint32_t bit;			     /* FLAG */
	const struct model_view *view;	     /* VIEW_NAME, VIEW_TEXT */
	const struct record_part *part;	     /* PART */
	uint32_t column;		     /* of a variant's source: which column it fills */
};

/* The source of a column that a variant has nothing for. */
extern const struct table_source table_no_source;

/* A format of an event type in one input. */
struct table_variant {
	uint32_t input, id;
	const struct tdat_format *format;
	struct model_views *views; /* NULL: none */
	/*
	 * By column; those that the variant has nothing for are left out: thousands of formats may
	 * share a name, each with columns of its own.
	 */
	struct table_source *sources;
	size_t source_count;
	bool big;
};

/* Where the values of a column come from; decode is TABLE_D_NULL when the variant has none. */
static inline const struct table_source *table_variant_source(const struct table_variant *v,
							      size_t column)
{
	size_t lo;

	if (column < v->source_count && v->sources[column].column == column)
		return &v->sources[column];
	TDAT_SEARCH(lo, v->source_count, v->sources[lo].column < column);
	return lo < v->source_count && v->sources[lo].column == column ? &v->sources[lo]
								       : &table_no_source;
}

struct table_schema {
	struct tdat_arena arena; /* of names and lists */
	struct table_column *columns;
	size_t count, cap;
	struct table_variant *variants;
	size_t variant_count;
	size_t common_count; /* columns that are no fields, the first ones */
	struct table_column_names names;
};

/* What a schema is made for. */
struct table_schema_def {
	bool fields;	/* only columns of fields */
	bool events;	/* the table of all events: no fields, but system, event, text */
	bool lost;	/* the table of losses: when, where, how many */
	bool with_file; /* there are several inputs */
	bool wall;	/* their clocks count wall time */
	bool own_text;	/* found out: "text" is a part of records, not the line that dump prints */
	const struct record_part *parts; /* beside those that each format has (shapes.h) */
	size_t part_count;
};

/* A format and what its print fmt may look up. */
struct table_format {
	uint32_t input;
	const struct tdat_format *format;
	const struct model_env *env;
};

/*
 * table_schema_init makes the schema of formats that share a name (none, for the table of all
 * events). After a failure *s needs table_schema_fini, too.
 */
enum tdat_status table_schema_init(struct table_schema *s, const struct table_schema_def *of,
				   const struct table_format *formats, size_t count,
				   struct tdat_error *err);
void table_schema_fini(struct table_schema *s);

struct table_masks;
/*
 * What a field's values are, without looking at other fields. masks are the fields that print fmt
 * prints as masks.
 */
struct table_source table_field_source(const struct tdat_field *f, const struct table_masks *masks,
				       struct table_column *column);

/* Appends a column whose name is unique in s, without regard to case; NULL without memory. */
struct table_column *table_schema_add(struct table_schema *s, const char *name, bool field);

#endif
