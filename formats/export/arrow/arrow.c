/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of Arrow IPC: a stream or a file (also called Feather, version 2) for each
 * table. It takes batches of tables from several threads: each table has its state
 * (arrow_table.c), bodies of messages are reused by whichever thread needs one, and options
 * decide on compression and on deltas of dictionaries. Why this is code of our own:
 * docs/decisions/004-own-arrow-ipc.md.
 */
#include <stdlib.h>

#include "arrow_table.h"
#include "export/columns/column_options.h"
#include "export/exporters.h"
#include "export/state.h"

/* ---- bodies ---- */

/* Takes a body that no table uses, or a new one: as many as threads write at once. */
static struct ipc_body *take_body(struct arrow_export *x)
{
	struct ipc_body *b = scratch_take(&x->bodies);

	if (b) {
		b->align = arrow_align(x);
		b->bytes.failed = b->scratch.failed = false;
	}
	return b;
}

/* ---- tables ---- */

static void table_free(struct arrow_table *t)
{
	for (size_t i = 0; t->dictionaries && i < t->columns.types.count; i++)
		ipc_dictionary_fini(&t->dictionaries[i]);
	free(t->dictionaries);
	free(t->batches.v);
	free(t->dictionary_batches.v);
	table_columns_fini(&t->columns);
	free(t);
}

/* table_begin: checks the schema and writes the start of the stream or file. */
static enum tdat_status arrow_table_begin(void *state, const char *name,
					  const struct ArrowSchema *schema, tdat_write_fn write,
					  void *write_ctx, void **part, struct tdat_error *err)
{
	struct arrow_table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	(void)name;
	*part = NULL;
	if (!t)
		return tdat_error_no_memory(err, "a table");
	t->export = state;
	t->write = write;
	t->write_ctx = write_ctx;
	st = table_columns_init(&t->columns, schema, "Arrow", err);
	if (st == TDAT_OK) {
		t->dictionaries = calloc(t->columns.types.count, sizeof(*t->dictionaries));
		for (size_t i = 0; t->dictionaries && i < t->columns.types.count; i++)
			ipc_dictionary_init(&t->dictionaries[i]);
		st = t->dictionaries ? arrow_table_start(t, err)
				     : tdat_error_no_memory(err, "a table");
	}
	if (st == TDAT_OK)
		*part = t;
	else
		table_free(t);
	return st;
}

/* Takes a batch: borrows a body for the time of the call. */
static enum tdat_status arrow_batch(void *part, const struct ArrowArray *rows,
				    struct tdat_error *err)
{
	struct arrow_table *t = part;
	struct ipc_body *b = take_body(t->export);
	enum tdat_status st;

	if (!b)
		return tdat_error_no_memory(err, "a table");
	st = arrow_table_batch(t, rows, b, err);
	scratch_give(&b->head);
	return st;
}

/* table_end: writes the end, unless the table gives up. */
static enum tdat_status arrow_table_end(void *part, bool give_up, struct tdat_error *err)
{
	struct arrow_table *t = part;
	struct ipc_body *b = give_up ? NULL : take_body(t->export);
	enum tdat_status st = TDAT_OK;

	if (b)
		st = arrow_table_finish(t, b, err);
	else if (!give_up)
		st = tdat_error_no_memory(err, "a table");
	if (b)
		scratch_give(&b->head);
	table_free(t);
	return st;
}

/* ---- options ---- */

static const struct tdat_keyed_option_desc arrow_options[] = {
	{"container", "file|stream", "file or stream (default: file)"},
	{"compression", "none|zstd", "compression of buffers (default: none)"},
	{"level", "N", "zstd level (default: 1)"},
	{"deltas", NULL, "in streams: write only the new entries of a dictionary that grew"},
	{NULL, NULL, NULL},
};

/* Begins an export: options, and the pool of compressors that all tables share. */
static enum tdat_status arrow_begin(void **state, const struct tdat_export_request *request,
				    struct tdat_build *head, struct tdat_error *err)
{
	static const char *const containers[] = {"file", "stream", NULL};
	struct arrow_export *x = calloc(1, sizeof(*x));
	size_t container = 0;
	enum tdat_status st;

	(void)head;
	*state = NULL;
	if (!x)
		return tdat_error_no_memory(err, "a table");
	st = export_choice(request, "container", containers, &container, err);
	x->is_file = !container;
	x->deltas = export_option(request, "deltas");
	if (st == TDAT_OK)
		st = scratch_pool_init(&x->bodies, request, false, sizeof(struct ipc_body),
				       ipc_body_fini, err);
	if (st == TDAT_OK)
		*state = x;
	else
		free(x);
	return st;
}

static enum tdat_status arrow_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct arrow_export *x = state;

	(void)tail;
	(void)err;
	scratch_pool_fini(&x->bodies);
	free(x);
	return TDAT_OK;
}

static const struct tdat_columns_ops arrow_columns = {
	.size = sizeof(struct tdat_columns_ops),
	.suffix = ".arrow",
	.table_begin = arrow_table_begin,
	.batch = arrow_batch,
	.table_end = arrow_table_end,
};

const struct tdat_exporter export_arrow = {
	.size = sizeof(struct tdat_exporter),
	.name = "arrow",
	.summary = "Arrow IPC, one file (Feather) or stream per table",
	.kind = TDAT_EXPORT_TABLES,
	.options = arrow_options,
	.begin = arrow_begin,
	.columns = &arrow_columns,
	.end = arrow_end,
	.suffixes = ".arrow .feather",
};
