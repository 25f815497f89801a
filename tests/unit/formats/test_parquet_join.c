/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parquet files that are joined: how large one becomes, what is large enough by itself, and that
 * joining once more changes nothing. tests/export/compact.py reads joined files by programs of
 * others.
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/export.h>

#include "core/build.h"
#include "unit/common/run.h"

enum { MIB = 1 << 20 };

static enum tdat_status keep(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	(void)err;
	tdat_build_bytes(ctx, data, len);
	return TDAT_OK;
}

/* A file of len bytes, of which the last ones are given, and zeros before them. */
struct file {
	struct tdat_span end;
	uint64_t len;
};

static enum tdat_status give(void *ctx, uint64_t off, void *data, size_t len,
			     struct tdat_error *err)
{
	const struct file *f = ctx;
	const uint64_t start = f->len - f->end.len;

	(void)err;
	ck_assert_uint_le(off + len, f->len);
	for (size_t i = 0; i < len; i++)
		((uint8_t *)data)[i] = off + i < start ? 0 : f->end.ptr[off + i - start];
	return TDAT_OK;
}

static const struct tdat_columns_ops *ops(void)
{
	return tdat_exporter_find("parquet")->columns;
}

static enum tdat_status add(void *joined, struct file *f)
{
	const struct tdat_join_part part = {give, f, f->len};

	return ops()->join->add(joined, &part, NULL);
}

/* A table of random numbers, which do not shrink, in row groups of so many rows. */
static void make(struct tdat_build *out, size_t rows, const char *group)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	const struct tdat_keyed_option option = {"row-group", group};
	struct ArrowSchema child = {.format = "l", .name = "v"}, *children[] = {&child};
	const struct ArrowSchema schema = {.format = "+s", .n_children = 1, .children = children};
	int64_t *values = calloc(rows, sizeof(*values));
	const void *buffers[] = {NULL, values}, *none[] = {NULL};
	struct ArrowArray column = {.length = (int64_t)rows, .n_buffers = 2, .buffers = buffers};
	struct ArrowArray *columns[] = {&column};
	const struct ArrowArray batch = {.length = (int64_t)rows,
					 .n_buffers = 1,
					 .buffers = none,
					 .n_children = 1,
					 .children = columns};
	struct tdat_export *e;
	void *part;
	uint64_t x = 88172645463325252u;

	for (size_t i = 0; i < rows; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		values[i] = (int64_t)(x ^= x << 17);
	}
	tdat_build_init(out, false);
	request.options = &option;
	request.option_count = 1;
	ck_assert_int_eq(tdat_export_new(&e, tdat_exporter_find("parquet"), &request, NULL),
			 TDAT_OK);
	ck_assert_int_eq(
		ops()->table_begin(tdat_export_ctx(e), "t", &schema, keep, out, &part, NULL),
		TDAT_OK);
	ck_assert_int_eq(ops()->batch(part, &batch, NULL), TDAT_OK);
	ck_assert_int_eq(ops()->table_end(part, false, NULL), TDAT_OK);
	tdat_export_free(e);
	free(values);
}

/* Files of 40 MiB: three are one, which is large enough to stay. */
START_TEST(test_bytes)
{
	struct tdat_build one, three;
	struct file f;
	void *joined;

	make(&one, 5 * MIB, "1000000");
	f = (struct file){{one.ptr, one.len}, one.len};
	ck_assert_uint_gt(f.len, 40 * MIB);
	tdat_build_init(&three, false);
	ck_assert_int_eq(ops()->join->begin(&joined, keep, &three, NULL), TDAT_OK);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(add(joined, &f), TDAT_OK);
	ck_assert_int_eq(add(joined, &f), TDAT_E_LIMIT);
	ck_assert_int_eq(ops()->join->end(joined, false, NULL), TDAT_OK);
	ck_assert_uint_gt(three.len, 3 * (one.len - 4096));
	ck_assert_uint_lt(three.len, 128 * MIB);
	f = (struct file){{three.ptr, three.len}, three.len};
	ck_assert_int_eq(ops()->join->begin(&joined, keep, &one, NULL), TDAT_OK);
	ck_assert_int_eq(add(joined, &f), TDAT_E_LIMIT);
	ck_assert_int_eq(ops()->join->end(joined, true, NULL), TDAT_OK);
	tdat_build_fini(&one);
	tdat_build_fini(&three);
}
END_TEST

/* Row groups of one row: the footer grows up to its limit, and is then large enough to stay. */
START_TEST(test_footers)
{
	struct tdat_build one, out, again;
	struct file f;
	void *joined;
	int added = 0;

	make(&one, 20000, "1");
	f = (struct file){{one.ptr, one.len}, one.len};
	tdat_build_init(&out, false);
	ck_assert_int_eq(ops()->join->begin(&joined, keep, &out, NULL), TDAT_OK);
	while (add(joined, &f) == TDAT_OK)
		added++;
	ck_assert_int_gt(added, 2);
	ck_assert_int_eq(ops()->join->end(joined, false, NULL), TDAT_OK);
	ck_assert_uint_gt(tdat_load32(out.ptr + out.len - 8, false), 8 * MIB);
	ck_assert_uint_lt(tdat_load32(out.ptr + out.len - 8, false), 17 * MIB);
	f = (struct file){{out.ptr, out.len}, out.len};
	tdat_build_init(&again, false);
	ck_assert_int_eq(ops()->join->begin(&joined, keep, &again, NULL), TDAT_OK);
	ck_assert_int_eq(add(joined, &f), TDAT_E_LIMIT);
	/* A file of more row groups than an ordinal can number has none in the others. */
	f = (struct file){{one.ptr, one.len}, one.len};
	ck_assert_int_eq(add(joined, &f), TDAT_OK);
	ck_assert_int_eq(ops()->join->end(joined, false, NULL), TDAT_OK);
	ck_assert_uint_eq(again.len, one.len);
	ck_assert_mem_eq(again.ptr, one.ptr, one.len);
	tdat_build_fini(&one);
	tdat_build_fini(&out);
	tdat_build_fini(&again);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("parquet_join");
	TCase *t = tcase_create("parquet_join");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, test_bytes);
	tcase_add_test(t, test_footers);
	suite_add_tcase(s, t);
	return run_suite(s);
}
