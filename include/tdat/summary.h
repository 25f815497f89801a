/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Summaries of the tables of a trace (tdat/table.h), computed in one pass over the events. There
 * are four kinds of summaries. The functions at the end of this header compare traces (tdat diff).
 *
 *   groups   rows with equal values in some columns: their number, and the sum, mean and
 *            quantiles of a column of numbers (tdat latency, tdat stat --by)
 *   profile  how each task and CPU spent its time (tdat profile)
 *   flame    stacks as a tree, with a weight for each function in each call path (tdat flame)
 *   why      why tasks waited: intervals and their causes (tdat why)
 *
 *   tdat_summary_profile(&s, trace, err);
 *   tdat_summary_run(s, NULL, err);
 *   for (i = 0; (task = tdat_profile_task(s, i)); i++)
 *           ... task->on_cpu ...
 *   tdat_summary_free(s);
 *
 * Times and durations are nanoseconds if tdat_summary_seconds returns true, else clock ticks;
 * docs/analysis.md defines the underlying tables.
 *
 * The use of memory is bounded by these limits: the number of groups, the bytes of the groups'
 * keys, 64 MiB for the values of all groups, and 2^21 nodes of a tree. Rows beyond these limits
 * count in one last group, "others"; tdat_summary_others reports the number of these rows.
 *
 * Threads: a summary belongs to one thread until tdat_summary_run returns. Afterwards the summary
 * does not change, and several threads may use it at the same time. Several summaries of one trace
 * may be computed at the same time.
 *
 * Owners: the caller frees a summary before its trace. Everything that getters return is borrowed
 * and lives until the summary is freed. A getter needs a summary of its kind, after a successful
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
 * tdat_summary_run reads the tables. Call it once; a second call is TDAT_E_USAGE. opts may be NULL;
 * its columns and batch_rows are ignored. It calls damage and note of opts like tdat_trace_read.
 */
TDAT_API enum tdat_status tdat_summary_run(struct tdat_summary *s,
					   const struct tdat_table_opts *opts,
					   struct tdat_error *err);

/* tdat_summary_seconds returns true if times are nanoseconds, false if they are ticks. */
TDAT_API bool tdat_summary_seconds(const struct tdat_summary *s);

/* A reason why a table omitted rows, and the number of these rows. */
struct tdat_summary_note {
	const char *table, *what;
	uint64_t count;
};

/* tdat_summary_notes returns all notes in the order of their arrival; *count is their number. */
TDAT_API const struct tdat_summary_note *tdat_summary_notes(const struct tdat_summary *s,
							    size_t *count);

/*
 * The rows in a group "others": rows that did not get a group of their own, because a limit was
 * reached.
 */
struct tdat_summary_others {
	const char *what; /* grouped objects: the table, NULL for all events, "tasks", "wakers" */
	uint64_t rows;
	size_t group_count; /* number of the other groups */
	size_t group_most;  /* limits: number of groups, and bytes of their keys */
	size_t key_len_most;
};

/* tdat_summary_others returns entry number index, from 0; NULL after the last one. */
TDAT_API const struct tdat_summary_others *tdat_summary_others(const struct tdat_summary *s,
							       size_t index);

/*
 * tdat_summary_json passes the result to write as one JSON value, in small pieces. The value is the
 * output of tdat latency --json, stat --by --json, profile --json or why --json, or a flame tree in
 * the format of https://www.speedscope.app. level: the nesting depth of the value. Each member has
 * its own line, with two blanks per level; above level 0, a newline precedes the value. -1: no
 * newlines.
 */
TDAT_API enum tdat_status tdat_summary_json(const struct tdat_summary *s, int level,
					    tdat_write_fn write, void *ctx, struct tdat_error *err);

