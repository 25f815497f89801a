/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes groups as JSON, and makes the commands that print worst rows. Groups come in the order of
 * their index, numbers are exact. Rows without a group of their own are a group with "others":
 * true. Called when a summary has ended (grouped.c), and by tdat_summary_json.
 */
#include "grouped.h"

/* ---- worst rows ---- */

/* Makes the times of a worst row as text, and the command that prints its events. */
bool grouped_show_worst(const struct grouped *g, struct tdat_group_worst *w)
{
	const uint64_t end = g->facts.is_time && w->value > 0 ? w->ts + (uint64_t)w->value : w->ts;
	struct tdat_build b;

	tdat_build_init(&b, false);
	summary_put_time(&g->s, w->ts, w->at);
	summary_put_command(&b, &g->s, "dump", w->ts, end, g->opts.paths, g->opts.path_count);
	w->dump = (const char *)b.ptr;
	return !b.failed;
}

/* ---- JSON ---- */

/* The values of a group's keys, each as text. */
static void json_key(struct tdat_json *j, const struct grouped *g, size_t index)
{
	const struct summary_groups *groups = &g->s.groups[0];

	tdat_json_object(j, "key");
	for (size_t i = 0; i < g->facts.key_count; i++)
		summary_json_key(j, g->keys[i], groups, g->order[index], i);
	tdat_json_object_end(j);
	summary_json_others(j, groups, g->order[index]);
}

/* The numbers of a group: of all rows, or those with a distribution. */
static bool json_values(struct tdat_json *j, const struct grouped *g, size_t index)
{
	static const char *const names[TDAT_GROUP_QUANTILES] = {"p50", "p90", "p99", "p99.9"};
	uint64_t log2[TDAT_GROUP_LOG2];
	struct tdat_group v;

	if (tdat_group(&g->s, index, &v, NULL))
		return false;
	tdat_json_u64(j, "count", v.row_count);
	if (!g->facts.table) {
		if (g->facts.value && v.value_count && !v.sum_is_wide)
			tdat_json_i64(j, "sum", v.sum);
		else if (g->facts.value)
			tdat_json_null(j, "sum");
		return true;
	}
	tdat_json_i64(j, "sum", v.sum);
	tdat_json_i64(j, "mean", v.mean);
	tdat_json_i64(j, "min", v.least);
	for (size_t i = 0; i < TDAT_GROUP_QUANTILES; i++)
		tdat_json_i64(j, names[i], v.quantiles[i]);
	tdat_json_i64(j, "max", v.greatest);
	tdat_json_array(j, "log2");
	tdat_group_log2(&g->s, index, log2);
	for (size_t i = 0; i < TDAT_GROUP_LOG2; i++) {
		if (!log2[i])
			continue;
		tdat_json_object(j, NULL);
		/* Bin i begins at 2^(i - 1); bin 0 has all values below 1. */
		tdat_json_u64(j, "from", i ? UINT64_C(1) << (i - 1) : 0);
		tdat_json_u64(j, "count", log2[i]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	return true;
}

static bool json_groups(struct tdat_json *j, const struct grouped *g, const char *name)
{
	bool good = true;

	tdat_json_array(j, name);
	for (size_t i = 0; i < g->facts.group_count && good; i++) {
		tdat_json_object(j, NULL);
		json_key(j, g, i);
		good = json_values(j, g, i);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	return good;
}

static void json_worst(struct tdat_json *j, const struct grouped *g)
{
	tdat_json_array(j, "worst");
	for (size_t i = 0; i < g->worst_count; i++) {
		const struct tdat_group_worst *w = &g->worst[i];

		tdat_json_object(j, NULL);
		tdat_json_i64(j, "value", w->value);
		tdat_json_u64(j, "ts", w->ts);
		if (w->cpu >= 0)
			tdat_json_i64(j, "cpu", w->cpu);
		if (w->pid != INT64_MIN)
			tdat_json_i64(j, "pid", w->pid);
		tdat_json_str(j, "comm", w->comm);
		json_key(j, g, w->group);
		tdat_json_str(j, "dump", w->dump);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* The whole document: an object for one table, an array for all events. */
bool grouped_json(const struct tdat_summary *s, struct tdat_json *j)
{
	const struct grouped *g = grouped_of(s);
	bool good;

	if (!g->facts.table)
		return json_groups(j, g, NULL);
	tdat_json_object(j, NULL);
	tdat_json_str(j, "table", g->facts.table);
	tdat_json_str(j, "value", g->facts.value);
	tdat_json_str(j, "unit", !g->facts.is_time ? "" : s->seconds ? "ns" : "ticks");
	tdat_json_u64(j, "rows", g->facts.rows);
	tdat_json_u64(j, "rows_without_value", g->facts.rows_without_value);
	tdat_json_bool(j, "exact", !g->facts.is_rounded);
	tdat_json_object(j, "all");
	good = json_values(j, g, TDAT_ALL_GROUPS);
	tdat_json_object_end(j);
	good = good && json_groups(j, g, "groups");
	json_worst(j, g);
	summary_json_notes(j, s, false);
	tdat_json_object_end(j);
	return good;
}
