/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds, seek, cursors of one CPU and reading backwards give the events of a forward iterator, on
 * every fixture (and the shared corpus, where there is one).
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tdat/tdat.h>

#include "../common/run.h"
#include "../common/seen.h"

struct one {
	uint64_t ts, off, hash;
	int64_t lost;
	uint32_t buffer, cpu, id, flags;
	size_t place; /* in its list */
};

struct list {
	struct one *v;
	size_t count, cap;
	struct tdat_stream_damage *damage;
	size_t damage_count;
};

static void list_free(struct list *l)
{
	free(l->v);
	free(l->damage);
}

/* Takes up to most events of an iterator. */
static void take(struct list *l, struct tdat_iter *iter, size_t most)
{
	const struct tdat_event *ev;

	l->count = 0;
	while (l->count < most) {
		ck_assert_int_eq(tdat_iter_next(iter, &ev, NULL), TDAT_OK);
		if (!ev)
			break;
		if (l->count == l->cap) {
			l->cap = l->cap ? 2 * l->cap : 1024;
			l->v = realloc(l->v, l->cap * sizeof(*l->v));
			ck_assert_ptr_nonnull(l->v);
		}
		ck_assert_ptr_eq(tdat_event_format_of(ev),
				 tdat_file_format_by_id(ev->file, ev->id));
		l->v[l->count] = (struct one){ev->ts,	       ev->off,	   seen_hash(ev->record),
					      ev->lost_before, ev->buffer, ev->cpu,
					      ev->id,	       ev->flags,  l->count};
		l->count++;
	}
}

/* All events, and the damage that was met. False: opts cannot be met with this file. */
static bool list_all(struct list *l, struct tdat_file *file, const struct tdat_iter_opts *opts)
{
	const struct tdat_iter_input in = {file, 0, 0};
	const struct tdat_stream_damage *damage;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter *iter;
	enum tdat_status st = tdat_iter_new(&iter, &in, 1, opts, &err);

	if (st == TDAT_E_UNSUPPORTED)
		return false;
	ck_assert_msg(st == TDAT_OK, "%s", err.message);
	take(l, iter, SIZE_MAX);
	damage = tdat_iter_damage(iter, &l->damage_count);
	l->damage = realloc(l->damage, (l->damage_count + 1) * sizeof(*damage));
	memcpy(l->damage, damage, l->damage_count * sizeof(*damage));
	tdat_iter_free(iter);
	return true;
}

static bool same(const struct one *a, const struct one *b)
{
	return a->ts == b->ts && a->off == b->off && a->hash == b->hash && a->lost == b->lost &&
	       a->buffer == b->buffer && a->cpu == b->cpu && a->id == b->id && a->flags == b->flags;
}

static int by_stream(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	if (x->buffer != y->buffer)
		return x->buffer < y->buffer ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static bool is_ordered(const struct list *all)
{
	struct one *v = malloc((all->count + 1) * sizeof(*v));
	bool ordered = true;

	if (all->count) {
		memcpy(v, all->v, all->count * sizeof(*v));
		qsort(v, all->count, sizeof(*v), by_stream);
	}
	for (size_t i = 1; i < all->count; i++)
		ordered &= v[i].buffer != v[i - 1].buffer || v[i].cpu != v[i - 1].cpu ||
			   v[i].ts >= v[i - 1].ts;
	free(v);
	return ordered;
}

/* Where times go back in a CPU, only the order of each CPU is that of the file. */
static void same_reversed(struct list *all, struct list *back, const char *path, bool ordered)
{
	ck_assert_msg(all->count == back->count, "%s: %zu events, %zu backwards", path, all->count,
		      back->count);
	for (size_t i = 0; i < all->count; i++)
		back->v[i].place = all->count - 1 - i;
	if (all->count) {
		qsort(all->v, all->count, sizeof(*all->v), by_stream);
		qsort(back->v, back->count, sizeof(*back->v), by_stream);
	}
	for (size_t i = 0; i < all->count; i++)
		ck_assert_msg(same(&all->v[i], &back->v[i]) &&
				      (!ordered || all->v[i].place == back->v[i].place),
			      "%s: event %zu of %zu at %llu", path, i, all->count,
			      (unsigned long long)all->v[i].ts);
	ck_assert_uint_eq(all->damage_count, back->damage_count);
	for (size_t i = 0; i < all->damage_count; i++) {
		ck_assert_uint_eq(all->damage[i].bad_pages, back->damage[i].bad_pages);
		ck_assert_uint_eq(all->damage[i].off, back->damage[i].off);
		ck_assert_uint_eq(all->damage[i].cpu, back->damage[i].cpu);
	}
}

/* The events of all that a window, a CPU and a buffer let pass, in that direction. */
static void expect(const struct list *all, const struct list *got,
		   const struct tdat_iter_opts *opts, uint32_t buffer, const char *path)
{
	size_t k = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct one *e = &all->v[opts->reverse ? all->count - 1 - i : i];

		if (e->ts < opts->from || (opts->to && e->ts > opts->to) ||
		    (opts->cpu_count && e->cpu != *opts->cpus) ||
		    (opts->buffer && e->buffer != buffer))
			continue;
		ck_assert_msg(k < got->count && e->ts == got->v[k].ts &&
				      e->hash == got->v[k].hash && e->off == got->v[k].off,
			      "%s: event %zu", path, k);
		k++;
	}
	ck_assert_uint_eq(k, got->count);
}

