/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints what "tdat latency" found as JSON and CSV. Both print the same groups in the same
 * order as the text. Times are nanoseconds, exact. What has no group of its own is a group with
 * "others": true. Called by latency.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/latency_facts.h"
#include "tables/group_text.h"

static void json_key(struct tdat_json *j, const struct latency *l, size_t group)
{
	tdat_json_object(j, "key");
	for (size_t i = 0; i < l->key_count; i++)
		cli_group_json(j, &l->groups, group, i, l->keys[i]);
	tdat_json_object_end(j);
	cli_group_json_others(j, &l->groups, group);
}

static bool json_values(struct tdat_json *j, const struct latency *l, const struct cli_values *d,
			size_t group)
{
	int64_t quantiles[LATENCY_QUANTILES];
	uint64_t log2[CLI_VALUES_LOG2];

	if (!latency_quantiles(l, group, quantiles))
		return false;
	latency_log2(l, group, log2);
	tdat_json_u64(j, "count", d->total);
	tdat_json_i64(j, "sum", d->sum_is_wide ? INT64_MAX : d->sum);
	tdat_json_i64(j, "mean", cli_values_mean(d));
	tdat_json_i64(j, "min", d->least);
	for (size_t i = 0; i < LATENCY_QUANTILES; i++)
		tdat_json_i64(j, latency_quantile_names[i], quantiles[i]);
	tdat_json_i64(j, "max", d->greatest);
	tdat_json_array(j, "log2");
	for (size_t i = 0; i < CLI_VALUES_LOG2; i++) {
		if (!log2[i])
			continue;
		tdat_json_object(j, NULL);
		tdat_json_u64(j, "from", i ? UINT64_C(1) << (i - 1) : 0);
		tdat_json_u64(j, "count", log2[i]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	return true;
}

static void json_worst(struct tdat_json *j, const struct latency *l)
{
	tdat_json_array(j, "worst");
	for (size_t i = 0; i < l->worst_count; i++) {
		const struct latency_worst *w = &l->worst[i];
		char *dump = latency_dump(l, w);

		tdat_json_object(j, NULL);
		tdat_json_i64(j, "value", w->value);
		tdat_json_u64(j, "ts", w->ts);
		if (w->cpu >= 0)
			tdat_json_i64(j, "cpu", w->cpu);
		if (w->pid != INT64_MIN)
			tdat_json_i64(j, "pid", w->pid);
		tdat_json_str(j, "comm", w->comm);
		json_key(j, l, w->group);
		tdat_json_str(j, "dump", dump);
		tdat_json_object_end(j);
		free(dump);
	}
	tdat_json_array_end(j);
}

bool latency_json(struct tdat_json *j, struct latency *l)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "table", l->table->name);
	tdat_json_str(j, "value", l->value);
	tdat_json_str(j, "unit", !l->is_time ? "" : l->trace->seconds ? "ns" : "ticks");
	tdat_json_u64(j, "rows", l->rows);
	tdat_json_u64(j, "rows_without_value", l->none);
	tdat_json_bool(j, "exact", !l->pool.rounded);
	tdat_json_object(j, "all");
	if (!json_values(j, l, &l->all, LATENCY_ALL))
		return false;
	tdat_json_object_end(j);
	tdat_json_array(j, "groups");
	for (size_t i = 0; i < l->groups.count; i++) {
		tdat_json_object(j, NULL);
		json_key(j, l, l->order[i]);
		if (!json_values(j, l, &l->values[l->order[i]], l->order[i]))
			return false;
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	json_worst(j, l);
	tdat_json_array(j, "left_out");
	for (size_t i = 0; i < l->trace->note_count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "what", l->trace->notes[i].what);
		tdat_json_u64(j, "count", l->trace->notes[i].count);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	return true;
}

bool latency_csv(struct latency *l)
{
	fputs("table,value", stdout);
	for (size_t i = 0; i < l->key_count; i++)
		printf(",%s", l->keys[i]);
	fputs(",count,mean,min", stdout);
	for (size_t i = 0; i < LATENCY_QUANTILES; i++)
		printf(",%s", latency_quantile_names[i]);
	puts(",max");
	for (size_t i = 0; i < l->groups.count; i++) {
		const struct cli_values *d = &l->values[l->order[i]];
		int64_t quantiles[LATENCY_QUANTILES];

		if (!latency_quantiles(l, l->order[i], quantiles))
			return false;
		printf("%s,%s", l->table->name, l->value);
		for (size_t k = 0; k < l->key_count; k++) {
			putchar(',');
			cli_group_csv(&l->groups, l->order[i], k);
		}
		printf(",%" PRIu64 ",%" PRId64 ",%" PRId64, d->total, cli_values_mean(d), d->least);
		for (size_t k = 0; k < LATENCY_QUANTILES; k++)
			printf(",%" PRId64, quantiles[k]);
		printf(",%" PRId64 "\n", d->greatest);
	}
	return true;
}
