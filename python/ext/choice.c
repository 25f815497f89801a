/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads from a dict which part of a table the caller wants. The keys name columns, CPUs, pids,
 * times, filters and sizes; they become struct tdat_table_opts. Texts and arrays are copied, since
 * the dict may change while a stream is read.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns a value of the dict that is not None; NULL without one, also when an exception was
 * raised.
 */
static PyObject *given(PyObject *dict, const char *key)
{
	PyObject *v = PyDict_GetItemString(dict, key);

	return v == Py_None ? NULL : v;
}

/* Takes a list of str as strings. False after raising an exception. */
static bool take_strings(PyObject *dict, const char *key, char ***out, size_t *count)
{
	PyObject *list = given(dict, key);

	*out = NULL;
	*count = 0;
	return list ? ext_strings(list, out, count) : !PyErr_Occurred();
}

/* Takes an int from least to most. False after raising an exception. */
static bool number(PyObject *v, const char *key, int64_t least, int64_t most, int64_t *out)
{
	const long long n = PyLong_AsLongLong(v);

	if (PyErr_Occurred())
		return false;
	if (n < least || n > most) {
		PyErr_Format(PyExc_ValueError, "%s: %lld is out of range", key, n);
		return false;
	}
	*out = n;
	return true;
}

/* Takes a list of int as numbers of 32 bits, from least to most. */
static bool take_numbers(PyObject *dict, const char *key, int64_t least, int64_t most, void **out,
			 size_t *count)
{
	PyObject *list = given(dict, key);
	/* int32_t of a pid and uint32_t of a CPU share this room: the bits are the same. */
	uint32_t *v;
	int64_t n;

	*out = NULL;
	*count = 0;
	if (!list)
		return true;
	list = PySequence_List(list);
	/*
	 * PySequence_List makes a list of our own, which code of Python's cannot change meanwhile.
	 */
	if (!list)
		return false;
	v = calloc((size_t)PyList_Size(list) + 1, sizeof(*v));
	if (!v)
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; v && i < PyList_Size(list); i++) {
		if (!number(PyList_GetItem(list, i), key, least, most, &n))
			break;
		v[i] = (uint32_t)n;
		*count = (size_t)i + 1;
	}
	Py_DECREF(list);
	*out = v;
	return !PyErr_Occurred();
}

/* Sets *out only if the dict has the key: the caller puts the default there before. */
static bool take_int(PyObject *dict, const char *key, int64_t least, int64_t most, int64_t *out)
{
	PyObject *v = given(dict, key);

	return !v || number(v, key, least, most, out);
}

/* Takes a text that may be missing. */
static bool take_string(PyObject *dict, const char *key, char **out)
{
	PyObject *v = given(dict, key);

	*out = v ? ext_string(v) : NULL;
	return !PyErr_Occurred();
}

/* ---- the filter ---- */

/*
 * The parts of a struct tdat_filter_opts as the dict has them. They live until the filter is made,
 * which copies them.
 */
struct parts {
	char **exprs, **events, **comms, **buffers;
	size_t expr_count, event_count, comm_count, buffer_count, pid_count;
	void *pids;
};

static void parts_fini(struct parts *p)
{
	ext_free_strings(p->exprs, p->expr_count);
	ext_free_strings(p->events, p->event_count);
	ext_free_strings(p->comms, p->comm_count);
	ext_free_strings(p->buffers, p->buffer_count);
	free(p->pids);
}

static bool parts_init(struct parts *p, PyObject *dict)
{
	*p = (struct parts){.exprs = NULL};
	return take_strings(dict, "exprs", &p->exprs, &p->expr_count) &&
	       take_strings(dict, "events", &p->events, &p->event_count) &&
	       take_strings(dict, "comms", &p->comms, &p->comm_count) &&
	       take_strings(dict, "buffers", &p->buffers, &p->buffer_count) &&
	       take_numbers(dict, "filter_pids", INT32_MIN, INT32_MAX, &p->pids, &p->pid_count);
}

