/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts events by the values of their columns (tdat_summary_groups without a table). Only tables
 * that have all the named columns count. Groups are bounded in number and memory; what has no group
 * of its own is counted as (others) and reported.
 */
#include "commands/stat_by.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tables/group_text.h"
#include "tables/key_list.h"
#include "terminal/message.h"

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

static void print_text(const struct tdat_summary *s, uint64_t top)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const size_t most = top && top < f->group_count ? (size_t)top : f->group_count;

	printf("%12s", "count");
	if (f->value)
		printf("  %20s", f->value);
	for (size_t k = 0; k < f->key_count; k++)
		printf("  %s", f->keys[k]);
	putchar('\n');
	for (size_t i = 0; i < most; i++) {
		struct tdat_group g;

		tdat_group(s, i, &g, NULL);
		printf("%12" PRIu64, g.row_count);
		if (g.sum_is_wide)
			printf("  %20.0f", g.wide_sum);
		else if (f->value)
			printf("  %20" PRId64, g.sum);
		for (size_t k = 0; k < f->key_count; k++) {
			fputs("  ", stdout);
			cli_key_text(tdat_group_key(s, i, k));
		}
		putchar('\n');
	}
	if (most < f->group_count)
		printf("%12s  (%zu more lines: --top 0 shows all)\n", "", f->group_count - most);
}

/* Prepares groups of all events. CLI_OK, or an exit status after a complaint. */
static int make_groups(const struct stat_args *a, const struct cli_trace *trace,
		       struct tdat_summary **out)
{
	struct tdat_groups_opts opts = TDAT_GROUPS_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;

	opts.keys = a->by.v;
	opts.key_count = a->by.count;
	opts.value = a->sum;
	if (!tdat_summary_groups(out, trace->trace, &opts, &err))
		return CLI_OK;
	if (err.status != TDAT_E_NOT_FOUND)
		return cli_fail(NULL, &err);
	cli_error(NULL, "%s: see 'tdat list --fields'", err.message);
	return CLI_FAILED;
}

static int group(const struct stat_args *a, struct cli_trace *trace)
{
	struct tdat_summary *s;
	int rc = make_groups(a, trace, &s);

	if (rc == CLI_OK)
		rc = cli_trace_run(trace, s);
	if (rc == CLI_OK && a->json) {
		rc = cli_trace_json(s, 0);
		putchar('\n');
	} else if (rc == CLI_OK && a->csv) {
		print_csv(s);
	} else if (rc == CLI_OK) {
		print_text(s, a->top);
	}
	if (rc == CLI_OK && !tdat_groups_facts(s)->rows)
		cli_trace_warn_empty(trace);
	if (rc == CLI_OK)
		cli_trace_complete(trace, s, "stat --by");
	tdat_summary_free(s);
	return rc;
}

int stat_by(struct stat_args *a, int argc, char **argv)
{
	struct cli_trace trace;
	char *keys = NULL;
	int rc = cli_key_list(&a->by, TDAT_GROUP_KEYS, &keys);

	if (rc == CLI_OK && !a->by.count) {
		cli_error(NULL, "%s needs --by", a->sum ? "--sum" : "--csv");
		rc = CLI_USAGE;
	} else if (rc == CLI_OK && a->json && a->csv) {
		cli_error(NULL, "--json and --csv cannot be combined");
		rc = CLI_USAGE;
	}
	if (rc == CLI_OK) {
		rc = cli_trace_open(&trace, "stat", &a->table, argv + 1, argc - 1);
		if (rc == CLI_OK)
			rc = group(a, &trace);
		rc = rc == CLI_OK ? trace.status : rc;
		cli_trace_close(&trace);
	}
	free(keys);
	return rc;
}
