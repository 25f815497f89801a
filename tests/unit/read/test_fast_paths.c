/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of a fast and a slow path that must give the same, on the events of every fixture
 * (and of the shared corpus, where there is one). The code of each pair names its test here.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <tdat/tdat.h>

#include "core/build.h"
#include "model/native.h"
#include "read/iter.h"
#include "read/print_set.h"
#include "read/printer.h"

#include "../common/run.h"

/* ---- all files ---- */

typedef void (*file_fn)(struct tdat_file *file, const char *path, void *ctx);

static size_t each_file_of(const char *folder, file_fn fn, void *ctx)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	char path[1024];
	struct dirent *e;
	size_t files = 0;
	DIR *d = opendir(folder);

	opts.tolerate_damage = true;
	while (d && (e = readdir(d))) {
		struct tdat_file *file;

		if (!strstr(e->d_name, ".dat"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		ck_assert_int_eq(tdat_file_open(&file, path, &opts, NULL), TDAT_OK);
		if (!tdat_file_info(file)->latency)
			fn(file, path, ctx);
		tdat_file_close(file);
		files++;
	}
	if (d)
		closedir(d);
	return files;
}

static void each_file(file_fn fn, void *ctx)
{
	const char *fixtures = getenv("TDAT_FIXTURES"), *shared = getenv("TDAT_SHARED");
	char folder[512];

	snprintf(folder, sizeof(folder), "%s/valid", fixtures ? fixtures : "tests/fixtures");
	ck_assert_uint_gt(each_file_of(folder, fn, ctx), 10);
	if (!shared)
		return;
	snprintf(folder, sizeof(folder), "%s/corpus/files", shared);
	each_file_of(folder, fn, ctx);
}

static struct tdat_iter *open_iter(struct tdat_file *file, bool plugin_state)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_iter *iter;

	opts.plugin_state = plugin_state;
	ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, &opts, NULL), TDAT_OK);
	return iter;
}

/* ---- take_run (lib/read/next_event.c) and refill with fold_leaf ---- */

enum { BATCH = 37 };

struct kept {
	struct read_block *list;
};

static void keep(void *ctx, struct read_block *b)
{
	struct kept *k = ctx;

	b->next = k->list;
	k->list = b;
}

