/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers questions about a trace in JSON, as docs/view-api.md defines them. It knows nothing of
 * HTTP: a question is a path and a query.
 *
 * Threads: view_api_answer may be called by several threads at once.
 */
#ifndef VIEW_API_API_H
#define VIEW_API_API_H

#include "core/build.h"
#include "data/engine.h"
#include "json.h"

struct view_api;

/* Makes the answers to questions about a trace; the engine must outlive it. */
enum tdat_status view_api_new(struct view_api **out, struct view_engine *engine,
			      struct tdat_error *err);
void view_api_free(struct view_api *api);

/* Who asks: is_gone tells whether nobody waits for the answer any more; it costs a system call. */
struct view_asker {
	bool (*is_gone)(void *ctx);
	void *ctx;
};

/*
 * Appends the answer to a question to out, which is empty: path is "trace" for api/trace, query
 * what follows the question mark, or "". asker is NULL where somebody waits in any case. Returns
 * the status of HTTP. When out->failed is set there was no memory for the answer.
 */
unsigned view_api_answer(struct view_api *api, const char *path, const char *query,
			 const struct view_asker *asker, struct tdat_build *out);

/*
 * Appends the answer to a query in SQL, of at most limit rows, and fewer where they have more than
 * VIEW_SQL_LEN bytes. It is called by several threads at once, and gives a query up when its asker,
 * which may be NULL, is gone.
 */
typedef enum tdat_status (*view_sql_fn)(void *ctx, const char *query, uint64_t limit,
					const struct view_asker *asker, struct tdat_json *j,
					struct tdat_error *err);
enum { VIEW_SQL_LEN = 2 << 20 };

/*
 * view_api_set_sql sets who answers api/sql, before the first question. Without it there is no such
 * question.
 */
void view_api_set_sql(struct view_api *api, view_sql_fn sql, void *ctx);

/*
 * Has the rows made in the background that the page asks for first, as soon as the index is
 * complete. False: there is no memory for it.
 */
bool view_api_warm(struct view_api *api);

/*
 * Appends what a page asks for first, as docs/view-api.md has it under "The page", so that it can
 * stand in the page; nothing where one of the answers is a failure, which the page then gets when
 * it asks.
 */
void view_api_first(struct view_api *api, struct tdat_build *out);

/* Appends the answer for a failure. */
void view_api_error(struct tdat_build *out, const char *message, bool has_at, uint64_t at);

#endif
