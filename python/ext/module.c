/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the module tdat._tdat: its types and functions, and how failures become exceptions. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

struct ext_state *ext_state(PyObject *module)
{
	return PyModule_GetState(module);
}

/* ---- failures ---- */

PyObject *ext_raise(const struct tdat_error *err)
{
	PyObject *errors, *e;

	if (PyErr_Occurred())
		return NULL;
	if (err->status == TDAT_E_NOMEM)
		return PyErr_NoMemory();
	errors = PyImport_ImportModule("tdat._errors");
	if (!errors)
		return NULL;
	e = PyObject_CallMethod(errors, "make", "sNOi", tdat_status_name(err->status),
				ext_text(err->message, strlen(err->message)), Py_None,
				err->sys_errno);
	Py_DECREF(errors);
	if (e && err->off != TDAT_NO_OFFSET) {
		PyObject *off = PyLong_FromUnsignedLongLong(err->off);

		if (!off || PyObject_SetAttrString(e, "offset", off))
			Py_CLEAR(e);
		Py_XDECREF(off);
	}
	if (e)
		PyErr_SetObject((PyObject *)Py_TYPE(e), e);
	Py_XDECREF(e);
	return NULL;
}

PyObject *ext_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)type;
	(void)args;
	(void)kwargs;
	PyErr_SetString(PyExc_TypeError, "objects of this type are made by functions of tdat");
	return NULL;
}

void ext_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_Free(self);
	Py_DECREF(type);
}

/* ---- text ---- */

char *ext_string(PyObject *text)
{
	PyObject *bytes;
	char *data, *copy;
	Py_ssize_t len;

	if (!PyUnicode_Check(text)) {
		PyErr_SetString(PyExc_TypeError, "a str is expected");
		return NULL;
	}
	bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");
	if (!bytes)
		return NULL;
	if (PyBytes_AsStringAndSize(bytes, &data, &len) || strlen(data) != (size_t)len) {
		Py_DECREF(bytes);
		PyErr_SetString(PyExc_ValueError, "a str without NUL is expected");
		return NULL;
	}
	copy = strdup(data);
	Py_DECREF(bytes);
	if (!copy)
		PyErr_NoMemory();
	return copy;
}

PyObject *ext_text(const void *ptr, size_t len)
{
	if (!ptr)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(ptr, (Py_ssize_t)len, "replace");
}

/* ---- the module ---- */

static PyMethodDef functions[] = {
	{"open", ext_open, METH_VARARGS, "open(paths, strict, raw_ts, no_date, pairs) -> Trace"},
	{"rows", ext_rows, METH_VARARGS, "rows(arrow_array_stream capsule) -> Rows"},
	{"writer", ext_writer, METH_VARARGS, "writer(path, options) -> Writer"},
	{NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **out)
{
	*out = (PyTypeObject *)PyType_FromSpec(spec);
	if (!*out)
		return -1;
	Py_INCREF(*out);
	if (PyModule_AddObject(module, name, (PyObject *)*out)) {
		Py_DECREF(*out);
		return -1;
	}
	return 0;
}

static int module_exec(PyObject *module)
{
	struct ext_state *s = ext_state(module);

	if (add_type(module, "Trace", &ext_trace_spec, &s->trace) ||
	    add_type(module, "Stream", &ext_stream_spec, &s->stream) ||
	    add_type(module, "Rows", &ext_rows_spec, &s->rows) ||
	    add_type(module, "Events", &ext_events_spec, &s->events) ||
	    add_type(module, "Writer", &ext_writer_spec, &s->writer))
		return -1;
	return PyModule_AddStringConstant(module, "version", tdat_version());
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
	struct ext_state *s = ext_state(module);

	if (!s)
		return 0;
	Py_VISIT(s->trace);
	Py_VISIT(s->stream);
	Py_VISIT(s->rows);
	Py_VISIT(s->events);
	Py_VISIT(s->writer);
	return 0;
}

static int module_clear(PyObject *module)
{
	struct ext_state *s = ext_state(module);

	if (!s)
		return 0;
	Py_CLEAR(s->trace);
	Py_CLEAR(s->stream);
	Py_CLEAR(s->rows);
	Py_CLEAR(s->events);
	Py_CLEAR(s->writer);
	return 0;
}

static PyModuleDef_Slot slots[] = {
	{Py_mod_exec, EXT_SLOT(module_exec)},
	{0, NULL},
};

static struct PyModuleDef definition = {
	.m_base = PyModuleDef_HEAD_INIT,
	.m_name = "tdat._tdat",
	.m_doc = "libtdat for the package tdat: use that.",
	.m_size = sizeof(struct ext_state),
	.m_methods = functions,
	.m_slots = slots,
	.m_traverse = module_traverse,
	.m_clear = module_clear,
};

/* The interpreter finds it by its name. */
PyMODINIT_FUNC PyInit__tdat(void);

PyMODINIT_FUNC PyInit__tdat(void)
{
	return PyModuleDef_Init(&definition);
}
