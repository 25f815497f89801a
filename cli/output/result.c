/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints rows of values as aligned columns, Markdown, CSV or JSON. Aligned columns need widths, so
 * the first rows are kept in that form; the others print each row at once. No text can drive a
 * terminal.
 */
#include "output/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/build.h"
#include "core/grow.h"
#include "core/json_text.h"
#include "core/number.h"
#include "core/utf8.h"

/*
 * The rows that decide the widths of columns: later ones are printed as they are read, and may be
 * wider.
 */
enum { WIDTH_ROWS = 500 };

struct cli_result {
	enum cli_result_form form;
	const char *const *names;
	size_t columns, rows;
	struct tdat_build line;
	bool terminal; /* CSV goes to one: what nobody sees is escaped, too */
	/* Cells of CLI_RESULT_TABLE are kept until the widths of the columns are known. */
	struct tdat_build cells; /* text of all */
	size_t *ends;		 /* of each cell in cells */
	size_t end_count, end_room;
	size_t *widths;
	bool *left; /* by column: it has a value that is no number, and is aligned to the left */
	bool widths_known;
};

/* ---- text ---- */

/*
 * Writes text like cli_put_text(), and puts a backslash before the characters of `also`, which
 * would end a cell.
 */
static void put_safe(struct tdat_build *out, const void *bytes, size_t len, const char *also)
{
	const uint8_t *p = bytes;

	while (len) {
		uint32_t code = 0;
		size_t n = tdat_utf8_len(p, len, &code);

		if (n && !tdat_utf8_is_hidden(code)) {
			if (n == 1 && strchr(also, (int)code))
				tdat_build_u8(out, '\\');
			tdat_build_bytes(out, p, n);
		} else {
			n = n ? n : 1;
			for (size_t i = 0; i < n; i++)
				tdat_build_printf(out, "\\x%02x", (unsigned int)p[i]);
		}
		p += n;
		len -= n;
	}
}

/* The text of a value for people; NULL is a word, to differ from an empty text. */
static void put_plain(struct tdat_build *out, const struct cli_value *v, const char *also)
{
	switch (v->kind) {
	case CLI_V_NULL:
		tdat_build_str(out, "NULL");
		break;
	case CLI_V_INT:
		tdat_build_printf(out, "%" PRId64, v->number);
		break;
	case CLI_V_REAL:
		tdat_number_real(out, v->real, false, true);
		break;
	case CLI_V_TEXT:
		put_safe(out, v->bytes, v->len, also);
		break;
	case CLI_V_BYTES:
		tdat_build_hex(out, v->bytes, v->len);
		break;
	}
}

/* ---- JSON ---- */

/* JSON has no infinity and no bytes: the one is a text, the other hexadecimal. */
static void put_json(struct tdat_build *out, const struct cli_value *v)
{
	switch (v->kind) {
	case CLI_V_NULL:
		tdat_build_str(out, "null");
		break;
	case CLI_V_TEXT:
		tdat_json_quoted(out, v->bytes, v->len);
		break;
	case CLI_V_REAL:
		if (isfinite(v->real))
			tdat_number_real(out, v->real, false, true);
		else
			tdat_build_str(out, v->real > 0 ? "\"Infinity\"" : "\"-Infinity\"");
		break;
	case CLI_V_BYTES:
		tdat_build_u8(out, '"');
		tdat_build_hex(out, v->bytes, v->len);
		tdat_build_u8(out, '"');
		break;
	default:
		put_plain(out, v, "");
		break;
	}
}

/* One object for each row: an element of the array, or a line of JSON Lines. */
static void json_row(struct cli_result *r, const struct cli_value *values)
{
	if (r->form == CLI_RESULT_JSON)
		tdat_build_str(&r->line, r->rows ? ",\n" : "[\n");
	tdat_build_u8(&r->line, '{');
	for (size_t i = 0; i < r->columns; i++) {
		tdat_build_str(&r->line, i ? "," : "");
		tdat_json_quoted(&r->line, r->names[i], strlen(r->names[i]));
		tdat_build_u8(&r->line, ':');
		put_json(&r->line, &values[i]);
	}
	tdat_build_str(&r->line, r->form == CLI_RESULT_JSON ? "}" : "}\n");
}

