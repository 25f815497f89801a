/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Turns the rows of an Arrow stream into tuples, for those who have no Arrow library. It reads
 * batches of the extension's own streams and makes Python objects; texts of a dictionary become
 * objects once for each batch.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/arrow_value.h"

/*
 * Lists that are nested more deeply are refused: reading them recurses, and the stream may be
 * another program's.
 */
enum { DEPTH = 8 };

/* How the values of a column are stored, by its format; '#': names in a dictionary. */
struct column {
	const struct ArrowSchema *schema;
	const struct ArrowArray *array;
	PyObject *names; /* of a dictionary: a list of its texts */
	char kind;
};

struct rows_object {
	PyObject_HEAD struct ArrowArrayStream *stream;
	PyObject *capsule;
	struct ArrowSchema schema;
	struct ArrowArray batch;
	struct column *columns;
	int64_t row;
	size_t column_count;
	bool known; /* the types of all columns */
	bool busy;  /* next runs: it lets other threads run, and making objects may do so, too */
};

/* ---- values ---- */

/* Rows count from the array's offset, which producers set on slices. */
static bool is_null(const struct ArrowArray *a, int64_t row)
{
	return tdat_arrow_is_null(a, row + a->offset);
}

static int64_t integer(char kind, const struct ArrowArray *a, int64_t row)
{
	return tdat_arrow_number(kind, a->buffers[1], row + a->offset);
}

/*
 * The range of a row's bytes or list elements, from offsets of 64 bits ("large" Arrow types) or 32
 * bits.
 */
static void extent(const struct ArrowArray *a, int64_t row, bool large, int64_t *from, int64_t *to)
{
	row += a->offset;
	*from = large ? ((const int64_t *)a->buffers[1])[row]
		      : ((const int32_t *)a->buffers[1])[row];
	*to = large ? ((const int64_t *)a->buffers[1])[row + 1]
		    : ((const int32_t *)a->buffers[1])[row + 1];
}

static PyObject *value_of(const struct ArrowSchema *s, const struct ArrowArray *a, int64_t row,
			  int depth);

/* format[1] is 'l' or 'L': Arrow's list and large list. */
static PyObject *list_of(const struct ArrowSchema *s, const struct ArrowArray *a, int64_t row,
			 int depth)
{
	PyObject *list = PyList_New(0);
	int64_t from, to;

	extent(a, row, s->format[1] == 'L', &from, &to);
	for (; list && from < to; from++)
		ext_add(&list, value_of(s->children[0], a->children[0], from, depth + 1));
	return list;
}

/*
 * Formats: 'u' and 'U' are UTF-8, 'z' and 'Z' bytes; capitals have 64-bit offsets. An array of
 * empty texts may have no data buffer.
 */
static PyObject *bytes_of(char kind, const struct ArrowArray *a, int64_t row)
{
	const char *data = a->buffers[2];
	int64_t from, to;

	extent(a, row, kind == 'U' || kind == 'Z', &from, &to);
	data = data ? data + from : "";
	if (kind == 'u' || kind == 'U')
		return ext_text(data, (size_t)(to - from));
	return PyBytes_FromStringAndSize(data, (Py_ssize_t)(to - from));
}

/*
 * A text or bytes of a view: 16 bytes, of which the first four are the length. Up to 12 bytes
 * follow it; longer ones are in the buffer that the third word says, from the offset in the fourth.
 */
static PyObject *view_of(char kind, const struct ArrowArray *a, int64_t row)
{
	const int32_t *view = (const int32_t *)a->buffers[1] + 4 * (row + a->offset);
	const char *data = (const char *)&view[1];

	if (view[0] > 12)
		data = (const char *)a->buffers[2 + view[2]] + view[3];
	if (kind == 'u')
		return ext_text(data, (size_t)view[0]);
	return PyBytes_FromStringAndSize(data, view[0]);
}

/*
 * One value by the first letter of its Arrow format. is_known() has refused all formats that are
 * not here; times ('t') are numbers of their unit.
 */
static PyObject *bare_value(char kind, const struct ArrowSchema *s, const struct ArrowArray *a,
			    int64_t row, int depth)
{
	switch (kind) {
	case 'b':
		return PyBool_FromLong(integer(kind, a, row));
	case 'f':
		return PyFloat_FromDouble((double)((const float *)a->buffers[1])[row + a->offset]);
	case 'g':
		return PyFloat_FromDouble(((const double *)a->buffers[1])[row + a->offset]);
	case 'u':
	case 'U':
	case 'z':
	case 'Z':
		return bytes_of(kind, a, row);
	case 'v':
		return view_of(s->format[1], a, row);
	case '+':
		return list_of(s, a, row, depth);
	case 'L':
		return PyLong_FromUnsignedLongLong((uint64_t)integer(kind, a, row));
	default:
		return PyLong_FromLongLong(integer(kind, a, row));
	}
}

