/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads "[timestamp] text" lines and the lines that belong to them: docs/formats/gtsc.md §2. A line
 * without a timestamp belongs to the record before; in a file without any, each line is a record.
 * Lines are read through a window of bounded size, and the rest of a longer one is skipped. The
 * usual line takes a short way, which tests/unit/formats/test_import_threads.c compares with the
 * other.
 */
#include "gtsc.h"

#include <inttypes.h>
#include <string.h>

#include "core/build.h"
#include "core/checked.h"
#include "core/endian.h"

/* Line of the window, without its end. */
struct text_line {
	struct tdat_span text;
	uint64_t off;
	bool cut;
};

/* A reader's own state. */
struct text_state {
	/* The file has a timestamp, and first_key is its time. */
	bool has_stamp;
	int64_t first_key;
	struct tdat_build text; /* record that is being put together */
	uint64_t ahead_off;	/* where a timestamp was read ahead; ahead_len is 0 if none was */
	int64_t ahead_stamp;
	size_t ahead_len;
	uint64_t clean_off, clean_end; /* bytes in which there is no NUL */
	uint64_t leading;	       /* lines before the first timestamp */
	uint64_t unstamped;	       /* lines of a file that has none */
	uint64_t continuation;
	uint64_t cut;
	uint64_t nuls;
	uint64_t behind_nul; /* bytes of sub-buffers */
	bool unended;	     /* neither newline nor NUL ended the last line */
	uint64_t last_off;   /* of that line */
};

/*
 * LINE_LOOK: bytes of a line that are searched for its end; at least RELAY_PAYLOAD_MAX and a
 * timestamp.
 */
enum { NUL_BLOCK = 4096, FIRST_PIECE = 512, LINE_LOOK = 64 * 1024 };

/* Reads eight decimal digits at once. False: not all of them are digits. */
static inline bool eight_digits(const uint8_t *p, uint64_t *value)
{
	uint64_t x = tdat_load64(p, false), high = 0xf0f0f0f0f0f0f0f0u;

	/* Digits are 0x30 to 0x39: the high half is 3, and stays 3 when 6 is added. */
	if (((x & high) ^ 0x3030303030303030u) |
	    (((x + 0x0606060606060606u) & high) ^ 0x3030303030303030u))
		return false;
	x -= 0x3030303030303030u;
	/* Neighbors become numbers of two digits, then of four, then of eight. */
	x = x * 10 + (x >> 8);
	x = (x & 0x00ff00ff00ff00ffu) * 100 + (x >> 16 & 0x00ff00ff00ff00ffu);
	x = (x & 0x0000ffff0000ffffu) * 10000 + (x >> 32 & 0x0000ffff0000ffffu);
	*value = x & 0xffffffffu;
	return true;
}

/*
 * Parses "[N] " at the start of a line; *len is its length. False: the line has no timestamp, or it
 * exceeds 63 bits.
 */
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
	/* Eighteen digits cannot overflow; further ones are checked below. */
	digits = i;
	for (uint64_t eight;
	     i - digits <= 8 && line.len - i >= 8 && eight_digits(line.ptr + i, &eight); i += 8)
		v = v * 100000000 + eight;
	for (; i < line.len && i - digits < 18 && line.ptr[i] >= '0' && line.ptr[i] <= '9'; i++)
		v = v * 10 + (line.ptr[i] - (uint64_t)'0');
	for (; i < line.len && line.ptr[i] >= '0' && line.ptr[i] <= '9'; i++)
		if (!tdat_mul_u64(v, 10, &v) || !tdat_add_u64(v, line.ptr[i] - (uint64_t)'0', &v))
			return false;
	if (i == digits || v > limit || line.len - i < 2 || line.ptr[i] != ']' ||
	    line.ptr[i + 1] != ' ')
		return false;
	*stamp = negative ? (int64_t)(0 - v) : (int64_t)v;
	*len = i + 2;
	return true;
}

/*
 * Sets the line's end at the first newline or NUL; *taken includes the byte that ended it. It
 * searches pieces, each twice as long: if NULs end lines, the next newline may be far away.
 */
static void find_end(const uint8_t *p, size_t look, struct text_line *line, size_t *taken)
{
	const uint8_t *end = NULL, *nul = NULL;
	size_t len = 0;

	for (size_t piece = FIRST_PIECE; len < look && !end && !nul; piece *= 2) {
		const uint8_t *at = p + len;

		if (piece > look - len)
			piece = look - len;
		end = memchr(at, '\n', piece);
		nul = memchr(at, 0, end ? (size_t)(end - at) : piece);
		len = nul ? (size_t)(nul - p) : end ? (size_t)(end - p) : len + piece;
	}
	line->text = (struct tdat_span){p, len};
	*taken = len + (nul || end);
}

