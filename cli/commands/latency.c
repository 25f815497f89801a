/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat latency: how long things took, by task, CPU or anything else. Rows of tables
 * with a duration are grouped by columns (cli/tables/groups.c) and their values kept for
 * quantiles (values.c). The worst rows are kept apart: rows x --worst. latency_text.c and
 * latency_json.c print the result.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "commands/latency_facts.h"
#include "core/grow.h"
#include "output/selection.h"
#include "tables/group_text.h"
#include "tables/key_list.h"

static const struct cli_opt latency_opts[] = {
	CLI_LIST(0, "table", "NAME", struct latency_args, tables,
		 "of this table: wakeup (the default), irq, softirq, syscall, sched ..."),
	CLI_STRING(0, "value", "COLUMN", struct latency_args, value,
		   "of this column of numbers (default: dur, or value)"),
	CLI_LIST(0, "by", "COLUMN[,COLUMN]", struct latency_args, by,
		 "a line for each value of these columns (default: what the table is about)"),
	CLI_U64(0, "top", "N", 0, 0, struct latency_args, top,
		"lines of the table: 20 by default, 0 for all"),
	CLI_U64(0, "worst", "N", 0, LATENCY_WORST, struct latency_args, worst,
		"show the N greatest values: 5 by default"),
	CLI_FLAG(0, "json", struct latency_args, json, "print the same facts, all lines, as JSON"),
	CLI_FLAG(0, "csv", struct latency_args, csv, "print all lines as CSV"),
	CLI_TABLE_OPTS(struct latency_args, table),
	CLI_FILTER_TO(struct latency_args, table.filter),
	CLI_OPT_END,
};

/* The defaults of --by and --value for each table. */
static const struct {
	const char *table, *value, *keys[LATENCY_DEFAULT_KEYS];
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
	{"block_io", "dur", {"dev"}},
	{"slice", "dur", {"name"}},
	{"counter", "value", {"name"}},
	{"latency_sample", "value", {"source", "metric", "context"}},
	{NULL, "dur", {"comm"}},
};

static size_t default_of(const char *table)
{
	size_t i = 0;

	while (defaults[i].table && strcmp(defaults[i].table, table) != 0)
		i++;
	return i;
}

/* ---- rows ---- */

struct collector {
	struct latency *l;
	const char *names[LATENCY_KEYS + 5];
	struct cli_column columns[LATENCY_KEYS + 5];
	size_t count;
	/* Places in columns. */
	size_t value, ts, cpu, pid, comm, keys[LATENCY_KEYS];
};

static bool grow_values(struct latency *l, size_t group)
{
	const size_t had = l->value_cap;
	struct cli_values *grown = tdat_grown(l->values, &l->value_cap, group + 1, sizeof(*grown));

	if (!grown)
		return false;
	l->values = grown;
	if (l->value_cap > had)
		memset(grown + had, 0, (l->value_cap - had) * sizeof(*grown));
	return true;
}

static bool is_worse(const struct latency_worst *a, const struct latency_worst *b)
{
	return a->value != b->value ? a->value > b->value : a->serial < b->serial;
}

static bool has(const struct cli_column *c, int64_t row)
{
	return c->kind && !cli_column_is_null(c, row);
}

/* If values are equal, the first rows are kept. */
static bool is_among_worst(const struct latency *l, int64_t value)
{
	return l->worst_count < l->args->worst ||
	       (l->worst_count && value > l->worst[l->worst_count - 1].value);
}

/* Keeps a row that is one of the greatest. False: no memory. */
static bool keep_worst(struct collector *t, int64_t row, int64_t value, size_t group)
{
	struct latency *l = t->l;
	const struct cli_column *comm = &t->columns[t->comm];
	struct latency_worst w = {.value = value,
				  .serial = l->rows,
				  .ts = (uint64_t)cli_column_int(&t->columns[t->ts], row),
				  .cpu = -1,
				  .pid = INT64_MIN,
				  .group = group};
	size_t at = l->worst_count;

	if (has(&t->columns[t->cpu], row))
		w.cpu = cli_column_int(&t->columns[t->cpu], row);
	if (has(&t->columns[t->pid], row))
		w.pid = cli_column_int(&t->columns[t->pid], row);
	if (has(comm, row)) {
		const struct tdat_span text = cli_column_text(comm, row);

		w.comm = strndup((const char *)text.ptr, text.len);
		if (!w.comm)
			return false;
	}
	if (at == l->args->worst)
		free(l->worst[--at].comm);
	else
		l->worst_count++;
	for (; at && is_worse(&w, &l->worst[at - 1]); at--)
		l->worst[at] = l->worst[at - 1];
	l->worst[at] = w;
	return true;
}