/* ---- CSV, as tdat export writes it, except for control bytes on a terminal ---- */

/*
 * Quotes a text if a reader would otherwise split or trim it. An empty text has quotes, a null does
 * not.
 */
static void put_csv_text(struct cli_result *r, const void *bytes, size_t len)
{
	struct tdat_build *out = &r->line;
	const char *p = bytes;
	bool quote = !len || p[0] == ' ' || p[len - 1] == ' ';

	for (size_t i = 0; i < len && !quote; i++)
		quote = strchr(",\"\r\n", p[i]) && p[i];
	tdat_build_str(out, quote ? "\"" : "");
	while (len) {
		uint32_t code = 0;
		const size_t n = tdat_utf8_len(p, len, &code), step = n ? n : 1;

		if (*p == '"')
			tdat_build_str(out, "\"\"");
		else if (*p == '\n' || *p == '\t' ||
			 (n &&
			  !(r->terminal ? tdat_utf8_is_hidden(code) : tdat_utf8_is_control(code))))
			tdat_build_bytes(out, p, step);
		else
			for (size_t i = 0; i < step; i++)
				tdat_build_printf(out, "\\x%02x", (unsigned int)(uint8_t)p[i]);
		p += step;
		len -= step;
	}
	tdat_build_str(out, quote ? "\"" : "");
}

/* RFC 4180 ends lines with CR LF; a terminal takes a carriage return for a command. */
static void csv_row(struct cli_result *r, const struct cli_value *values)
{
	for (size_t i = 0; i < r->columns; i++) {
		tdat_build_str(&r->line, i ? "," : "");
		if (values[i].kind == CLI_V_TEXT ||
		    (values[i].kind == CLI_V_BYTES && !values[i].len))
			put_csv_text(r, values[i].bytes, values[i].len);
		else if (values[i].kind != CLI_V_NULL)
			put_plain(&r->line, &values[i], "");
	}
	tdat_build_str(&r->line, r->terminal ? "\n" : "\r\n");
}

/* ---- Markdown ---- */

/* The characters that Markdown gives a meaning within a cell are escaped. */
static void markdown_row(struct cli_result *r, const struct cli_value *values)
{
	for (size_t i = 0; i < r->columns; i++) {
		tdat_build_str(&r->line, i ? " | " : "| ");
		put_plain(&r->line, &values[i], "|\\`<*[");
	}
	tdat_build_str(&r->line, " |\n");
}

/* ---- a table ---- */

/* Ends a cell in r->cells. Widths grow until they are known. */
static bool keep_cell(struct cli_result *r, size_t column)
{
	const size_t start = r->end_count ? r->ends[r->end_count - 1] : 0;
	size_t width;

	if (r->cells.failed || !TDAT_GROW(r->ends, &r->end_room, r->end_count + 1))
		return false;
	r->ends[r->end_count++] = r->cells.len;
	width = tdat_utf8_count(r->cells.ptr + start, r->cells.len - start);
	if (!r->widths_known && width > r->widths[column])
		r->widths[column] = width;
	return true;
}

/*
 * Prints the kept cells and forgets them. With head the first ones are the names of the columns,
 * which get a line below.
 */
static void print_cells(struct cli_result *r, bool head)
{
	size_t start = 0;

	for (size_t k = 0; k < r->end_count; k++) {
		const size_t column = k % r->columns, len = r->ends[k] - start;
		const size_t wide = tdat_utf8_count(r->cells.ptr + start, len);
		const size_t pad = wide < r->widths[column] ? r->widths[column] - wide : 0;
		const bool left = r->left[column], last = column + 1 == r->columns;

		tdat_build_str(&r->line, column ? "  " : "");
		tdat_build_fill(&r->line, ' ', left ? 0 : pad);
		tdat_build_bytes(&r->line, r->cells.ptr + start, len);
		tdat_build_fill(&r->line, ' ', left && !last ? pad : 0);
		tdat_build_str(&r->line, last ? "\n" : "");
		for (size_t i = 0; i < r->columns && head && last && k < r->columns; i++) {
			tdat_build_str(&r->line, i ? "  " : "");
			tdat_build_fill(&r->line, '-', r->widths[i]);
			tdat_build_str(&r->line, i + 1 == r->columns ? "\n" : "");
		}
		start = r->ends[k];
	}
	r->cells.len = 0;
	r->end_count = 0;
}

