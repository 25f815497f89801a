/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's hist triggers over the events of an opened file.
 *
 * A trigger is the text that one writes to the tracefs file "trigger" of an event,
 * "hist:keys=next_pid:vals=next_prio:sort=hitcount if prev_pid != 0", and the result is what the
 * kernel would have shown in the event's file "hist", byte for byte, had the trigger been there
 * when the events of the file happened. docs/hist.md says what a file cannot give. Source of the
 * language: Documentation/trace/histogram.rst and kernel/trace/trace_events_hist.c of Linux 6.1
 * and 6.12.
 *
 * Use: tdat_hist_new, then synthetic events and triggers in the order in which one would write
 * them, then tdat_hist_run once, then tdat_hist_write as often as wanted.
 *
 * A library built without hist triggers (TDAT_COMPONENT_HIST) does not have these functions.
 *
 * Threads: a tdat_hist belongs to one thread at a time. Several may use one file at once.
 *
 * Owners: a tdat_hist is the caller's to free, before its file is closed. What its getters
 * return is borrowed and lives until it is freed, if they do not say otherwise.
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
	 * The kernel whose rules hold: "6.1", "6.12", "6.1.176". NULL: the one that the file's
	 * uname option names, and 6.12 without one. Needed only during tdat_hist_new.
	 */
	const char *kernel;
	const uint32_t *cpus; /* NULL: all CPUs; else cpu_count numbers */
	size_t cpu_count;
	const struct tdat_filter *filter; /* NULL: all events; must outlive the tdat_hist */
	/* The buffer whose events are counted, "" or NULL: the top one. */
	const char *buffer;
};

#define TDAT_HIST_OPTS_INIT TDAT_SIZED(struct tdat_hist_opts)

/*
 * tdat_hist_new prepares triggers for file, which must outlive it. A kernel that is no version,
 * or a buffer that the file does not have, is TDAT_E_USAGE or TDAT_E_NOT_FOUND.
 */
TDAT_API enum tdat_status tdat_hist_new(struct tdat_hist **out, struct tdat_file *file,
					const struct tdat_hist_opts *opts, struct tdat_error *err);

/* tdat_hist_free frees all that belongs to h. NULL is allowed. */
TDAT_API void tdat_hist_free(struct tdat_hist *h);

/*
 * tdat_hist_synth defines a synthetic event by the text that one writes to the tracefs file
 * "synthetic_events": "wakeup_lat u64 lat; pid_t pid; char comm[16]". What the kernel refuses
 * is TDAT_E_USAGE, and tdat_hist_refusal has its text.
 */
TDAT_API enum tdat_status tdat_hist_synth(struct tdat_hist *h, const char *text,
					  struct tdat_error *err);

/*
 * tdat_hist_trigger adds a trigger to an event; text is what one writes to its file "trigger".
 * Besides hist, enable_hist and disable_hist are known. An event that neither the file nor a
 * synthetic event has is TDAT_E_NOT_FOUND, another trigger TDAT_E_UNSUPPORTED. What the
 * kernel refuses is TDAT_E_USAGE, and tdat_hist_refusal has its text.
 */
TDAT_API enum tdat_status tdat_hist_trigger(struct tdat_hist *h, const char *system,
					    const char *event, const char *text,
					    struct tdat_error *err);

/*
 * tdat_hist_refusal gives what the kernel's error_log would have said of the last text that was
 * refused: lines "hist:SYSTEM:EVENT: error: TEXT", "  Command: TEXT" and a caret under the place,
 * once for each error; "" where the kernel refuses without a word. Control bytes are as they were
 * written. Valid until the next text.
 */
TDAT_API const char *tdat_hist_refusal(const struct tdat_hist *h);

/*
 * What tdat_hist_on_synth calls: the format and the record of a synthetic event, laid out and in
 * the byte order that the kernel of the file would have used, and the event of the file that led
 * to it. All are valid during the call, which must not call functions of the tdat_hist. A status
 * other than TDAT_OK ends tdat_hist_run with it.
 */
typedef enum tdat_status (*tdat_hist_synth_fn)(void *ctx, const struct tdat_event_format *format,
					       struct tdat_span record,
					       const struct tdat_event *from,
					       struct tdat_error *err);

/* tdat_hist_on_synth has fn called for each synthetic event that an action makes; NULL: nobody. */
TDAT_API void tdat_hist_on_synth(struct tdat_hist *h, tdat_hist_synth_fn fn, void *ctx);

/*
 * tdat_hist_run reads the events of the file once and feeds them to the triggers; a second call
 * is TDAT_E_USAGE. Damaged pages are skipped and counted (tdat_hist_damage).
 */
TDAT_API enum tdat_status tdat_hist_run(struct tdat_hist *h, struct tdat_error *err);

/*
 * tdat_hist_events tells how many events tdat_hist_run has read: those of all types that the
 * filter and the CPUs let pass.
 */
TDAT_API uint64_t tdat_hist_events(const struct tdat_hist *h);

/* tdat_hist_damage lists what tdat_iter_damage says of the events that were read. */
TDAT_API const struct tdat_stream_damage *tdat_hist_damage(struct tdat_hist *h, size_t *count);

/*
 * tdat_hist_note gives sentence number index, from 0, about what the file could not give to the
 * triggers (stacks, names, clocks); NULL after the last. They are complete after
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
 * tdat_hist_write gives one view of all triggers to write, piece by piece. The text holds names
 * from the trace; in JSON they are escaped, in the other views control bytes are as they are in
 * the file.
 */
TDAT_API enum tdat_status tdat_hist_write(struct tdat_hist *h, enum tdat_hist_view view,
					  tdat_write_fn write, void *ctx, struct tdat_error *err);

TDAT_END_DECLS
#endif
