/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sums over the tables of a trace (tdat/table.h), which are read once. There are three sorts, and
 * the comparison of traces (tdat diff), which has functions of its own at the end.
 *
 *   groups   rows that have the same values in some columns: how many, and the sum, mean and
 *            quantiles of a column of numbers (tdat latency, tdat stat --by)
 *   profile  where the time of each task and CPU went (tdat profile)
 *   flame    stacks as a tree, with a weight for each function called by others (tdat flame)
 *
 *   tdat_summary_profile(&s, trace, err);
 *   tdat_summary_run(s, NULL, err);
 *   for (i = 0; (task = tdat_profile_task(s, i)); i++)
 *           ... task->on_cpu ...
 *   tdat_summary_free(s);
 *
 * Times and durations are in nanoseconds where tdat_summary_seconds says so, else in ticks of the
 * clock; docs/analysis.md defines the tables that they are sums of.
 *
 * Memory is bounded: groups by number and by bytes of their keys, values of all groups by 64 MiB,
 * nodes of a tree by 2^21. Rows without a group of their own are counted in one last group, the
 * others, and tdat_summary_others tells of it.
 *
 * Threads: a summary belongs to one thread until tdat_summary_run has returned; after that it does
 * not change, and threads may share it. Several may be made of one trace at once.
 *
 * Owners: a summary is the caller's to free, before its trace is freed. All that its getters return
 * is borrowed and lives until then. Getters are for summaries of their kind, behind a successful
 * tdat_summary_run.
 */
#ifndef TDAT_SUMMARY_H
#define TDAT_SUMMARY_H

#include <tdat/sink.h>
#include <tdat/table.h>

TDAT_BEGIN_DECLS

struct tdat_summary;

/* tdat_summary_free frees a summary of any kind. NULL is allowed. */
TDAT_API void tdat_summary_free(struct tdat_summary *s);

/*
 * tdat_summary_run reads the tables, once. opts may be NULL; its columns and its batch_rows are not
 * looked at, and damage and note are called as by tdat_trace_read. A second call is TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_summary_run(struct tdat_summary *s,
					   const struct tdat_table_opts *opts,
					   struct tdat_error *err);

/* tdat_summary_seconds tells whether times are in nanoseconds; else they are in ticks. */
TDAT_API bool tdat_summary_seconds(const struct tdat_summary *s);

/* Something that a table had to leave out, and how often. */
struct tdat_summary_note {
	const char *table, *what;
	uint64_t count;
};

/* tdat_summary_notes lists them in the order in which they were told. */
TDAT_API const struct tdat_summary_note *tdat_summary_notes(const struct tdat_summary *s,
							    size_t *count);

/* Rows that were given to the last group, as there was no room for more. */
struct tdat_summary_others {
	const char *what; /* what is grouped: the table, NULL for all events, "tasks", "wakers" */
	uint64_t rows;
	size_t group_count; /* groups that are kept apart */
	size_t group_most;  /* as many as that, and as have this many bytes of keys */
	size_t key_len_most;
};

/* tdat_summary_others returns number index of them, from 0; NULL behind the last. */
TDAT_API const struct tdat_summary_others *tdat_summary_others(const struct tdat_summary *s,
							       size_t index);

/*
 * tdat_summary_json gives the result as one JSON value, in small pieces: of groups and of a profile
 * what tdat latency --json, stat --by --json and tdat profile --json print, of a flame tree what
 * https://www.speedscope.app reads. level is how deep the value stands in another one: it has a
 * line for each member then, with two blanks a level, and above 0 a line end before it; -1: all on
 * one line.
 */
TDAT_API enum tdat_status tdat_summary_json(const struct tdat_summary *s, int level,
					    tdat_write_fn write, void *ctx, struct tdat_error *err);

/* A part of a group's key. */
struct tdat_summary_key {
	struct tdat_span text; /* the value as text; ptr NULL: null */
	bool is_others;	       /* the group is that of the others, which has no values */
};

/* ---- groups ---- */

enum {
	TDAT_GROUP_KEYS = 8,
	TDAT_GROUP_QUANTILES = 4, /* 50 %, 90 %, 99 %, 99.9 % */
	TDAT_GROUP_LOG2 = 65,
	TDAT_GROUP_WORST = 1000
};

