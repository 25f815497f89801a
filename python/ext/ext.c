/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns failures of the library into Python exceptions, and Python texts and numbers into C and
 * back. All files of the module use it. Every exception carries the library's sentence, and its
 * offset in the file where there is one. Objects of the module's types are freed here.
 */
#include "ext.h"

#include <string.h>

#include "core/build.h"

struct ext_state *ext_state(PyObject *module)
{
	return PyModule_GetState(module);
}

PyObject *ext_raise_made(PyObject *e)
{
	if (e)
		PyErr_SetObject((PyObject *)Py_TYPE(e), e);
	Py_XDECREF(e);
	return NULL;
}

/*
 * Imports tdat._errors at each failure, because the module keeps no state but its types. The
 * exception carries the name of the status; the system's errno chooses its class.
 */
PyObject *ext_raise(const struct tdat_error *err)
{
	PyObject *errors, *e;

	/*
	 * An exception of Python's, as one raised by an allocation, comes first: it is the cause.
	 */
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
	/*
	 * Python code finds the place of damage as err.offset; the attribute is missing without
	 * one.
	 */
	if (e && err->off != TDAT_NO_OFFSET) {
		PyObject *off = PyLong_FromUnsignedLongLong(err->off);

		if (!off || PyObject_SetAttrString(e, "offset", off))
			Py_CLEAR(e);
		Py_XDECREF(off);
	}
	return ext_raise_made(e);
}

PyObject *ext_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)type;
	(void)args;
	(void)kwargs;
	return PyErr_Format(PyExc_TypeError, "only functions of tdat create objects of this type");
}

void *ext_new(PyTypeObject *type)
{
	return PyType_GenericAlloc(type, 0);
}

/*
 * Types made from a spec live on the heap: each object holds a reference to its type, which the
 * generic dealloc of a static type would not drop.
 */
void ext_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_Free(self);
	Py_DECREF(type);
}

char *ext_string(PyObject *text)
{
	PyObject *bytes;
	char *data, *copy;
	Py_ssize_t len;

	if (!PyUnicode_Check(text)) {
		PyErr_SetString(PyExc_TypeError, "expected a str");
		return NULL;
	}
	/* Paths of files may hold bytes outside of UTF-8; Python keeps them as lone surrogates. */
	bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");
	if (!bytes)
		return NULL;
	/* The library takes C strings: a NUL would silently cut the text. */
	if (PyBytes_AsStringAndSize(bytes, &data, &len) || strlen(data) != (size_t)len) {
		Py_DECREF(bytes);
		PyErr_SetString(PyExc_ValueError, "expected a str without NUL");
		return NULL;
	}
	copy = strdup(data);
	Py_DECREF(bytes);
	if (!copy)
		PyErr_NoMemory();
	return copy;
}

void ext_free_strings(char **v, size_t count)
{
	for (size_t i = 0; v && i < count; i++)
		free(v[i]);
	free(v);
}

/*
 * *out has room for one pointer more than the sequence, so that an empty one is not NULL. *count is
 * right at each moment: the caller frees the strings also after an exception.
 */
bool ext_strings(PyObject *list, char ***out, size_t *count)
{
	*out = NULL;
	*count = 0;
	list = PySequence_List(list);
	if (!list)
		return false;
	*out = calloc((size_t)PyList_Size(list) + 1, sizeof(**out));
	if (!*out)
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; *out && i < PyList_Size(list); i++) {
		(*out)[i] = ext_string(PyList_GetItem(list, i));
		if (!(*out)[i])
			break;
		*count = (size_t)i + 1;
	}
	Py_DECREF(list);
	return !PyErr_Occurred();
}

enum tdat_status ext_append(void *build, const void *data, size_t len, struct tdat_error *err)
{
	struct tdat_build *b = build;

	tdat_build_bytes(b, data, len);
	return b->failed ? tdat_error_no_memory(err, "a text") : TDAT_OK;
}

PyObject *ext_text(const void *ptr, size_t len)
{
	if (!ptr)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(ptr, (Py_ssize_t)len, "replace");
}

PyObject *ext_cstr(const char *text)
{
	return ext_text(text, text ? strlen(text) : 0);
}

void ext_add(PyObject **list, PyObject *v)
{
	if (!v || PyList_Append(*list, v))
		Py_CLEAR(*list);
	Py_XDECREF(v);
}

void ext_put(PyObject **tuple, size_t i, PyObject *v)
{
	if (!v || PyTuple_SetItem(*tuple, (Py_ssize_t)i, v))
		Py_CLEAR(*tuple);
}

/*
 * PyNumber_Index also takes integers of NumPy. A number below 0 or above 64 bits raises
 * OverflowError, which becomes the ValueError that names the argument.
 */
bool ext_number(PyObject *v, const char *name, uint64_t most, uint64_t *out)
{
	PyObject *n = PyNumber_Index(v);

	if (!n)
		return false;
	*out = PyLong_AsUnsignedLongLong(n);
	if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError))
		PyErr_Clear();
	else if (*out <= most) {
		Py_DECREF(n);
		return true;
	}
	PyErr_Format(PyExc_ValueError, "%s: %S is not from 0 to %llu", name, n,
		     (unsigned long long)most);
	Py_DECREF(n);
	return false;
}
