/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the files of the Python extension tdat._tdat share.
 *
 * The extension is thin: it opens files, gives out tables as Arrow streams, and turns values into
 * objects of Python where no Arrow library does. All else of the package is Python. It uses the
 * limited API of CPython 3.9, so that one build serves all later versions.
 *
 * Threads: functions that read files let go of the GIL. Streams use no Python at all, because
 * their consumers call them from any thread, with the GIL or without.
 */
#ifndef TDAT_EXT_H
#define TDAT_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>

#include <tdat/table.h>

/* The types of a module: it has no other state. */
struct ext_state {
	PyTypeObject *trace, *stream, *rows, *events, *writer;
};

struct ext_state *ext_state(PyObject *module);

/* A function in a table of CPython's, which holds it as an object pointer. */
#define EXT_SLOT(function) ((void *)(uintptr_t)(function))

/* ---- failures ---- */

/* Raises tdat.Error of a failure, and returns NULL. */
PyObject *ext_raise(const struct tdat_error *err);
/* Raises an exception, whose reference it takes, and returns NULL; so with NULL, a failure. */
PyObject *ext_raise_made(PyObject *e);

/* Raises TypeError: such objects are only made by functions of the module. */
PyObject *ext_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);

/* Makes an object of a type of this module, with all of its own members 0; NULL: an exception. */
void *ext_new(PyTypeObject *type);
/* Frees an object of a type of this module. */
void ext_free(PyObject *self);

/* ---- text ---- */

/* Returns a copy of a str as UTF-8, which free() frees; NULL after raising an exception. */
char *ext_string(PyObject *text);

/* Returns a str of len bytes; those that are no UTF-8 become U+FFFD. None where ptr is NULL. */
PyObject *ext_text(const void *ptr, size_t len);
PyObject *ext_cstr(const char *text);

/* Takes a sequence of str as strings, which ext_free_strings frees. False after an exception. */
bool ext_strings(PyObject *list, char ***out, size_t *count);
void ext_free_strings(char **v, size_t count);

/* Appends text to a struct tdat_build. */
enum tdat_status ext_append(void *build, const void *data, size_t len, struct tdat_error *err);

/* ---- lists and tuples ---- */

/*
 * Adds a value, whose reference it takes, to a list, or to its place in a new tuple. After a
 * failure, also of the value (NULL), the list is freed and *list is NULL.
 */
void ext_add(PyObject **list, PyObject *v);
void ext_put(PyObject **tuple, size_t i, PyObject *v);

/* ---- numbers ---- */

/*
 * Takes an int from 0 to most. False after raising an exception, which names it. Formats of
 * PyArg_ParseTuple for numbers without a sign would cut off the bits that do not fit. May run code
 * of Python's, as classes have numbers of their own.
 */
bool ext_number(PyObject *v, const char *name, uint64_t most, uint64_t *out);

/* ---- opened files ---- */

/* Something that could not be read. */
struct ext_finding {
	uint32_t input;
	uint64_t off;
	char message[512];
};

struct ext_note {
	const struct tdat_table *table;
	char what[128];
	uint64_t count;
};

/* How many places of damage are kept; behind them one finding says that there are more. */
enum { EXT_FINDINGS = 4096 };

/* Opened files and their tables: counted, and without any object of Python. */
struct ext_trace {
	int references; /* atomic */
	pthread_mutex_t lock;
	struct tdat_iter_input *inputs;
	size_t input_count;
	struct tdat_trace *trace;
	bool strict; /* what is damaged is a failure */
	bool raw_ts, no_date;
	/* What streams met so far, each place once; changed under the lock. */
	struct ext_finding *findings;
	size_t finding_count, finding_room;
	struct ext_note *notes;
	size_t note_count, note_room;
};

/* An object of the type Trace. */
struct ext_trace_object {
	PyObject_HEAD PyObject *module;
	struct ext_trace *trace; /* NULL: closed */
};

struct ext_trace *ext_trace_get(struct ext_trace *t);
void ext_trace_put(struct ext_trace *t);

/* Returns the reference of a Trace that is not closed; NULL after raising an exception. */
struct ext_trace *ext_trace_of(PyObject *self);
/* Returns the module that an object of it belongs to; borrowed. */
PyObject *ext_module_of(PyObject *self);

