/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* "[stamp] text" lines and what belongs to them: spec section 2. */
#include <string.h>

#include "core/checked.h"
#include "gtsc.h"

enum { NUL_BLOCK = 4096, LINE_LOOK = 64 * 1024 }; /* at least GTSC_TEXT_MAX and a stamp */

bool gtsc_parse_stamp(struct tdat_span line, int64_t *stamp, size_t *len)
{
	size_t i = 1, digits;
	bool negative;
	uint64_t v = 0, limit;

	if (line.len < 4 || line.ptr[0] != '[')
		return false;
	negative = line.ptr[1] == '-';
	i += negative;
	limit = (uint64_t)INT64_MAX + negative;
	for (digits = i; i < line.len && line.ptr[i] >= '0' && line.ptr[i] <= '9'; i++)
		if (!tdat_mul_u64(v, 10, &v) || !tdat_add_u64(v, line.ptr[i] - (uint64_t)'0', &v))
			return false;
	if (i == digits || v > limit || line.len - i < 2 || line.ptr[i] != ']' ||
	    line.ptr[i + 1] != ' ')
		return false;
	*stamp = negative ? (int64_t)(0 - v) : (int64_t)v;
	*len = i + 2;
	return true;
}

bool gtsc_scale(const struct gtsc_setup *s, int64_t stamp, int64_t *key)
{
	static const uint64_t factors[] = {1, 1000, 1000000, 1000000000};
	uint64_t v = stamp < 0 ? 0 - (uint64_t)stamp : (uint64_t)stamp, rest = 0;
	bool ok = true;

	if (s->unit != GTSC_TSC) {
		ok = tdat_mul_u64(v, factors[s->unit], &v);
	} else if (s->hz) {
		/* hz is at most 10^10, so that the rest's product fits. */
		rest = v % s->hz * 1000000000 / s->hz;
		ok = tdat_mul_u64(v / s->hz, 1000000000, &v) && tdat_add_u64(v, rest, &v);
	}
	if (!ok || v > INT64_MAX) {
		ok = !s->hz && stamp == INT64_MIN && s->unit == GTSC_NS;
		*key = stamp < 0 ? INT64_MIN : INT64_MAX;
		return ok;
	}
	*key = stamp < 0 ? -(int64_t)v : (int64_t)v;
	return true;
}

/* Sets the line's end at the first newline or NUL; *taken: bytes with what ended it. */
static void find_end(const uint8_t *p, size_t look, struct gtsc_line *line, size_t *taken)
{
	const uint8_t *end = memchr(p, '\n', look), *nul;
	size_t len = end ? (size_t)(end - p) : look;

	nul = len ? memchr(p, 0, len) : NULL;
	if (nul)
		len = (size_t)(nul - p);
	line->text = (struct tdat_span){p, len};
	*taken = len + (nul || end);
}

/* Behind a NUL: nothing more in a sub-buffer, else the next byte that is none. */
static enum tdat_status pass_nuls(struct gtsc_reader *r, struct tdat_error *err)
{
	uint64_t left = r->chunk.end - r->off;

	if (r->setup->geometry.sub_len) {
		r->doubts.behind_nul += left;
		r->off = r->chunk.end;
		return TDAT_OK;
	}
	r->doubts.nuls++;
	while (left) {
		size_t n = left < NUL_BLOCK ? (size_t)left : NUL_BLOCK, i = 0;
		const uint8_t *p = gtsc_reader_get(r, n, err);

		if (!p)
			return r->relay.window.status;
		while (i < n && !p[i])
			i++;
		r->doubts.nuls += i;
		r->off += i;
		left -= i;
		if (i < n) {
			r->off += p[i] == '\n';
			break;
		}
	}
	return TDAT_OK;
}

/* The rest of a line that is longer than what was looked at. */
static enum tdat_status pass_rest(struct gtsc_reader *r, struct tdat_error *err)
{
	for (;;) {
		uint64_t left = r->chunk.end - r->off;
		size_t look = left < LINE_LOOK ? (size_t)left : LINE_LOOK, taken;
		struct gtsc_line line = {0};
		const uint8_t *p;

		if (!look)
			return TDAT_OK;
		p = gtsc_reader_get(r, look, err);
		if (!p)
			return r->relay.window.status;
		find_end(p, look, &line, &taken);
		r->off += taken;
		if (line.text.len == look)
			continue;
		return p[line.text.len] ? TDAT_OK : pass_nuls(r, err);
	}
}

/*
 * The next line; its text stays valid until the next call, but for a line that
 * is cut or ends with a NUL: then only until the window moves, so it is kept.
 */
static enum tdat_status next_line(struct gtsc_reader *r, struct gtsc_line *line,
				  struct tdat_error *err)
{
	enum tdat_status st = gtsc_reader_chunk(r, err);
	size_t look, taken;
	const uint8_t *p;
	bool whole;

