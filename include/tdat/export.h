/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exporters: each creates one output format. A static table lists them, like importers
 * (tdat/emit.h). The kind of an exporter determines its input. An exporter of kind events converts
 * batches of events, in order of time, to bytes. An exporter of kind packets also does this, and
 * then completes the bytes in order, one thread at a time (pack). An exporter of kind tables
 * converts record batches (tdat/arrow.h). The library's exporters:
 *
 *   text        events   lines in the layout of trace-cmd report
 *   json        events   one JSON object per event, each on its own line
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
 * Lines of json contain ts, cpu, pid, comm, flags (as in the latency columns), file (if there are
 * several inputs), buffer (of instances), system, event, lost (before this event: a number, or
 * true), fields, cut (the name of a limit, if fields were omitted because of this limit), text (if
 * requested). For json and event_csv, plugin_state should not be set in the iterator's options,
 * because the exit events of leaf functions would be missing.
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
 * tdat_export_run replaces the lines after tdat_export_new, for any exporter of events or packets.
 *
 * Threads: a tdat_export belongs to one thread. The threads of tdat_pump use its sink, each with
 * its own worker, and then only read its state. Several exports, even of the same files, may run on
 * several threads at the same time.
 *
 * Owners: the caller frees a tdat_export before it closes the files of the inputs. Tables of
 * exporters are static.
 */
#ifndef TDAT_EXPORT_H
#define TDAT_EXPORT_H

#include <tdat/arrow.h>
#include <tdat/keyed_option.h>
#include <tdat/sink.h>

TDAT_BEGIN_DECLS

/*
 * Receives len bytes of the file name. They follow the bytes of earlier calls with the same name.
 * name is a file in the exporter's folder: letters, digits, '.', '-' and '_', not starting with
 * '.'. Calls never overlap.
 */
typedef enum tdat_status (*tdat_export_output_fn)(void *ctx, const char *name, const void *data,
						  size_t len, struct tdat_error *err);

struct tdat_export_request {
	size_t size; /* sizeof(struct tdat_export_request) */
	/*
	 * The inputs of the iterator whose events are exported. The files are borrowed until
	 * tdat_export_free; the arrays of inputs and options are needed only during
	 * tdat_export_new.
	 */
	const struct tdat_iter_input *inputs;
	size_t input_count;
	const struct tdat_keyed_option *options;
	size_t option_count;
	/* Receives the files of exporters whose output is a folder. Other exporters ignore it. */
	tdat_export_output_fn output;
	void *output_ctx;
	/*
	 * Receives sentences about data that the format cannot store; may be NULL. Any thread of
	 * the export may call it, one call at a time.
	 */
	void (*note)(void *ctx, const char *sentence);
	void *note_ctx;
};

#define TDAT_EXPORT_REQUEST_INIT TDAT_SIZED(struct tdat_export_request)

/*
 * Reads len bytes at offset off of the bytes that a write function has received. Fewer than len
 * bytes are a failure.
 */
typedef enum tdat_status (*tdat_read_back_fn)(void *ctx, uint64_t off, void *data, size_t len,
					      struct tdat_error *err);

/* A finished file of one table; read returns its len bytes. */
struct tdat_join_part {
	tdat_read_back_fn read;
	void *read_ctx;
	uint64_t len;
};

/* How an exporter of columns joins finished files of one table, without reading values. */
struct tdat_join_ops {
	size_t size;
	/* begin creates *joined, the state of one new file. write receives its bytes in order. */
	enum tdat_status (*begin)(void **joined, tdat_write_fn write, void *write_ctx,
				  struct tdat_error *err);
	/*
	 * add appends the rows of a part. TDAT_E_LIMIT: the part is large enough for its own file,
	 * or the new file is large enough without it; the new file is unchanged.
	 * TDAT_E_UNSUPPORTED: the exporter did not write the part, or its columns differ from the
	 * first part. After any failure except TDAT_E_LIMIT, call end with give_up.
	 */
	enum tdat_status (*add)(void *joined, const struct tdat_join_part *part,
				struct tdat_error *err);
	/* end works like table_end. Without give_up, at least one part must have been added. */
	enum tdat_status (*end)(void *joined, bool give_up, struct tdat_error *err);
};

/*
 * How an exporter of columns processes each table. Each table has its own write function, which
 * receives its bytes in order, unless the exporter itself writes the file in the option "path"
 * (own_file).
 */
