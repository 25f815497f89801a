/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of recorders cut at seeded places: reading gives at least every event of
 * every whole page, check tells, and what repair makes of it is clean and holds
 * the very same events. TDAT_CUTS sets how many places (default 6); with
 * TDAT_SHARED all files of the corpus are cut as well, when TDAT_CUTS is set. With
 * TDAT_BY_TRACECMD libtracecmd reads all repaired files, too.
 */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/run.h"
#include "../common/scratch.h"
#include "by_tracecmd.h"

enum { NAMES_MAX = 512, CUTS = 6 };

static char *files[NAMES_MAX];
static int file_count;
static unsigned cuts;
static bool by_tracecmd;

struct told {
	uint64_t count;
	uint64_t end;	/* of the file */
	bool names_end; /* a finding tells where the file ends */
	bool no_names;	/* a note tells that sections have no names */
	char first[512];
};

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	struct told *t = ctx;
	char number[32];

	(void)err;
	if (f->severity == TDAT_NOTE) {
		t->no_names |= strstr(f->sentence, "without names") != NULL;
		return TDAT_OK;
	}
	snprintf(number, sizeof(number), "%llu", (unsigned long long)t->end);
	t->names_end |= strstr(f->sentence, number) || strstr(f->sentence, "left");
	ck_assert_msg(f->off != TDAT_NO_OFFSET, "no offset: %s", f->sentence);
	if (!t->count++)
		snprintf(t->first, sizeof(t->first), "%s", f->sentence);
	return TDAT_OK;
}

static struct told check(const struct tdat_file *file)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct told t = {.end = tdat_file_info(file)->len};

	ck_assert_msg(tdat_check(file, on_finding, &t, NULL, &err) == TDAT_OK, "%s", err.message);
	return t;
}

static void repair_to(const struct tdat_file *file, const char *path)
{
	const struct tdat_file_info *info = tdat_file_info(file);
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_repair_result result;
	struct tdat_writer *w;
	enum tdat_status st;

	opts.version = info->version;
	opts.compression = info->version == 7 ? info->compression : NULL;
	/* Debian's libtracecmd is built without zlib. */
	if (by_tracecmd && opts.compression && !strcmp(opts.compression, "zlib"))
		opts.compression = "zstd";
	opts.force = true;
	opts.threads = 1;
	ck_assert_msg(tdat_writer_new(&w, path, &opts, &err) == TDAT_OK, "%s", err.message);
	st = tdat_repair(w, file, NULL, NULL, NULL, &result, &err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, &err);
	ck_assert_msg(st == TDAT_OK, "%s: %s", info->name, err.message);
	tdat_writer_free(w);
}

static void check_repaired(const struct tdat_file *file, const struct seen_all *want,
			   const char *what)
{
	char path[SCRATCH_PATH];
	struct tdat_error err = TDAT_ERROR_INIT;
	struct seen_all got = {NULL, 0, 0, 0};
	struct tdat_file *again;
	struct told told;

	scratch_file(path);
	repair_to(file, path);
	ck_assert_msg(tdat_file_open(&again, path, NULL, &err) == TDAT_OK, "%s: %s", what,
		      err.message);
	told = check(again);
	ck_assert_msg(!told.count, "%s: repaired, but: %s", what, told.first);
	seen_read(&got, again);
	ck_assert_msg(got.count == want->count, "%s: %zu events, repaired %zu", what, want->count,
		      got.count);
	ck_assert_msg(got.latency_len == want->latency_len, "%s: latency text", what);
	for (size_t i = 0; i < got.count; i++) {
		const struct seen *x = &got.v[i], *y = &want->v[i];

		ck_assert_msg(x->ts == y->ts && x->hash == y->hash && x->cpu == y->cpu &&
				      x->buffer == y->buffer,
			      "%s: event %zu is another one", what, i);
	}
	if (by_tracecmd)
		check_by_tracecmd(path, again, &got, what);
	tdat_file_close(again);
	unlink(path);
	seen_free(&got);
}

