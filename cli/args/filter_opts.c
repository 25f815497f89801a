/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the options that choose events into a filter of the library. Options only collect texts;
 * cli_filter_make() turns all of them into one tdat_filter before a file is opened, so wrong usage
 * is reported first. The order of -F and -v counts, hence they are callbacks.
 */
#include "args/filter_opts.h"

#include <stdlib.h>
#include <time.h>

#include "args/ts_offset.h"
#include "core/grow.h"
#include "core/wall.h"
#include "terminal/message.h"

/* The filter's options lie in a struct of each command, at the option's offset. */
static struct cli_filter *filter_at(void *values, const struct cli_opt *opt)
{
	return (struct cli_filter *)((char *)values + opt->off);
}

/* -F EXPR. A -v before it applies to this and all later expressions. */
int cli_filter_expr(void *values, const struct cli_opt *opt, const char *value)
{
	struct cli_filter *f = filter_at(values, opt);

	if (!TDAT_GROW(f->exprs, &f->expr_room, f->expr_count + 1))
		return cli_nomem();
	f->exprs[f->expr_count++] = (struct tdat_filter_expr){value, f->negate};
	return CLI_OK;
}

/* -v negates the -F options behind it, as in trace-cmd report. */
int cli_filter_negate(void *values, const struct cli_opt *opt, const char *value)
{
	struct cli_filter *f = filter_at(values, opt);

	(void)value;
	if (f->negate) {
		cli_error(NULL, "give -v once, before the -F filters that it inverts");
		return CLI_USAGE;
	}
	f->negate = true;
	return CLI_OK;
}

/* Pids in any base, also 0, which is the idle task of each CPU. */
static int parse_pids(const struct cli_list *words, int32_t *pids)
{
	size_t i;

	for (i = 0; i < words->count; i++) {
		int64_t v;

		if (!cli_number(words->v[i], &v) || v < INT32_MIN || v > INT32_MAX) {
			cli_error(NULL, "--pid takes numbers, not '%s'", words->v[i]);
			return CLI_USAGE;
		}
		pids[i] = (int32_t)v;
	}
	return CLI_OK;
}

/* Fills the library's options and makes the filter, which copies what it needs. */
static int make(const struct cli_filter *f, int32_t *pids, struct tdat_filter **out)
{
	struct tdat_filter_opts o = TDAT_FILTER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	int status = parse_pids(&f->pids, pids);

	if (status != CLI_OK)
		return status;
	o.exprs = f->exprs;
	o.expr_count = f->expr_count;
	o.events = f->events.v;
	o.event_count = f->events.count;
	o.pids = pids;
	o.pid_count = f->pids.count;
	o.comms = f->comms.v;
	o.comm_count = f->comms.count;
	o.buffers = f->buffers.v;
	o.buffer_count = f->buffers.count;
	/* The sandbox has no files of zones. */
	if ((f->from && tdat_wall_is(f->from)) || (f->until && tdat_wall_is(f->until)))
		tzset();
	o.from = f->from;
	o.to = f->until;
	o.stacks = f->stacks;
	return tdat_filter_new(out, &o, &err) == TDAT_OK ? CLI_OK : cli_fail(NULL, &err);
}

/*
 * *out NULL with CLI_OK: no option chooses events. Then nothing is filtered, not even by an empty
 * filter.
 */
int cli_filter_make(const struct cli_filter *f, struct tdat_filter **out)
{
	int32_t *pids;
	int status;

	*out = NULL;
	if (!f->expr_count && !f->events.count && !f->pids.count && !f->comms.count &&
	    !f->buffers.count && !f->from && !f->until)
		return CLI_OK;
	pids = calloc(f->pids.count + 1, sizeof(*pids));
	status = pids ? make(f, pids, out) : cli_nomem();
	free(pids);
	return status;
}

void cli_filter_fini(struct cli_filter *f)
{
	free(f->exprs);
	cli_list_fini(&f->events);
	cli_list_fini(&f->pids);
	cli_list_fini(&f->comms);
	cli_list_fini(&f->buffers);
}
