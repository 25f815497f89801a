/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes explanations as JSON: an array of intervals, each with its segments and causes. */
#include "why.h"

#include <stdio.h>

static void json_by(struct tdat_json *j, bool has_by, int32_t pid, const char *comm)
{
	if (has_by)
		tdat_json_i64(j, "by_pid", pid);
	else
		tdat_json_null(j, "by_pid");
	tdat_json_str(j, "by_comm", comm);
}

static void json_segment(struct tdat_json *j, const struct tdat_why_segment *s)
{
	tdat_json_object(j, NULL);
	tdat_json_i64(j, "ts", s->ts);
	tdat_json_i64(j, "dur", s->dur);
	tdat_json_u64(j, "depth", s->depth);
	tdat_json_i64(j, "pid", s->pid);
	tdat_json_str(j, "comm", s->comm);
	if (s->cpu < 0)
		tdat_json_null(j, "cpu");
	else
		tdat_json_i64(j, "cpu", s->cpu);
	tdat_json_str(j, "kind", s->kind);
	json_by(j, s->has_by, s->by_pid, s->by_comm);
	tdat_json_str(j, "what", s->what);
	tdat_json_str(j, "state", s->state);
	tdat_json_object_end(j);
}

static void json_cause(struct tdat_json *j, const struct tdat_why_cause *c, int64_t all)
{
	const uint64_t part =
		all > 0 ? ((uint64_t)c->dur * 10000 + (uint64_t)all / 2) / (uint64_t)all : 0;
	char share[32];

	tdat_json_object(j, NULL);
	tdat_json_str(j, "kind", c->kind);
	json_by(j, c->has_by && !c->is_many, c->by_pid, c->by_comm);
	tdat_json_str(j, "what", c->what);
	tdat_json_array(j, "via");
	for (size_t i = 0; i < c->via_count; i++) {
		const struct tdat_why_link *l = &c->via[i];

		tdat_json_object(j, NULL);
		tdat_json_str(j, "kind", l->kind);
		json_by(j, true, l->by_pid, l->by_comm);
		tdat_json_str(j, "what", l->what);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_i64(j, "dur", c->dur);
	snprintf(share, sizeof(share), "%u.%04u", (unsigned int)(part / 10000),
		 (unsigned int)(part % 10000));
	tdat_json_raw(j, "share", share);
	tdat_json_u64(j, "count", c->count);
	tdat_json_object_end(j);
}

bool why_json(const struct tdat_summary *s, struct tdat_json *j)
{
	const struct tdat_why_interval *in;

	tdat_json_array(j, NULL);
	for (size_t i = 0; (in = tdat_why_interval(s, i)); i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "task", in->comm);
		if (in->is_many)
			tdat_json_null(j, "pid");
		else
			tdat_json_i64(j, "pid", in->pid);
		tdat_json_i64(j, "from", in->from);
		tdat_json_i64(j, "to", in->to);
		tdat_json_i64(j, "dur", in->dur);
		tdat_json_u64(j, "count", in->count);
		tdat_json_str(j, "dump", in->dump);
		tdat_json_array(j, "segments");
		for (size_t k = 0; k < in->segment_count; k++)
			json_segment(j, &in->segments[k]);
		tdat_json_array_end(j);
		tdat_json_array(j, "causes");
		for (size_t k = 0; k < in->cause_count; k++)
			json_cause(j, &in->causes[k], in->dur);
		tdat_json_array_end(j);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	return true;
}
