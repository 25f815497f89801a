/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lays out the tables that people read. Cells are kept as text until WIDTH_ROWS rows decide the
 * widths of columns; later rows are printed as they come. Only a terminal limits the width: first
 * columns are left out until texts keep text_least characters, then texts are cut. All commands
 * with tables use it, and so does "tdat sql".
 */
#include "terminal/columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/grow.h"
#include "core/utf8.h"
#include "terminal/color.h"
#include "terminal/safe_text.h"
#include "terminal/screen.h"
#include "terminal/units.h"

enum {
	WIDTH_ROWS = 500,
	GAP = 2,	 /* blanks between columns */
	TEXT_LEAST = 30, /* see text_least: a kind, an address and a part of a symbol */
	TEXT_END = 8,	 /* characters that a text keeps if nothing else can be left out */
	EMPTY = 1 << 16	 /* columns of "-" alone are left out before others */
};

void cli_columns_init(struct cli_columns *t, const struct cli_column *def, size_t count,
		      struct cli_numbers numbers)
{
	*t = (struct cli_columns){
		.numbers = numbers, .indent = 2, .text_least = TEXT_LEAST, .count = count};
	tdat_build_init(&t->cells, false);
	t->def = calloc(count + 1, sizeof(*t->def));
	t->widths = calloc(count + 1, sizeof(*t->widths));
	t->filled = calloc(count + 1, sizeof(*t->filled));
	t->left_out = calloc(count + 1, sizeof(*t->left_out));
	t->failed = !t->def || !t->widths || !t->filled || !t->left_out;
	if (t->failed)
		return;
	memcpy(t->def, def, count * sizeof(*def));
	for (size_t i = 0; i < count; i++)
		cli_cell_str(t, def[i].title);
	t->has_titles = t->cells.len > 0;
}

/* ---- widths ---- */

/* The width of a line if no text is wider than `text` characters. */
static size_t line_width(const struct cli_columns *t, size_t text)
{
	size_t sum = t->indent, shown = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->left_out[i])
			continue;
		sum += t->def[i].text && t->widths[i] > text ? text : t->widths[i];
		sum += shown++ ? GAP : 0;
	}
	return sum;
}

/* Leaves out the column with the greatest number. False: none may go. */
static bool leave_one_out(struct cli_columns *t)
{
	size_t found = t->count, most = 0;

	for (size_t i = 0; i < t->count; i++) {
		const size_t drop = t->def[i].drop + (t->filled[i] ? 0u : EMPTY);

		if (t->left_out[i] || !t->def[i].drop || drop < most)
			continue;
		most = drop;
		found = i;
	}
	if (found < t->count)
		t->left_out[found] = true;
	return found < t->count;
}

/* Fits the columns to the terminal: texts get the greatest width that all of them may have. */
static void fit(struct cli_columns *t)
{
	const size_t most = cli_screen_width();
	size_t text = most;

	t->are_fitted = true;
	t->cuts = most > 0;
	if (!most)
		return;
	while (line_width(t, t->text_least) > most && leave_one_out(t))
		;
	while (text > TEXT_END && line_width(t, text) > most)
		text--;
	for (size_t i = 0; i < t->count; i++)
		if (t->def[i].text && t->widths[i] > text)
			t->widths[i] = text;
}

/* ---- rows ---- */

/* Prints as many characters of a text as fit, the last one being the sign of a cut. */
static void put_cut(const uint8_t *text, size_t len, size_t width)
{
	const bool utf8 = cli_screen_is_utf8();
	size_t keep = width - 1, n = 0;

	while (n < len && (keep || (text[n] & 0xc0) == 0x80))
		keep -= (text[n++] & 0xc0) != 0x80;
	fwrite(text, 1, n, stdout);
	fputs(utf8 ? "…" : "~", stdout);
}

/* Prints one cell behind `blanks` that earlier cells have left; returns those after it. */
static size_t put_cell(const struct cli_columns *t, size_t column, const uint8_t *text, size_t len,
		       size_t blanks)
{
	const size_t wide = tdat_utf8_count(text, len), width = t->widths[column];
	const bool is_text = t->def[column].text;
	const size_t pad = wide < width ? width - wide : 0;

	if (!len)
		return blanks + width;
	printf("%*s", (int)(blanks + (is_text ? 0 : pad)), "");
	if (is_text && wide > width && t->cuts)
		put_cut(text, len, width);
	else
		fwrite(text, 1, len, stdout);
	return is_text ? pad : 0;
}

static void put_rule(const struct cli_columns *t)
{
	bool first = true;

	for (size_t i = 0; i < t->count; i++) {
		if (t->left_out[i])
			continue;
		printf("%*s", first ? (int)t->indent : GAP, "");
		for (size_t k = 0; k < t->widths[i]; k++)
			putchar('-');
		first = false;
	}
	putchar('\n');
}

