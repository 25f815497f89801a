/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the module tdat._tdat: its types and functions. The module uses the limited API of
 * Python 3.9 and multi-phase initialisation, so one binary serves all versions. It has no state
 * outside of the module object.
 */
#include "ext.h"

/*
 * The functions of the module. The package calls them with all arguments by position; the sentences
 * are for help(), since users call the functions of the package.
 */
static PyMethodDef functions[] = {
	{"diff", ext_diff, METH_VARARGS, "diff(min_change, by_pid, samples) -> JSON"},
	{"open", ext_open, METH_VARARGS, "open(paths, strict, raw_ts, no_date, pairs) -> Trace"},
	{"rows", ext_rows, METH_VARARGS, "rows(arrow_array_stream capsule) -> Rows"},
	{"writer", ext_writer, METH_VARARGS, "writer(path, options) -> Writer"},
	{NULL, NULL, 0, NULL},
};

/*
 * Keeps two references to a type: PyModule_AddObject takes one, the state of the module holds the
 * other until module_clear.
 */
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

/*
 * Fills a new module object. Each interpreter runs it for itself, which multi-phase initialization
 * (PEP 489) is for.
 */
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

/* The garbage collector asks for the state before module_exec ran, too: then it may be NULL. */
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

/*
 * The size of the state makes each module object own its types. Nothing here is changed after the
 * start.
 */
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
