/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers with the tree of the stacks of a span and a selection, as tdat flame makes it: of all
 * files, or of one recording. Functions too narrow to be seen are left out, and their number is
 * told. The answer is made in the background (made.c); the page draws it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/summary.h>

#include "answer.h"

/* A node is left out if it has less than this part of the whole. */
enum { PARTS = 4000 };

static bool is_seen(const struct tdat_flame *f, uint32_t node)
{
	return f->nodes[node].total >= f->nodes[0].total / PARTS && f->nodes[node].total;
}

/* Parents come before their children, so their numbers in the answer are known. */
static enum tdat_status put_tree(struct view_question *q, const struct tdat_summary *s,
				 const struct tdat_flame *f)
{
	static const char *const columns[] = {"name", "parent", "self", "total", NULL};
	struct tdat_json *j = &q->json;
	uint32_t *numbers = calloc(f->node_count + 1, sizeof(*numbers));
	uint32_t count = 0;

	if (!numbers)
		return tdat_error_no_memory(q->err, "a flame graph");
	view_json_columns(j, columns);
	for (uint32_t n = 0;;) {
		if (is_seen(f, n)) {
			numbers[n] = count++;
			tdat_json_array(j, NULL);
			tdat_json_str(j, NULL, n ? tdat_flame_name(s, n) : "all");
			if (n)
				tdat_json_u64(j, NULL, numbers[f->nodes[n].parent]);
			else
				tdat_json_null(j, NULL);
			tdat_json_u64(j, NULL, f->nodes[n].self);
			tdat_json_u64(j, NULL, f->nodes[n].total);
			tdat_json_array_end(j);
		}
		n = tdat_flame_next(s, n);
		if (!n)
			break;
	}
	tdat_json_array_end(j);
	tdat_json_u64(j, "left_out", f->node_count - count);
	free(numbers);
	return TDAT_OK;
}

static enum tdat_status put_flame(struct view_question *q, const struct tdat_summary *s)
{
	const struct tdat_flame *f = tdat_flame(s);
	struct tdat_json *j = &q->json;

	tdat_json_str(j, "title", f->title);
	tdat_json_str(j, "unit", f->unit);
	tdat_json_u64(j, "stacks", f->stacks);
	tdat_json_u64(j, "dropped", f->dropped);
	tdat_json_str(j, "needs", f->about.needs);
	tdat_json_str(j, "record", f->about.record);
	return put_tree(q, s, f);
}

/* Fails as tdat flame does: time off the CPU without a recorded stack is no flame graph. */
static enum tdat_status check_events(const struct view_question *q, const struct tdat_summary *s,
				     const struct view_rec *rec)
{
	const struct view_trace *t = q->api->trace;
	const struct tdat_flame *f = tdat_flame(s);
	char sentence[TDAT_LACKS_SENTENCE_LEN], record[TDAT_LACKS_LEN];

	if ((f->stacks && !strstr(f->about.needs, " ftrace/kernel_stack")) ||
	    !tdat_table_lacks(sentence, record, "flame", &f->about,
			      rec ? &t->inputs[rec->input] : t->inputs, rec ? 1 : t->input_count,
			      NULL))
		return TDAT_OK;
	return tdat_error_set(q->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET, "%s; %s", sentence, record);
}

enum tdat_status view_answer_flame(struct view_question *q)
{
	const struct view_trace *t = q->api->trace;
	const struct view_selection *sel = &q->query->selection;
	const struct view_rec *rec = NULL;
	uint64_t number = UINT64_MAX;
	struct tdat_table_opts read;
	struct tdat_filter *filter = NULL;
	struct tdat_summary *s = NULL;
	struct view_span span;
	enum tdat_status st = view_query_span(q->query, t, &span, q->err);

	if (st == TDAT_OK)
		st = view_query_u64(q->query, "rec", 0, UINT32_MAX, &number, q->err);
	if (st == TDAT_OK && number != UINT64_MAX && number >= t->rec_count)
		st = tdat_error_set(q->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				    "there is no recording %" PRIu64, number);
	else if (st == TDAT_OK && number != UINT64_MAX)
		rec = &t->recs[number];
	if (st == TDAT_OK && sel->contains)
		return tdat_error_set(q->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the parameter contains selects lines of events, not stacks");
	if (st == TDAT_OK)
		st = view_read_filter(t, &span, sel, rec ? rec->pattern : NULL, &filter, q->err);
	if (st == TDAT_OK)
		st = tdat_summary_flame(&s, rec ? t->by_input[rec->input] : t->tables,
					TDAT_FLAME_ANY, false, q->err);
	read = view_read_opts(q, filter);
	read.cpus = view_selection_cpus(sel);
	read.cpu_count = sel->cpu_count;
	if (st == TDAT_OK)
		st = tdat_summary_run(s, &read, q->err);
	if (st == TDAT_OK)
		st = check_events(q, s, rec);
	if (st == TDAT_OK)
		st = put_flame(q, s);
	tdat_summary_free(s);
	tdat_filter_free(filter);
	return st;
}
