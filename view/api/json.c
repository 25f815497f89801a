/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON values with keys and commas. Times are strings of digits, as numbers of
 * JavaScript have 53 bits. Text of a trace is made valid UTF-8 and escaped. A failure of memory
 * is the buffer's flag. Commas and keys are placed here, so callers only name values.
 */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/json_text.h"
#include "core/number.h"

/* The largest integer that JavaScript can tell from the next ones. */
#define EXACT_MOST ((INT64_C(1) << 53) - 1)

static void begin(struct view_json *j, const char *key)
{
	if (j->more)
		tdat_build_u8(j->out, ',');
	j->more = true;
	if (!key)
		return;
	tdat_json_str(j->out, key, strlen(key));
	tdat_build_u8(j->out, ':');
}

static void open(struct view_json *j, const char *key, char bracket)
{
	begin(j, key);
	tdat_build_u8(j->out, (uint8_t)bracket);
	j->more = false;
}

static void close(struct view_json *j, char bracket)
{
	tdat_build_u8(j->out, (uint8_t)bracket);
	j->more = true;
}

void view_json_object(struct view_json *j, const char *key)
{
	open(j, key, '{');
}

void view_json_object_end(struct view_json *j)
{
	close(j, '}');
}

void view_json_array(struct view_json *j, const char *key)
{
	open(j, key, '[');
}

void view_json_array_end(struct view_json *j)
{
	close(j, ']');
}

void view_json_u64(struct view_json *j, const char *key, uint64_t v)
{
	begin(j, key);
	tdat_number_u64(j->out, v);
}

void view_json_i64(struct view_json *j, const char *key, int64_t v)
{
	begin(j, key);
	tdat_number_i64(j->out, v);
}

void view_json_real(struct view_json *j, const char *key, double v)
{
	if (!isfinite(v)) {
		view_json_null(j, key);
		return;
	}
	begin(j, key);
	tdat_build_printf(j->out, "%.17g", v);
}

void view_json_bool(struct view_json *j, const char *key, bool v)
{
	begin(j, key);
	tdat_build_str(j->out, v ? "true" : "false");
}

void view_json_null(struct view_json *j, const char *key)
{
	begin(j, key);
	tdat_build_str(j->out, "null");
}

void view_json_bytes(struct view_json *j, const char *key, const void *text, size_t len)
{
	begin(j, key);
	tdat_json_str(j->out, text, len);
}

void view_json_text(struct view_json *j, const char *key, const char *text)
{
	view_json_bytes(j, key, text, strlen(text));
}

void view_json_time(struct view_json *j, const char *key, uint64_t ts)
{
	begin(j, key);
	tdat_build_u8(j->out, '"');
	tdat_number_u64(j->out, ts);
	tdat_build_u8(j->out, '"');
}

void view_json_offset(struct view_json *j, const char *key, uint64_t ts, uint64_t from)
{
	begin(j, key);
	if (ts < from)
		tdat_build_u8(j->out, '-');
	tdat_number_u64(j->out, ts < from ? from - ts : ts - from);
}

void view_json_exact_i64(struct view_json *j, const char *key, int64_t v)
{
	begin(j, key);
	if (v > EXACT_MOST || v < -EXACT_MOST)
		tdat_build_printf(j->out, "\"%" PRId64 "\"", v);
	else
		tdat_number_i64(j->out, v);
}

void view_json_exact_u64(struct view_json *j, const char *key, uint64_t v)
{
	begin(j, key);
	if (v > (uint64_t)EXACT_MOST)
		tdat_build_printf(j->out, "\"%" PRIu64 "\"", v);
	else
		tdat_number_u64(j->out, v);
}

void view_json_texts(struct view_json *j, const char *key, const char *const *texts)
{
	view_json_array(j, key);
	for (; *texts; texts++)
		view_json_text(j, NULL, *texts);
	view_json_array_end(j);
}

void view_json_in_document(struct tdat_build *out, const struct tdat_build *json)
{
	const uint8_t *p = json->ptr, *end = p + json->len, *sign;

	while (p < end && (sign = memchr(p, '<', (size_t)(end - p)))) {
		tdat_build_bytes(out, p, (size_t)(sign - p));
		tdat_build_str(out, "\\u003c");
		p = sign + 1;
	}
	tdat_build_bytes(out, p, (size_t)(end - p));
}
