/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the times of --from and --until into times of a trace. They are written as for tdat dump:
 * absolute, or relative to the first and last event. Mistakes are reported by the filter's own
 * parser.
 */
#include "view/span.h"

#include <inttypes.h>

/* A time beyond what tables hold is behind the trace, if that one's times are not. */
static enum tdat_status time_of(const struct view_trace *t, const char *text, uint64_t *ts,
				struct tdat_error *err)
{
	int64_t v = 0;
	const enum tdat_status st = tdat_trace_time(t->tables, text, &v, err);

	*ts = st == TDAT_E_LIMIT ? UINT64_MAX : (uint64_t)v;
	return st == TDAT_E_LIMIT && t->to <= INT64_MAX ? TDAT_OK : st;
}

/*
 * A span that lies outside of the trace on one side is cut; one without a moment of the trace is
 * refused.
 */
enum tdat_status cli_view_span(const struct view_trace *t, const char *from, const char *to,
			       struct view_span *span, struct tdat_error *err)
{
	struct view_selection s = {.filter = TDAT_FILTER_OPTS_INIT};
	enum tdat_status st;

	*span = (struct view_span){t->from, t->to};
	/* Filters say what is wrong with a time, by itself and for the clock of the trace. */
	s.filter.from = from;
	s.filter.to = to;
	st = view_read_check(t, &s, err);
	if (st == TDAT_OK && from)
		st = time_of(t, from, &span->from, err);
	if (st == TDAT_OK && to)
		st = time_of(t, to, &span->to, err);
	if (st != TDAT_OK)
		return st;
	/* Outside of the trace is nothing to show. */
	if (span->from < t->from)
		span->from = t->from;
	if (span->to > t->to)
		span->to = t->to;
	if (span->to < span->from)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the trace, from %" PRIu64 " to %" PRIu64
				      "%s, does not overlap the span of --from and --until",
				      t->from, t->to, t->ns ? " ns" : "");
	return TDAT_OK;
}