/* Prints the kept rows and forgets them. No line ends in blanks. */
static void put_rows(struct cli_columns *t)
{
	const bool head = !t->are_fitted, bold = head && t->has_titles && cli_color(stdout);
	size_t start = 0, blanks = 0;

	if (head)
		fit(t);
	for (size_t k = 0; k < t->end_count; k++) {
		const size_t column = k % t->count;

		if (!column)
			blanks = t->indent;
		if (bold && !k)
			fputs("\033[1m", stdout);
		if (!t->left_out[column])
			blanks = put_cell(t, column, t->cells.ptr + start, t->ends[k] - start,
					  blanks) +
				 GAP;
		start = t->ends[k];
		if (column + 1 < t->count || (head && !t->has_titles && k < t->count))
			continue;
		if (bold && k < t->count)
			fputs("\033[m", stdout);
		putchar('\n');
		if (head && t->rule && k < t->count)
			put_rule(t);
	}
	t->cells.len = 0;
	t->end_count = 0;
}

/* Names the columns that were left out: nothing is hidden silently. */
static void put_left_out(const struct cli_columns *t)
{
	bool any = false;

	for (size_t i = 0; i < t->count; i++) {
		if (!t->left_out[i])
			continue;
		printf("%s%s", any ? ", " : "  (omitted columns: ", t->def[i].title);
		any = true;
	}
	if (any)
		puts(")");
}

bool cli_columns_end(struct cli_columns *t)
{
	const bool ok = !t->failed && !t->cells.failed;

	if (ok) {
		put_rows(t);
		put_left_out(t);
	}
	tdat_build_fini(&t->cells);
	free(t->ends);
	free(t->def);
	free(t->widths);
	free(t->filled);
	free(t->left_out);
	return ok;
}

/* ---- cells ---- */

void cli_cell_end(struct cli_columns *t)
{
	const size_t start = t->end_count ? t->ends[t->end_count - 1] : 0;
	size_t column, width;

	if (t->failed || t->cells.failed || !TDAT_GROW(t->ends, &t->end_cap, t->end_count + 1)) {
		t->failed = true;
		return;
	}
	column = t->end_count % t->count;
	t->ends[t->end_count++] = t->cells.len;
	width = tdat_utf8_count(t->cells.ptr + start, t->cells.len - start);
	if (!t->are_fitted && width > t->widths[column])
		t->widths[column] = width;
	t->filled[column] |= t->end_count > t->count && (width != 1 || t->cells.ptr[start] != '-');
	if (column + 1 == t->count &&
	    (t->are_fitted || t->end_count == (WIDTH_ROWS + 1) * t->count))
		put_rows(t);
}

void cli_cell_text(struct cli_columns *t, const void *text, size_t len)
{
	cli_build_text(&t->cells, text, len, "");
	cli_cell_end(t);
}

void cli_cell_str(struct cli_columns *t, const char *text)
{
	cli_cell_text(t, text, strlen(text));
}

void cli_cell_none(struct cli_columns *t)
{
	cli_cell_str(t, "-");
}

void cli_cell_count(struct cli_columns *t, uint64_t count)
{
	char buf[CLI_UNIT_ROOM];

	cli_cell_str(t, cli_unit_count(buf, count, t->numbers.exact));
}

void cli_cell_lost(struct cli_columns *t, uint64_t count, uint64_t marks)
{
	char buf[CLI_UNIT_ROOM];

	if (count || !marks)
		tdat_build_str(&t->cells, cli_unit_count(buf, count, t->numbers.exact));
	if (count && marks)
		tdat_build_str(&t->cells, "+");
	cli_cell_str(t, marks ? "?" : "");
}

void cli_cell_bytes(struct cli_columns *t, uint64_t bytes)
{
	char buf[CLI_UNIT_ROOM];

	cli_cell_str(t, cli_unit_bytes(buf, bytes, t->numbers.exact));
}

void cli_cell_time(struct cli_columns *t, uint64_t time)
{
	char buf[CLI_UNIT_ROOM];

	cli_cell_str(t,
		     (t->numbers.ns ? cli_unit_ns : cli_unit_count)(buf, time, t->numbers.exact));
}

void cli_cell_value(struct cli_columns *t, int64_t value, bool is_time)
{
	const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	tdat_build_str(&t->cells, value < 0 ? "-" : "");
	if (is_time)
		cli_cell_time(t, size);
	else
		cli_cell_count(t, size);
}

void cli_cell_ts(struct cli_columns *t, uint64_t ts)
{
	if (t->numbers.ns)
		tdat_build_printf(&t->cells, "%" PRIu64 ".%09" PRIu64, ts / 1000000000,
				  ts % 1000000000);
	else
		tdat_build_printf(&t->cells, "%" PRIu64, ts);
	cli_cell_end(t);
}

void cli_cell_share(struct cli_columns *t, uint64_t part, uint64_t whole)
{
	char buf[CLI_UNIT_ROOM];

	cli_cell_str(t, cli_unit_share(buf, part, whole));
}
