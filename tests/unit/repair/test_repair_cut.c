/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of recorders cut at seeded places: reading gives at least every event of
 * every whole page, check tells, and what repair makes of it is clean and holds
 * the very same events. TDAT_CUTS sets how many places (default 6); with
 * TDAT_SHARED all files of the corpus are cut as well, when TDAT_CUTS is set.
 */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

enum { NAMES_MAX = 512, CUTS = 6 };

struct bytes {
	uint8_t *ptr;
	size_t len;
};

static char *files[NAMES_MAX];
static int file_count;
static unsigned cuts;

static void load(const char *path, struct bytes *b)
{
	FILE *f = fopen(path, "rb");

	ck_assert_msg(f != NULL, "%s is missing", path);
	fseek(f, 0, SEEK_END);
	b->len = (size_t)ftell(f);
	rewind(f);
	b->ptr = malloc(b->len + 1);
	ck_assert_ptr_nonnull(b->ptr);
	ck_assert_uint_eq(fread(b->ptr, 1, b->len, f), b->len);
	fclose(f);
}

/* What stays of an event: enough to see that it is the same one. */
struct seen {
	uint64_t ts, hash, end; /* end: of its page in the file */
	uint32_t cpu, buffer;
};

struct all {
	struct seen *v;
	size_t count, cap;
	uint64_t latency_len;
};

static uint64_t hash_of(struct tdat_span s)
{
	uint64_t h = 1469598103934665603ull;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.ptr[i]) * 1099511628211ull;
	return h;
}

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

static void read_all(struct tdat_file *file, struct all *a)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct tdat_iter *iter;

	a->count = 0;
	a->latency_len = tdat_file_part(file, TDAT_PART_LATENCY).len;
	ck_assert_msg(tdat_iter_new(&iter, &in, 1, NULL, &err) == TDAT_OK, "%s", err.message);
	for (;;) {
		ck_assert_msg(tdat_iter_next(iter, &ev, &err) == TDAT_OK, "%s", err.message);
		if (!ev)
			break;
		if (a->count == a->cap) {
			a->cap = a->cap ? a->cap * 2 : 1024;
			a->v = realloc(a->v, a->cap * sizeof(*a->v));
			ck_assert_ptr_nonnull(a->v);
		}
		a->v[a->count++] = (struct seen){ev->ts, hash_of(ev->record), page_end(file, ev),
						 ev->cpu, ev->buffer};
	}
	tdat_iter_free(iter);
}

static size_t whole_before(const struct all *a, size_t cut)
{
	size_t n = 0;

	for (size_t i = 0; i < a->count; i++)
		n += a->v[i].end <= cut;
	return n;
}

struct told {
	uint64_t count;
	char first[512];
};

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	struct told *t = ctx;

	(void)err;
	if (f->severity == TDAT_NOTE)
		return TDAT_OK;
	if (!t->count++)
		snprintf(t->first, sizeof(t->first), "%s", f->sentence);
	return TDAT_OK;
}

static struct told check(const struct tdat_file *file)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct told t = {0, ""};

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
	opts.force = true;
	opts.threads = 1;
	ck_assert_msg(tdat_writer_new(&w, path, &opts, &err) == TDAT_OK, "%s", err.message);
	st = tdat_repair(w, file, NULL, NULL, NULL, &result, &err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(w, &err);
	ck_assert_msg(st == TDAT_OK, "%s: %s", info->name, err.message);
	tdat_writer_free(w);
}

static void check_repaired(const struct tdat_file *file, const struct all *want, const char *what)
{
	char path[] = "/tmp/tdat-repair-XXXXXX";
	struct tdat_error err = TDAT_ERROR_INIT;
	struct all got = {NULL, 0, 0, 0};
	struct tdat_file *again;
	struct told told;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	repair_to(file, path);
	ck_assert_msg(tdat_file_open(&again, path, NULL, &err) == TDAT_OK, "%s: %s", what,
		      err.message);
	told = check(again);
	ck_assert_msg(!told.count, "%s: repaired, but: %s", what, told.first);
	read_all(again, &got);
	ck_assert_msg(got.count == want->count, "%s: %zu events, repaired %zu", what, want->count,
		      got.count);
	ck_assert_msg(got.latency_len == want->latency_len, "%s: latency text", what);
	for (size_t i = 0; i < got.count; i++) {
		const struct seen *x = &got.v[i], *y = &want->v[i];

		ck_assert_msg(x->ts == y->ts && x->hash == y->hash && x->cpu == y->cpu &&
				      x->buffer == y->buffer,
			      "%s: event %zu is another one", what, i);
	}
	tdat_file_close(again);
	unlink(path);
	free(got.v);
}

static void check_cut(const char *path, const struct bytes *b, const struct all *all, size_t cut)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct all got = {NULL, 0, 0, 0};
	size_t want = whole_before(all, cut);
	uint8_t *copy = malloc(cut ? cut : 1);
	struct tdat_file *file;
	struct told told;
	char what[4200];

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, b->ptr, cut);
	snprintf(what, sizeof(what), "%s cut at %zu of %zu", path, cut, b->len);
	opts.tolerate_damage = true;
	if (tdat_file_open_memory(&file, copy, cut, what, &opts, &err) != TDAT_OK) {
		ck_assert_msg(!want, "%s: not opened: %s", what, err.message);
		free(copy);
		return;
	}
	read_all(file, &got);
	ck_assert_msg(got.count >= want && got.count <= all->count,
		      "%s: %zu events, %zu are in whole pages, %zu in all", what, got.count, want,
		      all->count);
	told = check(file);
	/* Version 6 latency text has no size: nothing tells of its end. */
	ck_assert_msg(told.count || (all->latency_len && tdat_file_info(file)->version == 6),
		      "%s: nothing is wrong", what);
	check_repaired(file, &got, what);
	tdat_file_close(file);
	free(got.v);
	free(copy);
}

START_TEST(cut_and_repair)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct all all = {NULL, 0, 0, 0};
	struct tdat_file *file;
	uint32_t seed = 20261121u + (uint32_t)_i;
	struct bytes b;

	load(files[_i], &b);
	ck_assert_msg(tdat_file_open_memory(&file, b.ptr, b.len, files[_i], NULL, &err) == TDAT_OK,
		      "%s: %s", files[_i], err.message);
	read_all(file, &all);
	check_repaired(file, &all, files[_i]);
	tdat_file_close(file);
	for (unsigned i = 0; i < cuts; i++) {
		seed = seed * 1664525 + 1013904223;
		check_cut(files[_i], &b, &all, (size_t)((uint64_t)seed * b.len >> 32));
	}
	free(all.v);
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
	SRunner *r;
	int failed;

	cuts = many ? (unsigned)atoi(many) : CUTS;
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
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	while (file_count)
		free(files[--file_count]);
	return failed ? 1 : 0;
}
