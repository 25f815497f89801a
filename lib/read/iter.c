/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "iter.h"

#include <stdlib.h>
#include <string.h>

#include "seek.h"

/* ---- blocks ---- */

static inline void release_list(struct tdat_iter *it, struct read_block **list)
{
	struct read_block *b;

	while ((b = *list)) {
		*list = b->next;
		if (it->release)
			it->release(it->release_ctx, b);
		else
			read_block_put(b);
	}
}

/*
 * Blocks a stream left behind. The oldest, the last of the list, may hold bytes
 * of events given out: it is kept with them.
 */
static void take_retired(struct read_stream *s, struct read_block **list)
{
	struct read_block *b;

	while ((b = s->retired)) {
		s->retired = b->next;
		if (b->next || !s->lent) {
			read_block_put(b);
			continue;
		}
		b->next = *list;
		*list = b;
	}
	s->lent = false;
}

/* ---- one lane ---- */

static bool wanted(struct tdat_iter *it, struct read_lane *l, const struct tdat_event *ev,
		   bool *shown)
{
	const struct model_filter_event e = {ev->record, ev->ts, ev->cpu, ev->pid,
					     &l->state->learn, it->place};

	if (it->select->timed && (ev->ts < it->select->from || ev->ts > it->select->to))
		return false;
	return read_select_event(l->select, ev->id, &e, shown);
}

/* Puts the next record that is wanted at the stream's head. */
static inline enum tdat_status step(const struct tdat_iter *it, struct read_lane *l,
				    struct read_stream *s, struct read_block **held,
				    struct tdat_error *err)
{
	enum tdat_status st;

	do {
		st = read_stream_next(s, err);
		if (__builtin_expect(s->retired != NULL, 0))
			take_retired(s, held);
		if (st != TDAT_OK)
			return st;
	} while (l->early && s->have &&
		 !read_select_head(it->select, l->select, &l->common, s));
	return TDAT_OK;
}

/* Goes on in the stream whose record is the earliest; lent: it was given out. */
static inline enum tdat_status advance(const struct tdat_iter *it, struct read_lane *l, bool lent,
				       struct read_block **held, struct tdat_error *err)
{
	struct read_stream *s = &l->streams[l->heap.keys[0].index];
	enum tdat_status st;

	s->lent |= lent;
	st = step(it, l, s, held, err);
	if (st != TDAT_OK)
		return st;
	if (s->have)
		merge_replace_top(&l->heap, s->ts);
	else
		merge_drop_top(&l->heap);
	return TDAT_OK;
}

/* Event id and pid of a record; 0 when it is too short. */
static inline void record_common(const struct read_lane *l, const struct dat_record *rec,
				 uint32_t *id, int32_t *pid)
{
	const struct read_common *c = &l->common;
	const bool big = l->file->layout.big;

	if (__builtin_expect(l->usual_common && rec->len >= 8, 1)) {
		*id = tdat_load16(rec->data, big);
		*pid = (int32_t)tdat_load32(rec->data + 4, big);
		return;
	}
	*id = rec->len >= c->type_off + c->type_len
		      ? (uint32_t)tdat_load_uint(rec->data + c->type_off, c->type_len, big)
		      : 0;
	*pid = rec->len >= c->pid_off + c->pid_len
		       ? (int32_t)tdat_load_uint(rec->data + c->pid_off, c->pid_len, big)
		       : 0;
}

/* What does not depend on where on its page the record is, but for its offset. */
static inline void fill_rest(const struct read_lane *l, const struct read_stream *s,
			     const struct dat_record *rec, struct tdat_event *ev)
{
	ev->input = l->input;
	ev->buffer = l->buffer;
	ev->cpu = s->cpu;
	ev->record = (struct tdat_span){rec->data, rec->len};
	ev->leaf = (struct tdat_span){NULL, 0};
	ev->depth = 0;
	ev->off = s->page_off;
	if (!s->compressed)
		ev->off += l->file->layout.data_off + rec->pos;
}