struct tdat_groups_opts {
	size_t size; /* sizeof(struct tdat_groups_opts) */
	/*
	 * The table whose rows are grouped: groups come by the sum of their values, the greatest
	 * first, and rows without a value count for nothing. NULL: rows of all events that have
	 * the columns are grouped, groups come by their number of rows, and no quantiles are kept.
	 * id, system and event are those of event types then, fields of these names field_id ...
	 */
	const char *table;
	/* The column of numbers. NULL: the usual one of the table; without a table none. */
	const char *value;
	/* The columns that rows of a group have alike, each once; 0: the usual ones of the table.
	 */
	const char *const *keys;
	size_t key_count; /* TDAT_GROUP_KEYS columns at most */
	uint32_t worst; /* rows with the greatest values that are kept: TDAT_GROUP_WORST at most */
	/* The files' names, for the commands of tdat_group_worst. */
	const char *const *paths;
	size_t path_count;
};

#define TDAT_GROUPS_OPTS_INIT TDAT_SIZED(struct tdat_groups_opts)

/*
 * tdat_summary_groups prepares groups. The texts and lists in opts must outlive them. A table that
 * the trace does not have, or columns without a table that has all of them, are TDAT_E_NOT_FOUND; a
 * column that the table lacks, and a value that is no number, TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_summary_groups(struct tdat_summary **out,
					      const struct tdat_trace *trace,
					      const struct tdat_groups_opts *opts,
					      struct tdat_error *err);

struct tdat_groups_facts {
	const char *table, *value; /* NULL: none */
	const char *const *keys;
	size_t key_count, group_count;
	uint64_t rows, rows_without_value;
	bool is_time; /* the value is a duration */
	/* There were so many different values that quantiles may be too low by one part in 128. */
	bool is_rounded;
};

/* tdat_groups_facts returns what there is to know of all groups together. */
TDAT_API const struct tdat_groups_facts *tdat_groups_facts(const struct tdat_summary *s);

/* Numbers of a group, or of all. */
struct tdat_group {
	uint64_t row_count, value_count;
	int64_t sum, mean, least, greatest;	 /* of the values; the mean is rounded down */
	double wide_sum;			 /* about; for where sum_is_wide */
	bool sum_is_wide;			 /* sum does not fit into 64 bits */
	int64_t quantiles[TDAT_GROUP_QUANTILES]; /* values of nearest rank */
};

#define TDAT_ALL_GROUPS SIZE_MAX

/* tdat_group fills *out with group number index in order. It fails without memory only. */
TDAT_API enum tdat_status tdat_group(const struct tdat_summary *s, size_t index,
				     struct tdat_group *out, struct tdat_error *err);
/* tdat_group_key returns the value of a key of a group. */
TDAT_API struct tdat_summary_key tdat_group_key(const struct tdat_summary *s, size_t index,
						size_t key);
/* tdat_group_log2 counts the values below 1 ([0]), and those from 2^(n-1) to below 2^n ([n]). */
TDAT_API void tdat_group_log2(const struct tdat_summary *s, size_t index,
			      uint64_t out[TDAT_GROUP_LOG2]);

/*
 * tdat_group_histogram counts the values below bounds[0] ([0]), those from bounds[n-1] to below
 * bounds[n] ([n]), and those of at least the last bound. Bounds rise; out has bound_count + 1
 * places.
 */
TDAT_API void tdat_group_histogram(const struct tdat_summary *s, size_t index,
				   const int64_t *bounds, size_t bound_count, uint64_t *out);

/* A row with one of the greatest values. */
struct tdat_group_worst {
	int64_t value;
	uint64_t ts;
	char at[32];	  /* ts as tdat dump prints it */
	int64_t cpu, pid; /* -1 and INT64_MIN: none */
	const char *comm; /* NULL: none */
	size_t group;
	const char *dump; /* a command that prints the events of that time */
};

/* tdat_group_worst returns number index of them, the greatest first; NULL behind the last. */
TDAT_API const struct tdat_group_worst *tdat_group_worst(const struct tdat_summary *s,
							 size_t index);

/* ---- profile ---- */

/* tdat_summary_profile prepares a profile of all tasks and CPUs. */
TDAT_API enum tdat_status tdat_summary_profile(struct tdat_summary **out,
					       const struct tdat_trace *trace,
					       struct tdat_error *err);

