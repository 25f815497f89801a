/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens files and describes them and their tables. A Trace lists tables, buffers, options and
 * damage as Python objects. Closing it does not end a stream: each has a reference of its own
 * (opened.c). Every method takes a reference first, since another thread may close the trace while
 * it runs.
 */
#include "ext.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/check.h>

/* ---- opening ---- */

/* The context of on_meta: whose findings they are, and of which of its files. */
struct meta_check {
	struct ext_trace *t;
	size_t input;
};

/*
 * Stops the check at the first damage of a strict trace; otherwise keeps it and lets the check
 * continue. Findings that are not damage are of interest to `tdat check` alone.
 */
static enum tdat_status on_meta(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	struct meta_check *c = ctx;
	char text[512];

	if (f->severity != TDAT_DAMAGE)
		return TDAT_OK;
	if (c->t->strict)
		return tdat_error_set(err, TDAT_E_DAMAGED, f->off, "%s", f->sentence);
	snprintf(text, sizeof(text), "%.200s: %.300s",
		 tdat_file_info(c->t->inputs[c->input].file)->name, f->sentence);
	ext_trace_find(c->t, c->input, f->off, text);
	return TDAT_OK;
}

/* What is to be opened: names are those that sentences and tables have instead of the paths. */
struct wanted {
	char **paths, **names, **pairs;
	size_t count, name_count, pair_count;
	int strict, raw_ts, no_date;
};

/* Opens path, which is called name: a copy of what the caller knows by that name. */
static enum tdat_status open_as(struct tdat_file **out, const char *path, const char *name,
				const struct tdat_open_opts *opts, struct tdat_error *err)
{
	enum tdat_status st;
	int fd;

	if (!strcmp(path, name))
		return tdat_file_open(out, path, opts, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET, "%s", strerror(errno));
	st = tdat_file_open_fd(out, fd, name, opts, err);
	close(fd);
	return st;
}

/*
 * Opens file i and checks its sections. input_count grows once the file is open, because
 * ext_trace_put closes only counted ones.
 */
static enum tdat_status open_file(struct ext_trace *t, size_t i, const char *path, const char *name,
				  struct tdat_error *err)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct meta_check check = {t, i};
	const struct tdat_error *found;
	enum tdat_status st;
	size_t count;

	opts.tolerate_damage = !t->strict;
	st = open_as(&t->inputs[i].file, path, name, &opts, err);
	if (st == TDAT_OK) {
		t->input_count++;
		st = tdat_check_meta(t->inputs[i].file, on_meta, &check, err);
	}
	if (st != TDAT_OK) {
		/* Some sentences already name the path; a second mention would confuse. */
		if (!strstr(err->message, name))
			tdat_error_prefix(err, "%s", name);
		return st;
	}
	/*
	 * Damage that opening tolerated, as a cut section or option. tdat_check_meta finds the
	 * rest.
	 */
	found = tdat_file_damage(t->inputs[i].file, &count);
	for (size_t k = 0; k < count; k++) {
		char text[512];

		snprintf(text, sizeof(text), "%.200s: %.300s", name, found[k].message);
		ext_trace_find(t, i, found[k].off, text);
	}
	return TDAT_OK;
}

/*
 * Opens the files in the caller's order, which is the number of each in the tables, and makes the
 * tables.
 */
static enum tdat_status open_all(struct ext_trace *t, const struct wanted *w,
				 struct tdat_error *err)
{
	struct tdat_trace_opts opts = TDAT_TRACE_OPTS_INIT;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < w->count && st == TDAT_OK; i++)
		st = open_file(t, i, w->paths[i], w->names[i], err);
	opts.raw_ts = w->raw_ts;
	opts.no_date = w->no_date;
	opts.pairs = (const char *const *)w->pairs;
	opts.pair_count = w->pair_count;
	return st == TDAT_OK ? tdat_trace_new(&t->trace, t->inputs, w->count, &opts, err) : st;
}

/*
 * Returns a trace with one reference, which the caller drops with ext_trace_put; NULL: no memory.
 */
static struct ext_trace *new_trace(const struct wanted *w)
{
	struct ext_trace *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->references = 1;
	t->strict = w->strict;
	t->raw_ts = w->raw_ts;
	t->no_date = w->no_date;
	/* One element more than there are files: calloc(0) might return NULL. */
	t->inputs = calloc(w->count + 1, sizeof(*t->inputs));
	if (!t->inputs || pthread_mutex_init(&t->lock, NULL)) {
		free(t->inputs);
		free(t);
		return NULL;
	}
	return t;
}

static PyObject *open_wanted(PyObject *module, const struct wanted *w)
{
	struct ext_trace *t = new_trace(w);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct ext_trace_object *o;
	enum tdat_status st;

	if (!t)
		return PyErr_NoMemory();
	Py_BEGIN_ALLOW_THREADS;
	st = open_all(t, w, &err);
	Py_END_ALLOW_THREADS;
	o = st == TDAT_OK ? ext_new(ext_state(module)->trace) : NULL;
	/*
	 * The only failure without a status is that of PyObject_New, which raised its own
	 * exception.
	 */
	if (!o) {
		ext_trace_put(t);
		return st == TDAT_OK ? NULL : ext_raise(&err);
	}
	Py_INCREF(module);
	o->module = module;
	o->trace = t;
	return (PyObject *)o;
}