/* A part of a group's key. */
struct tdat_summary_key {
	struct tdat_span text; /* the value as text; ptr NULL: null */
	bool is_others;	       /* the group is "others", which has no values */
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
	 * The table whose rows are grouped. Groups are sorted by the sum of their values, the
	 * largest first; rows without a value do not count. If table is NULL, the events that have
	 * all the columns are grouped, groups are sorted by their number of events, and there are
	 * no quantiles. The columns id, system and event are then the id, the system and the name
	 * of the event type. An event's field with one of these names is the column field_id,
	 * field_system or field_event.
	 */
	const char *table;
	/* The column of numbers. NULL: the table's default; without a table, none. */
	const char *value;
	/* The columns whose values define a group, each once; key_count 0: the table's default. */
	const char *const *keys;
	size_t key_count; /* at most TDAT_GROUP_KEYS columns */
	uint32_t worst;	  /* number of largest rows to keep: at most TDAT_GROUP_WORST */
	/* The files' names, for the commands in tdat_group_worst. */
	const char *const *paths;
	size_t path_count;
};

#define TDAT_GROUPS_OPTS_INIT TDAT_SIZED(struct tdat_groups_opts)

/*
 * tdat_summary_groups prepares groups. The strings and lists in opts must outlive the summary.
 * TDAT_E_NOT_FOUND: the trace lacks the table, or, without a table, no event has all columns.
 * TDAT_E_USAGE: the table lacks a column, or value is not a column of numbers.
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
	/*
	 * There were too many different values: quantiles may be too low by up to 1/128 of the
	 * exact quantile.
	 */
	bool is_rounded;
};

/* tdat_groups_facts returns facts about all groups. */
TDAT_API const struct tdat_groups_facts *tdat_groups_facts(const struct tdat_summary *s);

/* Numbers of a group, or of all groups. */
struct tdat_group {
	uint64_t row_count, value_count;
	int64_t sum, mean, least, greatest;	 /* of the values; the mean is rounded down */
	double wide_sum;			 /* approximate sum, for sum_is_wide */
	bool sum_is_wide;			 /* the sum exceeds 64 bits */
	int64_t quantiles[TDAT_GROUP_QUANTILES]; /* nearest-rank quantiles */
};

#define TDAT_ALL_GROUPS SIZE_MAX

/*
 * tdat_group fills *out with the numbers of group number index. It fails only if memory runs out.
 */
TDAT_API enum tdat_status tdat_group(const struct tdat_summary *s, size_t index,
				     struct tdat_group *out, struct tdat_error *err);
/* tdat_group_key returns a part of the key of a group. */
TDAT_API struct tdat_summary_key tdat_group_key(const struct tdat_summary *s, size_t index,
						size_t key);
/* tdat_group_log2 counts values: below 1 in out[0], from 2^(n-1) to below 2^n in out[n]. */
TDAT_API void tdat_group_log2(const struct tdat_summary *s, size_t index,
			      uint64_t out[TDAT_GROUP_LOG2]);

/*
 * tdat_group_histogram counts values: below bounds[0] in out[0], from bounds[n-1] to below
 * bounds[n] in out[n], and from the last bound in the last element. Bounds increase; out has
 * bound_count + 1 elements.
 */
TDAT_API void tdat_group_histogram(const struct tdat_summary *s, size_t index,
				   const int64_t *bounds, size_t bound_count, uint64_t *out);

/* A row with one of the largest values. */
struct tdat_group_worst {
	int64_t value;
	uint64_t ts;
	char at[32];	  /* ts as tdat dump prints it */
	int64_t cpu, pid; /* -1 and INT64_MIN: none */
	const char *comm; /* NULL: none */
	size_t group;
	const char *dump; /* a command that prints the events of the row's time */
};

/* tdat_group_worst returns row number index, the largest first; NULL after the last one. */
TDAT_API const struct tdat_group_worst *tdat_group_worst(const struct tdat_summary *s,
							 size_t index);

/* ---- profile ---- */

/* tdat_summary_profile prepares a profile of all tasks and CPUs. */
TDAT_API enum tdat_status tdat_summary_profile(struct tdat_summary **out,
					       const struct tdat_trace *trace,
					       struct tdat_error *err);

/* The number of intervals and their total duration. */
struct tdat_profile_sum {
	uint64_t count, dur;
};

