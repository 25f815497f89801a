/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who asks a question, and who answers those in SQL. */
#ifndef VIEW_API_ASKER_H
#define VIEW_API_ASKER_H

#include "json.h"

/* Who asks: is_gone tells whether nobody waits for the answer any more; it costs a system call. */
struct view_asker {
	bool (*is_gone)(void *ctx);
	void *ctx;
};

/*
 * Appends the members of the answer to a query in SQL, of at most limit rows, and fewer where they
 * have more than VIEW_SQL_LEN bytes. It is called by several threads at once, and gives a query up
 * when its asker, which may be NULL, is gone.
 */
typedef enum tdat_status (*view_sql_fn)(void *ctx, const char *query, uint64_t limit,
					const struct view_asker *asker, struct tdat_json *j,
					struct tdat_error *err);
enum { VIEW_SQL_LEN = 2 << 20 };

#endif
