/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A Parquet file whose facts of row groups are kept in the file itself: little memory, whatever its
 * rows, and the same row groups as without.
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/export.h>

#include "export/parquet/table.h"
#include "unit/common/run.h"

/* A file in memory. */
struct file {
	struct tdat_build bytes;
	bool unreadable;
};

static enum tdat_status take(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct file *f = ctx;

	(void)err;
	tdat_build_bytes(&f->bytes, data, len);
	return TDAT_OK;
}

static enum tdat_status give(void *ctx, uint64_t off, void *data, size_t len,
			     struct tdat_error *err)
{
	const struct file *f = ctx;

	if (f->unreadable)
		return tdat_error_set(err, TDAT_E_SYSTEM, off, "cannot be read");
	ck_assert_uint_le(off + len, f->bytes.len);
	memcpy(data, f->bytes.ptr + off, len);
	return TDAT_OK;
}

enum { ROWS = 200000, BATCH = 1000 };

/* Writes a table of one column in row groups of 256 rows. */
static enum tdat_status write_file(struct file *f, bool reads_back, size_t *most_kept,
				   struct tdat_error *err)
{
	const struct tdat_exporter *exporter = tdat_exporter_find("parquet");
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	const struct tdat_keyed_option option = {"row-group", "256"};
	struct ArrowSchema child = {.format = "l", .name = "v"}, *children[] = {&child};
	const struct ArrowSchema schema = {.format = "+s", .n_children = 1, .children = children};
	int64_t values[BATCH];
	const void *buffers[] = {NULL, values}, *none[] = {NULL};
	struct ArrowArray column = {.length = BATCH, .n_buffers = 2, .buffers = buffers};
	struct ArrowArray *columns[] = {&column};
	const struct ArrowArray rows = {.length = BATCH,
					.n_buffers = 1,
					.buffers = none,
					.n_children = 1,
					.children = columns};
	struct tdat_export *e;
	enum tdat_status st;
	void *part;

	request.options = &option;
	request.option_count = 1;
	tdat_build_init(&f->bytes, false);
	ck_assert_int_eq(tdat_export_new(&e, exporter, &request, err), TDAT_OK);
	ck_assert_int_eq(exporter->columns->table_begin(tdat_export_ctx(e), "t", &schema, take, f,
							&part, err),
			 TDAT_OK);
	if (reads_back)
		exporter->columns->reads_back(part, give, f);
	*most_kept = 0;
	for (int64_t at = 0; at < ROWS; at += BATCH) {
		const struct parquet_table *t = part;

		for (int64_t i = 0; i < BATCH; i++)
			values[i] = (at + i) * 31;
		ck_assert_int_eq(exporter->columns->batch(part, &rows, err), TDAT_OK);
		if (t->groups.kept.cap > *most_kept)
			*most_kept = t->groups.kept.cap;
		ck_assert(!t->groups.block_count || reads_back);
	}
	st = exporter->columns->table_end(part, false, err);
	tdat_export_free(e);
	return st;
}

START_TEST(test_little_is_kept)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct file f = {0}, with = {0};
	size_t most;

	ck_assert_int_eq(write_file(&f, false, &most, &err), TDAT_OK);
	ck_assert_uint_gt(most, 16384);
	ck_assert_int_eq(write_file(&with, true, &most, &err), TDAT_OK);
	ck_assert_uint_le(most, 2048);
	/* The facts are in the file twice: as they were kept, and in the footer. */
	ck_assert_uint_gt(with.bytes.len, f.bytes.len + 16384);
	ck_assert_uint_lt(with.bytes.len, f.bytes.len + f.bytes.len / 4);
	ck_assert_mem_eq(f.bytes.ptr, with.bytes.ptr, 1024);
	tdat_build_fini(&f.bytes);
	tdat_build_fini(&with.bytes);
}
END_TEST

START_TEST(test_unreadable)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct file f = {.unreadable = true};
	size_t most;

	ck_assert_int_eq(write_file(&f, true, &most, &err), TDAT_E_SYSTEM);
	ck_assert_str_eq(err.message, "cannot be read");
	tdat_build_fini(&f.bytes);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("parquet_facts");
	TCase *t = tcase_create("parquet_facts");

	tcase_add_test(t, test_little_is_kept);
	tcase_add_test(t, test_unreadable);
	suite_add_tcase(s, t);
	return run_suite(s);
}