/* Skips NULs. In a sub-buffer they are the unused rest; elsewhere, lines may follow behind them. */
static enum tdat_status pass_nuls(struct relay_reader *r, struct tdat_error *err)
{
	struct text_state *t = r->own;
	uint64_t left = r->chunk.end - r->off;

	if (r->setup->geometry.sub_len) {
		t->behind_nul += left;
		r->off = r->chunk.end;
		return TDAT_OK;
	}
	t->nuls++;
	while (left) {
		const uint64_t hole =
			tdat_source_skip_hole(r->subbufs.window.source, r->off, r->chunk.end) -
			r->off;

		if (hole) {
			t->nuls += hole;
			r->off += hole;
			left -= hole;
			continue;
		}
		size_t n = left < NUL_BLOCK ? (size_t)left : NUL_BLOCK, i = 0;
		const uint8_t *p = relay_reader_get(r, n, err);

		if (!p)
			return relay_reader_status(r);
		while (i < n && !p[i])
			i++;
		t->nuls += i;
		r->off += i;
		left -= i;
		/* A newline right behind NULs ends the line that they ended. */
		if (i < n) {
			r->off += p[i] == '\n';
			break;
		}
	}
	return TDAT_OK;
}

/* Skips the rest of a line that is longer than LINE_LOOK. */
static enum tdat_status pass_rest(struct relay_reader *r, struct tdat_error *err)
{
	struct text_state *t = r->own;

	for (;;) {
		uint64_t left = r->chunk.end - r->off;
		size_t look = left < LINE_LOOK ? (size_t)left : LINE_LOOK, taken;
		struct text_line line = {0};
		const uint8_t *p;

		if (!look)
			return TDAT_OK;
		p = relay_reader_get(r, look, err);
		if (!p)
			return relay_reader_status(r);
		find_end(p, look, &line, &taken);
		r->off += taken;
		if (line.text.len == look)
			continue;
		t->unended = false;
		return p[line.text.len] ? TDAT_OK : pass_nuls(r, err);
	}
}

/*
 * Returns the next line. Its text is valid until the next call; if it is cut or ends with a NUL,
 * only until the window moves, so callers copy it first.
 */
static enum tdat_status next_line(struct relay_reader *r, struct text_line *line,
				  struct tdat_error *err)
{
	enum tdat_status st = relay_reader_chunk(r, err);
	struct text_state *t = r->own;
	size_t look, taken;
	const uint8_t *p;
	bool whole;

	if (st != TDAT_OK)
		return st;
	look = r->chunk.end - r->off < LINE_LOOK ? (size_t)(r->chunk.end - r->off) : LINE_LOOK;
	p = relay_reader_get(r, look, err);
	if (!p)
		return relay_reader_status(r);
	find_end(p, look, line, &taken);
	line->off = r->off;
	whole = taken > line->text.len || r->off + taken == r->chunk.end;
	line->cut = !whole;
	t->unended = taken == line->text.len;
	t->last_off = line->off;
	r->off += taken;
	if (line->text.len && line->text.ptr[line->text.len - 1] == '\r')
		line->text.len--;
	return TDAT_OK;
}

/* Skips what ended the line returned last. It moves the window, so the line must have been used. */
static enum tdat_status end_line(struct relay_reader *r, const struct text_line *line,
				 struct tdat_error *err)
{
	const uint8_t *p;

	if (line->cut)
		return pass_rest(r, err);
	if (r->off == line->off)
		return TDAT_OK;
	p = import_window_get(&r->subbufs.window, r->off - 1, 1, err);
	if (!p)
		return relay_reader_status(r);
	return *p ? TDAT_OK : pass_nuls(r, err);
}

/* Adds text up to RELAY_PAYLOAD_MAX in all; *cut is set if it was longer. */
static void add_text(struct tdat_build *b, const uint8_t *p, size_t len, bool *cut)
{
	size_t room = b->len < RELAY_PAYLOAD_MAX ? RELAY_PAYLOAD_MAX - b->len : 0;

	if (len > room) {
		*cut = true;
		len = room;
	}
	tdat_build_bytes(b, p, len);
}

/*
 * Finds out if the file has timestamps, and the first one's time. Reads up to the first one only.
 */
static enum tdat_status scan(struct relay_reader *r, struct tdat_error *err)
{
	struct text_state *t = r->own;
	const struct tdat_emit *emit = r->emit;
	enum tdat_status st;

