/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real files cut at each byte of their first 4 KiB and at 200 places after, by
 * the public interface only: opening fails with one sentence or what is left
 * reads to an end. A sanitizer sees what we do not.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

enum { HEAD_LEN = 4096, LATER_CUTS = 200 };

static const char *const files[] = {
	"x64-61-v6-tiny.dat",
	"x64-61-v7-none-tiny.dat",
	"x64-61-conv-v7-zstd.dat",
	"x64-61-conv-v7-zlib.dat",
	"s390x-61-v6-sched.dat",
	"s390x-61-v7-zstd-sched.dat",
	"i386-61-v7-buffers.dat",
	"x64-61-latfmt.dat",
	"x64-lab612-latency-irqsoff-v7zstd.dat",
	"i386-61-fgraph.dat",
};

static void one_sentence(const struct tdat_error *err, const char *name, size_t cut)
{
	size_t len = strlen(err->message);

	ck_assert_msg(err->status < 0, "%s cut at %zu: status %d", name, cut, err->status);
	ck_assert_msg(len > 10, "%s cut at %zu: says '%s'", name, cut, err->message);
	ck_assert_msg(!strchr(err->message, '\n'), "%s cut at %zu: says '%s'", name, cut,
		      err->message);
}

/* Number of events; damage is allowed, failing is not. */
static uint64_t read_all(struct tdat_file *file, const char *name, size_t cut)
{
	struct tdat_iter_input input = {.file = file};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *event;
	struct tdat_iter *iter;
	uint64_t count = 0;

	if (tdat_iter_new(&iter, &input, 1, NULL, &err)) {
		one_sentence(&err, name, cut);
		return 0;
	}
	for (;;) {
		ck_assert_msg(tdat_iter_next(iter, &event, &err) == TDAT_OK, "%s cut at %zu: %s",
			      name, cut, err.message);
		if (!event)
			break;
		count++;
	}
	tdat_iter_free(iter);
	return count;
}

/* Opens len bytes; returns the events in them, or 0 when they do not open. */
static uint64_t try_cut(const uint8_t *bytes, size_t len, const char *name, bool tolerate)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	uint8_t *copy = malloc(len ? len : 1); /* so that reading past it is seen */
	struct tdat_file *file;
	uint64_t count = 0;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, bytes, len);
	opts.tolerate_damage = tolerate;
	if (tdat_file_open_memory(&file, copy, len, name, &opts, &err)) {
		one_sentence(&err, name, len);
	} else {
		count = read_all(file, name, len);
		tdat_file_close(file);
	}
	free(copy);
	return count;
}

static uint8_t *load(const char *name, size_t *len)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char path[4096];
	uint8_t *bytes;
	FILE *f;
	long end;

	ck_assert_ptr_nonnull(dir);
	snprintf(path, sizeof(path), "%s/valid/%s", dir, name);
	f = fopen(path, "rb");
	ck_assert_msg(f != NULL, "cannot open %s", path);
	fseek(f, 0, SEEK_END);
	end = ftell(f);
	ck_assert_int_gt(end, HEAD_LEN);
	*len = (size_t)end;
	rewind(f);
	bytes = malloc(*len);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(fread(bytes, 1, *len, f), *len);
	fclose(f);
	return bytes;
}

START_TEST(test_cut)
{
	const char *name = files[_i];
	size_t len, cut;
	uint8_t *bytes = load(name, &len);
	uint64_t whole = try_cut(bytes, len, name, false);

	ck_assert_uint_eq(try_cut(bytes, len, name, true), whole);
	for (cut = 0; cut < HEAD_LEN; cut++) {
		try_cut(bytes, cut, name, false);
		try_cut(bytes, cut, name, true);
	}
	for (uint32_t i = 0; i < LATER_CUTS; i++) {
		cut = HEAD_LEN + (len - HEAD_LEN) * i / LATER_CUTS;
		try_cut(bytes, cut, name, false);
		ck_assert_uint_le(try_cut(bytes, cut, name, true), whole);
	}
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cut files");
	TCase *tc = tcase_create("cut");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_loop_test(tc, test_cut, 0, sizeof(files) / sizeof(files[0]));
	suite_add_tcase(s, tc);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
