/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes one table as Arrow IPC: the schema, dictionaries and record batches, and the end. A
 * stream has a schema and then, for each batch, dictionaries that changed and the rows. A file
 * has its dictionaries behind the last batch and a footer with the place of every block. Called
 * by arrow.c, for one table by one thread at a time.
 */
#include "arrow_table.h"

#include "core/grow.h"

/* Magic number at the start and the end of a file. */
static const char magic[] = "ARROW1";
enum { MAGIC_LEN = sizeof(magic) - 1 };

/* Writes bytes of the table; off counts them, since blocks need their places. */
static enum tdat_status put(struct arrow_table *t, const void *p, size_t len,
			    struct tdat_error *err)
{
	t->off += len;
	return len ? t->write(t->write_ctx, p, len, err) : TDAT_OK;
}

static enum tdat_status put_build(struct arrow_table *t, const struct tdat_build *b,
				  struct tdat_error *err)
{
	return b->failed ? tdat_error_no_memory(err, "a table") : put(t, b->ptr, b->len, err);
}

/* ---- messages ---- */

/* Keeps the place of a block for the footer. */
static enum tdat_status keep_block(struct ipc_blocks *blocks, const struct ipc_block *block,
				   struct tdat_error *err)
{
	if (!TDAT_GROW(blocks->v, &blocks->cap, blocks->count + 1))
		return tdat_error_no_memory(err, "a table");
	blocks->v[blocks->count++] = *block;
	return TDAT_OK;
}

/* Writes a message with its body. A file keeps its place in blocks. */
static enum tdat_status put_message(struct arrow_table *t, struct flat *f, enum ipc_header type,
				    flat_ref header, const struct ipc_body *body,
				    struct ipc_blocks *blocks, struct tdat_error *err)
{
	struct ipc_block block = {.off = t->off, .body_len = body->bytes.len};
	struct tdat_build out;
	enum tdat_status st;

	tdat_build_init(&out, false);
	ipc_message(f, type, header, body->bytes.len, body->align, &out);
	block.meta_len = (uint32_t)out.len;
	st = put_build(t, &out, err);
	tdat_build_fini(&out);
	if (st == TDAT_OK)
		st = put_build(t, &body->bytes, err);
	if (st == TDAT_OK && t->export->is_file)
		st = keep_block(blocks, &block, err);
	return st;
}

/* Writes the dictionary of a column, or the entries behind those that the reader has (delta). */
static enum tdat_status put_dictionary(struct arrow_table *t, const struct ipc_body *body,
				       size_t column, size_t count, bool delta,
				       struct tdat_error *err)
{
	struct flat f;
	flat_ref header;
	enum tdat_status st;

	flat_init(&f);
	header = ipc_dictionary_batch(&f, body, column, count, delta);
	st = put_message(t, &f, IPC_DICTIONARY_BATCH, header, body, &t->dictionary_batches, err);
	flat_fini(&f);
	return st;
}

/* Writes the magic number of a file, filled up to the alignment, and the schema. */
enum tdat_status arrow_table_start(struct arrow_table *t, struct tdat_error *err)
{
	const size_t align = arrow_align(t->export);
	struct tdat_build out;
	enum tdat_status st;

	tdat_build_init(&out, false);
	if (t->export->is_file) {
		tdat_build_bytes(&out, magic, MAGIC_LEN);
		tdat_build_fill(&out, 0, align - MAGIC_LEN % align);
	}
	ipc_schema_message(&out, &t->columns.types, t->export->is_file, align);
	st = put_build(t, &out, err);
	tdat_build_fini(&out);
	return st;
}

/* ---- batches ---- */

/* Sends what is new in the dictionary of a batch: nothing, a delta or a replacement. */
static enum tdat_status stream_dictionary(struct arrow_table *t, size_t column,
					  struct ipc_body *body, struct tdat_error *err)
{
	struct ipc_dictionary *d = &t->dictionaries[column];
	enum ipc_dictionary_news news;
	size_t first, count;
	enum tdat_status st =
		ipc_dictionary_stream(d, &t->columns.views[column], &news, &first, err);

	if (st != TDAT_OK || news == DICTIONARY_SAME)
		return st;
	/* Not all readers take deltas, so they are an option. */
	if (news == DICTIONARY_GREW && !t->export->deltas)
		first = 0;
	ipc_body_clear(body);
	st = ipc_dictionary_body(d, first, body, &count, err);
	return st == TDAT_OK ? put_dictionary(t, body, column, count, first > 0, err) : st;
}