static void check_cut(const char *path, const struct bytes *b, const struct seen_all *all,
		      uint64_t strings_off, size_t cut)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct seen_all got = {NULL, 0, 0, 0};
	size_t want = seen_before(all, cut);
	uint8_t *copy = bytes_cut(b, cut);
	struct tdat_file *file;
	struct told told;
	char what[4200];

	snprintf(what, sizeof(what), "%s cut at %zu of %zu", path, cut, b->len);
	opts.tolerate_damage = true;
	if (tdat_file_open_memory(&file, copy, cut, what, &opts, &err) != TDAT_OK) {
		ck_assert_msg(!want, "%s: not opened: %s", what, err.message);
		free(copy);
		return;
	}
	seen_read(&got, file);
	ck_assert_msg(!seen_missing(all, cut, &got) && got.count <= all->count,
		      "%s: %zu events, %zu are in whole pages (%zu missing), %zu in all", what,
		      got.count, want, seen_missing(all, cut, &got), all->count);
	told = check(file);
	/*
	 * Version 6 latency text has no size: nothing tells of its end. A file that ends
	 * just before its names may have been made so.
	 */
	ck_assert_msg(told.count || (all->latency_len && tdat_file_info(file)->version == 6) ||
			      (told.no_names && cut == strings_off),
		      "%s: nothing is wrong", what);
	ck_assert_msg(!told.count || told.names_end, "%s: does not name the end: %s", what,
		      told.first);
	check_repaired(file, &got, what);
	tdat_file_close(file);
	seen_free(&got);
	free(copy);
}

/* Where the last section starts if it is the names of the others. */
static uint64_t last_strings(const struct tdat_file *file)
{
	size_t count;
	const struct tdat_section *list = tdat_file_sections(file, &count);

	if (!count || list[count - 1].id != TDAT_OPTION_STRINGS)
		return UINT64_MAX;
	return list[count - 1].off;
}

START_TEST(cut_and_repair)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct seen_all all = {NULL, 0, 0, 0};
	struct tdat_file *file;
	uint32_t seed = 20261121u + (uint32_t)_i;
	uint64_t strings_off;
	struct bytes b;

	bytes_load(&b, files[_i]);
	ck_assert_msg(tdat_file_open_memory(&file, b.ptr, b.len, files[_i], NULL, &err) == TDAT_OK,
		      "%s: %s", files[_i], err.message);
	seen_read(&all, file);
	check_repaired(file, &all, files[_i]);
	strings_off = last_strings(file);
	tdat_file_close(file);
	for (unsigned i = 0; i < cuts; i++) {
		seed = seed * 1664525 + 1013904223;
		check_cut(files[_i], &b, &all, strings_off, (size_t)((uint64_t)seed * b.len >> 32));
	}
	seen_free(&all);
	free(b.ptr);
}
END_TEST

static int by_name(const void *a, const void *b)
{
	char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static void list(const char *dir, const char *sub)
{
	char path[4096];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "%s/%s", dir, sub);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		size_t n = strlen(e->d_name);

		if (n < 4 || strcmp(e->d_name + n - 4, ".dat") || file_count == NAMES_MAX)
			continue;
		files[file_count] = malloc(strlen(path) + n + 2);
		if (!files[file_count])
			abort();
		sprintf(files[file_count++], "%s/%s", path, e->d_name);
	}
	if (d)
		closedir(d);
	qsort(files, (size_t)file_count, sizeof(*files), by_name);
}

int main(void)
{
	const char *many = getenv("TDAT_CUTS"), *shared = getenv("TDAT_SHARED");
	Suite *s = suite_create("repair_cut");
	TCase *t = tcase_create("repair_cut");
	int failed;

	cuts = many ? (unsigned)atoi(many) : CUTS;
	by_tracecmd = getenv("TDAT_BY_TRACECMD") != NULL;
	list(getenv("TDAT_FIXTURES") ? getenv("TDAT_FIXTURES") : "tests/fixtures", "valid");
	if (many && shared)
		list(shared, "corpus/files");
	if (!file_count) {
		fprintf(stderr, "no fixtures found\n");
		return 1;
	}
	printf("%d files, %u cuts each\n", file_count, cuts);
	tcase_add_loop_test(t, cut_and_repair, 0, file_count);
	tcase_set_timeout(t, 600);
	suite_add_tcase(s, t);
	failed = run_suite(s);
	while (file_count)
		free(files[--file_count]);
	return failed;
}