static bool take_row(struct collector *t, const struct cli_column *keys, int64_t row)
{
	struct latency *l = t->l;
	const struct cli_column *c = &t->columns[t->value];
	size_t group;
	int64_t value;

	l->rows++;
	if (cli_column_is_null(c, row)) {
		l->none++;
		return true;
	}
	value = cli_column_int(c, row);
	group = cli_groups_find(&l->groups, keys, row);
	return group != CLI_NO_GROUP && (group < l->value_cap || grow_values(l, group)) &&
	       cli_values_add(&l->values[group], &l->pool, value) &&
	       (!is_among_worst(l, value) || keep_worst(t, row, value, group));
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct collector *t = ctx;
	struct cli_column keys[LATENCY_KEYS];

	(void)table;
	cli_trace_batch(t->columns, t->count, rows);
	cli_groups_batch(&t->l->groups);
	for (size_t i = 0; i < t->l->key_count; i++)
		keys[i] = t->columns[t->keys[i]];
	for (int64_t row = 0; row < rows->length; row++)
		if (!take_row(t, keys, row))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	return TDAT_OK;
}

/* ---- which columns ---- */

static size_t add_name(struct collector *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->names[i], name))
			return i;
	t->names[t->count] = name;
	return t->count++;
}

/* Groups by those of the default columns that the table has. */
static int default_keys(struct latency *l)
{
	const char *const *keys = defaults[default_of(l->table->name)].keys;
	struct cli_column column;
	int rc = CLI_OK;

	for (size_t k = 0; k < LATENCY_DEFAULT_KEYS && keys[k] && rc == CLI_OK; k++) {
		rc = cli_trace_columns(l->trace, l->table, &keys[k], 1, &column);
		if (column.kind)
			l->keys[l->key_count++] = keys[k];
	}
	return rc;
}

static int take_columns(struct collector *t)
{
	struct latency *l = t->l;
	int rc;

	t->value = add_name(t, l->value);
	t->ts = add_name(t, "ts");
	t->cpu = add_name(t, "cpu");
	t->pid = add_name(t, "pid");
	t->comm = add_name(t, "comm");
	for (size_t i = 0; i < l->key_count; i++)
		t->keys[i] = add_name(t, l->keys[i]);
	rc = cli_trace_columns(l->trace, l->table, t->names, t->count, t->columns);
	for (size_t i = 0; i < l->key_count && rc == CLI_OK; i++)
		if (!t->columns[t->keys[i]].kind) {
			cli_error(NULL, "table %s has no column '%s'", l->table->name, l->keys[i]);
			rc = CLI_USAGE;
		}
	if (rc == CLI_OK && !cli_column_is_number(&t->columns[t->value])) {
		cli_error(NULL, "table %s has no column '%s' of numbers", l->table->name, l->value);
		rc = CLI_USAGE;
	}
	return rc;
}

/* ---- one table ---- */

struct sums {
	size_t group;
	double sum;
	const struct cli_groups *groups;
};

static int by_sum(const void *a, const void *b)
{
	const struct sums *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return cli_groups_compare(x->groups, x->group, y->group);
}

static int sort_groups(struct latency *l)
{
	struct sums *list = calloc(l->groups.count + 1, sizeof(*list));

	l->order = calloc(l->groups.count + 1, sizeof(*l->order));
	if (!list || !l->order) {
		free(list);
		return cli_nomem();
	}
	for (size_t i = 0; i < l->groups.count; i++)
		list[i] = (struct sums){i, l->values[i].wide_sum, &l->groups};
	qsort(list, l->groups.count, sizeof(*list), by_sum);
	for (size_t i = 0; i < l->groups.count; i++)
		l->order[i] = list[i].group;
	free(list);
	for (size_t i = 0; i < l->groups.count; i++)
		cli_values_add_sums(&l->all, &l->values[i]);
	return CLI_OK;
}

static int read_table(struct latency *l, struct collector *t)
{
	int rc;

	cli_groups_init(&l->groups, l->key_count);
	if (l->args->worst < SIZE_MAX)
		l->worst = calloc((size_t)l->args->worst + 1, sizeof(*l->worst));
	if (!l->worst)
		return cli_nomem();
	rc = cli_trace_read(l->trace, &l->table, 1, t->names, t->count, take_rows, t);
	return rc == CLI_OK ? sort_groups(l) : rc;
}

static void latency_fini(struct latency *l)
{
	for (size_t i = 0; i < l->value_cap; i++)
		cli_values_fini(&l->values[i]);
	for (size_t i = 0; i < l->worst_count; i++)
		free(l->worst[i].comm);
	cli_values_fini(&l->all);
	cli_groups_fini(&l->groups);
	free(l->values);
	free(l->order);
	free(l->worst);
}

