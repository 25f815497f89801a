/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes iterators over one or several files, and returns their events. An
 * iterator has a queue for each buffer, with a stream for each CPU in it (stream.c), and gives
 * events in merged order (next_event.c). It belongs to one thread; files are shared. Here is
 * what is made before the first event: CPUs that are asked for, windows of memory, filters, the
 * span of time. Streams that a filter empties are never opened.
 */
#include "iter.h"

#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "core/grow.h"
#include "core/opts.h"
#include "seek.h"

/*
 * Returns the next event with its name, or NULL at the end. The event is valid until the next
 * call.
 */
enum tdat_status tdat_iter_next(struct tdat_iter *it, const struct tdat_event **event,
				struct tdat_error *err)
{
	bool more;
	enum tdat_status st = read_iter_take(it, &it->out, &more, err);

	*event = st == TDAT_OK && more ? &it->out : NULL;
	if (*event)
		read_iter_name(it, &it->out);
	return st;
}

/*
 * Called by idle threads of the pump, while another thread uses the iterator: only the ahead slots
 * are touched. False: nothing was wanted.
 */
bool read_iter_ahead(struct tdat_iter *it, struct dat_inflater *inflater)
{
	size_t i, k;

	for (i = 0; i < it->queue_count; i++) {
		struct iter_queue *l = &it->queues[i];

		for (k = 0; l->ahead && k < l->stream_count; k++)
			if (read_ahead_run(&l->ahead[k], inflater))
				return true;
	}
	return false;
}

/* ---- making one ---- */

/* Adds a format that names or functions are learned from. Types without the fields are left out. */
static enum tdat_status add_plugin_event(struct input_state *in, const struct tdat_event_format *f,
					 bool names, struct tdat_error *err)
{
	struct plugin_event pe;

	pe.id = tdat_event_format_id(f);
	pe.order = (uint32_t)in->event_count;
	learned_tasks_format_init(&pe.learn, f, names);
	func_stack_format_init(&pe.func, f);
	if (!pe.learn.pair_count && !pe.func.has_depth)
		return TDAT_OK;
	if (!TDAT_GROW(in->events, &in->event_cap, in->event_count + 1))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	in->events[in->event_count++] = pe;
	/* A filter of 256 slots: most events are ruled out without a search. */
	in->maybe[pe.id & 255] = true;
	return TDAT_OK;
}

/* If formats share an id the first one in the file counts: order keeps it first. */
static int compare_events(const void *a, const void *b)
{
	const struct plugin_event *x = a, *y = b;

	return TDAT_ORDER(x->id, y->id, TDAT_ORDER(x->order, y->order, 0));
}

/* The types from which trace-cmd's plugins remember state: names of tasks, and call depths. */
static enum tdat_status add_plugin_events(struct input_state *in, bool names,
					  struct tdat_error *err)
{
	static const char *const events[][2] = {{"sched", "sched_switch"},
						{"sched", "sched_wakeup"},
						{"sched", "sched_wakeup_new"},
						{"ftrace", "function"},
						{"ftrace", "func_repeats"}};
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct tdat_event_format *f;
		size_t at = 0;

		while (st == TDAT_OK &&
		       (f = file_format_next(in->file, events[i][0], events[i][1], &at)))
			st = add_plugin_event(in, f, names, err);
	}
	if (in->event_count)
		qsort(in->events, in->event_count, sizeof(*in->events), compare_events);
	return st;
}

static int compare_types(const void *a, const void *b)
{
	const struct graph_type *x = a, *y = b;

	return TDAT_ORDER(x->id, y->id, TDAT_ORDER(x->order, y->order, 0));
}

/* Lists the formats of one name, sorted by id; func is the field that entry and exit share. */
static enum tdat_status find_graph_types(const struct tdat_file *file, const char *name,
					 struct graph_types *types, struct tdat_error *err)
{
	const struct tdat_event_format *f;
	size_t at = 0, cap = 0;

