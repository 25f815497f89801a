/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters against libtraceevent's on the records of real files, and by themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <event-parse.h>

#include <tdat/tdat.h>

#include "../common/part.h"
#include "../common/run.h"
#include "corpus.h"
#include "model/filter.h"

/* What both take and must mean alike. */
static const char *const both[] = {
	"sched_switch",
	"sched/sched_switch: prev_pid == 0",
	"sched_switch:next_prio<120",
	"sched_switch: next_prio >= 100 && prev_pid != 0",
	"sched_switch: prev_comm == \"swapper/0\"",
	"sched_switch: prev_comm =~ \"swap.*\" || next_comm !~ \"^sw\"",
	"sched_switch: !prev_pid == 0",
	"sched_switch: !(prev_pid == 0 || next_pid == 0) && CPU == 1",
	"sched_switch: prev_state & 1",
	"sched_switch: prev_state & 0x3 && CPU == 0",
	"sched_switch: prev_pid == 0 || next_pid == 0 && CPU == 1",
	"sched_switch: prev_pid == 0 && next_pid != 0 || CPU == 1",
	"sched_switch: (((prev_pid != 0)))",
	"sched_switch: nosuch == 1 || prev_pid != 0",
	"sched_switch: nosuch != 1",
	"sched_switch: !nosuch == 1",
	"sched_switch: nosuch == \"x\" || COMM == \"<idle>\"",
	"sched_switch: nosuch & 1 || CPU == 1",
	"sched_switch: COMM == \"<idle>\"",
	"sched_switch: COMM != \"<idle>\"",
	"sched_switch: COMM =~ \"s\"",
	"sched_switch: COMM =~ 's'",
	"sched_switch: next_pid == \"0x0\"",
	"sched_switch: next_pid - 1",
	"sched_switch: prev_prio % 2 && prev_prio / 2",
	"sched_switch: prev_pid | next_pid",
	"sched_switch: prev_pid ^ 5",
	"sched_switch: prev_prio << 1",
	"sched_switch: prev_prio >> 3",
	"sched_switch: 1 & prev_prio",
	"sched_.*: common_pid == 0",
	"SCHED_SWITCH, sched_wakeup : CPU == 0",
	"sched: common_pid != 0",
	"sched/sched_wak.*,sched_switch: pid > 1 || next_pid > 1",
	".*: common_flags & 1",
	".*: common_preempt_count == 0x0",
	".*: common_type >= 300",
	".*: CPU == 0 && common_pid == 0",
	"irq.*: irq == 1 || vec == 010",
	"irq: name == \"timer\" || vec == 7",
	"irq: name =~ \".*e.*\"",
	"softirq_.*: vec == 1",
	"sys_.*: id == 1 || fd == 3 || __syscall_nr == 3",
	"raw_syscalls: id == 10 || id == 1",
	"sys_exit: ret == 0",
	"function: ip =~ \"vfs_.*\"",
	"function: ip == \"vfs_read\" || parent_ip == \"ksys_read\"",
	"function: ip =~ \"^0x\"",
	"funcgraph_entry: func =~ \"read\" && depth == 0",
	"funcgraph_entry: depth & 1",
	"funcgraph_exit: overrun == 0 || depth > 1",
	"timer.*: timer == \"0x0\" || expires > 100",
	"hrtimer_.*: softexpires >= 1",
	"hrtimer_start: function =~ \"tick\"",
	"kernel_stack: size > 4",
	"ftrace: CPU == 1",
	"ftrace/.*: CPU == 1",
};

/* What both refuse, in any file with sched_switch. */
static const char *const neither[] = {
	"sched_switch:",
	"sched_switch: (prev_pid == 0",
	"sched_switch: prev_pid == 0)",
	"sched_switch: prev_pid = 0",
	"sched_switch: && prev_pid == 0",
	"sched_switch: prev_pid ==",
	"sched_switch: prev_comm < \"a\"",
	"sched_switch: prev_comm =~ \"[\"",
	"sched_switch: prev_pid =~ 5",
	"sched_switch: , prev_pid == 0",
	"[: CPU == 0",
	"sched_switch: prev_pid == 0 $ 1",
};

