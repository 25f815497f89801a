/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out which program wrote a listing, and what its columns are. The head of the listing is
 * compared with the forms that are known; one without a head is told by its rows. Probing uses
 * the same code and allocates nothing.
 */
#include "core/text.h"
#include "import/window.h"
#include "ktr.h"

#include <string.h>

/*
 * HEAD_LEN: bytes of the head; LINES_MAX, ROWS_MAX: lines of it that are used; LINE_BITS: bits of
 * confidence per row.
 */
enum { HEAD_LEN = 16 * 1024, LINES_MAX = 64, ROWS_MAX = 32, LINE_BITS = 24 };

/* Head of a listing; on the stack, so that probing cannot fail for lack of memory. */
struct head {
	uint8_t buf[HEAD_LEN];
	struct tdat_span lines[LINES_MAX];
	size_t line_count;
};

const char *ktr_text_form_name(enum ktr_text_form form)
{
	static const char *const names[] = {
		[KTR_TEXT_NONE] = "unknown",	     [KTR_TEXT_KTRDUMP] = "ktrdump-text",
		[KTR_TEXT_DTRACE] = "dtrace-text",   [KTR_TEXT_DRAGONFLY] = "dragonfly-text",
		[KTR_TEXT_TDUMP] = "tdump-text",     [KTR_TEXT_KDEBUG] = "kdebug-text",
		[KTR_TEXT_DDB] = "ddb-text",	     [KTR_TEXT_DDB_OLD] = "ddb-text",
		[KTR_TEXT_CONSOLE] = "console-text",
	};

	return names[form];
}

/* Reads the head and splits it into lines. False: it is empty or not text (it has a NUL). */
static bool read_head(const struct tdat_source *source, struct head *h)
{
	struct tdat_span text = import_look(source, h->buf, HEAD_LEN), line;
	const bool cut =
		text.len < tdat_source_len(source) && text.len && text.ptr[text.len - 1] != '\n';

	h->line_count = 0;
	if (!text.len || memchr(text.ptr, 0, text.len))
		return false;
	while (h->line_count < LINES_MAX && tdat_take_line(&text, &line)) {
		/* A line that ends behind the head is incomplete, and may look like anything. */
		if (!text.len && cut && h->line_count)
			break;
		line.len -= line.len && line.ptr[line.len - 1] == '\r';
		ktr_text_unquote(&line);
		h->lines[h->line_count++] = line;
	}
	return true;
}

static const uint8_t *find(struct tdat_span line, const char *word)
{
	return memmem(line.ptr, line.len, word, strlen(word));
}

/*
 * Counts the rows among the first lines; *all is false if other lines, noise apart, are between
 * them.
 */
static size_t count_rows(const struct head *h, const struct ktr_text_shape *shape, bool *all)
{
	struct ktr_text_row row;
	size_t rows = 0;

	*all = true;
	for (size_t i = 0; i < h->line_count && i < ROWS_MAX; i++) {
		if (ktr_text_row(shape, h->lines[i], &row))
			rows++;
		else if (!ktr_text_is_noise(shape, h->lines[i]))
			*all = false;
	}
	return rows;
}

static bool has_column(const struct ktr_text_shape *s, enum ktr_column column)
{
	for (unsigned int i = 0; i < s->column_count; i++)
		if (s->columns[i] == column)
			return true;
	return false;
}

/* Hz of "TSC frequency is 2394.230 MHz"; 0: the line does not say it. */
static uint64_t hz_of(struct tdat_span line)
{
	uint64_t hz = 0, rest = 0;
	size_t decimals = 0;

	tdat_take_blanks(&line);
	if (!tdat_take_u64(&line, 10, &hz) || hz > UINT64_MAX / 2000000)
		return 0;
	if (ktr_span_skip(&line, ".")) {
		line.len = line.len < 6 ? line.len : 6;
		decimals = tdat_take_digits(&line, 10, &rest);
	}
	/* MHz has six decimals. */
	for (; decimals < 6; decimals++)
		rest *= 10;
	return hz * 1000000 + rest;
}