static inline void fill_event(struct read_lane *l, const struct read_stream *s, struct tdat_event *ev)
{
	ev->ts = s->ts;
	ev->lost_before = s->lost_before;
	ev->flags = s->page_start ? TDAT_EVENT_PAGE_START : 0;
	record_common(l, &s->rec, &ev->id, &ev->pid);
	fill_rest(l, s, &s->rec, ev);
}

/* Takes the lane's next record out of its streams, into ev. */
static enum tdat_status refill(struct tdat_iter *it, size_t lane, struct tdat_event *ev,
			       struct tdat_error *err)
{
	struct read_lane *l = &it->lanes[lane];

	l->full = false;
	while (l->heap.count) {
		size_t index = l->heap.keys[0].index;
		enum tdat_status st;

		fill_event(l, &l->streams[index], ev);
		l->full = !l->unwanted || !l->unwanted[index];
		if (l->full && l->select && !l->early)
			l->full = wanted(it, l, ev, &l->streams[index].shown);
		st = advance(it, l, l->full, &l->held, err);
		if (st != TDAT_OK || l->full)
			return st;
		release_list(it, &l->held);
	}
	l->done = true;
	return TDAT_OK;
}

/* ---- folding of leaf functions ---- */

static bool read_uint(const struct tdat_field *f, struct tdat_span rec, bool big, uint64_t *v)
{
	if (!f || f->off > rec.len || f->len > rec.len - f->off)
		return false;
	*v = tdat_load_uint(rec.ptr + f->off, f->len, big);
	return true;
}

static inline const struct graph_type *graph_type_of(const struct graph_type *list, size_t count,
					      uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].id == id)
			return &list[i];
	return NULL;
}

static inline const struct graph_type *entry_of(const struct read_lane *l, const struct tdat_event *ev)
{
	return graph_type_of(l->graph.entries, l->graph.entry_count, ev->id);
}

/* Whether the record with that id and pid ends the function that ev enters. */
static inline bool is_exit(const struct read_lane *l, const struct graph_type *type,
			   const struct tdat_event *ev, const struct dat_record *rec, uint32_t id,
			   int32_t pid)
{
	const struct graph_type *exit_type =
		graph_type_of(l->graph.exits, l->graph.exit_count, id);
	const struct tdat_span next = {rec->data, rec->len};
	const bool big = l->file->layout.big;
	uint64_t entry, leaf;

	return exit_type && pid == ev->pid && read_uint(type->func, ev->record, big, &entry) &&
	       read_uint(exit_type->func, next, big, &leaf) && entry == leaf;
}

/*
 * An entry directly followed by its exit, over all CPUs of its buffer, is one
 * line.
 */
static enum tdat_status fold_leaf(struct tdat_iter *it, const struct graph_type *type,
				  struct tdat_event *ev, struct tdat_error *err)
{
	struct read_lane *l = &it->lanes[it->given];
	const struct read_stream *s = l->heap.count ? &l->streams[l->heap.keys[0].index] : NULL;
	uint32_t id;
	int32_t pid;

	if (!s)
		return TDAT_OK;
	record_common(l, &s->rec, &id, &pid);
	if (!is_exit(l, type, ev, &s->rec, id, pid))
		return TDAT_OK;
	ev->leaf = (struct tdat_span){s->rec.data, s->rec.len};
	return advance(it, l, true, &it->held, err);
}

/* ---- what plugins remember from line to line ---- */

static struct plugin_event *plugin_event_of(struct input_state *in, uint32_t id)
{
	size_t i;

	for (i = 0; i < in->event_count; i++)
		if (in->events[i].id == id)
			return &in->events[i];
	return NULL;
}

static void learn_from(struct tdat_iter *it, struct input_state *in, struct plugin_event *pe,
		       struct tdat_event *ev)
{
	if (pe->learn.pair_count)
		model_learn_record(&in->learn, &pe->learn, ev->record, it->place);
	if (!pe->func.has_depth)
		return;
	if (!in->symbols)
		in->symbols = read_file_symbols(in->file);
	if (in->symbols)
		ev->depth = func_stack_record(&it->stack, &pe->func, in->symbols, ev->cpu,
					      ev->record);
}

