/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints rows of values as aligned columns, Markdown, CSV or JSON. Aligned columns are laid out by
 * cli/terminal/columns.c; the other forms print each row at once. All digits of numbers are
 * printed. No text can drive a terminal. Used by tdat sql.
 */
#include "output/result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/build.h"
#include "core/json_text.h"
#include "core/number.h"
#include "core/utf8.h"
#include "terminal/columns.h"
#include "terminal/safe_text.h"

struct cli_result {
	enum cli_result_form form;
	const char *const *names;
	size_t columns, rows;
	struct tdat_build line;
	bool terminal;		  /* CSV goes to one: what nobody sees is escaped, too */
	struct cli_columns table; /* of CLI_RESULT_TABLE */
};

/* ---- text ---- */

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
		cli_build_text(out, v->bytes, v->len, also);
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

/*
 * Numbers are aligned to the right, columns with a text among the first rows to the left. All
 * digits are printed: a query computes with them.
 */
static bool table_row(struct cli_result *r, const struct cli_value *values)
{
	for (size_t i = 0; i < r->columns; i++) {
		r->table.def[i].text |= !r->table.are_fitted && (values[i].kind == CLI_V_TEXT ||
								 values[i].kind == CLI_V_BYTES);
		put_plain(&r->table.cells, &values[i], "");
		cli_cell_end(&r->table);
	}
	return !r->table.failed;
}

/* Characters of a text: a query often has many texts, of which more columns are worth more. */
enum { TEXT_LEAST = 16 };

/* The first column stays on a narrow terminal; of the others the last one is left out first. */
static bool table_head(struct cli_result *r)
{
	struct cli_column *def = calloc(r->columns + 1, sizeof(*def));

	for (size_t i = 0; def && i < r->columns; i++)
		def[i] = (struct cli_column){.title = r->names[i], .drop = (unsigned int)i};
	if (!def)
		return false;
	cli_columns_init(&r->table, def, r->columns, (struct cli_numbers){.exact = true});
	r->table.indent = 0;
	r->table.rule = true;
	r->table.text_least = TEXT_LEAST;
	free(def);
	return !r->table.failed;
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
	if (r->form == CLI_RESULT_TABLE)
		return table_head(r);
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
	if (put_head(r) && flush(r))
		return r;
	if (form == CLI_RESULT_TABLE)
		cli_columns_end(&r->table);
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
	bool ok = r->form != CLI_RESULT_TABLE || cli_columns_end(&r->table);

	if (r->form == CLI_RESULT_JSON)
		tdat_build_str(&r->line, r->rows ? "\n]\n" : "[]\n");
	ok = flush(r) && ok;
	result_free(r);
	return ok;
}
