/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups of rows that have the same values in some columns, with sums of a column of numbers. Of
 * one table (tdat latency) the values are kept for quantiles, and the worst rows apart from them,
 * which costs rows x worst; of all events (tdat stat --by) only sums are, and the tables
 * of event types that have all columns are read. grouped_json.c writes the result.
 */
#include "grouped.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/opts.h"
#include "table/choice.h"

/* Keys that a table may have by default. */
enum { DEFAULT_KEYS = 3 };

/* The usual keys and value of each table. */
static const struct {
	const char *table, *value, *keys[DEFAULT_KEYS];
} defaults[] = {
	{"wakeup", "dur", {"comm", "pid"}},
	{"sched", "dur", {"comm", "pid"}},
	{"thread_state", "dur", {"state"}},
	{"irq", "dur", {"irq", "name"}},
	{"softirq", "dur", {"name"}},
	{"timer", "dur", {"kind", "function"}},
	{"workqueue", "dur", {"function"}},
	{"kvm", "dur", {"reason"}},
	{"syscall", "dur", {"name", "nr"}},
	{"function", "dur", {"func"}},
	{"block_io", "dur", {"dev", "rwbs"}},
	{"cpu_frequency", "dur", {"cpu", "khz"}},
	{"critical_path", "dur", {"depth", "kind"}},
	{"cpu_idle", "dur", {"state"}},
	{"futex", "dur", {"name", "op"}},
	{"io", "dur", {"fs", "op"}},
	{"lock", "dur", {"kind", "name", "flags"}},
	{"net", "dur", {"kind", "dev"}},
	{"off_cpu", "dur", {"comm", "pid"}},
	{"reclaim", "dur", {"kind"}},
	{"slice", "dur", {"name"}},
	{"counter", "value", {"name"}},
	{"latency_sample", "value", {"source", "metric", "context"}},
	{NULL, "dur", {"comm"}},
};

/* The last row is for tables without one of their own. */
static size_t default_of(const char *table)
{
	size_t i = 0;

	while (defaults[i].table && strcmp(defaults[i].table, table) != 0)
		i++;
	return i;
}

/* ---- rows ---- */

/* If values are equal, the first rows are kept. */
static bool is_among_worst(const struct grouped *g, int64_t value)
{
	return g->worst_count < g->opts.worst ||
	       (g->worst_count && value > g->worst[g->worst_count - 1].value);
}

static void worst_fini(struct tdat_group_worst *w)
{
	free((char *)(uintptr_t)w->comm);
	free((char *)(uintptr_t)w->dump);
}

/* Keeps a row that is one of the greatest. False: no memory. */
static bool keep_worst(struct grouped *g, int64_t row, int64_t value, size_t group)
{
	const struct summary_column *c = g->s.c;
	struct tdat_group_worst w = {.value = value,
				     .ts = (uint64_t)summary_column_int(&c[g->ts], row),
				     .cpu = -1,
				     .pid = INT64_MIN,
				     .group = group};
	size_t at = g->worst_count;

	if (!summary_is_null(&g->s, g->cpu, row))
		w.cpu = summary_column_int(&c[g->cpu], row);
	if (!summary_is_null(&g->s, g->pid, row))
		w.pid = summary_column_int(&c[g->pid], row);
	if (!summary_is_null(&g->s, g->comm, row)) {
		const struct tdat_span text = summary_column_text(&c[g->comm], row);

		w.comm = strndup((const char *)text.ptr, text.len);
		if (!w.comm)
			return false;
	}
	if (at == g->opts.worst)
		worst_fini(&g->worst[--at]);
	else
		g->worst_count++;
	for (; at && value > g->worst[at - 1].value; at--)
		g->worst[at] = g->worst[at - 1];
	g->worst[at] = w;
	return true;
}

/*
 * Adds a row to its group. Rows without a value count only if groups are of all events. False: no
 * memory.
 */
