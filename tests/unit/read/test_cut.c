/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files cut anywhere: opening says so in a sentence, nothing crashes, and every
 * event of every page that is still whole is given.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

static const char *const names[] = {
	"x64-61-v6-tiny",      "x64-lab612-lost-v6",    "i386-61-v7-buffers",
	"x64-61-conv-v7-zlib", "i386-61-v7-zstd-sched", "s390x-61-v6-sched",
};
enum { NAME_COUNT = sizeof(names) / sizeof(names[0]), FAR_CUTS = 200 };

struct bytes {
	uint8_t *ptr;
	size_t len;
};

static bool load(const char *name, struct bytes *b)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char path[4096];
	FILE *f;

	ck_assert_ptr_nonnull(dir);
	snprintf(path, sizeof(path), "%s/valid/%s.dat", dir, name);
	f = fopen(path, "rb");
	if (!f)
		return false;
	fseek(f, 0, SEEK_END);
	b->len = (size_t)ftell(f);
	rewind(f);
	b->ptr = malloc(b->len);
	ck_assert_ptr_nonnull(b->ptr);
	ck_assert_uint_eq(fread(b->ptr, 1, b->len, f), b->len);
	fclose(f);
	return true;
}

/* Where the page of each event ends in the file; compressed: the end of its data. */
struct page_ends {
	uint64_t *end;
	size_t count;
};

static uint64_t page_end(const struct tdat_file *file, const struct tdat_event *ev)
{
	size_t count;
	const struct tdat_buffer *b = &tdat_file_buffers(file, &count)[ev->buffer];
	uint32_t i;

	for (i = 0; i < b->cpu_count; i++)
		if (b->cpus[i].cpu == ev->cpu)
			break;
	if (b->compressed)
		return b->cpus[i].off + b->cpus[i].len;
	return b->cpus[i].off + ((ev->off - b->cpus[i].off) / b->page_size + 1) * b->page_size;
}

/* Reads everything; ends may be NULL. */
static size_t read_all(struct tdat_file *file, struct page_ends *ends)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	size_t n = 0, cap = 0;

	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, &err), TDAT_OK);
	for (;; n++) {
		ck_assert_msg(tdat_iter_next(iter, &ev, &err) == TDAT_OK, "%s", err.message);
		if (!ev)
			break;
		if (!ends)
			continue;
		if (n == cap) {
			cap = cap ? cap * 2 : 1024;
			ends->end = realloc(ends->end, cap * sizeof(*ends->end));
			ck_assert_ptr_nonnull(ends->end);
		}
		ends->end[n] = page_end(file, ev);
	}
	if (ends)
		ends->count = n;
	tdat_iter_free(iter);
	return n;
}

static size_t whole_before(const struct page_ends *e, size_t cut)
{
	size_t i, n = 0;

	for (i = 0; i < e->count; i++)
		n += e->end[i] <= cut;
	return n;
}

static void check_cut(const char *name, const struct bytes *b, const struct page_ends *ends,
		      size_t cut)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	/* An allocation of its own, so that a sanitizer sees a byte too far. */
	uint8_t *copy = malloc(cut ? cut : 1);
	struct tdat_file *file;
	size_t damage, got = 0, want = whole_before(ends, cut);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, b->ptr, cut);
	ck_assert_int_ne(tdat_file_open_memory(&file, copy, cut, name, NULL, &err), TDAT_OK);
	ck_assert_int_gt((int)strlen(err.message), 10);
	opts.tolerate_damage = true;
	tdat_error_reset(&err);
	if (tdat_file_open_memory(&file, copy, cut, name, &opts, &err) == TDAT_OK) {
		tdat_file_damage(file, &damage);
		ck_assert_uint_ge(damage, 1);
		got = read_all(file, NULL);
		tdat_file_close(file);
	} else {
		ck_assert_int_gt((int)strlen(err.message), 10);
	}
	ck_assert_msg(got >= want && got <= ends->count,
		      "%s cut at %zu: %zu events, %zu are in whole pages, %zu in all", name, cut,
		      got, want, ends->count);
	free(copy);
}

START_TEST(cut_anywhere)
{
	struct page_ends ends = {NULL, 0};
	struct tdat_file *file;
	uint32_t seed = 12345;
	struct bytes b;
	size_t i;

	if (!load(names[_i], &b))
		ck_abort_msg("fixture %s is missing", names[_i]);
	ck_assert_int_eq(tdat_file_open_memory(&file, b.ptr, b.len, names[_i], NULL, NULL),
			 TDAT_OK);
	ck_assert_uint_gt(read_all(file, &ends), 0);
	tdat_file_close(file);
	for (i = 0; i < 4096; i++)
		check_cut(names[_i], &b, &ends, i);
	for (i = 0; i < FAR_CUTS; i++) {
		seed = seed * 1664525 + 1013904223;
		check_cut(names[_i], &b, &ends, 4096 + seed % (b.len - 4096));
	}
	free(ends.end);
	free(b.ptr);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cut");
	TCase *t = tcase_create("cut");
	SRunner *r;
	int failed;

	tcase_add_loop_test(t, cut_anywhere, 0, NAME_COUNT);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