/*
 * Adds a finding, under the lock or while nobody else has the trace. Without memory it is left out.
 */
void ext_trace_find(struct ext_trace *t, size_t input, uint64_t off, const char *message);
/*
 * Keeps damage that a reader met. With strict the result is TDAT_E_DAMAGED, and *err has the
 * sentence of the first damage.
 */
enum tdat_status ext_trace_damage(struct ext_trace *t, const struct tdat_stream_damage *damage,
				  size_t count, struct tdat_error *err);
/* Does the same for event types that were met so far and have no sound format. */
enum tdat_status ext_trace_undescribed(struct ext_trace *t, struct tdat_error *err);
/* What a reader of tables met: its functions damage and note, whose context this is. */
struct ext_watch {
	struct ext_trace *trace;
	struct tdat_error damage; /* of a trace that is strict; status 0: none */
};
void ext_watch_damage(void *watch, const struct tdat_stream_damage *damage, size_t count);
void ext_watch_note(void *watch, const struct tdat_table *table, const char *what, uint64_t count);

/* ---- what is wanted of a table ---- */

struct ext_choice {
	struct tdat_table_opts opts;
	struct tdat_filter *filter;
	int64_t limit; /* rows at most; -1: all */
	char **columns;
	size_t column_count;
	/*
	 * The columns that readers expect, in order: those that are not read are nulls. NULL:
	 * columns as they are read.
	 */
	char **layout;
	size_t layout_count;
	void *cpus, *pids; /* of 32 bits */
	/* Of summaries: the table and its columns, and the files for commands that show a row. */
	char *table, *value;
	char **keys, **paths;
	size_t key_count, path_count;
	int64_t worst;
	char *from, *to; /* the times of the filter as text; NULL: none */
};

/* Takes the keys of a dict. False after raising an exception; fini is to be called all the same. */
bool ext_choice_init(struct ext_choice *c, PyObject *dict);
void ext_choice_fini(struct ext_choice *c);

/* ---- columns of nulls ---- */

struct ext_pad {
	char *const *names; /* borrowed */
	size_t count;
	int *places;
};

/* Borrows the layout of a choice. The caller frees places. False: no memory. */
bool ext_pad_init(struct ext_pad *p, const struct ext_choice *c);
/* These make a schema or a batch as the layout says. False: no memory, and it is released. */
bool ext_pad_schema(const struct ext_pad *p, struct ArrowSchema *schema);
bool ext_pad_array(const struct ext_pad *p, struct ArrowArray *rows);

/* ---- streams ---- */

/* Trace.stream(table, choice): a Stream. */
PyObject *ext_trace_stream(PyObject *self, PyObject *args);
/* Trace.schema(table, choice): a capsule of an Arrow schema. */
PyObject *ext_trace_schema(PyObject *self, PyObject *args);
/* rows(capsule): an iterator of the rows of an Arrow stream as tuples. */
PyObject *ext_rows(PyObject *module, PyObject *args);
/* Trace.events(choice): an iterator of events with the values of their fields. */
PyObject *ext_trace_events(PyObject *self, PyObject *args);
/* diff(min_change, by_pid, [(side, Trace, choice)]): a comparison as JSON. */
PyObject *ext_diff(PyObject *module, PyObject *args);
/* Trace.sql(query, parameters, perfetto, limit, seconds): names of columns and rows. */
PyObject *ext_trace_sql(PyObject *self, PyObject *args);
/* Trace.lacks(table): why it has no rows, or None. */
PyObject *ext_trace_lacks(PyObject *self, PyObject *args);
/* Trace.summary(kind, choice): JSON of "latency" or "profile". */
PyObject *ext_trace_summary(PyObject *self, PyObject *args);
/* Trace.hist(file, triggers, synth, kernel, view, choice): text. */
PyObject *ext_trace_hist(PyObject *self, PyObject *args);
/* writer(path, options): a Writer of a trace.dat. */
PyObject *ext_writer(PyObject *module, PyObject *args);
/* open(paths, ...): a Trace. */
PyObject *ext_open(PyObject *module, PyObject *args);

extern PyType_Spec ext_trace_spec, ext_stream_spec, ext_rows_spec, ext_events_spec, ext_writer_spec;

#endif
