/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks of a trace as a tree. They come from tables: function, thread_state, or kernel and user
 * stacks of an event type. Weights are times or counts. Stacks are added to a tree (flame_tree.c),
 * the outermost function first, behind the task; its JSON is that of speedscope, which gets frames
 * once and samples by index.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/stat.h>

#include "core/text.h"
#include "flame_tree.h"
#include "summary.h"
#include "table/trace.h"

/*
 * Where stacks are: a table, its column of stacks, and the column that they count by; NULL: each
 * counts one.
 */
static const struct {
	const char *table, *stack, *weight, *title, *needs, *record;
} sources[TDAT_FLAME_ANY] = {
	{"ftrace/kernel_stack", "caller_sym", NULL, "Kernel stacks", "ftrace/kernel_stack",
	 "-T -e sched_switch"},
	{"ftrace/user_stack", "caller", NULL, "User stacks", "ftrace/user_stack",
	 "-O userstacktrace -e sched_switch"},
	{"function", "stack", "self_dur", "Own time of functions",
	 "ftrace/funcgraph_entry ftrace/funcgraph_exit", "-p function_graph"},
	{"thread_state", "stack", "dur", "Time off the CPU",
	 "sched/sched_switch ftrace/kernel_stack", "-T -e sched_switch"},
};

/* Systems of stacks that importers of texts made: their column text has a line for each function.
 */
static const char *const text_systems[] = {"ftrace_text", "perf_text"};

/* The columns that are read; STATE only of thread_state. */
enum column { COMM, PID, STACK, WEIGHT, STATE };

/* A summary of stacks. It begins with the frame, so the frame's functions can cast. */
struct flame {
	struct tdat_summary s;
	struct tdat_flame facts;
	struct flame_tree tree;
	enum tdat_flame_source source;
	bool by_task;
	struct tdat_build text;
};

/*
 * True if a row is time off the CPU: the task waits for something, or was preempted. Waiting for a
 * CPU after a wakeup ("runnable") is not counted.
 */
static bool is_off(const struct flame *f, int64_t row)
{
	const struct tdat_span state = summary_column_text(&f->s.c[STATE], row);

	return !tdat_span_is(state, "running") && !tdat_span_is(state, "runnable") &&
	       !tdat_span_is(state, "dead");
}

/* The node of the row's task, below the root: its name, with by_task also its pid. */
static uint32_t task_node(struct flame *f, int64_t row)
{
	const struct summary_column *comm = &f->s.c[COMM], *pid = &f->s.c[PID];

	f->text.len = 0;
	if (!summary_column_is_null(comm, row))
		summary_column_put(comm, row, &f->text);
	if (f->by_task) {
		tdat_build_u8(&f->text, '-');
		summary_column_put(pid, row, &f->text);
	}
	return flame_tree_child(&f->tree, 0, (struct tdat_span){f->text.ptr, f->text.len});
}

/* Returns an address of a stack as a number. */
static struct tdat_span address(struct flame *f, const struct summary_column *c, int32_t i)
{
	const void *items = c->array->children[0]->buffers[1];
	const uint64_t addr =
		c->item == 'L' ? ((const uint64_t *)items)[i] : ((const uint32_t *)items)[i];

	f->text.len = 0;
	tdat_build_printf(&f->text, "0x%llx", (unsigned long long)addr);
	return (struct tdat_span){f->text.ptr, f->text.len};
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

/* "0x1f" of "001f", whatever stands behind. */
static struct tdat_span printed_address(struct flame *f, struct tdat_span s)
{
	uint64_t addr = 0;

	if (!tdat_take_u64(&s, 16, &addr))
		return s;
	f->text.len = 0;
	tdat_build_printf(&f->text, "0x%llx", (unsigned long long)addr);
	return (struct tdat_span){f->text.ptr, f->text.len};
}

/*
 * The function of a line: "name", "name+0x1/0x20 <addr>", "<addr>", or as perf prints it, "addr
 * name+0x1 (file)".
 */
static struct tdat_span printed_function(struct flame *f, struct tdat_span line)
{
	struct tdat_span name = line;
	const uint8_t *end;
	uint64_t addr;

