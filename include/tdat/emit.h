/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Importers, and the functions that receive what they read.
 *
 * An importer passes clocks, formats, tasks and events to a tdat_emit, without knowing what the
 * owner of the tdat_emit does with them. In this library the owner is a writer (tdat_writer_emit),
 * which writes a trace.dat; any exporter (tdat/export.h) can then read its events.
 *
 * Order of calls: info once (only warn may precede it); then buffers, formats and metadata in any
 * order, each before the first event that needs it (options and facts also after the last event);
 * events in order of time (equal timestamps: by CPU) within each buffer; then the owner finishes.
 * All arguments are copied.
 *
 * Threads: an importer calls its tdat_emit on the thread that called run, one call at a time. Only
 * events of single CPUs may meanwhile come from other threads, through separate emits (cpu_emit in
 * tdat_emit_ops). Importers keep no state between calls of run, so several threads may import at
 * the same time, each with its own tdat_emit and inputs.
 *
 * Owners: inputs, options and their strings belong to the caller of run and must live until run
 * returns; an importer keeps no references. Tables of importers are static.
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
	bool big_endian;     /* byte order of every emitted payload */
	uint8_t long_size;   /* 4 or 8; 0: 8 */
	uint32_t page_size;  /* 0: 4096 */
	uint32_t cpu_count;  /* CPUs of the traced machine */
	const char *clock;   /* "local" (ns), "counter", "x86-tsc" ... */
	const char *uname;   /* UNAME option */
	const char *version; /* VERSION option: the program that created the capture */
};

#define TDAT_EMIT_INFO_INIT TDAT_SIZED(struct tdat_emit_info)

struct tdat_emit_event {
	uint32_t buffer; /* number returned by buffer(); 0 is the top-level buffer */
	uint32_t cpu;
	uint64_t ts;	     /* in units of the clock */
	int64_t lost_before; /* events lost on this CPU before this event; -1: unknown number */
	/*
	 * Payload in the capture's byte order. It starts with common_type, the id returned by
	 * format(). Any bytes may follow the fields if the event is a user_event or has dynamic
	 * fields; after other fields, readers report more than 11 bytes as a loss.
	 */
	struct tdat_span record;
};

struct tdat_emit;

/*
 * The functions that an owner implements; the first argument is its ctx. If a call fails, the
 * import ends with that status. A function must not call the import.
 */
struct tdat_emit_ops {
	size_t size; /* sizeof(struct tdat_emit_ops) */
	/* Facts about the whole capture: once, before all other calls except warn. */
	enum tdat_status (*info)(void *ctx, const struct tdat_emit_info *info,
				 struct tdat_error *err);
	/*
	 * Adds a buffer instance with a clock (NULL: the clock of info). *number is set to the
	 * number of the buffer in events; the top-level buffer exists already and has number 0.
	 */
	enum tdat_status (*buffer)(void *ctx, const char *name, const char *clock, uint32_t *number,
				   struct tdat_error *err);
	/*
	 * Adds a format file. If its "ID:" line contains 0, the owner chooses an unused id and
	 * rewrites the line. *id is set to the event's common_type.
	 */
	enum tdat_status (*format)(void *ctx, const char *system, const char *text, size_t len,
				   uint16_t *id, struct tdat_error *err);
	/* Sets the name of a task. A blank name is omitted: readers would stop at it. */
	enum tdat_status (*comm)(void *ctx, int32_t pid, const char *comm, struct tdat_error *err);
	/*
	 * Text of /proc/kallsyms, and text of tracefs printk_formats, in one or several pieces.
	 * Malformed lines, at which readers would stop, are finally omitted with a warning.
	 */
	enum tdat_status (*kallsyms)(void *ctx, const char *text, size_t len,
				     struct tdat_error *err);
	enum tdat_status (*printk)(void *ctx, const char *text, size_t len, struct tdat_error *err);
	/*
	 * Any other header option, with its payload as stored in a trace.dat. TDAT_E_USAGE: an
	 * option that refers to a place in the file (BUFFER, STRINGS, ...); a second DATE, OFFSET,
	 * TRACECLOCK, TRACEID, TIME_SHIFT or TSC2NSEC, of which readers use only one; text with
	 * bytes other than 0 after a NUL.
	 */
	enum tdat_status (*option)(void *ctx, uint16_t id, const void *data, size_t len,
				   struct tdat_error *err);
	/* Adds one event; the record is copied. */
	enum tdat_status (*event)(void *ctx, const struct tdat_emit_event *event,
				  struct tdat_error *err);
	/* Adds whole ring-buffer pages of page_size bytes each, in order for each CPU. */
	enum tdat_status (*pages)(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				  size_t len, struct tdat_error *err);
	/*
	 * Reports a problem that did not stop the import: the input (NULL: the whole capture), the
	 * offset, and one sentence, which contains the place itself if it is important. If warn
	 * fails (strict mode), the import stops.
	 */
	enum tdat_status (*warn)(void *ctx, const char *input, uint64_t off, const char *sentence,
				 struct tdat_error *err);

