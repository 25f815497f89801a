/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a random table, hands its record batches to an exporter, and writes what readers must
 * find in the file as JSON lines: the columns first, then the values of each column of each
 * batch. The same seed makes the same table for each exporter.
 *
 * usage: make_tables SEED EXPORTER OUT EXPECTED [KEY=VALUE]...
 * exit: 0, or 1 with a sentence.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/export.h>

#include "random_table.h"

static FILE *out_file;

static void die(const char *what, const struct tdat_error *err)
{
	fprintf(stderr, "make_tables: %s: %s\n", what, err ? err->message : "failed");
	exit(1);
}

static enum tdat_status write_out(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)ctx;
	if (fwrite(data, 1, len, out_file) != len)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "cannot write");
	return TDAT_OK;
}

int main(int argc, char **argv)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_keyed_option options[16];
	const struct tdat_exporter *x;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct random_table *t;
	struct tdat_export *e;
	FILE *expected;
	void *part;

	if (argc < 5) {
		fputs("usage: make_tables SEED EXPORTER OUT EXPECTED [KEY=VALUE]...\n", stderr);
		return 1;
	}
	x = tdat_exporter_find(argv[2]);
	out_file = fopen(argv[3], "wb");
	expected = fopen(argv[4], "w");
	if (!x || !x->columns || !out_file || !expected)
		die(argv[2], NULL);
	for (int i = 5; i < argc && request.option_count < 16; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			die(argv[i], NULL);
		*value = '\0';
		options[request.option_count++] = (struct tdat_keyed_option){argv[i], value + 1};
	}
	request.options = options;
	if (tdat_export_new(&e, x, &request, &err))
		die("begin", &err);
	t = random_table_new(strtoull(argv[1], NULL, 10), expected);
	if (x->columns->table_begin(tdat_export_ctx(e), "random/table", random_table_schema(t),
				    write_out, NULL, &part, &err))
		die("table_begin", &err);
	for (struct ArrowArray *rows; (rows = random_table_next(t));)
		if (x->columns->batch(part, rows, &err))
			die("batch", &err);
	if (x->columns->table_end(part, false, &err))
		die("table_end", &err);
	tdat_export_free(e);
	random_table_free(t);
	if (fclose(out_file) || fclose(expected))
		die("close", NULL);
	return 0;
}
