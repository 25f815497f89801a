/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Returns a table as an Arrow stream in a capsule, by Arrow's PyCapsule interface. The stream holds
 * no object of Python, as consumers call it from any thread. Damage is an error of get_next unless
 * the caller chose otherwise. A Stream can be consumed once; its schema can be read at any time.
 */
#include "ext.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Shared by a Stream and the Arrow stream that was made from it. It is counted, because either may
 * live longer, and holds no object of Python.
 */
struct shared {
	int references; /* atomic */
	struct ext_watch watch;
	struct ext_choice choice;
	struct ArrowArrayStream inner;
	struct ext_pad pad; /* places is NULL: none */
	int64_t left;	    /* rows that are still to be returned; -1: all */
	bool failed; /* atomic: the damage, or failure, is set and does not change any more */
	bool ended;
	bool one_type; /* the table has events of one type */
};

/* May run without the GIL, from the release callback of a consumer's thread. */
static void shared_put(struct shared *s)
{
	if (!s || __atomic_sub_fetch(&s->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (s->inner.release)
		s->inner.release(&s->inner);
	free(s->pad.places);
	ext_choice_fini(&s->choice);
	ext_trace_put(s->watch.trace);
	free(s);
}

/* Release order: a reader that sees `failed` on another thread also sees the error's text. */
static int fail(struct shared *s, int error)
{
	__atomic_store_n(&s->failed, true, __ATOMIC_RELEASE);
	return error;
}

/* Runs within get_next. Damage without strict leaves the status 0, and the stream continues. */
static void take_damage(void *ctx, const struct tdat_stream_damage *damage, size_t count)
{
	struct shared *s = ctx;

	ext_watch_damage(&s->watch, damage, count);
	if (s->watch.damage.status)
		fail(s, EIO);
}

/*
 * Keeps the inner stream's text under a status of ours, which decides the class of the exception.
 * Arrow knows only errno values.
 */
static int inner_failed(struct shared *s, int error)
{
	const char *text = s->inner.get_last_error(&s->inner);

	tdat_error_set(&s->watch.damage,
		       error == ENOMEM	 ? TDAT_E_NOMEM
		       : error == EINVAL ? TDAT_E_USAGE
					 : TDAT_E_DAMAGED,
		       TDAT_NO_OFFSET, "%s", text ? text : "the table cannot be read");
	return fail(s, error);
}

/* Sets the failure for a consumer that reads get_last_error; returns the errno. */
static int no_memory(struct shared *s)
{
	tdat_error_no_memory(&s->watch.damage, "a batch of rows");
	return fail(s, ENOMEM);
}

/* Callbacks of the ArrowArrayStream from here on: they return 0 or an errno. */
static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
	struct shared *s = stream->private_data;
	const int error = s->inner.get_schema(&s->inner, out);

	if (error)
		return inner_failed(s, error);
	return s->pad.places && !ext_pad_schema(&s->pad, out) ? no_memory(s) : 0;
}

/* Makes a batch end after its first rows. It may be changed until it is returned. */
static void shorten(struct ArrowArray *rows, int64_t count)
{
	for (int64_t i = 0; i < rows->n_children; i++) {
		rows->children[i]->length = count;
		if (rows->children[i]->null_count)
			rows->children[i]->null_count = -1;
	}
	rows->length = count;
}

/*
 * Returns the next batch, cut to the limit and padded to the layout. Arrow forbids calls from two
 * threads at once.
 */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
	struct shared *s = stream->private_data;
	int error;

	/* An empty array is the end of the stream, so each early return needs one. */
	memset(out, 0, sizeof(*out));
	/* A strict stream that met damage fails from the next call on. */
	if (s->failed)
		return EIO;
	if (!s->left || s->ended)
		return 0;
	error = s->inner.get_next(&s->inner, out);
	if (error)
		return inner_failed(s, error);
	if (!out->release) {
		s->ended = true;
		/* A table of one event type has nothing to do with the others. */
		if (!s->failed && !s->one_type &&
		    ext_trace_undescribed(s->watch.trace, &s->watch.damage))
			fail(s, EIO);
		return s->failed ? EIO : 0;
	}
	/* The limit ends within this batch; later calls return the end. */
	if (s->left > 0 && out->length > s->left)
		shorten(out, s->left);
	if (s->left > 0)
		s->left -= out->length;
	return s->pad.places && !ext_pad_array(&s->pad, out) ? no_memory(s) : 0;
}