/*
 * open(paths, names, strict, raw_ts, no_date, pairs): names are as many as paths, and pairs the
 * texts of event pairs that become further tables.
 */
PyObject *ext_open(PyObject *module, PyObject *args)
{
	PyObject *paths, *names, *pairs, *o = NULL;
	struct wanted w = {0};

	if (!PyArg_ParseTuple(args, "OOpppO", &paths, &names, &w.strict, &w.raw_ts, &w.no_date,
			      &pairs))
		return NULL;
	if (ext_strings(paths, &w.paths, &w.count) && ext_strings(names, &w.names, &w.name_count) &&
	    ext_strings(pairs, &w.pairs, &w.pair_count)) {
		if (w.name_count == w.count)
			o = open_wanted(module, &w);
		else
			PyErr_SetString(PyExc_ValueError, "each path must have one name");
	}
	ext_free_strings(w.paths, w.count);
	ext_free_strings(w.names, w.name_count);
	ext_free_strings(w.pairs, w.pair_count);
	return o;
}

/*
 * Closing does not end a stream: each has a reference of its own. A second call is harmless. The
 * GIL is released because unmapping large files takes time.
 */
static PyObject *trace_close(PyObject *self, PyObject *args)
{
	struct ext_trace_object *o = (struct ext_trace_object *)self;
	struct ext_trace *t = o->trace;

	(void)args;
	o->trace = NULL;
	Py_BEGIN_ALLOW_THREADS;
	ext_trace_put(t);
	Py_END_ALLOW_THREADS;
	Py_RETURN_NONE;
}

static void trace_dealloc(PyObject *self)
{
	struct ext_trace_object *o = (struct ext_trace_object *)self;

	ext_trace_put(o->trace);
	Py_XDECREF(o->module);
	ext_free(self);
}

/* ---- what there is ---- */

/* Puts a value, whose reference it takes, into a dict. False after raising an exception. */
static bool put(PyObject *dict, const char *key, PyObject *value)
{
	const bool good = value && !PyDict_SetItemString(dict, key, value);

	Py_XDECREF(value);
	return good;
}

/*
 * tables(): a list of (name, kind, system, event); the last two are None except for tables of one
 * event type.
 */
static PyObject *trace_tables(PyObject *self, PyObject *args)
{
	struct ext_trace *t = ext_trace_of(self);
	const struct tdat_table *tables;
	PyObject *list;
	size_t count;

	(void)args;
	if (!t)
		return NULL;
	tables = tdat_trace_tables(t->trace, &count);
	list = PyList_New(0);
	for (size_t i = 0; list && i < count; i++)
		ext_add(&list,
			Py_BuildValue("NiNN", ext_cstr(tables[i].name), (int)tables[i].kind,
				      ext_cstr(tables[i].system), ext_cstr(tables[i].event)));
	ext_trace_put(t);
	return list;
}

/* A dict for one buffer instance. Offsets and lengths of CPU data are bytes in the file. */
static PyObject *one_buffer(const struct tdat_buffer *b)
{
	PyObject *d = PyDict_New(), *cpus = PyList_New(0);

	for (uint32_t i = 0; cpus && i < b->cpu_count; i++)
		ext_add(&cpus,
			Py_BuildValue("IKK", b->cpus[i].cpu, (unsigned long long)b->cpus[i].off,
				      (unsigned long long)b->cpus[i].len));
	/*
	 * put() takes the reference of its value also when it fails, hence cpus is not added by it:
	 * its reference is still needed below.
	 */
	if (d && cpus && put(d, "name", ext_cstr(b->name)) && put(d, "clock", ext_cstr(b->clock)) &&
	    put(d, "page_size", PyLong_FromUnsignedLong(b->page_size)) &&
	    put(d, "compressed", PyBool_FromLong(b->compressed)) &&
	    put(d, "latency", PyBool_FromLong(b->latency)) &&
	    !PyDict_SetItemString(d, "cpus", cpus)) {
		Py_DECREF(cpus);
		return d;
	}
	Py_XDECREF(d);
	Py_XDECREF(cpus);
	return NULL;
}

static bool put_buffers(PyObject *d, const struct tdat_file *file)
{
	size_t count;
	const struct tdat_buffer *b = tdat_file_buffers(file, &count);
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < count; i++)
		ext_add(&list, one_buffer(&b[i]));
	return put(d, "buffers", list);
}

