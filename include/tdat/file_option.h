/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes options of a trace.dat apart, by their ids.
 *
 * The values in an option are handed to a visitor as they would stand in JSON: numbers
 * and texts with a key, lists, and groups of keys. Keys per option, as they come:
 *
 *   DONE             next (version 7)
 *   DATE             text, microseconds
 *   OFFSET           text, nanoseconds
 *   BUFFER           offset, name; version 7: clock, page_size, cpus [cpu, offset, bytes]
 *   BUFFER_TEXT      offset, name, clock
 *   TRACECLOCK       text, clock (the one in brackets); nothing if it is but a mark
 *   HOOK             text, start, end: each [system, event, match, then pid or flags]
 *   CPUCOUNT         cpus; as the tgid dialect: tgids
 *   SAVED_TGIDS      tgids [pid, tgid]
 *   TASK_NAMES       names [from, pid, comm]
 *   PROCMAPS         pid, name, maps [start, end, path]
 *   TRACEID          trace_id
 *   TIME_SHIFT       peer_trace_id, flags, cpus [samples [time, offset, scaling, fraction]]
 *   GUEST            name, trace_id, vcpus [cpu, pid]
 *   TSC2NSEC         mult, shift, offset
 *   LAST_BOOT_INFO   instance, text
 *   HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, KALLSYMS, PRINTK, CMDLINES, STRINGS,
 *   BTF_FILE, MODULES_FILE    offset and, when a section starts there, bytes
 *   other texts      text
 *   unknown ids      data
 *
 * A text option that does not have the form its id stands for has only "text". Sources of the
 * payloads' layouts: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5), docs/file-format.md.
 *
 * Threads: a visitor is called on the thread that called tdat_file_option_decode, with no lock
 * held; it may call any function with the file. Options of a file may be decoded by several
 * threads at once.
 *
 * Owners: file, option and visitor stay the caller's. Keys are static; the bytes of texts
 * belong to the option.
 */
#ifndef TDAT_FILE_OPTION_H
#define TDAT_FILE_OPTION_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

/*
 * The functions that get the values. A function may be NULL: values of its kind are then left
 * out. key is NULL inside of lists.
 */
struct tdat_file_option_visitor {
	size_t size; /* sizeof(struct tdat_file_option_visitor) */
	void *ctx;
	/* An unsigned number; hex: it is an id or an address, usually shown in hexadecimal. */
	void (*number)(void *ctx, const char *key, uint64_t value, bool hex);
	void (*signed_number)(void *ctx, const char *key, int64_t value);
	/* A text without its NUL. It comes from the file as it is: any bytes may be in it. */
	void (*text)(void *ctx, const char *key, struct tdat_span text);
	void (*bytes)(void *ctx, const char *key, struct tdat_span bytes);
	/* begin and end enclose a list, or a group of keys. */
	void (*begin)(void *ctx, const char *key, bool list);
	void (*end)(void *ctx, bool list);
};

/*
 * tdat_file_option_decode takes an option of file apart. visitor may be NULL, to see only whether
 * the option is sound. A payload that ends too early is TDAT_E_DAMAGED with its offset; the
 * values before that were handed over then, and each begin has its end.
 */
TDAT_API enum tdat_status tdat_file_option_decode(const struct tdat_file *file,
						  const struct tdat_file_option *option,
						  const struct tdat_file_option_visitor *visitor,
						  struct tdat_error *err);

TDAT_END_DECLS
#endif
