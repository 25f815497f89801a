/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the groups of "tdat latency" as text and CSV. All rows together are the first line; a
 * group is a line with count, sum and quantiles. All groups together also have a histogram with
 * round bounds. Each of the worst rows has a command that prints its events. CSV has all groups in
 * the order of the text.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/summary_text.h"
#include "tables/group_text.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

/* The longest bar of the histogram in characters. */
enum { BAR = 30 };
static const char *const quantile_names[TDAT_GROUP_QUANTILES] = {"p50", "p90", "p99", "p99.9"};

/* The columns before those of the keys. */
static const struct cli_column number_columns[] = {
	{"count", 0, false}, {"total", 2, false}, {"share", 5, false},
	{"mean", 7, false},  {"p50", 3, false},	  {"p90", 6, false},
	{"p99", 4, false},   {"p99.9", 8, false}, {"max", 0, false}};
enum { NUMBERS = sizeof(number_columns) / sizeof(number_columns[0]) };

/* Keys of groups are the last columns; all but the first of them may be left out. */
static void add_keys(const struct tdat_summary *s, struct cli_column *columns)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);

	for (size_t i = 0; i < f->key_count; i++)
		columns[i] = (struct cli_column){f->keys[i], i ? 1 : 0, true};
}

static void cell_keys(struct cli_columns *t, const struct tdat_summary *s, size_t group)
{
	for (size_t i = 0; i < tdat_groups_facts(s)->key_count; i++)
		cli_cell_key(t, tdat_group_key(s, group, i));
}

/* The numbers of one group, or of all, which is given. False: no memory. */
static bool cell_numbers(struct cli_columns *t, const struct tdat_summary *s, size_t index,
			 const struct tdat_group *all)
{
	const bool is_time = tdat_groups_facts(s)->is_time;
	struct tdat_group g = *all;

	if (index != TDAT_ALL_GROUPS && tdat_group(s, index, &g, NULL))
		return false;
	cli_cell_count(t, g.row_count);
	if (g.sum_is_wide)
		cli_cell_none(t);
	else
		cli_cell_value(t, g.sum, is_time);
	/* A sum of negative numbers has no parts. */
	if (all->least < 0 || all->sum_is_wide)
		cli_cell_none(t);
	else
		cli_cell_share(t, (uint64_t)g.sum, (uint64_t)all->sum);
	cli_cell_value(t, g.mean, is_time);
	for (size_t i = 0; i < TDAT_GROUP_QUANTILES; i++)
		cli_cell_value(t, g.quantiles[i], is_time);
	cli_cell_value(t, g.greatest, is_time);
	return true;
}

/* Prints all rows together, then `top` groups, 0: all. False: no memory. */
static bool text_groups(const struct tdat_summary *s, uint64_t top, struct cli_numbers numbers)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const size_t most = top && top < f->group_count ? (size_t)top : f->group_count;
	struct cli_column columns[NUMBERS + TDAT_GROUP_KEYS];
	struct tdat_group all;
	struct cli_columns t;
	bool ok = true;

	if (tdat_group(s, TDAT_ALL_GROUPS, &all, NULL))
		return false;
	memcpy(columns, number_columns, sizeof(number_columns));
	add_keys(s, columns + NUMBERS);
	cli_columns_init(&t, columns, NUMBERS + f->key_count, numbers);
	/* A line for all rows would repeat the only group. */
	if (f->group_count > 1) {
		ok = cell_numbers(&t, s, TDAT_ALL_GROUPS, &all);
		for (size_t i = 0; i < f->key_count; i++)
			cli_cell_str(&t, i ? "" : "all");
	}
	for (size_t i = 0; i < most && ok; i++) {
		ok = cell_numbers(&t, s, i, &all);
		cell_keys(&t, s, i);
	}
	ok = cli_columns_end(&t) && ok;
	if (most < f->group_count)
		printf("  (%zu more groups: --top 0 prints all)\n", f->group_count - most);
	return ok;
}

/* Bounds of the histogram: 1, 2 and 5 of each power of ten; the first bin is below 1. */
enum { BOUNDS = 57 };
/* From here on, 1000 s, times have units that are not powers of ten. */
#define LONG_BOUND INT64_C(1000000000000)

static void fill_bounds(int64_t bounds[BOUNDS])
{
	int64_t power = 1;

	for (size_t i = 0; i < BOUNDS; i += 3, power *= i < BOUNDS ? 10 : 1) {
		bounds[i] = power;
		bounds[i + 1] = 2 * power;
		bounds[i + 2] = 5 * power;
	}
}

/* A round number: "10 us" and "5000 s", where units would say "10.0 us" and "83.3 min". */
static void cell_bound(struct cli_columns *t, const struct tdat_summary *s, int64_t bound)
{
	const bool is_ns = tdat_groups_facts(s)->is_time && t->numbers.ns;
	char buf[CLI_UNIT_ROOM], *point, *unit;

	(is_ns ? cli_unit_ns : cli_unit_count)(buf, (uint64_t)bound, t->numbers.exact);
	point = strchr(buf, '.');
	unit = strchr(buf, ' ');
	if (is_ns && bound >= LONG_BOUND && !t->numbers.exact)
		snprintf(buf, sizeof(buf), "%" PRId64 " s", bound / 1000000000);
	else if (point && unit && !t->numbers.exact)
		memmove(point, unit, strlen(unit) + 1);
	cli_cell_str(t, buf);
}

