/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One column of a table, and where its values come from. */
#ifndef TDAT_TABLE_COLUMN_H
#define TDAT_TABLE_COLUMN_H

#include <tdat/event.h>

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

/* Whether the values of a number of len bytes are all values of the column. */
static inline bool table_int_holds(const struct table_column *c, uint8_t len, bool is_signed)
{
	if (c->is_signed == is_signed)
		return c->len >= len;
	return c->is_signed && c->len > len;
}

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

#endif
