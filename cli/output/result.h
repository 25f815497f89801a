/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints rows of values, in one of several forms, to standard output. Names of columns and texts
 * may come from a trace: none of their bytes drives a terminal.
 */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cli_result_form {
	CLI_RESULT_TABLE,    /* aligned columns */
	CLI_RESULT_CSV,	     /* RFC 4180 */
	CLI_RESULT_JSON,     /* one array of objects */
	CLI_RESULT_JSONL,    /* an object a line */
	CLI_RESULT_MARKDOWN, /* a table of GitHub's Markdown */
};

enum cli_value_kind { CLI_V_NULL, CLI_V_INT, CLI_V_REAL, CLI_V_TEXT, CLI_V_BYTES };

struct cli_value {
	enum cli_value_kind kind;
	int64_t number;
	double real;
	const void *bytes; /* TEXT, BYTES: borrowed */
	size_t len;
};

struct cli_result;

/* cli_result_new starts a result; names are borrowed until it ends. NULL: memory ran out. */
struct cli_result *cli_result_new(enum cli_result_form form, const char *const *names,
				  size_t columns);
/* cli_result_row takes a row of as many values as there are columns. False: memory ran out. */
bool cli_result_row(struct cli_result *r, const struct cli_value *values);
/* cli_result_end prints what is left, and frees r; false: memory ran out. */
bool cli_result_end(struct cli_result *r);

#endif
