/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes summaries of a trace: the groups that `tdat latency --json` prints for one table, the
 * profile of `tdat profile --json`, the explanations of `tdat why --json`, and the comparison of
 * `tdat diff --json`. The library writes all as JSON, which Python parses. All files are read
 * without the GIL.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include <tdat/summary.h>

#include "core/build.h"

/*
 * One call of Trace.summary, on its stack, or one sample of diff(). The watch collects damage and
 * notes for the trace.
 */
struct question {
	struct ext_watch watch;
	struct ext_choice choice;
	struct tdat_summary *summary;
	struct tdat_build text;
	enum tdat_diff_side side;
};

/* Kinds of explanations, in the order of enum tdat_explained. */
static const char *const explained[] = {"why all", "why waits", "why wakeups"};

/* Makes an explanation. The span of the choice cuts one of all, and chooses no row. */
static enum tdat_status make_why(struct question *q, enum tdat_explained of, struct tdat_error *err)
{
	struct tdat_why_opts opts = TDAT_WHY_OPTS_INIT;
	struct ext_choice *c = &q->choice;

	opts.of = of;
	opts.worst = (uint32_t)c->worst;
	opts.has_from = opts.has_to = c->opts.has_span;
	opts.from_ts = c->opts.from_ts;
	opts.to_ts = c->opts.to_ts;
	c->opts.has_span = false;
	opts.paths = (const char *const *)c->paths;
	opts.path_count = c->path_count;
	return tdat_summary_why(&q->summary, q->watch.trace->trace, &opts, err);
}

/*
 * Makes the summary without reading events yet. Kinds are "profile", those of explained or, for any
 * other text, the groups of a table.
 */
static enum tdat_status make(struct question *q, const char *kind, struct tdat_error *err)
{
	const struct ext_choice *c = &q->choice;
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;

	if (!strcmp(kind, "profile"))
		return tdat_summary_profile(&q->summary, q->watch.trace->trace, err);
	for (size_t i = 0; i < sizeof(explained) / sizeof(explained[0]); i++)
		if (!strcmp(kind, explained[i]))
			return make_why(q, (enum tdat_explained)i, err);
	opts.table = c->table;
	opts.value = c->value;
	opts.keys = (const char *const *)c->keys;
	opts.key_count = c->key_count;
	opts.worst = (uint32_t)c->worst;
	opts.paths = (const char *const *)c->paths;
	opts.path_count = c->path_count;
	return tdat_summary_groups(&q->summary, q->watch.trace->trace, &opts, err);
}

/* Lets the watch see what the reader meets. */
static void start(struct question *q)
{
	q->choice.opts.damage = ext_watch_damage;
	q->choice.opts.note = ext_watch_note;
	q->choice.opts.damage_ctx = q->choice.opts.note_ctx = &q->watch;
}

/*
 * Damage is reported by callback and fails only here: the reader itself does not know about
 * strict.
 */
static enum tdat_status judge(struct question *q, enum tdat_status st, struct tdat_error *err)
{
	if (st == TDAT_OK && q->watch.damage.status) {
		*err = q->watch.damage;
		st = err->status;
	}
	return st == TDAT_OK ? ext_trace_undescribed(q->watch.trace, err) : st;
}

/* Reads all rows and writes the JSON. Runs without the GIL. */
static enum tdat_status answer(struct question *q, const char *kind, struct tdat_error *err)
{
	const struct tdat_summary_others *others;
	enum tdat_status st = make(q, kind, err);

	start(q);
	if (st == TDAT_OK)
		st = tdat_summary_run(q->summary, &q->choice.opts, err);
	st = judge(q, st, err);
	/*
	 * Rows without room for a group of their own share the last one. A strict caller wants
	 * exact groups, hence a failure.
	 */
	others =
		st == TDAT_OK && q->watch.trace->strict ? tdat_summary_others(q->summary, 0) : NULL;
	if (others)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%s: %llu rows are not counted in a separate group",
				      others->what, (unsigned long long)others->rows);
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

