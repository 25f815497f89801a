/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the values of answers that JSON has no type for, or JavaScript no room. */
#ifndef VIEW_API_JSON_H
#define VIEW_API_JSON_H

#include "core/json_writer.h"

void view_json_real(struct tdat_json *j, const char *key, double v);
/* A time: a string of digits. */
void view_json_time(struct tdat_json *j, const char *key, uint64_t ts);
/* An offset: a time minus another one, which may be negative. */
void view_json_offset(struct tdat_json *j, const char *key, uint64_t ts, uint64_t from);
/* A number that JavaScript can hold exactly, or else a string of it. */
void view_json_exact_i64(struct tdat_json *j, const char *key, int64_t v);
void view_json_exact_u64(struct tdat_json *j, const char *key, uint64_t v);
/* Writes the names of columns, NULL at their end, and begins "cells", which the caller ends. */
void view_json_columns(struct tdat_json *j, const char *const *columns);
/*
 * Appends JSON so that it can stand in a document of HTML: "<" can only be in its texts, where it
 * is escaped.
 */
void view_json_in_document(struct tdat_build *out, const struct tdat_build *json);

#endif
