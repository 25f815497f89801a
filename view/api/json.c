/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes values as JavaScript can read them. Times are strings of digits, because numbers of
 * JavaScript have 53 bits, and so are larger integers. A number that is not finite is null, as JSON
 * has no other word.
 */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The largest integer that JavaScript can tell from the next ones. */
#define EXACT_MOST ((INT64_C(1) << 53) - 1)

/* 17 digits restore each double exactly. */
void view_json_real(struct tdat_json *j, const char *key, double v)
{
	char text[40] = "null";

	if (isfinite(v))
		snprintf(text, sizeof(text), "%.17g", v);
	tdat_json_raw(j, key, text);
}

/* Times are always strings, also small ones: the page reads them as BigInt. */
void view_json_time(struct tdat_json *j, const char *key, uint64_t ts)
{
	tdat_json_digits(j, key, "\"", ts, "\"");
}

/* An offset from the beginning of the window is a number: 53 bits cover 104 days in nanoseconds. */
void view_json_offset(struct tdat_json *j, const char *key, uint64_t ts, uint64_t from)
{
	tdat_json_digits(j, key, ts < from ? "-" : "", ts < from ? from - ts : ts - from, "");
}

/* Writes a number, or a string if JavaScript would round it. */
void view_json_exact_i64(struct tdat_json *j, const char *key, int64_t v)
{
	if (v < -EXACT_MOST)
		tdat_json_digits(j, key, "\"-", 0 - (uint64_t)v, "\"");
	else if (v > EXACT_MOST)
		view_json_time(j, key, (uint64_t)v);
	else
		tdat_json_i64(j, key, v);
}

void view_json_exact_u64(struct tdat_json *j, const char *key, uint64_t v)
{
	if (v > (uint64_t)EXACT_MOST)
		view_json_time(j, key, v);
	else
		tdat_json_u64(j, key, v);
}

void view_json_columns(struct tdat_json *j, const char *const *columns)
{
	tdat_json_array(j, "columns");
	for (; *columns; columns++)
		tdat_json_str(j, NULL, *columns);
	tdat_json_array_end(j);
	tdat_json_array(j, "cells");
}

/*
 * "</script>" in a text would end the script element that holds the answer; "<" only occurs in
 * strings, where the escape means the same.
 */
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