/* lacks(table): why the table has no rows, if its events were not recorded; else None. */
PyObject *ext_trace_lacks(PyObject *self, PyObject *args)
{
	const struct tdat_table *table;
	char sentence[TDAT_LACKS_SENTENCE_LEN], record[TDAT_LACKS_LEN];
	struct ext_trace *t;
	const char *name;
	bool lacks = false;

	if (!PyArg_ParseTuple(args, "s", &name))
		return NULL;
	t = ext_trace_of(self);
	if (!t)
		return NULL;
	table = tdat_trace_find(t->trace, name);
	Py_BEGIN_ALLOW_THREADS;
	if (table)
		lacks = tdat_table_lacks(sentence, record, name, &table->about, t->inputs,
					 t->input_count, NULL);
	ext_trace_put(t);
	Py_END_ALLOW_THREADS;
	return lacks ? PyUnicode_FromFormat("%s; %s", sentence, record) : ext_cstr(NULL);
}

/* ---- comparisons ---- */

static void free_samples(struct question *v, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ext_choice_fini(&v[i].choice);
		ext_trace_put(v[i].watch.trace);
	}
	free(v);
}

/* Takes a list of (side, Trace, choice). NULL after raising an exception. */
static struct question *take_samples(PyObject *list, size_t *count)
{
	const Py_ssize_t len = PyList_Size(list);
	struct question *v = len < 0 ? NULL : calloc((size_t)len + 1, sizeof(*v));

	*count = 0;
	if (!v && len >= 0)
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; v && i < len; i++) {
		struct question *q = &v[i];
		PyObject *trace, *dict;
		int side;

		*q = (struct question){.watch = {.damage = TDAT_ERROR_INIT},
				       .choice = {.limit = -1}};
		if (PyArg_ParseTuple(PyList_GetItem(list, i), "iOO", &side, &trace, &dict))
			q->watch.trace = ext_trace_of(trace);
		if (q->watch.trace) {
			q->side = side ? TDAT_DIFF_B : TDAT_DIFF_A;
			++*count;
		}
		if (!q->watch.trace || !ext_choice_init(&q->choice, dict)) {
			free_samples(v, *count);
			return NULL;
		}
	}
	return v;
}

/* Reads all samples and writes the JSON. Runs without the GIL. */
static enum tdat_status compare(struct tdat_diff *d, struct question *v, size_t count,
				struct tdat_build *text, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count && st == TDAT_OK; i++) {
		start(&v[i]);
		st = tdat_diff_add(d, v[i].side, v[i].watch.trace->trace, &v[i].choice.opts,
				   v[i].choice.from, v[i].choice.to, err);
		st = judge(&v[i], st, err);
	}
	if (st == TDAT_OK)
		st = tdat_diff_run(d, err);
	return st == TDAT_OK ? tdat_diff_json(d, -1, ext_append, text, err) : st;
}

PyObject *ext_diff(PyObject *module, PyObject *args)
{
	struct tdat_diff_opts opts = TDAT_DIFF_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	PyObject *list, *result = NULL;
	struct tdat_diff *d = NULL;
	struct tdat_build text;
	struct question *v;
	enum tdat_status st;
	size_t count;
	int by_pid;

	(void)module;
	if (!PyArg_ParseTuple(args, "dpO!", &opts.min_change, &by_pid, &PyList_Type, &list))
		return NULL;
	opts.by_pid = by_pid;
	v = take_samples(list, &count);
	if (!v)
		return NULL;
	tdat_build_init(&text, false);
	Py_BEGIN_ALLOW_THREADS;
	st = tdat_diff_new(&d, &opts, &err);
	if (st == TDAT_OK)
		st = compare(d, v, count, &text, &err);
	Py_END_ALLOW_THREADS;
	result = st == TDAT_OK ? ext_text(text.ptr, text.len) : ext_raise(&err);
	tdat_diff_free(d);
	free_samples(v, count);
	tdat_build_fini(&text);
	return result;
}