/* How often and how long. */
struct tdat_profile_sum {
	uint64_t count, dur;
};

struct tdat_profile_cpu {
	uint64_t busy, idle, switches;
	uint64_t first_ts, last_ts; /* of switches */
	struct tdat_profile_sum irqs, softirqs;
};

struct tdat_profile_task {
	const char *comm; /* the first name that is known; NULL: none */
	uint64_t on_cpu, waiting, blocked, sleeping;
	uint64_t switches, preemptions, migrations, wakeups, page_faults;
	struct tdat_profile_sum irqs, softirqs, syscalls, functions;
};

/* tdat_profile_cpu returns CPU number index, in the order of their numbers; NULL behind the last.
 */
TDAT_API const struct tdat_profile_cpu *tdat_profile_cpu(const struct tdat_summary *s,
							 size_t index);
/*
 * tdat_profile_task returns task number index, by time on a CPU, or, if that was not recorded, by
 * time in system calls and functions; NULL behind the last.
 */
TDAT_API const struct tdat_profile_task *tdat_profile_task(const struct tdat_summary *s,
							   size_t index);

/* The tables that a profile is a sum of, and the numbers that come from each. */
enum tdat_profile_table {
	TDAT_PROFILE_SCHED,	 /* busy, idle, switches, on_cpu */
	TDAT_PROFILE_STATES,	 /* waiting, blocked, sleeping, preemptions */
	TDAT_PROFILE_WAKEUPS,	 /* wakeups */
	TDAT_PROFILE_MIGRATIONS, /* migrations */
	TDAT_PROFILE_IRQS,	 /* irqs */
	TDAT_PROFILE_SOFTIRQS,	 /* softirqs */
	TDAT_PROFILE_CALLS,	 /* syscalls */
	TDAT_PROFILE_FUNCTION,	 /* functions */
	TDAT_PROFILE_FAULTS,	 /* page_faults */
	TDAT_PROFILE_TABLES
};

/*
 * tdat_profile_is_recorded tells whether a table has rows: false if what was read has no such
 * event. Numbers of the table are 0 then, and mean nothing: events may not have been recorded at
 * all.
 */
TDAT_API bool tdat_profile_is_recorded(const struct tdat_summary *s, enum tdat_profile_table table);
/*
 * tdat_profile_knows_idle: false if the events do not tell when CPUs were idle, as a filter chose
 * tasks, or events by their fields. The time that is neither busy nor idle is unknown then.
 */
TDAT_API bool tdat_profile_knows_idle(const struct tdat_summary *s);

/* The sorts of things that a profile has, and the parts of their keys. */
enum tdat_profile_kind {
	TDAT_PROFILE_CPUS,
	TDAT_PROFILE_TASKS,
	TDAT_PROFILE_WAKERS,	/* of a task, by how often */
	TDAT_PROFILE_SYSCALLS,	/* of a task, by time */
	TDAT_PROFILE_FUNCTIONS, /* the same; by their own time */
	TDAT_PROFILE_KINDS
};

enum tdat_profile_part {
	TDAT_PROFILE_FILE, /* null in a trace of one file */
	TDAT_PROFILE_BUFFER,
	TDAT_PROFILE_NUMBER, /* CPU or pid of a task */
	TDAT_PROFILE_NAME,   /* of what a task called, or of a waker */
	TDAT_PROFILE_WAKER   /* the pid of a waker */
};

/* tdat_profile_count is the number of things of a kind, those of all tasks together. */
TDAT_API size_t tdat_profile_count(const struct tdat_summary *s, enum tdat_profile_kind kind);
/* tdat_profile_key returns a part of the key of thing number index, which its kind has. */
TDAT_API struct tdat_summary_key tdat_profile_key(const struct tdat_summary *s,
						  enum tdat_profile_kind kind, size_t index,
						  enum tdat_profile_part part);
/*
 * tdat_profile_details tells how many wakers, system calls or functions a task has; they are
 * numbers *first and following.
 */
TDAT_API size_t tdat_profile_details(const struct tdat_summary *s, enum tdat_profile_kind kind,
				     size_t task, size_t *first);
/* tdat_profile_detail returns the sum of one of them. */
TDAT_API const struct tdat_profile_sum *
tdat_profile_detail(const struct tdat_summary *s, enum tdat_profile_kind kind, size_t index);