struct tdat_profile_cpu {
	uint64_t busy, idle, switches;
	uint64_t first_ts, last_ts; /* of sched_switch events */
	struct tdat_profile_sum irqs, softirqs;
};

struct tdat_profile_task {
	const char *comm; /* the first known name; NULL: none */
	uint64_t on_cpu, waiting, blocked, sleeping;
	uint64_t switches, preemptions, migrations, wakeups, page_faults;
	struct tdat_profile_sum irqs, softirqs, syscalls, functions;
};

/* tdat_profile_cpu returns entry number index, by CPU number; NULL after the last one. */
TDAT_API const struct tdat_profile_cpu *tdat_profile_cpu(const struct tdat_summary *s,
							 size_t index);
/*
 * tdat_profile_task returns task number index; NULL after the last one. Tasks are sorted by time on
 * a CPU, or, if that was not recorded, by time in system calls and functions.
 */
TDAT_API const struct tdat_profile_task *tdat_profile_task(const struct tdat_summary *s,
							   size_t index);

/* The tables of a profile, and the numbers computed from each. */
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
 * tdat_profile_is_recorded returns true if a table has rows. If it returns false, the numbers
 * computed from this table are 0, but the true numbers are unknown, because the table's events may
 * not have been recorded.
 */
TDAT_API bool tdat_profile_is_recorded(const struct tdat_summary *s, enum tdat_profile_table table);
/*
 * tdat_profile_knows_idle returns false if the events do not show when CPUs were idle: scheduling
 * events are missing, or a filter selected tasks, or events by their fields. The time that is
 * neither busy nor idle is then unknown.
 */
TDAT_API bool tdat_profile_knows_idle(const struct tdat_summary *s);

/* The kinds of entries in a profile, and the parts of their keys. */
enum tdat_profile_kind {
	TDAT_PROFILE_CPUS,
	TDAT_PROFILE_TASKS,
	TDAT_PROFILE_WAKERS,	/* of a task, by count */
	TDAT_PROFILE_SYSCALLS,	/* of a task, by time */
	TDAT_PROFILE_FUNCTIONS, /* of a task, by own time */
	TDAT_PROFILE_KINDS
};

enum tdat_profile_part {
	TDAT_PROFILE_FILE, /* null in a trace of one file */
	TDAT_PROFILE_BUFFER,
	TDAT_PROFILE_NUMBER, /* CPU, or pid of a task */
	TDAT_PROFILE_NAME,   /* name of a system call, function or waker */
	TDAT_PROFILE_WAKER   /* pid of a waker */
};

/* tdat_profile_count returns the number of entries of a kind, for all tasks together. */
TDAT_API size_t tdat_profile_count(const struct tdat_summary *s, enum tdat_profile_kind kind);
/* tdat_profile_key returns a part of the key of entry number index; its kind must have the part. */
TDAT_API struct tdat_summary_key tdat_profile_key(const struct tdat_summary *s,
						  enum tdat_profile_kind kind, size_t index,
						  enum tdat_profile_part part);
/*
 * tdat_profile_details returns the number of wakers, system calls or functions of a task. These
 * entries start at number *first.
 */
TDAT_API size_t tdat_profile_details(const struct tdat_summary *s, enum tdat_profile_kind kind,
				     size_t task, size_t *first);
/* tdat_profile_detail returns the sum of entry number index of a kind. */
TDAT_API const struct tdat_profile_sum *
tdat_profile_detail(const struct tdat_summary *s, enum tdat_profile_kind kind, size_t index);

/* ---- flame ---- */

enum tdat_flame_source {
	TDAT_FLAME_KERNEL_STACK, /* events kernel_stack, each with weight 1 */
	TDAT_FLAME_USER_STACK,	 /* events user_stack, each with weight 1 */
	TDAT_FLAME_FUNCTION,	 /* functions by own time */
	TDAT_FLAME_OFF_CPU,	 /* waiting time, by the stack at which the task left the CPU */
	TDAT_FLAME_ANY		 /* the first of these with events in the trace */
};