	/* Nothing is warned of in this extra pass. */
	r->subbufs.emit = NULL;
	do {
		struct text_line line = {0};
		int64_t stamp;
		size_t len;

		st = next_line(r, &line, err);
		if (st == TDAT_OK && gtsc_parse_stamp(line.text, &stamp, &len)) {
			t->has_stamp = true;
			gtsc_scale(r->setup->own, stamp, &t->first_key);
			break;
		}
		if (st == TDAT_OK)
			st = end_line(r, &line, err);
	} while (st == TDAT_OK);
	relay_reader_rewind(r);
	r->emit = r->subbufs.emit = emit;
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

/* Begins a record with the text behind a timestamp. */
static void begin(struct relay_reader *r, const struct text_line *line, int64_t stamp, size_t len,
		  struct import_merge_record *out)
{
	struct text_state *t = r->own;
	bool cut = line->cut;

	t->text.len = 0;
	add_text(&t->text, line->text.ptr + len, line->text.len - len, &cut);
	t->cut += cut;
	r->clamped += !gtsc_scale(r->setup->own, stamp, &out->key);
}

/*
 * Makes a record of one line without a timestamp: before the first one, or in a file without any.
 */
static void lone_line(struct relay_reader *r, const struct text_line *line,
		      struct import_merge_record *out)
{
	const struct gtsc_setup *own = r->setup->own;
	struct text_state *t = r->own;
	bool cut = line->cut;

	t->text.len = 0;
	add_text(&t->text, line->text.ptr, line->text.len, &cut);
	t->cut += cut;
	if (t->has_stamp) {
		t->leading++;
		out->key = t->first_key;
	} else {
		t->unstamped++;
		out->key = own->stamped ? 0 : (int64_t)t->unstamped;
	}
}

/* Adds lines without a timestamp to the record that is being put together. */
static enum tdat_status gather(struct relay_reader *r, struct tdat_error *err)
{
	struct text_state *t = r->own;
	bool cut = false;
	enum tdat_status st;

	for (;;) {
		struct text_line line = {0};
		int64_t stamp;
		size_t len;

		st = next_line(r, &line, err);
		if (st != TDAT_OK)
			break;
		if (gtsc_parse_stamp(line.text, &stamp, &len)) {
			/* It belongs to the next record, which reads it again. */
			r->off = line.off;
			break;
		}
		/*
		 * A line feed becomes "\n" in two characters, since reports have one line per
		 * event.
		 */
		add_text(&t->text, (const uint8_t *)"\\n", 2, &cut);
		add_text(&t->text, line.text.ptr, line.text.len, &cut);
		cut = cut || line.cut;
		t->continuation++;
		st = end_line(r, &line, err);
		if (st != TDAT_OK)
			break;
	}
	t->cut += cut;
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

/*
 * True if none of the bytes [off, off + len) at p is NUL. Up to four blocks are searched ahead,
 * once for many lines.
 */
static bool has_no_nul(struct text_state *t, const uint8_t *p, uint64_t off, size_t len,
		       size_t avail)
{
	const uint8_t *nul;

	if (off >= t->clean_off && off + len <= t->clean_end)
		return true;
	if (avail > NUL_BLOCK * 4)
		avail = NUL_BLOCK * 4;
	nul = memchr(p, 0, avail);
	t->clean_off = off;
	t->clean_end = off + (nul ? (size_t)(nul - p) : avail);
	return off + len <= t->clean_end;
}

/*
 * Takes the record at off if it is of the usual form: one line with a timestamp, another such line
 * behind it, and both beginnings in the window, where the text stays. text_next() does the same
 * (tests/unit/formats/test_import_threads.c compares).
 */
static bool take_usual(struct relay_reader *r, struct import_merge_record *out)
{
	struct text_state *t = r->own;
	const uint8_t *p = NULL, *end;
	size_t avail = relay_reader_in_window(r, &p), stamp_len, len;
	int64_t stamp;

	if (avail <= FIRST_PIECE * 2)
		return false;
	end = memchr(p, '\n', FIRST_PIECE);
	if (!end)
		return false;
	len = (size_t)(end - p);
	/* The line before read this timestamp already, to see that no continuation follows. */
	if (t->ahead_off == r->off && t->ahead_len) {
		stamp = t->ahead_stamp;
		stamp_len = t->ahead_len;
	} else if (!gtsc_parse_stamp((struct tdat_span){p, len}, &stamp, &stamp_len)) {
		return false;
	}
	t->ahead_len = 0;
	/*
	 * There are FIRST_PIECE bytes more, so the next timestamp can be parsed without finding its
	 * line's end.
	 */
	if (!has_no_nul(t, p, r->off, len + 1, avail) ||
	    !gtsc_parse_stamp((struct tdat_span){end + 1, FIRST_PIECE}, &t->ahead_stamp,
			      &t->ahead_len))
		return false;
	r->off += len + 1;
	t->ahead_off = r->off;
	len -= len > stamp_len && p[len - 1] == '\r';
	out->data = (struct tdat_span){p + stamp_len, len - stamp_len};
	r->clamped += !gtsc_scale(r->setup->own, stamp, &out->key);
	return true;
}

static size_t text_batch(struct relay_reader *r, struct import_merge_record *out, size_t max)
{
	size_t n = 0;

	for (; n < max; n++) {
		out[n].cpu = r->file->cpu;
		out[n].lost_before = 0;
		if (!take_usual(r, &out[n]))
			break;
	}
	return n;
}

/* Next record: a line and the lines that belong to it. */
static enum tdat_status text_next(struct relay_reader *r, struct import_merge_record *out,
				  struct tdat_error *err)
{
	struct text_state *t = r->own;
	struct text_line line = {0};
	int64_t stamp;
	size_t len;
	bool stamped;
	enum tdat_status st;

