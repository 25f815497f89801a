/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the groups of "tdat latency" as text and CSV. A group is a line with count and quantiles;
 * all groups together also have a histogram by powers of two. Each of the worst rows has a command
 * that prints its event. CSV has all groups in the order of the text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/summary_text.h"
#include "tables/group_text.h"
#include "terminal/safe_text.h"

/* The longest bar of the histogram in characters. */
enum { BAR = 40 };
static const char *const quantile_names[TDAT_GROUP_QUANTILES] = {"p50", "p90", "p99", "p99.9"};

/* Prints times in microseconds if the clock counts nanoseconds, other numbers unchanged. */
static void put_value(const struct tdat_summary *s, int64_t v, int width)
{
	const uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	char text[40];

	if (tdat_groups_facts(s)->is_time && tdat_summary_seconds(s))
		snprintf(text, sizeof(text), "%s%" PRIu64 ".%03" PRIu64, v < 0 ? "-" : "",
			 size / 1000, size % 1000);
	else
		snprintf(text, sizeof(text), "%" PRId64, v);
	printf("%*s", width, text);
}

/* The keys of a group, in the order of --by. */
static void put_group(const struct tdat_summary *s, size_t group)
{
	for (size_t i = 0; i < tdat_groups_facts(s)->key_count; i++) {
		fputs("  ", stdout);
		cli_key_text(tdat_group_key(s, group, i));
	}
}

/* The numbers of one group, or of all. False: no memory. */
static bool put_line(const struct tdat_summary *s, size_t index)
{
	struct tdat_group g;

	if (tdat_group(s, index, &g, NULL))
		return false;
	printf("%10" PRIu64, g.row_count);
	put_value(s, g.mean, 14);
	for (size_t i = 0; i < TDAT_GROUP_QUANTILES; i++)
		put_value(s, g.quantiles[i], 14);
	put_value(s, g.greatest, 14);
	return true;
}

/* Prints `top` groups, 0: all, and a last line for all rows together. False: no memory. */
static bool text_groups(const struct tdat_summary *s, uint64_t top)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const size_t most = top && top < f->group_count ? (size_t)top : f->group_count;

	printf("%10s%14s", "count", "mean");
	for (size_t i = 0; i < TDAT_GROUP_QUANTILES; i++)
		printf("%14s", quantile_names[i]);
	printf("%14s", "max");
	for (size_t i = 0; i < f->key_count; i++)
		printf("  %s", f->keys[i]);
	putchar('\n');
	for (size_t i = 0; i < most; i++) {
		if (!put_line(s, i))
			return false;
		put_group(s, i);
		putchar('\n');
	}
	if (most < f->group_count)
		printf("%10s(%zu more lines: --top 0 shows all)\n", "", f->group_count - most);
	/* A line for all rows would repeat the only group. */
	if (f->group_count == 1)
		return true;
	if (!put_line(s, TDAT_ALL_GROUPS))
		return false;
	puts("  all");
	return true;
}

/*
 * Prints a line for each power of two, from the first one with values to the last. Bucket i holds
 * values from 2^(i-1) to 2^i - 1; bucket 0 holds zeros.
 */
static void text_log2(const struct tdat_summary *s)
{
	uint64_t most = 0, counts[TDAT_GROUP_LOG2];
	size_t first = TDAT_GROUP_LOG2, last = 0;

	tdat_group_log2(s, TDAT_ALL_GROUPS, counts);
	for (size_t i = 0; i < TDAT_GROUP_LOG2; i++) {
		if (!counts[i])
			continue;
		first = first < i ? first : i;
		last = i;
		most = most > counts[i] ? most : counts[i];
	}
	if (first > last)
		return;
	printf("\n%14s%14s%10s\n", "from", "to", "count");
	for (size_t i = first; i <= last; i++) {
		const uint64_t n = counts[i];
		const double share = (double)n / (double)most;
		int bar = (int)(share * BAR);

		put_value(s, i ? (int64_t)(UINT64_C(1) << (i - 1)) : 0, 14);
		put_value(s, i < 64 ? (int64_t)((UINT64_C(1) << i) - 1) : INT64_MAX, 14);
		printf("%10" PRIu64 " |", n);
		/* A bucket with few values must still be seen. */
		bar = n && !bar ? 1 : bar;
		for (int k = 0; k < bar; k++)
			putchar('#');
		putchar('\n');
	}
}

/* The worst rows with their time, and a `tdat dump` command that prints the events around. */
static void text_worst(const struct tdat_summary *s)
{
	const struct tdat_group_worst *w;

	for (size_t i = 0; (w = tdat_group_worst(s, i)); i++) {
		if (!i)
			printf("\nThe greatest:\n");
		put_value(s, w->value, 14);
		printf("  at %s", w->at);
		if (w->cpu >= 0)
			printf("  CPU %" PRId64, w->cpu);
		if (w->comm) {
			fputs("  ", stdout);
			cli_put_str(stdout, w->comm);
			printf("-%" PRId64, w->pid);
		}
		printf("  of");
		put_group(s, w->group);
		printf("\n                ");
		cli_put_str(stdout, w->dump);
		putchar('\n');
	}
}

/* Rows that are in no group, and why; and the error of quantiles if values were rounded. */
static void text_left_out(const struct tdat_summary *s)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	size_t count;
	const struct tdat_summary_note *notes = tdat_summary_notes(s, &count);

	if (f->rows_without_value || count || f->is_rounded)
		putchar('\n');
	if (f->rows_without_value)
		printf("Not counted: %" PRIu64 " of %" PRIu64 " rows, whose %s is not known\n",
		       f->rows_without_value, f->rows, f->value);
	for (size_t i = 0; i < count; i++)
		printf("Left out: %" PRIu64 " of: %s\n", notes[i].count, notes[i].what);
	if (f->is_rounded)
		puts("There are so many different values that quantiles may be up to 1/128 too "
		     "low.");
}

/* The whole text of one table. False: no memory. */
bool latency_text(const struct tdat_summary *s, uint64_t top)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const char *unit =
		tdat_summary_seconds(s) ? ", in microseconds" : ", in ticks of the clock";

	printf("\n%s of %s%s\n", f->value, f->table, f->is_time ? unit : "");
	if (!f->rows)
		puts("No rows: the trace has nothing that this table is made of, or nothing "
		     "chosen.");
	if (f->group_count && !text_groups(s, top))
		return false;
	text_log2(s);
	text_worst(s);
	text_left_out(s);
	return true;
}

/* One line for each group, values unrounded in the unit of the table. False: no memory. */
bool latency_csv(const struct tdat_summary *s)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);

	fputs("table,value", stdout);
	for (size_t i = 0; i < f->key_count; i++)
		printf(",%s", f->keys[i]);
	fputs(",count,mean,min", stdout);
	for (size_t i = 0; i < TDAT_GROUP_QUANTILES; i++)
		printf(",%s", quantile_names[i]);
	puts(",max");
	for (size_t i = 0; i < f->group_count; i++) {
		struct tdat_group g;

		if (tdat_group(s, i, &g, NULL))
			return false;
		printf("%s,%s", f->table, f->value);
		for (size_t k = 0; k < f->key_count; k++) {
			putchar(',');
			cli_key_csv(tdat_group_key(s, i, k));
		}
		printf(",%" PRIu64 ",%" PRId64 ",%" PRId64, g.row_count, g.mean, g.least);
		for (size_t k = 0; k < TDAT_GROUP_QUANTILES; k++)
			printf(",%" PRId64, g.quantiles[k]);
		printf(",%" PRId64 "\n", g.greatest);
	}
	return true;
}
