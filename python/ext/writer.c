/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes a trace.dat for Python: formats as text, records as bytes. Calls go to a tdat_writer's
 * emit; records are bytes that Python made. A writer that is not finished leaves no file.
 * Arguments are read before the writer is asked for, because reading them may run code of
 * Python's that ends it.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include <tdat/writer.h>

struct writer_object {
	PyObject_HEAD struct tdat_writer *writer; /* NULL: finished or given up */
	bool busy;				  /* finish works without the GIL */
};

/* Returns how to give the writer something, if it can be used; NULL after raising an exception. */
static const struct tdat_emit *emit_of(PyObject *self)
{
	struct writer_object *o = (struct writer_object *)self;

	if (o->writer && !o->busy)
		return tdat_writer_emit(o->writer);
	PyErr_SetString(PyExc_ValueError, "the writer is closed");
	return NULL;
}

static PyObject *done(enum tdat_status st, const struct tdat_error *err)
{
	if (st != TDAT_OK)
		return ext_raise(err);
	Py_RETURN_NONE;
}

/* ---- making one ---- */

PyObject *ext_writer(PyObject *module, PyObject *args)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct writer_object *o;
	PyObject *path_text, *version_number, *cpus_number;
	uint64_t version, cpus;
	enum tdat_status st;
	int force, big_endian;
	char *path;

	if (!PyArg_ParseTuple(args, "OOzippOzzz", &path_text, &version_number, &opts.compression,
			      &opts.level, &force, &big_endian, &cpus_number, &info.clock,
			      &info.uname, &info.version) ||
	    !ext_number(version_number, "version", UINT32_MAX, &version) ||
	    !ext_number(cpus_number, "cpus", UINT32_MAX, &cpus))
		return NULL;
	opts.version = (uint32_t)version;
	info.cpu_count = (uint32_t)cpus;
	path = ext_string(path_text);
	o = path ? ext_new(ext_state(module)->writer) : NULL;
	if (!o) {
		free(path);
		return NULL;
	}
	opts.force = force;
	info.big_endian = big_endian;
	st = tdat_writer_new(&o->writer, path, &opts, &err);
	free(path);
	if (st == TDAT_OK)
		st = tdat_emit_info(tdat_writer_emit(o->writer), &info, &err);
	if (st != TDAT_OK) {
		ext_raise(&err);
		Py_DECREF(o);
		return NULL;
	}
	return (PyObject *)o;
}

static void writer_dealloc(PyObject *self)
{
	tdat_writer_free(((struct writer_object *)self)->writer);
	ext_free(self);
}

/*
 * ---- what it takes ----
 *
 * The writer is asked for when all arguments are read, because reading them may run code of
 * Python's that ends it.
 */

/* format(system, text): the id that records begin with. */
static PyObject *writer_format(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	const char *system, *text;
	Py_ssize_t len;
	uint16_t id;

	if (!PyArg_ParseTuple(args, "ss#", &system, &text, &len) || !(emit = emit_of(self)))
		return NULL;
	if (tdat_emit_format(emit, system, text, (size_t)len, &id, &err))
		return ext_raise(&err);
	return PyLong_FromLong(id);
}

/* buffer(name, clock): the number of a further buffer instance. */
static PyObject *writer_buffer(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	const char *name, *clock;
	uint32_t number;

	if (!PyArg_ParseTuple(args, "sz", &name, &clock) || !(emit = emit_of(self)))
		return NULL;
	if (tdat_emit_buffer(emit, name, clock, &number, &err))
		return ext_raise(&err);
	return PyLong_FromUnsignedLong(number);
}

static PyObject *writer_comm(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	const char *name;
	int pid;

	if (!PyArg_ParseTuple(args, "is", &pid, &name) || !(emit = emit_of(self)))
		return NULL;
	return done(tdat_emit_comm(emit, pid, name, &err), &err);
}

