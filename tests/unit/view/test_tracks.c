/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of several tasks that are made at once, with more intervals than are kept singly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include <tdat/tdat.h>

#include "../common/run.h"
#include "data/tracks.h"

/* Each switch begins a time on the CPU, and ends one that a time of sleep follows. */
enum { TASKS = 4, SWITCHES = 320000 };

static char made[] = "/tmp/tdat-tracks-XXXXXX";

static void ok(enum tdat_status st, const struct tdat_error *err)
{
	ck_assert_msg(st == TDAT_OK, "%s", err->message);
}

static const char format[] =
	"name: sched_switch\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[4];\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_state;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:char next_comm[4];\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:32;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"%d to %d\", REC->prev_pid, REC->next_pid\n";

/* One CPU, whose tasks run one after the other and sleep until their turn comes again. */
static void make_file(void)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *e;
	struct tdat_writer *w;
	int fd = mkstemp(made);
	uint32_t words[9];
	const uint16_t one = 1;
	uint16_t id;

	ck_assert_int_ge(fd, 0);
	close(fd);
	opts.compression = "none";
	opts.force = true;
	info.cpu_count = 1;
	/* The events are written below in the byte order of this machine. */
	info.big_endian = !*(const char *)&one;
	ok(tdat_writer_new(&w, made, &opts, &err), &err);
	e = tdat_writer_emit(w);
	ok(tdat_emit_info(e, &info, &err), &err);
	ok(tdat_emit_format(e, "sched", format, strlen(format), &id, &err), &err);
	memcpy(&words[2], "tas", 4);
	memcpy(&words[6], "tas", 4);
	words[4] = words[8] = 120;
	words[5] = 1; /* sleeps */
	for (unsigned i = 0; i < SWITCHES; i++) {
		struct tdat_emit_event ev = {
			0, 0, 1000 * (uint64_t)i, 0, {(uint8_t *)words, sizeof(words)}};

		words[0] = 0;
		memcpy(words, &id, sizeof(id));
		words[1] = words[3] = 1 + i % TASKS;
		words[7] = 1 + (i + 1) % TASKS;
		ok(tdat_emit_event(e, &ev, &err), &err);
	}
	ok(tdat_writer_finish(w, &err), &err);
	tdat_writer_free(w);
}

static void remove_file(void)
{
	unlink(made);
	memcpy(made + sizeof(made) - 7, "XXXXXX", 6);
}

/* A task runs a fourth of the time, and sleeps in between; short times are put together. */
static void compare(const struct view_track *t)
{
	uint64_t known = 0;
	size_t count = 0;

	ck_assert_uint_le(t->count, VIEW_MARKS_MOST);
	ck_assert_uint_gt(t->count, VIEW_MARKS_MOST / 8);
	for (size_t k = 0; k < t->count; k++) {
		const struct view_mark *m = &t->v[k];
		double sum = 0;

		for (int i = 0; i < VIEW_STATES && m->count > 1; i++)
			sum += (double)m->states.share[i];
		ck_assert(!k || m[-1].to == m->from);
		count += m->count;
		known += m->to - m->from;
		/* Times are whole numbers of microseconds: a float has them exactly. */
		ck_assert(m->count == 1 || (uint64_t)sum == m->to - m->from);
		ck_assert(m->count == 1 || m->states.worst <= 1000 * (TASKS - 1));
		/* More sleep than work, wherever there is a whole turn of each. */
		if (m->count >= 4)
			ck_assert_str_eq(view_names_text(&t->names, m->name), "sleeping");
	}
	ck_assert(t->granule && known == t->v[t->count - 1].to - t->v->from);
	ck_assert_uint_ge(count, 2 * SWITCHES / TASKS - 3);
	ck_assert_uint_le(count, 2 * SWITCHES / TASKS + 3);
}

/*
 * The rows of several tasks are made in one pass by one thread, while another thread finds
 * that theirs is done already.
 */
START_TEST(made_at_once)
{
	const struct view_engine_opts opts = {2, 0};
	struct tdat_iter_input input = {NULL, 0, 0};
	const struct view_track *track[TASKS] = {NULL};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct view_engine *engine;
	struct view_cache *tracks;
	size_t have = 0;

	ok(tdat_file_open(&input.file, made, NULL, &err), &err);
	ok(view_engine_new(&engine, &input, 1, &opts, &err), &err);
	ok(view_cache_new(&tracks, &view_tracks_ops, engine, &err), &err);
	while (have < TASKS) {
		have = 0;
		for (int i = 0; i < TASKS; i++) {
			const struct view_track_key key = {
				VIEW_TRACK_TASK, 0, i + 1, "", "", false};

			if (!track[i])
				ok(view_track_get(tracks, &key, &track[i], &err), &err);
			have += track[i] != NULL;
		}
		usleep(500);
	}
	for (int i = 0; i < TASKS; i++) {
		compare(track[i]);
		view_cache_put(track[i]);
	}
	view_engine_free(engine);
	view_cache_free(tracks);
	tdat_file_close(input.file);
}
END_TEST

