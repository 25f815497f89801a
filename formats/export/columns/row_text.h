/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables as lines of text, one for each row: what the exporters jsonl and csv share. */
#ifndef EXPORT_ROW_TEXT_H
#define EXPORT_ROW_TEXT_H

#include <tdat/export.h>

#include "core/build.h"
#include "table_columns.h"

/* How a table looks as text. ctx is the state of the exporter. */
struct row_style {
	const char *what; /* the format's name in sentences: "CSV" */
	/* What stands before the first row; NULL: nothing. */
	void (*head)(struct tdat_build *out, const struct column_types *types);
	/* What stands before each value of column i; it is made once. */
	void (*before)(struct tdat_build *out, const struct column_type *type, size_t i);
	/* A value that is not null; view is needed for the items of a list. */
	void (*value)(struct tdat_build *out, const void *ctx, const struct column_type *type,
		      const struct array_view *view, const struct cell *value);
	const char *null;    /* what a null is */
	const char *row_end; /* what stands behind the last value */
};

/* The state of an exporter of rows: the options, which csv has none of. */
struct row_export {
	bool hex, strings;
};

/* As tdat_exporter has it; the state is freed by export_end_free. */
enum tdat_status row_export_begin(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err);

/* As tdat_columns_ops have them, but that the exporter says its style. */
enum tdat_status row_table_begin(void **part, const struct row_style *style, const void *ctx,
				 const struct ArrowSchema *schema, tdat_write_fn write,
				 void *write_ctx, struct tdat_error *err);
enum tdat_status row_table_batch(void *part, const struct ArrowArray *rows, struct tdat_error *err);
enum tdat_status row_table_end(void *part, bool give_up, struct tdat_error *err);

/*
 * The shortest decimal number that is read back as these bits of a double; of those that are
 * no numbers one of the three names, of NaN, infinity and its negative.
 */
void row_text_double(struct tdat_build *out, uint64_t bits, const char *const names[3]);

/* A list as JSON: the items in brackets; 64-bit numbers as they are. */
void row_text_json_list(struct tdat_build *out, const struct column_type *type,
			const struct array_view *view, const struct cell *list);

/* A value as JSON, which is no list. */
void row_text_json_value(struct tdat_build *out, const struct column_type *type,
			 const struct cell *value);

#endif