/* Most events are of tasks that were named lately. */
static struct tdat_span find_name(struct input_state *in, int32_t pid, uint64_t place)
{
	struct known_name *k = &in->known[(uint32_t)pid % KNOWN_NAMES];

	if (k->comm.ptr && k->pid == pid && k->learned == in->learn.count)
		return k->comm;
	k->comm = model_learn_find(&in->learn, pid, place);
	k->pid = pid;
	k->learned = in->learn.count;
	return k->comm;
}

bool read_iter_can_name_later(const struct tdat_iter *it)
{
	size_t i;

	for (i = 0; i < it->lane_count; i++)
		if (it->lanes[i].select && !it->lanes[i].early)
			return false;
	return true;
}

static inline void name_event(struct tdat_iter *it, struct tdat_event *ev)
{
	struct input_state *in = &it->inputs[ev->input];

	if (ev->pid && !in->learn.started)
		model_learn_start(&in->learn);
	ev->comm = find_name(in, ev->pid, it->place);
	if (it->opts.plugin_state && in->maybe[ev->id & 255]) {
		struct plugin_event *pe = plugin_event_of(in, ev->id);

		if (pe)
			learn_from(it, in, pe, ev);
	}
	it->place++;
}

void read_iter_name(struct tdat_iter *it, struct tdat_event *ev)
{
	name_event(it, ev);
}

void read_iter_name_some(struct tdat_iter *it, struct tdat_event *events, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		name_event(it, &events[i]);
}

/* ---- the iterator ---- */

/* Refills the lanes that gave their event away and picks the earliest. */
static enum tdat_status pick_lane(struct tdat_iter *it, struct tdat_event *out,
				  struct tdat_error *err)
{
	size_t i, best = it->lane_count;

	for (i = 0; i < it->lane_count; i++) {
		struct read_lane *l = &it->lanes[i];
		enum tdat_status st;

		if (l->done || (l->full && i != it->given))
			continue;
		release_list(it, &l->held);
		st = refill(it, i, &l->ev, err);
		if (st != TDAT_OK)
			return st;
	}
	for (i = 0; i < it->lane_count; i++)
		if (it->lanes[i].full &&
		    (best == it->lane_count || it->lanes[i].ev.ts < it->lanes[best].ev.ts))
			best = i;
	it->given = best;
	if (best < it->lane_count)
		*out = it->lanes[best].ev;
	return TDAT_OK;
}

/* Nothing is picked or left out. */
static bool is_plain(const struct tdat_iter *it)
{
	const struct read_lane *l = it->lanes;

	return it->lane_count == 1 && !l->select && !l->unwanted;
}

/*
 * Fills out with the earliest stream's head, and with the records behind it on its page
 * that come before all other streams' (a leaf's exit goes with its entry). Returns how
 * many events; the stream is left as if its last record taken were its head.
 */
static size_t take_run(struct read_lane *l, struct tdat_event *out, size_t most)
{
	struct read_stream *s = &l->streams[l->heap.keys[0].index];
	const struct merge_key limit = merge_second(&l->heap);
	const struct dat_page_layout layout = l->file->layout;
	struct merge_key key = l->heap.keys[0];
	struct dat_page page = s->page, taken = page;
	const struct graph_type *entry;
	struct dat_record rec;
	size_t n = 1;

	fill_event(l, s, out);
	entry = entry_of(l, out);
	while (s->in_page && !layout.old && dat_page_usual(&page, &layout, &rec)) {
		struct tdat_event *ev = &out[n];
		uint32_t id;
		int32_t pid;

		key.ts = read_clock_ts(s->clock, page.ts, s->cpu);
		if (merge_before(limit, key))
			break;
		record_common(l, &rec, &id, &pid);
		if (entry && is_exit(l, entry, ev - 1, &rec, id, pid)) {
			ev[-1].leaf = (struct tdat_span){rec.data, rec.len};
			entry = NULL;
			taken = page;
			continue;
		}
		if (n == most)
			break;
		ev->ts = key.ts;
		ev->lost_before = 0;
		ev->flags = 0;
		ev->id = id;
		ev->pid = pid;
		fill_rest(l, s, &rec, ev);
		entry = entry_of(l, ev);
		taken = page;
		n++;
	}
	s->page.pos = taken.pos;
	s->page.ts = taken.ts;
	return n;
}

