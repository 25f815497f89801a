/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Answers a query by SQLite over the virtual tables of sql/. It is the library's sql/ compiled
 * into the extension. The GIL is released while SQLite steps; values are bound by type. Ctrl-C
 * is looked for on the main thread by a progress callback, and ends the query.
 */
#include "ext.h"

#include <string.h>
#include <time.h>

#include "sql/sql.h"

/* One query: a connection of its own, so that threads share nothing but the files. */
struct query {
	struct ext_watch watch; /* must be the first */
	struct sql_trace *tables;
	sqlite3 *db;
	struct sql_queries *queries;
	sqlite3_stmt *stmt;
	bool cancelled;
	Py_ssize_t limit; /* rows at most; -1: all */
	double seconds;	  /* for all of it; 0: any time */
	double end_s;	  /* when they are over, as now_s counts */
	double look_s;	  /* when to look for Ctrl-C again */
	bool late;
};

/* Seconds between two looks for Ctrl-C: each takes the GIL, for which other threads may compete. */
#define LOOK_S 0.05

/* ---- while it runs, without the GIL ---- */

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool is_late(struct query *q)
{
	q->late |= q->seconds > 0 && now_s() > q->end_s;
	return q->late;
}

/*
 * True if Ctrl-C was pressed: Python runs its signal handlers on the main thread only. SQLite and
 * the readers of tables call it without the GIL. The exception is cleared here, as they must not
 * see a pending one; sqlite_failed raises KeyboardInterrupt.
 */
static bool is_cancelled(void *ctx)
{
	const double now = now_s();
	struct query *q = ctx;
	PyGILState_STATE state;

	if (q->cancelled || is_late(q) || now < q->look_s)
		return q->cancelled || q->late;
	q->look_s = now + LOOK_S;
	state = PyGILState_Ensure();
	q->cancelled = PyErr_CheckSignals() != 0;
	if (q->cancelled)
		PyErr_Clear();
	PyGILState_Release(state);
	return q->cancelled;
}

static int on_progress(void *ctx)
{
	return is_cancelled(ctx);
}

/* Opens a database in memory whose virtual tables read the trace. It exists for one query. */
static enum tdat_status open_database(struct query *q, bool perfetto, struct tdat_error *err)
{
	const struct sql_trace_def def = {.trace = q->watch.trace->trace,
					  .inputs = q->watch.trace->inputs,
					  .input_count = q->watch.trace->input_count,
					  .damage = ext_watch_damage,
					  .note = ext_watch_note,
					  .is_cancelled = is_cancelled,
					  .ctx = q,
					  .raw_ts = q->watch.trace->raw_ts,
					  .no_date = q->watch.trace->no_date,
					  .perfetto = perfetto};
	enum tdat_status st = sql_trace_new(&q->tables, &def, err);

	if (st == TDAT_OK)
		st = sql_open(q->tables, NULL, &q->db, &q->queries, err);
	/*
	 * Every 65,536 instructions of SQLite's virtual machine: taking the GIL more often would
	 * slow the query.
	 */
	if (st == TDAT_OK)
		sqlite3_progress_handler(q->db, 1 << 16, on_progress, q);
	return st;
}

/* ---- values ---- */

/* A failed query is a mistake in its text as a rule, hence TDAT_E_USAGE. */
static PyObject *sqlite_failed(struct query *q)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (q->cancelled) {
		PyErr_SetNone(PyExc_KeyboardInterrupt);
		return NULL;
	}
	if (q->late)
		tdat_error_set(&err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			       "SQL: the query was canceled after %g s", q->seconds);
	else
		tdat_error_set(&err, TDAT_E_USAGE, TDAT_NO_OFFSET, "SQL: %s",
			       sql_prepare_message(q->queries));
	return ext_raise(&err);
}