/* ---- flame ---- */

enum tdat_flame_source {
	TDAT_FLAME_KERNEL_STACK, /* events kernel_stack, each counts one */
	TDAT_FLAME_USER_STACK,	 /* events user_stack, likewise */
	TDAT_FLAME_FUNCTION,	 /* own time of functions */
	TDAT_FLAME_OFF_CPU,	 /* time by the stack where tasks went to wait */
	TDAT_FLAME_ANY		 /* the first of these of which the trace has events */
};

/*
 * tdat_summary_flame prepares a tree of stacks, which begin with the name of the task, by_task with
 * its pid, too. TDAT_E_NOT_FOUND: the trace has no such stacks.
 */
TDAT_API enum tdat_status tdat_summary_flame(struct tdat_summary **out,
					     const struct tdat_trace *trace,
					     enum tdat_flame_source source, bool by_task,
					     struct tdat_error *err);

/* A function, as it was called by those above it. Only the library makes these. */
struct tdat_flame_node {
	uint32_t name; /* see tdat_flame_name */
	uint32_t parent;
	uint32_t child, next; /* index of the first child, of the next sibling; 0: none */
	uint32_t depth;
	uint32_t recent; /* for the library */
	uint64_t self, total;
};

struct tdat_flame {
	const char *title, *unit;	     /* the unit of weights: "samples", "ns" or "ticks" */
	const struct tdat_flame_node *nodes; /* [0] is the root; children are in order of names */
	size_t node_count;
	uint64_t stacks;		 /* how many there were */
	uint64_t dropped;		 /* the weight of those for which there was no room */
	size_t node_most, name_len_most; /* the room: of nodes, and bytes of names */
	struct tdat_table_about about;	 /* which events stacks are made of */
};

/* tdat_flame returns the tree. */
TDAT_API const struct tdat_flame *tdat_flame(const struct tdat_summary *s);
/* tdat_flame_next is the node behind another in depth-first order, from 0 on; 0 at the end. */
TDAT_API uint32_t tdat_flame_next(const struct tdat_summary *s, uint32_t node);
/* tdat_flame_name is the name of a node: text without control bytes and ';'. */
TDAT_API const char *tdat_flame_name(const struct tdat_summary *s, uint32_t node);

/* ---- why ---- */

/*
 * Which times of tasks are explained, by the table critical_path (docs/analysis.md). The filter of
 * tdat_summary_run chooses the tasks, and times of which one has a moment.
 */
struct tdat_why_opts {
	size_t size;		/* sizeof(struct tdat_why_opts) */
	enum tdat_explained of; /* ALL: each chosen task is one interval */
	uint32_t worst; /* of WAITS, WAKEUPS: so many of the longest; 0: one interval, of all */
	/* Of ALL: the interval is cut to this time, in the unit of the column ts. */
	bool has_from, has_to;
	int64_t from_ts, to_ts;
	/* Names of the inputs for dump below; borrowed until the summary is freed. */
	const char *const *paths;
	size_t path_count;
};
#define TDAT_WHY_OPTS_INIT TDAT_SIZED(struct tdat_why_opts)

/* tdat_summary_why prepares explanations. */
TDAT_API enum tdat_status tdat_summary_why(struct tdat_summary **out,
					   const struct tdat_trace *trace,
					   const struct tdat_why_opts *opts,
					   struct tdat_error *err);

/* A row of critical_path. Texts that are null there are NULL. Only the library makes these. */
struct tdat_why_segment {
	int64_t ts, dur;
	uint32_t depth;
	int32_t pid, by_pid;
	int64_t cpu; /* -1: null */
	bool has_by; /* by_pid is not null */
	const char *comm, *kind, *by_comm, *what, *state;
};

/* The segments beneath which a cause lies, the outermost first: a wait each, for the task by_pid.
 */
struct tdat_why_link {
	const char *kind, *by_comm, *what;
	int32_t by_pid;
};

/*
 * The end of a chain: its last segment, where that is a run the one above it, which waited for that
 * task. dur is that of all such ends in an interval, of count of its states. In a sum of all waits
 * tasks of one name are one: is_many tells that by_pid is only the first.
 */