	while ((f = file_format_next(file, "ftrace", name, &at))) {
		if (!TDAT_GROW(types->list, &cap, types->count + 1))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
		types->list[types->count] =
			(struct graph_type){tdat_event_format_id(f), (uint32_t)types->count,
					    tdat_event_format_field(f, "func")};
		types->count++;
	}
	if (types->count)
		qsort(types->list, types->count, sizeof(*types->list), compare_types);
	return TDAT_OK;
}

/* Finds the types of function_graph. Without exits nothing is folded. */
static enum tdat_status find_graph(struct input_state *in, struct tdat_error *err)
{
	struct graph_facts *g = &in->graph;
	enum tdat_status st = find_graph_types(in->file, "funcgraph_entry", &g->entries, err);

	if (st == TDAT_OK)
		st = find_graph_types(in->file, "funcgraph_exit", &g->exits, err);
	if (!g->exits.count)
		g->entries.count = 0;
	return st;
}

/* Entries that are not wanted take no exits with them. */
static void drop_graph_entries(struct input_state *in, const struct select_input *select)
{
	struct graph_types *t = &in->graph.entries;
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++)
		if (read_select_id(select, t->list[i].id))
			t->list[kept++] = t->list[i];
	t->count = kept;
}

/* Makes the state of each input. Plugin state is needed only for printing as trace-cmd does. */
static enum tdat_status open_states(struct tdat_iter *it, const struct tdat_iter_input *inputs,
				    size_t input_count, struct tdat_error *err)
{
	size_t i;

	func_stack_init(&it->stack);
	it->inputs = calloc(input_count ? input_count : 1, sizeof(*it->inputs));
	it->in = calloc(input_count ? input_count : 1, sizeof(*it->in));
	if (!it->inputs || !it->in)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	for (i = 0; i < input_count; i++) {
		struct input_state *in = &it->inputs[i];
		const struct model_tasks *tasks;

		/*
		 * Compared at the end: what memory failures happened while this iterator ran
		 * (read_iter_memory).
		 */
		in->memory_failures = tdat_file_memory_failures(inputs[i].file);
		tasks = file_tasks(inputs[i].file);

		if (!tasks)
			return tdat_error_no_memory(err, "names of tasks");
		in->file = inputs[i].file;
		it->in[i] = inputs[i];
		learned_tasks_init(&in->learn, tasks);
		it->input_count++;
		file_common_find(in->file, &in->common);
		if (read_moments_init(&in->moments, in->file, err) != TDAT_OK)
			return TDAT_E_NOMEM;
		if (it->opts.plugin_state &&
		    (add_plugin_events(in, it->opts.trace_cmd, err) != TDAT_OK ||
		     find_graph(in, err) != TDAT_OK))
			return TDAT_E_NOMEM;
	}
	return TDAT_OK;
}

/* With more CPUs nothing is inflated ahead: a chunk for each would take too much memory. */
enum { AHEAD_CPUS = 64 };

/*
 * The CPUs of a buffer that are read, as indices of its list in *out, which the caller frees. With
 * all those that are not asked for are among them. False: no memory.
 */
static bool choose_cpus(const struct tdat_iter *it, const struct iter_queue *l,
			const struct tdat_buffer *b, bool all, uint32_t **out, uint32_t *count)
{
	uint32_t *list;
	size_t total = 0, n;

	for (size_t i = 0; !all && i < it->cpus.count; i++) {
		file_cpu_entries(l->file, l->buffer, it->cpus.list[i], &n);
		total += n;
	}
	*count = all ? b->cpu_count : (uint32_t)total;
	*out = list = calloc((size_t)*count + 1, sizeof(*list));
	if (!list)
		return false;
	for (uint32_t i = 0; all && i < b->cpu_count; i++)
		list[i] = i;
	for (size_t i = 0; !all && i < it->cpus.count; i++) {
		const uint32_t *found = file_cpu_entries(l->file, l->buffer, it->cpus.list[i], &n);

		memcpy(list, found, n * sizeof(*list));
		list += n;
	}
	if (!all)
		qsort(*out, *count, sizeof(**out), tdat_by_u32);
	return true;
}

