/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Importers, and the functions to which they hand what they read.
 *
 * An importer hands clocks, formats, tasks and events to a tdat_emit, and does not know what
 * the owner of the tdat_emit makes of them. The owner in this library is a writer
 * (tdat_writer_emit), which makes a trace.dat; from there events go on to any exporter
 * (tdat/export.h).
 *
 * Call order: info once (only warn may come before it); then buffers, formats
 * and metadata in any order, each before the first event that needs it, options
 * and facts also after the last; events in order of time (equal stamps: CPU
 * order) within each buffer; then the owner finishes. Everything handed over is
 * copied.
 *
 * Threads: an importer calls its tdat_emit on the thread that called run, one call at a time; only
 * the events of single CPUs may come from other threads meanwhile, through emits of their own
 * (cpu_emit in tdat_emit_ops).
 * Importers have no state between two calls of run, so that several imports may run on
 * several threads at once, each with a tdat_emit and inputs of its own.
 *
 * Owners: inputs, options and their strings belong to the caller of run and must last while
 * it runs; an importer keeps nothing of them. Tables of importers are static.
 */
#ifndef TDAT_EMIT_H
#define TDAT_EMIT_H

#include <tdat/error.h>
#include <tdat/keyed_option.h>
#include <tdat/source.h>

TDAT_BEGIN_DECLS

/* Facts about the capture; zero or NULL means unknown. */
struct tdat_emit_info {
	size_t size;	     /* sizeof(struct tdat_emit_info) */
	bool big_endian;     /* byte order of every payload emitted */
	uint8_t long_size;   /* 4 or 8; 0: 8 */
	uint32_t page_size;  /* 0: 4096 */
	uint32_t cpu_count;  /* CPUs of the traced machine */
	const char *clock;   /* "local" (ns), "counter", "x86-tsc" ... */
	const char *uname;   /* UNAME option */
	const char *version; /* VERSION option: what made the file */
};

#define TDAT_EMIT_INFO_INIT TDAT_SIZED(struct tdat_emit_info)

struct tdat_emit_event {
	uint32_t buffer; /* number given by buffer(); 0 is the top buffer */
	uint32_t cpu;
	uint64_t ts;	     /* as the clock counts */
	int64_t lost_before; /* lost events on this CPU before it; -1 unknown */
	/*
	 * Payload in the capture's byte order, starting with common_type = the id format() gave.
	 * Any bytes may follow the fields of user_events and of formats with dynamic ones; more
	 * than 11 behind other fields are a loss for readers.
	 */
	struct tdat_span record;
};

struct tdat_emit;

/*
 * The functions of an owner, with its ctx as first argument; an owner implements them. Each call
 * may fail, which ends the import with that status. A function must not call back into the import.
 */
struct tdat_emit_ops {
	size_t size; /* sizeof(struct tdat_emit_ops) */
	/* Facts about the whole capture: once, before all others but warn. */
	enum tdat_status (*info)(void *ctx, const struct tdat_emit_info *info,
				 struct tdat_error *err);
	/*
	 * A further buffer instance and its clock (NULL: that of info). *number is what events
	 * name it by; the top buffer has number 0 and exists already.
	 */
	enum tdat_status (*buffer)(void *ctx, const char *name, const char *clock, uint32_t *number,
				   struct tdat_error *err);
	/*
	 * A format file. Its "ID:" line may hold 0: then an unused id is chosen and
	 * the line rewritten. The id to use in common_type is returned.
	 */
	enum tdat_status (*format)(void *ctx, const char *system, const char *text, size_t len,
				   uint16_t *id, struct tdat_error *err);
	/* The name of a task. One of blanks only is not written, as readers would stop at it. */
	enum tdat_status (*comm)(void *ctx, int32_t pid, const char *comm, struct tdat_error *err);
	/*
	 * Text of /proc/kallsyms, and text of tracefs printk_formats, also in pieces. Lines of
	 * another form, at which readers would stop, are left out in the end, with a warning.
	 */
	enum tdat_status (*kallsyms)(void *ctx, const char *text, size_t len,
				     struct tdat_error *err);
	enum tdat_status (*printk)(void *ctx, const char *text, size_t len, struct tdat_error *err);
	/*
	 * Any further header option, payload as trace.dat stores it. TDAT_E_USAGE for one that
	 * holds a place in the file (BUFFER, STRINGS, ...), and for a second one of those of which
	 * readers take one, as tdat_check tells of them: DATE, OFFSET, TRACECLOCK, TRACEID,
	 * TIME_SHIFT, TSC2NSEC; also for text with other bytes than 0 behind a NUL.
	 */
	enum tdat_status (*option)(void *ctx, uint16_t id, const void *data, size_t len,
				   struct tdat_error *err);
	/* One event; the record is copied. */
	enum tdat_status (*event)(void *ctx, const struct tdat_emit_event *event,
				  struct tdat_error *err);
	/* Whole ring-buffer pages, each page_size bytes; in order per CPU. */
	enum tdat_status (*pages)(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				  size_t len, struct tdat_error *err);
	/*
	 * Something doubtful that did not stop the import: which input (NULL: the
	 * capture as a whole), where, and one sentence that names the place itself
	 * where it matters. Returning an error (strict mode) stops it.
	 */
	enum tdat_status (*warn)(void *ctx, const char *input, uint64_t off, const char *sentence,
				 struct tdat_error *err);

