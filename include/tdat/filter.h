/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters: conditions that choose which events an iterator gives out.
 *
 * A filter is made before any file is known. What it means for a file (which events have
 * which ids, what "+1s" is) is worked out by tdat_iter_new, which also fails for names that
 * no input knows. An event is given out when it meets every kind of condition that was set.
 *
 * Threads: a filter never changes after tdat_filter_new and may be used by several iterators
 * on several threads at once.
 *
 * Owners: a filter is the caller's to free, after the iterators that use it. It keeps copies
 * of all that its options point to.
 */
#ifndef TDAT_FILTER_H
#define TDAT_FILTER_H

#include <tdat/error.h>

TDAT_BEGIN_DECLS

struct tdat_filter;

/*
 * "system/event, event: expression" as trace-cmd report -F takes it; see
 * tdat-dump(1). An event passes when one that is not negative names it and its
 * expression is true (or there are none such), and no negative one is true.
 */
struct tdat_filter_expr {
	const char *text;
	bool negative;
};

/*
 * Whether events that are kernel or user stacks are given out. A stack belongs to the last event
 * before it on its CPU, in its buffer, with the same common_pid, common_flags and
 * common_preempt_count: the kernel writes one context into both.
 */
enum tdat_filter_stacks {
	/*
	 * With the event that they belong to, and no others but those of types that a pattern of
	 * events or an expression names, if they meet the conditions. A stack whose event is not
	 * in the trace is given out if it meets the conditions itself.
	 */
	TDAT_STACKS_EVENT = 0,
	/* If they meet the conditions, or else: */
	TDAT_STACKS_3_1 = 1, /* once an event of their CPU passed, as in trace-cmd 3.1 */
	TDAT_STACKS_3_2 = 2, /* if that was the event right before, as in 3.2 and later */
	TDAT_STACKS_NONE = 3 /* never */
};

struct tdat_filter_opts {
	size_t size; /* sizeof(struct tdat_filter_opts) */
	const struct tdat_filter_expr *exprs;
	size_t expr_count;
	const char *const *events; /* patterns as of fnmatch(3) for "event",
				    * "system/event" or "system" */
	size_t event_count;
	const int32_t *pids; /* of the event, or in its field pid or next_pid */
	size_t pid_count;
	const char *const *comms; /* patterns; all pids whose name (tdat_file_comm) is so */
	size_t comm_count;
	const char *const *buffers; /* patterns; "top": the top buffer */
	size_t buffer_count;
	/*
	 * First and last time, both included; NULL: no bound. "12.5": seconds, if the
	 * clock counts ns, else ticks; with a unit: "12500ms" (ns, us, ms, s, m, h).
	 * "+1s": after the first event of all inputs; "-100ms": before the last one.
	 * Where to is written as from and is before it, tdat_filter_new fails; "-1s" to "+1s"
	 * fails where an iterator is made of a trace in which they are in that order.
	 */
	const char *from;
	const char *to;
	enum tdat_filter_stacks stacks;
};

#define TDAT_FILTER_OPTS_INIT TDAT_SIZED(struct tdat_filter_opts)

/*
 * tdat_filter_new makes a filter. An expression or a time that cannot be parsed is
 * TDAT_E_USAGE, with a sentence that names the column of an expression. So is one that goes
 * beyond the bounds that tdat-dump(1) lists: regcomp(3) and regexec(3) have no bounds of their
 * own. opts may be NULL: then every event passes.
 */
TDAT_API enum tdat_status tdat_filter_new(struct tdat_filter **out,
					  const struct tdat_filter_opts *opts,
					  struct tdat_error *err);

/* tdat_filter_free frees a filter that no iterator uses any more. NULL is allowed. */
TDAT_API void tdat_filter_free(struct tdat_filter *filter);

TDAT_END_DECLS
#endif
