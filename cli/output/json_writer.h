/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON to a stdio stream, written as it comes. Commas, indents and quoting are
 * kept here; a write error stays in the stream (ferror) for whoever closes it.
 *
 * Strings are taken as UTF-8. Control characters, DEL and U+0080..U+009F are
 * escaped, each byte that is not UTF-8 becomes U+FFFD: the output is always
 * valid JSON and never drives a terminal. 64-bit integers are written exactly.
 */
#ifndef CLI_JSON_WRITER_H
#define CLI_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_JSON_DEPTH = 32 };

struct cli_json {
	FILE *to;
	bool pretty; /* a line per value, two spaces a level; else all on one line */
	uint32_t depth;
	bool filled[CLI_JSON_DEPTH]; /* this level has a value already */
};

void cli_json_init(struct cli_json *j, FILE *to, bool pretty);
/* cli_json_end writes the newline after the outermost value. */
void cli_json_end(struct cli_json *j);

/*
 * Values. key names a member of the object that is open; NULL in arrays and
 * outside.
 */
void cli_json_object(struct cli_json *j, const char *key);
void cli_json_object_end(struct cli_json *j);
void cli_json_array(struct cli_json *j, const char *key);
void cli_json_array_end(struct cli_json *j);
void cli_json_str(struct cli_json *j, const char *key, const char *text); /* NULL: null */
void cli_json_strn(struct cli_json *j, const char *key, const char *text, size_t len);
void cli_json_hex(struct cli_json *j, const char *key, const uint8_t *bytes, size_t len);
void cli_json_u64(struct cli_json *j, const char *key, uint64_t value);
void cli_json_i64(struct cli_json *j, const char *key, int64_t value);
void cli_json_bool(struct cli_json *j, const char *key, bool value);
void cli_json_null(struct cli_json *j, const char *key);

#endif
