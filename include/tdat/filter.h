/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters: conditions on the events that an iterator returns.
 *
 * A filter is created without a file. tdat_iter_new applies the filter to files: it finds the ids
 * of the named events, and computes times such as "+1s". tdat_iter_new fails if no input has an
 * event or field that the filter names. An event passes if it meets every kind of condition that is
 * set.
 *
 * Threads: a filter never changes after tdat_filter_new. Several iterators on several threads may
 * use it at the same time.
 *
 * Owners: the caller frees a filter after the iterators that use it. It copies everything to which
 * its options point.
 */
#ifndef TDAT_FILTER_H
#define TDAT_FILTER_H

#include <tdat/error.h>

TDAT_BEGIN_DECLS

struct tdat_filter;

/*
 * "system/event, event: expression", the syntax of trace-cmd report -F; see tdat-dump(1). An event
 * passes if at least one expression without negative names the event and is true, and no expression
 * with negative names the event and is true. If all expressions are negative, only the second
 * condition applies.
 */
struct tdat_filter_expr {
	const char *text;
	bool negative;
};

/*
 * The treatment of stack events (kernel_stack, user_stack). A stack belongs to the last event
 * before it with the same CPU, buffer, common_pid, common_flags and common_preempt_count, because
 * the kernel writes the same values of these to an event and its stack.
 */
enum tdat_filter_stacks {
	/*
	 * A stack passes if the event to which it belongs passes. A stack also passes if a pattern
	 * or expression names the type of the stack, and the stack meets the conditions. If the
	 * event of a stack is not in the trace, the stack passes if it meets the conditions itself.
	 */
	TDAT_STACKS_EVENT = 0,
	/* A stack passes if it meets the conditions, or else: */
	TDAT_STACKS_3_1 = 1, /* after any event of its CPU passed, as in trace-cmd 3.1 */
	TDAT_STACKS_3_2 = 2, /* if the event right before it passed, as in 3.2 and later */
	TDAT_STACKS_NONE = 3 /* never */
};

struct tdat_filter_opts {
	size_t size; /* sizeof(struct tdat_filter_opts) */
	const struct tdat_filter_expr *exprs;
	size_t expr_count;
	const char *const *events; /* fnmatch(3) patterns for "event", "system/event" or "system" */
	size_t event_count;
	const int32_t *pids; /* pid of the event, or its field pid or next_pid */
	size_t pid_count;
	const char *const *comms; /* patterns for names (tdat_file_comm); all their pids pass */
	size_t comm_count;
	const char *const *buffers; /* patterns; "top": the top-level buffer */
	size_t buffer_count;
	/*
	 * First and last time, inclusive; NULL: no bound. "12.5": seconds if the clock counts ns,
	 * else ticks; with a unit: "12500ms" (ns, us, ms, s, m, h). "+1s": after the first event of
	 * all inputs; "-100ms": before the last one. If to has the same form as from and is
	 * earlier, tdat_filter_new fails. If the forms differ, such as "-1s" and "+1s",
	 * tdat_iter_new fails if to is earlier than from in its inputs.
	 */
	const char *from;
	const char *to;
	enum tdat_filter_stacks stacks;
};

#define TDAT_FILTER_OPTS_INIT TDAT_SIZED(struct tdat_filter_opts)

/*
 * tdat_filter_new creates a filter. opts may be NULL: every event passes. An invalid expression or
 * time is TDAT_E_USAGE; the error contains the column in the expression. An expression that exceeds
 * the bounds in tdat-dump(1) is also TDAT_E_USAGE. The bounds exist because regcomp(3) and
 * regexec(3) have none.
 */
TDAT_API enum tdat_status tdat_filter_new(struct tdat_filter **out,
					  const struct tdat_filter_opts *opts,
					  struct tdat_error *err);

/* tdat_filter_free frees a filter that no iterator uses any longer. NULL is allowed. */
TDAT_API void tdat_filter_free(struct tdat_filter *filter);

TDAT_END_DECLS
#endif