	/* ---- optional: all from here on may be missing or NULL ---- */

	/*
	 * Something learnt about the capture, for a summary: "layout" is "relay".
	 * At any time after info; not a doubt. NULL: nobody asks.
	 */
	enum tdat_status (*fact)(void *ctx, const char *key, const char *value,
				 struct tdat_error *err);
	/*
	 * Text of tracefs "trace" (latency tracers) instead of events, in order and
	 * in any number of pieces. A buffer has either text or events. NULL: not
	 * supported by this owner.
	 */
	enum tdat_status (*latency)(void *ctx, uint32_t buffer, const char *text, size_t len,
				    struct tdat_error *err);
	/*
	 * Pages of this buffer have another size than info gave; before its first
	 * page or event. NULL: not supported by this owner.
	 */
	enum tdat_status (*subbuf)(void *ctx, uint32_t buffer, uint32_t page_size,
				   struct tdat_error *err);
	/*
	 * Sets *out to the emit of a CPU: one owned by the owner of this one, that takes all events
	 * of one CPU of a buffer, which has none so far. Any one thread may call its event and
	 * cpu_end (and events), while others fill those of other CPUs and the import's thread waits
	 * for them; it has no other functions. After it no event or page of that CPU comes another
	 * way. NULL: not supported by this owner.
	 */
	enum tdat_status (*cpu_emit)(void *ctx, uint32_t buffer, uint32_t cpu,
				     const struct tdat_emit **out, struct tdat_error *err);
	/* Of the emit of a CPU: its last event was given, and its memory can be let go. */
	enum tdat_status (*cpu_end)(void *ctx, struct tdat_error *err);
	/*
	 * Several events, each as event takes it, up to one that fails. An emit of a CPU may have
	 * it, too. NULL: events are given one by one.
	 */
	enum tdat_status (*events)(void *ctx, const struct tdat_emit_event *events, size_t count,
				   struct tdat_error *err);
	/*
	 * Advice that costs nothing of the capture, as warn has it: such as a name that other
	 * programs cannot read. NULL: nobody asks.
	 */
	enum tdat_status (*note)(void *ctx, const char *input, uint64_t off, const char *sentence,
				 struct tdat_error *err);
};

/* Whom events go to. Call its functions by tdat_emit_info and the others below. */
struct tdat_emit {
	const struct tdat_emit_ops *ops;
	void *ctx;
};

/*
 * Calls of an owner's functions, which struct tdat_emit_ops documents. Those of optional ones that
 * the owner does not have are TDAT_E_UNSUPPORTED, do nothing (fact, note), or hand over one by one
 * (events).
 */
