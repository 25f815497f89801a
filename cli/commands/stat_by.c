/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the rows of tables of events by the values of their columns. Only tables that have all
 * the named columns count. Groups are bounded in number and memory; what has no group of its
 * own is counted as (others) and reported.
 */
#include "commands/stat_by.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/grow.h"
#include "output/json_out.h"
#include "output/selection.h"
#include "tables/group_text.h"
#include "tables/key_list.h"
#include "tables/trace_tables.h"
#include "terminal/message.h"

enum { KEYS = 8 };

struct sum {
	uint64_t count, values;
	int64_t sum;
	double wide; /* where sum overflows */
	bool is_wide;
};

struct grouping {
	const struct stat_args *args;
	struct cli_trace trace;
	const struct tdat_table **tables;
	struct cli_column (*columns)[KEYS + 1]; /* of each table */
	size_t table_count;
	const char *names[KEYS + 1];
	size_t key_count, name_count, sum_at;
	struct cli_groups groups;
	struct sum *sums;
	size_t sum_cap;
	size_t *order;
};

/* ---- which tables ---- */

/* Finds the columns of a table. False: it lacks one, or *rc is the status of a failure. */
static bool has_columns(struct grouping *g, const struct tdat_table *table,
			struct cli_column *columns, int *rc)
{
	*rc = cli_trace_columns(&g->trace, table, g->names, g->name_count, columns);
	for (size_t i = 0; *rc == CLI_OK && i < g->name_count; i++)
		if (!columns[i].kind)
			return false;
	return *rc == CLI_OK && (!g->args->sum || cli_column_is_number(&columns[g->sum_at]));
}

/* The table of all events if it has the columns, else those of event types that have them. */
static int choose_tables(struct grouping *g)
{
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(g->trace.trace, &count);
	int rc = CLI_OK;

	g->tables = calloc(count + 1, sizeof(*g->tables));
	g->columns = calloc(count + 1, sizeof(*g->columns));
	if (!g->tables || !g->columns)
		return cli_nomem();
	for (int kind = TDAT_TABLE_EVENTS; kind <= TDAT_TABLE_EVENT && !g->table_count; kind++)
		for (size_t i = 0; i < count && rc == CLI_OK; i++)
			if (all[i].kind == (enum tdat_table_kind)kind &&
			    has_columns(g, &all[i], g->columns[g->table_count], &rc))
				g->tables[g->table_count++] = &all[i];
	if (rc == CLI_OK && !g->table_count) {
		cli_error(NULL, "no event has all of these columns: see 'tdat list --fields'");
		return CLI_FAILED;
	}
	return rc;
}

static int take_names(struct grouping *g)
{
	const struct stat_args *a = g->args;

	if (!a->by.count) {
		cli_error(NULL, "%s needs --by", a->sum ? "--sum" : "--csv");
		return CLI_USAGE;
	}
	for (size_t i = 0; i < a->by.count; i++) {
		for (size_t k = 0; k < i; k++)
			if (!strcmp(a->by.v[i], a->by.v[k])) {
				cli_error(NULL, "--by names '%s' twice", a->by.v[i]);
				return CLI_USAGE;
			}
		g->names[i] = a->by.v[i];
	}
	g->key_count = g->name_count = a->by.count;
	for (g->sum_at = 0; a->sum && g->sum_at < g->key_count; g->sum_at++)
		if (!strcmp(g->names[g->sum_at], a->sum))
			return CLI_OK;
	if (a->sum)
		g->names[g->name_count++] = a->sum;
	return CLI_OK;
}

/* ---- rows ---- */

static bool take_row(struct grouping *g, const struct cli_column *columns, int64_t row)
{
	const struct cli_column *c = &columns[g->sum_at];
	const size_t i = cli_groups_find(&g->groups, columns, row), had = g->sum_cap;
	struct sum *s;
	int64_t v;

	if (i == CLI_NO_GROUP)
		return false;
	s = tdat_grown(g->sums, &g->sum_cap, i + 1, sizeof(*s));
	if (!s)
		return false;
	g->sums = s;
	if (g->sum_cap > had)
		memset(s + had, 0, (g->sum_cap - had) * sizeof(*s));
	s[i].count++;
	if (!g->args->sum || cli_column_is_null(c, row))
		return true;
	v = cli_column_int(c, row);
	s[i].values++;
	s[i].wide += (double)v;
	s[i].is_wide |= __builtin_add_overflow(s[i].sum, v, &s[i].sum);
	return true;
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct grouping *g = ctx;
	size_t i = 0;

	while (g->tables[i] != table)
		i++;
	cli_trace_batch(g->columns[i], g->name_count, rows);
	cli_groups_batch(&g->groups);
	for (int64_t row = 0; row < rows->length; row++)
		if (!take_row(g, g->columns[i], row))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	return TDAT_OK;
}

struct order_entry {
	size_t group;
	uint64_t count;
	const struct cli_groups *groups;
};

static int by_count(const void *a, const void *b)
{
	const struct order_entry *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return cli_groups_compare(x->groups, x->group, y->group);
}

