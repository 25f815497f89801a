/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pieces of a file, one after the other, hold just the events that an iterator
 * with the same filter gives of the file: payload, raw time stamp, buffer and CPU;
 * and what was lost before each. For the fixtures, the shared corpus, and generated
 * captures of all byte orders, page sizes and versions.
 */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/tdat.h>

#include "../common/part.h"
#include "../common/run.h"
#include "../common/scratch.h"
#include "unit/write/gen.h"

struct ev {
	char buffer[32];
	uint32_t cpu;
	uint64_t raw_ts, ts;
	int64_t lost;
	uint32_t len;
	uint64_t hash;
	bool kept;
};

struct list {
	struct ev *v;
	size_t count, cap;
};

struct want {
	const char *name;
	enum tdat_split_unit unit;
	uint64_t count;
	bool per_cpu;
	bool by_time, by_pid, one_cpu;
	bool shrink;
};

static const struct want wants[] = {
	{.name = "all"},
	{.name = "100 events", .unit = TDAT_SPLIT_EVENTS, .count = 100},
	{.name = "97 events a CPU", .unit = TDAT_SPLIT_EVENTS, .count = 97, .per_cpu = true},
	{.name = "20 ms", .unit = TDAT_SPLIT_NS, .count = 20000000},
	{.name = "30 ms a CPU", .unit = TDAT_SPLIT_NS, .count = 30000000, .per_cpu = true},
	{.name = "2 pages", .unit = TDAT_SPLIT_PAGES, .count = 2},
	{.name = "a span", .by_time = true},
	{.name = "a span, shrunk, 50 events",
	 .by_time = true,
	 .shrink = true,
	 .unit = TDAT_SPLIT_EVENTS,
	 .count = 50},
	{.name = "a pid", .by_pid = true},
	{.name = "a pid, 10 events", .by_pid = true, .unit = TDAT_SPLIT_EVENTS, .count = 10},
	{.name = "CPU 1", .one_cpu = true, .unit = TDAT_SPLIT_EVENTS, .count = 500},
};

enum { WANTS = sizeof(wants) / sizeof(wants[0]), PIECES_MOST = 15 };

static uint64_t hash_of(struct tdat_span s)
{
	uint64_t h = 14695981039346656037ull;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ s.ptr[i]) * 1099511628211ull;
	return h;
}

/* Appends all events; raw: stamps of the ring buffer, filter or not. */
static void read_events(struct list *l, struct tdat_file *file, const struct tdat_filter *filter,
			bool raw, const uint32_t *cpu)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_iter_input in = {.file = file};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_buffer *buffers;
	const struct tdat_event *e;
	struct tdat_iter *iter;
	size_t n;

	buffers = tdat_file_buffers(file, &n);
	opts.raw_ts = raw;
	opts.filter = filter;
	opts.cpus = cpu;
	opts.cpu_count = cpu ? 1 : 0;
	ck_assert_msg(!tdat_iter_new(&iter, &in, 1, &opts, &err), "%s", err.message);
	for (;;) {
		struct ev *ev;

		ck_assert_msg(!tdat_iter_next(iter, &e, &err), "%s", err.message);
		if (!e)
			break;
		if (l->count == l->cap) {
			l->cap = l->cap ? l->cap * 2 : 1024;
			l->v = realloc(l->v, l->cap * sizeof(*l->v));
			ck_assert_ptr_nonnull(l->v);
		}
		ev = &l->v[l->count++];
		*ev = (struct ev){.cpu = e->cpu,
				  .raw_ts = e->ts,
				  .ts = e->ts,
				  .lost = e->lost_before,
				  .len = (uint32_t)e->record.len,
				  .hash = hash_of(e->record)};
		snprintf(ev->buffer, sizeof(ev->buffer), "%s", buffers[e->buffer].name);
	}
	tdat_iter_free(iter);
}

static int same_stream(const struct ev *a, const struct ev *b)
{
	return a->cpu == b->cpu && !strcmp(a->buffer, b->buffer);
}

static size_t next_in_stream(const struct list *l, size_t i, const struct ev *of)
{
	while (i < l->count && !same_stream(&l->v[i], of))
		i++;
	return i;
}

static bool same_event(const struct ev *a, const struct ev *b)
{
	return a->ts == b->ts && a->len == b->len && a->hash == b->hash;
}