static void check_bounds(struct tdat_file *file, const struct list *all, const char *path,
			 bool reverse)
{
	const struct one *first = &all->v[all->count / 3], *last = &all->v[all->count / 3 * 2];
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct list got = {NULL};

	opts.reverse = reverse;
	opts.from = first->ts;
	opts.to = last->ts;
	ck_assert(list_all(&got, file, &opts));
	expect(all, &got, &opts, 0, path);
	opts.to = 0;
	opts.cpus = &last->cpu;
	opts.cpu_count = 1;
	opts.buffer = tdat_file_buffers(file, &(size_t){0})[last->buffer].name;
	ck_assert(list_all(&got, file, &opts));
	expect(all, &got, &opts, last->buffer, path);
	list_free(&got);
}

/* Goes to the times of some events, back and forth; each time some events are read. */
static void check_seek(struct tdat_file *file, const struct list *all, const char *path,
		       bool reverse)
{
	static const size_t fifths[] = {4, 0, 2, 3, 1};
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct list got = {NULL};
	struct tdat_iter *iter;

	opts.reverse = reverse;
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, &opts, NULL), TDAT_OK);
	for (size_t n = 0; n < sizeof(fifths) / sizeof(fifths[0]); n++) {
		const uint64_t ts = all->v[all->count / 5 * fifths[n]].ts;
		size_t at = 0;

		ck_assert_int_eq(tdat_iter_seek(iter, ts, NULL), TDAT_OK);
		take(&got, iter, 40);
		while (at < all->count && (reverse ? all->v[at].ts <= ts : all->v[at].ts < ts))
			at++;
		ck_assert_uint_gt(got.count, 0);
		for (size_t i = 0; i < got.count; i++) {
			const struct one *e = &all->v[reverse ? at - 1 - i : at + i];

			ck_assert_msg(e->ts == got.v[i].ts && e->hash == got.v[i].hash &&
					      e->off == got.v[i].off,
				      "%s: event %zu from %llu", path, i, (unsigned long long)ts);
		}
	}
	ck_assert_int_eq(tdat_iter_seek(iter, reverse ? 0 : UINT64_MAX, NULL), TDAT_OK);
	take(&got, iter, 1);
	ck_assert_uint_eq(got.count, 0);
	tdat_iter_free(iter);
	list_free(&got);
}

struct counts {
	size_t files, ordered, refused;
};

static void check_file(struct tdat_file *file, const char *path, struct counts *n)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct list all = {NULL}, back = {NULL};
	bool ordered, readable;

	ck_assert(list_all(&all, file, &opts));
	ordered = is_ordered(&all);
	opts.reverse = true;
	readable = list_all(&back, file, &opts);
	n->files++;
	n->ordered += ordered;
	n->refused += !readable;
	for (int reverse = 0; ordered && all.count && reverse <= readable; reverse++) {
		check_bounds(file, &all, path, reverse);
		check_seek(file, &all, path, reverse);
	}
	if (readable)
		same_reversed(&all, &back, path, ordered);
	list_free(&all);
	list_free(&back);
}

/* Where the time of a CPU goes back, reading backwards gives the order of each CPU. */
START_TEST(test_unordered)
{
	const char *fixtures = getenv("TDAT_FIXTURES");
	struct counts n = {0};
	struct list all = {NULL};
	struct tdat_file *file;
	struct bytes b;
	char path[600];

	snprintf(path, sizeof(path), "%s/valid/i386-61-v6-sched.dat",
		 fixtures ? fixtures : "tests/fixtures");
	bytes_load(&b, path);
	ck_assert_int_eq(tdat_file_open_memory(&file, b.ptr, b.len, path, NULL, NULL), TDAT_OK);
	ck_assert(list_all(&all, file, NULL));
	tdat_file_close(file);
	/* The time of the first page becomes later than those of all others. */
	for (size_t i = 0; i < all.count; i++)
		if (all.v[i].flags & TDAT_EVENT_PAGE_START) {
			b.ptr[(all.v[i].off & ~UINT64_C(4095)) + 5] ^= 1;
			break;
		}
	ck_assert_int_eq(tdat_file_open_memory(&file, b.ptr, b.len, path, NULL, NULL), TDAT_OK);
	check_file(file, path, &n);
	ck_assert_uint_eq(n.ordered, 0);
	ck_assert_uint_eq(n.refused, 0);
	tdat_file_close(file);
	free(b.ptr);
	list_free(&all);
}
END_TEST

START_TEST(test_fixtures)
{
	struct tdat_open_opts how = TDAT_OPEN_OPTS_INIT;
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	struct counts n = {0};
	char pattern[600];
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/*/*.dat", fixtures ? fixtures : "tests/fixtures");
	ck_assert_int_eq(glob(pattern, 0, NULL, &g), 0);
	if (shared) {
		snprintf(pattern, sizeof(pattern), "%s/corpus/files/*.dat", shared);
		glob(pattern, GLOB_APPEND, NULL, &g);
	}
	how.tolerate_damage = true;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct tdat_file *file;

		ck_assert_int_eq(tdat_file_open(&file, g.gl_pathv[i], &how, NULL), TDAT_OK);
		check_file(file, g.gl_pathv[i], &n);
		tdat_file_close(file);
	}
	globfree(&g);
	ck_assert_uint_gt(n.ordered, n.files / 2);
	ck_assert_uint_lt(n.refused, n.files / 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cursor");
	TCase *tcase = tcase_create("cursor");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, test_fixtures);
	tcase_add_test(tcase, test_unordered);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
