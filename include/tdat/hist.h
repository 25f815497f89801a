/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Computes what the kernel's hist triggers would have computed from the events of an opened file.
 *
 * A trigger is the string that a user writes to the tracefs file "trigger" of an event, such as
 * "hist:keys=next_pid:vals=next_prio:sort=hitcount if prev_pid != 0". The result has exactly the
 * bytes that the event's tracefs file "hist" would have contained if the trigger had existed while
 * the events were recorded. docs/hist.md lists the data that a trace.dat lacks for this. Source of
 * the syntax of triggers: Documentation/trace/histogram.rst and kernel/trace/trace_events_hist.c of
 * Linux 6.1 and 6.12.
 *
 * Use: call tdat_hist_new; then define synthetic events and add triggers, in the order in which a
 * user would write them to tracefs; then call tdat_hist_run once; then call tdat_hist_write any
 * number of times.
 *
 * A library built without hist triggers (TDAT_COMPONENT_HIST) lacks these functions.
 *
 * Threads: a tdat_hist belongs to one thread at a time. Several tdat_hist may use one file at the
 * same time.
 *
 * Owners: the caller frees a tdat_hist before it closes the file. Everything that getters return is
 * borrowed and lives until the tdat_hist is freed, unless the getter's comment states another time.
 */
#ifndef TDAT_HIST_H
#define TDAT_HIST_H

#include <tdat/iter.h>
#include <tdat/sink.h>

TDAT_BEGIN_DECLS

struct tdat_hist;

struct tdat_hist_opts {
	size_t size; /* sizeof(struct tdat_hist_opts) */
	/*
	 * The kernel version whose rules apply: "6.1", "6.12", "6.1.176". NULL: the version in the
	 * file's option UNAME, or else 6.12. Needed only during tdat_hist_new.
	 */
	const char *kernel;
	const uint32_t *cpus; /* NULL: all CPUs; else cpu_count numbers */
	size_t cpu_count;
	const struct tdat_filter *filter; /* NULL: all events; must outlive the tdat_hist */
	/* The buffer whose events are counted; "" or NULL: the top-level buffer. */
	const char *buffer;
};

#define TDAT_HIST_OPTS_INIT TDAT_SIZED(struct tdat_hist_opts)

/*
 * tdat_hist_new prepares triggers for file, which must outlive it. An invalid kernel version is
 * TDAT_E_USAGE, a buffer that the file lacks TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_hist_new(struct tdat_hist **out, struct tdat_file *file,
					const struct tdat_hist_opts *opts, struct tdat_error *err);

/* tdat_hist_free frees h and everything that belongs to it. NULL is allowed. */
TDAT_API void tdat_hist_free(struct tdat_hist *h);

/*
 * tdat_hist_synth defines a synthetic event. text is the line that a user writes to the tracefs
 * file "synthetic_events": "wakeup_lat u64 lat; pid_t pid; char comm[16]". If the kernel would
 * reject text, the status is TDAT_E_USAGE, and tdat_hist_refusal returns the kernel's error
 * message.
 */
TDAT_API enum tdat_status tdat_hist_synth(struct tdat_hist *h, const char *text,
					  struct tdat_error *err);

/*
 * tdat_hist_trigger adds a trigger to an event. text is the string that a user writes to the
 * event's file "trigger", and begins with hist, enable_hist or disable_hist. Another trigger is
 * TDAT_E_UNSUPPORTED. An event that is neither in the file nor synthetic is TDAT_E_NOT_FOUND. If
 * the kernel would reject text, the status is TDAT_E_USAGE, and tdat_hist_refusal returns the
 * kernel's error message.
 */
TDAT_API enum tdat_status tdat_hist_trigger(struct tdat_hist *h, const char *system,
					    const char *event, const char *text,
					    struct tdat_error *err);

/*
 * tdat_hist_refusal returns the lines that the kernel would add to its file error_log for the last
 * rejected text: for each error the lines "hist:SYSTEM:EVENT: error: TEXT", " Command: TEXT" and a
 * caret below the place. It returns "" if the kernel would reject the text without a message.
 * Control bytes are unchanged. The string is valid until the next call of tdat_hist_synth or
 * tdat_hist_trigger.
 */
TDAT_API const char *tdat_hist_refusal(const struct tdat_hist *h);

/*
 * Receives a synthetic event: its format and record, in the layout and byte order of the file's
 * kernel, and the event of the file that caused it. The arguments are valid during the call. The
 * function must not call functions of the tdat_hist. A status other than TDAT_OK ends tdat_hist_run
 * with that status.
 */
typedef enum tdat_status (*tdat_hist_synth_fn)(void *ctx, const struct tdat_event_format *format,
					       struct tdat_span record,
					       const struct tdat_event *from,
					       struct tdat_error *err);

/*
 * tdat_hist_on_synth sets the function that is called for each synthetic event that an action
 * generates; NULL: none.
 */
TDAT_API void tdat_hist_on_synth(struct tdat_hist *h, tdat_hist_synth_fn fn, void *ctx);

/*
 * tdat_hist_run reads the events of the file once and runs the triggers on them; a second call is
 * TDAT_E_USAGE. Damaged pages are skipped and counted (tdat_hist_damage).
 */
TDAT_API enum tdat_status tdat_hist_run(struct tdat_hist *h, struct tdat_error *err);

/*
 * tdat_hist_events returns the number of events that tdat_hist_run counted: events of the selected
 * CPUs that passed the filter.
 */
TDAT_API uint64_t tdat_hist_events(const struct tdat_hist *h);

/* tdat_hist_damage returns the damage of the events that were read, like tdat_iter_damage. */
TDAT_API const struct tdat_stream_damage *tdat_hist_damage(struct tdat_hist *h, size_t *count);

/*
 * tdat_hist_note returns sentence number index, from 0, about data that the triggers need and the
 * file lacks (stacks, names, clocks); NULL after the last one. The list of sentences is complete
 * after tdat_hist_write.
 */
TDAT_API const char *tdat_hist_note(const struct tdat_hist *h, size_t index);

enum tdat_hist_view {
	TDAT_HIST_KERNEL = 0,	/* "### SYSTEM/EVENT" and the event's file "hist" */
	TDAT_HIST_TRIGGERS = 1, /* "### SYSTEM/EVENT" and its file "trigger" */
	TDAT_HIST_TABLE = 2,	/* a table for each histogram, with aligned columns */
	TDAT_HIST_JSON = 3	/* one JSON value: events, their triggers, their entries */
};

/*
 * tdat_hist_write passes one view of all triggers to write, in pieces. A view contains names from
 * the trace. The JSON view escapes control bytes in names; the other views contain them unchanged.
 */
TDAT_API enum tdat_status tdat_hist_write(struct tdat_hist *h, enum tdat_hist_view view,
					  tdat_write_fn write, void *ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
