/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes traces with all derived tables. It is the top of the library for tables: the public
 * tdat_trace_new() adds the tables of this folder, and those of --pair, to what lib/table makes
 * of every trace.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "core/opts.h"
#include "table/meta.h"
#include "table/trace.h"
#include "user_pair.h"

/* All derived tables of this folder, in the order in which traces list them. */
#define ROW(name) &analysis_##name,
static const struct table_derived *const tables[] = {ANALYSIS_TABLES(ROW)};

/* Memory that a trace keeps for its pairs. */
struct owned {
	struct user_pairs *pairs;
	const struct table_derived **list;
};

static void free_owned(void *p)
{
	struct owned *o = p;

	user_pairs_free(o->pairs);
	free(o->list);
	free(o);
}

/* True if a table of the trace has the name. */
static bool is_taken(const struct table_derived *const *list, size_t count, const char *name)
{
	size_t metas;
	const struct table_meta *meta = table_metas(&metas);

	for (size_t i = 0; i < metas; i++)
		if (!strcmp(meta[i].name, name))
			return true;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i]->name, name))
			return true;
	return !strcmp(name, "events") || !strcmp(name, "lost");
}

/* The tables of every trace, and behind them those of the pairs. */
static enum tdat_status list_all(struct owned *o, const struct tdat_trace_opts *opts,
				 const struct tdat_iter_input *inputs, size_t input_count,
				 size_t *count, struct tdat_error *err)
{
	enum tdat_status st =
		user_pairs_new(&o->pairs, opts->pairs, opts->pair_count, inputs, input_count, err);

	*count = sizeof(tables) / sizeof(tables[0]);
	o->list = calloc(*count + opts->pair_count, sizeof(const struct table_derived *));
	if (!o->list)
		return tdat_error_no_memory(err, "derived tables");
	memcpy(o->list, tables, sizeof(tables));
	for (size_t i = 0; i < opts->pair_count && st == TDAT_OK; i++) {
		const struct table_derived *table = user_pairs_table(o->pairs, i);

		if (is_taken(o->list, *count, table->name))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "pair \"%.200s\": a table of this name exists",
					      opts->pairs[i]);
		o->list[(*count)++] = table;
	}
	return st;
}

/* The public way to make a trace, with all derived tables and the pairs of the options. */
enum tdat_status tdat_trace_new(struct tdat_trace **out, const struct tdat_iter_input *inputs,
				size_t input_count, const struct tdat_trace_opts *opts,
				struct tdat_error *err)
{
	struct tdat_trace_opts own = TDAT_TRACE_OPTS_INIT;
	struct trace_extra extra = {.free_owned = free_owned};
	struct owned *o = calloc(1, sizeof(*o));
	enum tdat_status st;

	*out = NULL;
	if (!o)
		return tdat_error_no_memory(err, "derived tables");
	tdat_opts_copy(&own, sizeof(own), opts);
	st = list_all(o, &own, inputs, input_count, &extra.derived_count, err);
	if (st != TDAT_OK) {
		free_owned(o);
		return st;
	}
	extra.owned = o;
	extra.derived = o->list;
	return trace_new(out, inputs, input_count, opts, &extra, err);
}