struct tdat_columns_ops {
	size_t size;	    /* sizeof(struct tdat_columns_ops) */
	const char *suffix; /* file name extension of one table: ".parquet" */
	bool own_file;	    /* the exporter writes all tables to the file in the option "path" */
	/*
	 * table_begin creates *part, the state of one table. name is the table's name,
	 * "sched/sched_switch"; schema is a struct whose children are the columns, with the table's
	 * metadata; both are borrowed during table_begin. state is that of begin. Several threads
	 * may use the parts of several tables at the same time, each part one thread at a time;
	 * with own_file, only one thread at a time calls any function.
	 */
	enum tdat_status (*table_begin)(void *state, const char *name,
					const struct ArrowSchema *schema, tdat_write_fn write,
					void *write_ctx, void **part, struct tdat_error *err);
	/* batch receives rows: a struct array with the table's schema, borrowed during batch. */
	enum tdat_status (*batch)(void *part, const struct ArrowArray *rows,
				  struct tdat_error *err);
	/*
	 * table_end writes the end of the table and frees part. With give_up it only frees part,
	 * and cannot fail.
	 */
	enum tdat_status (*table_end)(void *part, bool give_up, struct tdat_error *err);
	/*
	 * Optional, like all following members. share may be called before batch, with an estimate
	 * of the number of tables that share the export's memory (count of sharers in struct
	 * tdat_table_opts).
	 */
	void (*share)(void *part, uint32_t count);
	/*
	 * reads_back may be called directly after table_begin. It passes a function read, which
	 * until table_end returns bytes that write has received. With read, the exporter may write
	 * other bytes, but the bytes contain the same rows.
	 */
	void (*reads_back)(void *part, tdat_read_back_fn read, void *read_ctx);
	const struct tdat_join_ops *join; /* NULL: the exporter cannot join files */
};

/* The input of an exporter. */
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
	enum tdat_export_kind kind;		      /* determines which of events, columns and
						       * pack are set */
	const struct tdat_keyed_option_desc *options; /* ends with key NULL; may be NULL */
	/*
	 * begin creates *state and appends the bytes before the first event to head. The caller has
	 * checked that options lists all keys. After a failure *state is NULL.
	 */
	enum tdat_status (*begin)(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err);
	/*
	 * The sink that receives batches of events; its ctx is state. If its in_order returns true,
	 * one thread receives all batches.
	 */
	const struct tdat_sink_ops *events;
	/* The functions that receive tables. */
	const struct tdat_columns_ops *columns;
	/*
	 * end appends the bytes after the last event to tail, and frees state. tail is NULL if the
	 * export is aborted; end then cannot fail.
	 */
	enum tdat_status (*end)(void *state, struct tdat_build *tail, struct tdat_error *err);
	/*
	 * Optional, like all following members. If an exporter has pack, the output of its sink is
	 * intermediate data. pack receives this data in the order of events, in pieces that end
	 * anywhere between two events, on one thread at a time. pack appends final bytes to out,
	 * and keeps other data in state. Unlike the output of batch, its output may depend on
	 * earlier events. Its output must not depend on the boundaries of the pieces.
	 * tdat_export_run calls it.
	 */
	enum tdat_status (*pack)(void *state, struct tdat_span pieces, struct tdat_build *out,
				 struct tdat_error *err);
	/*
	 * The output is a folder. The sink and pack then pass the bytes of the folder's files to
	 * output of the request. head, tail and the out of pack stay empty.
	 */
	bool folder;
	const char *suffixes; /* file name extensions of its output: ".sqlite .db"; NULL: none */
};

/* tdat_exporters returns the static table of all exporters; *count is their number. */
TDAT_API const struct tdat_exporter *const *tdat_exporters(size_t *count);

/* tdat_exporter_find returns the exporter with that name, static, or NULL. */
TDAT_API const struct tdat_exporter *tdat_exporter_find(const char *name);

/* A running export. */
struct tdat_export;

/*
 * tdat_export_new starts an export with an exporter of the library or of the caller. TDAT_E_USAGE:
 * an option that the exporter lacks, an invalid value, or an exporter whose size (or that of its
 * events or columns) does not include the required members. TDAT_E_NOT_FOUND: an event type is
 * missing.
 */
TDAT_API enum tdat_status tdat_export_new(struct tdat_export **out,
					  const struct tdat_exporter *exporter,
					  const struct tdat_export_request *request,
					  struct tdat_error *err);

/* tdat_export_free frees an export, even if it was not ended. NULL is allowed. */
TDAT_API void tdat_export_free(struct tdat_export *e);

/* tdat_export_head returns the bytes before the first event; borrowed until tdat_export_free. */
TDAT_API struct tdat_span tdat_export_head(const struct tdat_export *e);

/* tdat_export_ops and tdat_export_ctx return the export's sink; use it before tdat_export_end. */
TDAT_API const struct tdat_sink_ops *tdat_export_ops(const struct tdat_export *e);
TDAT_API void *tdat_export_ctx(const struct tdat_export *e);

/*
 * tdat_export_end ends an export after its last event. *tail is set to the bytes after that event,
 * borrowed until tdat_export_free.
 */
TDAT_API enum tdat_status tdat_export_end(struct tdat_export *e, struct tdat_span *tail,
					  struct tdat_error *err);

/*
 * tdat_export_run exports all events of iter and ends the export: write receives the head, the
 * events by tdat_pump with opts, and the tail. *events (may be NULL) is set to the number of events
 * taken, even after a failure. It works with exporters of kinds events and packets. An exporter
 * with pack needs this function.
 */
TDAT_API enum tdat_status tdat_export_run(struct tdat_export *e, struct tdat_iter *iter,
					  const struct tdat_pump_opts *opts, tdat_write_fn write,
					  void *write_ctx, uint64_t *events,
					  struct tdat_error *err);

TDAT_END_DECLS
#endif
