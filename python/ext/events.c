/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Iterates over all events in order of time, each as a tuple with the values of its fields. An
 * iterator object owns a reference to the trace and a tdat_iter; values come from <tdat/cells.h>.
 * Objects for names are cached, since most values repeat.
 */
#include "ext.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/cells.h>

#include "core/endian.h"

/* Buckets of the hash table of event types: traces rarely hold more types than this. */
enum { BUCKETS = 1024 };

/* Facts that events of one type share: names, and how their fields are read. */
struct kind {
	struct kind *next;
	uint32_t input, id;
	const struct tdat_cell_type *type; /* NULL: there is no sound format */
	PyObject *system, *event, *names;
};

struct events_object {
	PyObject_HEAD struct ext_trace *trace;
	struct ext_choice choice;
	struct tdat_iter *iter;
	struct tdat_cells *cells;
	struct kind *kinds[BUCKETS];
	int64_t left;
	bool busy; /* next runs: it lets other threads run, and making objects may do so, too */
};

/* ---- types of events ---- */

static void kind_free(struct kind *k)
{
	Py_XDECREF(k->system);
	Py_XDECREF(k->event);
	Py_XDECREF(k->names);
	free(k);
}

/*
 * The names of the columns of a type, which all its events share; an empty tuple without a format.
 */
static PyObject *names_of(const struct tdat_cell_type *type)
{
	PyObject *names = PyTuple_New(type ? (Py_ssize_t)type->column_count : 0);

	for (size_t i = 0; names && type && i < type->column_count; i++)
		ext_put(&names, i, ext_cstr(type->columns[i]));
	return names;
}

/* Makes the shared objects of an event type at its first event. NULL after raising an exception. */
static struct kind *new_kind(struct events_object *o, uint32_t input, uint32_t id)
{
	struct tdat_file *file = o->trace->inputs[input].file;
	const struct tdat_event_format *format = tdat_file_format_by_id(file, id);
	struct kind *k = calloc(1, sizeof(*k));
	struct tdat_error err = TDAT_ERROR_INIT;

	if (!k) {
		PyErr_NoMemory();
		return NULL;
	}
	k->input = input;
	k->id = id;
	/* Without a format type stays NULL: the event has its time, CPU and pid, but no values. */
	if (format && tdat_cells_type(o->cells, file, format, &k->type, &err)) {
		ext_raise(&err);
		kind_free(k);
		return NULL;
	}
	k->system = ext_cstr(format ? tdat_event_format_system(format) : NULL);
	k->event = ext_cstr(format ? tdat_event_format_name(format) : NULL);
	k->names = names_of(k->type);
	if (!k->system || !k->event || !k->names) {
		kind_free(k);
		return NULL;
	}
	return k;
}

/* Types are known by file and id: the same id means different events in two files. */
static struct kind *find_kind(struct events_object *o, const struct tdat_event *ev)
{
	struct kind **bucket = &o->kinds[(ev->id + ev->input * 31) % BUCKETS];
	struct kind *k = *bucket;

	while (k && (k->id != ev->id || k->input != ev->input))
		k = k->next;
	if (k)
		return k;
	k = new_kind(o, ev->input, ev->id);
	if (k) {
		k->next = *bucket;
		*bucket = k;
	}
	return k;
}

/* ---- values ---- */

static PyObject *int_of(uint64_t v, bool is_signed)
{
	return is_signed ? PyLong_FromLongLong((int64_t)v) : PyLong_FromUnsignedLongLong(v);
}

/* Returns "name" or "name+0x1f"; an offset of 0 is left out, as the kernel prints it. */
static PyObject *symbol_of(struct tdat_span name, uint64_t off)
{
	PyObject *text = ext_text(name.ptr, name.len), *full;
	char end[32];

	if (!off || !text)
		return text;
	snprintf(end, sizeof(end), "+0x%" PRIx64, off);
	full = PyUnicode_FromFormat("%U%s", text, end);
	Py_DECREF(text);
	return full;
}

/* An address that no symbol of the file covers is text, too: a list of symbols has one type. */
static PyObject *address_of(uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	return PyUnicode_FromString(text);
}

/*
 * Appends the element at byte `at` of an array field. Bit masks append the numbers of their set
 * bits, so they may append none or several.
 */
