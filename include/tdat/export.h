/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exporters: each makes one output format. They are listed in a table, as importers are
 * (tdat/emit.h). Their kind says what they take: events makes bytes of batches of events, in merged
 * order; packets does, too, but finishes them by one thread at a time and in order (pack); tables
 * takes record batches (tdat/arrow.h). Those of the library:
 *
 *   text        events   lines in the layout of trace-cmd report
 *   json        events   one JSON object per event and line
 *   event_csv   events   events of one type, one column per field (RFC 4180)
 *   parquet     tables   Apache Parquet, one file per table
 *   arrow       tables   Arrow IPC, one file (Feather) or stream per table
 *   jsonl       tables   JSON lines, one object per table row
 *   csv         tables   CSV, one line per table row (RFC 4180)
 *   clickhouse  tables   ClickHouse's Native format, blocks of each table
 *   sqlite      tables   an SQLite database with all tables
 *   perfetto    packets  packets for ui.perfetto.dev and Perfetto's trace processor
 *   ctf         packets  Common Trace Format 1.8, a folder for babeltrace2 and Trace Compass
 *   chrome      packets  Chrome trace events, JSON that many viewers read
 *
 * Lines of json have ts, cpu, pid, comm, flags (as in the latency columns), file (of several
 * inputs), buffer (not of the top one), system, event, lost (a count, or true, before this event),
 * fields, cut (fields are missing, as they would be longer than this limit), text (if asked for).
 * For json and event_csv the iterator should not keep plugin_state: folded events would be missing.
 *
 *   struct tdat_export_request r = TDAT_EXPORT_REQUEST_INIT;
 *
 *   r.inputs = inputs;              // those of the iterator
 *   r.input_count = count;
 *   tdat_export_new(&e, tdat_exporter_find("json"), &r, err);
 *   (write tdat_export_head(e))
 *   tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), opts, write, ctx, err);
 *   tdat_export_end(e, &tail, err);
 *   (write tail)
 *   tdat_export_free(e);
 *
 * tdat_export_run does the part from tdat_pump on for any exporter of events or packets.
 *
 * Threads: a tdat_export belongs to one thread. Its sink is used by the threads of tdat_pump,
 * each with a worker of its own, and its state is then only read. Several exports, also of
 * the same files, may run on several threads at once.
 *
 * Owners: a tdat_export is the caller's to free, and must be freed before the inputs' files
 * are closed. Tables of exporters are static.
 */
#ifndef TDAT_EXPORT_H
#define TDAT_EXPORT_H

#include <tdat/arrow.h>
#include <tdat/keyed_option.h>
#include <tdat/sink.h>

TDAT_BEGIN_DECLS

/*
 * Takes len bytes of the output, which follow those it got before for the same name. name is
 * that of a file in the folder that the exporter makes: letters, digits, '.', '-' and '_', not
 * starting with '.'. One call comes at a time.
 */
typedef enum tdat_status (*tdat_export_output_fn)(void *ctx, const char *name, const void *data,
						  size_t len, struct tdat_error *err);

struct tdat_export_request {
	size_t size; /* sizeof(struct tdat_export_request) */
	/*
	 * The inputs of the iterator whose events will come; files and both arrays are
	 * borrowed: files until tdat_export_free, the arrays while tdat_export_new runs.
	 */
	const struct tdat_iter_input *inputs;
	size_t input_count;
	const struct tdat_keyed_option *options;
	size_t option_count;
	/* Where an exporter whose output is a folder sends its files; others do not use it. */
	tdat_export_output_fn output;
	void *output_ctx;
	/*
	 * Gets sentences about what the format has no place for; may be NULL. It is called while
	 * the export runs, on any of its threads, one call at a time.
	 */
	void (*note)(void *ctx, const char *sentence);
	void *note_ctx;
};

#define TDAT_EXPORT_REQUEST_INIT TDAT_SIZED(struct tdat_export_request)

