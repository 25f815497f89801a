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

#include "column.h"
#include "core/map.h"
#include "core/search.h"
#include "core/arena.h"

/* A format of an event type in one input. */
struct table_variant {
	uint32_t input, id;
	const struct tdat_event_format *format;
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
	size_t common_count;   /* columns that are no fields, the first ones */
	struct tdat_map names; /* columns, by name */
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
	const struct tdat_event_format *format;
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

#endif