static bool take_row(struct grouped *g, int64_t row)
{
	const struct summary_column *c = &g->s.c[g->value];
	const bool has = g->facts.value && !summary_column_is_null(c, row);
	size_t group;
	int64_t value;

	g->facts.rows_without_value += !has;
	if (!has && g->facts.table)
		return true;
	value = has ? summary_column_int(c, row) : 0;
	group = summary_groups_find(&g->s.groups[0], g->s.c, row);
	if (group == SUMMARY_NO_GROUP ||
	    (group >= g->value_cap && !TDAT_GROW_ZERO(g->values, &g->value_cap, group + 1)))
		return false;
	g->values[group].rows++;
	if (g->facts.table)
		return summary_values_add(&g->values[group], &g->pool, value) &&
		       (!is_among_worst(g, value) || keep_worst(g, row, value, group));
	if (has)
		summary_values_count(&g->values[group], value);
	return true;
}

static bool take_rows(struct tdat_summary *s, size_t table, int64_t count)
{
	struct grouped *g = (struct grouped *)s;

	(void)table;
	summary_groups_batch(&s->groups[0]);
	g->facts.rows += (uint64_t)count;
	for (int64_t row = 0; row < count; row++)
		if (!take_row(g, row))
			return false;
	return true;
}

/* ---- the end ---- */

/* Order of stat --by: the group with the most rows first. */
static uint64_t by_rows(const void *values, size_t group)
{
	return ((const struct summary_values *)values)[group].rows;
}

