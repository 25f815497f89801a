/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Returns a trace of one or several files as tables, through the Arrow C data and stream interfaces
 * (tdat/arrow.h). docs/tables.md lists the tables, their columns and the types of columns.
 *
 * Tables:
 *   events        a row for each event, with the columns that all events share
 *   SYSTEM/EVENT  "sched/sched_switch": a row for each event of a type, with its fields
 *   lost          a row for each place where events were dropped
 *   tasks, formats, fields, buffers, cpus, options, symbols, printk, info
 *                 facts about the files
 *   sched, thread_state, wakeup ...
 *                 intervals and states derived from events; docs/analysis.md
 *
 * Rows of events have the order of tdat_iter: time, then buffer, then CPU.
 *
 *   tdat_trace_new(&trace, inputs, count, NULL, err);
 *   table = tdat_trace_find(trace, "sched/sched_switch");
 *   tdat_trace_stream(trace, table, NULL, &stream, err);
 *   while (!stream.get_next(&stream, &array) && array.release)
 *           ... array.release(&array);
 *   stream.release(&stream);
 *   tdat_trace_free(trace);
 *
 * Threads: a tdat_trace does not change after it was created; several threads may use it at the
 * same time. A stream belongs to one thread at a time. tdat_trace_read starts its own threads.
 *
 * Owners: the caller frees a trace, after its streams are released and before its files are closed.
 * Tables belong to the trace. The caller releases schemas, arrays and streams; arrays do not need
 * the trace.
 */
#ifndef TDAT_TABLE_H
#define TDAT_TABLE_H

#include <tdat/arrow.h>
#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_trace;

enum tdat_table_kind {
	TDAT_TABLE_EVENTS, /* all events */
	TDAT_TABLE_EVENT,  /* the events of one type */
	TDAT_TABLE_LOST,   /* losses of events */
	TDAT_TABLE_META,   /* facts about the files: tasks, formats, fields, buffers ... */
	TDAT_TABLE_DERIVED /* rows derived from events of several types */
};

/*
 * Static strings about a table. needs contains the event types from which rows are computed,
 * separated by blanks. | separates alternatives: "sched/sched_switch
 * sched/sched_wakeup|sched/sched_waking". A name that ends with '*' means all event types with this
 * prefix. record contains the arguments with which trace-cmd record records these events. needs and
 * record are NULL if rows are not computed from events.
 */
struct tdat_table_about {
	const char *summary, *needs, *record;
};

/* A table. Only the library creates these structs; later versions append members. */
struct tdat_table {
	const char *name; /* "events", "sched/sched_switch"; unique in a trace, even if event types
			   * share a name */
	enum tdat_table_kind kind;
	const char *system, *event;    /* of the event type, else NULL */
	size_t index;		       /* index in tdat_trace_tables */
	struct tdat_table_about about; /* all NULL: an event type, or a pair of tdat_trace_opts */
	bool is_dear;		       /* rows take many times longer than reading the events */
};

struct tdat_trace_opts {
	size_t size;  /* sizeof(struct tdat_trace_opts) */
	bool raw_ts;  /* as in tdat_iter_opts */
	bool no_date; /* as in tdat_iter_opts */
	/*
	 * Additional tables of kind DERIVED. Each has a row for each interval that begins with an
	 * event of one type and ends with an event of another type. Each is defined by a string
	 * "[NAME:] SYSTEM/EVENT(FIELD,...) [if FILTER] -> SYSTEM/EVENT(FIELD,...) [if FILTER]",
	 * which docs/analysis.md explains. Without a name, the table is called "pair". The strings
	 * are copied.
	 */
	const char *const *pairs;
	size_t pair_count;
	uint64_t kmem_live; /* maximum pointers that the table kmem tracks at once; 0: 1572864 */
};

#define TDAT_TRACE_OPTS_INIT TDAT_SIZED(struct tdat_trace_opts)

