/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes JSON value by value. Commas, indents and quoting are kept here, so that callers only name
 * values. Text is escaped as json_text.h says: the output is always valid JSON and never drives a
 * terminal. Integers of 64 bits are written exactly.
 */
#ifndef TDAT_CORE_JSON_WRITER_H
#define TDAT_CORE_JSON_WRITER_H

#include "build.h"

struct tdat_json {
	struct tdat_build *out; /* gets the bytes, and tells of failures; NULL: put gets them */
	void (*put)(void *to, const void *p, size_t len);
	void *to;
	bool pretty; /* a line per value, two blanks a level; else all on one line */
	bool more;   /* a value stands before on this level, so that a comma is due */
	uint32_t depth;
};

/* Writes the comma, the indent and the key before a value that the caller puts by itself. */
void tdat_json_begin(struct tdat_json *j, const char *key);

/* Values. key names a member of the object that is open; NULL in arrays and outside. */
void tdat_json_object(struct tdat_json *j, const char *key);
void tdat_json_object_end(struct tdat_json *j);
void tdat_json_array(struct tdat_json *j, const char *key);
void tdat_json_array_end(struct tdat_json *j);
void tdat_json_str(struct tdat_json *j, const char *key, const char *text); /* NULL: null */
void tdat_json_strn(struct tdat_json *j, const char *key, const void *text, size_t len);
void tdat_json_hex(struct tdat_json *j, const char *key, const uint8_t *bytes, size_t len);
void tdat_json_u64(struct tdat_json *j, const char *key, uint64_t value);
void tdat_json_i64(struct tdat_json *j, const char *key, int64_t value);
void tdat_json_bool(struct tdat_json *j, const char *key, bool value);
void tdat_json_null(struct tdat_json *j, const char *key);
/* The digits of a number between two texts, such as quotes or a sign. */
void tdat_json_digits(struct tdat_json *j, const char *key, const char *before, uint64_t value,
		      const char *after);
/* A value that is JSON already. */
void tdat_json_raw(struct tdat_json *j, const char *key, const char *value);

#endif