/*
 * Prepares the dictionaries of a batch: sent now in a stream, collected for the end in a file,
 * which allows each dictionary only once.
 */
static enum tdat_status take_dictionaries(struct arrow_table *t, struct ipc_body *body,
					  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < t->columns.types.count; i++) {
		if (!t->columns.types.v[i].index_width)
			continue;
		st = t->export->is_file
			     ? ipc_dictionary_collect(&t->dictionaries[i], &t->columns.types.v[i],
						      &t->columns.views[i], err)
			     : stream_dictionary(t, i, body, err);
	}
	return st;
}

/* Writes one batch. body: room for it, of the calling thread. */
enum tdat_status arrow_table_batch(struct arrow_table *t, const struct ArrowArray *rows,
				   struct ipc_body *body, struct tdat_error *err)
{
	enum tdat_status st = table_columns_views(&t->columns, rows, err);
	struct flat f;
	flat_ref header;
	size_t i;

	if (st == TDAT_OK)
		st = take_dictionaries(t, body, err);
	/* Sending a dictionary used the same body. */
	ipc_body_clear(body);
	for (i = 0; st == TDAT_OK && i < t->columns.types.count; i++)
		st = ipc_body_column(body, &t->columns.types.v[i], &t->columns.views[i],
				     t->export->is_file ? t->dictionaries[i].map : NULL, err);
	if (st != TDAT_OK)
		return st;
	flat_init(&f);
	header = ipc_record_batch(&f, body, (uint64_t)rows->length);
	st = put_message(t, &f, IPC_RECORD_BATCH, header, body, &t->batches, err);
	flat_fini(&f);
	return st;
}

/* ---- the end ---- */

/* Writes the collected dictionaries of a file. */
static enum tdat_status put_dictionaries(struct arrow_table *t, struct ipc_body *body,
					 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t count;

	for (size_t i = 0; st == TDAT_OK && i < t->columns.types.count; i++) {
		if (!t->columns.types.v[i].index_width)
			continue;
		ipc_body_clear(body);
		st = ipc_dictionary_all(&t->dictionaries[i], body, &count, err);
		if (st == TDAT_OK)
			st = put_dictionary(t, body, i, count, false, err);
	}
	return st;
}

/* Vector of structs Block; FlatBuffers are built from their end, so members come last first. */
static flat_ref block_vector(struct flat *f, const struct ipc_blocks *blocks)
{
	flat_structs_begin(f, blocks->count * 24, 8);
	for (size_t i = blocks->count; i-- > 0;) {
		flat_i64(f, (int64_t)blocks->v[i].body_len);
		flat_i32(f, 0); /* a gap of the struct */
		flat_i32(f, (int32_t)blocks->v[i].meta_len);
		flat_i64(f, (int64_t)blocks->v[i].off);
	}
	return flat_structs_end(f, blocks->count);
}

/* Writes the footer of a file: schema and blocks, its length and the magic number. */
static enum tdat_status put_footer(struct arrow_table *t, struct tdat_error *err)
{
	struct tdat_build out;
	flat_ref schema, dictionaries, batches, footer;
	struct flat f;
	enum tdat_status st;

	flat_init(&f);
	tdat_build_init(&out, false);
	schema = ipc_schema(&f, &t->columns.types, true);
	dictionaries = block_vector(&f, &t->dictionary_batches);
	batches = block_vector(&f, &t->batches);
	flat_table(&f);
	flat_field_ref(&f, 1, schema);
	flat_field_ref(&f, 2, dictionaries);
	flat_field_ref(&f, 3, batches);
	flat_field_i16(&f, 0, IPC_METADATA_V5);
	footer = flat_table_end(&f);
	flat_finish(&f, footer, &out);
	tdat_build_u32(&out, (uint32_t)out.len);
	tdat_build_bytes(&out, magic, MAGIC_LEN);
	st = put_build(t, &out, err);
	tdat_build_fini(&out);
	flat_fini(&f);
	return st;
}

/* Writes the end: dictionaries and footer for a file, the end of the stream for both. */
enum tdat_status arrow_table_finish(struct arrow_table *t, struct ipc_body *body,
				    struct tdat_error *err)
{
	/* The mark of a message, and the length 0. */
	static const uint8_t end[8] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};
	enum tdat_status st = TDAT_OK;

	if (t->export->is_file)
		st = put_dictionaries(t, body, err);
	if (st == TDAT_OK)
		st = put(t, end, sizeof(end), err);
	if (st == TDAT_OK && t->export->is_file)
		st = put_footer(t, err);
	return st;
}