/* Arrow keeps the text valid until the next call of the stream: it lives in `shared`. */
static const char *get_last_error(struct ArrowArrayStream *stream)
{
	const struct shared *s = stream->private_data;

	return s->failed ? s->watch.damage.message : NULL;
}

static void release(struct ArrowArrayStream *stream)
{
	shared_put(stream->private_data);
	stream->release = NULL;
}

/* ---- the object ---- */

/* The Python object. It and the capsule's stream each hold one reference of `shared`. */
struct stream_object {
	PyObject_HEAD struct shared *shared;
	bool taken;
};

/*
 * Connects a choice with the readers of a table. The stream reads nothing before the first
 * get_next.
 */
static enum tdat_status open_stream(struct shared *s, const char *table, struct tdat_error *err)
{
	const struct tdat_table *found = tdat_trace_find(s->watch.trace->trace, table);

	if (!found)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "there is no table \"%s\"", table);
	s->choice.opts.damage = take_damage;
	s->choice.opts.damage_ctx = s;
	s->choice.opts.note = ext_watch_note;
	s->choice.opts.note_ctx = &s->watch;
	s->left = s->choice.limit;
	s->one_type = found->kind == TDAT_TABLE_EVENT;
	if (s->choice.layout && !ext_pad_init(&s->pad, &s->choice))
		return tdat_error_no_memory(err, "a stream");
	return tdat_trace_stream(s->watch.trace->trace, found, &s->choice.opts, &s->inner, err);
}

PyObject *ext_trace_stream(PyObject *self, PyObject *args)
{
	struct shared *s = calloc(1, sizeof(*s));
	struct tdat_error err = TDAT_ERROR_INIT;
	struct stream_object *o = NULL;
	enum tdat_status st = TDAT_OK;
	const char *table;
	PyObject *dict;

	if (!s)
		return PyErr_NoMemory();
	s->references = 1;
	/* The reference of ext_trace_of is owned by `shared`: shared_put drops it on every path. */
	if (PyArg_ParseTuple(args, "sO", &table, &dict) && (s->watch.trace = ext_trace_of(self)) &&
	    ext_choice_init(&s->choice, dict)) {
		Py_BEGIN_ALLOW_THREADS;
		st = open_stream(s, table, &err);
		Py_END_ALLOW_THREADS;
		if (st == TDAT_OK)
			o = ext_new(ext_state(ext_module_of(self))->stream);
	}
	if (!o) {
		shared_put(s);
		return st == TDAT_OK ? NULL : ext_raise(&err);
	}
	o->shared = s;
	return (PyObject *)o;
}

/*
 * A consumer that took the stream has set release to NULL and owns it; only the struct is left to
 * free.
 */
static void capsule_free(PyObject *capsule)
{
	struct ArrowArrayStream *a = PyCapsule_GetPointer(capsule, "arrow_array_stream");

	if (!a)
		return;
	if (a->release) {
		Py_BEGIN_ALLOW_THREADS;
		a->release(a);
		Py_END_ALLOW_THREADS;
	}
	free(a);
}

static PyObject *stream_capsule(PyObject *self, PyObject *args)
{
	struct stream_object *o = (struct stream_object *)self;
	struct ArrowArrayStream *a;
	PyObject *capsule, *wanted = NULL;

	/* The consumer may ask for another schema, which a producer need not have. */
	if (!PyArg_ParseTuple(args, "|O", &wanted))
		return NULL;
	if (o->taken)
		return PyErr_Format(PyExc_ValueError, "a stream can be read only once");
	a = calloc(1, sizeof(*a));
	if (!a)
		return PyErr_NoMemory();
	*a = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release, o->shared};
	__atomic_add_fetch(&o->shared->references, 1, __ATOMIC_RELAXED);
	capsule = PyCapsule_New(a, "arrow_array_stream", capsule_free);
	if (!capsule) {
		a->release(a);
		free(a);
		return NULL;
	}
	o->taken = true;
	return capsule;
}

static void schema_free(PyObject *capsule)
{
	struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");

	if (schema && schema->release)
		schema->release(schema);
	free(schema);
}

/* Gives a schema to a capsule, or frees it after a failure, which raised an exception. */
static PyObject *schema_capsule(struct ArrowSchema *schema, bool good)
{
	PyObject *capsule = good ? PyCapsule_New(schema, "arrow_schema", schema_free) : NULL;

	if (!capsule && schema->release)
		schema->release(schema);
	if (!capsule)
		free(schema);
	return capsule;
}

