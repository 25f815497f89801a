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

/*
 * Takes a body from the idle ones, or makes one. There is one for each thread at work, not for each
 * table.
 */
static struct arrow_body *take_body(struct arrow_export *x)
{
	struct arrow_body *b;

	pthread_mutex_lock(&x->lock);
	b = x->idle;
	if (b)
		x->idle = b->next;
	pthread_mutex_unlock(&x->lock);
	if (b)
		return b;
	b = calloc(1, sizeof(*b));
	if (b)
		ipc_body_init(&b->body, x->compress ? &x->zstd : NULL, arrow_align(x));
	return b;
}

static void free_body(struct arrow_body *b)
{
	ipc_body_fini(&b->body);
	free(b);
}

/* Returns a body for others to use. One that ran out of memory is freed, as its flag stays set. */
static void give_back(struct arrow_export *x, struct arrow_body *b)
{
	if (b->body.bytes.failed || b->body.scratch.failed) {
		free_body(b);
		return;
	}
	pthread_mutex_lock(&x->lock);
	b->next = x->idle;
	x->idle = b;
	pthread_mutex_unlock(&x->lock);
}

/* ---- tables ---- */

/* Frees a table; it may be half made. */
static void table_free(struct arrow_table *t)
{
	for (size_t i = 0; t->dictionaries && i < t->types.count; i++)
		ipc_dictionary_fini(&t->dictionaries[i]);
	free(t->dictionaries);
	free(t->views);
	free(t->batches.v);
	free(t->dictionary_batches.v);
	column_types_fini(&t->types);
	free(t);
}

/* table_begin: checks the schema and writes the start of the stream or file. */
static enum tdat_status arrow_table_begin(void *state, const char *name,
					  const struct ArrowSchema *schema, tdat_write_fn write,
					  void *write_ctx, void **part, struct tdat_error *err)
{
	struct arrow_table *t = calloc(1, sizeof(*t));
	enum tdat_status st = t ? column_types_init(&t->types, schema, "Arrow", err)
				: tdat_error_no_memory(err, "a table");

	(void)name;
	*part = NULL;
	if (st != TDAT_OK) {
		free(t);
		return st;
	}
	t->export = state;
	t->write = write;
	t->write_ctx = write_ctx;
	t->views = calloc(t->types.count, sizeof(*t->views));
	t->dictionaries = calloc(t->types.count, sizeof(*t->dictionaries));
	for (size_t i = 0; t->dictionaries && i < t->types.count; i++)
		ipc_dictionary_init(&t->dictionaries[i]);
	st = t->views && t->dictionaries ? arrow_table_start(t, err)
					 : tdat_error_no_memory(err, "a table");
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
	struct arrow_body *b = take_body(t->export);
	enum tdat_status st;

	if (!b)
		return tdat_error_no_memory(err, "a table");
	st = arrow_table_batch(t, rows, &b->body, err);
	give_back(t->export, b);
	return st;
}

/* table_end: writes the end, unless the table gives up. */
static enum tdat_status arrow_table_end(void *part, bool give_up, struct tdat_error *err)
{
	struct arrow_table *t = part;
	struct arrow_body *b = give_up ? NULL : take_body(t->export);
	enum tdat_status st = TDAT_OK;

	if (b)
		st = arrow_table_finish(t, &b->body, err);
	else if (!give_up)
		st = tdat_error_no_memory(err, "a table");
	if (b)
		give_back(t->export, b);
	table_free(t);
	return st;
}

/* ---- options ---- */

static const struct tdat_keyed_option_desc arrow_options[] = {
	{"container", "file|stream", "a file, or a stream, which needs no end; file if not told"},
	{"compression", "none|zstd", "how buffers are compressed; none if not told"},
	{"level", "N", "level of zstd; 1 if not told"},
	{"deltas", NULL, "in streams: only the new entries of a dictionary that grew"},
	{NULL, NULL, NULL},
};

/* Reads the options; what is not given has the default of the help text. */
static enum tdat_status read_options(struct arrow_export *x, const struct tdat_export_request *r,
				     int64_t *level, struct tdat_error *err)
{
	static const char *const containers[] = {"file", "stream", NULL};
	static const char *const codecs[] = {"none", "zstd", NULL};
	size_t container = 0, codec = 0;
	enum tdat_status st = export_choice(r, "container", containers, &container, err);

	if (st == TDAT_OK)
		st = export_choice(r, "compression", codecs, &codec, err);
	*level = 1;
	if (st == TDAT_OK)
		st = export_number(r, "level", zstd_pool_least(), zstd_pool_most(), level, err);
	x->is_file = container == 0;
	x->compress = codec == 1;
	x->deltas = export_option(r, "deltas");
	return st;
}

/* Begins an export: options, and the pool of compressors that all tables share. */
static enum tdat_status arrow_begin(void **state, const struct tdat_export_request *request,
				    struct tdat_build *head, struct tdat_error *err)
{
	struct arrow_export *x = calloc(1, sizeof(*x));
	int64_t level = 0;
	enum tdat_status st =
		x ? read_options(x, request, &level, err) : tdat_error_no_memory(err, "a table");
	int rc;

	(void)head;
	*state = NULL;
	if (st == TDAT_OK)
		st = zstd_pool_init(&x->zstd, (int)level, err);
	if (st != TDAT_OK) {
		free(x);
		return st;
	}
	rc = pthread_mutex_init(&x->lock, NULL);
	if (rc) {
		zstd_pool_fini(&x->zstd);
		free(x);
		return tdat_error_set_errno(err, rc, "cannot make a lock");
	}
	*state = x;
	return TDAT_OK;
}

static enum tdat_status arrow_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct arrow_export *x = state;

	(void)tail;
	(void)err;
	while (x->idle) {
		struct arrow_body *b = x->idle;

		x->idle = b->next;
		free_body(b);
	}
	pthread_mutex_destroy(&x->lock);
	zstd_pool_fini(&x->zstd);
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
	.summary = "Arrow IPC, a file (Feather) or a stream for each table",
	.kind = TDAT_EXPORT_TABLES,
	.options = arrow_options,
	.begin = arrow_begin,
	.columns = &arrow_columns,
	.end = arrow_end,
};