	st = next_line(r, &line, err);
	if (st != TDAT_OK)
		return st;
	stamped = gtsc_parse_stamp(line.text, &stamp, &len);
	if (stamped)
		begin(r, &line, stamp, len, out);
	else
		lone_line(r, &line, out);
	st = end_line(r, &line, err);
	if (st == TDAT_OK && stamped)
		st = gather(r, err);
	if (st != TDAT_OK)
		return st;
	if (t->text.failed)
		return tdat_error_no_memory(err, "a record's text");
	out->data = (struct tdat_span){t->text.ptr, t->text.len};
	return TDAT_OK;
}

/* Prepares a reader: the first pass must know if any file has timestamps. */
static enum tdat_status text_open(struct relay_reader *r, struct tdat_error *err)
{
	struct gtsc_setup *own = r->setup->own;
	struct text_state *t = r->own;
	enum tdat_status st;

	tdat_build_init(&t->text, r->setup->big);
	st = scan(r, err);
	own->stamped = own->stamped || t->has_stamp;
	return st;
}

static void text_close(struct relay_reader *r)
{
	struct text_state *t = r->own;

	tdat_build_fini(&t->text);
}

static void text_rewind(struct relay_reader *r)
{
	struct text_state *t = r->own;

	t->ahead_len = 0;
	t->leading = t->unstamped = t->continuation = t->cut = t->nuls = t->behind_nul = 0;
	t->unended = false;
}

/* Warns of a file's oddities, one sentence for each kind. */
static enum tdat_status text_warn(struct relay_reader *r, struct tdat_error *err)
{
	const struct gtsc_setup *own = r->setup->own;
	const struct text_state *t = r->own;
	const struct {
		uint64_t n;
		const char *sentence;
	} rows[] = {
		{t->leading, "lines before the first timestamp kept at the time of the first "
			     "stamped record"},
		{t->unstamped, own->stamped ? "lines of a file without timestamps kept at time 0"
					    : "lines without timestamps numbered in their order"},
		{t->continuation, "continuation lines joined to the record before them"},
		{t->cut, "records longer than 4000 bytes cut"},
		{t->nuls, "NUL bytes omitted"},
		{t->behind_nul, "bytes after a NUL in their sub-buffer omitted"},
	};
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && st == TDAT_OK; i++)
		if (rows[i].n)
			st = tdat_emit_warnf(r->emit, r->file->name, TDAT_NO_OFFSET, err,
					     "%" PRIu64 " %s", rows[i].n, rows[i].sentence);
	if (st == TDAT_OK && t->unended)
		st = tdat_emit_warnf(r->emit, r->file->name, t->last_off, err,
				     "the file ends within its last line, or lacks the end of it");
	return st;
}

/* Clock of the trace; numbered lines have none. */
static const char *text_clock(const struct relay_setup *s)
{
	const struct gtsc_setup *own = s->own;

	if (!own->stamped)
		return "counter";
	return own->unit == GTSC_TSC && !own->hz ? "x86-tsc" : "local";
}

const struct relay_kind gtsc_text_kind = {
	.importer = "gtsc",
	.own_len = sizeof(struct text_state),
	.locked = true,
	.by_cpu = true,
	.open = text_open,
	.close = text_close,
	.next = text_next,
	.batch = text_batch,
	.rewind = text_rewind,
	.warn = text_warn,
	.clock = text_clock,
	.begin = gtsc_text_begin,
	.record = gtsc_text_record,
	.close_output = gtsc_text_close_output,
};
