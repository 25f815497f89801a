/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Importers, and the functions that receive the data that an importer has read.
 *
 * An importer passes clocks, formats, tasks and events to a tdat_emit. The owner of the tdat_emit
 * implements its functions. In this library the owner is a writer (tdat_writer_emit), which writes
 * a trace.dat.
 *
 * Order of calls: info is called once, first; only warn may precede it. Buffers, formats and
 * metadata follow in any order, each before the first event that needs it. Options and facts may
 * also follow the last event. Events of a buffer are in order of time; events with equal timestamps
 * are in order of CPUs. After the last call, the owner finishes. All arguments are copied.
 *
 * Threads: an importer calls its tdat_emit on the thread that called run, one call at a time. At
 * the same time, other threads may pass the events of single CPUs, each through a separate
 * tdat_emit (cpu_emit in tdat_emit_ops). Importers keep no state between calls of run, so several
 * threads may import at the same time, each with its own tdat_emit and inputs.
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
	 * format(). If the event is a user_event or has dynamic fields, any number of bytes may
	 * follow the fields. For other events, readers report more than 11 bytes after the fields
	 * as damage.
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
	 * Lines of /proc/kallsyms, and lines of the tracefs file printk_formats, in one or several
	 * pieces. The owner omits malformed lines with a warning, because readers would stop at
	 * them.
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
	 * offset, and one sentence. If warn fails (strict mode), the import stops.
	 */
	enum tdat_status (*warn)(void *ctx, const char *input, uint64_t off, const char *sentence,
				 struct tdat_error *err);

	/* ---- optional functions: each of the following may be NULL, or lie beyond size ---- */

	/*
	 * Reports a fact about the capture for a summary, such as the key "layout" with the value
	 * "relay". Called at any time after info. NULL: facts are ignored.
	 */
	enum tdat_status (*fact)(void *ctx, const char *key, const char *value,
				 struct tdat_error *err);
	/*
	 * Adds lines of the tracefs file trace, as a latency tracer printed them, in order and in
	 * any number of pieces. A buffer contains either these lines or events. NULL: not supported
	 * by this owner.
	 */
	enum tdat_status (*latency)(void *ctx, uint32_t buffer, const char *text, size_t len,
				    struct tdat_error *err);
	/*
	 * Sets the page size of a buffer, if it differs from the page size in info. It must be
	 * called before the first page or event of the buffer. NULL: not supported by this owner.
	 */
	enum tdat_status (*subbuf)(void *ctx, uint32_t buffer, uint32_t page_size,
				   struct tdat_error *err);
	/*
	 * Sets *out to a separate tdat_emit for one CPU of a buffer. The CPU must not have events
	 * yet. The separate tdat_emit belongs to the owner, and has only the functions event,
	 * events and cpu_end. One thread may call these functions, while other threads pass the
	 * events of other CPUs and the import's thread waits for all these threads. All events of
	 * the CPU must be passed to the separate tdat_emit. NULL: not supported by this owner.
	 */
	enum tdat_status (*cpu_emit)(void *ctx, uint32_t buffer, uint32_t cpu,
				     const struct tdat_emit **out, struct tdat_error *err);
	/*
	 * Ends the separate tdat_emit of a CPU: no event follows, and the owner may free its
	 * memory.
	 */
	enum tdat_status (*cpu_end)(void *ctx, struct tdat_error *err);
	/*
	 * Adds several events, like event, up to the first failure. The separate tdat_emit of a CPU
	 * may have it. NULL: tdat_emit_events calls event for each of the events.
	 */
	enum tdat_status (*events)(void *ctx, const struct tdat_emit_event *events, size_t count,
				   struct tdat_error *err);
	/*
	 * Reports a problem that loses no data, such as a name that other programs cannot read. The
	 * arguments are the same as for warn. NULL: notes are ignored.
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
 * The following functions call the functions of an owner, which struct tdat_emit_ops documents. If
 * the owner lacks an optional function, tdat_emit_fact and tdat_emit_note do nothing,
 * tdat_emit_events calls event repeatedly, and the other functions return TDAT_E_UNSUPPORTED.
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

/* tdat_emit_notef formats a sentence in the same way, and returns the status of tdat_emit_note. */
TDAT_API enum tdat_status tdat_emit_notef(const struct tdat_emit *emit, const char *input,
					  uint64_t off, struct tdat_error *err, const char *fmt,
					  ...) TDAT_PRINTF(5, 6);

/* tdat_emit_factf formats a value in the same way, and returns the status of tdat_emit_fact. */
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
	 * probe returns a measure of how certainly the importer recognizes the inputs: the number
	 * of bits in the inputs that it checked and found correct. 0: the importer cannot read the
	 * inputs. probe reads only the first pages, does not allocate memory, and cannot fail.
	 */
	uint32_t (*probe)(const struct tdat_import_input *inputs, size_t input_count);
	/*
	 * run decodes the capture and emits its contents. It returns TDAT_OK even after warnings.
	 * After a failure, all that was emitted is usable. Call it through tdat_importer_run.
	 */
	enum tdat_status (*run)(const struct tdat_import_request *request,
				const struct tdat_emit *emit, struct tdat_error *err);
	/*
	 * A capture may be a tree of folders. wants returns true if run needs the file with the
	 * path name in the tree, or, if name ends with "/", files in this folder. live: the tree is
	 * a mounted kernel file system, in which opening or reading a file may change the state of
	 * the kernel. wants reads only the options of the request. NULL: a capture consists of the
	 * files of one folder.
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
 * all probes return 0, or two importers return the same largest number; the error then names both
 * importers. TDAT_E_UNSUPPORTED: the library was built without importers.
 */
TDAT_API enum tdat_status tdat_importer_probe(const struct tdat_import_input *inputs,
					      size_t input_count, const struct tdat_importer **out,
					      struct tdat_error *err);

TDAT_END_DECLS
#endif