/* One bin: its bounds, its values and their part of all, and a bar. */
static void cell_bin(struct cli_columns *t, const struct tdat_summary *s, const int64_t *bounds,
		     const uint64_t *counts, size_t bin, uint64_t most, uint64_t all)
{
	const size_t bar = (size_t)((double)counts[bin] / (double)most * BAR);

	if (bin)
		cell_bound(t, s, bounds[bin - 1]);
	else
		cli_cell_none(t);
	if (bin < BOUNDS)
		cell_bound(t, s, bounds[bin]);
	else
		cli_cell_none(t);
	cli_cell_count(t, counts[bin]);
	cli_cell_share(t, counts[bin], all);
	/* A bin with few values must still be seen. */
	tdat_build_fill(&t->cells, '#', counts[bin] && !bar ? 1 : bar);
	cli_cell_end(t);
}

/* From the first bin with values to the last. False: no memory. */
static bool text_histogram(const struct tdat_summary *s, struct cli_numbers numbers)
{
	static const struct cli_column columns[] = {{"from", 0, false},
						    {"below", 0, false},
						    {"count", 0, false},
						    {"share", 1, false},
						    {"", 0, true}};
	uint64_t most = 0, all = 0, counts[BOUNDS + 1];
	size_t first = BOUNDS + 1, last = 0;
	struct cli_columns t;
	int64_t bounds[BOUNDS];

	fill_bounds(bounds);
	tdat_group_histogram(s, TDAT_ALL_GROUPS, bounds, BOUNDS, counts);
	for (size_t i = 0; i <= BOUNDS; i++) {
		if (!counts[i])
			continue;
		first = first < i ? first : i;
		last = i;
		all += counts[i];
		most = most > counts[i] ? most : counts[i];
	}
	if (first > last)
		return true;
	putchar('\n');
	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]), numbers);
	for (size_t i = first; i <= last; i++)
		cell_bin(&t, s, bounds, counts, i, most, all);
	return cli_columns_end(&t);
}

/* The worst rows name their task anyway. */
static bool is_of_task(const char *key)
{
	return !strcmp(key, "comm") || !strcmp(key, "pid");
}

static void cell_worst(struct cli_columns *t, const struct tdat_summary *s,
		       const struct tdat_group_worst *w)
{
	cli_cell_value(t, w->value, tdat_groups_facts(s)->is_time);
	cli_cell_str(t, w->at);
	if (w->cpu >= 0)
		tdat_build_printf(&t->cells, "%" PRId64, w->cpu);
	else
		tdat_build_u8(&t->cells, '-');
	cli_cell_end(t);
	if (w->comm) {
		cli_build_text(&t->cells, w->comm, strlen(w->comm), "");
		tdat_build_printf(&t->cells, "-%" PRId64, w->pid);
	} else {
		tdat_build_u8(&t->cells, '-');
	}
	cli_cell_end(t);
}

/* The worst rows with their time, then the commands that print the events of each. */
static bool text_worst(const struct tdat_summary *s, struct cli_numbers numbers)
{
	enum { OWN = 4 };
	struct cli_column columns[OWN + TDAT_GROUP_KEYS] = {
		{"greatest", 0, false}, {"at", 0, false}, {"CPU", 2, false}, {"task", 0, true}};
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const struct tdat_group_worst *w;
	size_t count = OWN;
	struct cli_columns t;
	bool ok;

	if (!tdat_group_worst(s, 0))
		return true;
	putchar('\n');
	for (size_t i = 0; i < f->key_count; i++)
		if (!is_of_task(f->keys[i]))
			columns[count++] = (struct cli_column){f->keys[i], 1, true};
	cli_columns_init(&t, columns, count, numbers);
	for (size_t i = 0; (w = tdat_group_worst(s, i)); i++) {
		cell_worst(&t, s, w);
		for (size_t k = 0; k < f->key_count; k++)
			if (!is_of_task(f->keys[k]))
				cli_cell_key(&t, tdat_group_key(s, w->group, k));
	}
	ok = cli_columns_end(&t);
	puts("\nTheir events:");
	for (size_t i = 0; (w = tdat_group_worst(s, i)); i++) {
		fputs("  ", stdout);
		cli_put_str(stdout, w->dump);
		putchar('\n');
	}
	return ok;
}

/* Rows that are in no group, and why; and the error of quantiles if values were rounded. */
static void text_left_out(const struct tdat_summary *s, bool exact)
{
	char part[CLI_UNIT_ROOM], all[CLI_UNIT_ROOM];
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	size_t count;
	const struct tdat_summary_note *notes = tdat_summary_notes(s, &count);

	if (f->rows_without_value || count || f->is_rounded)
		putchar('\n');
	if (f->rows_without_value)
		printf("Not counted: %s of %s rows, whose %s is unknown\n",
		       cli_unit_count(part, f->rows_without_value, exact),
		       cli_unit_count(all, f->rows, exact), f->value);
	for (size_t i = 0; i < count; i++)
		printf("Omitted %s times: %s\n", cli_unit_count(part, notes[i].count, exact),
		       notes[i].what);
	if (f->is_rounded)
		puts("Over a million different values: quantiles may be up to 1/128 too low.");
}

/* The whole text of one table. False: no memory. */
bool latency_text(const struct tdat_summary *s, uint64_t top, bool exact)
{
	const struct tdat_groups_facts *f = tdat_groups_facts(s);
	const struct cli_numbers numbers = {exact, tdat_summary_seconds(s)};

	printf("\n%s of %s%s\n", f->value, f->table,
	       f->is_time && !numbers.ns ? ", in ticks of the clock" : "");
	if (!f->rows)
		puts("No rows: the trace contains no events for this table, or no event was "
		     "selected.");
	if (f->group_count && !text_groups(s, top, numbers))
		return false;
	if (!text_histogram(s, numbers) || !text_worst(s, numbers))
		return false;
	text_left_out(s, exact);
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
