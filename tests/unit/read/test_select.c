/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A filter made ready for a file: names, pids, times and stacks, and what it refuses. */
#include <stdio.h>
#include <string.h>

#include "../common/made.h"
#include "../common/run.h"
#include "read/select.h"

enum { SWITCH = 300, WAKEUP = 301, KERNEL_STACK = 4, FUNCTION = 1, UNKNOWN = 999 };

/* Version 6 with four formats, tasks 7 and 8, and one event at 1000 and one at 2000. */
struct bound {
	struct made m;
	struct tdat_file *file;
	struct tdat_filter_opts opts;
	struct tdat_filter *filter;
	struct read_select *select;
	struct tdat_error err;
};

static void start(struct bound *b)
{
	struct tdat_build *out = &b->m.b;
	char text[512];
	size_t table;

	memset(b, 0, sizeof(*b));
	made_init(&b->m, 6, false, NULL);
	made_headers(&b->m);
	tdat_build_u32(out, 2);
	made_text(&b->m, 8, made_format(text, sizeof(text), "function", FUNCTION));
	made_text(&b->m, 8, made_format(text, sizeof(text), "kernel_stack", KERNEL_STACK));
	tdat_build_u32(out, 1);
	tdat_build_cstr(out, "sched");
	tdat_build_u32(out, 2);
	made_text(&b->m, 8, made_format(text, sizeof(text), "sched_switch", SWITCH));
	made_text(&b->m, 8, made_format(text, sizeof(text), "sched_wakeup", WAKEUP));
	tdat_build_u32(out, 0);
	tdat_build_u32(out, 0);
	made_text(&b->m, 8, "7 seven\n8 eight\n9 seven\n");
	tdat_build_u32(out, 1);
	tdat_build_bytes(out, "flyrecord", 10);
	table = out->len;
	tdat_build_fill(out, 0, 16);
	made_set(&b->m, table, 8, made_page(&b->m, 1000, SWITCH, 7, 1));
	made_page(&b->m, 2000, SWITCH, 8, 2);
	made_set(&b->m, table + 8, 8, 2 * MADE_PAGE);
	ck_assert_msg(tdat_file_open_memory(&b->file, out->ptr, out->len, "m", NULL, &b->err) ==
			      TDAT_OK,
		      "%s", b->err.message);
	b->opts = (struct tdat_filter_opts)TDAT_FILTER_OPTS_INIT;
}

static enum tdat_status bind(struct bound *b)
{
	const struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	const struct tdat_iter_input in = {b->file, 0, 0};

	read_select_free(b->select);
	tdat_filter_free(b->filter);
	b->select = NULL;
	ck_assert_msg(tdat_filter_new(&b->filter, &b->opts, &b->err) == TDAT_OK, "%s",
		      b->err.message);
	return read_select_new(&b->select, b->filter, &in, 1, &opts, &b->err);
}

static void binds(struct bound *b)
{
	ck_assert_msg(bind(b) == TDAT_OK, "%s", b->err.message);
}

static void refuses(struct bound *b, const char *words)
{
	ck_assert_int_eq(bind(b), TDAT_E_NOT_FOUND);
	ck_assert_ptr_null(b->select);
	ck_assert_msg(strstr(b->err.message, words) != NULL, "%s", b->err.message);
}

static void finish(struct bound *b)
{
	read_select_free(b->select);
	tdat_filter_free(b->filter);
	tdat_file_close(b->file);
	made_fini(&b->m);
}

/* Whether a record of that id, pid and value passes. */
static bool passes(struct bound *b, uint16_t id, int32_t pid, uint32_t value,
		   struct read_stream *stream)
{
	struct model_filter_event e = {.ts = 1000, .pid = pid};
	uint8_t record[12] = {0};

	tdat_store16(record, id, false);
	tdat_store32(record + 4, (uint32_t)pid, false);
	tdat_store32(record + 8, value, false);
	e.record = (struct tdat_span){record, sizeof(record)};
	return read_select_event(&b->select->inputs[0], id, &e, stream);
}

static bool id_passes(struct bound *b, uint16_t id)
{
	struct read_stream stream = {.shown = false};
	const bool passed = passes(b, id, 7, 1, &stream);

	read_owners_fini(&stream.owners);
	return passed;
}