/* Makes no filter without a part: a filter of nothing would still be asked for each event. */
static bool make_filter(struct ext_choice *c, const struct parts *p)
{
	struct tdat_filter_opts f = TDAT_FILTER_OPTS_INIT;
	struct tdat_filter_expr *exprs = NULL;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	/* "from" and "to" are texts of times, such as "12.5" or "+1s", which the library parses. */
	if (!p->expr_count && !p->event_count && !p->comm_count && !p->buffer_count &&
	    !p->pid_count && !c->from && !c->to)
		return true;
	exprs = calloc(p->expr_count + 1, sizeof(*exprs));
	if (!exprs) {
		PyErr_NoMemory();
		return false;
	}
	for (size_t i = 0; i < p->expr_count; i++)
		exprs[i].text = p->exprs[i];
	f.exprs = exprs;
	f.expr_count = p->expr_count;
	f.events = (const char *const *)p->events;
	f.event_count = p->event_count;
	f.comms = (const char *const *)p->comms;
	f.comm_count = p->comm_count;
	f.buffers = (const char *const *)p->buffers;
	f.buffer_count = p->buffer_count;
	f.pids = p->pids;
	f.pid_count = p->pid_count;
	f.from = c->from;
	f.to = c->to;
	/* A stack that follows a matching event is not a row of the wanted table. */
	f.stacks = c->path_count ? TDAT_STACKS_EVENT : TDAT_STACKS_NONE;
	st = tdat_filter_new(&c->filter, &f, &err);
	free(exprs);
	if (st != TDAT_OK)
		ext_raise(&err);
	c->opts.filter = c->filter;
	return st == TDAT_OK;
}

/* ---- all of it ---- */

/*
 * "span" is a pair of inclusive times as the column ts has them. Unlike "from" and "to" they are
 * numbers, and choose rows of a derived table by their ts.
 */
static bool take_span(struct ext_choice *c, PyObject *dict)
{
	PyObject *span = given(dict, "span");
	long long from, to;

	if (!span)
		return true;
	if (!PyArg_ParseTuple(span, "LL", &from, &to))
		return false;
	c->opts.has_span = true;
	c->opts.from_ts = from;
	c->opts.to_ts = to;
	return true;
}

bool ext_choice_init(struct ext_choice *c, PyObject *dict)
{
	int64_t split = 0, split_count = 0, batch_rows = 0;
	struct parts parts;
	bool good;

	/*
	 * All members are valid before the first failure, so that ext_choice_fini frees a half-read
	 * one.
	 */
	*c = (struct ext_choice){.opts = TDAT_TABLE_OPTS_INIT, .limit = -1};
	if (!PyDict_Check(dict)) {
		PyErr_SetString(PyExc_TypeError, "expected a dict");
		return false;
	}
	if (!take_strings(dict, "columns", &c->columns, &c->column_count) ||
	    !take_strings(dict, "layout", &c->layout, &c->layout_count) ||
	    !take_strings(dict, "keys", &c->keys, &c->key_count) ||
	    !take_strings(dict, "paths", &c->paths, &c->path_count) ||
	    !take_string(dict, "table", &c->table) || !take_string(dict, "value", &c->value) ||
	    !take_string(dict, "from", &c->from) || !take_string(dict, "to", &c->to) ||
	    !take_int(dict, "worst", 0, UINT32_MAX, &c->worst) ||
	    !take_numbers(dict, "cpus", 0, UINT32_MAX, &c->cpus, &c->opts.cpu_count) ||
	    !take_numbers(dict, "pids", INT32_MIN, INT32_MAX, &c->pids, &c->opts.pid_count) ||
	    !take_int(dict, "limit", 0, INT64_MAX, &c->limit) ||
	    !take_int(dict, "split", 0, UINT32_MAX, &split) ||
	    !take_int(dict, "split_count", 0, UINT32_MAX, &split_count) ||
	    !take_int(dict, "batch_rows", 1, INT32_MAX, &batch_rows) || !take_span(c, dict))
		return false;
	/*
	 * A small limit makes small batches: a caller who wants ten rows should not wait for the
	 * usual 65,536.
	 */
	if (c->limit >= 0 && (!batch_rows || c->limit < batch_rows))
		batch_rows = c->limit && c->limit < 65536 ? c->limit : batch_rows;
	/* An empty list of columns is a wish for no columns; NULL asks for all of them. */
	c->opts.columns = c->columns ? (const char *const *)c->columns : NULL;
	c->opts.column_count = c->column_count;
	c->opts.cpus = c->cpus;
	c->opts.pids = c->pids;
	c->opts.split = (uint32_t)split;
	c->opts.split_count = (uint32_t)split_count;
	c->opts.batch_rows = (uint32_t)batch_rows;
	good = parts_init(&parts, dict) && make_filter(c, &parts);
	parts_fini(&parts);
	return good;
}

void ext_choice_fini(struct ext_choice *c)
{
	ext_free_strings(c->columns, c->column_count);
	ext_free_strings(c->layout, c->layout_count);
	ext_free_strings(c->keys, c->key_count);
	ext_free_strings(c->paths, c->path_count);
	free(c->table);
	free(c->value);
	free(c->from);
	free(c->to);
	free(c->cpus);
	free(c->pids);
	tdat_filter_free(c->filter);
}
