/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes summaries of a trace: what tdat latency --json says of one table, and tdat profile --json.
 * Both are JSON of the library, which Python parses; all is read without the GIL.
 */
#include "ext.h"

#include <string.h>

#include <tdat/summary.h>

#include "core/build.h"

struct question {
	struct ext_trace *trace;
	struct ext_choice choice;
	struct tdat_summary *summary;
	struct tdat_error damage;
	struct tdat_build text;
};

static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct question *q = ctx;
	struct tdat_error err = TDAT_ERROR_INIT;

	if (ext_trace_damage(q->trace, damage, count, &err))
		q->damage = err;
}

static enum tdat_status make(struct question *q, const char *kind, struct tdat_error *err)
{
	const struct ext_choice *c = &q->choice;
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;

	if (!strcmp(kind, "profile"))
		return tdat_summary_profile(&q->summary, q->trace->trace, err);
	opts.table = c->table;
	opts.value = c->value;
	opts.keys = (const char *const *)c->keys;
	opts.key_count = c->key_count;
	opts.worst = (uint32_t)c->worst;
	opts.paths = (const char *const *)c->paths;
	opts.path_count = c->path_count;
	return tdat_summary_groups(&q->summary, q->trace->trace, &opts, err);
}

static enum tdat_status answer(struct question *q, const char *kind, struct tdat_error *err)
{
	const struct tdat_summary_others *others;
	enum tdat_status st = make(q, kind, err);

	q->choice.opts.damage = take_damage;
	q->choice.opts.damage_ctx = q;
	q->choice.opts.note = ext_trace_note;
	q->choice.opts.note_ctx = q->trace;
	if (st == TDAT_OK)
		st = tdat_summary_run(q->summary, &q->choice.opts, err);
	if (st == TDAT_OK && q->damage.status) {
		*err = q->damage;
		st = err->status;
	}
	if (st == TDAT_OK)
		st = ext_trace_undescribed(q->trace, err);
	others = st == TDAT_OK && q->trace->strict ? tdat_summary_others(q->summary, 0) : NULL;
	if (others)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%s: %llu rows have no group of their own", others->what,
				      (unsigned long long)others->rows);
	return st == TDAT_OK ? tdat_summary_json(q->summary, -1, ext_append, &q->text, err) : st;
}

PyObject *ext_trace_summary(PyObject *self, PyObject *args)
{
	struct question q = {.damage = TDAT_ERROR_INIT, .choice = {.limit = -1}};
	struct tdat_error err = TDAT_ERROR_INIT;
	PyObject *dict, *result = NULL;
	enum tdat_status st;
	const char *kind;

	if (!PyArg_ParseTuple(args, "sO", &kind, &dict))
		return NULL;
	q.trace = ext_trace_of(self);
	if (!q.trace)
		return NULL;
	tdat_build_init(&q.text, false);
	if (ext_choice_init(&q.choice, dict)) {
		Py_BEGIN_ALLOW_THREADS;
		st = answer(&q, kind, &err);
		Py_END_ALLOW_THREADS;
		result = st == TDAT_OK ? ext_text(q.text.ptr, q.text.len) : ext_raise(&err);
	}
	tdat_summary_free(q.summary);
	ext_choice_fini(&q.choice);
	tdat_build_fini(&q.text);
	ext_trace_put(q.trace);
	return result;
}