static int sort_groups(struct grouping *g)
{
	struct order_entry *list = calloc(g->groups.count + 1, sizeof(*list));

	g->order = calloc(g->groups.count + 1, sizeof(*g->order));
	if (!list || !g->order) {
		free(list);
		return cli_nomem();
	}
	for (size_t i = 0; i < g->groups.count; i++)
		list[i] = (struct order_entry){i, g->sums[i].count, &g->groups};
	qsort(list, g->groups.count, sizeof(*list), by_count);
	for (size_t i = 0; i < g->groups.count; i++)
		g->order[i] = list[i].group;
	free(list);
	return CLI_OK;
}

/* ---- output ---- */

static void put_number(const struct sum *s)
{
	if (s->is_wide)
		printf("%.0f", s->wide);
	else
		printf("%" PRId64, s->sum);
}

static void print_json(const struct grouping *g)
{
	struct tdat_json j;

	cli_json_init(&j, stdout, true);
	tdat_json_array(&j, NULL);
	for (size_t i = 0; i < g->groups.count; i++) {
		const struct sum *s = &g->sums[g->order[i]];

		tdat_json_object(&j, NULL);
		tdat_json_object(&j, "key");
		for (size_t k = 0; k < g->key_count; k++)
			cli_group_json(&j, &g->groups, g->order[i], k, g->names[k]);
		tdat_json_object_end(&j);
		cli_group_json_others(&j, &g->groups, g->order[i]);
		tdat_json_u64(&j, "count", s->count);
		if (g->args->sum && s->values && !s->is_wide)
			tdat_json_i64(&j, "sum", s->sum);
		else if (g->args->sum)
			tdat_json_null(&j, "sum");
		tdat_json_object_end(&j);
	}
	tdat_json_array_end(&j);
	cli_json_end(&j);
}

static void print_csv(const struct grouping *g)
{
	for (size_t k = 0; k < g->key_count; k++)
		printf("%s,", g->names[k]);
	printf("count%s\n", g->args->sum ? ",sum" : "");
	for (size_t i = 0; i < g->groups.count; i++) {
		for (size_t k = 0; k < g->key_count; k++) {
			cli_group_csv(&g->groups, g->order[i], k);
			putchar(',');
		}
		printf("%" PRIu64, g->sums[g->order[i]].count);
		if (g->args->sum) {
			putchar(',');
			if (g->sums[g->order[i]].values)
				put_number(&g->sums[g->order[i]]);
		}
		putchar('\n');
	}
}

static void print_text(const struct grouping *g)
{
	const uint64_t top = g->args->top;
	const size_t most = top && top < g->groups.count ? (size_t)top : g->groups.count;

	printf("%12s", "count");
	if (g->args->sum)
		printf("  %20s", g->args->sum);
	for (size_t k = 0; k < g->key_count; k++)
		printf("  %s", g->names[k]);
	putchar('\n');
	for (size_t i = 0; i < most; i++) {
		const struct sum *s = &g->sums[g->order[i]];

		printf("%12" PRIu64, s->count);
		if (g->args->sum && s->is_wide)
			printf("  %20.0f", s->wide);
		else if (g->args->sum)
			printf("  %20" PRId64, s->sum);
		for (size_t k = 0; k < g->key_count; k++) {
			fputs("  ", stdout);
			cli_group_text(&g->groups, g->order[i], k);
		}
		putchar('\n');
	}
	if (most < g->groups.count)
		printf("%12s  (%zu more lines: --top 0 shows all)\n", "", g->groups.count - most);
}

/* ---- the whole ---- */

static int group(struct grouping *g, const struct cli_table_args *table, int argc, char **argv)
{
	int rc = take_names(g);

	if (rc == CLI_OK)
		rc = cli_trace_open(&g->trace, "stat", table, argv + 1, argc - 1);
	if (rc == CLI_OK)
		rc = choose_tables(g);
	cli_groups_init(&g->groups, g->key_count);
	if (rc == CLI_OK)
		rc = cli_trace_read(&g->trace, g->tables, g->table_count, g->names, g->name_count,
				    take_rows, g);
	if (rc == CLI_OK)
		rc = sort_groups(g);
	if (rc == CLI_OK && g->args->json)
		print_json(g);
	else if (rc == CLI_OK && g->args->csv)
		print_csv(g);
	else if (rc == CLI_OK)
		print_text(g);
	if (rc == CLI_OK && !g->groups.count)
		cli_selection_warn(NULL, &table->filter, &table->cpus, g->trace.inputs,
				   g->trace.input_count);
	if (rc == CLI_OK)
		rc = cli_groups_complete(&g->groups, "stat --by");
	return rc == CLI_OK ? g->trace.status : rc;
}

int stat_by(struct stat_args *a, int argc, char **argv)
{
	/* The lists stay those of the command, which frees them. */
	const struct cli_table_args table = {
		.filter = a->filter, .cpus = a->cpus, .limits = a->limits, .threads = a->threads};
	struct grouping g = {.args = a};
	char *keys = NULL;
	int rc = cli_key_list(&a->by, KEYS, &keys);

	if (rc == CLI_OK && a->json && a->csv) {
		cli_error(NULL, "--json and --csv cannot be combined");
		rc = CLI_USAGE;
	}
	if (rc == CLI_OK)
		rc = group(&g, &table, argc, argv);
	cli_groups_fini(&g.groups);
	cli_trace_close(&g.trace);
	free(g.tables);
	free(g.columns);
	free(g.sums);
	free(g.order);
	free(keys);
	return rc;
}
