/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of version, compression, unit and --shrink, one of the filter and its number,
 * one of the count, then any bytes as a trace.dat. What is written opens
 * strictly, unless the metadata it copies is damaged; each CPU of each buffer has just the events
 * that the filter lets pass, and before them is lost what was lost since the one before; shrunk
 * pieces print the same text.
 */
#include <string.h>

#include "events.h"

enum { FLAG_SHRINK = 16, UNIT_SHIFT = 5 }; /* beside FUZZ_V6 and so on */
enum { PIECES_MOST = 6, BUFFERS_MOST = 16 };

struct job {
	struct tdat_file *file;
	uint8_t flags, how, count;
	struct fuzz_list all, kept, got;
	uint64_t from; /* time of the filter */
	bool sorted;   /* each stream is in order of time */
	bool sound;    /* no damage, which counts as lost unless a search by time jumps over it */
	struct tdat_filter *filter;
	char times[2][32];
};

/* ---- what is asked for ---- */

static const char *time_text(struct job *j, int i, size_t event)
{
	snprintf(j->times[i], sizeof(j->times[i]), "%llu%s", (unsigned long long)j->all.v[event].ts,
		 tdat_file_shows_seconds(j->file) ? "ns" : "");
	return j->times[i];
}

/* The kind of filter is in the low bits, what it is about in the others. */
static bool make_filter(struct job *j)
{
	static const char *const exprs[] = {".*:common_pid > 0", "CPU == 0", ".*:common_type % 2",
					    "COMM =~ \"s\""};
	struct tdat_filter_opts o = TDAT_FILTER_OPTS_INIT;
	struct tdat_filter_expr expr = {exprs[j->how / 8 % 4], j->how & 32};
	size_t n = j->all.count;

	o.stacks = TDAT_STACKS_NONE;
	if (j->how & 1) {
		o.exprs = &expr;
		o.expr_count = 1;
	}
	if (j->how & 2 && n) {
		o.from = time_text(j, 0, j->count % n);
		j->from = j->all.v[j->count % n].ts;
	}
	if (j->how & 4 && n)
		o.to = time_text(j, 1, n - 1 - j->count / 2 % n);
	return !(j->how & 7) || tdat_filter_new(&j->filter, &o, NULL) == TDAT_OK;
}

/* ---- what came of it ---- */

static int64_t sum_lost(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : a + b;
}

/* Of event i of kept, which is one of the same stream behind *at of all. */
static int64_t lost_before(const struct job *j, size_t i, size_t *at)
{
	const struct fuzz_event *e = &j->kept.v[i];
	int64_t lost = 0;

	for (;; (*at)++) {
		const struct fuzz_event *a;

		*at = fuzz_list_next(&j->all, *at, e->stream);
		FUZZ_ASSERT(*at < j->all.count);
		a = &j->all.v[*at];
		lost = sum_lost(lost, a->lost);
		if (a->ts == e->ts && a->hash == e->hash) {
			(*at)++;
			return lost;
		}
		if (a->ts < j->from)
			lost = 0;
	}
}

/* The events of one stream; whole: none may be missing at the end. */
static void check_stream(const struct job *j, size_t first, bool whole)
{
	uint64_t stream = j->kept.v[first].stream;
	size_t i, at = 0, g = 0;

	for (i = first; i < j->kept.count; i = fuzz_list_next(&j->kept, i + 1, stream)) {
		const struct fuzz_event *e = &j->kept.v[i];

		g = fuzz_list_next(&j->got, g, stream);
		if (g == j->got.count && !whole)
			return;
		FUZZ_ASSERT(g < j->got.count);
		FUZZ_ASSERT(j->got.v[g].ts == e->ts && j->got.v[g].hash == e->hash);
		if (j->sorted && j->sound)
			FUZZ_ASSERT(j->got.v[g].lost == lost_before(j, i, &at));
		g++;
	}
	FUZZ_ASSERT(fuzz_list_next(&j->got, g, stream) == j->got.count);
}

static void check_events(const struct job *j, bool whole)
{
	size_t i;

	FUZZ_ASSERT(!whole || j->got.count == j->kept.count);
	for (i = 0; i < j->kept.count; i++)
		if (fuzz_list_next(&j->kept, 0, j->kept.v[i].stream) == i)
			check_stream(j, i, whole);
	for (i = 0; i < j->got.count; i++)
		FUZZ_ASSERT(fuzz_list_next(&j->kept, 0, j->got.v[i].stream) < j->kept.count);
}

/* ---- splitting ---- */