struct oracle {
	struct corpus_file *corpus;
	struct tep_handle *tep;
	struct tdat_file *file;
	struct model_symbols *symbols;
	struct model_tasks *tasks;
	struct model_filter_prog *progs[65536];
	uint64_t compared, matched;
};

static struct tdat_span get_name(const void *ctx, int32_t pid)
{
	return model_tasks_find(((const struct oracle *)ctx)->tasks, pid);
}

static const struct model_symbols *get_symbols(const void *ctx)
{
	return ((const struct oracle *)ctx)->symbols;
}

static void feed_comms(struct tep_handle *tep, struct tdat_span text)
{
	char *copy = strndup((const char *)text.ptr, text.len), *line, *save = NULL;

	for (line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *comm;
		long pid = strtol(line, &comm, 10);

		if (comm != line && *comm == ' ')
			tep_register_comm(tep, comm + 1, (int)pid);
	}
	free(copy);
}

static struct tep_handle *make_tep(const struct corpus_file *f)
{
	struct tep_handle *tep = tep_alloc();
	char *kallsyms =
		strndup(f->kallsyms.len ? (const char *)f->kallsyms.ptr : "", f->kallsyms.len);
	size_t i;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(tep, f->big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian());
	tep_set_long_size(tep, f->long_size);
	tep_parse_kallsyms(tep, kallsyms);
	free(kallsyms);
	feed_comms(tep, f->cmdlines);
	for (i = 0; i < f->format_count; i++)
		tep_parse_event(tep, (const char *)f->formats[i].text.ptr, f->formats[i].text.len,
				f->formats[i].system);
	return tep;
}

/* Whether each item of the list names an event. */
static bool all_named(const struct oracle *o, const struct model_filter *f)
{
	size_t i, k, column, n = tdat_file_format_count(o->file);

	for (i = 0; model_filter_item(f, i, &column).ptr; i++) {
		bool found = false;

		for (k = 0; k < n && !found; k++) {
			const struct tdat_event_format *fmt;

			found = tdat_file_format(o->file, k, &fmt, NULL) == TDAT_OK &&
				model_filter_item_names(f, i, tdat_event_format_system(fmt),
							tdat_event_format_name(fmt));
		}
		if (!found)
			return false;
	}
	return true;
}

/* Binds the filter for the ids it names; -1: not all items name one. */
static int bind_all(struct oracle *o, const struct model_filter *f)
{
	const struct model_filter_env env = {o->corpus->big, get_name, get_symbols, o};
	size_t i, n = tdat_file_format_count(o->file);

	memset(o->progs, 0, sizeof(o->progs));
	if (!all_named(o, f))
		return -1;
	for (i = 0; i < n; i++) {
		const struct tdat_event_format *fmt;

		if (tdat_file_format(o->file, i, &fmt, NULL) != TDAT_OK ||
		    !model_filter_names(f, tdat_event_format_system(fmt),
					tdat_event_format_name(fmt)))
			continue;
		if (!o->progs[tdat_event_format_id(fmt)])
			ck_assert_int_eq(model_filter_bind(&o->progs[tdat_event_format_id(fmt)], f,
							   fmt, &env, NULL),
					 TDAT_OK);
	}
	return 0;
}

static void compare_event(struct oracle *o, struct tep_event_filter *theirs, const char *text,
			  const struct tdat_event *ev)
{
	const struct model_filter_event mine = {ev->record, ev->ts, ev->cpu, ev->pid, NULL, 0};
	uint8_t *copy = calloc(1, ev->record.len + 64);
	struct tep_record rec = {
		.ts = ev->ts, .cpu = (int)ev->cpu, .data = copy, .size = (int)ev->record.len};
	enum tep_errno want;

	memcpy(copy, ev->record.ptr, ev->record.len);
	want = tep_filter_match(theirs, &rec);
	if (!o->progs[ev->id])
		ck_assert_msg(want == TEP_ERRNO__FILTER_NOT_FOUND || want == TEP_ERRNO__NO_FILTER,
			      "%s: '%s' at %llu: theirs %d, ours names it not", o->corpus->path,
			      text, (unsigned long long)ev->ts, want);
	else {
		bool hit = model_filter_run(o->progs[ev->id], &mine) == MODEL_FILTER_MATCH;

		ck_assert_msg(hit == (want == TEP_ERRNO__FILTER_MATCH),
			      "%s: '%s' at %llu: theirs %d, ours %d", o->corpus->path, text,
			      (unsigned long long)ev->ts, want, hit);
		o->matched += hit;
	}
	o->compared++;
	free(copy);
}