/*
 * tdat_trace_new creates a trace of input_count files. opts may be NULL. The array of inputs is
 * needed only during the call. The files must stay open until tdat_trace_free. It reads no event,
 * and parses only the formats of pairs. TDAT_E_USAGE: a pair is invalid, or another table has its
 * name. TDAT_E_NOT_FOUND: a pair names an event or field that no input has.
 */
TDAT_API enum tdat_status tdat_trace_new(struct tdat_trace **out,
					 const struct tdat_iter_input *inputs, size_t input_count,
					 const struct tdat_trace_opts *opts,
					 struct tdat_error *err);
/* tdat_trace_free frees a trace. NULL is allowed. */
TDAT_API void tdat_trace_free(struct tdat_trace *trace);

/*
 * tdat_trace_tables lists the tables. The tables of event types are last, sorted by name. They
 * include event types without a recorded event. *count is the number of tables.
 */
TDAT_API const struct tdat_table *tdat_trace_tables(const struct tdat_trace *trace, size_t *count);
/* tdat_trace_find returns the table with that name, or NULL. */
TDAT_API const struct tdat_table *tdat_trace_find(const struct tdat_trace *trace, const char *name);

/*
 * tdat_trace_time converts a string to a time in the unit of the column ts. The string has the same
 * syntax as from and to in tdat_filter_opts: "12.5", "12500ms", "+1s" after the first event of all
 * inputs, "-100ms" before the last one. An invalid time, or one above 64 bits, is TDAT_E_USAGE; a
 * time outside the column's range is TDAT_E_LIMIT.
 */
TDAT_API enum tdat_status tdat_trace_time(const struct tdat_trace *trace, const char *text,
					  int64_t *ts, struct tdat_error *err);

/* The states of a task that the table critical_path explains. */
enum tdat_explained {
	TDAT_EXPLAIN_ALL,    /* all states */
	TDAT_EXPLAIN_WAITS,  /* off the CPU: from a switch-out to the next switch-in */
	TDAT_EXPLAIN_WAKEUPS /* from a wakeup to the switch-in */
};

/*
 * Selects the states that the table critical_path explains: states of the tasks that the filter
 * selects, if they overlap the filter's times. Each explained state has rows of all depths.
 */
struct tdat_explain {
	size_t size; /* sizeof(struct tdat_explain) */
	enum tdat_explained of;
	uint32_t worst; /* number of longest waits or wakeups, longest first; 0: all */
};
#define TDAT_EXPLAIN_INIT TDAT_SIZED(struct tdat_explain)