struct tdat_why_cause {
	const char *kind, *by_comm, *what;
	int32_t by_pid;
	bool has_by, is_many;
	int64_t dur;
	uint64_t count;
	const struct tdat_why_link *via;
	size_t via_count;
};

/* What is explained. Without segments it is the sum of all; then it may have no task. */
struct tdat_why_interval {
	const char *comm;      /* NULL: of tasks with several names */
	int32_t pid;	       /* of the first task */
	bool is_many;	       /* it is of several tasks */
	int64_t from, to, dur; /* dur: of an interval of all the sum of these */
	uint64_t count;	       /* states of tasks */
	const struct tdat_why_segment *segments;
	size_t segment_count;
	const struct tdat_why_cause *causes; /* largest first */
	size_t cause_count;
	char at[32], until[32]; /* from and to as dump --from takes them */
	const char *dump;	/* the command that prints its events */
};

/* tdat_why_interval returns number index of them, from 0; NULL behind the last. */
TDAT_API const struct tdat_why_interval *tdat_why_interval(const struct tdat_summary *s,
							   size_t index);

/* ---- diff ---- */

/*
 * Compares two sides, each of one sample or several: traces, or parts of one. Of each key, such as
 * the wakeups of a task, rates and quantiles are compared; only changes beyond noise are returned.
 * docs/diff.md defines what is compared and how.
 *
 *   tdat_diff_new(&d, NULL, err);
 *   tdat_diff_add(d, TDAT_DIFF_A, before, NULL, NULL, NULL, err);
 *   tdat_diff_add(d, TDAT_DIFF_B, after, NULL, NULL, NULL, err);
 *   tdat_diff_run(d, err);
 *   for (i = 0; (change = tdat_diff_change(d, i)); i++)
 *           ... change->what, change->a, change->b ...
 *   tdat_diff_free(d);
 *
 * Traces may be freed when tdat_diff_add has returned. Memory is bounded: keys by number and their
 * values by 56 MiB; keys beyond are not compared, and counted.
 */
struct tdat_diff;

enum tdat_diff_side { TDAT_DIFF_A, TDAT_DIFF_B, TDAT_DIFF_SIDES };

enum tdat_diff_metric {
	TDAT_DIFF_RATE,
	TDAT_DIFF_TIME,
	TDAT_DIFF_P50,
	TDAT_DIFF_P90,
	TDAT_DIFF_P99
};

struct tdat_diff_opts {
	size_t size;	   /* sizeof(struct tdat_diff_opts) */
	double min_change; /* smaller changes are not shown; 0: 0.05, which is 5 %; below 0: all are
			    */
	bool by_pid;	   /* tasks are told apart by name and pid; else by name, digits folded */
	/* As in tdat_table_opts, which tdat_diff_add has: for tdat_diff_run, asked at each key. */
	bool (*is_cancelled)(void *ctx);
	void *cancel_ctx;
};

#define TDAT_DIFF_OPTS_INIT TDAT_SIZED(struct tdat_diff_opts)

/* tdat_diff_new makes a comparison; opts may be NULL. */
TDAT_API enum tdat_status tdat_diff_new(struct tdat_diff **out, const struct tdat_diff_opts *opts,
					struct tdat_error *err);
/* tdat_diff_free frees it. NULL is allowed. */
TDAT_API void tdat_diff_free(struct tdat_diff *d);

/*
 * tdat_diff_add reads a trace, once, as a sample of a side. opts are as for tdat_summary_run. from
 * and until, texts of times as tdat_trace_time reads them, are those of the filter of opts; NULL:
 * none. Pairs must be the same in all traces. Without events in that time it fails with
 * TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_diff_add(struct tdat_diff *d, enum tdat_diff_side side,
					const struct tdat_trace *trace,
					const struct tdat_table_opts *opts, const char *from,
					const char *until, struct tdat_error *err);

/*
 * tdat_diff_run compares what was added. A side without a sample, and a second call, are
 * TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_diff_run(struct tdat_diff *d, struct tdat_error *err);

/* What a side is, of all its samples. */
struct tdat_diff_side_facts {
	size_t samples;
	double time;	     /* in nanoseconds, or ticks */
	double cpus;	     /* with events; the mean of samples, by their time */
	uint64_t lost;	     /* events that were lost, as far as it is known */
	uint64_t lost_marks; /* losses of an unknown number */
};