/*
 * Follows dictionaries in nested columns. Top-level dictionaries go through column_value, which
 * keeps objects.
 */
static PyObject *value_of(const struct ArrowSchema *s, const struct ArrowArray *a, int64_t row,
			  int depth)
{
	if (is_null(a, row))
		Py_RETURN_NONE;
	if (!s->dictionary)
		return bare_value(s->format[0], s, a, row, depth);
	return value_of(s->dictionary, a->dictionary, integer(s->format[0], a, row), depth + 1);
}

/*
 * True if value_of can read a column of this format. Checked once for a stream, not for each value.
 */
static bool is_known(const struct ArrowSchema *s, int depth)
{
	const char *f = s->format;

	if (depth > DEPTH)
		return false;
	/* An index of any integer type; its values must be a column that is known, too. */
	if (s->dictionary)
		return strchr("cCsSiIlL", f[0]) && f[0] && !f[1] &&
		       is_known(s->dictionary, depth + 1);
	if (!strcmp(f, "+l") || !strcmp(f, "+L"))
		return s->n_children == 1 && is_known(s->children[0], depth + 1);
	if (!strncmp(f, "ts", 2) || !strncmp(f, "tD", 2) || !strcmp(f, "vu") || !strcmp(f, "vz"))
		return true;
	return f[0] && !f[1] && strchr("bcCsSiIlLfguUzZ", f[0]);
}

/* ---- batches ---- */

/* Makes a list of the texts of a dictionary, once for each batch. */
static PyObject *dictionary_names(const struct ArrowSchema *s, const struct ArrowArray *a)
{
	PyObject *list = PyList_New(0);

	for (int64_t i = 0; list && i < a->length; i++)
		ext_add(&list, value_of(s, a, i, 1));
	return list;
}

/* Objects of names belong to a batch: the next one may have another dictionary. */
static void drop_batch(struct rows_object *o)
{
	for (size_t i = 0; o->columns && i < o->column_count; i++)
		Py_CLEAR(o->columns[i].names);
	if (o->batch.release)
		o->batch.release(&o->batch);
	o->batch.release = NULL;
	o->row = 0;
}

/*
 * Arrow's callbacks return an errno and a text without our status, so a failed stream counts as
 * damage.
 */
static PyObject *stream_failed(struct rows_object *o)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *text = o->stream->get_last_error(o->stream);

	tdat_error_set(&err, TDAT_E_DAMAGED, TDAT_NO_OFFSET, "%s",
		       text ? text : "an Arrow stream failed");
	return ext_raise(&err);
}

/* Reads the next batch. False at the end, and after raising an exception. */
static bool next_batch(struct rows_object *o)
{
	int error;

	drop_batch(o);
	Py_BEGIN_ALLOW_THREADS;
	error = o->stream->get_next(o->stream, &o->batch);
	Py_END_ALLOW_THREADS;
	if (error) {
		stream_failed(o);
		return false;
	}
	/* By Arrow's C stream interface, an array with release NULL is the end of the stream. */
	if (!o->batch.release)
		return false;
	/* A foreign producer may err; its memory would be read beyond the children otherwise. */
	if (o->batch.n_children != (int64_t)o->column_count) {
		PyErr_SetString(PyExc_ValueError, "a batch does not match its schema");
		return false;
	}
	for (size_t i = 0; i < o->column_count; i++) {
		struct column *c = &o->columns[i];

		c->array = o->batch.children[i];
		if (c->schema->dictionary)
			c->names = dictionary_names(c->schema->dictionary, c->array->dictionary);
		if (c->schema->dictionary && !c->names)
			return false;
	}
	return true;
}

/* Returns a new reference. Names of a dictionary are shared objects: a column of tasks has few. */
static PyObject *column_value(const struct column *c, int64_t row)
{
	PyObject *name;

	if (is_null(c->array, row))
		Py_RETURN_NONE;
	if (!c->names)
		return bare_value(c->kind, c->schema, c->array, row, 0);
	name = PyList_GetItem(c->names, (Py_ssize_t)integer(c->kind, c->array, row));
	Py_XINCREF(name);
	return name;
}

/*
 * Returns the next row as a tuple; NULL at the end or after raising an exception. The loop skips
 * empty batches.
 */
