/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what "tdat latency" found as text. Columns are as wide as their values need. A group
 * is a line with count and quantiles, or a histogram by powers of two; each worst row gets a
 * command that prints its event.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/latency_facts.h"
#include "tables/group_text.h"
#include "terminal/safe_text.h"

enum { BAR = 40 };

/* Times in microseconds where the clock counts nanoseconds, other numbers as they are. */
static void put_value(const struct latency *l, int64_t v, int width)
{
	char text[40];

	if (l->is_time && l->trace->seconds)
		snprintf(text, sizeof(text), "%s%" PRIu64 ".%03" PRIu64, v < 0 ? "-" : "",
			 (v < 0 ? 0 - (uint64_t)v : (uint64_t)v) / 1000,
			 (v < 0 ? 0 - (uint64_t)v : (uint64_t)v) % 1000);
	else
		snprintf(text, sizeof(text), "%" PRId64, v);
	printf("%*s", width, text);
}

static void put_group(const struct latency *l, size_t group)
{
	for (size_t i = 0; i < l->key_count; i++) {
		fputs("  ", stdout);
		cli_group_text(&l->groups, group, i);
	}
}

static bool put_line(const struct latency *l, const struct cli_values *d, size_t group)
{
	int64_t quantiles[LATENCY_QUANTILES];

	if (!latency_quantiles(l, group, quantiles))
		return false;
	printf("%10" PRIu64, d->total);
	put_value(l, cli_values_mean(d), 14);
	for (size_t i = 0; i < LATENCY_QUANTILES; i++)
		put_value(l, quantiles[i], 14);
	put_value(l, d->greatest, 14);
	return true;
}

static bool text_groups(struct latency *l)
{
	const size_t most = l->args->top && l->args->top < l->groups.count ? (size_t)l->args->top
									   : l->groups.count;

	printf("%10s%14s", "count", "mean");
	for (size_t i = 0; i < LATENCY_QUANTILES; i++)
		printf("%14s", latency_quantile_names[i]);
	printf("%14s", "max");
	for (size_t i = 0; i < l->key_count; i++)
		printf("  %s", l->keys[i]);
	putchar('\n');
	for (size_t i = 0; i < most; i++) {
		if (!put_line(l, &l->values[l->order[i]], l->order[i]))
			return false;
		put_group(l, l->order[i]);
		putchar('\n');
	}
	if (most < l->groups.count)
		printf("%10s(%zu more lines: --top 0 shows all)\n", "", l->groups.count - most);
	if (l->groups.count == 1)
		return true;
	if (!put_line(l, &l->all, LATENCY_ALL))
		return false;
	puts("  all");
	return true;
}

/* A line for each power of two, from the first one that has values to the last. */
static void text_log2(const struct latency *l)
{
	uint64_t most = 0, counts[CLI_VALUES_LOG2];
	size_t first = CLI_VALUES_LOG2, last = 0;

	latency_log2(l, LATENCY_ALL, counts);
	for (size_t i = 0; i < CLI_VALUES_LOG2; i++) {
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

		put_value(l, i ? (int64_t)(UINT64_C(1) << (i - 1)) : 0, 14);
		put_value(l, i < 64 ? (int64_t)((UINT64_C(1) << i) - 1) : INT64_MAX, 14);
		printf("%10" PRIu64 " |", n);
		bar = n && !bar ? 1 : bar;
		for (int k = 0; k < bar; k++)
			putchar('#');
		putchar('\n');
	}
}

static void text_worst(const struct latency *l)
{
	if (l->worst_count)
		printf("\nThe greatest:\n");
	for (size_t i = 0; i < l->worst_count; i++) {
		const struct latency_worst *w = &l->worst[i];
		char *dump = latency_dump(l, w);
		char ts[32];

		cli_trace_time(l->trace, w->ts, ts);
		put_value(l, w->value, 14);
		printf("  at %s", ts);
		if (w->cpu >= 0)
			printf("  CPU %" PRId64, w->cpu);
		if (w->comm) {
			fputs("  ", stdout);
			cli_put_text(stdout, w->comm, strlen(w->comm));
			printf("-%" PRId64, w->pid);
		}
		printf("  of");
		put_group(l, w->group);
		printf("\n                ");
		if (dump)
			cli_put_text(stdout, dump, strlen(dump));
		putchar('\n');
		free(dump);
	}
}

static void text_left_out(const struct latency *l)
{
	if (l->none || l->trace->note_count || l->pool.rounded)
		putchar('\n');
	if (l->none)
		printf("Not counted: %" PRIu64 " of %" PRIu64 " rows, whose %s is not known\n",
		       l->none, l->rows, l->value);
	for (size_t i = 0; i < l->trace->note_count; i++)
		printf("Left out: %" PRIu64 " of: %s\n", l->trace->notes[i].count,
		       l->trace->notes[i].what);
	if (l->pool.rounded)
		puts("There are so many different values that quantiles may be up to 1/128 too "
		     "low.");
}

bool latency_text(struct latency *l)
{
	printf("\n%s of %s%s\n", l->value, l->table->name,
	       l->is_time ? l->trace->seconds ? ", in microseconds" : ", in ticks of the clock"
			  : "");
	if (!l->rows)
		puts("No rows: the trace has nothing that this table is made of, or nothing "
		     "chosen.");
	if (l->groups.count && !text_groups(l))
		return false;
	text_log2(l);
	text_worst(l);
	text_left_out(l);
	return true;
}
