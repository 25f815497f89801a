/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes pages of a column chunk: levels and values encoded, compressed, behind their head.
 *
 * Data pages are of version 1, which every reader has. They differ from those of version 2 in
 * that levels are compressed with the values, and that a codec holds for the whole chunk: what
 * does not shrink in the first page of a chunk (timestamps in few bits) is not compressed.
 *
 * Source: apache/parquet-format, README.md ("Data Pages"), Encodings.md and parquet.thrift
 */
#include "column.h"

#include "core/grow.h"
#include "thrift.h"

/* PageType of parquet.thrift. */
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };

/* ---- levels ---- */

/*
 * Writes the levels of a page with their length in four bytes. levels NULL: all are most, and one
 * run says so. most 0: the column has no such levels.
 */
static void put_levels(struct tdat_build *raw, const struct tdat_build *levels, uint8_t most,
		       size_t slots)
{
	const size_t at = raw->len;

	if (!most)
		return;
	tdat_build_fill(raw, 0, 4);
	if (levels) {
		encode_rle_bytes(raw, levels->ptr, slots, bits_of(most));
	} else {
		varint_put(raw, (uint64_t)slots << 1);
		tdat_build_u8(raw, most);
	}
	if (!raw->failed)
		tdat_store32(raw->ptr + at, (uint32_t)(raw->len - at - 4), false);
}

/* Writes booleans as runs; RLE is allowed for them in data pages. */
static enum parquet_encoding put_bools(struct column *c, struct value_range *range)
{
	struct tdat_build *raw = &c->setup->scratch->raw;
	const size_t at = raw->len;

	range_bools(range, c->values.ptr, c->count);
	tdat_build_fill(raw, 0, 4);
	encode_rle_bytes(raw, c->values.ptr, c->count, 1);
	if (!raw->failed)
		tdat_store32(raw->ptr + at, (uint32_t)(raw->len - at - 4), false);
	return PARQUET_RLE;
}

/* Writes indices into the dictionary: their width in one byte, then runs without a length. */
static void put_entries(struct column *c, const uint32_t *entries)
{
	const unsigned int bits = bits_of(column_entries(c) ? column_entries(c) - 1 : 0);

	tdat_build_u8(&c->setup->scratch->raw, (uint8_t)(bits ? bits : 1));
	encode_rle(&c->setup->scratch->raw, entries, c->count, bits ? bits : 1);
}

/*
 * Finds the dictionary entries of the first count numbers, and returns how many got one. r: their
 * range, by which the dictionary chooses how to look them up.
 */
static size_t numbers(struct column *c, const struct value_range *r, size_t count,
		      uint32_t *entries)
{
	const bool wide = c->physical == PARQUET_INT64;
	const uint64_t least =
		wide ? tdat_load64(r->min.bytes, false) : tdat_load32(r->min.bytes, false);

	return dictionary_numbers(c->dictionary, c->values.ptr, wide, count, least,
				  r->max.key - r->min.key, entries);
}

/*
 * The first LOOK_AT values are tried first: with more than LOOK_MOST different ones, values hardly
 * repeat.
 */
enum { LOOK_AT = 1024, LOOK_MOST = 768 };

/* Finds the entries of all numbers. False: the dictionary has no room or does not seem to help. */
static bool find_entries(struct column *c, const struct value_range *r, uint32_t *entries)
{
	const size_t look = c->use == DICTIONARY_TRY && c->count > LOOK_AT ? LOOK_AT : 0;

	if (look && (numbers(c, r, look, entries) < look || column_entries(c) > LOOK_MOST))
		return false;
	return numbers(c, r, c->count, entries) == c->count;
}

/*
 * Writes the numbers as dictionary entries if these and the new entries are shorter than least, the
 * length in the best other encoding. True: they were written so. False: the chunk uses no
 * dictionary from here on.
 */
static bool put_numbers_by_entry(struct column *c, const struct value_range *r, size_t least)
{
	const uint32_t before = column_entries(c);
	struct tdat_build *raw = &c->setup->scratch->raw;
	const size_t at = raw->len, len = c->count * sizeof(uint32_t);
	uint32_t *entries;

	c->setup->scratch->entries.len = 0;
	entries = (uint32_t *)(void *)tdat_build_room(&c->setup->scratch->entries, len);
	if (!entries || !column_dictionary(c))
		return false;
	if (find_entries(c, r, entries)) {
		put_entries(c, entries);
		if (raw->len - at + (column_entries(c) - before) * sizeof(uint64_t) < least)
			return true;
	}
	/* Entries that only this page has are taken back: nothing refers to them. */
	if (!raw->failed)
		raw->len = at;
	dictionary_cut(c->dictionary, before);
	c->use = DICTIONARY_OFF;
	return false;
}