static inline enum tdat_status tdat_emit_info(const struct tdat_emit *emit,
					      const struct tdat_emit_info *info,
					      struct tdat_error *err)
{
	return emit->ops->info(emit->ctx, info, err);
}
static inline enum tdat_status tdat_emit_buffer(const struct tdat_emit *emit, const char *name,
						const char *clock, uint32_t *number,
						struct tdat_error *err)
{
	return emit->ops->buffer(emit->ctx, name, clock, number, err);
}
static inline enum tdat_status tdat_emit_format(const struct tdat_emit *emit, const char *system,
						const char *text, size_t len, uint16_t *id,
						struct tdat_error *err)
{
	return emit->ops->format(emit->ctx, system, text, len, id, err);
}
static inline enum tdat_status tdat_emit_comm(const struct tdat_emit *emit, int32_t pid,
					      const char *comm, struct tdat_error *err)
{
	return emit->ops->comm(emit->ctx, pid, comm, err);
}
static inline enum tdat_status tdat_emit_kallsyms(const struct tdat_emit *emit, const char *text,
						  size_t len, struct tdat_error *err)
{
	return emit->ops->kallsyms(emit->ctx, text, len, err);
}
static inline enum tdat_status tdat_emit_printk(const struct tdat_emit *emit, const char *text,
						size_t len, struct tdat_error *err)
{
	return emit->ops->printk(emit->ctx, text, len, err);
}
static inline enum tdat_status tdat_emit_option(const struct tdat_emit *emit, uint16_t id,
						const void *data, size_t len,
						struct tdat_error *err)
{
	return emit->ops->option(emit->ctx, id, data, len, err);
}
static inline enum tdat_status tdat_emit_event(const struct tdat_emit *emit,
					       const struct tdat_emit_event *event,
					       struct tdat_error *err)
{
	return emit->ops->event(emit->ctx, event, err);
}
static inline enum tdat_status tdat_emit_pages(const struct tdat_emit *emit, uint32_t buffer,
					       uint32_t cpu, const void *data, size_t len,
					       struct tdat_error *err)
{
	return emit->ops->pages(emit->ctx, buffer, cpu, data, len, err);
}
static inline enum tdat_status tdat_emit_warn(const struct tdat_emit *emit, const char *input,
					      uint64_t off, const char *sentence,
					      struct tdat_error *err)
{
	return emit->ops->warn(emit->ctx, input, off, sentence, err);
}
static inline enum tdat_status tdat_emit_fact(const struct tdat_emit *emit, const char *key,
					      const char *value, struct tdat_error *err)
{
	return TDAT_HAS(emit->ops, fact) ? emit->ops->fact(emit->ctx, key, value, err) : TDAT_OK;
}
static inline enum tdat_status tdat_emit_latency(const struct tdat_emit *emit, uint32_t buffer,
						 const char *text, size_t len,
						 struct tdat_error *err)
{
	return TDAT_HAS(emit->ops, latency) ? emit->ops->latency(emit->ctx, buffer, text, len, err)
					    : TDAT_E_UNSUPPORTED;
}
static inline enum tdat_status tdat_emit_subbuf(const struct tdat_emit *emit, uint32_t buffer,
						uint32_t page_size, struct tdat_error *err)
{
	return TDAT_HAS(emit->ops, subbuf) ? emit->ops->subbuf(emit->ctx, buffer, page_size, err)
					   : TDAT_E_UNSUPPORTED;
}
static inline enum tdat_status tdat_emit_cpu_emit(const struct tdat_emit *emit, uint32_t buffer,
						  uint32_t cpu, const struct tdat_emit **out,
						  struct tdat_error *err)
{
	return TDAT_HAS(emit->ops, cpu_emit) ? emit->ops->cpu_emit(emit->ctx, buffer, cpu, out, err)
					     : TDAT_E_UNSUPPORTED;
}
static inline enum tdat_status tdat_emit_cpu_end(const struct tdat_emit *emit,
						 struct tdat_error *err)
{
	return TDAT_HAS(emit->ops, cpu_end) ? emit->ops->cpu_end(emit->ctx, err)
					    : TDAT_E_UNSUPPORTED;
}
static inline enum tdat_status tdat_emit_events(const struct tdat_emit *emit,
						const struct tdat_emit_event *events, size_t count,
						struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (TDAT_HAS(emit->ops, events))
		return emit->ops->events(emit->ctx, events, count, err);
	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		st = emit->ops->event(emit->ctx, &events[i], err);
	return st;
}
static inline enum tdat_status tdat_emit_note(const struct tdat_emit *emit, const char *input,
					      uint64_t off, const char *sentence,
					      struct tdat_error *err)
{
	return TDAT_HAS(emit->ops, note) ? emit->ops->note(emit->ctx, input, off, sentence, err)
					 : TDAT_OK;
}

