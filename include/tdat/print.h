/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events as text: the values as the kernel means them, in the layout of "trace-cmd report", or
 * the bytes of one version of trace-cmd (enum tdat_compat).
 *
 * A printer holds what printing needs of the inputs of one iterator: compiled print formats,
 * names of tasks, symbols.
 *
 * Threads: a printer belongs to one thread at a time. Printers made by tdat_printer_share may
 * be used by several threads at once; a plugin of libtraceevent prints for one of them at a
 * time. libtraceevent has state of its own for the whole process: printers with plugin_dirs
 * that do not share must not be used by two threads at once.
 *
 * Owners: a printer is the caller's to free, before the inputs' files are closed. Text that a
 * printer returns belongs to it and is valid until its next call.
 */
#ifndef TDAT_PRINT_H
#define TDAT_PRINT_H

#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_printer;

/* Whose text is printed: the kernel's meaning of a record, or the bytes of one trace-cmd. */
enum tdat_compat {
	TDAT_COMPAT_KERNEL = 0,	 /* what the kernel means, in the layout of trace-cmd report */
	TDAT_COMPAT_3_1 = 1,	 /* trace-cmd 3.1 on libtraceevent 1.8 */
	TDAT_COMPAT_3_3 = 2,	 /* trace-cmd 3.2 and later on libtraceevent 1.8 */
	TDAT_COMPAT_DEBIAN12 = 3 /* trace-cmd 3.1 on libtraceevent 1.7 */
};

struct tdat_print_opts {
	size_t size;	 /* sizeof(struct tdat_print_opts) */
	bool raw_fields; /* fields as name=value (report -R) */
	/* Without event plugins (report -N); of TDAT_COMPAT_KERNEL as the kernel's file "trace". */
	bool no_plugins;
	bool latency_format; /* report -l */
	bool nanoseconds;    /* report -t */
	bool raw_ts;	     /* report --raw-ts */
	bool ts_diff;	     /* report --ts-diff */
	bool wall;	     /* times of files with DATE as days and times of the zone TZ; else
			      * TDAT_E_NOT_FOUND */
	enum tdat_compat compat;
	/*
	 * Folders with plugins of libtraceevent (shared objects run as code of this
	 * process!), ended by NULL; NULL: none is loaded. With any, libtraceevent looks
	 * into $TRACEEVENT_PLUGIN_DIR and ~/.local/lib/traceevent/plugins, too. Events they handle
	 * are printed by them, one thread at a time.
	 */
	const char *const *plugin_dirs;
	/*
	 * report -O: "name" or "name=value", ended by NULL; may be NULL. parent, offset
	 * and indent of ftrace, tailprint and depth of fgraph are understood, the rest
	 * is for the plugins.
	 */
	const char *const *plugin_options;
	/*
	 * report -r and -n: regular expressions (basic, any case) of the whole name of an event
	 * or a system, ended by NULL; may be NULL. Their events print as with raw_fields, or as
	 * with no_plugins.
	 */
	const char *const *raw_events;
	const char *const *no_plugin_events;
	/*
	 * Jiffies a second of the recorded kernel, which no file tells. 0: what a print fmt
	 * converts from jiffies is printed as their number with "j" behind it.
	 */
	uint32_t hz;
};

#define TDAT_PRINT_OPTS_INIT TDAT_SIZED(struct tdat_print_opts)

/*
 * tdat_printer_new makes a printer for the inputs of an iterator, in the same order. opts may
 * be NULL; inputs and opts are needed only during the call, but its arrays of
 * strings until this printer and all that share with it are freed.
 */
TDAT_API enum tdat_status tdat_printer_new(struct tdat_printer **out,
					   const struct tdat_iter_input *inputs, size_t input_count,
					   const struct tdat_print_opts *opts,
					   struct tdat_error *err);

/* tdat_printer_free frees a printer and the text that it returned. NULL is allowed. */
TDAT_API void tdat_printer_free(struct tdat_printer *printer);

/* How the text of an event type is made. */
enum tdat_print_kind {
	TDAT_PRINT_COMPILED, /* by a program compiled of print fmt */
	TDAT_PRINT_NATIVE,   /* by the library's own counterpart of a plugin */
	TDAT_PRINT_FALLBACK, /* by libtraceevent and a plugin asked for */
	TDAT_PRINT_FIELDS,   /* as name=value: print fmt cannot be understood */
	TDAT_PRINT_PARTLY    /* compiled, but for arguments that the file does not suffice for */
};

/*
 * tdat_printer_kind tells how events of an id in an input are printed. *reason says why no
 * program prints them, or is "" when one does; it is borrowed from the printer, and reason
 * may be NULL. An id without a format is TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_printer_kind(struct tdat_printer *printer, size_t input, uint32_t id,
					    enum tdat_print_kind *kind, const char **reason,
					    struct tdat_error *err);

/*
 * tdat_printer_partly counts the event types printed so far (by this printer and those that
 * share with it) that are TDAT_PRINT_PARTLY. *format is the first of them in the order of inputs
 * and ids, *reason its reason; both are borrowed, and NULL and "" where there is none.
 */
TDAT_API size_t tdat_printer_partly(struct tdat_printer *printer,
				    const struct tdat_event_format **format, const char **reason);

/*
 * tdat_printer_header formats what report prints before the events of an input:
 * "cpus=N", with the file's name where report puts it.
 */
TDAT_API enum tdat_status tdat_printer_header(struct tdat_printer *printer, size_t input,
					      struct tdat_span *text, struct tdat_error *err);

/*
 * tdat_printer_line formats the whole line(s) of an event, with the final
 * newline; *text is borrowed until the next call on the printer. ts_diff uses
 * the previous event given to this printer.
 */
TDAT_API enum tdat_status tdat_printer_line(struct tdat_printer *printer,
					    const struct tdat_event *event, struct tdat_span *text,
					    struct tdat_error *err);

/*
 * tdat_printer_share makes a further printer of the same inputs and options, for another
 * thread. The two share compiled print formats; each is freed on its own, in any order.
 */
TDAT_API enum tdat_status tdat_printer_share(struct tdat_printer **out,
					     const struct tdat_printer *printer,
					     struct tdat_error *err);

struct tdat_batch;
struct tdat_build;

/*
 * tdat_printer_batch appends the lines of a batch to out, as a sink does (tdat/sink.h).
 * ts_diff uses the event before the batch.
 */
TDAT_API enum tdat_status tdat_printer_batch(struct tdat_printer *printer,
					     const struct tdat_batch *batch, size_t *done,
					     struct tdat_build *out, struct tdat_error *err);

/* tdat_printer_info formats only what follows the event's name. */
TDAT_API enum tdat_status tdat_printer_info(struct tdat_printer *printer,
					    const struct tdat_event *event, struct tdat_span *text,
					    struct tdat_error *err);

/*
 * tdat_printer_flags formats what latency_format shows behind the CPU: interrupts
 * off, rescheduling wanted, hard or soft interrupt, depth of preemption ...
 */
TDAT_API enum tdat_status tdat_printer_flags(struct tdat_printer *printer,
					     const struct tdat_event *event, struct tdat_span *text,
					     struct tdat_error *err);

TDAT_END_DECLS
#endif
