/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command tdat flame: stacks of a trace, drawn or as text for those who draw. Stacks come
 * from tables: function, thread_state, or kernel and user stacks of an event type. Weights are
 * times or counts. They are added to a tree (flame_tree.c), which one of three writers prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/stat.h>

#include "commands/commands.h"
#include "commands/flame_facts.h"
#include "output/selection.h"
#include "tables/trace_tables.h"

enum source { KERNEL_STACK, USER_STACK, FUNCTION, OFF_CPU, SOURCES };
static const char *const source_names[] = {"kernel-stack", "user-stack", "function", "off-cpu",
					   NULL};

/*
 * Where stacks are: a table, its column of stacks, and the column that they count by; NULL: each
 * counts one.
 */
static const struct {
	const char *table, *stack, *weight, *title;
} sources[SOURCES] = {
	{"ftrace/kernel_stack", "caller_sym", NULL, "Kernel stacks"},
	{"ftrace/user_stack", "caller", NULL, "User stacks"},
	{"function", "stack", "self_dur", "Own time of functions"},
	{"thread_state", "stack", "dur", "Time off the CPU"},
};

enum { FOLDED, SPEEDSCOPE, SVG };
static const char *const output_names[] = {"folded", "speedscope", "svg", NULL};

struct flame_args {
	struct cli_table_args table; /* must be the first */
	int source, output;
	bool by_task;
};

static const struct cli_opt flame_opts[] = {
	CLI_CHOICE(0, "of", "SOURCE", source_names, struct flame_args, source,
		   "kernel-stack or user-stack: counts; function: own time of function_graph; "
		   "off-cpu: time by the stack where tasks went to wait (default: the first that "
		   "the trace has)"),
	CLI_CHOICE(0, "to", "FORMAT", output_names, struct flame_args, output,
		   "folded (the default), speedscope or svg"),
	CLI_FLAG(0, "by-task", struct flame_args, by_task, "begin each stack with its pid, too"),
	CLI_TABLE_OPTS(struct flame_args, table),
	CLI_OPT_END,
};

enum column { COMM, PID, STACK, WEIGHT, STATE, COLUMNS };

struct collector {
	struct flame *f;
	const struct flame_args *args;
	enum source source;
	struct cli_column columns[COLUMNS];
	size_t count;
	struct tdat_build text;
};

static struct tdat_span span_of(const char *text)
{
	return (struct tdat_span){(const uint8_t *)text, strlen(text)};
}

static bool is_state(struct tdat_span text, const char *name)
{
	return strlen(name) == text.len && !memcmp(text.ptr, name, text.len);
}

/* Whether a row is time off the CPU: that of a task that waits for something or was preempted. */
static bool is_off(const struct collector *t, int64_t row)
{
	const struct tdat_span state = cli_column_text(&t->columns[STATE], row);

	return !is_state(state, "running") && !is_state(state, "runnable") &&
	       !is_state(state, "dead");
}

static uint32_t task_node(struct collector *t, int64_t row)
{
	const struct cli_column *comm = &t->columns[COMM], *pid = &t->columns[PID];

	t->text.len = 0;
	if (!cli_column_is_null(comm, row))
		cli_column_put(comm, row, &t->text);
	if (t->args->by_task) {
		tdat_build_u8(&t->text, '-');
		cli_column_put(pid, row, &t->text);
	}
	return flame_tree_child(&t->f->tree, 0, (struct tdat_span){t->text.ptr, t->text.len});
}

/* Returns an address of a stack as a number. */
static struct tdat_span address(struct collector *t, const struct cli_column *c, int32_t i)
{
	const void *items = c->array->children[0]->buffers[1];

	t->text.len = 0;
	if (c->item == 'L')
		tdat_build_printf(&t->text, "0x%llx",
				  (unsigned long long)((const uint64_t *)items)[i]);
	else
		tdat_build_printf(&t->text, "0x%x", ((const uint32_t *)items)[i]);
	return (struct tdat_span){t->text.ptr, t->text.len};
}