/* Whether DragonFly's first line is there, which may tell the rate. */
static bool find_frequency(const struct head *h, struct ktr_text_shape *s)
{
	for (size_t i = 0; i < h->line_count; i++) {
		struct tdat_span line = h->lines[i];

		tdat_take_blanks(&line);
		if (!ktr_span_skip(&line, "TSC frequency is "))
			continue;
		s->hz = hz_of(line);
		return true;
	}
	return false;
}

/* Tries a heading of ktrdump: DragonFly's has a line before it, columns or rows of its own. */
static bool try_ktrdump(const struct head *h, struct ktr_text_shape *s)
{
	size_t i = 0, rows;
	bool all;

	while (i < h->line_count && !ktr_text_header(h->lines[i], s))
		i++;
	if (i == h->line_count)
		return false;
	s->form = KTR_TEXT_DRAGONFLY;
	if (find_frequency(h, s) || has_column(s, KTR_COLUMN_ID) ||
	    has_column(s, KTR_COLUMN_CALLERS))
		return true;
	rows = count_rows(h, s, &all);
	s->form = KTR_TEXT_KTRDUMP;
	if (rows && rows >= count_rows(h, s, &all))
		s->form = KTR_TEXT_DRAGONFLY;
	return true;
}

/* Tries BSD/OS tdump, by its heading. */
static bool try_tdump(const struct head *h, struct ktr_text_shape *s)
{
	for (size_t i = 0; i < h->line_count; i++) {
		struct tdat_span line = h->lines[i];
		bool all;

		tdat_take_blanks(&line);
		if (!ktr_span_skip(&line, "C Idx ") && !ktr_span_skip(&line, "C Index "))
			continue;
		s->form = KTR_TEXT_TDUMP;
		s->deltas = find(line, "Delta-T") != NULL;
		/* Five hex words in every row are parameters of -v, not words of the text. */
		s->words = true;
		s->words = count_rows(h, s, &all) > 0 && all;
		return true;
	}
	return false;
}

/* Tries BSD/OS kdebug, whose first line names the time from which deltas count down. */
static bool try_kdebug(const struct head *h, struct ktr_text_shape *s)
{
	static const char mark[] = "Newest entry at clock ";

	for (size_t i = 0; i < h->line_count; i++) {
		const uint8_t *p = find(h->lines[i], mark), *end;

		if (!p)
			continue;
		end = h->lines[i].ptr + h->lines[i].len;
		tdat_read_digits((const char *)p + strlen(mark), (const char *)end, 16, &s->newest);
		s->form = KTR_TEXT_KDEBUG;
		s->deltas = s->has_newest = true;
		return true;
	}
	return false;
}

/* Tries a form by its rows alone. pure: no other lines may be between them. */
static bool try_rows(const struct head *h, struct ktr_text_shape *s, enum ktr_text_form form,
		     bool pure)
{
	bool all;

	s->form = form;
	return count_rows(h, s, &all) > 0 && (all || !pure);
}

/* True if the older ddb's last line is in the head, which no other tool prints. */
static bool ends_with_buffer_end(const struct head *h)
{
	for (size_t i = 0; i < h->line_count; i++)
		if (find(h->lines[i], "--- End of trace buffer ---"))
			return true;
	return false;
}

/* True if some row has a time, which rules out numbered lists. */
static bool any_row_with_time(const struct head *h, const struct ktr_text_shape *s)
{
	struct ktr_text_row row;

	for (size_t i = 0; i < h->line_count; i++)
		if (ktr_text_row(s, h->lines[i], &row) && row.has_time)
			return true;
	return false;
}

/* True if the indexes of the first two rows differ by one. */
static bool indexes_step(const struct head *h, const struct ktr_text_shape *s)
{
	struct ktr_text_row rows[2];
	size_t n = 0;

	for (size_t i = 0; i < h->line_count && n < 2; i++)
		n += ktr_text_row(s, h->lines[i], &rows[n]);
	return n == 2 && (rows[0].index + 1 == rows[1].index || rows[1].index + 1 == rows[0].index);
}

/*
 * Finds, without a heading (ktrdump -q), the most columns of order, which has count, that fit every
 * row. Higher masks come first. lone: there may be none of them.
 */
