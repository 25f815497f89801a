/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that choose events, for every command that has them. */
#ifndef CLI_FILTER_OPTS_H
#define CLI_FILTER_OPTS_H

#include <tdat/filter.h>

#include "args/opt.h"

struct cli_filter {
	struct tdat_filter_expr *exprs;
	size_t expr_count, expr_room;
	bool negate; /* -v was given: the -F that follow are negated */
	struct cli_list events, pids, comms, buffers;
	const char *from, *until;
	enum tdat_filter_stacks stacks;
};

/* clang-format off */
#define CLI_FILTER_OPTS(type, member) CLI_FILTER_OPTS_SHORT('e', type, member, cli_filter_expr)

/*
 * The parameter event is the letter of --event, or 0; expr_fn does what -F asks for, with
 * cli_filter_expr.
 */
#define CLI_FILTER_OPTS_SHORT(event, type, member, expr_fn) \
	CLI_CALL_AT('F', "filter", "FILTER", expr_fn, type, member, \
		    "only events that match FILTER, 'event: expression'; if repeated, one FILTER must match"), \
	CLI_CALL_AT('v', "invert", NULL, cli_filter_negate, type, member, \
		    "invert the -F filters that follow"), \
	CLI_WORDS(event, "event", "LIST", type, member.events, \
		 "only these events: sched_switch,sched_wakeup, 'irq*', 'sched/*', sched"), \
	CLI_WORDS(0, "pid", "LIST", type, member.pids, \
		 "only events of these pids, or with one of them in the field pid or next_pid"), \
	CLI_WORDS(0, "comm", "LIST", type, member.comms, "same as --pid, but by task name"), \
	CLI_WORDS(0, "buffer", "LIST", type, member.buffers, \
		 "only these buffers; top is the top-level buffer"), \
	CLI_STRING(0, "from", "TIME", type, member.from, \
		 "only from TIME: 12.5, 12500ms, 10:15:03, +1s after the first event, -1s before the last"), \
	CLI_STRING(0, "until", "TIME", type, member.until, "only until TIME, in the same syntax")

/* Another name of --until, for commands whose --to names no format. */
#define CLI_FILTER_TO(type, member) CLI_STRING(0, "to", "TIME", type, member.until, NULL)
/* clang-format on */

/* cli_filter_expr and cli_filter_negate do what -F and -v ask for, at the place of the option. */
int cli_filter_expr(void *values, const struct cli_opt *opt, const char *value);
int cli_filter_negate(void *values, const struct cli_opt *opt, const char *value);

/*
 * cli_filter_make makes the filter of all options; *out is NULL when none was given.
 * CLI_OK, or an exit status after a complaint.
 */
int cli_filter_make(const struct cli_filter *f, struct tdat_filter **out);
void cli_filter_fini(struct cli_filter *f);

#endif