static void append_item(struct events_object *o, const struct kind *k, const struct tdat_cell *cell,
			size_t at, PyObject **list)
{
	uint64_t v = tdat_load_uint(cell->bytes.ptr + at, cell->len, cell->big);
	/* The number of bits above the value: an element has at most 8 bytes. */
	const uint32_t unused = 64 - 8 * (uint32_t)cell->len;
	struct tdat_span name;
	uint64_t off;

	switch (cell->kind) {
	case TDAT_CELL_INTS:
		/* Extends the sign by an arithmetic shift right, which gcc and clang define. */
		if (cell->is_signed)
			v = (uint64_t)((int64_t)(v << unused) >> unused);
		ext_add(list, int_of(v, cell->is_signed));
		break;
	case TDAT_CELL_BITS:
		/*
		 * v &= v - 1 clears the lowest set bit: the loop runs once for each CPU of a mask.
		 */
		for (; v && *list; v &= v - 1)
			ext_add(list,
				PyLong_FromUnsignedLongLong(at * 8 + (uint64_t)__builtin_ctzll(v)));
		break;
	default:
		name = tdat_cells_symbol(o->cells, k->type, v, &off);
		ext_add(list, name.ptr ? symbol_of(name, off) : address_of(v));
	}
}

/* A remainder shorter than one element is left out. */
static PyObject *list_of(struct events_object *o, const struct kind *k,
			 const struct tdat_cell *cell)
{
	PyObject *list = PyList_New(0);

	for (size_t at = 0; list && cell->bytes.len - at >= cell->len; at += cell->len)
		append_item(o, k, cell, at, &list);
	return list;
}

/* Parses a JSON value into objects. The import is cheap: Python keeps loaded modules. */
static PyObject *json_of(struct tdat_span text)
{
	PyObject *json = PyImport_ImportModule("json");
	PyObject *v =
		json ? PyObject_CallMethod(json, "loads", "N", ext_text(text.ptr, text.len)) : NULL;

	Py_XDECREF(json);
	return v;
}

/* Returns one field's value as the object that suits its kind; NULL after raising an exception. */
static PyObject *cell_value(struct events_object *o, const struct kind *k,
			    const struct tdat_cell *cell)
{
	switch (cell->kind) {
	case TDAT_CELL_NULL:
		Py_RETURN_NONE;
	case TDAT_CELL_BOOL:
		return PyBool_FromLong(cell->number != 0);
	case TDAT_CELL_INT:
		return int_of(cell->number, cell->is_signed);
	case TDAT_CELL_JSON:
		return json_of(cell->bytes);
	case TDAT_CELL_TEXT:
		/* An empty text has a NULL pointer, which ext_text would turn into None. */
		return ext_text(cell->bytes.len ? (const void *)cell->bytes.ptr : "",
				cell->bytes.len);
	case TDAT_CELL_BYTES:
		return PyBytes_FromStringAndSize((const char *)cell->bytes.ptr,
						 (Py_ssize_t)cell->bytes.len);
	case TDAT_CELL_SYMBOL:
		return symbol_of(cell->bytes, cell->number);
	default:
		return list_of(o, k, cell);
	}
}

/* One value a column; a type without a sound format has the empty tuple. */
static PyObject *values_of(struct events_object *o, const struct kind *k,
			   const struct tdat_event *ev)
{
	PyObject *values = PyTuple_New((Py_ssize_t)(k->type ? k->type->column_count : 0));
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_cell cell;

	for (size_t i = 0; values && k->type && i < k->type->column_count; i++) {
		PyObject *v = NULL;

		if (tdat_cells_get(o->cells, k->type, i, ev->record, &cell, &err))
			ext_raise(&err);
		else
			v = cell_value(o, k, &cell);
		ext_put(&values, i, v);
	}
	return values;
}

/*
 * The tuple of an event: (ts, cpu, pid, comm, system, event, input, id, buffer, names, lost_before,
 * values). "N" in the format takes a reference, hence the shared names need one more.
 */
static PyObject *event_tuple(struct events_object *o, const struct tdat_event *ev)
{
	const struct kind *k = find_kind(o, ev);
	const struct tdat_file *file = o->trace->inputs[ev->input].file;
	PyObject *values = k ? values_of(o, k, ev) : NULL;
	size_t count;

	if (!values)
		return NULL;
	Py_INCREF(k->system);
	Py_INCREF(k->event);
	Py_INCREF(k->names);
	return Py_BuildValue("KIiNNNIINNLN", (unsigned long long)ev->ts, ev->cpu, ev->pid,
			     ext_text(ev->comm.ptr, ev->comm.len), k->system, k->event, ev->input,
			     ev->id, ext_cstr(tdat_file_buffers(file, &count)[ev->buffer].name),
			     k->names, (long long)ev->lost_before, values);
}

/* ---- the iterator ---- */

