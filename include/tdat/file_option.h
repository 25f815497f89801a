/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes the options of a trace.dat by their ids.
 *
 * A visitor receives the values in an option in a structure like JSON: numbers and strings with a
 * key, lists, and groups of keys. An option passes these keys, in this order:
 *
 *   DONE             next (version 7)
 *   DATE             text, microseconds
 *   OFFSET           text, nanoseconds
 *   BUFFER           offset, name; version 7: clock, page_size, cpus [cpu, offset, bytes]
 *   BUFFER_TEXT      offset, name, clock
 *   TRACECLOCK       text, clock (the one in brackets); nothing if the option has no text
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
 *   BTF_FILE, MODULES_FILE    offset and, if a section starts there, bytes
 *   other texts      text
 *   unknown ids      data
 *
 * If the text of an option does not have the form that the option's id requires, the option passes
 * only "text". Sources of the layouts of payloads: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5),
 * docs/file-format.md.
 *
 * Threads: the visitor's functions run on the thread that called tdat_file_option_decode, without a
 * lock; they may call any function with the file. Several threads may decode options of a file at
 * the same time.
 *
 * Owners: the caller keeps ownership of file, option and visitor. Keys are static; the bytes of
 * texts belong to the option.
 */
#ifndef TDAT_FILE_OPTION_H
#define TDAT_FILE_OPTION_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

/*
 * The functions that receive the values. Values whose function is NULL are skipped. key is NULL
 * inside lists.
 */
struct tdat_file_option_visitor {
	size_t size; /* sizeof(struct tdat_file_option_visitor) */
	void *ctx;
	/* An unsigned number; hex: an id or an address, usually printed in hexadecimal. */
	void (*number)(void *ctx, const char *key, uint64_t value, bool hex);
	void (*signed_number)(void *ctx, const char *key, int64_t value);
	/* A text without its NUL. It is not checked and may contain any bytes. */
	void (*text)(void *ctx, const char *key, struct tdat_span text);
	void (*bytes)(void *ctx, const char *key, struct tdat_span bytes);
	/* begin and end enclose a list, or a group of keys. */
	void (*begin)(void *ctx, const char *key, bool list);
	void (*end)(void *ctx, bool list);
};

/*
 * tdat_file_option_decode passes the values of an option of file to visitor. If visitor is NULL,
 * the function only checks whether the option is valid. A truncated payload is TDAT_E_DAMAGED with
 * its offset; the visitor has then received the values before it, and an end for each begin.
 */
TDAT_API enum tdat_status tdat_file_option_decode(const struct tdat_file *file,
						  const struct tdat_file_option *option,
						  const struct tdat_file_option_visitor *visitor,
						  struct tdat_error *err);

TDAT_END_DECLS
#endif
