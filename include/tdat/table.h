/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A trace, of one file or several, as tables with typed columns, given out through the Arrow C
 * data and stream interfaces (tdat/arrow.h). docs/tables.md lists tables, columns and types.
 *
 * Tables:
 *   events        a row for each event, with what all events have
 *   SYSTEM/EVENT  "sched/sched_switch": a row for each event of a type, with its fields
 *   lost          a row for each loss of events
 *   tasks, formats, fields, buffers, cpus, options, symbols, printk, info
 *                 what the files say of themselves
 *   sched, thread_state, wakeup ...
 *                 intervals and states that are derived from events; docs/analysis.md
 *
 * Rows of events are in the order of tdat_iter: time, then buffer, then CPU.
 *
 *   tdat_trace_new(&trace, inputs, count, NULL, err);
 *   table = tdat_trace_find(trace, "sched/sched_switch");
 *   tdat_trace_stream(trace, table, NULL, &stream, err);
 *   while (!stream.get_next(&stream, &array) && array.release)
 *           ... array.release(&array);
 *   stream.release(&stream);
 *   tdat_trace_free(trace);
 *
 * Threads: a tdat_trace does not change after it was made, and may be used by several threads at
 * once. A stream belongs to one thread at a time. tdat_trace_read starts threads of its own.
 *
 * Owners: a trace is the caller's to free, after its streams are released and before its files
 * are closed. Tables belong to the trace. Schemas, arrays and streams are the caller's to
 * release; arrays do not need the trace.
 */
#ifndef TDAT_TABLE_H
#define TDAT_TABLE_H

#include <tdat/arrow.h>
#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_trace;

enum tdat_table_kind {
	TDAT_TABLE_EVENTS, /* of all events */
	TDAT_TABLE_EVENT,  /* of the events of one type */
	TDAT_TABLE_LOST,   /* of losses of events */
	TDAT_TABLE_META,   /* of what the files say of themselves */
	TDAT_TABLE_DERIVED /* of what is derived from events of several types */
};

/*
 * What a table is about, literals. needs: the events that rows are made of, those of one
 * blank-separated word are alternatives: "sched/sched_switch
 * sched/sched_wakeup|sched/sched_waking"; '*' ends a name of any such. record: the arguments of
 * trace-cmd record that record them. NULL: it needs none.
 */
struct tdat_table_about {
	const char *summary, *needs, *record;
};

/* One table. Only the library makes these; members are appended. */
struct tdat_table {
	const char *name; /* "events", "sched/sched_switch"; of one event type unique in a trace */
	enum tdat_table_kind kind;
	const char *system, *event;    /* of an event type, else NULL */
	size_t index;		       /* place among tdat_trace_tables */
	struct tdat_table_about about; /* all NULL: a type of events, or a pair of the options */
	bool is_dear;		       /* its rows cost many times what reading its events does */
};

struct tdat_trace_opts {
	size_t size;  /* sizeof(struct tdat_trace_opts) */
	bool raw_ts;  /* as in tdat_iter_opts */
	bool no_date; /* the same */
	/*
	 * Further tables of kind DERIVED, of pairs of events: each is a text
	 * "NAME: SYSTEM/EVENT(FIELD,...) [if FILTER] -> SYSTEM/EVENT(FIELD,...) [if FILTER]", which
	 * docs/analysis.md explains. They are copied.
	 */
	const char *const *pairs;
	size_t pair_count;
	uint64_t kmem_live; /* pointers that the table kmem follows at once; 0: 1572864 */
};

#define TDAT_TRACE_OPTS_INIT TDAT_SIZED(struct tdat_trace_opts)

/*
 * tdat_trace_new makes a trace of input_count files. opts may be NULL; the array of inputs is
 * needed only during the call, its files until tdat_trace_free. No event is read and no
 * format is parsed but those of pairs. A pair that cannot be understood, or whose name is
 * taken, is TDAT_E_USAGE; one of an event or field that no input has TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_trace_new(struct tdat_trace **out,
					 const struct tdat_iter_input *inputs, size_t input_count,
					 const struct tdat_trace_opts *opts,
					 struct tdat_error *err);
/* tdat_trace_free frees a trace. NULL is allowed. */
TDAT_API void tdat_trace_free(struct tdat_trace *trace);

/*
 * tdat_trace_tables lists the tables, those of event types last and by name; event types of which
 * no event was recorded, too.
 */
TDAT_API const struct tdat_table *tdat_trace_tables(const struct tdat_trace *trace, size_t *count);
/* tdat_trace_find returns the table of a name, or NULL if there is none. */
TDAT_API const struct tdat_table *tdat_trace_find(const struct tdat_trace *trace, const char *name);

/*
 * tdat_trace_time sets *ts to the time that a text means, as the column ts has it. The text is
 * written as from and to of tdat_filter_opts: "12.5", "12500ms", "+1s" after the first event of
 * all inputs, "-100ms" before the last one. A text that is no time of 64 bits is TDAT_E_USAGE, a
 * time beyond the column's range TDAT_E_LIMIT.
 */
TDAT_API enum tdat_status tdat_trace_time(const struct tdat_trace *trace, const char *text,
					  int64_t *ts, struct tdat_error *err);

/* Times of tasks. */
enum tdat_explained {
	TDAT_EXPLAIN_ALL,    /* all states */
	TDAT_EXPLAIN_WAITS,  /* off the CPU: from a switch out to the next switch in */
	TDAT_EXPLAIN_WAKEUPS /* from a wakeup to the switch in */
};

/*
 * Which times of tasks the table critical_path explains, instead of all: of a filter's tasks and
 * times those whose interval has a moment in that time, with rows of all depths.
 */