static void compare_filter(struct oracle *o, const char *text)
{
	const struct tdat_iter_input in = {o->file, 0, 0};
	struct tep_event_filter *theirs = tep_filter_alloc(o->tep);
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event *ev;
	struct model_filter *f;
	struct tdat_iter *iter;
	int named, limit = 600;
	size_t i;

	ck_assert_msg(model_filter_new(&f, text, &err) == TDAT_OK, "%s", err.message);
	named = bind_all(o, f);
	ck_assert_msg((tep_filter_add_filter_str(theirs, text) >= 0) == (named == 0),
		      "%s: '%s': ours names %s", o->corpus->path, text,
		      named ? "nothing" : "something");
	if (named == 0) {
		ck_assert_int_eq(tdat_iter_new(&iter, &in, 1, NULL, NULL), TDAT_OK);
		while (limit-- && tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev)
			compare_event(o, theirs, text, ev);
		tdat_iter_free(iter);
	}
	for (i = 0; i < 65536; i++)
		model_filter_prog_free(o->progs[i]);
	model_filter_free(f);
	tep_filter_free(theirs);
}

static void compare_file(struct corpus_file *corpus, void *ctx)
{
	struct oracle *o = calloc(1, sizeof(*o));
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	uint64_t *totals = ctx;
	size_t i;

	o->corpus = corpus;
	opts.tolerate_damage = true;
	ck_assert_int_eq(tdat_file_open(&o->file, corpus->path, &opts, NULL), TDAT_OK);
	ck_assert_int_eq(model_symbols_new(&o->symbols, corpus->kallsyms, NULL), TDAT_OK);
	ck_assert_int_eq(model_tasks_new(&o->tasks, corpus->cmdlines, NULL), TDAT_OK);
	o->tep = make_tep(corpus);
	for (i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		/* It takes the place of dynamic strings in the order of the host. */
		if (corpus->big && strstr(both[i], "name "))
			continue;
		compare_filter(o, both[i]);
	}
	totals[0] += o->compared;
	totals[1] += o->matched;
	tep_free(o->tep);
	model_symbols_free(o->symbols);
	model_tasks_free(o->tasks);
	tdat_file_close(o->file);
	free(o);
}

START_TEST(test_same_as_libtraceevent)
{
	uint64_t totals[2] = {0, 0};
	size_t files = corpus_each(compare_file, totals);

	ck_assert_uint_gt(files, 0);
	ck_assert_uint_gt(totals[0], part_of(10000));
	ck_assert_uint_gt(totals[1], part_of(1000));
	fprintf(stderr, "%llu tests of records, %llu matched\n", (unsigned long long)totals[0],
		(unsigned long long)totals[1]);
}
END_TEST

/* ---- by itself ---- */

static const char switch_text[] =
	"name: sched_switch\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int ret;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int mask;\toffset:20;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 wide;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:int pid;\toffset:36;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"\"\n";

static const uint8_t switch_record[] = {
	5,    0,    0,	  0,	42,   0,    0,	  0,	/* type, pid 42 */
	'l',  'o',  'n',  'g',	'n',  'a',  'm',  'e',	/* comm, no NUL */
	0xfe, 0xff, 0xff, 0xff, 6,    0,    0,	  0,	/* ret -2, mask 6 */
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* wide */
	40,   0,    5,	  0,	7,    0,    0,	  0,	/* name at 40, 5 bytes; pid 7 */
	'h',  'e',  'l',  'l',	'o',  0,    0,	  0,
};