	/* ---- optional functions: all that follow may be missing or NULL ---- */

	/*
	 * Reports a fact about the capture for a summary: "layout" is "relay". Called at any time
	 * after info. NULL: facts are ignored.
	 */
	enum tdat_status (*fact)(void *ctx, const char *key, const char *value,
				 struct tdat_error *err);
	/*
	 * Adds text of tracefs "trace" (latency tracers) instead of events, in order and in any
	 * number of pieces. A buffer contains either text or events. NULL: not supported by this
	 * owner.
	 */
	enum tdat_status (*latency)(void *ctx, uint32_t buffer, const char *text, size_t len,
				    struct tdat_error *err);
	/*
	 * Sets the page size of this buffer, if it differs from info, before its first page or
	 * event. NULL: not supported by this owner.
	 */
	enum tdat_status (*subbuf)(void *ctx, uint32_t buffer, uint32_t page_size,
				   struct tdat_error *err);
	/*
	 * Sets *out to the emit of one CPU in a buffer, which must not have events yet; it belongs
	 * to the owner. One thread may call its event, events and cpu_end (it has no other
	 * functions) while other threads fill other CPUs and the import's thread waits for them.
	 * All later events of the CPU must go through this emit. NULL: not supported by this owner.
	 */
	enum tdat_status (*cpu_emit)(void *ctx, uint32_t buffer, uint32_t cpu,
				     const struct tdat_emit **out, struct tdat_error *err);
	/* Ends the emit of a CPU: no event follows, and its memory may be freed. */
	enum tdat_status (*cpu_end)(void *ctx, struct tdat_error *err);
	/*
	 * Adds several events, like event, up to the first failure. The emit of a CPU may have it.
	 * NULL: tdat_emit_events calls event for each one.
	 */
	enum tdat_status (*events)(void *ctx, const struct tdat_emit_event *events, size_t count,
				   struct tdat_error *err);
	/*
	 * Reports a problem that loses no data, such as a name that other programs cannot read;
	 * arguments as for warn. NULL: notes are ignored.
	 */
	enum tdat_status (*note)(void *ctx, const char *input, uint64_t off, const char *sentence,
				 struct tdat_error *err);
};

/* The receiver of an importer's events. Call its functions through tdat_emit_info and so on. */
struct tdat_emit {
	const struct tdat_emit_ops *ops;
	void *ctx;
};

/*
 * Calls of an owner's functions, which struct tdat_emit_ops documents. If the owner lacks an
 * optional function, they return TDAT_E_UNSUPPORTED, do nothing (fact, note), or call event
 * repeatedly (events).
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
 * tdat_emit_warnf formats a sentence of up to 511 bytes, with control bytes replaced by '?', and
 * returns the status of tdat_emit_warn.
 */