/* Opens the stream of the CPU at that index of the buffer's list. */
static enum tdat_status open_stream(struct tdat_iter *it, struct iter_queue *l, uint32_t index,
				    size_t window, struct tdat_error *err)
{
	const struct tdat_buffer *b = &l->file->ix.buffers[l->buffer];
	struct read_stream *s = &l->streams[l->stream_count];
	enum tdat_status st =
		read_stream_init(s, l->file, b, &b->cpus[index], &l->clock, window, err);

	if (st != TDAT_OK)
		return st;
	s->shared = &it->inflater;
	s->is_cancelled = it->extra.is_cancelled;
	s->cancel_ctx = it->extra.cancel_ctx;
	if (l->ahead)
		s->ahead = &l->ahead[l->stream_count];
	l->stream_count++;
	/*
	 * Pieces, a filter's times, and spans of tables restrict a stream in different ways, one
	 * at a time.
	 */
	if (it->extra.cuts)
		read_cuts_apply(it->extra.cuts, s, l->input, l->buffer, index, it->extra.first,
				it->extra.end, l->select && l->select->owned);
	else if (it->select && it->select->times.set && !it->extra.span.set)
		st = read_stream_clip(s, it->select->times.from, it->select->times.to, err);
	else if (it->extra.span.set)
		st = read_stream_clip_span(s, &it->extra.span, err);
	if (st == TDAT_OK && l->backs)
		st = read_back_init(&l->backs[l->stream_count - 1], s, err);
	return st;
}

/*
 * Streams of a buffer. CPUs outside the list are read only when folding has to
 * look at them: a leaf's exit counts as next over all CPUs.
 */
static enum tdat_status open_streams(struct tdat_iter *it, struct iter_queue *l,
				     const struct tdat_buffer *b, size_t window,
				     struct tdat_error *err)
{
	const bool folds = !it->cpus.all && l->graph.entries.count;
	enum tdat_status st = TDAT_OK;
	uint32_t *chosen, count, i;

	if (!choose_cpus(it, l, b, it->cpus.all || folds, &chosen, &count))
		return tdat_error_no_memory(err, "CPUs");
	l->streams = calloc((size_t)count + 1, sizeof(*l->streams));
	l->heap.items = calloc((size_t)count + 1, sizeof(*l->heap.items));
	l->unwanted = folds ? calloc((size_t)count + 1, sizeof(*l->unwanted)) : NULL;
	/* Backward reading lists parts; reading ahead would inflate the wrong chunk. */
	if (it->opts.reverse)
		l->backs = calloc((size_t)count + 1, sizeof(*l->backs));
	else if (b->compressed && count <= AHEAD_CPUS)
		l->ahead = calloc((size_t)count + 1, sizeof(*l->ahead));
	if (!l->streams || !l->heap.items || (folds && !l->unwanted) ||
	    (it->opts.reverse && !l->backs))
		st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for %u CPUs",
				    count);
	for (i = 0; st == TDAT_OK && i < count; i++) {
		if (folds)
			l->unwanted[i] = !read_cpus_has(&it->cpus, b->cpus[chosen[i]].cpu);
		/*
		 * Streams are in reverse order backwards, so that equal times come out reversed,
		 * too.
		 */
		st = open_stream(it, l, chosen[it->opts.reverse ? count - 1 - i : i], window, err);
	}
	free(chosen);
	return st;
}

/*
 * Filtering before the merge is cheaper, but folding looks at all records, and
 * names of tasks depend on the events returned before.
 */
static void open_filter(struct tdat_iter *it, struct iter_queue *l)
{
	if (!it->select)
		return;
	l->select = &it->select->inputs[l->input];
	l->early = !l->graph.entries.count && !(l->select->wants_comm && it->opts.trace_cmd);
}

/* Opens a buffer: clock, filter and streams. Sets each stream to its first record. */
static enum tdat_status open_queue(struct tdat_iter *it, const struct tdat_iter_input *in,
				   uint32_t input, uint32_t buffer, size_t window,
				   struct tdat_error *err)
{
	struct iter_queue *l = &it->queues[it->queue_count];
	const struct tdat_buffer *b = &in->file->ix.buffers[buffer];
	enum tdat_status st;