static const struct {
	const char *expr;
	enum model_filter_result want;
} own[] = {
	{"ret < 0", 1},
	{"ret == -2", 1},
	{"ret > 0", 0},
	{"ret >= -2 && ret <= -2", 1},
	{"wide > 0", 1},
	{"wide == 0xffffffffffffffff", 1},
	{"wide == 18446744073709551615", 1},
	{"(mask & 2) == 2", 1},
	{"mask & 4 == 4", 1},
	{"mask + 1 == 7", 1},
	{"6 == mask", 1},
	{"mask == pid - 1", 1},
	{"2 + 2 * 2 == mask", 1},
	{"(2 + 2) * 2 == mask + 2", 1},
	{"mask / 0", MODEL_FILTER_FAILED},
	{"mask % (pid - 7)", MODEL_FILTER_FAILED},
	{"mask << 64", 0},
	{"~mask == ~6", 1},
	{"-mask == -6", 1},
	{"!!mask == 6", 1},
	{"comm == \"longname\"", 1},
	{"comm == \"longnam\"", 0},
	{"comm =~ \"^LONG\"", 1},
	{"name == \"hello\"", 1},
	{"name !~ \"hell\"", 0},
	{"COMM == \"<...>\"", 1},
	{"PID == 42", 1},
	{"CPU == 3", 1},
	{"TIMESTAMP > 999 && TIMESTAMP < 1001", 1},
	{"mask", 1},
	{"ret / -1 == 2", 1},
	{"ret % 2 == 0", 1},
	{"comm == 5", 0},
	{"!(comm == 5)", 1},
	{"nosuch + 1 == 5 || mask == 6", 1},
	{"pid == 'a' || pid == 7", 1},
	{"ret == 4294967294", 0},
	/* No signed number reaches 2^63; bits may be equal. */
	{"ret >= 9223372036854775808", 0},
	{"ret < 9223372036854775808", 1},
	{"18446744073709551615 <= ret", 0},
	{"18446744073709551615 > ret", 1},
	{"ret == 0xfffffffffffffffe", 1},
};

static struct tdat_span saved_name(const void *ctx, int32_t pid)
{
	return model_tasks_find(ctx, pid);
}

static const struct model_symbols *no_symbols(const void *ctx)
{
	(void)ctx;
	return NULL;
}

static struct tdat_event_format *own_format(void)
{
	const struct tdat_span text = {(const uint8_t *)switch_text, sizeof(switch_text) - 1};
	struct tdat_event_format *fmt;

	ck_assert_int_eq(model_format_parse(&fmt, "sched", text, 0, false, 8, NULL), TDAT_OK);
	return fmt;
}

START_TEST(test_expressions)
{
	struct model_filter_event ev = {{NULL, 0}, 1000, 3, 42, NULL, 0};
	struct tdat_event_format *fmt = own_format();
	struct model_tasks *tasks;
	uint8_t *copy;
	size_t i, cut;

	ck_assert_int_eq(model_tasks_new(&tasks, (struct tdat_span){NULL, 0}, NULL), TDAT_OK);
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		const struct model_filter_env env = {false, saved_name, no_symbols, tasks};
		struct tdat_error err = TDAT_ERROR_INIT;
		struct model_filter_prog *p;
		struct model_filter *f;
		char text[200];

		snprintf(text, sizeof(text), "sched_switch: %s", own[i].expr);
		ck_assert_msg(model_filter_new(&f, text, &err) == TDAT_OK, "%s", err.message);
		ck_assert_int_eq(model_filter_bind(&p, f, fmt, &env, NULL), TDAT_OK);
		ev.record = (struct tdat_span){switch_record, sizeof(switch_record)};
		ck_assert_msg(model_filter_run(p, &ev) == own[i].want, "%s", text);
		/* Cut records: any answer, no byte outside. */
		for (cut = 0; cut < sizeof(switch_record); cut++) {
			copy = malloc(cut ? cut : 1);
			memcpy(copy, switch_record, cut);
			ev.record = (struct tdat_span){copy, cut};
			model_filter_run(p, &ev);
			free(copy);
		}
		model_filter_prog_free(p);
		model_filter_free(f);
	}
	model_tasks_free(tasks);
	model_format_free(fmt);
}
END_TEST