/* Stamps of both kinds go together stream by stream, whatever the order of all. */
static void add_raw(struct list *shown, const struct list *raw)
{
	size_t *next = calloc(shown->count + 1, sizeof(*next));

	ck_assert_uint_eq(shown->count, raw->count);
	for (size_t i = 0; i < shown->count; i++) {
		/* The first event of a stream starts its own count. */
		size_t first = next_in_stream(shown, 0, &shown->v[i]);
		size_t at = next_in_stream(raw, next[first], &shown->v[i]);

		ck_assert_uint_lt(at, raw->count);
		ck_assert(raw->v[at].hash == shown->v[i].hash);
		shown->v[i].raw_ts = raw->v[at].raw_ts;
		next[first] = at + 1;
	}
	free(next);
}

static void add_lost(int64_t *sum, int64_t lost)
{
	*sum = *sum < 0 || lost < 0 ? -1 : *sum + lost;
}

/*
 * Marks the events of all that kept has, and gives them what was lost before them
 * since the last kept one; before from nothing counts.
 */
static void mark_kept(struct list *all, const struct list *kept, uint64_t from)
{
	bool *done = calloc(all->count + 1, sizeof(*done));

	for (size_t i = 0; i < all->count; i++) {
		size_t k = next_in_stream(kept, 0, &all->v[i]);
		int64_t lost = 0;

		if (done[i])
			continue;
		for (size_t j = i; j < all->count; j = next_in_stream(all, j + 1, &all->v[i])) {
			struct ev *ev = &all->v[j];

			done[j] = true;
			add_lost(&lost, ev->lost);
			ev->kept = k < kept->count && same_event(ev, &kept->v[k]);
			if (ev->kept) {
				ev->lost = lost;
				k = next_in_stream(kept, k + 1, ev);
			}
			if (ev->kept || ev->ts < from)
				lost = 0;
		}
		ck_assert_uint_eq(k, kept->count);
	}
	free(done);
}

/* ---- one case ---- */

struct trial {
	const char *path;
	const struct want *want;
	struct tdat_file *file;
	struct tdat_filter *filter;
	uint64_t from;
	uint32_t cpu;
	struct list all, got;
	char out[SCRATCH_PATH];
};

#define SAY(t, cond) ck_assert_msg(cond, "%s, %s: " #cond, (t)->path, (t)->want->name)

static void make_filter(struct trial *t)
{
	struct tdat_filter_opts o = TDAT_FILTER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct list shown = {NULL, 0, 0};
	char from[32], to[32];
	int32_t pid = 0;

	if (!t->want->by_time && !t->want->by_pid)
		return;
	read_events(&shown, t->file, NULL, false, NULL);
	if (t->want->by_time && shown.count) {
		bool ns = tdat_file_shows_seconds(t->file);

		t->from = shown.v[shown.count / 3].ts;
		snprintf(from, sizeof(from), "%llu%s", (unsigned long long)t->from, ns ? "ns" : "");
		snprintf(to, sizeof(to), "%llu%s",
			 (unsigned long long)shown.v[shown.count * 2 / 3].ts, ns ? "ns" : "");
		o.from = from;
		o.to = to;
	}
	if (t->want->by_pid && shown.count) {
		const struct tdat_iter_input in = {.file = t->file};
		const struct tdat_event *e;
		struct tdat_iter *iter;
		size_t n = shown.count / 2;

		ck_assert(!tdat_iter_new(&iter, &in, 1, NULL, &err));
		do {
			ck_assert(!tdat_iter_next(iter, &e, &err));
			pid = e ? e->pid : pid;
		} while (e && n--);
		tdat_iter_free(iter);
		o.pids = &pid;
		o.pid_count = 1;
	}
	free(shown.v);
	ck_assert_msg(!tdat_filter_new(&t->filter, &o, &err), "%s: %s", t->path, err.message);
}

/* A CPU that has most of the file. */
static uint32_t pick_cpu(const struct tdat_file *file)
{
	const struct tdat_buffer *b;
	size_t count;

	b = tdat_file_buffers(file, &count);
	return count && b[0].cpu_count ? b[0].cpus[b[0].cpu_count - 1].cpu : 0;
}