	it->queue_count++;
	l->input = input;
	l->buffer = buffer;
	l->file = in->file;
	l->state = &it->inputs[input];
	read_clock_init(&l->clock, &in->file->clock, *b->name != '\0', in, &it->opts);
	l->state->shift = l->clock.identity ? l->clock.offset : 0;
	l->common = l->state->common;
	l->graph = l->state->graph;
	l->usual_common = !memcmp(&l->common, &FILE_COMMON_USUAL, sizeof(l->common));
	open_filter(it, l);
	st = open_streams(it, l, b, window, err);
	return st != TDAT_OK ? st : iter_queue_start(it, l, err);
}

/*
 * Memory for page windows of all streams together. Windows stay below the size
 * from which malloc maps and unmaps each block anew.
 */
enum { WINDOW_TOTAL = 12 * 1024 * 1024, WINDOW_MOST = 124 * 1024 };

/* Bytes of a window: all streams share WINDOW_TOTAL. */
static size_t window_of(size_t stream_count)
{
	size_t w = WINDOW_TOTAL / (stream_count ? stream_count : 1);

	return w < WINDOW_MOST ? w : WINDOW_MOST;
}

/* Whether the events of a buffer are wanted, in the pass over top buffers or over instances. */
static bool is_wanted(const struct tdat_iter *it, const struct tdat_buffer *b, bool top)
{
	return !b->latency && !*b->name == top && (top || !it->opts.top_only) &&
	       (!it->opts.buffer || !strcmp(it->opts.buffer, b->name)) &&
	       (!it->opts.filter || read_select_buffer(it->opts.filter, b));
}

/* Opens the queue of a buffer of an input in a pass: number step of input_count * most * 2. */
static enum tdat_status open_step(struct tdat_iter *it, size_t step, size_t most, size_t window,
				  struct tdat_error *err)
{
	const size_t b = step % most, i = step / most % it->input_count;
	const struct dat_index *ix = &it->in[i].file->ix;

	if (it->opts.only_input && it->opts.only_input != i + 1)
		return TDAT_OK;
	if (b >= ix->buffer_count || !is_wanted(it, &ix->buffers[b], step / most < it->input_count))
		return TDAT_OK;
	return open_queue(it, &it->in[i], (uint32_t)i, (uint32_t)b, window, err);
}

/*
 * Top buffers of all inputs first, then the instances, in input order; backwards the other way
 * round.
 */
static enum tdat_status open_queues(struct tdat_iter *it, struct tdat_error *err)
{
	size_t most = 0, queues = 0, streams = 0, steps;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < it->input_count; i++) {
		const struct dat_index *ix = &it->in[i].file->ix;

		most = most > ix->buffer_count ? most : ix->buffer_count;
		queues += ix->buffer_count;
		for (size_t b = 0; b < ix->buffer_count; b++)
			streams += ix->buffers[b].cpu_count;
	}
	it->queues = calloc(queues ? queues : 1, sizeof(*it->queues));
	if (!it->queues)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	steps = 2 * it->input_count * most;
	for (size_t s = 0; st == TDAT_OK && s < steps; s++)
		st = open_step(it, it->opts.reverse ? steps - 1 - s : s, most, window_of(streams),
			       err);
	it->given = it->queue_count;
	return st;
}

/* Frees queues and streams, and gives back the blocks that events may lie in. */
static void close_queues(struct tdat_iter *it)
{
	read_iter_release(it, &it->held);
	for (size_t i = 0; i < it->queue_count; i++) {
		struct iter_queue *l = &it->queues[i];

		read_iter_release(it, &l->held);
		for (size_t k = 0; k < l->stream_count; k++) {
			if (l->backs)
				read_back_fini(&l->backs[k]);
			read_stream_fini(&l->streams[k]);
		}
		free(l->streams);
		free(l->backs);
		free(l->ahead);
		free(l->heap.items);
		free(l->unwanted);
	}
	free(it->queues);
	it->queues = NULL;
	it->queue_count = 0;
}

/* Makes room for tdat_iter_damage beforehand, so that it works when memory has run out. */
static enum tdat_status make_damage_room(struct tdat_iter *it, struct tdat_error *err)
{
	size_t i, n = 1;

	for (i = 0; i < it->queue_count; i++)
		n += it->queues[i].stream_count;
	free(it->damage);
	it->damage = calloc(n, sizeof(*it->damage));
	return it->damage ? TDAT_OK
			  : tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
}

