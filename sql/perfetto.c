/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes what PerfettoSQL is made of: the table args, and second names of the tables of a trace,
 * which perfetto/prelude.sql reads. A program that loads the extension prepares its statements
 * itself and has no prelude: it gets views of those names that one statement can make. Columns and
 * their meanings are those of https://perfetto.dev/docs/analysis/sql-tables; facts that a trace.dat
 * does not have are NULL.
 */
#include <stdlib.h>
#include <string.h>

#include "event_args.h"
#include "module.h"

/* A view. Its statement is a constant of this file, without any name of a trace. */
struct view {
	const char *name;
	const char *needs; /* a table that must be there */
	const char *select;
};

static const struct view views[] = {
	{"thread", "tasks",
	 "SELECT pid AS id, pid AS utid, pid AS tid, comm AS name, NULL AS start_ts, NULL AS "
	 "end_ts, "
	 "tgid AS upid, tgid = pid AS is_main_thread, 0 AS is_idle FROM tasks WHERE used AND pid "
	 "<> 0 "
	 "UNION ALL SELECT 0, 0, 0, 'swapper', NULL, NULL, NULL, 1, 1"},
	{"process", "tasks",
	 "SELECT tgid AS id, tgid AS upid, tgid AS pid, "
	 "max(CASE WHEN pid = tgid THEN comm END) AS name, NULL AS start_ts, NULL AS end_ts, "
	 "NULL AS parent_upid, NULL AS uid, NULL AS cmdline FROM tasks WHERE used AND tgid IS NOT "
	 "NULL "
	 "GROUP BY tgid"},
	{"cpu", "cpus",
	 "SELECT DISTINCT cpu AS id, cpu, NULL AS cluster_id, NULL AS processor FROM cpus"},
	{"ftrace_event", "events",
	 "SELECT rowid AS id, ts, event AS name, cpu, pid AS utid, rowid AS arg_set_id, cpu AS "
	 "ucpu "
	 "FROM \"tdat.events\""},
	{"sched_slice", "sched",
	 "SELECT rowid AS id, ts, CASE WHEN dur IS NULL THEN -1 ELSE dur END AS dur, "
	 "ts + dur AS ts_end, cpu, pid AS utid, end_state, prio AS priority, cpu AS ucpu "
	 "FROM \"tdat.sched\""},
};

/* Names for listings: what Perfetto's queries use most, but names that tdat has, too. */
const char *const *sql_views(void)
{
	static const char *const names[] = {"args",
					    "counter_track",
					    "cpu",
					    "cpu_counter_track",
					    "cpu_track",
					    "ftrace_event",
					    "instant",
					    "machine",
					    "metadata",
					    "process",
					    "process_counter_track",
					    "process_track",
					    "raw",
					    "sched_slice",
					    "slices",
					    "stats",
					    "thread",
					    "thread_track",
					    "trace_bounds",
					    "track",
					    NULL};

	return names;
}

/* Compares as SQLite does, without regard to case. */
static bool has_table(const struct sql_trace *t, const char *name)
{
	for (size_t i = 0; i < t->name_count; i++)
		if (!t->names[i].is_short && !sqlite3_stricmp(t->names[i].name, name))
			return true;
	return false;
}

/* Makes a view, unless the trace lacks its table or has a table of its name. */
static int make_view(const struct sql_trace *t, sqlite3 *db, const struct view *v)
{
	char *sql;
	int rc;

	if (!has_table(t, v->needs) || has_table(t, v->name))
		return SQLITE_OK;
	/* In schema temp: the database itself is never written. */
	sql = sqlite3_mprintf("CREATE TEMP VIEW IF NOT EXISTS %s AS %s", v->name, v->select);
	if (!sql)
		return SQLITE_NOMEM;
	rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	return rc;
}

/*
 * Registers a second name for a table that views read; a user's view cannot hide it. This table
 * reads all rows whatever the query is, so the number of a row is that of the event.
 */
static int name_again(struct sql_trace *t, sqlite3 *db, const char *table, const char *name)
{
	const struct tdat_table *found = tdat_trace_find(t->def.trace, table);

	/* Without the table, one of another trace goes. */
	return found ? sql_module_register(db, &(struct sql_module){t, found, true, NULL}, name)
		     : sqlite3_create_module_v2(db, name, NULL, NULL, NULL);
}

int sql_perfetto_register(struct sql_current *current, sqlite3 *db)
{
	static const char *const names[] = {"counter", "events",  "function",  "irq",
					    "sched",   "slice",	  "softirq",   "thread_state",
					    "timer",   "syscall", "workqueue", "block_io"};
	struct sql_trace *t = current->trace;
	char again[32];
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(names) / sizeof(names[0]); i++) {
		sqlite3_snprintf(sizeof(again), again, "tdat.%s", names[i]);
		rc = name_again(t, db, names[i], again);
	}
	if (rc == SQLITE_OK && !has_table(t, "args"))
		rc = sql_event_args_register(current, db);
	return rc;
}

/* Tables before views: a view is resolved when it is first used. */
int sql_perfetto_views(struct sql_current *current, sqlite3 *db)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; rc == SQLITE_OK && i < sizeof(views) / sizeof(views[0]); i++)
		rc = make_view(current->trace, db, &views[i]);
	return rc;
}