/* Patterns are of events, systems, or both; an id without a format has no name. */
static const struct {
	const char *pattern;
	bool switched, wakeup, function;
} globs[] = {
	{"sched_switch", true, false, false},
	{"sched", true, true, false},
	{"sched/*", true, true, false},
	{"sched:sched_w*", false, true, false},
	{"*", true, true, true},
	{"*/*", true, true, true},
	{"ftrace", false, false, true},
	{"sched_?akeup", false, true, false},
	{"[f]unction", false, false, true},
};

START_TEST(events_by_name)
{
	struct bound b;

	start(&b);
	b.opts.events = &globs[_i].pattern;
	b.opts.event_count = 1;
	binds(&b);
	ck_assert_int_eq(id_passes(&b, SWITCH), globs[_i].switched);
	ck_assert_int_eq(id_passes(&b, WAKEUP), globs[_i].wakeup);
	ck_assert_int_eq(id_passes(&b, FUNCTION), globs[_i].function);
	ck_assert(!id_passes(&b, UNKNOWN));
	ck_assert_int_eq(read_select_id(&b.select->inputs[0], SWITCH), globs[_i].switched);
	ck_assert(!read_select_id(&b.select->inputs[0], UNKNOWN));
	ck_assert(!read_select_id(&b.select->inputs[0], UINT32_MAX));
	finish(&b);
}
END_TEST

/* Each name must be known, however many others are. */
START_TEST(unknown_names)
{
	const char *events[] = {"sched_switch", "sched_swich"}, *buffers[] = {"top", "topp"};
	const struct tdat_filter_expr field = {"sched_switch: valu == 1", false};
	const struct tdat_filter_expr item = {"sched_switch,nothing: value == 1", true};
	struct bound b;

	start(&b);
	b.opts.events = events;
	b.opts.event_count = 2;
	refuses(&b, "no event is named 'sched_swich'");
	b.opts.event_count = 1;
	binds(&b);
	b.opts.buffers = buffers;
	b.opts.buffer_count = 2;
	refuses(&b, "no buffer is named 'topp'");
	b.opts.buffer_count = 1;
	binds(&b);
	ck_assert(read_select_buffer(b.filter, &(struct tdat_buffer){.name = ""}));
	ck_assert(!read_select_buffer(b.filter, &(struct tdat_buffer){.name = "other"}));
	b.opts.exprs = &field;
	b.opts.expr_count = 1;
	refuses(&b, "field 'valu'");
	b.opts.exprs = &item;
	refuses(&b, "no event is named 'nothing'");
	finish(&b);
}
END_TEST

/* Wanted expressions pass what one of them says; unwanted ones are stronger. */
START_TEST(expressions)
{
	const struct tdat_filter_expr all[] = {{"sched_switch: value > 5", false},
					       {"sched_switch: value == 3", false},
					       {"sched: value == 9", true}};
	struct read_stream stream = {.shown = false};
	struct bound b;

	start(&b);
	b.opts.exprs = all;
	b.opts.expr_count = 3;
	binds(&b);
	for (uint32_t value = 0; value < 12; value++) {
		ck_assert_int_eq(passes(&b, SWITCH, 7, value, &stream),
				 (value > 5 || value == 3) && value != 9);
		ck_assert(!passes(&b, WAKEUP, 7, value, &stream)); /* none names it */
	}
	b.opts.exprs = all + 2; /* only unwanted: all others pass */
	b.opts.expr_count = 1;
	binds(&b);
	ck_assert(passes(&b, WAKEUP, 7, 8, &stream) && !passes(&b, WAKEUP, 7, 9, &stream));
	ck_assert(id_passes(&b, UNKNOWN));
	ck_assert(!read_select_failed(b.select));
	read_owners_fini(&stream.owners);
	finish(&b);
}
END_TEST