/*
 * Writes numbers in the shortest of dictionary, delta and plain encoding. Delta must save an
 * eighth: plain values are faster to read.
 */
static enum parquet_encoding put_numbers(struct column *c, struct value_range *range)
{
	const bool wide = c->physical == PARQUET_INT64, decimal = column_is_decimal(c);
	struct tdat_build *raw = &c->setup->scratch->raw;
	const size_t size = wide ? 8 : 4, plain = c->count * (decimal ? DECIMAL_LEN : size);
	const size_t delta = decimal ? plain : encode_delta_guess(c->values.ptr, wide, c->count);

	range_numbers(range, c->values.ptr, c->count, wide, c->type->is_signed);
	if (c->use != DICTIONARY_OFF &&
	    put_numbers_by_entry(c, range, delta < plain ? delta : plain))
		return PARQUET_RLE_DICTIONARY;
	if (delta < plain - plain / 8) {
		encode_delta(raw, c->values.ptr, wide, c->count);
		return PARQUET_DELTA_BINARY_PACKED;
	}
	if (decimal)
		encode_decimal(raw, c->values.ptr, c->count);
	else
		encode_plain(raw, c->values.ptr, c->count, size);
	return PARQUET_PLAIN;
}

/* Bounds of decimals are kept as numbers, by which pages are compared. */
static void make_decimal(struct bound *b)
{
	decimal_store(b->bytes, b->key);
	b->len = DECIMAL_LEN;
}

/*
 * Writes texts as dictionary entries. The range is found over the entries that the page uses, as
 * these are fewer than its values.
 */
static enum parquet_encoding put_text_entries(struct column *c, struct value_range *range)
{
	const uint32_t *entries = (const uint32_t *)(const void *)c->values.ptr;
	struct tdat_build *marks = &c->setup->scratch->entries;
	struct tdat_span least = {NULL, 0}, greatest = {NULL, 0};
	bool any = false;

	put_entries(c, entries);
	marks->len = 0;
	tdat_build_fill(marks, 0, column_entries(c));
	if (marks->failed)
		return PARQUET_RLE_DICTIONARY;
	for (size_t i = 0; i < c->count; i++)
		marks->ptr[entries[i]] = 1;
	for (uint32_t i = 0; i < column_entries(c); i++) {
		struct tdat_span s;

		if (!marks->ptr[i])
			continue;
		s = dictionary_entry(c->dictionary, i);
		if (!any || text_compare(s, least) < 0)
			least = s;
		if (!any || text_compare(s, greatest) > 0)
			greatest = s;
		any = true;
	}
	range_texts(range, least, greatest, c->type->kind == COLUMN_TEXT);
	return PARQUET_RLE_DICTIONARY;
}

/* Writes a text in PLAIN encoding: its length in four bytes, then its bytes. */
static void put_text(struct tdat_build *raw, const void *p, size_t n)
{
	uint8_t len[sizeof(uint32_t)];

	tdat_store32(len, (uint32_t)n, false);
	tdat_build_bytes(raw, len, sizeof(len));
	tdat_build_bytes(raw, p, n);
}

static void put_plain_texts(struct column *c, const uint32_t *lens)
{
	const uint8_t *p = c->values.ptr;

	for (size_t i = 0; i < c->count; p += lens[i], i++)
		put_text(&c->setup->scratch->raw, p, lens[i]);
}

/* Writes texts without a dictionary. */
static enum parquet_encoding put_texts(struct column *c, struct value_range *range)
{
	const uint32_t *lens = (const uint32_t *)(const void *)c->lens.ptr;
	struct tdat_span least = {NULL, 0}, greatest = {NULL, 0};
	const uint8_t *p = c->values.ptr;

	for (size_t i = 0; i < c->count; p += lens[i], i++) {
		const struct tdat_span s = {p, lens[i]};

		if (!i || text_compare(s, least) < 0)
			least = s;
		if (!i || text_compare(s, greatest) > 0)
			greatest = s;
	}
	range_texts(range, least, greatest, c->type->kind == COLUMN_TEXT);
	/*
	 * Arrow's C++ reader can make dictionaries of PLAIN texts, but not of the other encoding.
	 */
	if (c->type->index_width) {
		put_plain_texts(c, lens);
		return PARQUET_PLAIN;
	}
	/* All lengths first, then all bytes: lengths pack well, and bytes compress better. */
	encode_delta(&c->setup->scratch->raw, lens, false, c->count);
	tdat_build_bytes(&c->setup->scratch->raw, c->values.ptr, c->values.len);
	return PARQUET_DELTA_LENGTH_BYTE_ARRAY;
}

