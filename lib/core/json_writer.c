/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes JSON values with their commas, indents and keys to a buffer or a function. It is the one
 * writer of the program, of summaries and of the answers of the timeline; lines of dump and export
 * are the exporters', as they are written once for each event.
 */
#include "json_writer.h"

#include "json_text.h"
#include "number.h"

/* To the buffer, or to the function of the caller. */
static void put_bytes(struct tdat_json *j, const void *p, size_t len)
{
	if (j->out)
		tdat_build_bytes(j->out, p, len);
	else
		j->put(j->to, p, len);
}

static void put(struct tdat_json *j, const char *text)
{
	if (*text)
		put_bytes(j, text, strlen(text));
}

/* Lines of more than 16 levels are indented as those of 16. */
static void indent(struct tdat_json *j)
{
	static const char blanks[] = "\n                                ";
	const size_t len = 1 + 2 * (size_t)j->depth;

	if (j->pretty)
		put_bytes(j, blanks, len < sizeof(blanks) ? len : sizeof(blanks) - 1);
}

/* Escapes pieces: runs without special characters are written as they come. */
static void put_string(struct tdat_json *j, const uint8_t *p, size_t len)
{
	uint8_t escape[TDAT_JSON_ESCAPE];

	put(j, "\"");
	while (len) {
		const struct tdat_span piece = tdat_json_next(&p, &len, escape);

		put_bytes(j, piece.ptr, piece.len);
	}
	put(j, "\"");
}

/* Begins a value: a comma if one came before, indent and key. key NULL: an element of an array. */
void tdat_json_begin(struct tdat_json *j, const char *key)
{
	if (j->more)
		put(j, ",");
	j->more = true;
	if (j->depth)
		indent(j);
	if (!key)
		return;
	put_string(j, (const uint8_t *)key, strlen(key));
	put(j, j->pretty ? ": " : ":");
}

/* After a bracket no comma is due. */
static void open_level(struct tdat_json *j, const char *key, const char *bracket)
{
	tdat_json_raw(j, key, bracket);
	j->more = false;
	j->depth++;
}

/* An empty object or array is closed on the same line. */
static void close_level(struct tdat_json *j, const char *bracket)
{
	j->depth--;
	if (j->more)
		indent(j);
	put(j, bracket);
	j->more = true;
}

void tdat_json_object(struct tdat_json *j, const char *key)
{
	open_level(j, key, "{");
}

void tdat_json_object_end(struct tdat_json *j)
{
	close_level(j, "}");
}

void tdat_json_array(struct tdat_json *j, const char *key)
{
	open_level(j, key, "[");
}

void tdat_json_array_end(struct tdat_json *j)
{
	close_level(j, "]");
}

void tdat_json_str(struct tdat_json *j, const char *key, const char *text)
{
	if (text)
		tdat_json_strn(j, key, text, strlen(text));
	else
		tdat_json_null(j, key);
}

void tdat_json_strn(struct tdat_json *j, const char *key, const void *text, size_t len)
{
	tdat_json_begin(j, key);
	put_string(j, text, len);
}

void tdat_json_hex(struct tdat_json *j, const char *key, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	tdat_json_begin(j, key);
	put(j, "\"");
	for (size_t i = 0; i < len; i++)
		put(j, (const char[]){digits[bytes[i] >> 4], digits[bytes[i] & 15], '\0'});
	put(j, "\"");
}

/* A number with text around it, such as a sign or quotes. */
void tdat_json_digits(struct tdat_json *j, const char *key, const char *before, uint64_t value,
		      const char *after)
{
	char text[TDAT_NUMBER_MAX], *const end = text + sizeof(text);
	const char *digits = tdat_number_dec(end, value);

	tdat_json_begin(j, key);
	put(j, before);
	put_bytes(j, digits, (size_t)(end - digits));
	put(j, after);
}

void tdat_json_u64(struct tdat_json *j, const char *key, uint64_t value)
{
	tdat_json_digits(j, key, "", value, "");
}

void tdat_json_i64(struct tdat_json *j, const char *key, int64_t value)
{
	const uint64_t digits = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	tdat_json_digits(j, key, value < 0 ? "-" : "", digits, "");
}

void tdat_json_bool(struct tdat_json *j, const char *key, bool value)
{
	tdat_json_raw(j, key, value ? "true" : "false");
}

void tdat_json_null(struct tdat_json *j, const char *key)
{
	tdat_json_raw(j, key, "null");
}

/* Writes text that is JSON already. */
void tdat_json_raw(struct tdat_json *j, const char *key, const char *value)
{
	tdat_json_begin(j, key);
	put(j, value);
}