/*
 * What is asked for beside the filter. Events of ids that are not wanted are dropped; stacks may
 * pass because of an event before them, of whatever id: where they are wanted, all events are
 * tested.
 */
static enum tdat_status select_extra(struct tdat_iter *it, const struct tdat_iter_input *inputs,
				     size_t input_count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!it->extra.ids && !it->extra.span.set && !it->extra.pids)
		return TDAT_OK;

	if (!it->select) {
		const struct tdat_filter_opts all = TDAT_FILTER_OPTS_INIT;

		st = tdat_filter_new(&it->own_filter, &all, err);
		if (st == TDAT_OK)
			st = read_select_new(&it->select, it->own_filter, inputs, input_count,
					     &it->opts, err);
	}
	if (st != TDAT_OK)
		return st;
	for (size_t i = 0; it->extra.ids && i < input_count; i++)
		read_select_only(&it->select->inputs[i], it->extra.ids[i], it->extra.ask_format);
	if (!it->extra.span_of_pages)
		it->select->span = it->extra.span;
	it->select->pids = it->extra.pids;
	it->select->narrow = it->select->span.set || it->extra.pids;
	return TDAT_OK;
}

/* Backwards nothing can be known that depends on events before. */
static enum tdat_status check_reverse(const struct tdat_iter *it, struct tdat_error *err)
{
	bool depends = it->opts.trace_cmd ||
		       (it->opts.filter && it->opts.filter->stacks != TDAT_STACKS_EVENT);

	for (size_t i = 0; i < it->input_count; i++)
		depends |= it->inputs[i].event_count || it->inputs[i].graph.entries.count ||
			   (it->select && it->select->inputs[i].owned);
	return depends ? tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
					"events cannot be read backward with options that depend "
					"on earlier events: functions, stacks with their events, "
					"or names as trace-cmd learns them")
		       : TDAT_OK;
}

/* The public form, without the restrictions that tables add. */
enum tdat_status tdat_iter_new(struct tdat_iter **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_iter_opts *opts,
			       struct tdat_error *err)
{
	return read_iter_new(out, inputs, input_count, opts, NULL, err);
}

enum tdat_status read_iter_new(struct tdat_iter **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_iter_opts *opts,
			       const struct read_iter_extra *extra, struct tdat_error *err)
{
	const struct tdat_iter_opts defaults = TDAT_ITER_OPTS_INIT;
	/* The struct asks for more alignment than calloc() promises. */
	struct tdat_iter *it = aligned_alloc(_Alignof(struct tdat_iter), sizeof(*it));
	enum tdat_status st;

	*out = NULL;
	if (!it)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	memset(it, 0, sizeof(*it));
	it->opts = defaults;
	tdat_opts_copy(&it->opts, sizeof(it->opts), opts);
	if (extra)
		it->extra = *extra;
	if (!read_cpus_init(&it->cpus, it->opts.cpus, it->opts.cpu_count)) {
		free(it);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	}
	it->opts.cpus = it->cpus.list;
	it->opts.cpu_count = it->cpus.count;
	/* 0 as the end means no end. */
	if (it->opts.from || it->opts.to)
		it->extra.span = (struct read_span){true, it->opts.from,
						    it->opts.to ? it->opts.to : UINT64_MAX};
	st = open_states(it, inputs, input_count, err);
	if (st == TDAT_OK && it->opts.to && it->opts.from > it->opts.to)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "the time 'from' is later than the time 'to'");
	if (st == TDAT_OK && it->opts.filter)
		st = read_select_new(&it->select, it->opts.filter, inputs, input_count, &it->opts,
				     err);
	if (st == TDAT_OK)
		st = select_extra(it, inputs, input_count, err);
	/* Needs the filter's classes, and must come before queues copy the list. */
	for (size_t i = 0; st == TDAT_OK && it->select && i < input_count; i++)
		drop_graph_entries(&it->inputs[i], &it->select->inputs[i]);
	if (st == TDAT_OK && it->opts.reverse)
		st = check_reverse(it, err);
	if (st == TDAT_OK)
		st = open_queues(it, err);
	if (st == TDAT_OK)
		st = make_damage_room(it, err);
	if (st == TDAT_OK)
		st = read_iter_memory(it, err);
	if (st != TDAT_OK) {
		tdat_iter_free(it);
		return st;
	}
	*out = it;
	return TDAT_OK;
}