/* A dict with the facts of one file's header and sections; sizes are in bytes. */
static PyObject *one_file(const struct tdat_file *file)
{
	const struct tdat_file_info *f = tdat_file_info(file);
	PyObject *d = PyDict_New();

	if (d && put(d, "name", ext_cstr(f->name)) &&
	    put(d, "version", PyLong_FromUnsignedLong(f->version)) &&
	    put(d, "byte_order", ext_cstr(f->big_endian ? "big" : "little")) &&
	    put(d, "long_size", PyLong_FromUnsignedLong(f->long_size)) &&
	    put(d, "page_size", PyLong_FromUnsignedLong(f->page_size)) &&
	    put(d, "compression", ext_cstr(f->compression)) &&
	    put(d, "cpus", PyLong_FromUnsignedLong(f->cpu_count)) &&
	    put(d, "size", PyLong_FromUnsignedLongLong(f->len)) &&
	    put(d, "formats", PyLong_FromSize_t(tdat_file_format_count(file))) &&
	    put(d, "symbols", PyLong_FromSize_t(tdat_file_symbol_count(file))) &&
	    put(d, "tasks", PyLong_FromSize_t(tdat_file_comm_count(file))) &&
	    put(d, "seconds", PyBool_FromLong(tdat_file_shows_seconds(file))) &&
	    put_buffers(d, file))
		return d;
	Py_XDECREF(d);
	return NULL;
}

static PyObject *trace_files(PyObject *self, PyObject *args)
{
	struct ext_trace *t = ext_trace_of(self);
	PyObject *list;

	(void)args;
	if (!t)
		return NULL;
	list = PyList_New(0);
	for (size_t i = 0; list && i < t->input_count; i++)
		ext_add(&list, one_file(t->inputs[i].file));
	ext_trace_put(t);
	return list;
}

/*
 * damage(): pairs of an offset, None where there is none, and a sentence. The lock keeps streams of
 * other threads from moving the list.
 */
static PyObject *trace_damage(PyObject *self, PyObject *args)
{
	struct ext_trace *t = ext_trace_of(self);
	PyObject *list;

	(void)args;
	if (!t)
		return NULL;
	list = PyList_New(0);
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; list && i < t->finding_count; i++) {
		const struct ext_finding *f = &t->findings[i];
		PyObject *off = f->off == TDAT_NO_OFFSET ? ext_cstr(NULL)
							 : PyLong_FromUnsignedLongLong(f->off);

		ext_add(&list, Py_BuildValue("NN", off, ext_cstr(f->message)));
	}
	pthread_mutex_unlock(&t->lock);
	ext_trace_put(t);
	return list;
}

/*
 * notes(): triples of a table's name, a sentence and its count, as streams have reported them so
 * far.
 */
static PyObject *trace_notes(PyObject *self, PyObject *args)
{
	struct ext_trace *t = ext_trace_of(self);
	PyObject *list;

	(void)args;
	if (!t)
		return NULL;
	list = PyList_New(0);
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; list && i < t->note_count; i++)
		ext_add(&list, Py_BuildValue("NNK", ext_cstr(t->notes[i].table->name),
					     ext_cstr(t->notes[i].what),
					     (unsigned long long)t->notes[i].count));
	pthread_mutex_unlock(&t->lock);
	ext_trace_put(t);
	return list;
}

/*
 * time(text): a time as users write it, as a number of the column ts. "+1s" counts from the first
 * event of all files.
 */
static PyObject *trace_time(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct ext_trace *t;
	enum tdat_status st;
	const char *text;
	int64_t ts;

	if (!PyArg_ParseTuple(args, "s", &text))
		return NULL;
	t = ext_trace_of(self);
	if (!t)
		return NULL;
	Py_BEGIN_ALLOW_THREADS;
	st = tdat_trace_time(t->trace, text, &ts, &err);
	ext_trace_put(t);
	Py_END_ALLOW_THREADS;
	return st == TDAT_OK ? PyLong_FromLongLong(ts) : ext_raise(&err);
}

/* The package's class Trace wraps these; their documentation is there. */
static PyMethodDef methods[] = {
	{"close", trace_close, METH_NOARGS, NULL},
	{"damage", trace_damage, METH_NOARGS, NULL},
	{"events", ext_trace_events, METH_VARARGS, NULL},
	{"files", trace_files, METH_NOARGS, NULL},
	{"hist", ext_trace_hist, METH_VARARGS, NULL},
	{"lacks", ext_trace_lacks, METH_VARARGS, NULL},
	{"notes", trace_notes, METH_NOARGS, NULL},
	{"schema", ext_trace_schema, METH_VARARGS, NULL},
	{"sql", ext_trace_sql, METH_VARARGS, NULL},
	{"summary", ext_trace_summary, METH_VARARGS, NULL},
	{"stream", ext_trace_stream, METH_VARARGS, NULL},
	{"tables", trace_tables, METH_NOARGS, NULL},
	{"time", trace_time, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, EXT_SLOT(ext_no_new)},
	{Py_tp_dealloc, EXT_SLOT(trace_dealloc)},
	{Py_tp_methods, methods},
	{0, NULL},
};

PyType_Spec ext_trace_spec = {
	.name = "tdat._tdat.Trace",
	.basicsize = sizeof(struct ext_trace_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};