/* text("kallsyms" or "printk_formats", text) */
static PyObject *writer_text(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	const char *what, *text;
	Py_ssize_t len;

	if (!PyArg_ParseTuple(args, "ss#", &what, &text, &len) || !(emit = emit_of(self)))
		return NULL;
	if (!strcmp(what, "kallsyms"))
		return done(tdat_emit_kallsyms(emit, text, (size_t)len, &err), &err);
	return done(tdat_emit_printk(emit, text, (size_t)len, &err), &err);
}

static PyObject *writer_option(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *emit;
	PyObject *number;
	const char *data;
	Py_ssize_t len;
	uint64_t id;

	if (!PyArg_ParseTuple(args, "Oy#", &number, &data, &len) ||
	    !ext_number(number, "option", UINT16_MAX, &id) || !(emit = emit_of(self)))
		return NULL;
	return done(tdat_emit_option(emit, (uint16_t)id, data, (size_t)len, &err), &err);
}

/* event(buffer, cpu, ts, lost, record) */
static PyObject *writer_event(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_emit_event ev = {.buffer = 0};
	PyObject *buffer_number, *cpu_number, *ts_number;
	const struct tdat_emit *emit;
	uint64_t buffer, cpu;
	const char *record;
	Py_ssize_t len;
	long long lost;

	if (!PyArg_ParseTuple(args, "OOOLy#", &buffer_number, &cpu_number, &ts_number, &lost,
			      &record, &len) ||
	    !ext_number(buffer_number, "buffer", UINT32_MAX, &buffer) ||
	    !ext_number(cpu_number, "cpu", UINT32_MAX, &cpu) ||
	    !ext_number(ts_number, "ts", INT64_MAX, &ev.ts))
		return NULL;
	if (lost < -1)
		return PyErr_Format(PyExc_ValueError,
				    "lost: %lld is neither a number of events nor -1", lost);
	emit = emit_of(self);
	if (!emit)
		return NULL;
	ev.buffer = (uint32_t)buffer;
	ev.cpu = (uint32_t)cpu;
	ev.lost_before = lost;
	ev.record = (struct tdat_span){(const uint8_t *)record, (size_t)len};
	return done(tdat_emit_event(emit, &ev, &err), &err);
}

/* ---- its end ---- */

/* finish(): the number of events. The file appears under its name. */
static PyObject *writer_finish(PyObject *self, PyObject *args)
{
	struct writer_object *o = (struct writer_object *)self;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_writer *w = o->writer;
	enum tdat_status st;
	uint64_t events;

	(void)args;
	if (!emit_of(self))
		return NULL;
	o->busy = true;
	Py_BEGIN_ALLOW_THREADS;
	events = tdat_writer_events(w);
	st = tdat_writer_finish(w, &err);
	tdat_writer_free(w);
	Py_END_ALLOW_THREADS;
	o->writer = NULL;
	o->busy = false;
	return st == TDAT_OK ? PyLong_FromUnsignedLongLong(events) : ext_raise(&err);
}

/* abandon(): no file appears. */
static PyObject *writer_abandon(PyObject *self, PyObject *args)
{
	struct writer_object *o = (struct writer_object *)self;

	(void)args;
	if (!o->busy) {
		tdat_writer_free(o->writer);
		o->writer = NULL;
	}
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"abandon", writer_abandon, METH_NOARGS, NULL},
	{"buffer", writer_buffer, METH_VARARGS, NULL},
	{"comm", writer_comm, METH_VARARGS, NULL},
	{"event", writer_event, METH_VARARGS, NULL},
	{"finish", writer_finish, METH_NOARGS, NULL},
	{"format", writer_format, METH_VARARGS, NULL},
	{"option", writer_option, METH_VARARGS, NULL},
	{"text", writer_text, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, EXT_SLOT(ext_no_new)},
	{Py_tp_dealloc, EXT_SLOT(writer_dealloc)},
	{Py_tp_methods, methods},
	{0, NULL},
};

PyType_Spec ext_writer_spec = {
	.name = "tdat._tdat.Writer",
	.basicsize = sizeof(struct writer_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};