static bool try_columns(const struct head *h, struct ktr_text_shape *s,
			const enum ktr_column *order, unsigned int count, bool lone)
{
	s->strict = true;
	for (unsigned int mask = 1u << count; mask-- > 0;) {
		bool all;

		s->column_count = 0;
		for (unsigned int i = 0; i < count; i++)
			if (mask & 1u << (count - 1 - i))
				s->columns[s->column_count++] = order[i];
		/* An index alone fits any line with a number, so it must count up or down. */
		if (count_rows(h, s, &all) && all && (mask || (lone && indexes_step(h, s))))
			return true;
	}
	return false;
}

/* Blanks before a row beyond those of an index that is six wide; with none the index fills it. */
static int indent_of(const struct head *h)
{
	struct tdat_span line = h->line_count ? h->lines[0] : (struct tdat_span){0};
	const size_t len = line.len;
	uint64_t index;

	tdat_take_blanks(&line);
	if (line.len == len || !tdat_take_digits(&line, 10, &index))
		return 0;
	return (int)(len - line.len) - 6;
}

static bool try_headless(const struct head *h, struct ktr_text_shape *s)
{
	static const enum ktr_column order[] = {KTR_COLUMN_CPU, KTR_COLUMN_TIME, KTR_COLUMN_FILE,
						KTR_COLUMN_THREAD};

	s->form = KTR_TEXT_KTRDUMP;
	s->indent = indent_of(h);
	return try_columns(h, s, order, 4, true);
}

/* The same of DragonFly. An index alone may be FreeBSD's, too, unless the first line is there. */
static bool try_headless_dragonfly(const struct head *h, struct ktr_text_shape *s)
{
	static const enum ktr_column order[] = {KTR_COLUMN_CPU, KTR_COLUMN_TIME, KTR_COLUMN_CALLERS,
						KTR_COLUMN_ID, KTR_COLUMN_FILE};

	s->form = KTR_TEXT_DRAGONFLY;
	return try_columns(h, s, order, 5, find_frequency(h, s));
}

/* Tries the forms, the most telling first. Each try may leave traces in *s, hence the resets. */
static void shape_of(const struct head *h, struct ktr_text_shape *s)
{
	static const struct ktr_text_shape none = {0};

	*s = none;
	if (try_ktrdump(h, s) || try_tdump(h, s) || try_kdebug(h, s))
		return;
	*s = none;
	if (try_rows(h, s, KTR_TEXT_DDB, false))
		return;
	if (try_rows(h, s, KTR_TEXT_DDB_OLD, false) &&
	    (ends_with_buffer_end(h) || any_row_with_time(h, s)))
		return;
	*s = none;
	if (try_rows(h, s, KTR_TEXT_DTRACE, false))
		return;
	*s = none;
	if (try_headless_dragonfly(h, s))
		return;
	*s = none;
	if (try_headless(h, s))
		return;
	*s = none;
	if (!try_rows(h, s, KTR_TEXT_CONSOLE, false))
		*s = none;
}

/* Finds the form and columns of a listing; form is KTR_TEXT_NONE if it is not one. */
void ktr_text_shape(const struct tdat_source *source, struct ktr_text_shape *out)
{
	struct head h;

	*out = (struct ktr_text_shape){0};
	if (read_head(source, &h))
		shape_of(&h, out);
}

bool ktr_text_is(const struct tdat_source *source)
{
	struct ktr_text_shape s;

	ktr_text_shape(source, &s);
	return s.form != KTR_TEXT_NONE;
}

/* Confidence in bits that a file is a listing of KTR. */
uint32_t ktr_text_probe(const struct tdat_source *source)
{
	struct ktr_text_shape s = {0};
	struct head h;
	size_t rows;
	bool all;

	if (!read_head(source, &h))
		return 0;
	shape_of(&h, &s);
	if (s.form == KTR_TEXT_NONE)
		return 0;
	rows = count_rows(&h, &s, &all);
	/* Without a header a row is little more than a number at its start. */
	if (s.strict || s.form == KTR_TEXT_CONSOLE)
		return all ? (uint32_t)rows * (s.column_count ? LINE_BITS : 8) : 0;
	/* A heading is worth 64 bits by itself. */
	return 64 + (uint32_t)rows * LINE_BITS;
}