/*
 * Writes the values of the page and finds their range; returns the encoding. A page of nulls has no
 * values.
 */
static enum parquet_encoding put_values(struct column *c, struct value_range *range)
{
	enum parquet_encoding encoding;

	if (!c->count)
		return PARQUET_PLAIN;
	switch (c->physical) {
	case PARQUET_BOOLEAN:
		return put_bools(c, range);
	case PARQUET_DOUBLE:
		range_doubles(range, (const uint64_t *)(const void *)c->values.ptr, c->count);
		encode_plain(&c->setup->scratch->raw, c->values.ptr, c->count, 8);
		return PARQUET_PLAIN;
	case PARQUET_BYTE_ARRAY:
		return c->use == DICTIONARY_OFF ? put_texts(c, range) : put_text_entries(c, range);
	default:
		encoding = put_numbers(c, range);
	}
	if (column_is_decimal(c)) {
		make_decimal(&range->min);
		make_decimal(&range->max);
	}
	return encoding;
}

/* ---- pages ---- */

/*
 * True if the first page of a chunk without a dictionary hardly shrinks: zstd is then not worth its
 * time for the whole chunk.
 */
static bool shrinks_too_little(const struct column *c, size_t raw_len, size_t packed_len)
{
	return !c->record_count && c->use == DICTIONARY_OFF && !c->dictionary_used &&
	       packed_len > raw_len - raw_len / 32;
}

/*
 * Compresses the page in scratch->raw, unless its chunk is not compressed. *p and *len: the bytes
 * to write, valid until the scratch is used again.
 */
static enum tdat_status pack(struct column *c, const uint8_t **p, size_t *len,
			     struct tdat_error *err)
{
	struct column_scratch *s = c->setup->scratch;
	enum tdat_status st;

	*p = s->raw.ptr;
	*len = s->raw.len;
	if (s->raw.failed)
		return column_no_memory(err);
	if (s->raw.len > INT32_MAX)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			"a page of column '%s' has %zu bytes, but Parquet allows at most %d",
			c->type->name, s->raw.len, INT32_MAX);
	if (c->codec == PARQUET_UNCOMPRESSED)
		return TDAT_OK;
	s->packed.len = 0;
	st = scratch_compress(&s->head, s->raw.ptr, s->raw.len, &s->packed, err);
	if (st != TDAT_OK)
		return st;
	if (shrinks_too_little(c, s->raw.len, s->packed.len)) {
		c->codec = PARQUET_UNCOMPRESSED;
		return TDAT_OK;
	}
	*p = s->packed.ptr;
	*len = s->packed.len;
	return TDAT_OK;
}

/* Begins the head of a page: 1 type, 2 uncompressed_page_size, 3 compressed_page_size. */
static struct thrift put_head(struct tdat_build *out, int type, size_t raw_len, size_t len)
{
	struct thrift t = thrift_open(out);

	thrift_i32(&t, 1, type);
	thrift_i32(&t, 2, (int32_t)raw_len);
	thrift_i32(&t, 3, (int32_t)len);
	return t;
}

/* Appends a data page, with DataPageHeader in field 5, to the chunk. r: gets its place. */
static enum tdat_status put_page(struct column *c, enum parquet_encoding encoding,
				 struct page_record *r, struct tdat_error *err)
{
	const uint8_t *p;
	struct thrift t;
	size_t len;
	enum tdat_status st = pack(c, &p, &len, err);

	if (st != TDAT_OK)
		return st;
	r->off = c->pages.len;
	t = put_head(&c->pages, PAGE_DATA, c->setup->scratch->raw.len, len);
	thrift_struct(&t, 5);
	thrift_i32(&t, 1, (int32_t)r->slots);
	thrift_i32(&t, 2, (int32_t)encoding);
	thrift_i32(&t, 3, PARQUET_RLE);
	thrift_i32(&t, 4, PARQUET_RLE);
	thrift_end(&t);
	thrift_end(&t);
	/* total_uncompressed_size counts heads, too. */
	c->raw_len += c->pages.len - r->off + c->setup->scratch->raw.len;
	tdat_build_bytes(&c->pages, p, len);
	r->len = (uint32_t)(c->pages.len - r->off);
	return c->pages.failed ? column_no_memory(err) : TDAT_OK;
}