/* Converts by the type of the value: columns of SQLite have no fixed type. */
static PyObject *value_of(sqlite3_stmt *stmt, int i)
{
	const void *data;

	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		return PyLong_FromLongLong(sqlite3_column_int64(stmt, i));
	case SQLITE_FLOAT:
		return PyFloat_FromDouble(sqlite3_column_double(stmt, i));
	case SQLITE_TEXT:
		data = sqlite3_column_text(stmt, i);
		/* A NULL pointer is an empty text here; ext_text would return None. */
		return ext_text(data ? data : "", (size_t)sqlite3_column_bytes(stmt, i));
	case SQLITE_BLOB:
		data = sqlite3_column_blob(stmt, i);
		return PyBytes_FromStringAndSize(data, sqlite3_column_bytes(stmt, i));
	default:
		Py_RETURN_NONE;
	}
}

static PyObject *row_of(sqlite3_stmt *stmt)
{
	const int count = sqlite3_column_count(stmt);
	PyObject *row = PyTuple_New(count);

	for (int i = 0; row && i < count; i++)
		ext_put(&row, (size_t)i, value_of(stmt, i));
	return row;
}

static PyObject *names_of(sqlite3_stmt *stmt)
{
	const int count = sqlite3_column_count(stmt);
	PyObject *names = PyList_New(0);

	for (int i = 0; names && i < count; i++) {
		const char *name = sqlite3_column_name(stmt, i);

		ext_add(&names, ext_cstr(name ? name : ""));
	}
	return names;
}

/* Returns tuples, up to the limit. Each step runs without the GIL, the row is made with it. */
static PyObject *rows_of(struct query *q)
{
	PyObject *rows = PyList_New(0);

	while (rows && (q->limit < 0 || PyList_Size(rows) < q->limit)) {
		int rc;

		Py_BEGIN_ALLOW_THREADS;
		rc = sqlite3_step(q->stmt);
		Py_END_ALLOW_THREADS;
		if (rc == SQLITE_DONE)
			break;
		ext_add(&rows, rc == SQLITE_ROW ? row_of(q->stmt) : sqlite_failed(q));
	}
	return rows;
}

/* ---- parameters ---- */

/* SQLite copies the text (SQLITE_TRANSIENT), since the bytes object ends here. */
static bool bind_text(sqlite3_stmt *stmt, int at, PyObject *v)
{
	PyObject *bytes = PyUnicode_AsEncodedString(v, "utf-8", "surrogateescape");
	bool good;

	if (!bytes)
		return false;
	good = !sqlite3_bind_text64(stmt, at, PyBytes_AsString(bytes),
				    (sqlite3_uint64)PyBytes_Size(bytes), SQLITE_TRANSIENT,
				    SQLITE_UTF8);
	Py_DECREF(bytes);
	if (!good)
		PyErr_SetString(PyExc_ValueError, "a parameter cannot be bound");
	return good;
}

/* bool is a subclass of int in Python: it is bound as 0 or 1. */
static bool bind_one(sqlite3_stmt *stmt, int at, PyObject *v)
{
	if (v == Py_None)
		return !sqlite3_bind_null(stmt, at);
	if (PyUnicode_Check(v))
		return bind_text(stmt, at, v);
	if (PyFloat_Check(v))
		return !sqlite3_bind_double(stmt, at, PyFloat_AsDouble(v));
	if (PyLong_Check(v)) {
		const long long n = PyLong_AsLongLong(v);

		return !PyErr_Occurred() && !sqlite3_bind_int64(stmt, at, n);
	}
	PyErr_SetString(PyExc_TypeError, "parameters must be None, int, float or str");
	return false;
}

/* The value of parameter i, counted from 1, of a sequence or of a dict of names; a new reference.
 */
static PyObject *parameter(sqlite3_stmt *stmt, PyObject *parameters, int i)
{
	const char *name = sqlite3_bind_parameter_name(stmt, i);
	PyObject *v;

	if (!PyDict_Check(parameters))
		return PySequence_GetItem(parameters, i - 1);
	/* Names begin with one of "$:@", which keys of the dict do not have. */
	v = name && name[0] != '?' ? PyDict_GetItemString(parameters, name + 1) : NULL;
	if (!v)
		return PyErr_Format(PyExc_ValueError, "the parameters have no value for %s",
				    name ? name : "?");
	Py_INCREF(v);
	return v;
}

