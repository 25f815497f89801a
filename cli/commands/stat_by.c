/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts events by the values of their columns (tdat_summary_groups without a table), for tdat stat
 * --by. Only event types with all the named columns count. Groups are bounded in number and memory;
 * rows without a group of their own are counted as (others) and reported.
 */
#include "commands/stat_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tables/group_text.h"
#include "terminal/columns.h"
#include "terminal/message.h"

/* All groups, unrounded. A sum beyond 64 bits is printed as a real number. */
static void print_csv(const struct tdat_summary *s)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);

	for (size_t k = 0; k < f->key_count; k++)
		printf("%s,", f->keys[k]);
	printf("count%s\n", f->value ? ",sum" : "");
	for (size_t i = 0; i < f->group_count; i++) {
		struct tdat_group g;

		tdat_group(s, i, &g, NULL);
		for (size_t k = 0; k < f->key_count; k++) {
			cli_key_csv(tdat_group_key(s, i, k));
			putchar(',');
		}
		printf("%" PRIu64 "%s", g.row_count, f->value ? "," : "");
		if (g.sum_is_wide)
			printf("%.0f", g.wide_sum);
		else if (g.value_count)
			printf("%" PRId64, g.sum);
		putchar('\n');
	}
}

/* Count, share and sum of a group, or of all rows. */
static void cell_numbers(struct cli_columns *t, const struct tdat_summary *s, size_t index)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	struct tdat_group g;

	tdat_group(s, index, &g, NULL);
	cli_cell_count(t, g.row_count);
	cli_cell_share(t, g.row_count, f->rows);
	if (!f->value)
		return;
	if (g.sum_is_wide)
		tdat_build_printf(&t->cells, "%.3g", g.wide_sum);
	if (g.sum_is_wide)
		cli_cell_end(t);
	else if (g.value_count)
		cli_cell_value(t, g.sum, f->is_time);
	else
		cli_cell_none(t);
}

/* All rows together, then `top` groups, 0: all, the largest first. False: no memory. */
static bool print_text(const struct tdat_summary *s, const struct stat_args *a)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const size_t most = a->top && a->top < f->group_count ? (size_t)a->top : f->group_count;
	struct cli_column columns[3 + TDAT_GROUP_KEYS] = {{"count", 0, false}, {"share", 2, false}};
	size_t count = 2;
	struct cli_columns t;
	bool ok;

	if (f->value)
		columns[count++] = (struct cli_column){f->value, 0, false};
	for (size_t k = 0; k < f->key_count; k++)
		columns[count++] = (struct cli_column){f->keys[k], k ? 1 : 0, true};
	cli_columns_init(&t, columns, count,
			 (struct cli_numbers){a->exact, tdat_summary_seconds(s)});
	t.indent = 0;
	if (f->group_count > 1) {
		cell_numbers(&t, s, TDAT_ALL_GROUPS);
		for (size_t k = 0; k < f->key_count; k++)
			cli_cell_str(&t, k ? "" : "all");
	}
	for (size_t i = 0; i < most; i++) {
		cell_numbers(&t, s, i);
		for (size_t k = 0; k < f->key_count; k++)
			cli_cell_key(&t, tdat_group_key(s, i, k));
	}
	ok = cli_columns_end(&t);
	if (most < f->group_count)
		printf("(%zu more groups: --top 0 prints all)\n", f->group_count - most);
	return ok;
}

/* The callback of cli_sum_up() that makes the summary. */
static enum tdat_status make(const void *args, const struct tdat_trace *trace,
			     struct tdat_summary **out, struct tdat_error *err)
{
	const struct stat_args *a = args;
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;

	opts.keys = a->by.v;
	opts.key_count = a->by.count;
	opts.value = a->sum;
	return tdat_summary_groups(out, trace, &opts, err);
}

static int print(const void *args, struct cli_trace *t, const struct tdat_summary *s)
{
	const struct stat_args *a = args;
	int rc = CLI_OK;

	if (a->json) {
		rc = cli_trace_json(s, 0);
		putchar('\n');
	} else if (a->csv) {
		print_csv(s);
	} else if (!print_text(s, a)) {
		rc = cli_nomem();
	}
	if (rc == CLI_OK && !tdat_groups_facts(s)->rows)
		cli_trace_warn_empty(t, "stat --by");
	return rc;
}

/* Called by stat.c if --by or one of its options is given. */
int stat_by(struct stat_args *a, int argc, char **argv)
{
	const struct cli_summary def = {a, make, print, "stat --by"};

	if (!a->by.count || (a->json && a->csv)) {
		cli_error(NULL, a->by.count ? "--json and --csv cannot be combined"
				: a->sum    ? "--sum needs --by"
					    : "--csv needs --by");
		return CLI_USAGE;
	}
	return cli_sum_up("stat", &a->table, argc, argv, &def);
}
