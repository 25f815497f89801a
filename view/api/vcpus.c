/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds which tasks of a host are the CPUs of a guest, where the files of both are shown: option
 * GUEST of the host has the trace id of the guest, that of its option TRACEID, and the pid of each
 * virtual CPU. lib/analysis/critical_guest.c follows tasks by the same options. Called by trace.c
 * and report.c.
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/file_option.h>

#include "answer.h"

/* What an option says, as it is taken apart. */
struct reading {
	uint64_t trace_id, cpu;
	const uint64_t *ids; /* of inputs; 0: none */
	const struct view_trace *t;
	size_t host;
	view_vcpu_fn fn;
	void *ctx;
};

static void take_number(void *ctx, const char *key, uint64_t value, bool hex)
{
	struct reading *r = ctx;

	(void)hex;
	if (!strcmp(key, "trace_id"))
		r->trace_id = value;
	else if (!strcmp(key, "cpu"))
		r->cpu = value;
}

/* Each pid ends a virtual CPU; the trace id of its guest comes before. */
static void take_pid(void *ctx, const char *key, int64_t value)
{
	struct reading *r = ctx;

	if (strcmp(key, "pid") != 0 || !r->trace_id || r->cpu > UINT32_MAX)
		return;
	for (size_t i = 0; i < r->t->input_count; i++) {
		const struct view_vcpu v = {r->t->first_rec[i], (uint32_t)r->cpu,
					    r->t->first_rec[r->host], (int32_t)value};

		if (i != r->host && r->ids[i] == r->trace_id &&
		    view_trace_lane(r->t, v.guest, v.cpu))
			r->fn(r->ctx, &v);
	}
}

static void take_options(struct reading *r, size_t input, uint16_t id)
{
	const struct tdat_file_option_visitor visitor = {.size = sizeof(visitor),
							 .ctx = r,
							 .number = take_number,
							 .signed_number = take_pid};
	const struct tdat_file *file = r->t->inputs[input].file;
	size_t count;
	const struct tdat_file_option *options = tdat_file_options(file, &count);

	for (size_t i = 0; i < count; i++)
		if (options[i].id == id)
			tdat_file_option_decode(file, &options[i], &visitor, NULL);
}

/* Without memory none is found. */
void view_vcpus(const struct view_trace *t, view_vcpu_fn fn, void *ctx)
{
	uint64_t *ids = t->input_count > 1 ? calloc(t->input_count, sizeof(*ids)) : NULL;
	struct reading r = {.ids = ids, .t = t, .fn = fn, .ctx = ctx};

	for (size_t i = 0; ids && i < t->input_count; i++) {
		r.trace_id = 0;
		take_options(&r, i, TDAT_OPTION_TRACEID);
		ids[i] = r.trace_id;
	}
	for (r.host = 0; ids && r.host < t->input_count; r.host++) {
		r.trace_id = 0;
		take_options(&r, r.host, TDAT_OPTION_GUEST);
	}
	free(ids);
}