TDAT_API enum tdat_status tdat_emit_warnf(const struct tdat_emit *emit, const char *input,
					  uint64_t off, struct tdat_error *err, const char *fmt,
					  ...) TDAT_PRINTF(5, 6);

/* tdat_emit_notef does the same with tdat_emit_note. */
TDAT_API enum tdat_status tdat_emit_notef(const struct tdat_emit *emit, const char *input,
					  uint64_t off, struct tdat_error *err, const char *fmt,
					  ...) TDAT_PRINTF(5, 6);

/* tdat_emit_factf formats a value in the same way for tdat_emit_fact. */
TDAT_API enum tdat_status tdat_emit_factf(const struct tdat_emit *emit, const char *key,
					  struct tdat_error *err, const char *fmt, ...)
	TDAT_PRINTF(4, 5);

/* ---- importers ---- */

/* An input of a capture; auxiliary files in a folder are inputs as well. */
struct tdat_import_input {
	const char *name; /* name within the capture: "cpu0.out"; in a tree, with its folders:
			   * "per_cpu/cpu0/stats" */
	const char *path; /* path that the user named, for messages */
	const struct tdat_source *source;
};

struct tdat_import_request {
	size_t size; /* sizeof(struct tdat_import_request) */
	const struct tdat_import_input *inputs;
	size_t input_count;
	const struct tdat_keyed_option *options;
	size_t option_count;
	bool strict;	  /* warnings end the import: the owner's warn fails */
	uint32_t threads; /* threads that read the capture; 0: one per CPU, 1: only the caller's */
};

#define TDAT_IMPORT_REQUEST_INIT TDAT_SIZED(struct tdat_import_request)

struct tdat_importer {
	const char *name;			      /* "kmemtrace" */
	const char *summary;			      /* one line for "tdat list --formats" */
	const struct tdat_keyed_option_desc *options; /* ends with key NULL; may be NULL */
	/*
	 * probe returns the number of bits of the inputs that it checked and found correct; 0: this
	 * importer cannot read them. It reads only the first pages, never allocates and never
	 * fails.
	 */
	uint32_t (*probe)(const struct tdat_import_input *inputs, size_t input_count);
	/*
	 * run decodes the capture and emits its contents. It returns TDAT_OK even after warnings.
	 * After a failure, all that was emitted is usable. Call it through tdat_importer_run.
	 */
	enum tdat_status (*run)(const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err);
	/*
	 * wants returns true if run needs a file (or, with "/" at its end, a folder) of a capture
	 * that is a tree of folders; name is its path in the capture. live: the tree is a mounted
	 * kernel file system, where opening or reading a file may change the state of the kernel.
	 * It reads only the options of the request. NULL: a capture is all files of one folder.
	 */
	bool (*wants)(const struct tdat_import_request *request, const char *name, bool live);
};

/* tdat_importers returns the static table of all importers; *count is their number. */
TDAT_API const struct tdat_importer *const *tdat_importers(size_t *count);

/* tdat_importer_find returns the importer with that name, static, or NULL. */
TDAT_API const struct tdat_importer *tdat_importer_find(const char *name);

/* tdat_importer_run runs an importer. TDAT_E_USAGE: a table of functions lacks required members. */
TDAT_API enum tdat_status tdat_importer_run(const struct tdat_importer *importer,
					    const struct tdat_import_request *request,
					    const struct tdat_emit *emit, struct tdat_error *err);

/*
 * tdat_importer_probe sets *out to the importer whose probe returns the most bits. TDAT_E_FORMAT:
 * all return 0, or two return the same number; the error then names both. TDAT_E_UNSUPPORTED: the
 * library was built without importers.
 */
TDAT_API enum tdat_status tdat_importer_probe(const struct tdat_import_input *inputs,
					      size_t input_count, const struct tdat_importer **out,
					      struct tdat_error *err);

TDAT_END_DECLS
#endif