/* A long text: if each of its places was tried, all these runs would take an hour. */
START_TEST(test_long_text)
{
	enum { HEAD = 8, LEN = 60000, RUNS = 300 };
	static const char format[] =
		"name: long\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\n"
		"\tfield:char text[60000];\toffset:8;\tsize:60000;\tsigned:0;\n"
		"\nprint fmt: \"\"\n";
	static const struct {
		const char *text;
		bool want;
	} cases[] = {{"long: text =~ 'a.*b'", false},
		     {"long: text !~ 'a.*b'", true},
		     {"long: text =~ 'a.*c$'", true},
		     {"long: text =~ 'A\\{3,\\}[bc]'", true}};
	const struct tdat_span text = {(const uint8_t *)format, sizeof(format) - 1};
	const struct model_filter_env env = {false, saved_name, no_symbols, NULL};
	uint8_t *record = calloc(1, HEAD + LEN);
	const struct model_filter_event ev = {{record, HEAD + LEN}, 0, 0, 0, NULL, 0};
	struct tdat_event_format *fmt;

	ck_assert_ptr_nonnull(record);
	memset(record + HEAD, 'a', LEN - 2);
	record[HEAD + LEN - 2] = 'c';
	ck_assert_int_eq(model_format_parse(&fmt, "s", text, 0, false, 8, NULL), TDAT_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct model_filter_prog *p;
		struct model_filter *f;

		ck_assert_int_eq(model_filter_new(&f, cases[i].text, NULL), TDAT_OK);
		ck_assert_int_eq(model_filter_bind(&p, f, fmt, &env, NULL), TDAT_OK);
		for (int k = 0; k < RUNS; k++)
			ck_assert_msg((model_filter_run(p, &ev) == MODEL_FILTER_MATCH) ==
					      cases[i].want,
				      "%s", cases[i].text);
		model_filter_prog_free(p);
		model_filter_free(f);
	}
	model_format_free(fmt);
	free(record);
}
END_TEST

START_TEST(test_pids)
{
	static const int32_t sets[][2] = {{1, 42}, {7, 8}, {1, 9}};
	const struct model_filter_env env = {false, saved_name, no_symbols, NULL};
	const struct model_filter_event ev = {
		{switch_record, sizeof(switch_record)}, 0, 0, 42, NULL, 0};
	struct tdat_event_format *fmt = own_format();
	struct model_filter_prog *p;
	size_t i;

	for (i = 0; i < 3; i++) {
		const struct model_pid_set set = {sets[i], 2};

		ck_assert_int_eq(model_filter_bind_pids(&p, &set, fmt, &env, NULL), TDAT_OK);
		ck_assert_int_eq(model_filter_run(p, &ev), i < 2);
		model_filter_prog_free(p);
	}
	model_format_free(fmt);
}
END_TEST

static const struct {
	const char *text;
	const char *sentence;
} complaints[] = {
	{"sched_switch: prev_pid = 0", "column 24: expected an operator, found '='"},
	{"sched_switch: prev_pid == ",
	 "column 27: expected a field, a number or a string, but the filter ends"},
	{"a: x == \"b", "column 9: a quote is not closed, or a character is not printable"},
	{"a: x == 5 y == 6", "column 11: expected an operator, found 'y'"},
	{"a: x == 12q", "column 9: this is not a number"},
	{"a: x == 99999999999999999999", "column 9: the number does not fit in 64 bits"},
	{"a: (x == 1", "column 11: expected ')' or an operator, but the filter ends"},
	{"a: x == 1)", "column 10: expected an operator, found ')'"},
	{"a: x < \"b\"", "column 6: only ==, !=, =~ and !~ compare strings"},
	{"a: (x == 1) + 2", "column 7: a comparison cannot be used as a number"},
	{"a,: x", "column 3: an event name is missing"},
	{"a: \"x\"", "column 4: a string must be compared with something"},
	{"a: x =~ 5", "column 9: =~ and !~ need a regular expression in quotes"},
	{"a: 5 == \"x\"", "column 4: only a field can be compared with a string"},
};

