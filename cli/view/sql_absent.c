/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the place of sql.c in a program that was built without SQLite: the API has no function for
 * queries.
 */
#include "view/sql.h"

void cli_view_sql_prepare(void)
{
}

enum tdat_status cli_view_sql_new(struct cli_view_sql **out, struct view_api *api,
				  const struct view_trace *trace, struct tdat_error *err)
{
	(void)api;
	(void)trace;
	(void)err;
	*out = NULL;
	return TDAT_OK;
}

void cli_view_sql_stop(struct cli_view_sql *s)
{
	(void)s;
}

void cli_view_sql_free(struct cli_view_sql *s)
{
	(void)s;
}