static bool same_span(struct tdat_span a, struct tdat_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

static void compare_events(const struct tdat_event *a, const struct tdat_event *b, const char *path,
			   uint64_t n)
{
	ck_assert_msg(a->ts == b->ts && a->input == b->input && a->buffer == b->buffer &&
			      a->cpu == b->cpu && a->id == b->id && a->pid == b->pid &&
			      a->lost_before == b->lost_before && a->off == b->off &&
			      a->flags == b->flags && a->depth == b->depth &&
			      same_span(a->record, b->record) && same_span(a->comm, b->comm) &&
			      same_span(a->leaf, b->leaf),
		      "%s: event %llu, at %llu, is another one when taken alone", path,
		      (unsigned long long)n, (unsigned long long)a->ts);
}

/* most: events at once. 1 leaves no run longer than an entry with its exit. */
static uint64_t compare_batches(struct tdat_file *file, const char *path, bool plugin_state,
				size_t most)
{
	struct tdat_iter *some = open_iter(file, plugin_state);
	struct tdat_iter *alone = open_iter(file, plugin_state);
	struct tdat_event events[BATCH];
	struct kept kept = {NULL};
	const struct tdat_event *ev;
	uint64_t n = 0;
	size_t i, count;

	some->release = keep;
	some->release_ctx = &kept;
	do {
		ck_assert_int_eq(read_iter_take_some(some, events, most, &count, NULL), TDAT_OK);
		read_iter_name_some(some, events, count);
		for (i = 0; i < count; i++, n++) {
			ck_assert_int_eq(tdat_iter_next(alone, &ev, NULL), TDAT_OK);
			ck_assert_ptr_nonnull(ev);
			compare_events(&events[i], ev, path, n);
		}
		while (kept.list) {
			struct read_block *b = kept.list;

			kept.list = b->next;
			read_block_put(b);
		}
	} while (count);
	some->release = NULL;
	ck_assert_int_eq(tdat_iter_next(alone, &ev, NULL), TDAT_OK);
	ck_assert_ptr_null(ev);
	tdat_iter_free(some);
	tdat_iter_free(alone);
	return n;
}

static void events_of_file(struct tdat_file *file, const char *path, void *ctx)
{
	uint64_t *events = ctx;

	*events += compare_batches(file, path, true, BATCH);
	compare_batches(file, path, true, 1);
	compare_batches(file, path, false, BATCH);
}

START_TEST(same_events)
{
	uint64_t events = 0;

	each_file(events_of_file, &events);
	ck_assert_uint_gt(events, 10000);
}
END_TEST

/* ---- take_early and skip_absent (lib/read/next_event.c): events of some types ---- */

/* Some ids, and none of function_graph's entries, with which their exits would go. */
static uint8_t *some_ids(struct tdat_file *file, uint32_t third)
{
	uint8_t *ids = calloc(1, FILE_ID_COUNT / 8);

	ck_assert_ptr_nonnull(ids);
	for (uint32_t id = 0; id < FILE_ID_COUNT; id++) {
		const struct tdat_event_format *f = tdat_file_format_by_id(file, id);

		if (id % 3 == third && f &&
		    strcmp(tdat_event_format_name(f), "funcgraph_entry") != 0)
			ids[id / 8] |= (uint8_t)(1u << (id & 7));
	}
	return ids;
}

static bool has_id(const uint8_t *ids, uint32_t id)
{
	return ids[id / 8] & 1u << (id & 7);
}

/* The next event of all that is in ids, or for which a loss is to be told. */
static bool next_chosen(struct tdat_iter *all, const uint8_t *ids, bool keep_lost,
			struct tdat_event *out)
{
	const struct tdat_event *ev;

	do {
		ck_assert_int_eq(tdat_iter_next(all, &ev, NULL), TDAT_OK);
		if (!ev)
			return false;
	} while (!has_id(ids, ev->id) && !(keep_lost && ev->lost_before));
	*out = *ev;
	out->leaf = (struct tdat_span){NULL, 0};
	if (!has_id(ids, ev->id))
		out->flags |= READ_EVENT_UNWANTED;
	return true;
}

static void no_gap(void *ctx, uint32_t input, uint32_t buffer, uint32_t cpu, uint64_t from)
{
	(void)ctx;
	(void)input;
	(void)buffer;
	(void)cpu;
	(void)from;
}

static uint64_t compare_chosen(struct tdat_file *file, const char *path, uint32_t third,
			       bool keep_lost)
{
	const struct tdat_iter_input in = {file, 0, 0};
	const struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	uint8_t *ids = some_ids(file, third);
	const uint8_t *const lists[] = {ids};
	const struct read_iter_extra extra = {.ids = lists, .on_gap = keep_lost ? no_gap : NULL};
	struct tdat_iter *all = open_iter(file, false), *some;
	struct tdat_event events[BATCH], ev;
	struct kept kept = {NULL};
	uint64_t n = 0;
	size_t count;

	ck_assert_int_eq(read_iter_new(&some, &in, 1, &opts, &extra, NULL), TDAT_OK);
	some->release = keep;
	some->release_ctx = &kept;
	do {
		ck_assert_int_eq(read_iter_take_some(some, events, BATCH, &count, NULL), TDAT_OK);
		for (size_t i = 0; i < count; i++, n++) {
			ck_assert_msg(next_chosen(all, ids, keep_lost, &ev),
				      "%s: event %llu was not asked for", path,
				      (unsigned long long)n);
			events[i].comm = ev.comm;
			events[i].depth = ev.depth;
			compare_events(&events[i], &ev, path, n);
		}
		while (kept.list) {
			struct read_block *b = kept.list;

			kept.list = b->next;
			read_block_put(b);
		}
	} while (count);
	some->release = NULL;
	ck_assert_msg(!next_chosen(all, ids, keep_lost, &ev), "%s: events are missing", path);
	tdat_iter_free(some);
	tdat_iter_free(all);
	free(ids);
	return n;
}

static void chosen_of_file(struct tdat_file *file, const char *path, void *ctx)
{
	uint64_t *events = ctx;

	for (uint32_t third = 0; third < 3; third++)
		*events += compare_chosen(file, path, third, third != 1);
}

START_TEST(same_chosen)
{
	uint64_t events = 0;

	each_file(chosen_of_file, &events);
	ck_assert_uint_gt(events, 10000);
}
END_TEST

/* ---- record_common (lib/read/next_event.c): usual places, and any ---- */

static void common_of_file(struct tdat_file *file, const char *path, void *ctx)
{
	struct tdat_iter *iter = open_iter(file, false);
	uint64_t *events = ctx;
	const struct tdat_event *ev;

	for (;;) {
		const struct tdat_event_format *f;
		uint64_t id;
		int64_t pid;

		ck_assert_int_eq(tdat_iter_next(iter, &ev, NULL), TDAT_OK);
		if (!ev)
			break;
		f = tdat_file_format_by_id(file, ev->id);
		if (!f)
			continue;
		ck_assert_int_eq(tdat_field_u64(tdat_event_format_field(f, "common_type"),
						ev->record, &id, NULL),
				 TDAT_OK);
		ck_assert_int_eq(tdat_field_i64(tdat_event_format_field(f, "common_pid"),
						ev->record, &pid, NULL),
				 TDAT_OK);
		ck_assert_msg(id == ev->id && pid == ev->pid,
			      "%s: an event of id %llu, pid %lld is taken as id %u, pid %d", path,
			      (unsigned long long)id, (long long)pid, ev->id, ev->pid);
		++*events;
	}
	tdat_iter_free(iter);
}

START_TEST(same_common)
{
	uint64_t events = 0;

	each_file(common_of_file, &events);
	ck_assert_uint_gt(events, 10000);
}
END_TEST

/* ---- put_usual_head and put_task_cached (lib/read/printer.c), and put_head ---- */

static void lines_of_file(struct tdat_file *file, const char *path, void *ctx)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_iter *iter = open_iter(file, true);
	struct tdat_printer *warm, *cold;
	uint64_t *lines = ctx, n = 0;
	const struct tdat_event *ev;
	struct print_set *set;

	ck_assert_int_eq(print_set_new(&set, &in, 1, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(read_printer_new(&warm, set, NULL), TDAT_OK);
	for (;; n++) {
		struct tdat_span a, b;

		ck_assert_int_eq(tdat_iter_next(iter, &ev, NULL), TDAT_OK);
		if (!ev)
			break;
		/* A new printer has no head of a line to copy. */
		ck_assert_int_eq(read_printer_new(&cold, set, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_printer_line(warm, ev, &a, NULL), TDAT_OK);
		ck_assert_int_eq(tdat_printer_line(cold, ev, &b, NULL), TDAT_OK);
		ck_assert_msg(same_span(a, b), "%s: line %llu is\n%.*sof a new printer\n%.*s", path,
			      (unsigned long long)n, (int)a.len, (const char *)a.ptr, (int)b.len,
			      (const char *)b.ptr);
		tdat_printer_free(cold);
	}
	*lines += n;
	tdat_printer_free(warm);
	print_set_put(set);
	tdat_iter_free(iter);
}

START_TEST(same_lines)
{
	uint64_t lines = 0;

	each_file(lines_of_file, &lines);
	ck_assert_uint_gt(lines, 10000);
}
END_TEST

/* ---- run_short and run of native handlers (lib/model/native.h) ---- */

struct texts {
	struct model_env *env;
	struct model_symbol_cache *names;
	uint64_t events, compared;
};

/* Returns whether the short way did it. */
static bool compare_texts(struct texts *t, const struct model_native *n,
			  const struct model_event *m, const char *path)
{
	struct tdat_build a, b;
	bool done;

	tdat_build_init(&a, false);
	tdat_build_init(&b, false);
	done = n->run_short(n, m, &a);
	if (done) {
		ck_assert_msg(n->run(n, m, &b), "%s: run() declines what run_short() does", path);
		ck_assert_msg(same_span((struct tdat_span){a.ptr, a.len},
					(struct tdat_span){b.ptr, b.len}),
			      "%s: '%.*s' by run_short(), '%.*s' by run()", path, (int)a.len,
			      (const char *)a.ptr, (int)b.len, (const char *)b.ptr);
		ck_assert_uint_le(a.len, MODEL_NATIVE_SHORT);
		t->compared++;
	} else {
		ck_assert_uint_eq(a.len, 0);
	}
	tdat_build_fini(&a);
	tdat_build_fini(&b);
	return done;
}

enum { CUT_EACH = 16 };

/* The event as it is; each CUT_EACH-th with its record or its leaf's cut, and deeper, too. */
static void compare_event(struct texts *t, const struct model_native *n,
			  const struct tdat_event *ev, const char *path)
{
	struct model_event m = {.record = ev->record,
				.leaf = ev->leaf,
				.cpu = ev->cpu,
				.depth = ev->depth,
				.ts = ev->ts,
				.names = t->names};
	size_t len;

	compare_texts(t, n, &m, path);
	if (t->events++ % CUT_EACH)
		return;
	for (len = 0; len < ev->record.len; len += 4) {
		m.record.len = len;
		compare_texts(t, n, &m, path);
	}
	m.record = ev->record;
	for (len = 0; len < ev->leaf.len; len += 4) {
		m.leaf.len = len;
		compare_texts(t, n, &m, path);
	}
	m.leaf = ev->leaf;
	for (m.depth = 1; m.depth < 2 * MODEL_NATIVE_SHORT; m.depth *= 2)
		compare_texts(t, n, &m, path);
}

static void texts_of_file(struct tdat_file *file, const char *path, void *ctx)
{
	const struct tdat_iter_input in = {file, 0, 0};
	struct tdat_iter *iter = open_iter(file, true);
	struct model_native **handlers = calloc(FILE_ID_COUNT, sizeof(*handlers));
	struct model_scratch *scratch;
	struct texts *t = ctx;
	const struct tdat_event *ev;
	struct print_set *set;
	size_t i, count;

	ck_assert_int_eq(print_set_new(&set, &in, 1, NULL, NULL), TDAT_OK);
	ck_assert_int_eq(model_scratch_new(&scratch, NULL), TDAT_OK);
	t->env = &set->files[0].env;
	t->env->symbols = file_symbols(file);
	t->env->printk = file_printk(file);
	t->names = model_scratch_names(scratch);
	count = tdat_file_format_count(file);
	for (i = 0; i < count; i++) {
		const struct tdat_event_format *f;

		if (tdat_file_format(file, i, &f, NULL) == TDAT_OK &&
		    !handlers[tdat_event_format_id(f)])
			ck_assert_int_eq(model_native_new(&handlers[tdat_event_format_id(f)], f,
							  t->env, MODEL_PRINT_FMT, NULL),
					 TDAT_OK);
	}
	for (;;) {
		const struct model_native *n;

		ck_assert_int_eq(tdat_iter_next(iter, &ev, NULL), TDAT_OK);
		if (!ev)
			break;
		n = handlers[ev->id];
		if (n && n->run_short)
			compare_event(t, n, ev, path);
	}
	for (i = 0; i < FILE_ID_COUNT; i++)
		model_native_free(handlers[i]);
	free(handlers);
	model_scratch_free(scratch);
	print_set_put(set);
	tdat_iter_free(iter);
}

START_TEST(same_text)
{
	struct texts t = {.compared = 0};

	each_file(texts_of_file, &t);
	ck_assert_uint_gt(t.compared, 5000);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("fast_paths");
	TCase *tc = tcase_create("fast_paths");

	tcase_add_test(tc, same_events);
	tcase_add_test(tc, same_chosen);
	tcase_add_test(tc, same_common);
	tcase_add_test(tc, same_lines);
	tcase_add_test(tc, same_text);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
