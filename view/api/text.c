/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with the text that a file has in place of events: that of a latency tracer, as tracefs
 * "trace" had it when it was recorded. The text may be long; an answer has a part of whole lines,
 * at most TEXT_MOST bytes, and says where the next one begins. Called by api.c and for reports.
 */
#include <string.h>

#include "answer.h"

enum { TEXT_MOST = 256 << 10 };

/* A part ends behind a line, unless one line alone is longer than a part. */
static size_t part_len(const struct tdat_span *text, size_t at)
{
	const size_t left = text->len - at;
	const uint8_t *end = left > TEXT_MOST ? memrchr(text->ptr + at, '\n', TEXT_MOST) : NULL;

	if (left <= TEXT_MOST)
		return left;
	return end ? (size_t)(end + 1 - (text->ptr + at)) : TEXT_MOST;
}

enum tdat_status view_answer_text(struct view_question *q)
{
	const struct view_trace *t = q->api->trace;
	struct tdat_json *j = &q->json;
	uint64_t file = 0, at = 0;
	struct tdat_span text;
	size_t len;
	enum tdat_status st =
		view_query_u64(q->query, "file", 0, t->input_count - 1, &file, q->err);

	if (st != TDAT_OK)
		return st;
	text = tdat_file_part(t->inputs[file].file, TDAT_PART_LATENCY);
	st = view_query_u64(q->query, "at", 0, text.len, &at, q->err);
	if (st != TDAT_OK)
		return st;
	len = text.len ? part_len(&text, (size_t)at) : 0;
	tdat_json_u64(j, "file", file);
	tdat_json_u64(j, "len", text.len);
	tdat_json_u64(j, "at", at);
	tdat_json_strn(j, "text", text.len ? (const void *)(text.ptr + at) : "", len);
	if (at + len < text.len)
		tdat_json_u64(j, "next", at + len);
	else
		tdat_json_null(j, "next");
	return TDAT_OK;
}
