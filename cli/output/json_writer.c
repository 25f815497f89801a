/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON to a stdio stream as its values come. It knows where commas and indents go, so
 * callers only name members. Text is escaped; numbers are exact. Commands with --json use it;
 * lines of dump and export are the exporters'.
 */
#include "output/json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/json_text.h"

void cli_json_init(struct cli_json *j, FILE *to, bool pretty)
{
	memset(j, 0, sizeof(*j));
	j->to = to;
	j->pretty = pretty;
}

void cli_json_end(struct cli_json *j)
{
	assert(j->depth == 0);
	putc('\n', j->to);
}

static void indent(struct cli_json *j)
{
	if (!j->pretty)
		return;
	putc('\n', j->to);
	for (uint32_t i = 0; i < j->depth; i++)
		fputs("  ", j->to);
}

static void put_string(FILE *to, const char *text, size_t len)
{
	uint8_t escape[TDAT_JSON_ESCAPE];
	const uint8_t *p = (const uint8_t *)text;

	putc('"', to);
	while (len) {
		struct tdat_span piece = tdat_json_next(&p, &len, escape);

		fwrite(piece.ptr, 1, piece.len, to);
	}
	putc('"', to);
}

/* Writes comma, line end and key before a value. */
static void lead(struct cli_json *j, const char *key)
{
	if (!j->depth)
		return;
	if (j->filled[j->depth - 1])
		putc(',', j->to);
	j->filled[j->depth - 1] = true;
	indent(j);
	if (!key)
		return;
	put_string(j->to, key, strlen(key));
	fputs(j->pretty ? ": " : ":", j->to);
}

static void open_level(struct cli_json *j, const char *key, char bracket)
{
	lead(j, key);
	putc(bracket, j->to);
	assert(j->depth < CLI_JSON_DEPTH);
	j->filled[j->depth++] = false;
}

static void close_level(struct cli_json *j, char bracket)
{
	bool filled;

	assert(j->depth > 0);
	filled = j->filled[--j->depth];
	if (filled)
		indent(j);
	putc(bracket, j->to);
}

void cli_json_object(struct cli_json *j, const char *key)
{
	open_level(j, key, '{');
}

void cli_json_object_end(struct cli_json *j)
{
	close_level(j, '}');
}

void cli_json_array(struct cli_json *j, const char *key)
{
	open_level(j, key, '[');
}

void cli_json_array_end(struct cli_json *j)
{
	close_level(j, ']');
}

void cli_json_str(struct cli_json *j, const char *key, const char *text)
{
	if (text)
		cli_json_strn(j, key, text, strlen(text));
	else
		cli_json_null(j, key);
}

void cli_json_strn(struct cli_json *j, const char *key, const char *text, size_t len)
{
	lead(j, key);
	put_string(j->to, text, len);
}

void cli_json_hex(struct cli_json *j, const char *key, const uint8_t *bytes, size_t len)
{
	lead(j, key);
	putc('"', j->to);
	for (size_t i = 0; i < len; i++)
		fprintf(j->to, "%02x", bytes[i]);
	putc('"', j->to);
}

void cli_json_u64(struct cli_json *j, const char *key, uint64_t value)
{
	lead(j, key);
	fprintf(j->to, "%" PRIu64, value);
}

void cli_json_i64(struct cli_json *j, const char *key, int64_t value)
{
	lead(j, key);
	fprintf(j->to, "%" PRId64, value);
}

void cli_json_bool(struct cli_json *j, const char *key, bool value)
{
	lead(j, key);
	fputs(value ? "true" : "false", j->to);
}

void cli_json_null(struct cli_json *j, const char *key)
{
	lead(j, key);
	fputs("null", j->to);
}