	if (st != TDAT_OK)
		return st;
	look = r->chunk.end - r->off < LINE_LOOK ? (size_t)(r->chunk.end - r->off) : LINE_LOOK;
	p = gtsc_reader_get(r, look, err);
	if (!p)
		return r->relay.window.status;
	find_end(p, look, line, &taken);
	line->off = r->off;
	whole = taken > line->text.len || r->off + taken == r->chunk.end;
	line->cut = !whole;
	r->off += taken;
	if (line->text.len && line->text.ptr[line->text.len - 1] == '\r')
		line->text.len--;
	return TDAT_OK;
}

/* What ends the line given last may have to be passed: not before it was used. */
static enum tdat_status end_line(struct gtsc_reader *r, const struct gtsc_line *line,
				 struct tdat_error *err)
{
	const uint8_t *p;

	if (line->cut)
		return pass_rest(r, err);
	if (r->off == line->off)
		return TDAT_OK;
	p = import_window_get(&r->relay.window, r->off - 1, 1, err);
	if (!p)
		return r->relay.window.status;
	return *p ? TDAT_OK : pass_nuls(r, err);
}

static void add_text(struct gtsc_reader *r, struct tdat_build *b, const uint8_t *p, size_t len,
		     bool *cut)
{
	size_t room = b->len < GTSC_TEXT_MAX ? GTSC_TEXT_MAX - b->len : 0;

	(void)r;
	if (len > room) {
		*cut = true;
		len = room;
	}
	tdat_build_bytes(b, p, len);
}

static enum tdat_status no_memory(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for a record's text");
}

enum tdat_status gtsc_text_scan(struct gtsc_reader *r, struct tdat_error *err)
{
	const struct tdat_emit *emit = r->emit;
	enum tdat_status st;

	r->relay.emit = NULL;
	do {
		struct gtsc_line line = {0};
		int64_t stamp;
		size_t len;

		st = next_line(r, &line, err);
		if (st == TDAT_OK && gtsc_parse_stamp(line.text, &stamp, &len)) {
			r->has_stamp = true;
			gtsc_scale(r->setup, stamp, &r->first_key);
			break;
		}
		if (st == TDAT_OK)
			st = end_line(r, &line, err);
	} while (st == TDAT_OK);
	gtsc_reader_stream(r).rewind(r);
	r->emit = r->relay.emit = emit;
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

/* Keeps the text of a stamped line for the next record. */
static void begin_next(struct gtsc_reader *r, const struct gtsc_line *line, int64_t stamp,
		       size_t len)
{
	bool cut = line->cut;

	r->next.len = 0;
	add_text(r, &r->next, line->text.ptr + len, line->text.len - len, &cut);
	r->doubts.cut += cut;
	r->doubts.clamped += !gtsc_scale(r->setup, stamp, &r->next_key);
	r->have_next = true;
}

/* A line that is a record of its own: before the first stamp, or of a file without any. */
static void lone_line(struct gtsc_reader *r, const struct gtsc_line *line,
		      struct import_merge_record *out)
{
	bool cut = line->cut;

	r->text.len = 0;
	add_text(r, &r->text, line->text.ptr, line->text.len, &cut);
	r->doubts.cut += cut;
	if (r->has_stamp) {
		r->doubts.leading++;
		out->key = r->first_key;
	} else {
		r->doubts.unstamped++;
		out->key = r->setup->stamped ? 0 : (int64_t)r->doubts.unstamped;
	}
}

/* Lines up to the next stamped one belong to the record under way. */
static enum tdat_status gather(struct gtsc_reader *r, struct tdat_error *err)
{
	bool cut = false;
	enum tdat_status st;

	for (;;) {
		struct gtsc_line line = {0};
		int64_t stamp;
		size_t len;

		st = next_line(r, &line, err);
		if (st != TDAT_OK)
			break;
		if (gtsc_parse_stamp(line.text, &stamp, &len)) {
			begin_next(r, &line, stamp, len);
			st = end_line(r, &line, err);
			break;
		}
		/* A report keeps one line for each event. */
		add_text(r, &r->text, (const uint8_t *)"\\n", 2, &cut);
		add_text(r, &r->text, line.text.ptr, line.text.len, &cut);
		cut = cut || line.cut;
		r->doubts.continuation++;
		st = end_line(r, &line, err);
		if (st != TDAT_OK)
			break;
	}
	r->doubts.cut += cut;
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

enum tdat_status gtsc_text_next(struct gtsc_reader *r, struct import_merge_record *out,
				struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!r->have_next) {
		struct gtsc_line line = {0};
		int64_t stamp;
		size_t len;
		bool stamped;

		st = next_line(r, &line, err);
		if (st != TDAT_OK)
			return st;
		stamped = gtsc_parse_stamp(line.text, &stamp, &len);
		if (stamped)
			begin_next(r, &line, stamp, len);
		else
			lone_line(r, &line, out);
		st = end_line(r, &line, err);
		if (st != TDAT_OK)
			return st;
	}
	if (r->have_next) {
		struct tdat_build under_way = r->next;

		r->next = r->text;
		r->text = under_way;
		r->have_next = false;
		out->key = r->next_key;
		st = gather(r, err);
	}
	if (r->text.failed || r->next.failed)
		return no_memory(err);
	out->data = (struct tdat_span){r->text.ptr, r->text.len};
	return st;
}