/* While rows are made the index tells when tasks ran, and which rows there can be. */
START_TEST(known_before)
{
	const struct view_engine_opts opts = {2, 0};
	struct tdat_iter_input input = {NULL, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	struct view_engine *engine;
	const struct view_index *ix;

	ok(tdat_file_open(&input.file, made, NULL, &err), &err);
	ok(view_engine_new(&engine, &input, 1, &opts, &err), &err);
	view_engine_wait(engine);
	ix = view_engine_index(engine);
	for (uint32_t i = 0; i < ix->tasks.count; i++) {
		const struct view_task *task = view_task(&ix->tasks, i);
		const struct view_span span = {ix->trace->from, ix->trace->to};
		struct view_shares cells;
		uint64_t time = 0;

		view_shares_init(&cells, &span, 100, true);
		ok(view_running_cells(ix, 0, task->pid, &cells, &err), &err);
		for (size_t k = 0; k < cells.count; k++)
			time += cells.v[k].share[VIEW_RUNNING];
		/* A bin that is cut at the edge of a column loses less than one unit of time. */
		ck_assert(time <= task->time && time + 2 * cells.count >= task->time);
		ck_assert(cells.count > 90 && cells.count <= 100 && !cells.exact);
		view_shares_fini(&cells);
	}
	ck_assert(view_track_may_exist(
		ix, &(struct view_track_key){VIEW_TRACK_TASK, 0, 1, "", "", false}));
	ck_assert(!view_track_may_exist(
		ix, &(struct view_track_key){VIEW_TRACK_IRQ, 0, 0, "", "", false}));
	view_engine_free(engine);
	tdat_file_close(input.file);
}
END_TEST

static void same_track(const struct view_track *a, const struct view_track *b)
{
	ck_assert_uint_eq(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct view_mark *x = &a->v[i], *y = &b->v[i];

		ck_assert(x->from == y->from && x->to == y->to && x->cpu == y->cpu &&
			  x->depth == y->depth && x->open == y->open && x->count == y->count &&
			  x->name == y->name && x->wakeup == y->wakeup);
	}
	ck_assert_uint_eq(view_names_count(&a->names), view_names_count(&b->names));
	for (size_t i = 0; i < view_names_count(&a->names); i++)
		ck_assert_str_eq(view_names_text(&a->names, i), view_names_text(&b->names, i));
}

/* Reads tracks that go together in one pass, and each of them in one of its own. */
static size_t compare_passes(const struct view_index *ix, const struct view_track_key *keys,
			     size_t count)
{
	struct view_track together[VIEW_TRACKS_AT_ONCE] = {{.v = NULL}};
	struct view_track *tracks[VIEW_TRACKS_AT_ONCE] = {NULL};
	const bool stop = false;
	size_t marks = 0;

	for (size_t i = 0; i < count; i++) {
		ck_assert(!i || view_track_go_together(&keys[0], &keys[i]));
		together[i].key = keys[i];
		tracks[i] = &together[i];
	}
	view_track_read(ix, tracks, count, &stop);
	for (size_t i = 0; i < count; i++) {
		struct view_track alone = {.key = keys[i]}, *one = &alone;

		view_track_read(ix, &one, 1, &stop);
		ok(alone.head.err.status, &alone.head.err);
		ok(together[i].head.err.status, &together[i].head.err);
		same_track(&together[i], &alone);
		marks += alone.count;
		view_track_fini(&alone);
		view_track_fini(&together[i]);
	}
	return marks;
}

/* States and wakeups of tasks, and irqs and softirqs of a CPU, are the same as made alone. */
START_TEST(same_together)
{
	const struct view_track_key tasks[] = {{VIEW_TRACK_WAKEUP, 0, 14, "", "", false},
					       {VIEW_TRACK_TASK, 0, 14, "", "", false},
					       {VIEW_TRACK_TASK, 0, 1, "", "", false},
					       {VIEW_TRACK_WAKEUP, 0, 1, "", "", false},
					       {VIEW_TRACK_TASK, 0, 99999, "", "", false}};
	const struct view_track_key irqs[] = {{VIEW_TRACK_IRQ, 0, 0, "", "", false},
					      {VIEW_TRACK_SOFTIRQ, 0, 0, "", "", false}};
	const struct view_track_key other = {VIEW_TRACK_IRQ, 0, 1, "", "", false};
	const char *fixtures = getenv("TDAT_FIXTURES");
	struct tdat_iter_input input = {NULL, 0, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct view_engine_opts opts = {2, 0};
	struct view_engine *engine;
	const struct view_index *ix;
	char path[4096];

	ck_assert_ptr_nonnull(fixtures);
	snprintf(path, sizeof(path), "%s/valid/s390x-61-v7-zstd-sched.dat", fixtures);
	ok(tdat_file_open(&input.file, path, NULL, &err), &err);
	ok(view_engine_new(&engine, &input, 1, &opts, &err), &err);
	view_engine_wait(engine);
	ix = view_engine_index(engine);
	ck_assert_uint_gt(compare_passes(ix, tasks, sizeof(tasks) / sizeof(tasks[0])), 20);
	ck_assert_uint_gt(compare_passes(ix, irqs, sizeof(irqs) / sizeof(irqs[0])), 20);
	ck_assert(!view_track_go_together(&irqs[0], &other));
	ck_assert(!view_track_go_together(&irqs[0], &tasks[0]));
	view_engine_free(engine);
	tdat_file_close(input.file);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tracks"), *real = tcase_create("real");
	Suite *s = suite_create("view/tracks");

	/* One file for all cases, which only read it. */
	tcase_add_unchecked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, made_at_once);
	tcase_add_test(tc, known_before);
	suite_add_tcase(s, tc);
	tcase_add_test(real, same_together);
	suite_add_tcase(s, real);
	return run_suite(s);
}