/* Returns the schema as a capsule, before or after the stream was taken. */
static PyObject *stream_schema(PyObject *self, PyObject *args)
{
	struct shared *s = ((struct stream_object *)self)->shared;
	/* get_schema uses only private_data, so a bare struct is enough. */
	struct ArrowArrayStream a = {.private_data = s};
	struct ArrowSchema *schema = calloc(1, sizeof(*schema));

	(void)args;
	if (!schema)
		return PyErr_NoMemory();
	if (get_schema(&a, schema)) {
		free(schema);
		return ext_raise(&s->watch.damage);
	}
	return schema_capsule(schema, true);
}

/*
 * Raises the failure of the stream, if it has one. Arrow libraries show only an OSError of their
 * own; the package calls this to show ours.
 */
static PyObject *stream_raise(PyObject *self, PyObject *args)
{
	struct shared *s = ((struct stream_object *)self)->shared;

	(void)args;
	if (__atomic_load_n(&s->failed, __ATOMIC_ACQUIRE))
		return ext_raise(&s->watch.damage);
	Py_RETURN_NONE;
}

/* Ends at the limit like any consumer, because it calls the same get_next. */
static int count_rows(struct ArrowArrayStream *a, uint64_t *rows)
{
	struct ArrowArray batch;
	int error;

	for (;;) {
		error = get_next(a, &batch);
		if (error || !batch.release)
			return error;
		*rows += (uint64_t)batch.length;
		batch.release(&batch);
	}
}

/* Counts the rows that are left, by reading them. */
static PyObject *stream_count(PyObject *self, PyObject *args)
{
	struct stream_object *o = (struct stream_object *)self;
	struct ArrowArrayStream a = {.private_data = o->shared};
	uint64_t rows = 0;
	int error;

	(void)args;
	if (o->taken)
		return PyErr_Format(PyExc_ValueError, "a stream can be read only once");
	o->taken = true;
	Py_BEGIN_ALLOW_THREADS;
	error = count_rows(&a, &rows);
	Py_END_ALLOW_THREADS;
	return error ? ext_raise(&o->shared->watch.damage) : PyLong_FromUnsignedLongLong(rows);
}

static void stream_dealloc(PyObject *self)
{
	shared_put(((struct stream_object *)self)->shared);
	ext_free(self);
}

static PyMethodDef methods[] = {
	{"__arrow_c_schema__", stream_schema, METH_NOARGS, NULL},
	{"__arrow_c_stream__", stream_capsule, METH_VARARGS, NULL},
	{"count", stream_count, METH_NOARGS, NULL},
	{"raise_failure", stream_raise, METH_NOARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
	{Py_tp_new, EXT_SLOT(ext_no_new)},
	{Py_tp_dealloc, EXT_SLOT(stream_dealloc)},
	{Py_tp_methods, methods},
	{0, NULL},
};

PyType_Spec ext_stream_spec = {
	.name = "tdat._tdat.Stream",
	.basicsize = sizeof(struct stream_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};

/* ---- schemas ---- */

/* The schema of a table for a choice, without opening a stream: no event is read. */
static enum tdat_status make_schema(struct ext_trace *t, const char *table,
				    const struct ext_choice *choice, struct ArrowSchema *schema,
				    struct tdat_error *err)
{
	const struct tdat_table *found = tdat_trace_find(t->trace, table);

	if (!found)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "there is no table \"%s\"", table);
	return tdat_trace_schema(t->trace, found, &choice->opts, schema, err);
}

PyObject *ext_trace_schema(PyObject *self, PyObject *args)
{
	struct ArrowSchema *schema = calloc(1, sizeof(*schema));
	struct ext_choice choice = {.limit = -1};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = TDAT_OK;
	PyObject *dict;
	bool good = false;
	struct ext_trace *t = NULL;
	const char *table;

	if (!schema)
		return PyErr_NoMemory();
	if (PyArg_ParseTuple(args, "sO", &table, &dict) && (t = ext_trace_of(self)) &&
	    ext_choice_init(&choice, dict)) {
		Py_BEGIN_ALLOW_THREADS;
		st = make_schema(t, table, &choice, schema, &err);
		Py_END_ALLOW_THREADS;
		good = st == TDAT_OK;
		if (!good)
			ext_raise(&err);
	}
	ext_choice_fini(&choice);
	ext_trace_put(t);
	return schema_capsule(schema, good);
}
