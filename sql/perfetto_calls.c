/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds the functions of Perfetto that a statement of SQL cannot be: REGEXP, with POSIX's extended
 * expressions as Perfetto has them, regexp_extract, hash, reverse, str_split and base64_encode.
 * Those that can be a statement are in perfetto/prelude.sql. A pattern is compiled once for all
 * rows of a query.
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "queries.h"

static void free_regex(void *regex)
{
	regfree(regex);
	free(regex);
}

/* Compiles an argument, once for a constant one. NULL: the call has an error, or the value is null.
 */
static const regex_t *compiled(sqlite3_context *c, sqlite3_value *value, int place)
{
	regex_t *regex = sqlite3_get_auxdata(c, place);
	const char *text = (const char *)sqlite3_value_text(value);
	int rc;

	if (regex || !text)
		return regex;
	regex = malloc(sizeof(*regex));
	if (!regex) {
		sqlite3_result_error_nomem(c);
		return NULL;
	}
	rc = regcomp(regex, text, REG_EXTENDED);
	if (rc) {
		char message[200], *all;

		regerror(rc, regex, message, sizeof(message));
		all = sqlite3_mprintf("the regular expression '%s': %s", text, message);
		sqlite3_result_error(c, all ? all : message, -1);
		sqlite3_free(all);
		free(regex);
		return NULL;
	}
	sqlite3_set_auxdata(c, place, regex, free_regex);
	/* SQLite frees it at once where it cannot keep it. */
	return sqlite3_get_auxdata(c, place);
}

/* regexp(pattern, text) is text REGEXP pattern. */
static void regexp(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	const regex_t *regex = compiled(c, argv[0], 0);
	const char *text = (const char *)sqlite3_value_text(argv[1]);

	(void)argc;
	if (regex && text)
		sqlite3_result_int(c, !regexec(regex, text, 0, NULL, 0));
}

/* regexp_extract(text, pattern): the first group that the match has, else the match. */
static void regexp_extract(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	const regex_t *regex = compiled(c, argv[1], 1);
	const char *text = (const char *)sqlite3_value_text(argv[0]);
	regmatch_t found[2];
	const regmatch_t *m = &found[0];

	(void)argc;
	if (!regex || !text || regexec(regex, text, 2, found, 0))
		return;
	if (regex->re_nsub)
		m = &found[1];
	if (m->rm_so >= 0)
		sqlite3_result_text(c, text + m->rm_so, (int)(m->rm_eo - m->rm_so),
				    SQLITE_TRANSIENT);
}

/* hash(...): FNV-1a of the bytes of all arguments. Equal arguments have equal hashes. */
static void hash(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	uint64_t h = 0xcbf29ce484222325;

	for (int i = 0; i < argc; i++) {
		const int type = sqlite3_value_type(argv[i]);
		const int64_t number = sqlite3_value_int64(argv[i]);
		const double real = sqlite3_value_double(argv[i]);
		const unsigned char *p = (const unsigned char *)&number;
		size_t n = sizeof(number);

		if (type == SQLITE_FLOAT) {
			p = (const unsigned char *)&real;
		} else if (type != SQLITE_INTEGER) {
			p = sqlite3_value_blob(argv[i]);
			n = (size_t)sqlite3_value_bytes(argv[i]);
		}
		for (size_t k = 0; p && k < n; k++)
			h = (h ^ p[k]) * 0x100000001b3;
	}
	sqlite3_result_int64(c, (int64_t)h);
}

/* reverse(text): by characters. */
static void reverse(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	const unsigned char *text = sqlite3_value_text(argv[0]);
	const size_t len = (size_t)sqlite3_value_bytes(argv[0]);
	char *out = text ? sqlite3_malloc64(len + 1) : NULL;
	size_t to = len;

	(void)argc;
	if (!text)
		return;
	if (!out) {
		sqlite3_result_error_nomem(c);
		return;
	}
	for (size_t i = 0; i < len;) {
		size_t n = 1;

		/* Bytes 10xxxxxx continue a character. */
		while (i + n < len && (text[i + n] & 0xc0) == 0x80)
			n++;
		to -= n;
		memcpy(out + to, text + i, n);
		i += n;
	}
	sqlite3_result_text64(c, out, len, sqlite3_free, SQLITE_UTF8);
}

/* str_split(text, delimiter, n): part n, from 0. NULL: there are not so many. */
static void str_split(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	const char *p = (const char *)sqlite3_value_text(argv[0]), *next;
	const char *delimiter = (const char *)sqlite3_value_text(argv[1]);
	sqlite3_int64 n = sqlite3_value_int64(argv[2]);

	(void)argc;
	if (!p || !delimiter || sqlite3_value_type(argv[2]) == SQLITE_NULL)
		return;
	if (!*delimiter || n < 0) {
		sqlite3_result_error(c,
				     "str_split(text, delimiter, n): delimiter must not be empty, "
				     "and n must be 0 or more",
				     -1);
		return;
	}
	for (; (next = strstr(p, delimiter)) && n; n--)
		p = next + strlen(delimiter);
	if (!n)
		sqlite3_result_text(c, p, next ? (int)(next - p) : -1, SQLITE_TRANSIENT);
}

static void base64_encode(sqlite3_context *c, int argc, sqlite3_value **argv)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = sqlite3_value_blob(argv[0]);
	const size_t len = (size_t)sqlite3_value_bytes(argv[0]);
	struct tdat_build out;

	(void)argc;
	if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
		return;
	tdat_build_init(&out, false);
	for (size_t i = 0; i < len; i += 3) {
		const size_t n = len - i < 3 ? len - i : 3;
		const unsigned int v = (unsigned int)p[i] << 16 |
				       (n > 1 ? (unsigned int)p[i + 1] << 8 : 0) |
				       (n > 2 ? p[i + 2] : 0u);

		for (size_t k = 0; k < 4; k++)
			tdat_build_u8(&out, k > n ? '=' : (uint8_t)digits[v >> (18 - 6 * k) & 63]);
	}
	sql_result_build(c, &out);
	tdat_build_fini(&out);
}

int sql_calls_register(sqlite3 *db)
{
	static const struct {
		const char *name;
		int count;
		void (*call)(sqlite3_context *c, int argc, sqlite3_value **argv);
	} calls[] = {
		{"regexp", 2, regexp},
		{"regexp_extract", 2, regexp_extract},
		{"hash", -1, hash},
		{"reverse", 1, reverse},
		{"base64_encode", 1, base64_encode},
		{"str_split", 3, str_split},
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(calls) / sizeof(calls[0]); i++)
		rc = sqlite3_create_function_v2(db, calls[i].name, calls[i].count,
						SQLITE_UTF8 | SQLITE_DETERMINISTIC |
							SQLITE_INNOCUOUS,
						NULL, calls[i].call, NULL, NULL, NULL);
	return rc;
}