/* Up to most events of the one lane of a plain iterator. */
static enum tdat_status take_plain(struct tdat_iter *it, struct tdat_event *out, size_t most,
				   size_t *count, struct tdat_error *err)
{
	struct read_lane *l = it->lanes;
	enum tdat_status st = TDAT_OK;
	size_t n = 0;

	it->given = 0;
	while (n < most && l->heap.count && st == TDAT_OK) {
		const struct graph_type *entry;

		release_list(it, &it->held);
		release_list(it, &l->held);
		n += take_run(l, &out[n], most - n);
		st = advance(it, l, true, &l->held, err);
		entry = out[n - 1].leaf.ptr ? NULL : entry_of(l, &out[n - 1]);
		if (entry && st == TDAT_OK)
			st = fold_leaf(it, entry, &out[n - 1], err);
	}
	*count = st == TDAT_OK ? n : n - 1;
	return st;
}

/* With one lane there is nothing to pick and nothing to copy. */
static enum tdat_status next_of_lane(struct tdat_iter *it, size_t lane, struct tdat_event *out,
				     struct tdat_error *err)
{
	struct read_lane *l = &it->lanes[lane];
	enum tdat_status st;

	it->given = it->lane_count;
	if (l->done)
		return TDAT_OK;
	if (l->held)
		release_list(it, &l->held);
	st = refill(it, lane, out, err);
	if (st == TDAT_OK && l->full)
		it->given = lane;
	return st;
}

enum tdat_status read_iter_memory(const struct tdat_iter *it, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	bool failed = it->stack.failed;
	size_t i;

	for (i = 0; st == TDAT_OK && i < it->input_count; i++) {
		st = read_file_memory(it->inputs[i].file, it->inputs[i].memory_failures, err);
		failed |= it->inputs[i].learn.failed;
	}
	if (st == TDAT_OK && failed)
		st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				    "no memory for names of tasks and functions");
	return st;
}

enum tdat_status read_iter_take(struct tdat_iter *it, struct tdat_event *out, bool *more,
				struct tdat_error *err)
{
	const struct graph_type *entry;
	const struct read_lane *l;
	enum tdat_status st;

	*more = false;
	if (it->held)
		release_list(it, &it->held);
	st = it->lane_count == 1 ? next_of_lane(it, 0, out, err) : pick_lane(it, out, err);
	if (st == TDAT_OK && it->select && read_select_failed(it->select))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for a filter");
	if (st == TDAT_OK && it->given == it->lane_count)
		return read_iter_memory(it, err);
	if (st != TDAT_OK)
		return st;
	l = &it->lanes[it->given];
	entry = entry_of(l, out);
	if (entry) {
		st = fold_leaf(it, entry, out, err);
		if (st != TDAT_OK)
			return st;
	}
	*more = true;
	return TDAT_OK;
}

enum tdat_status read_iter_take_some(struct tdat_iter *it, struct tdat_event *out, size_t most,
				     size_t *count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	bool more = true;
	size_t n = 0;

	if (is_plain(it)) {
		st = take_plain(it, out, most, count, err);
		return st == TDAT_OK && !*count ? read_iter_memory(it, err) : st;
	}
	while (n < most && (st = read_iter_take(it, &out[n], &more, err)) == TDAT_OK && more)
		n++;
	*count = n;
	return st;
}

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

bool read_iter_ahead(struct tdat_iter *it, struct dat_inflater *inflater)
{
	size_t i, k;

	for (i = 0; i < it->lane_count; i++) {
		struct read_lane *l = &it->lanes[i];

		for (k = 0; l->ahead && k < l->stream_count; k++)
			if (read_ahead_run(&l->ahead[k], inflater))
				return true;
	}
	return false;
}

/* ---- making one ---- */

static enum tdat_status add_plugin_event(struct input_state *in, const struct tdat_format *f,
					 struct tdat_error *err)
{
	struct plugin_event pe, *list;