/* The sum as an unsigned number that rises with it: the bits of a double, with the sign turned. */
static uint64_t by_sum(const void *values, size_t group)
{
	const double sum = ((const struct summary_values *)values)[group].wide_sum;
	uint64_t bits;

	memcpy(&bits, &sum, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/*
 * Sorts the groups, adds up their sums, and finishes the worst rows. Worst rows get the place of
 * their group in that order.
 */
static bool end(struct tdat_summary *s)
{
	struct grouped *g = (struct grouped *)s;
	const size_t count = s->groups[0].count;
	size_t *places = calloc(count + 1, sizeof(*places));
	bool good;

	g->order = summary_groups_order(&s->groups[0], 0, g->facts.table ? by_sum : by_rows,
					g->values);
	good = places && g->order;
	for (size_t i = 0; good && i < count; i++) {
		places[g->order[i]] = i;
		summary_values_add_sums(&g->all, &g->values[i]);
	}
	for (size_t i = 0; good && i < g->worst_count; i++) {
		g->worst[i].group = places[g->worst[i].group];
		good = grouped_show_worst(g, &g->worst[i]);
	}
	free(places);
	g->facts.group_count = count;
	g->facts.is_rounded = g->pool.rounded;
	return good;
}

static void free_grouped(struct tdat_summary *s)
{
	struct grouped *g = (struct grouped *)s;

	for (size_t i = 0; i < g->value_cap; i++)
		summary_values_fini(&g->values[i]);
	for (size_t i = 0; i < g->worst_count; i++)
		worst_fini(&g->worst[i]);
	tdat_arena_fini(&g->names);
	free(g->values);
	free(g->order);
	free(g->worst);
}

/* ---- which columns ---- */

/* Adds a column once, and returns its place. Keys come first, at the places of their numbers. */
static size_t add_name(struct tdat_summary *s, const char *name)
{
	for (size_t i = 0; i < s->name_count; i++)
		if (!strcmp(s->names[i], name))
			return i;
	s->names[s->name_count] = name;
	return s->name_count++;
}

/* Takes those of the usual keys that the table has. */
static enum tdat_status default_keys(struct grouped *g, const struct tdat_table *table,
				     struct tdat_error *err)
{
	const char *const *keys = defaults[default_of(table->name)].keys;
	enum tdat_status st = TDAT_OK;
	struct summary_column *columns;

	g->s.name_count = 0;
	for (size_t k = 0; k < DEFAULT_KEYS && keys[k]; k++)
		add_name(&g->s, keys[k]);
	st = summary_look(&g->s, table, &columns, err);
	for (size_t k = 0; k < g->s.name_count && st == TDAT_OK; k++)
		if (columns[k].kind)
			g->keys[g->facts.key_count++] = keys[k];
	g->s.name_count = 0;
	return st;
}

/* A column that the table of all events has, and no table of an event type but for a field. */
static bool is_of_all_events(const char *name)
{
	return !strcmp(name, "id") || !strcmp(name, "system") || !strcmp(name, "event");
}

/* Of all events a field of such a name is named "field_NAME"; its column has no "field_". */
static const char *column_of(const struct grouped *g, const char *name)
{
	const bool is_field = !g->facts.table && !strncmp(name, "field_", 6);

	return is_field && is_of_all_events(name + 6) ? name + 6 : name;
}

/* Lists the columns to read: keys, value, and for one table those that worst rows show. */
static enum tdat_status take_names(struct grouped *g, struct tdat_error *err)
{
	struct tdat_summary *s = &g->s;

	for (size_t i = 0; i < g->facts.key_count; i++)
		if (add_name(s, column_of(g, g->keys[i])) != i)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the column '%s' is named twice", g->keys[i]);
	if (g->facts.value)
		g->value = add_name(s, column_of(g, g->facts.value));
	if (!g->facts.table)
		return TDAT_OK;
	g->ts = add_name(s, "ts");
	g->cpu = add_name(s, "cpu");
	g->pid = add_name(s, "pid");
	g->comm = add_name(s, "comm");
	return TDAT_OK;
}

/* Refuses a column with the nearest one of the table, if it is misspelled. */
static enum tdat_status lacks(const struct grouped *g, const struct tdat_table *table,
			      const char *name, const char *kind, struct tdat_error *err)
{
	struct tdat_near near = {.word = name};
	const bool known = reader_offers(g->s.trace, table, &near);

	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "table %s has no column '%s'%s%s",
			      table->name, name, kind, known ? "" : tdat_near_hint(&near, ""));
}

/* "what" alone asks for what the table is about, unless it has a column of that name. */
static bool is_what(struct grouped *g, const struct tdat_table *table)
{
	struct tdat_near near = {.word = "what"};

	if (g->facts.key_count != 1 || strcmp(g->keys[0], near.word) != 0 ||
	    reader_offers(g->s.trace, table, &near))
		return false;
	g->facts.key_count = 0;
	return true;
}

/* Chooses one table, which must have all columns that are named. */
static enum tdat_status choose_table(struct grouped *g, struct tdat_error *err)
{
	const struct tdat_table *table = tdat_trace_find(g->s.trace, g->opts.table);
	struct summary_column *columns;
	enum tdat_status st = TDAT_OK;

	if (!table)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "no table is called '%s'", g->opts.table);
	g->facts.table = table->name;
	if (!g->facts.value)
		g->facts.value = defaults[default_of(table->name)].value;
	if (!g->facts.key_count || is_what(g, table))
		st = default_keys(g, table, err);
	if (st == TDAT_OK)
		st = take_names(g, err);
	if (st == TDAT_OK)
		st = summary_look(&g->s, table, &columns, err);
	for (size_t i = 0; i < g->facts.key_count && st == TDAT_OK; i++)
		if (!columns[i].kind)
			st = lacks(g, table, g->keys[i], "", err);
	if (st == TDAT_OK && !summary_column_is_number(&columns[g->value]))
		st = lacks(g, table, g->facts.value, " of numbers", err);
	summary_keep(&g->s, table);
	return st;
}

/* True if each name can mean a column of a table of this kind, whatever names are beside it. */
static bool fits_kind(const struct grouped *g, enum tdat_table_kind kind)
{
	for (size_t k = 0; k <= g->facts.key_count; k++) {
		const char *name = k < g->facts.key_count ? g->keys[k] : g->facts.value;

		if (name && (kind == TDAT_TABLE_EVENTS ? column_of(g, name) != name
						       : is_of_all_events(name)))
			return false;
	}
	return true;
}