struct tdat_diff_facts {
	size_t change_count;
	uint64_t unchanged; /* what was compared and is not a change */
	uint64_t too_few;   /* keys with too few rows to compare any of it */
	uint64_t left_out;  /* keys that are not compared, as there was no room */
	uint64_t others;    /* rows of further keys, for which there was no room */
	double min_change;
	bool seconds; /* times are in nanoseconds; else in ticks */
	struct tdat_diff_side_facts sides[TDAT_DIFF_SIDES];
};

/* tdat_diff_facts returns the counts, once it was compared. */
TDAT_API const struct tdat_diff_facts *tdat_diff_facts(const struct tdat_diff *d);

/* tdat_diff_what is the name of family number index: "event", "wakeup"; NULL behind the last. */
TDAT_API const char *tdat_diff_what(const struct tdat_diff *d, size_t index);
/*
 * tdat_diff_compares tells whether the events of a family were recorded on both sides. Its keys are
 * not compared otherwise; *on is the first side that has rows, TDAT_DIFF_SIDES if none has.
 */
TDAT_API bool tdat_diff_compares(const struct tdat_diff *d, size_t index, enum tdat_diff_side *on);
/* tdat_diff_has tells whether a family has a metric. */
TDAT_API bool tdat_diff_has(const struct tdat_diff *d, size_t index, enum tdat_diff_metric metric);
/* tdat_diff_metric_name is "rate", "time", "p50", "p90" or "p99". */
TDAT_API const char *tdat_diff_metric_name(enum tdat_diff_metric metric);

/* What a table left out on a side, as struct tdat_summary_note has it of one trace. */
struct tdat_diff_note {
	enum tdat_diff_side side;
	const char *table, *what;
	uint64_t count;
};

/* tdat_diff_notes lists them. */
TDAT_API const struct tdat_diff_note *tdat_diff_notes(const struct tdat_diff *d, size_t *count);

/* A change beyond noise. */
struct tdat_diff_change {
	const char *what; /* the family */
	enum tdat_diff_metric metric;
	struct tdat_span key; /* empty: the family has one only */
	/*
	 * Rates are a second (a tick), times a share of it, quantiles in nanoseconds (ticks);
	 * per_cpu: of one CPU.
	 */
	double a, b;
	bool per_cpu;
	double change;	   /* b / a - 1; infinite if a is 0 */
	double low, high;  /* 95 % interval of change; equal to it where there is none */
	double p;	   /* of the test alone */
	double p_adjusted; /* corrected for the number of tests */
	uint32_t number;   /* for the library */
};

/* tdat_diff_change returns number index, the worst first; NULL behind the last. */
TDAT_API const struct tdat_diff_change *tdat_diff_change(const struct tdat_diff *d, size_t index);

/*
 * tdat_diff_histogram counts a change's values, or the rates of its blocks, on a side in bins of
 * equal width in logarithms between *least and *most, which are those of both sides together. As
 * shares of all; those of 0 are in the first bin.
 */
TDAT_API void tdat_diff_histogram(const struct tdat_diff *d, size_t index, enum tdat_diff_side side,
				  double *bins, size_t bin_count, double *least, double *most);

/* tdat_diff_json gives the result as tdat_summary_json does. */
TDAT_API enum tdat_status tdat_diff_json(const struct tdat_diff *d, int level, tdat_write_fn write,
					 void *ctx, struct tdat_error *err);

/* ---- tables without rows ---- */

/* The bytes that tdat_table_lacks writes at most, NUL included. */
enum { TDAT_LACKS_LEN = 512, TDAT_LACKS_SENTENCE_LEN = 3 * TDAT_LACKS_LEN };

/*
 * tdat_table_lacks reads which events the inputs have, with a filter those that pass it. True: some
 * that `about` needs are not there. Then sentence, of TDAT_LACKS_SENTENCE_LEN bytes, names those
 * and what there is instead, and record, of TDAT_LACKS_LEN bytes, has the command that records
 * them.
 */
TDAT_API bool tdat_table_lacks(char *sentence, char *record, const char *name,
			       const struct tdat_table_about *about,
			       const struct tdat_iter_input *inputs, size_t input_count,
			       const struct tdat_filter *filter);

TDAT_END_DECLS
#endif
