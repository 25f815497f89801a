/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's hist triggers over the events of an opened file.
 *
 * A trigger is the text for the tracefs file "trigger" of an event,
 * "hist:keys=next_pid:vals=next_prio:sort=hitcount if prev_pid != 0". The result is, byte for byte,
 * the text that the kernel would have shown in the event's file "hist", had the trigger existed
 * during the events of the file. docs/hist.md lists what a file lacks for this. Source of the
 * language: Documentation/trace/histogram.rst and kernel/trace/trace_events_hist.c of Linux 6.1 and
 * 6.12.
 *
 * Use: tdat_hist_new; then synthetic events and triggers, in the order in which one would write
 * them; then tdat_hist_run once; then tdat_hist_write as often as needed.
 *
 * A library built without hist triggers (TDAT_COMPONENT_HIST) lacks these functions.
 *
 * Threads: a tdat_hist belongs to one thread at a time. Several may use one file at the same time.
 *
 * Owners: the caller frees a tdat_hist before it closes the file. Everything that getters return is
 * borrowed and lives until the tdat_hist is freed, unless they state otherwise.
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
 * tdat_hist_synth defines a synthetic event with the text for the tracefs file "synthetic_events":
 * "wakeup_lat u64 lat; pid_t pid; char comm[16]". A text that the kernel rejects is TDAT_E_USAGE,
 * and tdat_hist_refusal returns the kernel's error text.
 */
TDAT_API enum tdat_status tdat_hist_synth(struct tdat_hist *h, const char *text,
					  struct tdat_error *err);

/*
 * tdat_hist_trigger adds a trigger to an event; text is the text for its file "trigger": hist,
 * enable_hist or disable_hist. Another trigger is TDAT_E_UNSUPPORTED, an event that is neither in
 * the file nor synthetic TDAT_E_NOT_FOUND. A text that the kernel rejects is TDAT_E_USAGE, and
 * tdat_hist_refusal returns the kernel's error text.
 */
TDAT_API enum tdat_status tdat_hist_trigger(struct tdat_hist *h, const char *system,
					    const char *event, const char *text,
					    struct tdat_error *err);

/*
 * tdat_hist_refusal returns the kernel's error_log for the last rejected text: for each error the
 * lines "hist:SYSTEM:EVENT: error: TEXT", " Command: TEXT" and a caret below the place; or "" if
 * the kernel rejects the text without a message. Control bytes are unchanged. Valid until the next
 * text.
 */
TDAT_API const char *tdat_hist_refusal(const struct tdat_hist *h);

/*
 * Receives a synthetic event: its format and record, in the layout and byte order of the file's
 * kernel, and the event of the file that caused it. All are valid during the call, which must not
 * call functions of the tdat_hist. A status other than TDAT_OK ends tdat_hist_run with that status.
 */
typedef enum tdat_status (*tdat_hist_synth_fn)(void *ctx, const struct tdat_event_format *format,
					       struct tdat_span record,
					       const struct tdat_event *from,
					       struct tdat_error *err);

/* tdat_hist_on_synth sets fn, called for each synthetic event of an action; NULL: no call. */
TDAT_API void tdat_hist_on_synth(struct tdat_hist *h, tdat_hist_synth_fn fn, void *ctx);

/*
 * tdat_hist_run reads the events of the file once and runs the triggers on them; a second call is
 * TDAT_E_USAGE. Damaged pages are skipped and counted (tdat_hist_damage).
 */
TDAT_API enum tdat_status tdat_hist_run(struct tdat_hist *h, struct tdat_error *err);

/*
 * tdat_hist_events returns the number of events in tdat_hist_run that passed the filter and the
 * CPUs.
 */
TDAT_API uint64_t tdat_hist_events(const struct tdat_hist *h);

/* tdat_hist_damage returns the damage of the events that were read, like tdat_iter_damage. */
TDAT_API const struct tdat_stream_damage *tdat_hist_damage(struct tdat_hist *h, size_t *count);

/*
 * tdat_hist_note returns sentence number index, from 0, about data that the file lacks for the
 * triggers (stacks, names, clocks); NULL after the last one. The list is complete after
 * tdat_hist_write.
 */
TDAT_API const char *tdat_hist_note(const struct tdat_hist *h, size_t index);

enum tdat_hist_view {
	TDAT_HIST_KERNEL = 0,	/* "### SYSTEM/EVENT" and the event's file "hist" */
	TDAT_HIST_TRIGGERS = 1, /* "### SYSTEM/EVENT" and its file "trigger" */
	TDAT_HIST_TABLE = 2,	/* a table for each histogram, with aligned columns */
	TDAT_HIST_JSON = 3	/* one JSON value: events, their triggers, their entries */
};

/*
 * tdat_hist_write passes one view of all triggers to write, in pieces. The text contains names from
 * the trace. JSON escapes them; in the other views, control bytes are as in the file.
 */
TDAT_API enum tdat_status tdat_hist_write(struct tdat_hist *h, enum tdat_hist_view view,
					  tdat_write_fn write, void *ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
