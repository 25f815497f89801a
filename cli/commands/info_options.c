/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the values of an option, as the library decodes them, as text and as JSON. The library
 * walks an option's payload and calls a visitor (tdat_file_option_decode); there is one visitor for
 * text and one for JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/info_facts.h"
#include "terminal/safe_text.h"

/* ---- text: a line per value; the values of a list's group share one ---- */

enum { TEXT_INDENT = 8 };

/* The state of the text visitor between two calls. */
struct text_view {
	unsigned depth;
	bool row;   /* values go on the line of a group in a list */
	bool first; /* nothing on that line yet */
};

static void start_line(const struct text_view *t)
{
	printf("%*s", TEXT_INDENT + 2 * (int)t->depth, "");
}

/* Ends the line of a group in a list, if something is on it. */
static void end_row(struct text_view *t)
{
	if (t->row && !t->first)
		putchar('\n');
	t->row = false;
}

/* Begins a value: on a line of its own, or behind a comma in the line of a group. */
static void put_key(struct text_view *t, const char *key)
{
	if (!t->row || t->first)
		start_line(t);
	else
		printf(", ");
	t->first = false;
	if (key)
		printf("%s ", key);
}

static void end_value(const struct text_view *t)
{
	if (!t->row)
		putchar('\n');
}

static void text_number(void *ctx, const char *key, uint64_t value, bool hex)
{
	put_key(ctx, key);
	printf(hex ? "0x%" PRIx64 : "%" PRIu64, value);
	end_value(ctx);
}

static void text_signed(void *ctx, const char *key, int64_t value)
{
	put_key(ctx, key);
	printf("%" PRId64, value);
	end_value(ctx);
}

/*
 * Prints a text; each further line of it is indented to where the text begins. Control bytes are
 * escaped.
 */
static void text_text(void *ctx, const char *key, struct tdat_span s)
{
	struct text_view *t = ctx;
	const char *p = s.len ? (const char *)s.ptr : "", *end = p + s.len, *nl;

	put_key(t, key);
	while (p < end && (nl = memchr(p, '\n', (size_t)(end - p))) && nl + 1 < end) {
		cli_put_text(stdout, p, (size_t)(nl - p));
		printf("\n%*s", TEXT_INDENT + 2 * (int)t->depth + (int)strlen(key ? key : "") + 1,
		       "");
		p = nl + 1;
	}
	if (p < end)
		cli_put_text(stdout, p, (size_t)(end - p) - (end[-1] == '\n'));
	end_value(t);
}

static void text_bytes(void *ctx, const char *key, struct tdat_span s)
{
	put_key(ctx, key);
	for (size_t i = 0; i < s.len; i++)
		printf("%02x", s.ptr[i]);
	end_value(ctx);
}

/* Begins a group. Groups without a key are elements of a list: each has one line. */
static void text_begin(void *ctx, const char *key, bool list)
{
	struct text_view *t = ctx;

	end_row(t);
	if (key) {
		start_line(t);
		puts(key);
	}
	t->depth++;
	t->row = !list && !key;
	t->first = true;
}

static void text_end(void *ctx, bool list)
{
	struct text_view *t = ctx;

	(void)list;
	end_row(t);
	t->depth--;
}

/* Damage within an option is shown in its place; the other options are still printed. */
void info_option_text(const struct tdat_file *file, const struct tdat_file_option *option)
{
	struct text_view t = {0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_file_option_visitor v = {sizeof(v), &t,	  text_number, text_signed,
						   text_text, text_bytes, text_begin,  text_end};

	if (tdat_file_option_decode(file, option, &v, &err)) {
		start_line(&t);
		printf("damaged: ");
		cli_put_str(stdout, err.message);
		putchar('\n');
	}
}

/* ---- JSON ---- */

/* JSON has no hexadecimal numbers. */
static void json_number(void *ctx, const char *key, uint64_t value, bool hex)
{
	(void)hex;
	tdat_json_u64(ctx, key, value);
}

static void json_signed(void *ctx, const char *key, int64_t value)
{
	tdat_json_i64(ctx, key, value);
}

static void json_text(void *ctx, const char *key, struct tdat_span s)
{
	tdat_json_strn(ctx, key, (const char *)s.ptr, s.len);
}

static void json_bytes(void *ctx, const char *key, struct tdat_span s)
{
	tdat_json_hex(ctx, key, s.ptr, s.len);
}

/* A list is an array, a group an object. */
static void json_begin(void *ctx, const char *key, bool list)
{
	if (list)
		tdat_json_array(ctx, key);
	else
		tdat_json_object(ctx, key);
}

static void json_end(void *ctx, bool list)
{
	if (list)
		tdat_json_array_end(ctx);
	else
		tdat_json_object_end(ctx);
}

void info_option_json(struct tdat_json *j, const struct tdat_file *file,
		      const struct tdat_file_option *option)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_file_option_visitor v = {sizeof(v), j,	  json_number, json_signed,
						   json_text, json_bytes, json_begin,  json_end};
	enum tdat_status st;

	/* Values are an object of their own: a key of an option cannot hide "id" or "name". */
	tdat_json_object(j, "value");
	st = tdat_file_option_decode(file, option, &v, &err);
	tdat_json_object_end(j);
	if (st != TDAT_OK)
		tdat_json_str(j, "error", err.message);
}