/*
 * tdat_summary_flame prepares a tree of stacks. Each stack starts with the name of the task;
 * by_task adds its pid. TDAT_E_NOT_FOUND: the trace has no stacks of this source.
 */
TDAT_API enum tdat_status tdat_summary_flame(struct tdat_summary **out,
					     const struct tdat_trace *trace,
					     enum tdat_flame_source source, bool by_task,
					     struct tdat_error *err);

/* A function in one call path. Only the library creates these structs. */
struct tdat_flame_node {
	uint32_t name; /* see tdat_flame_name */
	uint32_t parent;
	uint32_t child, next; /* index of the first child, of the next sibling; 0: none */
	uint32_t depth;
	uint32_t recent; /* for the library */
	uint64_t self, total;
};

struct tdat_flame {
	const char *title, *unit;	     /* unit: of weights, "samples", "ns" or "ticks" */
	const struct tdat_flame_node *nodes; /* [0] is the root; children are sorted by name */
	size_t node_count;
	uint64_t stacks;		 /* number of stacks */
	uint64_t dropped;		 /* total weight of stacks omitted because of a limit */
	size_t node_most, name_len_most; /* limits: number of nodes, and bytes of names */
	struct tdat_table_about about;	 /* the events from which stacks are computed */
};

/* tdat_flame returns the tree. */
TDAT_API const struct tdat_flame *tdat_flame(const struct tdat_summary *s);
/* tdat_flame_next returns the next node in depth-first order, starting at 0; 0 at the end. */
TDAT_API uint32_t tdat_flame_next(const struct tdat_summary *s, uint32_t node);
/* tdat_flame_name returns the name of a node: text without control bytes and ';'. */
TDAT_API const char *tdat_flame_name(const struct tdat_summary *s, uint32_t node);

/* ---- why ---- */

/*
 * Selects the intervals to explain with the table critical_path (docs/analysis.md). The filter of
 * tdat_summary_run selects tasks, and times that overlap an interval.
 */
struct tdat_why_opts {
	size_t size;		/* sizeof(struct tdat_why_opts) */
	enum tdat_explained of; /* ALL: each selected task is one interval */
	uint32_t worst; /* WAITS, WAKEUPS: number of longest intervals; 0: all, as one sum */
	/* ALL: the interval is limited to this time, in the unit of the column ts. */
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

/* A row of critical_path. Null texts are NULL. Only the library creates these structs. */
struct tdat_why_segment {
	int64_t ts, dur;
	uint32_t depth;
	int32_t pid, by_pid;
	uint32_t input;	 /* of pid: index of the file among the inputs of the trace */
	int64_t cpu;	 /* -1: null */
	bool has_by;	 /* by_pid is not null */
	uint32_t buffer; /* index in tdat_file_buffers of the file */
	const char *comm, *kind, *by_comm, *what, *state;
};

/*
 * A wait in the chain of waits that leads to a cause: a segment in which a task waited for the task
 * by_pid.
 */
struct tdat_why_link {
	const char *kind, *by_comm, *what;
	int32_t by_pid;
};

/*
 * A cause of an interval. A chain of waits explains each part of an interval. The cause of the part
 * is the last segment of the chain; if a task ran in the last segment, the cause is the wait for
 * this task. dur is the total time of all parts with this cause, and count the number of task
 * states that have such parts. In the sum of all intervals, tasks with the same name are one cause;
 * if there are several tasks, is_many is true, and by_pid is the pid of the first.
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

/*
 * An explained interval, or the sum of all intervals. The sum has no segments, and has no task if
 * the tasks differ.
 */
struct tdat_why_interval {
	const char *comm;      /* NULL: tasks with different names */
	int32_t pid;	       /* of the first task */
	bool is_many;	       /* several tasks */
	int64_t from, to, dur; /* dur of a sum: of all intervals */
	uint64_t count;	       /* number of task states */
	const struct tdat_why_segment *segments;
	size_t segment_count;
	const struct tdat_why_cause *causes; /* the largest first */
	size_t cause_count;
	char at[32], until[32]; /* from and to in the syntax of dump --from */
	const char *dump;	/* a command that prints its events */
	uint32_t input, buffer; /* of the first task, as in struct tdat_why_segment */
};

/* tdat_why_interval returns interval number index, from 0; NULL after the last one. */
TDAT_API const struct tdat_why_interval *tdat_why_interval(const struct tdat_summary *s,
							   size_t index);

/* ---- diff ---- */

/*
 * Compares two sides, each with one or several samples: traces, or parts of a trace. It compares
 * rates and quantiles of each key, such as the wakeups of a task, and returns only changes beyond
 * noise. docs/diff.md defines the method.
 *
 *   tdat_diff_new(&d, NULL, err);
 *   tdat_diff_add(d, TDAT_DIFF_A, before, NULL, NULL, NULL, err);
 *   tdat_diff_add(d, TDAT_DIFF_B, after, NULL, NULL, NULL, err);
 *   tdat_diff_run(d, err);
 *   for (i = 0; (change = tdat_diff_change(d, i)); i++)
 *           ... change->what, change->a, change->b ...
 *   tdat_diff_free(d);
 *
 * Traces may be freed after tdat_diff_add. The use of memory is bounded: there are limits for the
 * number of keys, and of 56 MiB for their values. Keys beyond these limits are counted, but not
 * compared.
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
	double min_change; /* smaller changes are omitted; 0: 0.05 (5 %); below 0: keep all */
	bool by_pid;	   /* distinguish tasks by name and pid; else by name, digits folded */
	/*
	 * Like is_cancelled of tdat_table_opts, but for tdat_diff_run: it is called for each key.
	 */
	bool (*is_cancelled)(void *ctx);
	void *cancel_ctx;
};