/* Returns the name of a function without the offset, as each offset would be a frame of its own. */
static struct tdat_span without_offset(struct tdat_span name)
{
	size_t len = name.len;
	const uint8_t *plus;

	while (len > 1 && (plus = memrchr(name.ptr + 1, '+', len - 1))) {
		len = (size_t)(plus - name.ptr);
		if (name.len - len >= 3 && !memcmp(plus, "+0x", 3))
			return (struct tdat_span){name.ptr, len};
	}
	return name;
}

/* Adds the functions from last - 1 down to first, the innermost of which is first. 0: no room. */
static uint32_t add_names(struct collector *t, int32_t first, int32_t last, uint32_t node)
{
	const struct ArrowArray *items = t->columns[STACK].array->children[0];
	const int32_t *ends = items->buffers[1];
	const uint8_t *chars = items->buffers[2];

	for (int32_t i = last - 1; i >= first && node; i--) {
		const struct tdat_span name = {chars + ends[i], (size_t)(ends[i + 1] - ends[i])};

		node = flame_tree_child(&t->f->tree, node, without_offset(name));
	}
	return node;
}

static uint32_t add_addresses(struct collector *t, int32_t first, int32_t last, uint32_t node)
{
	for (int32_t i = last - 1; i >= first && node; i--) {
		const struct tdat_span name = address(t, &t->columns[STACK], i);

		/* Unused entries of user stacks are 0. */
		if (t->source == USER_STACK && name.len == 3 && !memcmp(name.ptr, "0x0", 3))
			continue;
		node = flame_tree_child(&t->f->tree, node, name);
	}
	return node;
}

/* Adds the functions of a stack. 0: no room. */
static uint32_t stack_node(struct collector *t, int64_t row, uint32_t node)
{
	const struct cli_column *c = &t->columns[STACK];
	const int32_t *ends = c->array->buffers[1];

	if (cli_column_is_null(c, row))
		return flame_tree_child(&t->f->tree, node, span_of("[no stack]"));
	return c->item == 'u' ? add_names(t, ends[row], ends[row + 1], node)
			      : add_addresses(t, ends[row], ends[row + 1], node);
}

static enum tdat_status take_rows(void *ctx, const struct tdat_table *table,
				  const struct ArrowArray *rows, struct tdat_error *err)
{
	struct collector *t = ctx;
	struct flame_tree *tree = &t->f->tree;

	(void)table;
	cli_trace_batch(t->columns, t->count, rows);
	for (int64_t row = 0; row < rows->length; row++) {
		const struct cli_column *w = &t->columns[WEIGHT];
		uint64_t weight = 1;
		uint32_t node;

		if (w->kind && cli_column_is_null(w, row))
			continue;
		if (w->kind)
			weight = (uint64_t)cli_column_int(w, row);
		if (t->source == OFF_CPU && !is_off(t, row))
			continue;
		node = task_node(t, row);
		node = node ? stack_node(t, row, node) : 0;
		if (!node && tree->count < FLAME_NODES)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
		tree->stacks++;
		if (node)
			tree->nodes[node].self += weight;
		else
			tree->dropped += weight;
	}
	return TDAT_OK;
}

static bool has_events(const struct cli_trace *t, const char *name)
{
	return tdat_trace_find(t->trace, name);
}

/* The first source of which the trace has events at all. */
static enum source choose(const struct cli_trace *t)
{
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	bool seen[SOURCES] = {false};

	for (size_t i = 0; i < t->input_count; i++) {
		struct tdat_stat *st;
		const struct tdat_stat_event *events;
		size_t count;

		if (tdat_stat_new(&st, &t->inputs[i], 1, &opts, NULL))
			continue;
		events = tdat_stat_events(st, &count);
		for (size_t k = 0; k < count; k++) {
			const struct tdat_format *f =
				tdat_file_format_by_id(t->inputs[i].file, events[k].id);
			const char *name = f ? tdat_format_name(f) : "";

			seen[KERNEL_STACK] |= !strcmp(name, "kernel_stack");
			seen[USER_STACK] |= !strcmp(name, "user_stack");
			seen[FUNCTION] |= !strcmp(name, "funcgraph_exit");
		}
		tdat_stat_free(st);
	}
	for (size_t i = 0; i < OFF_CPU; i++)
		if (seen[i] && has_events(t, sources[i].table))
			return (enum source)i;
	return OFF_CPU;
}