static PyObject *next_row(struct rows_object *o)
{
	PyObject *row;

	while (o->row >= (o->batch.release ? o->batch.length : 0))
		if (!next_batch(o))
			return NULL;
	row = PyTuple_New((Py_ssize_t)o->column_count);
	/* A struct array's own offset counts for its children as well. */
	for (size_t i = 0; row && i < o->column_count; i++)
		ext_put(&row, i, column_value(&o->columns[i], o->row + o->batch.offset));
	o->row++;
	return row;
}

/* Refuses columns whose values cannot become objects, before any row is read. */
static bool check_types(struct rows_object *o)
{
	for (size_t i = 0; i < o->column_count && !o->known; i++) {
		const struct ArrowSchema *s = o->columns[i].schema;

		if (!is_known(s, 0)) {
			PyErr_Format(PyExc_TypeError,
				     "column %s: the Arrow type %s is not supported", s->name,
				     s->format);
			return false;
		}
	}
	o->known = true;
	return true;
}

static PyObject *rows_next(PyObject *self)
{
	struct rows_object *o = (struct rows_object *)self;
	PyObject *row;

	if (o->busy)
		return PyErr_Format(PyExc_ValueError, "another thread reads these rows");
	if (!check_types(o))
		return NULL;
	o->busy = true;
	row = next_row(o);
	o->busy = false;
	return row;
}

/* ---- the object ---- */

static void rows_dealloc(PyObject *self)
{
	struct rows_object *o = (struct rows_object *)self;

	drop_batch(o);
	if (o->schema.release)
		o->schema.release(&o->schema);
	free(o->columns);
	Py_XDECREF(o->capsule);
	ext_free(self);
}

/* columns() lists types that are not known, too: callers say more of them. */
static bool take_schema(struct rows_object *o)
{
	if (o->stream->get_schema(o->stream, &o->schema)) {
		stream_failed(o);
		return false;
	}
	if (strcmp(o->schema.format, "+s") != 0) {
		PyErr_SetString(PyExc_ValueError, "expected an Arrow stream of rows");
		return false;
	}
	o->column_count = (size_t)o->schema.n_children;
	o->columns = calloc(o->column_count + 1, sizeof(*o->columns));
	if (!o->columns) {
		PyErr_NoMemory();
		return false;
	}
	for (size_t i = 0; i < o->column_count; i++) {
		struct column *c = &o->columns[i];

		c->schema = o->schema.children[i];
		c->kind = c->schema->format[0];
	}
	return true;
}

/*
 * The capsule keeps the stream alive; its destructor releases the stream when the rows are freed.
 */
PyObject *ext_rows(PyObject *module, PyObject *args)
{
	struct rows_object *o;
	struct ArrowArrayStream *stream;
	PyObject *capsule;

	if (!PyArg_ParseTuple(args, "O", &capsule))
		return NULL;
	stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
	if (!stream)
		return NULL;
	/*
	 * A consumer that takes a stream out of a capsule leaves release NULL, by the PyCapsule
	 * interface.
	 */
	if (!stream->release)
		return PyErr_Format(PyExc_ValueError, "the Arrow stream was already read");
	o = ext_new(ext_state(module)->rows);
	if (!o)
		return NULL;
	Py_INCREF(capsule);
	o->capsule = capsule;
	o->stream = stream;
	if (!take_schema(o)) {
		Py_DECREF(o);
		return NULL;
	}
	return (PyObject *)o;
}

/*
 * Returns pairs of a column's name and its Arrow format, that of the texts where it is a
 * dictionary.
 */
static PyObject *rows_columns(PyObject *self, PyObject *args)
{
	struct rows_object *o = (struct rows_object *)self;
	PyObject *list = PyList_New(0);

	(void)args;
	for (size_t i = 0; list && i < o->column_count; i++) {
		const struct ArrowSchema *s = o->columns[i].schema;
		const struct ArrowSchema *item = s->n_children ? s->children[0] : NULL;

		ext_add(&list, Py_BuildValue("NsNN", ext_cstr(s->name),
					     s->dictionary ? s->dictionary->format : s->format,
					     ext_cstr(item ? item->format : NULL),
					     PyBool_FromLong(s->dictionary != NULL)));
	}
	return list;
}

static PyMethodDef methods[] = {
	{"columns", rows_columns, METH_NOARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, EXT_SLOT(ext_no_new)},
	{Py_tp_dealloc, EXT_SLOT(rows_dealloc)},
	{Py_tp_iter, EXT_SLOT(PyObject_SelfIter)},
	{Py_tp_iternext, EXT_SLOT(rows_next)},
	{Py_tp_methods, methods},
	{0, NULL},
};

PyType_Spec ext_rows_spec = {
	.name = "tdat._tdat.Rows",
	.basicsize = sizeof(struct rows_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};
