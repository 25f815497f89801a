/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How each row of a picture begins, and one without cells. All kinds of rows are written
 * through it, so the page can read any of them.
 */
#include "picture.h"

#include <string.h>

void view_picture_row(struct view_picture *p, const char *key, const char *kind)
{
	struct view_json *j = &p->q->json;

	view_json_object(j, NULL);
	view_json_text(j, "key", key);
	view_json_text(j, "kind", kind);
}

void view_picture_columns(struct view_picture *p, const char *const *columns)
{
	view_json_texts(&p->q->json, "columns", columns);
}

void view_picture_empty(struct view_picture *p, const char *key, const char *kind)
{
	struct view_json *j = &p->q->json;

	view_picture_row(p, key, kind);
	view_json_bool(j, "exact", true);
	view_json_bool(j, "partial", false);
	view_json_array(j, "columns");
	view_json_array_end(j);
	view_json_array(j, "cells");
	view_json_array_end(j);
	view_json_object_end(j);
}

/* Parses "R:N", which is behind the kind in a key. */
bool view_parse_pair(const char *text, uint64_t *a, uint64_t *b)
{
	const char *colon = strchr(text, ':');

	return colon && view_parse_u64(text, colon, a) &&
	       view_parse_u64(colon + 1, colon + strlen(colon), b);
}