/* True if a table has all keys, and the value as a number. */
static bool has_all(const struct grouped *g, const struct summary_column *columns)
{
	for (size_t i = 0; i < g->s.name_count; i++)
		if (!columns[i].kind)
			return false;
	return !g->facts.value || summary_column_is_number(&columns[g->value]);
}

/* Names a column that no table of events has, and the nearest one. */
static enum tdat_status no_tables(const struct grouped *g, const struct tdat_table *all,
				  size_t count, struct tdat_error *err)
{
	for (size_t k = 0; k < g->s.name_count; k++) {
		struct tdat_near near = {.word = g->s.names[k]};
		bool known = false;

		for (size_t i = 0; i < count && !known; i++)
			known = all[i].kind <= TDAT_TABLE_EVENT &&
				reader_offers(g->s.trace, &all[i], &near);
		if (!known)
			return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					      "no event has a column '%s'%s", near.word,
					      tdat_near_hint(&near, ""));
	}
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
			      "no event has all of these columns%s",
			      fits_kind(g, TDAT_TABLE_EVENT)
				      ? ""
				      : "; to use the id, system or event that an event recorded, "
					"name field_id, field_system or field_event");
}

/* The table of all events if it has the columns, else those of event types that have them. */
static enum tdat_status choose_tables(struct grouped *g, struct tdat_error *err)
{
	size_t count;
	const struct tdat_table *all = tdat_trace_tables(g->s.trace, &count);
	enum tdat_status st = take_names(g, err);
	struct summary_column *columns;

	/* Kinds are consecutive: first the table of all events, then those of event types. */
	for (int kind = TDAT_TABLE_EVENTS; kind <= TDAT_TABLE_EVENT && !g->s.table_count; kind++)
		for (size_t i = 0; i < count && st == TDAT_OK; i++) {
			if (all[i].kind != (enum tdat_table_kind)kind || !fits_kind(g, all[i].kind))
				continue;
			st = summary_look(&g->s, &all[i], &columns, err);
			if (st == TDAT_OK && has_all(g, columns))
				summary_keep(&g->s, &all[i]);
		}
	return st != TDAT_OK || g->s.table_count ? st : no_tables(g, all, count, err);
}

/* Takes the names of keys, of which each of the options may have several with commas between. */
static enum tdat_status take_keys(struct grouped *g, struct tdat_error *err)
{
	for (size_t i = 0; i < g->opts.key_count; i++) {
		const char *name = g->opts.keys[i], *end;

		do {
			char *copy;

			end = strchrnul(name, ',');
			copy = tdat_arena_strndup(&g->names, name, (size_t)(end - name));
			if (!copy)
				return tdat_error_no_memory(err, "names of columns");
			if (g->facts.key_count == TDAT_GROUP_KEYS)
				return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
						      "groups have at most %d columns",
						      TDAT_GROUP_KEYS);
			g->keys[g->facts.key_count++] = copy;
			name = end + 1;
		} while (*end);
	}
	if ((g->facts.key_count || g->opts.table) && g->opts.worst <= TDAT_GROUP_WORST)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "groups need a column, and can have at most %d worst rows",
			      TDAT_GROUP_WORST);
}

/* Columns of durations are named "dur" or end so: their values are times. */
static bool is_duration(const char *column)
{
	const size_t len = strlen(column);

	return len >= 3 && !strcmp(column + len - 3, "dur");
}

