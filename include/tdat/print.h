/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events as lines. Either each event is printed as the kernel does in its file "trace", in
 * lines with the columns of trace-cmd report; or the lines are exactly the bytes that one version
 * of trace-cmd prints (enum tdat_compat).
 *
 * A printer contains the data that is needed to print events of the inputs of one iterator:
 * compiled print fmts, names of tasks, and symbols.
 *
 * Threads: a printer belongs to one thread at a time. Several threads may use printers created by
 * tdat_printer_share at the same time; plugins of libtraceevent then print for one thread at a
 * time. libtraceevent has global state: two threads must not use two printers with plugin_dirs at
 * the same time, unless one of the printers was created from the other by tdat_printer_share.
 *
 * Owners: the caller frees a printer before it closes the files of the inputs. Returned text
 * belongs to the printer and is valid until its next call.
 */
#ifndef TDAT_PRINT_H
#define TDAT_PRINT_H

#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_printer;

/* Whose output is printed: the kernel's, or the output of one version of trace-cmd. */
enum tdat_compat {
	TDAT_COMPAT_KERNEL = 0,	 /* the kernel's text, in the layout of trace-cmd report */
	TDAT_COMPAT_3_1 = 1,	 /* trace-cmd 3.1 on libtraceevent 1.8 */
	TDAT_COMPAT_3_3 = 2,	 /* trace-cmd 3.2 and later on libtraceevent 1.8 */
	TDAT_COMPAT_DEBIAN12 = 3 /* trace-cmd 3.1 on libtraceevent 1.7 */
};

struct tdat_print_opts {
	size_t size;	 /* sizeof(struct tdat_print_opts) */
	bool raw_fields; /* print fields as name=value (report -R) */
	/*
	 * Do not use event plugins (report -N). With TDAT_COMPAT_KERNEL, each event is then printed
	 * exactly as in the kernel's file "trace".
	 */
	bool no_plugins;
	bool latency_format; /* report -l */
	bool nanoseconds;    /* report -t */
	bool raw_ts;	     /* report --raw-ts */
	bool ts_diff;	     /* report --ts-diff */
	bool wall;	     /* print dates and times in the time zone TZ; TDAT_E_NOT_FOUND if a
			      * file lacks the option DATE */
	enum tdat_compat compat;
	/*
	 * Folders with plugins of libtraceevent, a list that ends with NULL; NULL: load none.
	 * Plugins are shared objects whose code runs in this process! If the list is not empty,
	 * libtraceevent also searches $TRACEEVENT_PLUGIN_DIR and ~/.local/lib/traceevent/plugins.
	 * Plugins print the events that they handle, one thread at a time.
	 */
	const char *const *plugin_dirs;
	/*
	 * Options of plugins (report -O): "name" or "name=value", a list that ends with NULL; may
	 * be NULL. The library itself has the options parent, offset and indent of ftrace, and
	 * tailprint and depth of fgraph. All other options are passed to the plugins in
	 * plugin_dirs.
	 */
	const char *const *plugin_options;
	/*
	 * report -r and -n: regular expressions (basic, case-insensitive) for the whole name of an
	 * event or a system; lists that end with NULL, or NULL. Matching events are printed as with
	 * raw_fields, or as with no_plugins.
	 */
	const char *const *raw_events;
	const char *const *no_plugin_events;
	/*
	 * Jiffies per second of the recorded kernel, which a trace.dat does not contain. 0: a value
	 * that a print fmt converts from jiffies is printed as a number of jiffies, followed by
	 * "j".
	 */
	uint32_t hz;
};

#define TDAT_PRINT_OPTS_INIT TDAT_SIZED(struct tdat_print_opts)

/*
 * tdat_printer_new creates a printer for the inputs of an iterator, in the same order. opts may be
 * NULL. inputs and opts are needed only during the call. The arrays of strings in opts must live
 * until this printer, and all printers that share with it, are freed.
 */
TDAT_API enum tdat_status tdat_printer_new(struct tdat_printer **out,
					   const struct tdat_iter_input *inputs, size_t input_count,
					   const struct tdat_print_opts *opts,
					   struct tdat_error *err);

/* tdat_printer_free frees a printer and its text. NULL is allowed. */
TDAT_API void tdat_printer_free(struct tdat_printer *printer);

/* How an event type is formatted. */
enum tdat_print_kind {
	TDAT_PRINT_COMPILED, /* by a program compiled from its print fmt */
	TDAT_PRINT_NATIVE,   /* by the library's equivalent of a plugin */
	TDAT_PRINT_FALLBACK, /* by libtraceevent and a plugin in plugin_dirs */
	TDAT_PRINT_FIELDS,   /* as name=value: its print fmt cannot be parsed */
	TDAT_PRINT_PARTLY    /* compiled, except arguments for which the file lacks data */
};

/*
 * tdat_printer_kind returns how events of an id are printed. *reason is set to the reason why no
 * compiled program prints them, or to "" if a compiled program does. The string belongs to the
 * printer; reason may be NULL. An id without a format is TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_printer_kind(struct tdat_printer *printer, size_t input, uint32_t id,
					    enum tdat_print_kind *kind, const char **reason,
					    struct tdat_error *err);

/*
 * tdat_printer_partly returns the number of event types of kind TDAT_PRINT_PARTLY that this
 * printer, and the printers that share with it, printed so far. *format is set to the format of the
 * first of these types, by input and id, and *reason to its reason; both are borrowed. If there are
 * no such types, they are set to NULL and "".
 */
TDAT_API size_t tdat_printer_partly(struct tdat_printer *printer,
				    const struct tdat_event_format **format, const char **reason);

/*
 * tdat_printer_header formats the lines that trace-cmd report prints before the events of an input:
 * "cpus=N", and, if there are several inputs, the file's name.
 */
TDAT_API enum tdat_status tdat_printer_header(struct tdat_printer *printer, size_t input,
					      struct tdat_span *text, struct tdat_error *err);

/*
 * tdat_printer_line formats the whole line or lines of an event, with the final newline; *text is
 * borrowed until the printer's next call. ts_diff uses the previous event printed by this printer.
 */
TDAT_API enum tdat_status tdat_printer_line(struct tdat_printer *printer,
					    const struct tdat_event *event, struct tdat_span *text,
					    struct tdat_error *err);

/*
 * tdat_printer_share creates a further printer with the same inputs and options, for another
 * thread. Both share compiled print fmts. Free each, in any order.
 */
TDAT_API enum tdat_status tdat_printer_share(struct tdat_printer **out,
					     const struct tdat_printer *printer,
					     struct tdat_error *err);

struct tdat_batch;
struct tdat_build;

/*
 * tdat_printer_batch appends the lines of a batch to out, like the batch function of a sink
 * (tdat/sink.h). ts_diff uses the event before the batch.
 */
TDAT_API enum tdat_status tdat_printer_batch(struct tdat_printer *printer,
					     const struct tdat_batch *batch, size_t *done,
					     struct tdat_build *out, struct tdat_error *err);

/* tdat_printer_info formats only the part of the line after the event's name. */
TDAT_API enum tdat_status tdat_printer_info(struct tdat_printer *printer,
					    const struct tdat_event *event, struct tdat_span *text,
					    struct tdat_error *err);

/*
 * tdat_printer_flags formats the column that latency_format prints after the CPU: interrupts
 * disabled, need-resched, hard or soft interrupt, preemption depth and others.
 */
TDAT_API enum tdat_status tdat_printer_flags(struct tdat_printer *printer,
					     const struct tdat_event *event, struct tdat_span *text,
					     struct tdat_error *err);

TDAT_END_DECLS
#endif