	if (*line.ptr == '<')
		return printed_address(f, (struct tdat_span){line.ptr + 1, line.len - 1});
	if (tdat_take_u64(&name, 16, &addr) && name.len > 1 && *name.ptr == ' ' &&
	    name.ptr[1] != '<') {
		name.ptr++;
		name.len--;
		end = memmem(name.ptr, name.len, " (", 2);
		if (*name.ptr == '[' || *name.ptr == '(')
			return printed_address(f, line);
	} else {
		name = line;
		end = memmem(name.ptr, name.len, " <", 2);
	}
	if (end)
		name.len = (size_t)(end - name.ptr);
	return without_offset(name);
}

/* Adds the functions of a printed stack, whose lines begin with "=>". 0: no room. */
static uint32_t text_node(struct flame *f, struct tdat_span text, uint32_t node)
{
	while (text.len && node) {
		const uint8_t *nl = memrchr(text.ptr, '\n', text.len);
		const uint8_t *start = nl ? nl + 1 : text.ptr;
		struct tdat_span line = {start, (size_t)(text.ptr + text.len - start)};

		text.len = nl ? (size_t)(nl - text.ptr) : 0;
		tdat_take_blanks(&line);
		if (line.len < 3 || memcmp(line.ptr, "=>", 2) != 0)
			continue;
		line.ptr += 2;
		line.len -= 2;
		tdat_take_blanks(&line);
		if (line.len)
			node = flame_tree_child(&f->tree, node, printed_function(f, line));
	}
	return node;
}

/* Adds the functions of a stack, the innermost of which is the first. 0: no room. */
static uint32_t stack_node(struct flame *f, int64_t row, uint32_t node)
{
	const struct summary_column *c = &f->s.c[STACK];
	const bool named = c->item == 'u';
	const struct ArrowArray *items;
	int32_t first;
	const int32_t *ends = c->array->buffers[1];

	if (summary_column_is_null(c, row))
		return flame_tree_child(&f->tree, node, tdat_span_of("[no stack]"));
	if (c->kind != '+')
		return text_node(f, summary_column_text(c, row), node);
	items = c->array->children[0];
	first = ends[row];
	for (int32_t i = ends[row + 1] - 1; i >= first && node; i--) {
		/* User stacks are addresses, which have no names; unused entries are 0. */
		const struct tdat_span name =
			named ? without_offset(tdat_arrow_text(items, i)) : address(f, c, i);

		if (named || f->source != TDAT_FLAME_USER_STACK || !tdat_span_is(name, "0x0"))
			node = flame_tree_child(&f->tree, node, name);
	}
	return node;
}

/*
 * Adds the stacks of a batch. Rows without a weight are open intervals, whose length is unknown.
 * False: no memory.
 */
static bool take_rows(struct tdat_summary *s, size_t table, int64_t count)
{
	struct flame *f = (struct flame *)s;
	struct flame_tree *tree = &f->tree;

	(void)table;
	for (int64_t row = 0; row < count; row++) {
		const struct summary_column *w = &s->c[WEIGHT];
		uint64_t weight = 1;
		uint32_t node;

		if (sources[f->source].weight && summary_column_is_null(w, row))
			continue;
		if (sources[f->source].weight)
			weight = (uint64_t)summary_column_int(w, row);
		if (f->source == TDAT_FLAME_OFF_CPU && !is_off(f, row))
			continue;
		node = task_node(f, row);
		node = node ? stack_node(f, row, node) : 0;
		/*
		 * A failure, unless nodes or names are used up: then the weight is dropped
		 * and reported.
		 */
		if (!node && !tree->full)
			return false;
		tree->stacks++;
		if (node)
			tree->nodes[node].self += weight;
		else
			tree->dropped += weight;
	}
	return true;
}

/* ---- JSON ---- */

/* The next node in depth-first order; 0 at the end. Goes up by parents, so no stack is needed. */
uint32_t tdat_flame_next(const struct tdat_summary *s, uint32_t i)
{
	const struct tdat_flame_node *nodes = ((const struct flame *)s)->tree.nodes;

	if (nodes[i].child)
		return nodes[i].child;
	while (i && !nodes[i].next)
		i = nodes[i].parent;
	return i ? nodes[i].next : 0;
}

/*
 * Frames are numbered from 0, nodes from 1: the root is not a frame. Recursion is as deep as the
 * stack.
 */
static void json_path(struct tdat_json *j, const struct flame_tree *t, uint32_t node)
{
	if (t->nodes[node].parent)
		json_path(j, t, t->nodes[node].parent);
	tdat_json_u64(j, NULL, node - 1);
}

/* https://www.speedscope.app/file-format-schema.json: a profile of kind "sampled". */
static bool flame_json(const struct tdat_summary *s, struct tdat_json *j)
{
	const struct flame *f = (const struct flame *)s;
	const struct flame_tree *t = &f->tree;

	tdat_json_object(j, NULL);
	tdat_json_str(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	tdat_json_str(j, "exporter", "tdat");
	tdat_json_object(j, "shared");
	tdat_json_array(j, "frames");
	for (uint32_t i = 1; i < t->count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "name", flame_tree_name(t, i));
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	tdat_json_array(j, "profiles");
	tdat_json_object(j, NULL);
	tdat_json_str(j, "type", "sampled");
	tdat_json_str(j, "name", f->facts.title);
	tdat_json_str(j, "unit", f->facts.unit[0] == 'n' ? "nanoseconds" : "none");
	tdat_json_u64(j, "startValue", 0);
	tdat_json_u64(j, "endValue", t->nodes[0].total);
	tdat_json_array(j, "samples");
	/* Samples and weights are two arrays in one order: both walks skip the same nodes. */
	for (uint32_t i = tdat_flame_next(s, 0); i; i = tdat_flame_next(s, i)) {
		if (!t->nodes[i].self)
			continue;
		tdat_json_array(j, NULL);
		json_path(j, t, i);
		tdat_json_array_end(j);
	}
	tdat_json_array_end(j);
	tdat_json_array(j, "weights");
	for (uint32_t i = tdat_flame_next(s, 0); i; i = tdat_flame_next(s, i))
		if (t->nodes[i].self)
			tdat_json_u64(j, NULL, t->nodes[i].self);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
	return true;
}

/* ---- the whole ---- */

/* The table of a source, and its column of stacks. NULL: there is none. */
static const struct tdat_table *stacks_of(const struct tdat_trace *t, enum tdat_flame_source source,
					  const char **column)
{
	const struct tdat_table *table = tdat_trace_find(t, sources[source].table);
	char name[64];

	*column = sources[source].stack;
	for (size_t i = 0; !table && source <= TDAT_FLAME_USER_STACK && i < 2; i++) {
		snprintf(name, sizeof(name), "%s%s", text_systems[i],
			 strchr(sources[source].table, '/'));
		table = tdat_trace_find(t, name);
		*column = "text";
	}
	return table;
}

/* The first source of which the trace has events at all. */
static enum tdat_flame_source choose(const struct tdat_trace *t)
{
	/* Counting events is quicker than reading tables of stacks that may be empty. */
	struct tdat_stat_opts opts = TDAT_STAT_OPTS_INIT;
	bool seen[TDAT_FLAME_OFF_CPU] = {false};
	const char *column;

	for (size_t i = 0; i < t->input_count; i++) {
		struct tdat_stat *st;
		const struct tdat_stat_event *events;
		size_t count;

		if (tdat_stat_new(&st, &t->iter_inputs[i], 1, &opts, NULL))
			continue;
		events = tdat_stat_events(st, &count);
		for (size_t k = 0; k < count; k++) {
			const struct tdat_event_format *f =
				tdat_file_format_by_id(t->iter_inputs[i].file, events[k].id);
			const char *name = f ? tdat_event_format_name(f) : "";

			seen[TDAT_FLAME_KERNEL_STACK] |= !strcmp(name, "kernel_stack");
			seen[TDAT_FLAME_USER_STACK] |= !strcmp(name, "user_stack");
			seen[TDAT_FLAME_FUNCTION] |= !strcmp(name, "funcgraph_exit");
		}
		tdat_stat_free(st);
	}
	for (size_t i = 0; i < TDAT_FLAME_OFF_CPU; i++)
		if (seen[i] && stacks_of(t, (enum tdat_flame_source)i, &column))
			return (enum tdat_flame_source)i;
	return TDAT_FLAME_OFF_CPU;
}

/* Sums up the tree; the facts borrow its nodes. */
static bool end(struct tdat_summary *s)
{
	struct flame *f = (struct flame *)s;

	f->facts.nodes = f->tree.nodes;
	f->facts.node_count = f->tree.count;
	f->facts.stacks = f->tree.stacks;
	f->facts.dropped = f->tree.dropped;
	return flame_tree_finish(&f->tree);
}

static void free_flame(struct tdat_summary *s)
{
	struct flame *f = (struct flame *)s;

	tdat_build_fini(&f->text);
	flame_tree_fini(&f->tree);
}

/* Finds the table and its columns. A table whose stacks are not lists cannot be used. */
static enum tdat_status find_stacks(struct flame *f, struct tdat_error *err)
{
	const char *const name = sources[f->source].table, *stack;
	const struct tdat_table *table = stacks_of(f->s.trace, f->source, &stack);
	const char *const names[] = {"comm", "pid", stack, sources[f->source].weight, "state"};
	struct summary_column *columns;
	enum tdat_status st;

	if (!table)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "no table is called '%s'", name);
	memcpy(f->s.names, names, sizeof(names));
	f->s.name_count = f->source == TDAT_FLAME_OFF_CPU ? STATE + 1
			  : sources[f->source].weight	  ? WEIGHT + 1
							  : STACK + 1;
	st = summary_look(&f->s, table, &columns, err);
	summary_keep(&f->s, table);
	if (st != TDAT_OK || columns[STACK].kind == '+' || stack != sources[f->source].stack)
		return st;
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
			      "table %s has no column %s of stacks", name, stack);
}