/* One more piece; NULL: none, or none that can be written, of which there is a word. */
static struct tdat_file *next_piece(const struct job *j, struct tdat_split *split, bool *more)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w = fuzz_writer_as(j->flags);
	size_t damages;
	enum tdat_status st = tdat_split_next(split, w, more, &err);

	st = fuzz_finish(w, st, &err);
	/* Metadata is copied as it is. */
	tdat_file_damage(j->file, &damages);
	return st == TDAT_OK ? fuzz_reopen_as(damages != 0) : NULL;
}

static struct tdat_split *new_split(const struct job *j, bool shrink, enum tdat_split_unit unit)
{
	struct tdat_split_opts o = TDAT_SPLIT_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_split *split = NULL;
	enum tdat_status st;

	o.filter = j->filter;
	o.unit = unit;
	o.count = unit == TDAT_SPLIT_NS ? 1000ull << (j->count & 31) : j->count + 1u;
	o.per_cpu = j->how & 64;
	o.shrink = shrink;
	st = tdat_split_new(&split, j->file, &o, &err);
	FUZZ_ASSERT(st == TDAT_OK || (err.status == st && *err.message));
	return split;
}

static void split_pieces(struct job *j)
{
	struct tdat_split *split = new_split(j, j->flags & FLAG_SHRINK,
					     (enum tdat_split_unit)(j->flags >> UNIT_SHIFT & 3));
	bool more = true, told = false;
	int n;

	for (n = 0; split && more && n < PIECES_MOST; n++) {
		struct tdat_iter_input in = {.file = next_piece(j, split, &more)};

		told |= !in.file;
		if (!in.file)
			break;
		fuzz_list_read(&j->got, &in, 1, NULL, true);
		FUZZ_ASSERT(j->got.status == TDAT_OK);
		tdat_file_close(in.file);
	}
	if (split && !told)
		check_events(j, !more);
	tdat_split_free(split);
}

/* false: there is no file to be printed. */
static bool print_split(const struct job *j, bool shrink, struct fuzz_text *text)
{
	struct tdat_split *split = new_split(j, shrink, TDAT_SPLIT_ALL);
	struct tdat_iter_input in = {NULL, 0, 0};
	bool more, ok = false;

	if (split)
		in.file = next_piece(j, split, &more);
	if (in.file)
		ok = fuzz_print(&in, 1, text) == TDAT_OK;
	tdat_file_close(in.file);
	tdat_split_free(split);
	return ok;
}

static void compare_text(const struct job *j)
{
	struct fuzz_text all, shrunk;

	if (print_split(j, false, &all) && print_split(j, true, &shrunk))
		FUZZ_ASSERT(all.len == shrunk.len && all.hash == shrunk.hash);
}

/* ---- the input ---- */

/* Buffers of the same name cannot be told from each other. */
static bool names_differ(const struct tdat_file *file)
{
	const struct tdat_buffer *b;
	size_t i, k, count;

	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count && count <= BUFFERS_MOST; i++)
		for (k = 0; k < i; k++)
			if (!strcmp(b[i].name, b[k].name))
				return false;
	return count <= BUFFERS_MOST;
}

static bool is_sorted(const struct fuzz_list *l)
{
	size_t i, next;

	for (i = 0; i < l->count; i++) {
		next = fuzz_list_next(l, i + 1, l->v[i].stream);
		if (next < l->count && l->v[next].ts < l->v[i].ts)
			return false;
	}
	return true;
}

static void run(struct job *j)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_iter_input in = {.file = j->file};
	struct tdat_check_result result;

	fuzz_list_read(&j->all, &in, 1, NULL, true);
	if (j->all.status != TDAT_OK || !names_differ(j->file) || !make_filter(j))
		return;
	j->sorted = is_sorted(&j->all);
	j->sound = fuzz_check(j->file, &result) && !result.damages;
	opts.filter = j->filter;
	fuzz_list_read(&j->kept, &in, 1, &opts, true);
	if (j->kept.status != TDAT_OK)
		return;
	split_pieces(j);
	/* Formats to which a damaged file's options do not lead may be found in the whole piece. */
	if (j->flags & FLAG_SHRINK && j->sound)
		compare_text(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct job j = {0};

	if (size < 3 || tdat_file_open_memory(&j.file, data + 3, size - 3, "fuzz", &opts, NULL))
		return 0;
	j.flags = data[0];
	j.how = data[1];
	j.count = data[2];
	run(&j);
	fuzz_list_fini(&j.all);
	fuzz_list_fini(&j.kept);
	fuzz_list_fini(&j.got);
	tdat_filter_free(j.filter);
	tdat_file_close(j.file);
	return 0;
}
