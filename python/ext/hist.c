/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replays hist triggers on an opened file. The result is the text or JSON of the library;
 * refused triggers raise an exception with the kernel's text. Definitions come as a list; the
 * run happens at once, and a session is not kept.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include <tdat/hist.h>

#include "core/build.h"

/* One call of Trace.hist, on its stack: the session and its text end with it. */
struct replay {
	struct ext_trace *trace;
	struct ext_choice choice;
	struct tdat_hist *hist;
	struct tdat_build text;
};

/* Raises what the kernel would have said of a text that it refuses, behind our own sentence. */
static PyObject *refused(struct replay *r, const struct tdat_error *err)
{
	const char *said = r->hist ? tdat_hist_refusal(r->hist) : "";
	PyObject *errors, *e, *text;

	/*
	 * Only a refused trigger or definition has text of the kernel, in the form of the tracefs
	 * file error_log.
	 */
	if (err->status != TDAT_E_USAGE || !*said)
		return ext_raise(err);
	errors = PyImport_ImportModule("tdat._errors");
	text = ext_text(said, strlen(said));
	e = errors && text ? PyObject_CallMethod(errors, "refused", "sO", err->message, text)
			   : NULL;
	Py_XDECREF(errors);
	Py_XDECREF(text);
	return ext_raise_made(e);
}

/*
 * Adds one definition: (None, None, synth) or (system, event, trigger). Stops at the first refusal,
 * whose text names the definition.
 */
static bool add(struct replay *r, PyObject *item)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *system, *event, *text;
	enum tdat_status st;

	if (!PyArg_ParseTuple(item, "zzs", &system, &event, &text))
		return false;
	if (event)
		st = tdat_hist_trigger(r->hist, system, event, text, &err);
	else
		st = tdat_hist_synth(r->hist, text, &err);
	if (st != TDAT_OK)
		refused(r, &err);
	return st == TDAT_OK;
}

/*
 * Makes the session for one file and adds the definitions in order: a trigger may use a synthetic
 * event that stands before it. Adding keeps the GIL, because the definitions are Python objects.
 */
static bool make(struct replay *r, size_t input, PyObject *items, const char *kernel)
{
	struct tdat_hist_opts opts = TDAT_HIST_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	opts.kernel = kernel;
	opts.cpus = r->choice.opts.cpus;
	opts.cpu_count = r->choice.opts.cpu_count;
	opts.filter = r->choice.filter;
	Py_BEGIN_ALLOW_THREADS;
	st = tdat_hist_new(&r->hist, r->trace->inputs[input].file, &opts, &err);
	Py_END_ALLOW_THREADS;
	if (st != TDAT_OK) {
		ext_raise(&err);
		return false;
	}
	for (Py_ssize_t i = 0; i < PyList_Size(items); i++)
		if (!add(r, PyList_GetItem(items, i)))
			return false;
	return true;
}

/*
 * Runs without the GIL. Damage counts as for tables: it is kept in the trace, and fails if strict.
 */
static enum tdat_status finish(struct replay *r, int view, struct tdat_error *err)
{
	enum tdat_status st = tdat_hist_run(r->hist, err);
	const struct tdat_stream_damage *damage;
	size_t count;

	if (st == TDAT_OK) {
		damage = tdat_hist_damage(r->hist, &count);
		st = ext_trace_damage(r->trace, damage, count, err);
	}
	return st == TDAT_OK ? tdat_hist_write(r->hist, (enum tdat_hist_view)view, ext_append,
					       &r->text, err)
			     : st;
}

PyObject *ext_trace_hist(PyObject *self, PyObject *args)
{
	struct replay r = {.choice = {.limit = -1}};
	struct tdat_error err = TDAT_ERROR_INIT;
	PyObject *items, *dict, *number, *result = NULL;
	enum tdat_status st;
	const char *kernel;
	uint64_t input;
	int view;

	if (!PyArg_ParseTuple(args, "OO!zOi", &number, &PyList_Type, &items, &kernel, &dict,
			      &view) ||
	    !ext_number(number, "file", UINT32_MAX, &input))
		return NULL;
	r.trace = ext_trace_of(self);
	if (!r.trace)
		return NULL;
	tdat_build_init(&r.text, false);
	/*
	 * The number of the file comes from the caller; inputs are never removed while the trace is
	 * open.
	 */
	if (input >= r.trace->input_count) {
		PyErr_SetString(PyExc_IndexError, "there is no such file");
	} else if (ext_choice_init(&r.choice, dict) && make(&r, input, items, kernel)) {
		Py_BEGIN_ALLOW_THREADS;
		st = finish(&r, view, &err);
		Py_END_ALLOW_THREADS;
		/* An empty result has a NULL pointer, which ext_text would turn into None. */
		if (st != TDAT_OK)
			ext_raise(&err);
		else
			result = ext_text(r.text.len ? (const void *)r.text.ptr : "", r.text.len);
	}
	tdat_hist_free(r.hist);
	ext_choice_fini(&r.choice);
	tdat_build_fini(&r.text);
	ext_trace_put(r.trace);
	return result;
}
