/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes what is behind the row groups of a Parquet file: the footer with its length.
 *
 * The pair "ARROW:schema" among the footer's metadata is the table's schema as an Arrow IPC
 * message in base64. Readers that are built on Arrow take types from it that Parquet does not
 * have: dictionaries, durations, and metadata of columns. Indices of its dictionaries have 32
 * bits, because a reader may put dictionaries of several batches or row groups together.
 *
 * Source: apache/parquet-format, README.md ("File format") and parquet.thrift (FileMetaData)
 */
#include <stdlib.h>

#include "base64.h"
#include "chunk_facts.h"
#include "export/arrow/ipc_schema.h"
#include "schema.h"

/* sorting_columns: rows rise by this column, of which none is null. */
static void put_sorting(struct thrift *t, size_t column)
{
	thrift_list(t, 4, THRIFT_STRUCT, 1);
	thrift_put_struct(t);
	thrift_i32(t, 1, (int32_t)column);
	thrift_bool(t, 2, false);
	thrift_bool(t, 3, false);
	thrift_end(t);
}

/*
 * Writes one row group, whose facts start at p, with its rows and whether they are in order. *off:
 * where it starts in the file, then the end of its indexes. Returns the start of the next group's
 * facts. facts has room for each column.
 */
static const uint8_t *put_group(struct thrift *t, const struct parquet_table *table, size_t number,
				const uint8_t *p, uint64_t *off, struct chunk_facts *facts)
{
	const size_t columns = table->input.types.count;
	const uint64_t start = *off, head = varint_read(&p), rows = head >> 1;
	struct chunk_place at = {.start = start};
	uint64_t raw_len = 0, len = 0, indexes = 0;

	for (size_t i = 0; i < columns; i++) {
		p = chunk_facts_read(&facts[i], p);
		raw_len += facts[i].raw_len;
		len += facts[i].dictionary_len + facts[i].data_len;
		indexes += facts[i].column_index;
	}
	/* Behind the columns' data come all column indexes, then all offset indexes. */
	at.column_index = start + len;
	at.offset_index = at.column_index + indexes;
	thrift_put_struct(t);
	thrift_list(t, 1, THRIFT_STRUCT, columns);
	for (size_t i = 0; i < columns; i++) {
		chunk_facts_put(t, &table->columns[i], &facts[i], &at);
		at.start += facts[i].dictionary_len + facts[i].data_len;
		at.column_index += facts[i].column_index;
		at.offset_index += facts[i].offset_index;
	}
	thrift_i64(t, 2, (int64_t)raw_len);
	thrift_i64(t, 3, (int64_t)rows);
	if (head & 1)
		put_sorting(t, table->sorted);
	thrift_i64(t, 5, (int64_t)start);
	thrift_i64(t, 6, (int64_t)len);
	/* The ordinal is 16 bits wide, and optional. */
	if (number <= INT16_MAX)
		thrift_i16(t, 7, (int16_t)number);
	thrift_end(t);
	*off = at.offset_index;
	return p;
}

/* Writes all row groups; their facts are read back from the file. */
static enum tdat_status put_groups(struct thrift *t, const struct parquet_table *table,
				   struct tdat_error *err)
{
	struct chunk_facts *facts = calloc(table->input.types.count, sizeof(*facts));
	struct group_facts_reader r;
	enum tdat_status st =
		facts ? group_facts_open(&r, &table->groups, err) : column_no_memory(err);
	uint64_t off = PARQUET_HEAD_LEN;

	if (st == TDAT_OK) {
		thrift_list(t, 4, THRIFT_STRUCT, table->groups.group_count);
		for (size_t i = 0; group_facts_next(&r, &off, &st, err); i++)
			r.at = put_group(t, table, i, r.at, &off, facts);
		group_facts_close(&r);
	}
	free(facts);
	return st;
}

/* Writes the table's metadata and the Arrow schema. arrow: the IPC message; base64: scratch. */
static void put_metadata(struct thrift *t, const struct parquet_table *table,
			 const struct tdat_build *arrow, struct tdat_build *base64)
{
	struct metadata_reader r = metadata_read(&table->input.types.metadata);
	struct tdat_span key, value;

	base64_put(base64, arrow->ptr, arrow->len);
	thrift_list(t, 5, THRIFT_STRUCT, (size_t)r.left + 1);
	while (metadata_next(&r, &key, &value))
		thrift_put_pair(t, key, value);
	thrift_put_pair(t,
			(struct tdat_span){(const uint8_t *)PARQUET_ARROW_KEY,
					   sizeof(PARQUET_ARROW_KEY) - 1},
			(struct tdat_span){base64->ptr, base64->len});
}

/* Writes FileMetaData: version 2 of the format, schema, rows, row groups, metadata, creator. */
static enum tdat_status put_footer(struct tdat_build *out, const struct parquet_table *table,
				   const struct tdat_build *arrow, struct tdat_build *base64,
				   struct tdat_error *err)
{
	struct thrift t = thrift_open(out);
	size_t leaves = table->input.types.count;
	enum tdat_status st;

	thrift_i32(&t, 1, 2);
	schema_put(&t, table);
	thrift_i64(&t, 3, (int64_t)table->rows);
	st = put_groups(&t, table, err);
	put_metadata(&t, table, arrow, base64);
	base64->len = 0;
	tdat_build_printf(base64, "tdat version %s", tdat_version());
	thrift_binary(&t, 6, base64->ptr, base64->len);
	thrift_list(&t, 7, THRIFT_STRUCT, leaves);
	for (; leaves; leaves--) {
		thrift_put_struct(&t);
		thrift_empty(&t, 1); /* order of values that the type defines */
		thrift_end(&t);
	}
	thrift_end(&t);
	return st;
}

/* Writes the footer, its length and the magic number at the file's end. */
enum tdat_status footer_write(struct parquet_table *t, struct tdat_error *err)
{
	struct tdat_build out, arrow, base64;
	enum tdat_status st;

	tdat_build_init(&out, false);
	tdat_build_init(&arrow, false);
	tdat_build_init(&base64, false);
	ipc_schema_message(&arrow, &t->input.types, true, 8);
	st = put_footer(&out, t, &arrow, &base64, err);
	if (st == TDAT_OK && (out.failed || arrow.failed || base64.failed))
		st = column_no_memory(err);
	else if (st == TDAT_OK && out.len > INT32_MAX)
		st = tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				    "the footer has %zu bytes, but Parquet allows at most %d",
				    out.len, INT32_MAX);
	if (st == TDAT_OK) {
		tdat_build_u32(&out, (uint32_t)out.len);
		tdat_build_bytes(&out, "PAR1", 4);
		st = out.failed ? column_no_memory(err) : table_write(t, out.ptr, out.len, err);
	}
	tdat_build_fini(&out);
	tdat_build_fini(&arrow);
	tdat_build_fini(&base64);
	return st;
}
