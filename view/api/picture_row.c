/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the beginning of each row, and rows without cells. All kinds of rows go through it, so the
 * page can read any of them.
 */
#include "picture.h"

#include <string.h>

/* Every row is an object that begins with its key and kind; the caller ends it. */
void view_picture_row(struct view_picture *p, const char *key, const char *kind)
{
	struct tdat_json *j = &p->q->json;

	tdat_json_object(j, NULL);
	tdat_json_str(j, "key", key);
	tdat_json_str(j, "kind", kind);
}

void view_picture_columns(struct view_picture *p, const char *const *columns)
{
	view_json_texts(&p->q->json, "columns", columns);
}

/* An empty row is exact and complete: it will not change. */
void view_picture_empty(struct view_picture *p, const char *key, const char *kind)
{
	struct tdat_json *j = &p->q->json;

	view_picture_row(p, key, kind);
	tdat_json_bool(j, "exact", true);
	tdat_json_bool(j, "partial", false);
	tdat_json_array(j, "columns");
	tdat_json_array_end(j);
	tdat_json_array(j, "cells");
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* Parses "R:N", which is behind the kind in a key. */
bool view_parse_pair(const char *text, uint64_t *a, uint64_t *b)
{
	const char *colon = strchr(text, ':');

	return colon && view_parse_u64(text, colon, a) &&
	       view_parse_u64(colon + 1, colon + strlen(colon), b);
}
