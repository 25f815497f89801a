/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Options of a trace.dat, taken apart.
 *
 * What lies in an option is told to a visitor as it would stand in JSON: numbers
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
 * A text option that is not what its id promises has only "text".
 */
#ifndef TDAT_OPTION_H
#define TDAT_OPTION_H

#include <tdat/file.h>

TDAT_BEGIN_DECLS

/* Members may be NULL: then that kind is not told. key is NULL inside lists. */
struct tdat_option_visitor {
	size_t size; /* sizeof(struct tdat_option_visitor) */
	void *ctx;
	/* hex: an id or a place in memory. */
	void (*number)(void *ctx, const char *key, uint64_t value, bool hex);
	void (*signed_number)(void *ctx, const char *key, int64_t value);
	/* Without its NUL; any bytes may be in it. */
	void (*text)(void *ctx, const char *key, struct tdat_span text);
	void (*bytes)(void *ctx, const char *key, struct tdat_span bytes);
	void (*begin)(void *ctx, const char *key, bool list);
	void (*end)(void *ctx, bool list);
};

/*
 * tdat_option_decode takes an option of file apart. visitor may be NULL. What ends
 * too early is TDAT_E_DAMAGED with its offset; what comes before has been told
 * then, and each begin has its end.
 */
TDAT_API enum tdat_status tdat_option_decode(const struct tdat_file *file,
					     const struct tdat_option *option,
					     const struct tdat_option_visitor *visitor,
					     struct tdat_error *err);

TDAT_END_DECLS
#endif