/*
 * tdat_emit_warnf formats a sentence of up to 511 bytes, with control bytes replaced by '?',
 * and returns what tdat_emit_warn returns.
 */
TDAT_API enum tdat_status tdat_emit_warnf(const struct tdat_emit *emit, const char *input,
					  uint64_t off, struct tdat_error *err, const char *fmt,
					  ...) TDAT_PRINTF(5, 6);

/* tdat_emit_notef formats one likewise and hands it to tdat_emit_note. */
TDAT_API enum tdat_status tdat_emit_notef(const struct tdat_emit *emit, const char *input,
					  uint64_t off, struct tdat_error *err, const char *fmt,
					  ...) TDAT_PRINTF(5, 6);

/* tdat_emit_factf formats a value likewise and hands it to tdat_emit_fact. */
TDAT_API enum tdat_status tdat_emit_factf(const struct tdat_emit *emit, const char *key,
					  struct tdat_error *err, const char *fmt, ...)
	TDAT_PRINTF(4, 5);

/* ---- importers ---- */

/* One input of a capture; sidecar files of a directory are inputs too. */
struct tdat_import_input {
	const char *name; /* name within the capture: "cpu0.out"; in a tree with
			   * its folders: "per_cpu/cpu0/stats" */
	const char *path; /* as the user gave it, for sentences */
	const struct tdat_source *source;
};

struct tdat_import_request {
	size_t size; /* sizeof(struct tdat_import_request) */
	const struct tdat_import_input *inputs;
	size_t input_count;
	const struct tdat_keyed_option *options;
	size_t option_count;
	bool strict;	  /* warnings will end the import: the owner's warn fails then */
	uint32_t threads; /* that may read the capture; 0: one per CPU, 1: only the caller's */
};

#define TDAT_IMPORT_REQUEST_INIT TDAT_SIZED(struct tdat_import_request)

struct tdat_importer {
	const char *name;			      /* "kmemtrace" */
	const char *summary;			      /* one line for "tdat list --formats" */
	const struct tdat_keyed_option_desc *options; /* ended by key NULL; may be NULL */
	/*
	 * probe returns how many bits of the inputs it checked and found right; 0: the
	 * inputs are no capture for this importer. It reads at most the first pages, never
	 * allocates and never fails.
	 */
	uint32_t (*probe)(const struct tdat_import_input *inputs, size_t input_count);
	/*
	 * run decodes everything and emits it. TDAT_OK also with warnings. A
	 * failure keeps what was emitted so far usable. Call it by tdat_importer_run.
	 */
	enum tdat_status (*run)(const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err);
	/*
	 * wants tells, for captures that are a tree of folders, whether run needs the file
	 * (or, ending in "/", the folder) called name within the capture. With live the tree
	 * is a mounted kernel file system, where opening or reading a file may change the
	 * state of the kernel. Only the options of the request are looked at. Where wants is
	 * NULL, a capture is all files of one folder.
	 */
	bool (*wants)(const struct tdat_import_request *request, const char *name, bool live);
};

/* tdat_importers returns the static table of all importers, and their number in *count. */
TDAT_API const struct tdat_importer *const *tdat_importers(size_t *count);

/* tdat_importer_find returns the importer of that name, static, or NULL if there is none. */
TDAT_API const struct tdat_importer *tdat_importer_find(const char *name);

/*
 * tdat_importer_run runs an importer. A table of functions that is too small for its required
 * members is TDAT_E_USAGE.
 */
TDAT_API enum tdat_status tdat_importer_run(const struct tdat_importer *importer,
					    const struct tdat_import_request *request,
					    const struct tdat_emit *emit, struct tdat_error *err);

/*
 * tdat_importer_probe sets *out to the importer whose probe returns the most bits. It fails
 * with TDAT_E_FORMAT when all return 0 and, with a sentence that names both, when two return
 * the same number; with TDAT_E_UNSUPPORTED when the library was built without importers.
 */
TDAT_API enum tdat_status tdat_importer_probe(const struct tdat_import_input *inputs,
					      size_t input_count, const struct tdat_importer **out,
					      struct tdat_error *err);

TDAT_END_DECLS
#endif