/* Makes a summary of stacks. TDAT_FLAME_ANY: the first source that the trace has. */
enum tdat_status tdat_summary_flame(struct tdat_summary **out, const struct tdat_trace *trace,
				    enum tdat_flame_source source, bool by_task,
				    struct tdat_error *err)
{
	static const struct summary_ops ops = {take_rows, end, flame_json, free_flame};
	struct flame *f = summary_new(sizeof(*f), &ops, trace, err);
	enum tdat_status st;

	*out = NULL;
	if (!f)
		return TDAT_E_NOMEM;
	f->source = source == TDAT_FLAME_ANY ? choose(trace) : source;
	f->by_task = by_task;
	f->facts = (struct tdat_flame){
		.title = sources[f->source].title,
		.unit = !sources[f->source].weight ? "samples"
			: f->s.seconds		   ? "ns"
						   : "ticks",
		.about = {.needs = sources[f->source].needs, .record = sources[f->source].record},
		.node_most = FLAME_NODES,
		.name_len_most = FLAME_NAMES_LEN};
	tdat_build_init(&f->text, false);
	st = flame_tree_init(&f->tree) ? find_stacks(f, err) : tdat_error_no_memory(err, "stacks");
	if (st == TDAT_OK)
		*out = &f->s;
	else
		tdat_summary_free(&f->s);
	return st;
}

const struct tdat_flame *tdat_flame(const struct tdat_summary *s)
{
	return &((const struct flame *)s)->facts;
}

const char *tdat_flame_name(const struct tdat_summary *s, uint32_t node)
{
	return flame_tree_name(&((const struct flame *)s)->tree, node);
}