/* The counts of a piece, of each stream or buffer. */
static void check_counts(const struct trial *t, const struct list *piece)
{
	const struct want *w = t->want;

	if (w->unit != TDAT_SPLIT_EVENTS && w->unit != TDAT_SPLIT_NS)
		return;
	for (size_t i = 0; i < piece->count; i++) {
		uint64_t n = 0, first = UINT64_MAX, last = 0;

		for (size_t k = 0; k < piece->count; k++) {
			const struct ev *e = &piece->v[k];

			if (strcmp(e->buffer, piece->v[i].buffer) != 0 ||
			    (w->per_cpu && e->cpu != piece->v[i].cpu))
				continue;
			n++;
			first = e->ts < first ? e->ts : first;
			last = e->ts > last ? e->ts : last;
		}
		if (w->unit == TDAT_SPLIT_EVENTS)
			SAY(t, n <= w->count);
		if (w->unit == TDAT_SPLIT_NS)
			SAY(t, last - first <= w->count);
	}
}

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	const struct trial *t = ctx;

	(void)err;
	ck_assert_msg(f->severity < TDAT_DAMAGE, "%s, %s: %s", t->path, t->want->name, f->sentence);
	return TDAT_OK;
}

static void read_piece(struct trial *t)
{
	struct tdat_check_result result;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct list shown = {NULL, 0, 0}, raw = {NULL, 0, 0};
	struct tdat_file *file;

	ck_assert_msg(!tdat_file_open(&file, t->out, NULL, &err), "%s, %s: %s", t->path,
		      t->want->name, err.message);
	ck_assert(!tdat_check(file, on_finding, t, &result, &err));
	SAY(t, !result.damages && !result.bad_pages);
	read_events(&shown, file, NULL, false, NULL);
	read_events(&raw, file, NULL, true, NULL);
	add_raw(&shown, &raw);
	check_counts(t, &shown);
	t->got.v = realloc(t->got.v, (t->got.count + shown.count + 1) * sizeof(*t->got.v));
	if (shown.count)
		memcpy(t->got.v + t->got.count, shown.v, shown.count * sizeof(*shown.v));
	t->got.count += shown.count;
	free(shown.v);
	free(raw.v);
	tdat_file_close(file);
}

static void write_pieces(struct trial *t)
{
	struct tdat_split_opts o = TDAT_SPLIT_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_split *split;
	bool more = true;
	size_t pieces = 0, bad;

	o.filter = t->filter;
	o.unit = t->want->unit;
	o.count = t->want->count;
	o.per_cpu = t->want->per_cpu;
	o.shrink = t->want->shrink;
	o.cpus = t->want->one_cpu ? &t->cpu : NULL;
	o.cpu_count = 1;
	ck_assert_msg(!tdat_split_new(&split, t->file, &o, &err), "%s: %s", t->path, err.message);
	while (more && pieces++ < PIECES_MOST) {
		struct tdat_writer_opts wo = TDAT_WRITER_OPTS_INIT;
		struct tdat_writer *w;

		wo.force = true;
		wo.threads = 1;
		wo.version = tdat_file_info(t->file)->version;
		wo.compression = tdat_file_info(t->file)->compression;
		if (wo.version == 6)
			wo.compression = "none";
		ck_assert_msg(!tdat_writer_new(&w, t->out, &wo, &err), "%s", err.message);
		ck_assert_msg(!tdat_split_next(split, w, &more, &err), "%s, %s: %s", t->path,
			      t->want->name, err.message);
		ck_assert_msg(!tdat_writer_finish(w, &err), "%s", err.message);
		tdat_writer_free(w);
		read_piece(t);
	}
	tdat_split_damage(split, &bad);
	SAY(t, bad == 0);
	tdat_split_free(split);
	if (more) /* of more pieces only the first are looked at */
		t->all.cap = 0;
}

/* What is in the pieces must be a beginning of each stream, all of it without more. */
static void compare(struct trial *t, bool complete)
{
	bool *done = calloc(t->all.count + 1, sizeof(*done));
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < t->all.count; i++) {
		size_t g = next_in_stream(&t->got, 0, &t->all.v[i]);

		kept += t->all.v[i].kept;
		if (done[i])
			continue;
		for (size_t j = i; j < t->all.count;
		     j = next_in_stream(&t->all, j + 1, &t->all.v[i])) {
			const struct ev *ev = &t->all.v[j], *got = &t->got.v[g];

			done[j] = true;
			if (!ev->kept || g == t->got.count)
				continue;
			SAY(t, same_event(ev, got) && ev->raw_ts == got->raw_ts);
			ck_assert_msg(ev->lost == got->lost,
				      "%s, %s: event %zu of CPU %u: %lld lost, not %lld", t->path,
				      t->want->name, j, ev->cpu, (long long)got->lost,
				      (long long)ev->lost);
			found++;
			g = next_in_stream(&t->got, g + 1, ev);
		}
		SAY(t, g == t->got.count);
	}
	SAY(t, found == t->got.count);
	SAY(t, !complete || found == kept);
	free(done);
}

