/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of all answers: the bound in bytes, reading of tables, names of events. An answer is
 * bounded because each connection may hold one, and a page of the browser has to parse it.
 */
#include "answer.h"

#include <inttypes.h>
#include <stdio.h>

/* Called after each row, not after each byte: the bound may be exceeded by one row. */
enum tdat_status view_answer_fits(const struct view_question *q, const char *what)
{
	if (q->json.out->failed)
		return tdat_error_no_memory(q->err, "an answer");
	if (q->json.out->len > VIEW_ANSWER_LEN)
		return tdat_error_set(q->err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "the answer is longer than %d bytes: %s", VIEW_ANSWER_LEN,
				      what);
	return TDAT_OK;
}

/* Two threads: the engine has others, which make other answers. */
struct tdat_table_opts view_read_opts(const struct view_question *q,
				      const struct tdat_filter *filter)
{
	struct tdat_table_opts read = TDAT_TABLE_OPTS_INIT;

	read.filter = filter;
	read.threads = 2;
	read.is_cancelled = q->is_cancelled;
	read.cancel_ctx = q->cancel_ctx;
	return read;
}

/*
 * Events of one type have one name in all inputs; a type without a sound format is named by its id.
 */
void view_event_name(const struct view_trace *t, const struct tdat_event *event, char *out,
		     size_t len)
{
	const struct tdat_event_format *f =
		tdat_file_format_by_id(t->inputs[event->input].file, event->id);

	if (f)
		snprintf(out, len, "%s/%s", tdat_event_format_system(f), tdat_event_format_name(f));
	else
		snprintf(out, len, "?/%" PRIu32, event->id);
}

void view_put_comm(struct tdat_json *j, const struct view_trace *t, uint32_t rec, int64_t pid)
{
	const struct tdat_span comm =
		rec < t->rec_count && pid <= INT32_MAX
			? tdat_file_comm(t->inputs[t->recs[rec].input].file, (int32_t)pid)
			: (struct tdat_span){NULL, 0};

	if (comm.ptr)
		tdat_json_strn(j, "comm", comm.ptr, comm.len);
}