#define TDAT_DIFF_OPTS_INIT TDAT_SIZED(struct tdat_diff_opts)

/* tdat_diff_new creates a comparison; opts may be NULL. */
TDAT_API enum tdat_status tdat_diff_new(struct tdat_diff **out, const struct tdat_diff_opts *opts,
					struct tdat_error *err);
/* tdat_diff_free frees a comparison. NULL is allowed. */
TDAT_API void tdat_diff_free(struct tdat_diff *d);

/*
 * tdat_diff_add reads a trace once, as a sample of a side. opts is the same as for
 * tdat_summary_run. If the filter in opts has times, from and until must be the same times, as
 * strings for tdat_trace_time; NULL: no bound. All traces must have the same pairs.
 * TDAT_E_NOT_FOUND: no event in that time. TDAT_E_UNSUPPORTED: the clock has another unit than the
 * clock of earlier samples.
 */
TDAT_API enum tdat_status tdat_diff_add(struct tdat_diff *d, enum tdat_diff_side side,
					const struct tdat_trace *trace,
					const struct tdat_table_opts *opts, const char *from,
					const char *until, struct tdat_error *err);

/* tdat_diff_run compares the sides. A side without a sample, or a second call, is TDAT_E_USAGE. */
TDAT_API enum tdat_status tdat_diff_run(struct tdat_diff *d, struct tdat_error *err);

/* Facts about all samples of a side. */
struct tdat_diff_side_facts {
	size_t samples;
	double time;	     /* in nanoseconds or ticks */
	double cpus;	     /* CPUs with events; the mean of samples, weighted by time */
	uint64_t lost;	     /* events known to be lost */
	uint64_t lost_marks; /* losses of unknown size */
};

struct tdat_diff_facts {
	size_t change_count;
	uint64_t unchanged; /* comparisons without a change */
	uint64_t too_few;   /* keys with too few rows to compare */
	uint64_t left_out;  /* keys that were not compared because of the memory limit */
	uint64_t others;    /* rows of further keys, beyond the limits */
	double min_change;
	bool seconds; /* times are in nanoseconds; else in ticks */
	struct tdat_diff_side_facts sides[TDAT_DIFF_SIDES];
};

/* tdat_diff_facts returns the counts, after tdat_diff_run. */
TDAT_API const struct tdat_diff_facts *tdat_diff_facts(const struct tdat_diff *d);