static void try(const char *path, const struct want *want)
{
	struct trial t = {.path = path, .want = want};
	struct list raw = {NULL, 0, 0}, kept = {NULL, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	bool complete;

	ck_assert_msg(!tdat_file_open(&t.file, path, NULL, &err), "%s: %s", path, err.message);
	if (tdat_file_info(t.file)->latency ||
	    (want->unit == TDAT_SPLIT_NS && !tdat_file_shows_seconds(t.file))) {
		tdat_file_close(t.file);
		return;
	}
	scratch_file(t.out);
	t.cpu = pick_cpu(t.file);
	make_filter(&t);
	read_events(&t.all, t.file, NULL, false, want->one_cpu ? &t.cpu : NULL);
	read_events(&raw, t.file, NULL, true, want->one_cpu ? &t.cpu : NULL);
	add_raw(&t.all, &raw);
	read_events(&kept, t.file, t.filter, false, want->one_cpu ? &t.cpu : NULL);
	mark_kept(&t.all, &kept, t.from);
	t.all.cap = 1;
	write_pieces(&t);
	complete = t.all.cap != 0;
	compare(&t, complete);
	tdat_filter_free(t.filter);
	tdat_file_close(t.file);
	unlink(t.out);
	free(raw.v);
	free(kept.v);
	free(t.all.v);
	free(t.got.v);
}

/* ---- files ---- */

static size_t try_all(const char *pattern, const struct want *want)
{
	glob_t g;
	size_t count = 0;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		/* 200000 events take too long to compare by looking at all for each. */
		if (strstr(g.gl_pathv[i], "lab612-all") || strstr(g.gl_pathv[i], "funcirqpreempt"))
			continue;
		if (part_takes_file(g.gl_pathv[i]))
			try(g.gl_pathv[i], want);
		count++;
	}
	globfree(&g);
	return count;
}

START_TEST(fixtures)
{
	const char *dir = getenv("TDAT_FIXTURES");
	char pattern[512];

	snprintf(pattern, sizeof(pattern), "%s/valid/*.dat", dir ? dir : "tests/fixtures");
	ck_assert_uint_gt(try_all(pattern, &wants[_i]), 20);
}
END_TEST

START_TEST(shared)
{
	const char *dir = getenv("TDAT_SHARED");
	char pattern[512];

	if (!dir || !*dir || (_i != 4 && _i != 7 && _i != 9)) /* takes long */
		return;
	snprintf(pattern, sizeof(pattern), "%s/corpus/files/*.dat", dir);
	try_all(pattern, &wants[_i]);
}
END_TEST

/* Random streams: gaps that need time extends, all sizes, losses. */
START_TEST(generated)
{
	static const uint32_t page_sizes[] = {4096, 65536};
	static const struct {
		uint32_t version;
		const char *compression;
	} kinds[] = {{6, "none"}, {7, "none"}, {7, "zstd"}};
	struct gen_case c = {.threads = 1, .seed = (uint64_t)_i + 77, .count = 1200};
	char path[SCRATCH_PATH];
	struct gen g;

	if (!part_takes((size_t)_i))
		return;
	scratch_file(path);
	c.version = kinds[_i % 3].version;
	c.compression = kinds[_i % 3].compression;
	c.big = _i / 3 & 1;
	c.long_size = _i / 6 & 1 ? 4 : 8;
	c.page_size = page_sizes[_i & 1];
	gen_init(&g, &c, GEN_ID);
	gen_write_as(&g, &c, path, true);
	for (int i = 0; i < WANTS; i++)
		if (wants[i].unit != TDAT_SPLIT_NS)
			try(path, &wants[i]);
	gen_fini(&g);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("split_pieces");
	TCase *tc = tcase_create("pieces");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, fixtures, 0, WANTS);
	tcase_add_loop_test(tc, shared, 0, WANTS);
	tcase_add_loop_test(tc, generated, 0, 12);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
