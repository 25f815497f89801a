/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers queries in SQL for tdat view; in a program without SQLite there are none.
 *
 * Threads: one query runs at a time, others wait. cli_view_sql_stop may be called by any thread.
 */
#ifndef CLI_VIEW_SQL_H
#define CLI_VIEW_SQL_H

#include "api/api.h"

struct cli_view_sql;

/*
 * cli_view_sql_prepare makes SQLite take what it needs from the system; call it before the sandbox
 * is entered.
 */
void cli_view_sql_prepare(void);

/* Lets api answer queries of a trace, which must outlive *out. *out is NULL without SQLite. */
enum tdat_status cli_view_sql_new(struct cli_view_sql **out, struct view_api *api,
				  const struct view_trace *trace, struct tdat_error *err);
/* Gives up the query that runs, and all later ones. NULL is allowed. */
void cli_view_sql_stop(struct cli_view_sql *s);
void cli_view_sql_free(struct cli_view_sql *s);

#endif