/* Opens a file and an iterator over it alone, which closes the file. */
enum tdat_status tdat_iter_open(struct tdat_iter **out, const char *path,
				const struct tdat_iter_opts *opts, struct tdat_error *err)
{
	struct tdat_iter_input in = {NULL, 0, 0};
	enum tdat_status st = tdat_file_open(&in.file, path, NULL, err);

	*out = NULL;
	if (st != TDAT_OK)
		return st;
	st = tdat_iter_new(out, &in, 1, opts, err);
	if (st == TDAT_OK)
		(*out)->own_file = in.file;
	else
		tdat_file_close(in.file);
	return st;
}

/* Moves to a time: streams are opened again, clipped to the rest of the wanted span. */
enum tdat_status tdat_iter_seek(struct tdat_iter *it, uint64_t ts, struct tdat_error *err)
{
	const uint64_t from = it->opts.from, to = it->opts.to ? it->opts.to : UINT64_MAX;
	struct read_span span = {true, ts > from ? ts : from, to};
	enum tdat_status st;

	if (it->opts.reverse)
		span = (struct read_span){true, from, ts < to ? ts : to};
	it->extra.span = span;
	close_queues(it);
	st = select_extra(it, it->in, it->input_count, err);
	if (st == TDAT_OK && span.from <= span.to)
		st = open_queues(it, err);
	return st == TDAT_OK ? make_damage_room(it, err) : st;
}

const struct tdat_event_format *tdat_event_format_of(const struct tdat_event *event)
{
	return tdat_file_format_by_id(event->file, event->id);
}

/* Reads an integer field of an event by name. */
enum tdat_status tdat_event_i64(const struct tdat_event *event, const char *name, int64_t *out,
				struct tdat_error *err)
{
	const struct tdat_event_format *format = tdat_event_format_of(event);
	const struct tdat_field *field = format ? tdat_event_format_field(format, name) : NULL;

	return field ? tdat_field_i64(field, event->record, out, err)
		     : tdat_error_set(err, TDAT_E_NOT_FOUND, event->off,
				      "event %u has no field \"%.64s\"", event->id, name);
}

void tdat_iter_free(struct tdat_iter *it)
{
	size_t i;

	if (!it)
		return;
	close_queues(it);
	for (i = 0; i < it->input_count; i++) {
		learned_tasks_fini(&it->inputs[i].learn);
		read_moments_fini(&it->inputs[i].moments);
		free(it->inputs[i].events);
		free(it->inputs[i].graph.entries.list);
		free(it->inputs[i].graph.exits.list);
	}
	dat_inflater_fini(&it->inflater);
	func_stack_fini(&it->stack);
	read_select_free(it->select);
	tdat_filter_free(it->own_filter);
	free(it->inputs);
	free(it->in);
	read_cpus_fini(&it->cpus);
	free(it->damage);
	tdat_file_close(it->own_file);
	free(it);
}

/* Appends the damaged streams of a queue. There is room: see make_damage_room(). */
static void list_damage(struct tdat_iter *it, const struct iter_queue *l, size_t *count)
{
	for (size_t k = 0; k < l->stream_count; k++) {
		const size_t at = it->opts.reverse ? l->stream_count - 1 - k : k;
		const struct read_stream *s = &l->streams[at];
		struct tdat_stream_damage *d = &it->damage[*count];

		if (!s->bad_pages)
			continue;
		*d = s->damage;
		d->input = l->input;
		d->buffer = l->buffer;
		d->cpu = s->cpu;
		d->bad_pages = s->bad_pages;
		++*count;
	}
}

const struct tdat_stream_damage *tdat_iter_damage(struct tdat_iter *it, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < it->queue_count; i++)
		list_damage(it, &it->queues[it->opts.reverse ? it->queue_count - 1 - i : i], count);
	return it->damage;
}