	pe.id = tdat_format_id(f);
	model_learn_format_init(&pe.learn, f, MODEL_PRINT_FMT);
	func_stack_format_init(&pe.func, f);
	if (!pe.learn.pair_count && !pe.func.has_depth)
		return TDAT_OK;
	list = realloc(in->events, (in->event_count + 1) * sizeof(*list));
	if (!list)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	in->events = list;
	list[in->event_count++] = pe;
	in->maybe[pe.id & 255] = true;
	return TDAT_OK;
}

static enum tdat_status add_plugin_events(struct input_state *in, struct tdat_error *err)
{
	static const char *const names[][2] = {{"sched", "sched_switch"},
					       {"sched", "sched_wakeup"},
					       {"sched", "sched_wakeup_new"},
					       {"ftrace", "function"},
					       {"ftrace", "func_repeats"}};
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct tdat_format *f;
		size_t nth = 0;

		while (st == TDAT_OK &&
		       (f = read_file_format_nth(in->file, names[i][0], names[i][1], nth++)))
			st = add_plugin_event(in, f, err);
	}
	return st;
}

static enum tdat_status open_states(struct tdat_iter *it, const struct tdat_iter_input *inputs,
				    size_t input_count, struct tdat_error *err)
{
	size_t i;

	func_stack_init(&it->stack);
	it->inputs = calloc(input_count ? input_count : 1, sizeof(*it->inputs));
	if (!it->inputs)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	for (i = 0; i < input_count; i++) {
		struct input_state *in = &it->inputs[i];
		const struct model_tasks *tasks;

		in->memory_failures = tdat_file_memory_failures(inputs[i].file);
		tasks = read_file_tasks(inputs[i].file);

		if (!tasks)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory for names of tasks");
		in->file = inputs[i].file;
		model_learn_init(&in->learn, tasks);
		it->input_count++;
		if (it->opts.plugin_state && add_plugin_events(in, err) != TDAT_OK)
			return TDAT_E_NOMEM;
	}
	return TDAT_OK;
}

static bool cpu_wanted(const struct tdat_iter *it, uint32_t cpu)
{
	size_t i;

	if (!it->cpus)
		return true;
	for (i = 0; i < it->opts.cpu_count; i++)
		if (it->cpus[i] == cpu)
			return true;
	return false;
}

static enum tdat_status find_graph_types(const struct read_lane *l, const char *name,
					 struct graph_type **list, size_t *count,
					 struct tdat_error *err)
{
	const struct tdat_format *f;

	for (*count = 0; (f = read_file_format_nth(l->file, "ftrace", name, *count)); ++*count) {
		struct graph_type *p = realloc(*list, (*count + 1) * sizeof(*p));

		if (!p)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
		*list = p;
		p[*count] = (struct graph_type){tdat_format_id(f), tdat_format_field(f, "func")};
	}
	return TDAT_OK;
}

static enum tdat_status find_graph(struct read_lane *l, struct tdat_error *err)
{
	struct graph_facts *g = &l->graph;
	enum tdat_status st =
		find_graph_types(l, "funcgraph_entry", &g->entries, &g->entry_count, err);

	if (st == TDAT_OK)
		st = find_graph_types(l, "funcgraph_exit", &g->exits, &g->exit_count, err);
	if (!g->exit_count)
		g->entry_count = 0;
	return st;
}

/* Loads the first record of each stream and puts the wanted ones in the heap. */
static enum tdat_status start_lane(const struct tdat_iter *it, struct read_lane *l,
				   struct tdat_error *err)
{
	size_t i;

	for (i = 0; i < l->stream_count; i++) {
		struct read_stream *s = &l->streams[i];
		enum tdat_status st = step(it, l, s, &l->held, err);

		if (st != TDAT_OK)
			return st;
		if (s->have)
			l->heap.keys[l->heap.count++] = (struct merge_key){s->ts, (uint32_t)i};
	}
	merge_build(&l->heap);
	return TDAT_OK;
}

/* Of more CPUs, a chunk for each would take more memory than there is to be used. */
enum { AHEAD_CPUS = 64 };