/* Pids and those of names, sorted and each once. */
START_TEST(pids_and_names)
{
	static const int32_t pids[] = {30, -1, 8, 30, 8};
	const char *comm = "sev*", *idle = "<idle>", *none = "nobody";
	const struct model_pid_set *set;
	struct read_stream stream = {.shown = false};
	struct bound b;

	start(&b);
	b.opts.pids = pids;
	b.opts.pid_count = 5;
	b.opts.comms = &comm;
	b.opts.comm_count = 1;
	binds(&b);
	set = &b.select->inputs[0].pids;
	ck_assert_uint_eq(set->count, 5);
	for (size_t i = 0; i < 5; i++)
		ck_assert_int_eq(set->v[i], ((const int32_t[]){-1, 7, 8, 9, 30})[i]);
	for (int32_t pid = -3; pid < 40; pid++)
		ck_assert_int_eq(passes(&b, SWITCH, pid, 0, &stream),
				 pid == -1 || (pid > 6 && pid < 10) || pid == 30);
	b.opts.pid_count = 0;
	b.opts.comms = &idle;
	binds(&b);
	ck_assert(passes(&b, SWITCH, 0, 0, &stream) && !passes(&b, SWITCH, 7, 0, &stream));
	b.opts.comms = &none; /* a name that nobody has lets nothing pass */
	binds(&b);
	ck_assert(!passes(&b, SWITCH, 0, 0, &stream) && !passes(&b, SWITCH, 7, 0, &stream));
	read_owners_fini(&stream.owners);
	finish(&b);
}
END_TEST

/*
 * A stack passes behind an event that did: of its context, once any did, or right behind it, or
 * never.
 */
START_TEST(stacks)
{
	static const bool again[] = {
		[TDAT_STACKS_EVENT] = true, [TDAT_STACKS_3_1] = true, [TDAT_STACKS_3_2] = false};
	const char *pattern = "sched_switch";
	struct read_stream stream = {.shown = false};
	struct bound b;

	start(&b);
	b.opts.events = &pattern;
	b.opts.event_count = 1;
	b.opts.stacks = (enum tdat_filter_stacks)_i;
	binds(&b);
	ck_assert(!passes(&b, KERNEL_STACK, 7, 0, &stream)); /* before all events */
	ck_assert(passes(&b, SWITCH, 7, 0, &stream));
	ck_assert_int_eq(passes(&b, KERNEL_STACK, 7, 0, &stream), _i != TDAT_STACKS_NONE);
	if (_i != TDAT_STACKS_NONE)
		ck_assert_int_eq(passes(&b, KERNEL_STACK, 7, 0, &stream), again[_i]);
	if (_i == TDAT_STACKS_EVENT) {
		ck_assert(!passes(&b, WAKEUP, 8, 0, &stream));
		ck_assert(!passes(&b, KERNEL_STACK, 8, 0, &stream)); /* of the wakeup */
		ck_assert(passes(&b, KERNEL_STACK, 7, 0, &stream));  /* of the switch before */
		ck_assert(!passes(&b, WAKEUP, 7, 0, &stream));
		ck_assert(!passes(&b, KERNEL_STACK, 7, 0, &stream));
		ck_assert(passes(&b, SWITCH, 7, 0, &stream));
		stream.head.lost_before = 1;
		ck_assert(!passes(&b, KERNEL_STACK, 7, 0, &stream)); /* of what was lost */
	}
	read_owners_fini(&stream.owners);
	finish(&b);
}
END_TEST

static const struct {
	const char *from, *to;
	uint64_t first, last;
} spans[] = {
	{NULL, NULL, 0, UINT64_MAX},
	{"1us", NULL, 1000, UINT64_MAX},
	{NULL, "2us", 0, 2000},
	{"+1ns", "-1ns", 1001, 1999},
	{"+1h", NULL, 3600000001000, UINT64_MAX},
	{"-1h", "+0", 0, 1000},
};

START_TEST(times)
{
	struct bound b;

	start(&b);
	b.opts.from = spans[_i].from;
	b.opts.to = spans[_i].to;
	binds(&b);
	ck_assert_int_eq(b.select->times.set, spans[_i].from || spans[_i].to);
	ck_assert_uint_eq(b.select->times.from, spans[_i].first);
	ck_assert_uint_eq(b.select->times.to, spans[_i].last);
	finish(&b);
}
END_TEST

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

int main(void)
{
	Suite *s = suite_create("select");
	TCase *t = tcase_create("select");

	tcase_add_loop_test(t, events_by_name, 0, COUNT(globs));
	tcase_add_test(t, unknown_names);
	tcase_add_test(t, expressions);
	tcase_add_test(t, pids_and_names);
	tcase_add_loop_test(t, stacks, 0, 4);
	tcase_add_loop_test(t, times, 0, COUNT(spans));
	suite_add_tcase(s, t);
	return run_suite(s);
}