/* Reads len bytes of what a write function has taken, from off on; less is a failure. */
typedef enum tdat_status (*tdat_read_back_fn)(void *ctx, uint64_t off, void *data, size_t len,
					      struct tdat_error *err);

/* A finished file of one table: read gives its len bytes. */
struct tdat_join_part {
	tdat_read_back_fn read;
	void *read_ctx;
	uint64_t len;
};

/* How an exporter of columns puts finished files of one table together, without reading values. */
struct tdat_join_ops {
	size_t size;
	/* begin makes *joined, the state of one new file. Its bytes go to write, in order. */
	enum tdat_status (*begin)(void **joined, tdat_write_fn write, void *write_ctx,
				  struct tdat_error *err);
	/*
	 * add appends the rows of a part. TDAT_E_LIMIT: the part is large enough for a file of its
	 * own, or the new file is large enough without it, which is as before. After another
	 * failure it must be given up. TDAT_E_UNSUPPORTED: the exporter did not write the part, or
	 * its columns differ from those of the first one.
	 */
	enum tdat_status (*add)(void *joined, const struct tdat_join_part *part,
				struct tdat_error *err);
	/* end is as table_end. At least one part must have been added, unless it gives up. */
	enum tdat_status (*end)(void *joined, bool give_up, struct tdat_error *err);
};

/*
 * What an exporter of columns does with each table. A table's bytes go to a write function of
 * its own, in order, unless the exporter names in the request's option "path" a file that it
 * writes itself (own_file).
 */
struct tdat_columns_ops {
	size_t size;	    /* sizeof(struct tdat_columns_ops) */
	const char *suffix; /* of the file of one table: ".parquet" */
	bool own_file;	    /* all tables go to the one file that the option "path" names */
	/*
	 * table_begin makes *part, the state of one table. name is that of the table,
	 * "sched/sched_switch"; schema is a struct whose children are the columns, with the
	 * table's metadata; both are borrowed while table_begin runs. state is that of begin:
	 * parts of several tables are used by several threads at once, each part by one at a
	 * time, unless own_file is set; then all calls come from one thread at a time.
	 */
	enum tdat_status (*table_begin)(void *state, const char *name,
					const struct ArrowSchema *schema, tdat_write_fn write,
					void *write_ctx, void **part, struct tdat_error *err);
	/* batch takes rows: a struct array of the table's schema, borrowed while batch runs. */
	enum tdat_status (*batch)(void *part, const struct ArrowArray *rows,
				  struct tdat_error *err);
	/*
	 * table_end frees part, and before that writes what is behind the last row; with
	 * give_up it writes nothing and cannot fail.
	 */
	enum tdat_status (*table_end)(void *part, bool give_up, struct tdat_error *err);
	/*
	 * Optional, as all that follow: share may be called before batch: about so many tables
	 * share the memory that the export may take (sharers of struct tdat_table_opts).
	 */
	void (*share)(void *part, uint32_t count);
	/*
	 * reads_back may be called right behind table_begin: until table_end, read gives
	 * again what write took. What is written may then differ, but not what it means.
	 */
	void (*reads_back)(void *part, tdat_read_back_fn read, void *read_ctx);
	const struct tdat_join_ops *join; /* NULL: files are not joined */
};

/* What an exporter takes. */
enum tdat_export_kind {
	TDAT_EXPORT_EVENTS = 0, /* events */
	TDAT_EXPORT_TABLES = 1, /* columns */
	TDAT_EXPORT_PACKETS = 2 /* events, then pack */
};