/* Tests pid and time, which are options of tables and not of tdat_iter. */
static bool is_wanted(const struct tdat_table_opts *opts, const struct tdat_event *ev)
{
	bool found = !opts->pids;

	for (size_t i = 0; !found && i < opts->pid_count; i++)
		found = opts->pids[i] == ev->pid;
	return found && (!opts->has_span ||
			 ((int64_t)ev->ts >= opts->from_ts && (int64_t)ev->ts <= opts->to_ts));
}

/* Reads the next wanted event without the GIL; *ev is NULL at the end. */
static enum tdat_status read_event(struct events_object *o, const struct tdat_event **ev,
				   struct tdat_error *err)
{
	const struct tdat_stream_damage *damage;
	enum tdat_status st;
	size_t count;

	do {
		st = tdat_iter_next(o->iter, ev, err);
	} while (st == TDAT_OK && *ev && !is_wanted(&o->choice.opts, *ev));
	if (st != TDAT_OK || *ev)
		return st;
	/* Only the end reports damage: the iterator counts the damaged pages until then. */
	damage = tdat_iter_damage(o->iter, &count);
	st = ext_trace_damage(o->trace, damage, count, err);
	return st == TDAT_OK ? ext_trace_undescribed(o->trace, err) : st;
}

static PyObject *events_next(PyObject *self)
{
	struct events_object *o = (struct events_object *)self;
	const struct tdat_event *ev = NULL;
	struct tdat_error err = TDAT_ERROR_INIT;
	PyObject *tuple = NULL;
	enum tdat_status st;

	/* The limit is reached. NULL without an exception ends an iterator of Python. */
	if (!o->left || !o->iter)
		return NULL;
	/*
	 * Py_BEGIN_ALLOW_THREADS lets a second thread call next() on the same object; tdat_iter
	 * belongs to one thread.
	 */
	if (o->busy)
		return PyErr_Format(PyExc_ValueError, "another thread reads these events");
	o->busy = true;
	Py_BEGIN_ALLOW_THREADS;
	st = read_event(o, &ev, &err);
	Py_END_ALLOW_THREADS;
	if (st != TDAT_OK)
		ext_raise(&err);
	else if (ev)
		/* The tuple copies what it needs: *ev is valid until the next call only. */
		tuple = event_tuple(o, ev);
	o->left -= ev && o->left > 0;
	o->busy = false;
	return tuple;
}

static void events_dealloc(PyObject *self)
{
	struct events_object *o = (struct events_object *)self;

	for (size_t i = 0; i < BUCKETS; i++)
		while (o->kinds[i]) {
			struct kind *k = o->kinds[i];

			o->kinds[i] = k->next;
			kind_free(k);
		}
	tdat_cells_free(o->cells);
	tdat_iter_free(o->iter);
	ext_choice_fini(&o->choice);
	ext_trace_put(o->trace);
	ext_free(self);
}

/* Opens the iterator; the choice's pids and span are tested in is_wanted. */
static enum tdat_status start(struct events_object *o, struct tdat_error *err)
{
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	enum tdat_status st = tdat_cells_new(&o->cells, err);

	opts.cpus = o->choice.opts.cpus;
	opts.cpu_count = o->choice.opts.cpu_count;
	opts.raw_ts = o->trace->raw_ts;
	opts.no_date = o->trace->no_date;
	opts.filter = o->choice.filter;
	return st == TDAT_OK ? tdat_iter_new(&o->iter, o->trace->inputs, o->trace->input_count,
					     &opts, err)
			     : st;
}

PyObject *ext_trace_events(PyObject *self, PyObject *args)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	struct events_object *o;
	PyObject *dict;

	if (!PyArg_ParseTuple(args, "O", &dict))
		return NULL;
	o = ext_new(ext_state(ext_module_of(self))->events);
	if (!o)
		return NULL;
	o->choice = (struct ext_choice){.limit = -1};
	o->trace = ext_trace_of(self);
	if (!o->trace || !ext_choice_init(&o->choice, dict)) {
		Py_DECREF(o);
		return NULL;
	}
	o->left = o->choice.limit;
	Py_BEGIN_ALLOW_THREADS;
	st = start(o, &err);
	Py_END_ALLOW_THREADS;
	if (st != TDAT_OK) {
		ext_raise(&err);
		Py_DECREF(o);
		return NULL;
	}
	return (PyObject *)o;
}

static PyType_Slot slots[] = {
	{Py_tp_new, EXT_SLOT(ext_no_new)},
	{Py_tp_dealloc, EXT_SLOT(events_dealloc)},
	{Py_tp_iter, EXT_SLOT(PyObject_SelfIter)},
	{Py_tp_iternext, EXT_SLOT(events_next)},
	{0, NULL},
};

PyType_Spec ext_events_spec = {
	.name = "tdat._tdat.Events",
	.basicsize = sizeof(struct events_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};