START_TEST(test_complaints)
{
	size_t i;

	for (i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		struct model_filter *f;
		char want[300];

		snprintf(want, sizeof(want), "filter '%s', %s", complaints[i].text,
			 complaints[i].sentence);
		ck_assert_int_eq(model_filter_new(&f, complaints[i].text, &err), TDAT_E_USAGE);
		ck_assert_ptr_null(f);
		ck_assert_str_eq(err.message, want);
	}
	for (i = 0; i < sizeof(neither) / sizeof(neither[0]); i++) {
		struct model_filter *f;

		ck_assert_msg(model_filter_new(&f, neither[i], NULL) != TDAT_OK, "%s", neither[i]);
	}
}
END_TEST

/* What waits on the stack of a run is bounded, whichever way the nesting is written. */
START_TEST(test_stack)
{
	static const char *const starts[] = {"~", "-", "mask-("};
	const struct model_filter_env env = {false, saved_name, no_symbols, NULL};
	const struct model_filter_event ev = {
		{switch_record, sizeof(switch_record)}, 0, 0, 42, NULL, 0};
	struct tdat_event_format *fmt = own_format();
	size_t i, k, depth, fits = 0;
	char text[1024];

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		for (depth = 1; depth < 60; depth++) {
			struct model_filter_prog *p;
			struct model_filter *f;
			char *at = stpcpy(text, "a:");

			for (k = 0; k < depth; k++)
				at = stpcpy(at, starts[i]);
			at = stpcpy(at, "mask");
			for (k = 0; i == 2 && k < depth; k++)
				at = stpcpy(at, ")");
			if (model_filter_new(&f, text, NULL) != TDAT_OK)
				continue;
			fits++;
			ck_assert_int_eq(model_filter_bind(&p, f, fmt, &env, NULL), TDAT_OK);
			ck_assert_int_ne(model_filter_run(p, &ev), MODEL_FILTER_FAILED);
			model_filter_prog_free(p);
			model_filter_free(f);
		}
	ck_assert_uint_gt(fits, 60);
	ck_assert_uint_lt(fits, 120);
	model_format_free(fmt);
}
END_TEST

/* Long and deep expressions end with an answer or a sentence, not the stack. */
START_TEST(test_deep)
{
	enum { LONG = 20000 };
	char *text = malloc(LONG * 8 + 32);
	const struct model_filter_env env = {false, saved_name, no_symbols, NULL};
	const struct model_filter_event ev = {
		{switch_record, sizeof(switch_record)}, 0, 0, 42, NULL, 0};
	struct tdat_event_format *fmt = own_format();
	static const char *const pieces[] = {"(", "!", "-", "mask+", "mask&&", "mask||"};
	size_t i, k;

	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct model_filter_prog *p;
		struct model_filter *f;
		char *at = stpcpy(text, "a:");

		for (k = 0; k < LONG; k++)
			at = stpcpy(at, pieces[i]);
		strcpy(at, "mask");
		if (i < 3) {
			ck_assert_int_ne(model_filter_new(&f, text, NULL), TDAT_OK);
			continue;
		}
		ck_assert_int_eq(model_filter_new(&f, text, NULL), TDAT_OK);
		ck_assert_int_eq(model_filter_bind(&p, f, fmt, &env, NULL), TDAT_OK);
		ck_assert_int_eq(model_filter_run(p, &ev), MODEL_FILTER_MATCH);
		model_filter_prog_free(p);
		model_filter_free(f);
	}
	model_format_free(fmt);
	free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("filter");
	TCase *tc = tcase_create("filter");

	if (!TDAT_HOST_BIG) /* libtraceevent's numbers of strings are the host's bytes */
		tcase_add_test(tc, test_same_as_libtraceevent);
	tcase_add_test(tc, test_expressions);
	tcase_add_test(tc, test_long_text);
	tcase_add_test(tc, test_pids);
	tcase_add_test(tc, test_complaints);
	tcase_add_test(tc, test_deep);
	tcase_add_test(tc, test_stack);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