/* Numbers are aligned to the right, columns with a text to the left: not for their name's sake. */
static bool table_row(struct cli_result *r, const struct cli_value *values)
{
	for (size_t i = 0; i < r->columns; i++) {
		put_plain(&r->cells, &values[i], "");
		if (!r->widths_known && r->end_count >= r->columns &&
		    (values[i].kind == CLI_V_TEXT || values[i].kind == CLI_V_BYTES))
			r->left[i] = true;
		if (!keep_cell(r, i))
			return false;
	}
	if (r->widths_known || r->rows + 1 == WIDTH_ROWS) {
		print_cells(r, !r->widths_known);
		r->widths_known = true;
	}
	return true;
}

/* ---- results ---- */

static bool put_row(struct cli_result *r, const struct cli_value *values)
{
	switch (r->form) {
	case CLI_RESULT_TABLE:
		return table_row(r, values);
	case CLI_RESULT_CSV:
		csv_row(r, values);
		break;
	case CLI_RESULT_MARKDOWN:
		markdown_row(r, values);
		break;
	default:
		json_row(r, values);
		break;
	}
	return true;
}

/* Names of columns are a row of texts; JSON has them in each row. */
static bool put_head(struct cli_result *r)
{
	struct cli_value *names;
	bool ok;

	if (r->form == CLI_RESULT_JSON || r->form == CLI_RESULT_JSONL)
		return true;
	names = calloc(r->columns + 1, sizeof(*names));
	for (size_t i = 0; names && i < r->columns; i++)
		names[i] = (struct cli_value){
			.kind = CLI_V_TEXT, .bytes = r->names[i], .len = strlen(r->names[i])};
	ok = names && put_row(r, names);
	free(names);
	for (size_t i = 0; i < r->columns && r->form == CLI_RESULT_MARKDOWN; i++)
		tdat_build_str(&r->line, i ? "---|" : "|---|");
	tdat_build_str(&r->line, r->form == CLI_RESULT_MARKDOWN ? "\n" : "");
	return ok;
}

/* Prints the collected line; false if memory was missing for it. */
static bool flush(struct cli_result *r)
{
	const bool ok = !r->line.failed;

	if (ok && r->line.len)
		fwrite(r->line.ptr, 1, r->line.len, stdout);
	r->line.len = 0;
	return ok;
}

static void result_free(struct cli_result *r)
{
	tdat_build_fini(&r->line);
	tdat_build_fini(&r->cells);
	free(r->ends);
	free(r->widths);
	free(r->left);
	free(r);
}

/* Prints the head of the form. names must outlive the result. NULL: no memory. */
struct cli_result *cli_result_new(enum cli_result_form form, const char *const *names,
				  size_t columns)
{
	struct cli_result *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->form = form;
	r->names = names;
	r->columns = columns;
	r->terminal = isatty(STDOUT_FILENO);
	tdat_build_init(&r->line, false);
	tdat_build_init(&r->cells, false);
	r->widths = calloc(columns + 1, sizeof(*r->widths));
	r->left = calloc(columns + 1, sizeof(*r->left));
	if (r->widths && r->left && put_head(r) && flush(r))
		return r;
	result_free(r);
	return NULL;
}

/* Prints one row, or keeps it for the widths. False: no memory. */
bool cli_result_row(struct cli_result *r, const struct cli_value *values)
{
	if (!put_row(r, values))
		return false;
	r->rows++;
	return flush(r);
}

/* Prints the end of the form and frees the result. */
bool cli_result_end(struct cli_result *r)
{
	bool ok;

	if (r->form == CLI_RESULT_TABLE)
		print_cells(r, !r->widths_known);
	else if (r->form == CLI_RESULT_JSON)
		tdat_build_str(&r->line, r->rows ? "\n]\n" : "[]\n");
	ok = flush(r);
	result_free(r);
	return ok;
}