/* Selects the columns and rows to read. */
struct tdat_table_opts {
	size_t size; /* sizeof(struct tdat_table_opts) */
	/*
	 * Names of columns, in the requested order, each once; NULL: all except "text". A name that
	 * the table lacks is TDAT_E_NOT_FOUND; for tdat_trace_read, one of the tables must have it.
	 */
	const char *const *columns;
	size_t column_count;
	/*
	 * NULL: all rows. Tables of events return the rows of the events that pass the filter. For
	 * tables of kind DERIVED, the pids, names of tasks and times of the filter select rows:
	 * rows of these tasks whose interval overlaps the times. The buffers, events and
	 * expressions of the filter select the events from which rows are computed. The filter must
	 * outlive the streams that use it.
	 */
	const struct tdat_filter *filter;
	/* NULL: all CPUs; else cpu_count numbers. Kind DERIVED: applies to the column cpu. */
	const uint32_t *cpus;
	size_t cpu_count;
	uint32_t batch_rows; /* approximate maximum number of rows in a batch; 0: 65536 */
	/*
	 * A trace can be divided by time into split_count pieces. Only the rows of piece number
	 * split, from 0, are returned. 0 and 0: the whole trace. Pieces can be read independently,
	 * even by several processes. The rows of all pieces in order are the rows of the whole
	 * trace. If split_count exceeds the number of pages, or 65536 (less with more than 127
	 * CPUs), the last pieces are empty. Tables of kinds META and DERIVED are in piece 0.
	 */
	uint32_t split, split_count;
	uint32_t threads; /* tdat_trace_read: maximum number of threads; 0: one per online CPU */
	/*
	 * Receives the list of tdat_iter_damage after all events were read; may be NULL.
	 * tdat_trace_read calls it on the calling thread.
	 */
	void (*damage)(void *ctx, const struct tdat_stream_damage *damage, size_t count);
	void *damage_ctx;
	/*
	 * Called after all events were read, with the number of rows that a table of kind DERIVED
	 * omitted, and the reason: what is, for example, "interval end without a known beginning".
	 * It is called on the same thread as damage; may be NULL.
	 */
	void (*note)(void *ctx, const struct tdat_table *table, const char *what, uint64_t count);
	void *note_ctx;
	/*
	 * If has_span is set, only rows are returned whose value in the column ts is at least
	 * from_ts and at most to_ts. Tables of events, and the table lost, read no page outside
	 * this time. The section "What is read" in docs/analysis.md lists the events that tables of
	 * kind DERIVED read. Tables of kind META return all rows.
	 */
	bool has_span;
	int64_t from_ts, to_ts;
	/*
	 * Only rows with one of these values in the column pid are returned; NULL: all rows. Tables
	 * of kind META return all rows. (The pids of a filter, in contrast, also match events that
	 * have the pid in a field.)
	 */
	const int32_t *pids;
	size_t pid_count;
	/*
	 * tdat_trace_read calls sharers before each call of its function rows, on the same thread.
	 * count is an estimate of the number of tables with many rows so far; it does not depend on
	 * the number of threads. A function rows that divides a limit of memory among the tables
	 * may use 1 / count of the memory for this table. NULL: not called.
	 */
	void (*sharers)(void *ctx, const struct tdat_table *table, uint32_t count);
	void *sharers_ctx;
	/*
	 * Tables of kind DERIVED: the whole filter and the CPUs select the events from which rows
	 * are computed, as if the trace contained no other events. They do not select rows.
	 */
	bool of_events;
	const struct tdat_explain *explain; /* table critical_path; NULL: all states */
	/*
	 * Called before each page of events, by each thread that reads. true: the call fails with
	 * TDAT_E_CANCELLED, and get_next of a stream with ECANCELED. NULL: never called.
	 */
	bool (*is_cancelled)(void *ctx);
	void *cancel_ctx;
};

#define TDAT_TABLE_OPTS_INIT TDAT_SIZED(struct tdat_table_opts)

/*
 * tdat_trace_schema returns the schema of a table: a struct whose children are the columns. opts
 * may be NULL; only its columns are used. The caller must release *out.
 */
TDAT_API enum tdat_status tdat_trace_schema(const struct tdat_trace *trace,
					    const struct tdat_table *table,
					    const struct tdat_table_opts *opts,
					    struct ArrowSchema *out, struct tdat_error *err);

/*
 * tdat_trace_stream creates a stream of a table's rows; opts may be NULL. The caller must release
 * *out. get_next returns an array whose release is NULL at the end, and an errno on failure;
 * get_last_error returns the sentence. Each array owns its memory.
 */
TDAT_API enum tdat_status tdat_trace_stream(const struct tdat_trace *trace,
					    const struct tdat_table *table,
					    const struct tdat_table_opts *opts,
					    struct ArrowArrayStream *out, struct tdat_error *err);

/*
 * Receives rows of a table, borrowed until it returns. The calls for one table are in the order of
 * its rows. Several threads call it at the same time for different tables, unless in_order is set.
 */
typedef enum tdat_status (*tdat_rows_fn)(void *ctx, const struct tdat_table *table,
					 const struct ArrowArray *rows, struct tdat_error *err);

/*
 * tdat_trace_read reads several tables in one pass over the events. Batches, and their order within
 * a table, do not depend on the number of threads; with in_order, neither does their order among
 * tables. rows is not called for tables without rows.
 */
TDAT_API enum tdat_status tdat_trace_read(const struct tdat_trace *trace,
					  const struct tdat_table *const *tables,
					  size_t table_count, const struct tdat_table_opts *opts,
					  bool in_order, tdat_rows_fn rows, void *ctx,
					  struct tdat_error *err);

TDAT_END_DECLS
#endif