struct tdat_explain {
	size_t size; /* sizeof(struct tdat_explain) */
	enum tdat_explained of;
	uint32_t worst; /* so many of the longest waits or wakeups, longest first; 0: all */
};
#define TDAT_EXPLAIN_INIT TDAT_SIZED(struct tdat_explain)

/* What of the tables is wanted. */
struct tdat_table_opts {
	size_t size; /* sizeof(struct tdat_table_opts) */
	/*
	 * Names of columns, in the order wanted, each once; NULL: all but "text". A name that the
	 * table does not have is TDAT_E_NOT_FOUND; for tdat_trace_read it is enough that one
	 * table has it.
	 */
	const char *const *columns;
	size_t column_count;
	/*
	 * Of tables of events: which; NULL: all. Must outlive streams made with it. Of tables of
	 * kind DERIVED its times, pids and names of tasks choose rows: those whose interval has a
	 * moment of that time, and whose task it is. Its buffers, events and expressions choose
	 * the events that rows are derived from.
	 */
	const struct tdat_filter *filter;
	/* NULL: all CPUs; else cpu_count numbers. Of tables of kind DERIVED: of the column cpu. */
	const uint32_t *cpus;
	size_t cpu_count;
	uint32_t batch_rows; /* rows of a batch, at most about; 0: 65536 */
	/*
	 * Piece number split, from 0, of split_count pieces that a trace is cut into by time;
	 * 0 and 0: all of it. Pieces can be read independently, also by other processes; the
	 * rows of all pieces, one after the other, are those of the whole trace. Where more are
	 * asked for than there are pages, or than 65536 (fewer with more than 127 CPUs), the last
	 * ones are empty. Tables of the kinds META and DERIVED are in piece 0.
	 */
	uint32_t split, split_count;
	uint32_t threads; /* tdat_trace_read: at most; 0: one per online CPU */
	/*
	 * Gets what tdat_iter_damage says when all events were read; may be NULL. For
	 * tdat_trace_read it is called on the calling thread.
	 */
	void (*damage)(void *ctx, const struct tdat_stream_damage *damage, size_t count);
	void *damage_ctx;
	/*
	 * Gets what a table of kind DERIVED had to leave out, when all events were read: what, such
	 * as "interval without a beginning", and how often. It is called as damage is; NULL: never.
	 */
	void (*note)(void *ctx, const struct tdat_table *table, const char *what, uint64_t count);
	void *note_ctx;
	/*
	 * Where has_span is set: only the rows whose ts, as the column has it, is from from_ts
	 * to to_ts, both included. Tables of events and of losses read no page outside of that
	 * time; what those of kind DERIVED read is said in docs/analysis.md, "What is read".
	 * Tables of kind META have all rows.
	 */
	bool has_span;
	int64_t from_ts, to_ts;
	/*
	 * Of the same tables: only the rows with one of these in the column pid; NULL: all. (Of
	 * tables of events the pids of a filter also name events that have them as a field.)
	 */
	const int32_t *pids;
	size_t pid_count;
	/*
	 * tdat_trace_read calls it right before each call of its function rows, on the same thread:
	 * for a sink that divides memory among tables, by how many equal parts of it this table
	 * has its own, which is about the number of tables that have had many rows up to this
	 * batch. The same batch has the same count, whatever the number of threads. NULL: never.
	 */
	void (*sharers)(void *ctx, const struct tdat_table *table, uint32_t count);
	void *sharers_ctx;
	/*
	 * Of tables of kind DERIVED: the whole filter and the CPUs choose the events that rows are
	 * derived from, as if there were no others, instead of rows.
	 */
	bool of_events;
	const struct tdat_explain *explain; /* of the table critical_path; NULL: all is explained */
	/*
	 * Asked before each page of events, by each thread that reads. true: the call fails with
	 * TDAT_E_CANCELLED, and get_next of a stream with ECANCELED. NULL: nothing is asked.
	 */
	bool (*is_cancelled)(void *ctx);
	void *cancel_ctx;
};

#define TDAT_TABLE_OPTS_INIT TDAT_SIZED(struct tdat_table_opts)

/*
 * tdat_trace_schema makes the schema of a table: a struct whose children are the columns. opts
 * may be NULL; only its columns are looked at. *out is the caller's to release.
 */
TDAT_API enum tdat_status tdat_trace_schema(const struct tdat_trace *trace,
					    const struct tdat_table *table,
					    const struct tdat_table_opts *opts,
					    struct ArrowSchema *out, struct tdat_error *err);

/*
 * tdat_trace_stream makes a stream of a table's rows; opts may be NULL. *out is the caller's to
 * release. get_next ends with an array whose release is NULL; it fails with an errno, and
 * get_last_error gives the sentence. Each array owns its memory.
 */
TDAT_API enum tdat_status tdat_trace_stream(const struct tdat_trace *trace,
					    const struct tdat_table *table,
					    const struct tdat_table_opts *opts,
					    struct ArrowArrayStream *out, struct tdat_error *err);

/*
 * Takes rows of a table, borrowed while it runs. It is called in the order of the rows of each
 * table; for different tables several threads call it at once, unless in_order is set.
 */
typedef enum tdat_status (*tdat_rows_fn)(void *ctx, const struct tdat_table *table,
					 const struct ArrowArray *rows, struct tdat_error *err);

/*
 * tdat_trace_read reads several tables in one pass over the events. Batches, and their order
 * within a table, do not depend on the number of threads; with in_order neither does their order
 * among tables. Tables without rows get no call.
 */
TDAT_API enum tdat_status tdat_trace_read(const struct tdat_trace *trace,
					  const struct tdat_table *const *tables,
					  size_t table_count, const struct tdat_table_opts *opts,
					  bool in_order, tdat_rows_fn rows, void *ctx,
					  struct tdat_error *err);

TDAT_END_DECLS
#endif
