/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes summaries of a trace: the groups that `tdat latency --json` prints for one table, and the
 * profile of `tdat profile --json`. The library writes both as JSON, which Python parses. All files
 * are read without the GIL.
 */
#include "ext.h"

#include <string.h>

#include <tdat/summary.h>

#include "core/build.h"

/* One call of Trace.summary, on its stack. The watch collects damage and notes for the trace. */
struct question {
	struct ext_watch watch;
	struct ext_choice choice;
	struct tdat_summary *summary;
	struct tdat_build text;
};

/*
 * Makes the summary without reading events yet. Kinds are "profile" or, for any other text, the
 * groups of a table.
 */
static enum tdat_status make(struct question *q, const char *kind, struct tdat_error *err)
{
	const struct ext_choice *c = &q->choice;
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;

	if (!strcmp(kind, "profile"))
		return tdat_summary_profile(&q->summary, q->watch.trace->trace, err);
	opts.table = c->table;
	opts.value = c->value;
	opts.keys = (const char *const *)c->keys;
	opts.key_count = c->key_count;
	opts.worst = (uint32_t)c->worst;
	opts.paths = (const char *const *)c->paths;
	opts.path_count = c->path_count;
	return tdat_summary_groups(&q->summary, q->watch.trace->trace, &opts, err);
}

/* Reads all rows and writes the JSON. Runs without the GIL. */
static enum tdat_status answer(struct question *q, const char *kind, struct tdat_error *err)
{
	const struct tdat_summary_others *others;
	enum tdat_status st = make(q, kind, err);

	q->choice.opts.damage = ext_watch_damage;
	q->choice.opts.note = ext_watch_note;
	q->choice.opts.damage_ctx = q->choice.opts.note_ctx = &q->watch;
	if (st == TDAT_OK)
		st = tdat_summary_run(q->summary, &q->choice.opts, err);
	/*
	 * Damage is reported by callback and fails only here: the run itself does not know about
	 * strict.
	 */
	if (st == TDAT_OK && q->watch.damage.status) {
		*err = q->watch.damage;
		st = err->status;
	}
	if (st == TDAT_OK)
		st = ext_trace_undescribed(q->watch.trace, err);
	/*
	 * Rows without room for a group of their own share the last one. A strict caller wants
	 * exact groups, hence a failure.
	 */
	others =
		st == TDAT_OK && q->watch.trace->strict ? tdat_summary_others(q->summary, 0) : NULL;
	if (others)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%s: %llu rows have no group of their own", others->what,
				      (unsigned long long)others->rows);
	/* Level -1 writes the JSON on one line: nobody but a parser reads it. */
	return st == TDAT_OK ? tdat_summary_json(q->summary, -1, ext_append, &q->text, err) : st;
}

PyObject *ext_trace_summary(PyObject *self, PyObject *args)
{
	struct question q = {.watch = {.damage = TDAT_ERROR_INIT}, .choice = {.limit = -1}};
	struct tdat_error err = TDAT_ERROR_INIT;
	PyObject *dict, *result = NULL;
	enum tdat_status st;
	const char *kind;

	if (!PyArg_ParseTuple(args, "sO", &kind, &dict))
		return NULL;
	q.watch.trace = ext_trace_of(self);
	if (!q.watch.trace)
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
	ext_trace_put(q.watch.trace);
	return result;
}