/* tdat_diff_what returns the name of family number index ("event", "wakeup"), or NULL. */
TDAT_API const char *tdat_diff_what(const struct tdat_diff *d, size_t index);
/*
 * tdat_diff_compares returns true if the events of a family were recorded on both sides. If it
 * returns false, the keys of the family are not compared. *on is set to the first side with rows,
 * or to TDAT_DIFF_SIDES if there is none.
 */
TDAT_API bool tdat_diff_compares(const struct tdat_diff *d, size_t index, enum tdat_diff_side *on);
/* tdat_diff_has returns true if a family has a metric. */
TDAT_API bool tdat_diff_has(const struct tdat_diff *d, size_t index, enum tdat_diff_metric metric);
/* tdat_diff_metric_name returns "rate", "time", "p50", "p90" or "p99". */
TDAT_API const char *tdat_diff_metric_name(enum tdat_diff_metric metric);

/* A reason why a table omitted rows on a side, like struct tdat_summary_note. */
struct tdat_diff_note {
	enum tdat_diff_side side;
	const char *table, *what;
	uint64_t count;
};

/* tdat_diff_notes returns all notes; *count is their number. */
TDAT_API const struct tdat_diff_note *tdat_diff_notes(const struct tdat_diff *d, size_t *count);

/* A change beyond noise. */
struct tdat_diff_change {
	const char *what; /* name of the family */
	enum tdat_diff_metric metric;
	struct tdat_span key; /* empty: the family has only one key */
	/*
	 * The value of side a and of side b. Rates are per second (tick), times are shares of a
	 * second (tick), quantiles are nanoseconds (ticks). per_cpu: rates and times are for one
	 * CPU on average.
	 */
	double a, b;
	bool per_cpu;
	double change;	   /* b / a - 1; infinite if a is 0 */
	double low, high;  /* 95 % interval of change; equal to change if there is none */
	double p;	   /* of this test alone */
	double p_adjusted; /* corrected for the number of tests */
	uint32_t number;   /* reserved for the library */
};

/*
 * tdat_diff_change returns change number index: first the increases, the largest first, then the
 * decreases; NULL after the last one.
 */
TDAT_API const struct tdat_diff_change *tdat_diff_change(const struct tdat_diff *d, size_t index);

/*
 * tdat_diff_histogram returns the distribution of one side of a change: of the values for a
 * quantile, and of the rates or times of the blocks otherwise. The bins have equal logarithmic
 * widths, from *least to *most, which are the same for both sides. Each bin is set to its share of
 * the total; the first bin includes zeros.
 */
TDAT_API void tdat_diff_histogram(const struct tdat_diff *d, size_t index, enum tdat_diff_side side,
				  double *bins, size_t bin_count, double *least, double *most);

/* tdat_diff_json passes the result to write as JSON, like tdat_summary_json. */
TDAT_API enum tdat_status tdat_diff_json(const struct tdat_diff *d, int level, tdat_write_fn write,
					 void *ctx, struct tdat_error *err);

/* ---- tables without rows ---- */

/* Sizes of the strings of tdat_table_lacks, including the NUL. */
enum { TDAT_LACKS_LEN = 512, TDAT_LACKS_SENTENCE_LEN = 3 * TDAT_LACKS_LEN };

/*
 * tdat_table_lacks returns true if the inputs lack events from which the table's rows are computed
 * (about->needs). Only events that pass filter count; filter may be NULL. If the function returns
 * true, it writes two strings. sentence, of TDAT_LACKS_SENTENCE_LEN bytes, names the missing
 * events, and the events that the inputs contain. record, of TDAT_LACKS_LEN bytes, is the command
 * that records the missing events.
 */
TDAT_API bool tdat_table_lacks(char *sentence, char *record, const char *name,
			       const struct tdat_table_about *about,
			       const struct tdat_iter_input *inputs, size_t input_count,
			       const struct tdat_filter *filter);

TDAT_END_DECLS
#endif
