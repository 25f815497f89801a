/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON into a buffer; commas are put where they belong. */
#ifndef VIEW_API_JSON_H
#define VIEW_API_JSON_H

#include "core/build.h"

struct view_json {
	struct tdat_build *out;
	bool more; /* a value stands before, so that a comma is due */
};

/* Values; key is NULL in an array. */
void view_json_object(struct view_json *j, const char *key);
void view_json_object_end(struct view_json *j);
void view_json_array(struct view_json *j, const char *key);
void view_json_array_end(struct view_json *j);
void view_json_u64(struct view_json *j, const char *key, uint64_t v);
void view_json_i64(struct view_json *j, const char *key, int64_t v);
void view_json_real(struct view_json *j, const char *key, double v);
void view_json_bool(struct view_json *j, const char *key, bool v);
void view_json_null(struct view_json *j, const char *key);
void view_json_text(struct view_json *j, const char *key, const char *text);
void view_json_bytes(struct view_json *j, const char *key, const void *text, size_t len);
/* A time: a string of digits. */
void view_json_time(struct view_json *j, const char *key, uint64_t ts);
/* An offset: a time minus another one, which may be negative. */
void view_json_offset(struct view_json *j, const char *key, uint64_t ts, uint64_t from);
/* A number that JavaScript can hold exactly, or else a string of it. */
void view_json_exact_i64(struct view_json *j, const char *key, int64_t v);
void view_json_exact_u64(struct view_json *j, const char *key, uint64_t v);
/* An array of texts under a key. */
void view_json_texts(struct view_json *j, const char *key, const char *const *texts);

/*
 * Appends JSON so that it can stand in a document of HTML: "<" can only be in its texts, where it
 * is escaped.
 */
void view_json_in_document(struct tdat_build *out, const struct tdat_build *json);

#endif