static bool bind_all(struct query *q, PyObject *parameters)
{
	const Py_ssize_t count = PyObject_Size(parameters);

	if (count < 0)
		return false;
	if (count != sqlite3_bind_parameter_count(q->stmt)) {
		PyErr_Format(PyExc_ValueError, "the query has %d parameters, but got %zd",
			     sqlite3_bind_parameter_count(q->stmt), count);
		return false;
	}
	for (int i = 1; i <= count; i++) {
		PyObject *v = parameter(q->stmt, parameters, i);
		const bool good = v && bind_one(q->stmt, i, v);

		Py_XDECREF(v);
		if (!good)
			return false;
	}
	return true;
}

/* ---- the query ---- */

/*
 * Refuses a text with a second statement: its rows would be lost silently. A rest that does not
 * compile counts as a second statement.
 */
static bool prepare(struct query *q, const char *text)
{
	const char *rest = text;
	sqlite3_stmt *second = NULL;
	int rc, rest_rc = SQLITE_OK;

	Py_BEGIN_ALLOW_THREADS;
	/* Statements that make something may come before. */
	do
		rc = sql_prepare(q->queries, rest, &q->stmt, &rest);
	while (!rc && !q->stmt && *rest);
	/* Nothing but spaces and comments makes no statement. */
	rest += strspn(rest, " \t\r\n;");
	if (!rc)
		rest_rc = sql_prepare(q->queries, rest, &second, &rest);
	sqlite3_finalize(second);
	Py_END_ALLOW_THREADS;
	if (rc) {
		sqlite_failed(q);
		return false;
	}
	if (q->stmt && !rest_rc && !second)
		return true;
	PyErr_SetString(
		PyExc_ValueError,
		q->stmt ? "a query must be one statement; run the statements one by one"
			: "there is no query: statements that create a table or view must precede "
			  "the SELECT that reads it, in one text");
	return false;
}

/*
 * Returns (names, rows). Strict damage is known when all rows are read; the rows are dropped then.
 */
static PyObject *run(struct query *q, const char *text, PyObject *parameters, int perfetto)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	PyObject *names, *rows;
	enum tdat_status st;

	Py_BEGIN_ALLOW_THREADS;
	st = open_database(q, perfetto, &err);
	Py_END_ALLOW_THREADS;
	if (st != TDAT_OK)
		return ext_raise(&err);
	if (!prepare(q, text) || !bind_all(q, parameters))
		return NULL;
	names = names_of(q->stmt);
	rows = names ? rows_of(q) : NULL;
	if (rows && !q->watch.damage.status)
		ext_trace_undescribed(q->watch.trace, &q->watch.damage);
	if (rows && q->watch.damage.status) {
		Py_CLEAR(rows);
		ext_raise(&q->watch.damage);
	}
	if (!rows) {
		Py_XDECREF(names);
		return NULL;
	}
	return Py_BuildValue("NN", names, rows);
}

PyObject *ext_trace_sql(PyObject *self, PyObject *args)
{
	struct query q = {.watch = {.damage = TDAT_ERROR_INIT}};
	PyObject *parameters, *result;
	const char *text;
	int perfetto;

	if (!PyArg_ParseTuple(args, "sOpnd", &text, &parameters, &perfetto, &q.limit, &q.seconds))
		return NULL;
	q.end_s = now_s() + q.seconds;
	q.watch.trace = ext_trace_of(self);
	if (!q.watch.trace)
		return NULL;
	result = run(&q, text, parameters, perfetto);
	/* Closing works without the GIL: ending table readers may wait for their threads. */
	Py_BEGIN_ALLOW_THREADS;
	sqlite3_finalize(q.stmt);
	sql_close(q.db, q.queries);
	sql_trace_put(q.tables);
	ext_trace_put(q.watch.trace);
	Py_END_ALLOW_THREADS;
	return result;
}
