/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what the footer says of column chunks, and writes it.
 *
 * A table of thousands that share memory has many small row groups. In the footer, the
 * facts of a chunk take some 120 bytes, mostly the column's name and offsets; here 25.
 *
 * Source: apache/parquet-format, parquet.thrift (ColumnChunk, ColumnMetaData, Statistics)
 */
#include "chunk_facts.h"

/* Collects the facts of a column chunk, when its last page is complete. */
void chunk_facts_of(struct chunk_facts *f, const struct column *c)
{
	*f = (struct chunk_facts){.encodings = c->encodings | 1u << PARQUET_RLE |
					       (c->dictionary_used ? 1u << PARQUET_PLAIN : 0),
				  .codec = c->codec,
				  .slots = c->chunk_slots,
				  .nulls = c->chunk_nulls,
				  .raw_len = c->raw_len,
				  .data_len = c->pages.len};
	/* Bounds of pages without values are undefined and left out. */
	for (size_t i = 0, with_values = 0; i < c->record_count; i++)
		if (c->records[i].nulls < c->records[i].slots)
			range_add(&f->range, &c->records[i].range, !with_values++);
}

/* ---- in few bytes ---- */

/* Bits of the byte that says what follows. */
enum { HAS_MIN = 1, HAS_MAX = 2, MIN_EXACT = 4, MAX_EXACT = 8, COMPRESSED = 16 };

/* Keeps a bound; its length is at most 255. */
static void keep_bound(struct tdat_build *out, const struct bound *b)
{
	tdat_build_u8(out, b->len);
	tdat_build_bytes(out, b->bytes, b->len);
}

/* Appends the facts in few bytes; chunk_facts_read() must read in the same order. */
void chunk_facts_keep(struct tdat_build *out, const struct chunk_facts *f)
{
	const struct value_range *r = &f->range;

	tdat_build_u8(out,
		      (uint8_t)((r->has_min ? HAS_MIN : 0) | (r->has_max ? HAS_MAX : 0) |
				(r->min.exact ? MIN_EXACT : 0) | (r->max.exact ? MAX_EXACT : 0) |
				(f->codec == PARQUET_ZSTD ? COMPRESSED : 0)));
	varint_put(out, f->encodings);
	varint_put(out, f->slots);
	varint_put(out, f->nulls);
	varint_put(out, f->raw_len);
	varint_put(out, f->dictionary_len);
	varint_put(out, f->data_len);
	varint_put(out, f->column_index);
	varint_put(out, f->offset_index);
	if (r->has_min)
		keep_bound(out, &r->min);
	if (r->has_max)
		keep_bound(out, &r->max);
}

/*
 * Reads a varint (LEB128) and moves *p behind it. The bytes are our own, so the end is not checked.
 */
uint64_t varint_read(const uint8_t **p)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		const uint8_t byte = *(*p)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return v;
}

static const uint8_t *read_bound(struct bound *b, const uint8_t *p)
{
	b->len = *p++;
	memcpy(b->bytes, p, b->len);
	return p + b->len;
}

/* Reads what chunk_facts_keep() wrote; returns the end. */
const uint8_t *chunk_facts_read(struct chunk_facts *f, const uint8_t *p)
{
	const uint8_t has = *p++;

	memset(f, 0, sizeof(*f));
	f->range.has_min = has & HAS_MIN;
	f->range.has_max = has & HAS_MAX;
	f->range.min.exact = has & MIN_EXACT;
	f->range.max.exact = has & MAX_EXACT;
	f->codec = has & COMPRESSED ? PARQUET_ZSTD : PARQUET_UNCOMPRESSED;
	f->encodings = (uint32_t)varint_read(&p);
	f->slots = varint_read(&p);
	f->nulls = varint_read(&p);
	f->raw_len = varint_read(&p);
	f->dictionary_len = varint_read(&p);
	f->data_len = varint_read(&p);
	f->column_index = (uint32_t)varint_read(&p);
	f->offset_index = (uint32_t)varint_read(&p);
	if (f->range.has_min)
		p = read_bound(&f->range.min, p);
	if (f->range.has_max)
		p = read_bound(&f->range.max, p);
	return p;
}

/* ---- in the footer ---- */

/* Statistics: 3 null_count, 5 max_value, 6 min_value, 7 and 8 if they are exact. */
static void put_statistics(struct thrift *t, const struct chunk_facts *f)
{
	const struct value_range *r = &f->range;

	thrift_struct(t, 12);
	thrift_i64(t, 3, (int64_t)f->nulls);
	if (r->has_max)
		thrift_binary(t, 5, r->max.bytes, r->max.len);
	if (r->has_min)
		thrift_binary(t, 6, r->min.bytes, r->min.len);
	if (r->has_max)
		thrift_bool(t, 7, r->max.exact);
	if (r->has_min)
		thrift_bool(t, 8, r->min.exact);
	thrift_end(t);
}

/* Writes the encodings used, from a bit mask of their numbers. */
static void put_encodings(struct thrift *t, uint32_t all)
{
	thrift_list(t, 2, THRIFT_I32, (size_t)__builtin_popcount(all));
	for (int e = 0; e < 32; e++)
		if (all >> e & 1)
			thrift_put_i64(t, e);
}

/* Writes the path of the leaf: lists have the three levels of the LIST type. */
static void put_path(struct thrift *t, const struct column_type *type)
{
	thrift_list(t, 3, THRIFT_BINARY, type->is_list ? 3 : 1);
	thrift_put_binary(t, type->name, strlen(type->name));
	if (type->is_list) {
		thrift_put_binary(t, "list", 4);
		thrift_put_binary(t, "element", 7);
	}
}

/*
 * ColumnMetaData. start: where the chunk begins in the file, with its dictionary page if there is
 * one.
 */
static void put_meta(struct thrift *t, const struct column *c, const struct chunk_facts *f,
		     uint64_t start)
{
	thrift_struct(t, 3);
	thrift_i32(t, 1, (int32_t)column_physical(c));
	put_encodings(t, f->encodings);
	put_path(t, c->type);
	thrift_i32(t, 4, (int32_t)f->codec);
	thrift_i64(t, 5, (int64_t)f->slots);
	thrift_i64(t, 6, (int64_t)f->raw_len);
	thrift_i64(t, 7, (int64_t)(f->dictionary_len + f->data_len));
	thrift_i64(t, 9, (int64_t)(start + f->dictionary_len));
	if (f->dictionary_len)
		thrift_i64(t, 11, (int64_t)start);
	put_statistics(t, f);
	thrift_end(t);
}

/* ColumnChunk, with the places of its page indexes. Empty column indexes are left out. */
void chunk_facts_put(struct thrift *t, const struct column *c, const struct chunk_facts *f,
		     const struct chunk_place *at)
{
	thrift_put_struct(t);
	/* file_offset is deprecated, but required. */
	thrift_i64(t, 2, 0);
	put_meta(t, c, f, at->start);
	thrift_i64(t, 4, (int64_t)at->offset_index);
	thrift_i32(t, 5, (int32_t)f->offset_index);
	if (f->column_index) {
		thrift_i64(t, 6, (int64_t)at->column_index);
		thrift_i32(t, 7, (int32_t)f->column_index);
	}
	thrift_end(t);
}
