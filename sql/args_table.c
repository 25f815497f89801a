/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the table args, with a row for each field of each event. It is like Perfetto's table of
 * that name. A row is a field of an event; the event is found by its number, so a join by
 * arg_set_id reads forward (event_args.c).
 */
#include <stdlib.h>
#include <string.h>

#include "event_args.h"

/* The table args of one trace; SQLite owns it. */
struct args_table {
	sqlite3_vtab base;
	sqlite3 *db;
	struct sql_trace *trace; /* counted */
};

/* A scan of args: the event it is at, and which of its fields is the row. */
struct args_cursor {
	sqlite3_vtab_cursor base;
	struct event_reader reader;
	const struct tdat_event *event; /* NULL: the end */
	const struct tdat_field *fields;
	size_t field_count, field;
	bool one;		/* the fields of this event only */
	sqlite3_stmt *of_track; /* rows of a track instead; NULL: none */
	struct tdat_build text;
};

/* The columns, in the order of the declaration in args_connect(). */
enum {
	ARGS_ID,
	ARGS_SET,
	ARGS_FLAT_KEY,
	ARGS_KEY,
	ARGS_INT,
	ARGS_STRING,
	ARGS_REAL,
	ARGS_TYPE,
	ARGS_DISPLAY
};

/*
 * Called by SQLite when a query first names the table. aux: the trace that the module belongs to.
 */
static int args_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
			sqlite3_vtab **out, char **message)
{
	struct args_table *t = calloc(1, sizeof(*t));
	struct sql_trace *trace = aux;
	int rc;

	(void)argc;
	(void)argv;
	(void)message;
	if (!t)
		return SQLITE_NOMEM;
	/*
	 * The read-only authorizer lets the declaration pass only while this is set (read_only.c).
	 */
	trace->declaring = true;
	rc = sqlite3_declare_vtab(db, "CREATE TABLE args (id INTEGER, arg_set_id INTEGER, "
				      "flat_key TEXT, key TEXT, int_value INTEGER, "
				      "string_value TEXT, real_value REAL, value_type TEXT, "
				      "display_value TEXT)");
	trace->declaring = false;
	if (rc != SQLITE_OK) {
		free(t);
		return rc;
	}
	t->trace = trace;
	t->db = db;
	trace->references++;
	*out = &t->base;
	return SQLITE_OK;
}

static int args_disconnect(sqlite3_vtab *base)
{
	struct args_table *t = (struct args_table *)(void *)base;

	sql_trace_put(t->trace);
	free(t);
	return SQLITE_OK;
}

/* Offers SQLite the one fast way: a single event by its number. Otherwise all events are read. */
static int args_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	(void)base;
	info->idxNum = 0;
	/*
	 * Guesses: only their order matters. A scan decodes each event; a look-up reads one, if
	 * numbers rise.
	 */
	info->estimatedCost = 1e9;
	info->estimatedRows = 100000000;
	for (int i = 0; i < info->nConstraint; i++) {
		if (info->aConstraint[i].iColumn != ARGS_SET || !info->aConstraint[i].usable ||
		    info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		info->aConstraintUsage[i].argvIndex = 1;
		info->idxNum = 1;
		info->idxStr = (char *)"arg_set_id=?";
		info->estimatedCost = 100;
		info->estimatedRows = 10;
		/* One condition suffices: SQLite checks the others itself. */
		break;
	}
	return SQLITE_OK;
}

static int args_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct args_cursor *c = calloc(1, sizeof(*c));

	if (!c)
		return SQLITE_NOMEM;
	c->reader.trace = ((struct args_table *)(void *)base)->trace;
	c->reader.number = -1;
	tdat_build_init(&c->text, false);
	*out = &c->base;
	return SQLITE_OK;
}

static int args_close(sqlite3_vtab_cursor *base)
{
	struct args_cursor *c = (struct args_cursor *)(void *)base;

	event_reader_end(&c->reader);
	sqlite3_finalize(c->of_track);
	tdat_build_fini(&c->text);
	free(c);
	return SQLITE_OK;
}

/* Moves to the first event from number on that has fields. c->event: NULL at the end. */
static int go_to(struct args_cursor *c, int64_t number)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	do {
		if (event_reader_find(&c->reader, number++, &c->event, &err) != TDAT_OK)
			return sql_failure(&c->base.pVtab->zErrMsg, &err);
		c->field = c->field_count = 0;
		if (c->event)
			c->fields = event_fields(&c->reader, c->event, &c->field_count);
	} while (c->event && !c->field_count && !c->one);
	if (!c->field_count)
		c->event = NULL;
	return SQLITE_OK;
}

/* Moves to the next argument of a track, or to the end. */
static int next_of_track(struct args_cursor *c)
{
	if (sqlite3_step(c->of_track) != SQLITE_ROW) {
		sqlite3_finalize(c->of_track);
		c->of_track = NULL;
	}
	return SQLITE_OK;
}

/* Tracks have negative numbers (perfetto/prelude.sql). Without their table there is no track yet.
 */