static int read_stacks(struct cli_trace *trace, struct collector *t)
{
	const char *names[COLUMNS] = {"comm", "pid", sources[t->source].stack};
	const struct tdat_table *table = cli_trace_table(trace, sources[t->source].table);
	int rc;

	t->count = 3;
	if (sources[t->source].weight)
		names[t->count++] = sources[t->source].weight;
	if (t->source == OFF_CPU)
		names[t->count++] = "state";
	if (!table)
		return CLI_FAILED;
	rc = cli_trace_columns(trace, table, names, t->count, t->columns);
	if (rc == CLI_OK && t->columns[STACK].kind != '+') {
		cli_error(NULL, "table %s has no column %s of stacks", table->name, names[STACK]);
		rc = CLI_FAILED;
	}
	return rc == CLI_OK ? cli_trace_read(trace, &table, 1, names, t->count, take_rows, t) : rc;
}

static void print(const struct flame *f, int output)
{
	if (output == SVG)
		flame_svg(f);
	else if (output == SPEEDSCOPE)
		flame_speedscope(f);
	else
		flame_folded(f);
}

static int flame_files(const struct flame_args *a, int argc, char **argv)
{
	struct flame f = {.unit = "samples"};
	struct collector t = {.f = &f, .args = a};
	struct cli_trace trace;
	int rc = cli_trace_open(&trace, "flame", &a->table, argv + 1, argc - 1);

	tdat_build_init(&t.text, false);
	if (!flame_tree_init(&f.tree))
		rc = rc == CLI_OK ? cli_nomem() : rc;
	if (rc == CLI_OK) {
		t.source = a->source < 0 ? choose(&trace) : (enum source)a->source;
		f.title = sources[t.source].title;
		if (sources[t.source].weight)
			f.unit = trace.seconds ? "ns" : "ticks";
		rc = read_stacks(&trace, &t);
	}
	if (rc == CLI_OK && !flame_tree_finish(&f.tree))
		rc = cli_nomem();
	if (rc == CLI_OK) {
		print(&f, a->output);
		cli_trace_tell_notes(&trace);
	}
	if (rc == CLI_OK && !f.tree.stacks) {
		cli_error(NULL, "there are no stacks: %s", f.title);
		cli_selection_warn(NULL, &a->table.filter, &a->table.cpus, trace.inputs,
				   trace.input_count);
	}
	if (rc == CLI_OK && f.tree.dropped) {
		cli_error(NULL,
			  "more than %d different stacks, or %d MiB of names: a weight of %llu is "
			  "left out",
			  FLAME_NODES, FLAME_NAMES_LEN >> 20, (unsigned long long)f.tree.dropped);
		rc = CLI_FAILED;
	}
	rc = rc == CLI_OK ? trace.status : rc;
	tdat_build_fini(&t.text);
	flame_tree_fini(&f.tree);
	cli_trace_close(&trace);
	return rc;
}

static int flame_run(const struct cli_cmd *cmd, int argc, char **argv)
{
	struct flame_args a = {.table = CLI_TABLE_ARGS_INIT, .source = -1};
	int status;

	if (cli_opt_parse(cmd, flame_opts, &argc, argv, &a, &status))
		status = flame_files(&a, argc, argv);
	cli_table_args_fini(&a.table);
	return status;
}

static const char *const flame_synopsis[] = {"[--of SOURCE] [--to FORMAT] [OPTION]... [FILE]...",
					     NULL};
static const char *const flame_notes[] = {
	"FILE is trace.dat when none is named; - is standard input. Several are one trace.", NULL};

const struct cli_cmd cli_cmd_flame = {
	"flame",	"Draw the stacks of a trace, or fold them to text.",
	flame_synopsis, flame_opts,
	flame_notes,	flame_run,
};
