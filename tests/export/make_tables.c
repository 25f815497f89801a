/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a random table, hands its record batches to an exporter, and writes what readers must
 * find in the file as JSON lines: the columns first, then the values of each column of each
 * batch. The same seed makes the same table for each exporter.
 *
 * usage: make_tables SEED EXPORTER OUT EXPECTED [KEY=VALUE]...
 * SEED "sorted": 200,000 rows of ts, which rises, and value, and nothing in EXPECTED.
 * exit: 0, or 1 with a sentence.
 */
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

enum { SORTED_ROWS = 10000, SORTED_BATCHES = 20 };

static void put_sorted(const struct tdat_columns_ops *ops, void *state)
{
	static int64_t ts[SORTED_ROWS], value[SORTED_ROWS];
	static const void *no_buffer[1], *buffers[2][2] = {{NULL, ts}, {NULL, value}};
	struct ArrowSchema columns[2] = {{.format = "tsn:", .name = "ts"},
					 {.format = "l", .name = "value"}};
	struct ArrowSchema *list[2] = {&columns[0], &columns[1]};
	struct ArrowSchema schema = {.format = "+s", .n_children = 2, .children = list};
	struct ArrowArray arrays[2] = {
		{.length = SORTED_ROWS, .n_buffers = 2, .buffers = buffers[0]},
		{.length = SORTED_ROWS, .n_buffers = 2, .buffers = buffers[1]}};
	struct ArrowArray *array_list[2] = {&arrays[0], &arrays[1]};
	struct ArrowArray rows = {.length = SORTED_ROWS,
				  .n_buffers = 1,
				  .n_children = 2,
				  .buffers = no_buffer,
				  .children = array_list};
	struct tdat_error err = TDAT_ERROR_INIT;
	uint64_t random = 1;
	void *part;

	if (ops->table_begin(state, "sorted", &schema, write_out, NULL, &part, &err))
		die("table_begin", &err);
	for (int i = 0; i < SORTED_BATCHES; i++) {
		for (int k = 0; k < SORTED_ROWS; k++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			ts[k] = (k ? ts[k - 1] : ts[SORTED_ROWS - 1]) + 1 + (int64_t)(random >> 52);
			value[k] = (int64_t)(random >> 24);
		}
		if (ops->batch(part, &rows, &err))
			die("batch", &err);
	}
	if (ops->table_end(part, false, &err))
		die("table_end", &err);
}

static void put_random(const struct tdat_columns_ops *ops, void *state, uint64_t seed,
		       FILE *expected)
{
	struct random_table *t = random_table_new(seed, expected);
	struct tdat_error err = TDAT_ERROR_INIT;
	void *part;

	if (ops->table_begin(state, "random/table", random_table_schema(t), write_out, NULL, &part,
			     &err))
		die("table_begin", &err);
	for (struct ArrowArray *rows; (rows = random_table_next(t));)
		if (ops->batch(part, rows, &err))
			die("batch", &err);
	if (ops->table_end(part, false, &err))
		die("table_end", &err);
	random_table_free(t);
}

int main(int argc, char **argv)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_keyed_option options[17];
	const struct tdat_exporter *x;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_export *e;
	struct tdat_span tail;
	FILE *expected;

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
	if (x->columns->own_file)
		options[request.option_count++] = (struct tdat_keyed_option){"path", argv[3]};
	request.options = options;
	if (tdat_export_new(&e, x, &request, &err))
		die("begin", &err);
	if (!strcmp(argv[1], "sorted"))
		put_sorted(x->columns, tdat_export_ctx(e));
	else
		put_random(x->columns, tdat_export_ctx(e), strtoull(argv[1], NULL, 10), expected);
	if (tdat_export_end(e, &tail, &err))
		die("end", &err);
	tdat_export_free(e);
	if (fclose(out_file) || fclose(expected))
		die("close", NULL);
	return 0;
}