static int track_args(struct args_cursor *c, int64_t number)
{
	sqlite3 *db = ((struct args_table *)(void *)c->base.pVtab)->db;

	if (sqlite3_prepare_v2(db, "SELECT * FROM temp._tdat_track_arg WHERE arg_set_id = ?", -1,
			       &c->of_track, NULL) != SQLITE_OK)
		return SQLITE_OK;
	sqlite3_bind_int64(c->of_track, 1, number);
	return next_of_track(c);
}

/* Starts a scan. number: idxNum of args_best_index(); 1: values[0] is the wanted arg_set_id. */
static int args_filter(sqlite3_vtab_cursor *base, int number, const char *text, int count,
		       sqlite3_value **values)
{
	struct args_cursor *c = (struct args_cursor *)(void *)base;

	(void)text;
	(void)count;
	c->one = number == 1;
	c->event = NULL;
	sqlite3_finalize(c->of_track);
	c->of_track = NULL;
	if (!c->one)
		return go_to(c, 0);
	/* A number that is a text or a double is left to SQLite's comparison of each row. */
	if (sqlite3_value_numeric_type(values[0]) == SQLITE_NULL)
		return SQLITE_OK;
	if (sqlite3_value_int64(values[0]) < 0)
		return track_args(c, sqlite3_value_int64(values[0]));
	return go_to(c, sqlite3_value_int64(values[0]));
}

/* Moves to the next field, then to the next event. */
static int args_next(sqlite3_vtab_cursor *base)
{
	struct args_cursor *c = (struct args_cursor *)(void *)base;

	if (c->of_track)
		return next_of_track(c);
	if (++c->field < c->field_count)
		return SQLITE_OK;
	c->event = NULL;
	return c->one ? SQLITE_OK : go_to(c, c->reader.number + 1);
}

static int args_eof(sqlite3_vtab_cursor *base)
{
	const struct args_cursor *c = (struct args_cursor *)(void *)base;

	return !c->event && !c->of_track;
}

static int args_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	const struct args_cursor *c = (struct args_cursor *)(void *)base;

	/* An event has far fewer than 65,536 fields. */
	*out = c->of_track ? sqlite3_column_int64(c->of_track, 0)
			   : c->reader.number * 65536 + (int64_t)c->field;
	return SQLITE_OK;
}

/*
 * Returns one of the value columns. The kind of a field decides which of them are set; others are
 * NULL.
 */
static void give_value(struct args_cursor *c, sqlite3_context *to, int column)
{
	int64_t number;
	const enum event_value_kind kind =
		event_value(&c->fields[c->field], c->event, &number, &c->text);

	if (column == ARGS_TYPE) {
		sqlite3_result_text(to,
				    kind == EVENT_V_INT	   ? "int"
				    : kind == EVENT_V_TEXT ? "string"
							   : "null",
				    -1, SQLITE_STATIC);
		return;
	}
	/* The display value of a number is its decimal text. */
	if (kind == EVENT_V_INT && column == ARGS_DISPLAY)
		tdat_build_printf(&c->text, "%lld", (long long)number);
	if (kind == EVENT_V_INT && column == ARGS_INT)
		sqlite3_result_int64(to, number);
	else if ((kind == EVENT_V_TEXT && column == ARGS_STRING) ||
		 (kind != EVENT_V_NULL && column == ARGS_DISPLAY))
		sql_result_build(to, &c->text);
}

/* SQLite asks column by column, so a value may be decoded several times per row. */
static int args_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	struct args_cursor *c = (struct args_cursor *)(void *)base;
	sqlite3_int64 id;

	if (c->of_track) {
		sqlite3_result_value(to, sqlite3_column_value(c->of_track, column));
		return SQLITE_OK;
	}
	switch (column) {
	case ARGS_ID:
		args_rowid(base, &id);
		sqlite3_result_int64(to, id);
		break;
	case ARGS_SET:
		sqlite3_result_int64(to, c->reader.number);
		break;
	case ARGS_FLAT_KEY:
	case ARGS_KEY:
		sqlite3_result_text(to, c->fields[c->field].name, -1, SQLITE_TRANSIENT);
		break;
	/* No field of a trace is a double, so real_value is NULL. */
	case ARGS_REAL:
		break;
	default:
		give_value(c, to, column);
		break;
	}
	return SQLITE_OK;
}

/* No xCreate: the table exists in each database under its own name (eponymous). */
static const sqlite3_module args_module = {
	.iVersion = 1,
	.xConnect = args_connect,
	.xBestIndex = args_best_index,
	.xDisconnect = args_disconnect,
	.xOpen = args_open,
	.xClose = args_close,
	.xFilter = args_filter,
	.xNext = args_next,
	.xEof = args_eof,
	.xColumn = args_column,
	.xRowid = args_rowid,
};

static void put_trace(void *trace)
{
	sql_trace_put(trace);
}

int sql_event_args_register(struct sql_current *current, sqlite3 *db)
{
	const int rc = current->has_extract ? SQLITE_OK : sql_extract_arg_register(current, db);

	if (rc != SQLITE_OK)
		return rc;
	current->has_extract = true;
	current->trace->references++;
	/* A failure gives the reference back. */
	return sqlite3_create_module_v2(db, "args", &args_module, current->trace, put_trace);
}