/* An exporter: begin is called once, then its sink or its columns, then end. */
struct tdat_exporter {
	size_t size;				      /* sizeof(struct tdat_exporter) */
	const char *name;			      /* "json" */
	const char *summary;			      /* one line for "tdat list --formats" */
	enum tdat_export_kind kind;		      /* which of events, columns, pack are set */
	const struct tdat_keyed_option_desc *options; /* ended by key NULL; may be NULL */
	/*
	 * begin makes *state and appends to head what comes before the first event. All keys
	 * of the options are in the table. After a failure *state is NULL.
	 */
	enum tdat_status (*begin)(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err);
	/*
	 * Takes batches of events; state is its ctx. Its in_order says whether one thread
	 * must see all of them.
	 */
	const struct tdat_sink_ops *events;
	/* Takes tables. */
	const struct tdat_columns_ops *columns;
	/*
	 * end frees state, and before that appends to tail what comes behind the last event;
	 * tail is NULL when the export is given up: then it cannot fail.
	 */
	enum tdat_status (*end)(void *state, struct tdat_build *tail, struct tdat_error *err);
	/*
	 * Optional, as all that follow: events makes pieces that are not the output yet. pack is
	 * given them in the order of events, by one thread at a time, cut between events anywhere,
	 * and appends to out what it makes of them; it keeps what it cannot finish yet in state. It
	 * may use what changes from event to event, which a batch must not. What it makes must not
	 * depend on where the pieces were cut. tdat_export_run calls it.
	 */
	enum tdat_status (*pack)(void *state, struct tdat_span pieces, struct tdat_build *out,
				 struct tdat_error *err);
	/*
	 * The output is a folder: events and pack hand each of its files to the request's output,
	 * head, tail and out of pack stay empty.
	 */
	bool folder;
	const char *suffixes; /* ends of names of its outputs: ".sqlite .db"; NULL: none */
};

/* tdat_exporters returns the static table of all exporters, and their number in *count. */
TDAT_API const struct tdat_exporter *const *tdat_exporters(size_t *count);

/* tdat_exporter_find returns the exporter of that name, static, or NULL if there is none. */
TDAT_API const struct tdat_exporter *tdat_exporter_find(const char *name);

/* A running export. */
struct tdat_export;

/*
 * tdat_export_new begins an export, by an exporter of the table or one of the caller's own.
 * An option that the exporter does not have, or a wrong value, is TDAT_E_USAGE; an event
 * type that no input has TDAT_E_NOT_FOUND. An exporter, or its events or columns, whose size is
 * too small for the required members is TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_export_new(struct tdat_export **out,
					  const struct tdat_exporter *exporter,
					  const struct tdat_export_request *request,
					  struct tdat_error *err);

/* tdat_export_free frees an export, whether or not it was ended. NULL is allowed. */
TDAT_API void tdat_export_free(struct tdat_export *e);

/* tdat_export_head returns the bytes before the first event; borrowed until tdat_export_free. */
TDAT_API struct tdat_span tdat_export_head(const struct tdat_export *e);

/* tdat_export_ops and tdat_export_ctx are the export's sink; use them before tdat_export_end. */
TDAT_API const struct tdat_sink_ops *tdat_export_ops(const struct tdat_export *e);
TDAT_API void *tdat_export_ctx(const struct tdat_export *e);

/*
 * tdat_export_end ends an export after its last event. *tail is set to the bytes behind that
 * event, borrowed until tdat_export_free.
 */
TDAT_API enum tdat_status tdat_export_end(struct tdat_export *e, struct tdat_span *tail,
					  struct tdat_error *err);

/*
 * tdat_export_run hands all events of iter to the export, and what comes of them to write: the
 * head, the events by tdat_pump, whose options opts are, and the tail; it ends the export. *events
 * (may be NULL) becomes the number of events taken, also after a failure. For exporters of events;
 * those that pack need it.
 */
TDAT_API enum tdat_status tdat_export_run(struct tdat_export *e, struct tdat_iter *iter,
					  const struct tdat_pump_opts *opts, tdat_write_fn write,
					  void *write_ctx, uint64_t *events,
					  struct tdat_error *err);

TDAT_END_DECLS
#endif