/*
 * Streams of a buffer. CPUs outside the list are read only when folding has to
 * look at them: a leaf's exit counts as next over all CPUs.
 */
static enum tdat_status open_streams(struct tdat_iter *it, struct read_lane *l,
				     const struct tdat_buffer *b, size_t window,
				     struct tdat_error *err)
{
	bool all = it->cpus && l->graph.entry_count;
	uint32_t i;

	l->streams = calloc(b->cpu_count + 1, sizeof(*l->streams));
	l->heap.keys = calloc(b->cpu_count + 1, sizeof(*l->heap.keys));
	l->unwanted = all ? calloc(b->cpu_count + 1, sizeof(*l->unwanted)) : NULL;
	if (b->compressed && b->cpu_count <= AHEAD_CPUS)
		l->ahead = calloc(b->cpu_count + 1, sizeof(*l->ahead));
	if (!l->streams || !l->heap.keys || (all && !l->unwanted))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for %u CPUs",
				      b->cpu_count);
	for (i = 0; i < b->cpu_count; i++) {
		bool wanted = cpu_wanted(it, b->cpus[i].cpu);
		enum tdat_status st;

		if (!wanted && !l->unwanted)
			continue;
		if (l->unwanted)
			l->unwanted[l->stream_count] = !wanted;
		st = read_stream_init(&l->streams[l->stream_count], l->file, b, &b->cpus[i],
				      &l->clock, window, err);
		if (st != TDAT_OK)
			return st;
		l->streams[l->stream_count].shared = &it->inflater;
		if (l->ahead)
			l->streams[l->stream_count].ahead = &l->ahead[l->stream_count];
		l->stream_count++;
		if (it->select && it->select->timed)
			st = read_stream_clip(&l->streams[l->stream_count - 1], it->select->from,
					      it->select->to, err);
		if (st != TDAT_OK)
			return st;
	}
	return TDAT_OK;
}

/*
 * Filtering before the merge is cheaper, but folding looks at all records, and
 * names of tasks depend on the events given out before.
 */
static void open_filter(struct tdat_iter *it, struct read_lane *l)
{
	size_t i;

	if (!it->select)
		return;
	l->select = &it->select->inputs[l->input];
	for (i = l->graph.entry_count; i-- > 0;)
		if (!read_select_id(l->select, l->graph.entries[i].id))
			l->graph.entries[i] = l->graph.entries[--l->graph.entry_count];
	l->early = !l->graph.entry_count &&
		   !(l->select->wants_comm && it->opts.plugin_state);
}

static enum tdat_status open_lane(struct tdat_iter *it, const struct tdat_iter_input *in,
				  uint32_t input, uint32_t buffer, size_t window,
				  struct tdat_error *err)
{
	struct read_lane *l = &it->lanes[it->lane_count];
	const struct tdat_buffer *b = &in->file->ix.buffers[buffer];
	enum tdat_status st;

	it->lane_count++;
	l->input = input;
	l->buffer = buffer;
	l->file = in->file;
	l->state = &it->inputs[input];
	read_clock_init(&l->clock, &in->file->clock, *b->name != '\0', in, &it->opts);
	read_file_common(in->file, &l->common);
	l->usual_common = !memcmp(&l->common, &READ_COMMON_USUAL, sizeof(l->common));
	st = it->opts.plugin_state ? find_graph(l, err) : TDAT_OK;
	if (st != TDAT_OK)
		return st;
	open_filter(it, l);
	st = open_streams(it, l, b, window, err);
	return st != TDAT_OK ? st : start_lane(it, l, err);
}

/*
 * Memory for page windows of all streams together. Windows stay below the size
 * from which malloc maps and unmaps each block anew.
 */
enum { WINDOW_TOTAL = 12 * 1024 * 1024, WINDOW_MOST = 124 * 1024 };

static size_t window_of(size_t stream_count)
{
	size_t w = WINDOW_TOTAL / (stream_count ? stream_count : 1);

	return w < WINDOW_MOST ? w : WINDOW_MOST;
}