/* Adds the finished page's counts to the chunk, and makes the column ready for the next page. */
static void close_page(struct column *c, const struct page_record *r)
{
	c->records[c->record_count++] = *r;
	c->chunk_rows += c->rows;
	c->chunk_slots += c->slots;
	c->chunk_nulls += c->slots - c->count;
	c->rows = c->slots = c->count = 0;
	c->values.len = c->lens.len = c->defs.len = c->reps.len = 0;
	c->has_defs = false;
}

/*
 * Ends the open page of a column, if it has rows: encodes and compresses it. Called when it is long
 * enough and before a row group ends.
 */
enum tdat_status column_end_page(struct column *c, struct tdat_error *err)
{
	struct page_record r = {.first_row = c->chunk_rows,
				.slots = (uint32_t)c->slots,
				.nulls = (uint32_t)(c->slots - c->count)};
	struct tdat_build *raw = &c->setup->scratch->raw;
	enum parquet_encoding encoding;
	enum tdat_status st;

	if (!c->rows)
		return TDAT_OK;
	if (!TDAT_GROW(c->records, &c->record_cap, c->record_count + 1))
		return column_no_memory(err);
	if (c->slots > INT32_MAX)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			"a page of column '%s' has %zu values, but Parquet allows at most %d",
			c->type->name, c->slots, INT32_MAX);
	raw->len = 0;
	put_levels(raw, c->max_rep ? &c->reps : NULL, c->max_rep, c->slots);
	put_levels(raw, c->has_defs ? &c->defs : NULL, c->max_def, c->slots);
	encoding = put_values(c, &r.range);
	c->encodings |= 1u << encoding;
	if (encoding == PARQUET_RLE_DICTIONARY) {
		c->dictionary_used = true;
		/* The first page has shown that the dictionary helps. */
		if (c->use == DICTIONARY_TRY)
			c->use = DICTIONARY_ON;
	}
	if (c->setup->scratch->entries.failed || column_dictionary_failed(c))
		return column_no_memory(err);
	st = put_page(c, encoding, &r, err);
	if (st == TDAT_OK)
		close_page(c, &r);
	return st;
}

/* Writes the entries of a dictionary of texts. */
static void put_dictionary_texts(const struct column *c, struct tdat_build *raw)
{
	for (uint32_t i = 0; i < column_entries(c); i++) {
		const struct tdat_span s = dictionary_entry(c->dictionary, i);

		put_text(raw, s.ptr, s.len);
	}
}

/* Writes the entries of a dictionary of numbers, which are kept in 64 bits. */
static void put_dictionary_numbers(const struct column *c, struct tdat_build *raw)
{
	const uint64_t *v = dictionary_values(c->dictionary);

	if (column_is_decimal(c)) {
		encode_decimal(raw, v, column_entries(c));
		return;
	}
	if (c->physical == PARQUET_INT64) {
		encode_plain(raw, v, column_entries(c), 8);
		return;
	}
	for (uint32_t i = 0; i < column_entries(c); i++) {
		const uint32_t low = (uint32_t)v[i];

		encode_plain(raw, &low, 1, 4);
	}
}

/*
 * Appends the dictionary page of a chunk. *raw_len: its bytes without compression, with the head.
 */
enum tdat_status page_dictionary(struct column *c, struct tdat_build *out, size_t *raw_len,
				 struct tdat_error *err)
{
	struct tdat_build *raw = &c->setup->scratch->raw;
	const size_t start = out->len;
	const uint8_t *p;
	struct thrift t;
	size_t len;
	enum tdat_status st;

	raw->len = 0;
	if (c->physical == PARQUET_BYTE_ARRAY)
		put_dictionary_texts(c, raw);
	else
		put_dictionary_numbers(c, raw);
	st = pack(c, &p, &len, err);
	if (st != TDAT_OK)
		return st;
	t = put_head(out, PAGE_DICTIONARY, raw->len, len);
	thrift_struct(&t, 7);
	thrift_i32(&t, 1, (int32_t)column_entries(c));
	thrift_i32(&t, 2, PARQUET_PLAIN);
	thrift_end(&t);
	thrift_end(&t);
	*raw_len = out->len - start + raw->len;
	tdat_build_bytes(out, p, len);
	return out->failed ? column_no_memory(err) : TDAT_OK;
}