/* Finds the table called name and the columns that are asked for; both are set in any case. */
static int find_table(struct latency *l, struct collector *t, const struct latency_args *a,
		      struct cli_trace *trace, const char *name)
{
	int rc = CLI_OK;

	*l = (struct latency){.trace = trace,
			      .args = a,
			      .value = a->value ? a->value : defaults[default_of(name)].value,
			      .key_count = a->by.count,
			      .pool = CLI_VALUES_POOL_INIT};
	*t = (struct collector){.l = l};
	for (size_t i = 0; i < a->by.count; i++)
		l->keys[i] = a->by.v[i];
	l->is_time = strlen(l->value) >= 3 && !strcmp(l->value + strlen(l->value) - 3, "dur");
	l->table = cli_trace_table(trace, name);
	if (!l->table)
		return CLI_FAILED;
	if (!l->key_count)
		rc = default_keys(l);
	return rc == CLI_OK ? take_columns(t) : rc;
}

static int one_table(const struct latency_args *a, struct cli_trace *trace, const char *name,
		     struct tdat_json *j, char *const *paths, int count)
{
	struct latency l;
	struct collector t;
	int rc = find_table(&l, &t, a, trace, name);

	l.paths = paths;
	l.path_count = count;
	trace->note_count = 0;
	if (rc == CLI_OK)
		rc = read_table(&l, &t);
	if (rc == CLI_OK && !(a->json  ? latency_json(j, &l)
			      : a->csv ? latency_csv(&l)
				       : latency_text(&l)))
		rc = cli_nomem();
	if (a->csv)
		cli_trace_tell_notes(trace);
	if (rc == CLI_OK && !l.rows)
		cli_selection_warn(NULL, &a->table.filter, &a->table.cpus, trace->inputs,
				   trace->input_count);
	if (rc == CLI_OK && cli_groups_complete(&l.groups, name) != CLI_OK)
		trace->status = CLI_FAILED;
	latency_fini(&l);
	return rc;
}

/* Whether all tables and columns are there, so that nothing is printed where one is not. */
static int look_at_tables(const struct latency_args *a, struct cli_trace *trace,
			  const char *const *tables, size_t count)
{
	struct latency l;
	struct collector t;
	int rc = CLI_OK;

	for (size_t i = 0; i < count && rc == CLI_OK; i++)
		rc = find_table(&l, &t, a, trace, tables[i]);
	return rc;
}

static int latency_files(const struct latency_args *a, int argc, char **argv)
{
	static const char *const standard[] = {"wakeup"};
	const char *const *tables = a->tables.count ? a->tables.v : standard;
	const size_t count = a->tables.count ? a->tables.count : 1;
	struct cli_trace t;
	struct tdat_json j;
	int rc = cli_trace_open(&t, "latency", &a->table, argv + 1, argc - 1);

	if (rc == CLI_OK)
		rc = look_at_tables(a, &t, tables, count);
	if (rc == CLI_OK) {
		if (a->json) {
			cli_json_init(&j, stdout, true);
			tdat_json_array(&j, NULL);
		}
		for (size_t i = 0; i < count && rc == CLI_OK; i++)
			rc = one_table(a, &t, tables[i], &j, argv + 1, argc - 1);
		if (a->json) {
			tdat_json_array_end(&j);
			cli_json_end(&j);
		}
	}
	rc = rc == CLI_OK ? t.status : rc;
	cli_trace_close(&t);
	return rc;
}

static int latency_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct latency_args a = {.table = CLI_TABLE_ARGS_INIT, .top = 20, .worst = 5};
	char *keys = NULL;
	int status;

	if (cli_opt_parse(cmd, latency_opts, &argc, argv, &a, &status)) {
		status = cli_key_list(&a.by, LATENCY_KEYS, &keys);
		if (status == CLI_OK && a.json && a.csv) {
			cli_error(NULL, "--json and --csv cannot be combined");
			status = CLI_USAGE;
		}
		if (status == CLI_OK)
			status = latency_files(&a, argc, argv);
	}
	free(keys);
	cli_list_fini(&a.tables);
	cli_list_fini(&a.by);
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const latency_synopsis[] = {"[--table NAME] [OPTION]... [FILE]...", NULL};
static const char *const latency_notes[] = {
	"FILE is trace.dat when none is named; - is standard input. Several are one trace.",
	"docs/analysis.md defines the tables. Any table with a column of numbers will do.", NULL};

const struct cli_cmd cli_cmd_latency = {
	"latency",	  "Tell how long wakeups, interrupts, system calls and others took.",
	latency_synopsis, latency_opts,
	latency_notes,	  latency_run,
};
