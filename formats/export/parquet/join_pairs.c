/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts the key-value pairs of several footers together. A pair stays if all files have it with the
 * same value: facts of one trace (tdat.source) are not those of joined rows. The Arrow schema of
 * the table is the first file's, for which the caller has compared the columns; the pairs that it
 * repeats are cut in its FlatBuffers in the same way. join.c calls it.
 *
 * Source: apache/arrow, format/Schema.fbs and format/Message.fbs; FlatBuffers, "Internals"
 */
#include "join_pairs.h"

#include <inttypes.h>

#include "base64.h"
#include "core/cursor.h"
#include "thrift_read.h"

/* Pairs of a footer, each of which has a bit. */
enum { PAIRS_MOST = 64 };

struct pair {
	struct tdat_span key, value;
};

static bool same(struct tdat_span a, struct tdat_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

static bool is_arrow(struct tdat_span key)
{
	return same(key, (struct tdat_span){(const uint8_t *)PARQUET_ARROW_KEY,
					    sizeof(PARQUET_ARROW_KEY) - 1});
}

/* Reads the pairs of a list. Returns their number; a failed cursor: it is not one of tdat. */
static size_t get_pairs(struct tdat_cursor *c, struct pair v[PAIRS_MOST])
{
	const size_t count = thrift_get_list(c, THRIFT_STRUCT);

	if (count > PAIRS_MOST)
		thrift_bad(c);
	for (size_t i = 0; i < count && tdat_cursor_ok(c); i++) {
		enum thrift_type type;
		int16_t id = 0;

		v[i] = (struct pair){.key.len = 0};
		while (thrift_field(c, &id, &type))
			if (type == THRIFT_BINARY && id <= 2)
				*(id == 1 ? &v[i].key : &v[i].value) = thrift_get_binary(c);
			else
				thrift_bad(c);
	}
	return tdat_cursor_ok(c) ? count : 0;
}

static size_t first_pairs(const struct join_pairs *p, struct pair v[PAIRS_MOST])
{
	struct tdat_cursor c = tdat_cursor_init(p->first.ptr, p->first.len, 0, false);

	return get_pairs(&c, v);
}

enum tdat_status join_pairs_take(struct join_pairs *p, struct tdat_span list, uint64_t off,
				 struct tdat_error *err)
{
	struct tdat_cursor c = tdat_cursor_init(list.ptr, list.len, off, false);
	struct pair found[PAIRS_MOST], first[PAIRS_MOST];
	const size_t count = get_pairs(&c, found);
	size_t have;

	if (!tdat_cursor_ok(&c))
		return tdat_error_set(err, TDAT_E_FORMAT, tdat_cursor_off(&c),
				      "the metadata of the footer is damaged at offset %" PRIu64,
				      tdat_cursor_off(&c));
	if (!p->any) {
		tdat_build_bytes(&p->first, list.ptr, list.len);
		p->kept = UINT64_MAX;
		p->any = true;
		return p->first.failed ? tdat_error_no_memory(err, "a footer") : TDAT_OK;
	}
	have = first_pairs(p, first);
	for (size_t i = 0; i < have; i++) {
		bool is_there = is_arrow(first[i].key);

		for (size_t k = 0; k < count && !is_there; k++)
			is_there = same(first[i].key, found[k].key) &&
				   same(first[i].value, found[k].value);
		if (!is_there)
			p->kept &= ~(UINT64_C(1) << i);
	}
	return TDAT_OK;
}

/* ---- the Arrow schema ---- */

/* A cursor at a place of the message, or a failed one. */
static struct tdat_cursor at(const struct tdat_build *m, uint64_t pos)
{
	struct tdat_cursor c = tdat_cursor_init(m->ptr, m->len, 0, false);

	tdat_cursor_take(&c, pos < SIZE_MAX ? (size_t)pos : SIZE_MAX);
	return c;
}

static uint32_t load(const struct tdat_build *m, uint64_t pos)
{
	struct tdat_cursor c = at(m, pos);

	return tdat_cursor_u32(&c);
}

/* What the reference at a place leads to; 0: nothing, as nothing is there. */
static uint64_t follow(const struct tdat_build *m, uint64_t pos)
{
	const uint32_t step = pos ? load(m, pos) : 0;

	return step && pos + step < m->len ? pos + step : 0;
}

/* The place of a table's field; 0: it has none. */
static uint64_t field_of(const struct tdat_build *m, uint64_t table, unsigned int field)
{
	const int64_t names = (int64_t)table - (int32_t)load(m, table);
	struct tdat_cursor c = at(m, names < 0 ? SIZE_MAX : (uint64_t)names);
	uint16_t len, step;

	len = tdat_cursor_u16(&c);
	tdat_cursor_take(&c, 2 + 2 * (size_t)field);
	step = tdat_cursor_u16(&c);
	return table && tdat_cursor_ok(&c) && 6 + 2 * field <= len && step ? table + step : 0;
}

static struct tdat_span text_at(const struct tdat_build *m, uint64_t pos)
{
	struct tdat_cursor c = at(m, pos);
	const uint32_t len = tdat_cursor_u32(&c);

	return pos ? tdat_cursor_bytes(&c, len) : (struct tdat_span){NULL, 0};
}

static bool is_kept(const struct join_pairs *p, const struct pair *v, size_t count,
		    struct tdat_span key)
{
	for (size_t i = 0; i < count; i++)
		if (same(v[i].key, key))
			return p->kept >> i & 1;
	return false;
}

/*
 * Removes the pairs of a schema message that do not stay: the references of the others are moved
 * together, and the bytes of those that go are zeros.
 */
static bool cut_pairs(const struct join_pairs *p, const struct pair *v, size_t count,
		      struct tdat_build *m)
{
	enum { HEAD_LEN = 8 }; /* in front of the FlatBuffers: ffffffff, and their length */
	const uint64_t message = load(m, HEAD_LEN) + (uint64_t)HEAD_LEN;
	const uint64_t schema = follow(m, field_of(m, message, 2));
	const uint64_t pairs = follow(m, field_of(m, schema, 2));
	const uint32_t all = pairs ? load(m, pairs) : 0;
	uint32_t n = 0;

	if (!schema || all > PAIRS_MOST || (pairs && at(m, pairs + 4 + 4 * (uint64_t)all).failed))
		return false;
	for (uint32_t i = 0; i < all; i++) {
		const uint64_t place = pairs + 4 + 4 * (uint64_t)i, one = follow(m, place);
		const struct tdat_span key = text_at(m, follow(m, field_of(m, one, 0)));
		const struct tdat_span value = text_at(m, follow(m, field_of(m, one, 1)));

		if (!key.len)
			return false;
		if (is_kept(p, v, count, key)) {
			tdat_store32(m->ptr + pairs + 4 + 4 * (size_t)n,
				     (uint32_t)(one - pairs - 4) - 4 * n, false);
			n++;
		} else if (value.len) {
			memset(m->ptr + (value.ptr - m->ptr), 0, value.len);
		}
	}
	if (pairs)
		tdat_store32(m->ptr + pairs, n, false);
	return true;
}

/* Writes the Arrow schema. False: it is not one of tdat, or there is no memory. */
static bool put_arrow(const struct join_pairs *p, struct thrift *t, const struct pair *v,
		      size_t count, const struct pair *arrow)
{
	struct tdat_build message, text;
	bool ok;

	tdat_build_init(&message, false);
	tdat_build_init(&text, false);
	ok = base64_get(&message, arrow->value) && !message.failed &&
	     cut_pairs(p, v, count, &message);
	if (ok)
		base64_put(&text, message.ptr, message.len);
	ok = ok && !text.failed;
	thrift_put_pair(t, arrow->key, (struct tdat_span){text.ptr, text.len});
	tdat_build_fini(&message);
	tdat_build_fini(&text);
	return ok;
}

enum tdat_status join_pairs_put(const struct join_pairs *p, struct thrift *t,
				struct tdat_error *err)
{
	struct pair v[PAIRS_MOST];
	const size_t count = first_pairs(p, v);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		kept += p->kept >> i & 1;
	thrift_list(t, 5, THRIFT_STRUCT, kept);
	for (size_t i = 0; i < count; i++)
		if (is_arrow(v[i].key) && !put_arrow(p, t, v, count, &v[i]))
			return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
					      "the Arrow schema of the first part is damaged");
		else if (p->kept >> i & 1 && !is_arrow(v[i].key))
			thrift_put_pair(t, v[i].key, v[i].value);
	return TDAT_OK;
}