/* Top buffers of all inputs first, then the instances, in input order. */
static enum tdat_status open_lanes(struct tdat_iter *it, const struct tdat_iter_input *inputs,
				   size_t input_count, struct tdat_error *err)
{
	size_t i, b, lanes = 0, streams = 0;
	int pass;

	for (i = 0; i < input_count; i++) {
		lanes += inputs[i].file->ix.buffer_count;
		for (b = 0; b < inputs[i].file->ix.buffer_count; b++)
			streams += inputs[i].file->ix.buffers[b].cpu_count;
	}
	it->lanes = calloc(lanes ? lanes : 1, sizeof(*it->lanes));
	if (!it->lanes)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < input_count; i++) {
			const struct dat_index *ix = &inputs[i].file->ix;

			for (b = 0; b < ix->buffer_count; b++) {
				enum tdat_status st;

				if (ix->buffers[b].latency || (pass && it->opts.top_only) ||
				    (*ix->buffers[b].name ? 0 : 1) == pass)
					continue;
				if (it->opts.filter &&
				    !read_select_buffer(it->opts.filter, &ix->buffers[b]))
					continue;
				st = open_lane(it, &inputs[i], (uint32_t)i, (uint32_t)b,
					       window_of(streams), err);
				if (st != TDAT_OK)
					return st;
			}
		}
	}
	it->given = it->lane_count;
	return TDAT_OK;
}

/* What was damaged is told even when memory has run out. */
static enum tdat_status make_damage_room(struct tdat_iter *it, struct tdat_error *err)
{
	size_t i, n = 1;

	for (i = 0; i < it->lane_count; i++)
		n += it->lanes[i].stream_count;
	it->damage = calloc(n, sizeof(*it->damage));
	return it->damage ? TDAT_OK
			  : tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
}

enum tdat_status tdat_iter_new(struct tdat_iter **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_iter_opts *opts,
			       struct tdat_error *err)
{
	const struct tdat_iter_opts defaults = TDAT_ITER_OPTS_INIT;
	struct tdat_iter *it = aligned_alloc(_Alignof(struct tdat_iter), sizeof(*it));
	enum tdat_status st;

	*out = NULL;
	if (!it)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	memset(it, 0, sizeof(*it));
	it->opts = opts ? *opts : defaults;
	if (it->opts.cpus) {
		it->cpus = calloc(it->opts.cpu_count + 1, sizeof(*it->cpus));
		if (!it->cpus) {
			free(it);
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
		}
		memcpy(it->cpus, it->opts.cpus, it->opts.cpu_count * sizeof(*it->cpus));
		it->opts.cpus = it->cpus;
	}
	st = open_states(it, inputs, input_count, err);
	if (st == TDAT_OK && it->opts.filter)
		st = read_select_new(&it->select, it->opts.filter, inputs, input_count, &it->opts,
				     err);
	if (st == TDAT_OK)
		st = open_lanes(it, inputs, input_count, err);
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

void tdat_iter_free(struct tdat_iter *it)
{
	size_t i, k;

	if (!it)
		return;
	release_list(it, &it->held);
	for (i = 0; i < it->lane_count; i++) {
		struct read_lane *l = &it->lanes[i];

		release_list(it, &l->held);
		for (k = 0; k < l->stream_count; k++)
			read_stream_fini(&l->streams[k]);
		free(l->streams);
		free(l->ahead);
		free(l->heap.keys);
		free(l->unwanted);
		free(l->graph.entries);
		free(l->graph.exits);
	}
	for (i = 0; i < it->input_count; i++) {
		model_learn_fini(&it->inputs[i].learn);
		free(it->inputs[i].events);
	}
	dat_inflater_fini(&it->inflater);
	func_stack_fini(&it->stack);
	read_select_free(it->select);
	free(it->inputs);
	free(it->lanes);
	free(it->cpus);
	free(it->damage);
	free(it);
}

const struct tdat_stream_damage *tdat_iter_damage(struct tdat_iter *it, size_t *count)
{
	size_t i, k;

	*count = 0;
	for (i = 0; i < it->lane_count; i++) {
		const struct read_lane *l = &it->lanes[i];

		for (k = 0; k < l->stream_count; k++) {
			const struct read_stream *s = &l->streams[k];
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
	return it->damage;
}