/* Makes a summary of groups. Options are copied; names of keys are split at commas. */
enum tdat_status tdat_summary_groups(struct tdat_summary **out, const struct tdat_trace *trace,
				     const struct tdat_groups_opts *opts, struct tdat_error *err)
{
	static const struct summary_ops ops = {take_rows, end, grouped_json, free_grouped};
	struct grouped *g = summary_new(sizeof(*g), &ops, trace, err);
	const struct tdat_groups_opts own = TDAT_GROUPS_OPTS_INIT;
	enum tdat_status st;

	*out = NULL;
	if (!g)
		return TDAT_E_NOMEM;
	g->opts = own;
	tdat_opts_copy(&g->opts, sizeof(g->opts), opts);
	g->pool = (struct summary_values_pool)SUMMARY_VALUES_POOL_INIT;
	g->facts = (struct tdat_groups_facts){.value = g->opts.value, .keys = g->keys};
	g->worst = calloc(TDAT_GROUP_WORST, sizeof(*g->worst));
	st = g->worst ? take_keys(g, err) : tdat_error_no_memory(err, "the worst rows");
	if (st == TDAT_OK)
		st = g->opts.table ? choose_table(g, err) : choose_tables(g, err);
	if (st != TDAT_OK) {
		tdat_summary_free(&g->s);
		return st;
	}
	g->facts.is_time = g->facts.value && is_duration(g->facts.value);
	/* Without one table of its own the note about others names none. */
	summary_groups_init(&g->s.groups[g->s.group_lists++], g->facts.table, g->facts.key_count);
	*out = &g->s;
	return TDAT_OK;
}

/* ---- what it says ---- */

const struct tdat_groups_facts *tdat_groups_facts(const struct tdat_summary *s)
{
	return &grouped_of(s)->facts;
}

/* The values of a group, or of all groups, which are count lists. */
static const struct summary_values *values_of(const struct grouped *g, size_t index, size_t *count)
{
	const bool all = index == TDAT_ALL_GROUPS;

	*count = all ? g->facts.group_count : 1;
	return all ? g->values : &g->values[g->order[index]];
}

/* Returns the sums and quantiles of a group by its place in the order, or of all groups. */
enum tdat_status tdat_group(const struct tdat_summary *s, size_t index, struct tdat_group *out,
			    struct tdat_error *err)
{
	static const uint32_t parts[TDAT_GROUP_QUANTILES] = {500, 900, 990, 999};
	const struct grouped *g = grouped_of(s);
	size_t count;
	const struct summary_values *list = values_of(g, index, &count);
	const struct summary_values *v = index == TDAT_ALL_GROUPS ? &g->all : list;

	*out = (struct tdat_group){.row_count = v->rows,
				   .value_count = v->total,
				   .sum = v->sum_is_wide ? INT64_MAX : v->sum,
				   .mean = summary_values_mean(v),
				   .least = v->least,
				   .greatest = v->greatest,
				   .wide_sum = v->wide_sum,
				   .sum_is_wide = v->sum_is_wide};
	if (!g->facts.table ||
	    summary_values_quantiles(list, count, parts, TDAT_GROUP_QUANTILES, out->quantiles))
		return TDAT_OK;
	return tdat_error_no_memory(err, "quantiles");
}

struct tdat_summary_key tdat_group_key(const struct tdat_summary *s, size_t index, size_t key)
{
	return summary_key(&s->groups[0], grouped_of(s)->order[index], key);
}

/* Counts values by powers of two, for histograms. */
void tdat_group_log2(const struct tdat_summary *s, size_t index, uint64_t out[TDAT_GROUP_LOG2])
{
	size_t count;
	const struct summary_values *list = values_of(grouped_of(s), index, &count);

	summary_values_log2(list, count, out);
}

void tdat_group_histogram(const struct tdat_summary *s, size_t index, const int64_t *bounds,
			  size_t bound_count, uint64_t *out)
{
	size_t count;
	const struct summary_values *list = values_of(grouped_of(s), index, &count);

	summary_values_histogram(list, count, bounds, bound_count, out);
}

const struct tdat_group_worst *tdat_group_worst(const struct tdat_summary *s, size_t index)
{
	const struct grouped *g = grouped_of(s);

	return index < g->worst_count ? &g->worst[index] : NULL;
}
