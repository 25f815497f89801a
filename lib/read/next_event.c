/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes events out of the streams in merged order: the records of one buffer by its heap, and
 * of several buffers the earliest event; an entry of function_graph goes with its exit. A queue
 * with one stream needs no heap, and a page whose records come before all other CPUs' is taken
 * as a run. Each of these fast ways has a slow one that gives the same events;
 * tests/unit/read/test_fast_paths.c compares them. The loop below runs for every event of every
 * command.
 */
#include "iter.h"
#include "names.h"

/* ---- one queue ---- */

/*
 * Whether an event passes the selection: the cheap tests of its time first, the filter's
 * expression last.
 */
static bool wanted(struct tdat_iter *it, struct iter_queue *l, const struct tdat_event *ev,
		   struct read_stream *s)
{
	struct model_filter_event e = {ev->record, ev->ts, ev->cpu, ev->pid, NULL, it->serial};

	if (it->select->times.set &&
	    (ev->ts < it->select->times.from || ev->ts > it->select->times.to))
		return false;
	if (it->select->narrow && !read_select_narrow(it->select, ev->ts, ev->pid))
		return false;
	/* Only trace-cmd's mode learns names on the way; others use read_name(). */
	if (it->opts.trace_cmd)
		e.learn = &l->state->learn;
	return read_select_event(l->select, ev->id, &e, s);
}

/* Notes that a record is left out, for stacks that belong to it. */
static inline bool note_absent(const struct select_input *in, struct read_owners *owners,
			       const struct dat_record *rec, bool big)
{
	const int32_t pid = (int32_t)tdat_load32(rec->data + 4, big);

	return read_owners_note(
		owners, read_select_context(in, (struct tdat_span){rec->data, rec->len}, pid),
		false);
}

/*
 * Moves over records behind the stream's head on its page whose ids cannot pass: what the loop of
 * step would do, without making each of them the head. Others than usual ones are left to it. The
 * test "fast_paths" (same_chosen in tests/unit/read/test_fast_paths.c) compares with all records.
 */
static inline void skip_absent(const struct tdat_iter *it, const struct iter_queue *l,
			       struct read_stream *s)
{
	const struct dat_page_layout layout = l->file->layout;
	struct select_input *select = l->select;
	struct dat_page page = s->page;
	struct dat_record rec;

	/* Pages with losses and other layouts take the slow way. */
	if (!s->in_page || s->lost || layout.old || !l->usual_common ||
	    (select->owned && (it->select->times.set || it->select->narrow)))
		return;
	while (dat_page_usual(&page, &layout, &rec)) {
		if (rec.len < 8 ||
		    select->classes[tdat_load16(rec.data, layout.big)] != SELECT_ABSENT)
			break;
		if (select->owned && !note_absent(select, &s->owners, &rec, layout.big)) {
			select->failed = true;
			break;
		}
		s->page.pos = page.pos;
		s->page.ts = page.ts;
	}
}

/*
 * What read_select_head says of the stream's head; for most heads the id alone decides. The test
 * "fast_paths" (same_chosen) compares with all records.
 */
static inline bool is_head_wanted(const struct tdat_iter *it, const struct iter_queue *l,
				  struct read_stream *s)
{
	const struct dat_record *rec = &s->head.rec;

	if (l->usual_common && rec->len >= 8 && !it->select->times.set && !it->select->narrow &&
	    !l->select->owned && !l->select->classes[tdat_load16(rec->data, l->file->layout.big)])
		return s->shown = true;
	return read_select_head(it->select, l->select, &l->common, s);
}

/* Tells of the gap before a new head, or behind the last one. Times may go back at a gap. */
static void tell_gap(const struct tdat_iter *it, const struct iter_queue *l,
		     const struct read_stream *s)
{
	const struct read_head *head = read_stream_peek(s);
	uint64_t from = s->lost_from;

	if ((l->unwanted && l->unwanted[s - l->streams]) ||
	    !(head ? head->lost_before != 0 : read_stream_lost_end(s)))
		return;
	if (head && head->ts < from)
		from = head->ts;
	it->extra.on_gap(it->extra.gap_ctx, l->input, l->buffer, s->cpu, from);
}

/* Puts the next record that is wanted at the stream's head. */
static inline enum tdat_status step(const struct tdat_iter *it, struct iter_queue *l,
				    struct read_stream *s, struct read_block **held,
				    struct tdat_error *err)
{
	enum tdat_status st;

	do {
		if (l->early)
			skip_absent(it, l, s);
		st = __builtin_expect(l->backs != NULL, 0)
			     ? read_back_advance(&l->backs[s - l->streams], s, held, err)
			     : read_stream_advance(s, held, err);
		if (st != TDAT_OK)
			return st;
	} while (l->early && read_stream_peek(s) && !is_head_wanted(it, l, s) &&
		 !(s->head.lost_before && it->extra.on_gap));
	if (__builtin_expect(it->extra.on_gap != NULL, 0))
		tell_gap(it, l, s);
	return TDAT_OK;
}

/* The key of the heap, whose least comes first: the earliest head, backwards the latest. */
static inline uint64_t key_of(const struct iter_queue *l, const struct read_head *head)
{
	return l->backs ? ~head->ts : head->ts;
}

/* Advances the stream whose head is the earliest; given: that record was returned. */
static inline enum tdat_status advance(const struct tdat_iter *it, struct iter_queue *l, bool given,
				       struct read_block **held, struct tdat_error *err)
{
	struct read_stream *s = &l->streams[l->heap.items[0].tie];
	const struct read_head *head;
	enum tdat_status st;

	if (given)
		read_stream_retain(s);
	st = step(it, l, s, held, err);
	if (st != TDAT_OK)
		return st;
	head = read_stream_peek(s);
	if (head)
		tdat_heap_replace_top(
			&l->heap, (struct tdat_heap_item){key_of(l, head), l->heap.items[0].tie});
	else
		tdat_heap_drop_top(&l->heap);
	return TDAT_OK;
}

/* Sets every stream to its first wanted record and builds the heap of their times. */
enum tdat_status iter_queue_start(const struct tdat_iter *it, struct iter_queue *l,
				  struct tdat_error *err)
{
	size_t i;

	for (i = 0; i < l->stream_count; i++) {
		struct read_stream *s = &l->streams[i];
		const struct read_head *head;
		enum tdat_status st;

		/* Records before the piece belong to another piece (read_stream_is_before). */
		do {
			st = step(it, l, s, &l->held, err);
			if (st != TDAT_OK)
				return st;
		} while (read_stream_is_before(s));
		head = read_stream_peek(s);
		if (head)
			l->heap.items[l->heap.count++] =
				(struct tdat_heap_item){key_of(l, head), i};
	}
	tdat_heap_build(&l->heap);
	return TDAT_OK;
}

/*
 * Event id and pid of a record; 0 when it is too short. Most formats have them where
 * READ_COMMON_USUAL says, which is read without loops; the test "fast_paths" (same_common in
 * tests/unit/read/test_fast_paths.c) compares both with what the fields of the format give.
 */
static inline void record_common(const struct iter_queue *l, const struct dat_record *rec,
				 uint32_t *id, int32_t *pid)
{
	const struct file_common *c = &l->common;
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
	if (*id >=
	    FILE_ID_COUNT) /* no format can describe the id: the record counts as one that is cut */
		*id = 0;
}

/* Fills in the members that are set alike for a head and for a record behind it. */
static inline void fill_rest(const struct iter_queue *l, const struct read_stream *s,
			     const struct dat_record *rec, struct tdat_event *ev)
{
	ev->file = l->file;
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

/* Makes an event of the head of a stream, which has one. */
static inline void fill_event(struct iter_queue *l, const struct read_stream *s,
			      struct tdat_event *ev)
{
	const struct read_head *head = &s->head;

	ev->ts = head->ts;
	ev->lost_before = head->lost_before;
	ev->flags = head->page_start ? TDAT_EVENT_PAGE_START : 0;
	record_common(l, &head->rec, &ev->id, &ev->pid);
	fill_rest(l, s, &head->rec, ev);
}

/* Whether the queue's filter lets an event pass, or it is returned for the loss before it. */
static bool is_chosen(struct tdat_iter *it, struct iter_queue *l, struct tdat_event *ev,
		      struct read_stream *s)
{
	const bool keep = ev->lost_before && it->extra.on_gap;

	if (l->early && !keep)
		return true;
	if (wanted(it, l, ev, s))
		return true;
	ev->flags |= keep ? READ_EVENT_UNWANTED : 0;
	return keep;
}

/*
 * Takes the queue's next record out of its streams, into ev. This is the slow way that
 * take_run must equal: see there.
 */
static enum tdat_status refill(struct tdat_iter *it, size_t queue, struct tdat_event *ev,
			       struct tdat_error *err)
{
	struct iter_queue *l = &it->queues[queue];

	l->full = false;
	while (l->heap.count) {
		const size_t index = (size_t)l->heap.items[0].tie;
		enum tdat_status st;

		fill_event(l, &l->streams[index], ev);
		/* Streams that are read only for folding are never returned. */
		l->full = !l->unwanted || !l->unwanted[index];
		if (l->full && l->select)
			l->full = is_chosen(it, l, ev, &l->streams[index]);
		st = advance(it, l, l->full, &l->held, err);
		if (st != TDAT_OK || l->full)
			return st;
		/* The event was dropped: nobody points into its blocks. */
		read_iter_release(it, &l->held);
	}
	l->done = true;
	return TDAT_OK;
}

/* ---- folding of leaf functions ---- */

/*
 * Reads a number of a record. False: the record is too short for it, and nothing is assumed
 * about its value.
 */
static bool read_uint(const struct tdat_field *f, struct tdat_span rec, bool big, uint64_t *v)
{
	if (!f || f->off > rec.len || f->len > rec.len - f->off)
		return false;
	*v = tdat_load_uint(rec.ptr + f->off, f->len, big);
	return true;
}

/*
 * Finds an event type by its id in a sorted list. Lists are short, and most traces have none.
 */
static inline const struct graph_type *graph_type_of(const struct graph_types *types, uint32_t id)
{
	const struct graph_type *list = types->list;
	size_t left = types->count;

	while (left) {
		size_t half = left / 2;

		if (list[half].id < id) {
			list += half + 1;
			left -= half + 1;
		} else {
			left = half;
		}
	}
	return list != types->list + types->count && list->id == id ? list : NULL;
}

/* The type of an event that enters a function, if it does. NULL for all others. */
static inline const struct graph_type *entry_of(const struct iter_queue *l,
						const struct tdat_event *ev)
{
	return l->graph.entries.count ? graph_type_of(&l->graph.entries, ev->id) : NULL;
}

/* Whether the record with that id and pid ends the function that ev enters. */
static inline bool is_exit(const struct iter_queue *l, const struct graph_type *type,
			   const struct tdat_event *ev, const struct dat_record *rec, uint32_t id,
			   int32_t pid)
{
	const struct graph_type *exit_type = graph_type_of(&l->graph.exits, id);
	const struct tdat_span next = {rec->data, rec->len};
	const bool big = l->file->layout.big;
	uint64_t entry, leaf;

	return exit_type && pid == ev->pid && read_uint(type->func, ev->record, big, &entry) &&
	       read_uint(exit_type->func, next, big, &leaf) && entry == leaf;
}

/*
 * Folds the exit of a leaf function into its entry ev, as they are printed on one line: if the
 * next record of the buffer, over all CPUs, is that exit.
 */
static enum tdat_status fold_leaf(struct tdat_iter *it, const struct graph_type *type,
				  struct tdat_event *ev, struct tdat_error *err)
{
	struct iter_queue *l = &it->queues[it->given];
	const struct dat_record *rec;
	uint32_t id;
	int32_t pid;

	/* Nothing follows on any CPU. */
	if (!l->heap.count)
		return TDAT_OK;
	rec = &l->streams[l->heap.items[0].tie].head.rec;
	record_common(l, rec, &id, &pid);
	if (!is_exit(l, type, ev, rec, id, pid))
		return TDAT_OK;
	ev->leaf = (struct tdat_span){rec->data, rec->len};
	return advance(it, l, true, &it->held, err);
}

/* Refills the queues whose event was returned, and picks the queue with the earliest event. */
static enum tdat_status pick_queue(struct tdat_iter *it, struct tdat_event *out,
				   struct tdat_error *err)
{
	size_t i, best = it->queue_count;

	for (i = 0; i < it->queue_count; i++) {
		struct iter_queue *l = &it->queues[i];
		enum tdat_status st;

		/* A queue whose event was not returned still has it. */
		if (l->done || (l->full && i != it->given))
			continue;
		read_iter_release(it, &l->held);
		st = refill(it, i, &l->ev, err);
		if (st != TDAT_OK)
			return st;
	}
	for (i = 0; i < it->queue_count; i++)
		if (it->queues[i].full &&
		    (best == it->queue_count ||
		     (it->opts.reverse ? it->queues[i].ev.ts > it->queues[best].ev.ts
				       : it->queues[i].ev.ts < it->queues[best].ev.ts)))
			best = i;
	it->given = best;
	if (best < it->queue_count)
		*out = it->queues[best].ev;
	return TDAT_OK;
}

/* Whether the iterator has one queue and returns all of its events. */
static bool is_plain(const struct tdat_iter *it)
{
	const struct iter_queue *l = it->queues;

	return it->queue_count == 1 && !l->select && !l->unwanted;
}

/*
 * Fills out with the earliest stream's head, and with the records behind it on its page
 * that come before all other streams' (a leaf's exit goes with its entry). Returns how
 * many events; the stream is left as if its last record taken were its head.
 *
 * What it takes equals what refill and fold_leaf take one by one: the test "fast_paths"
 * (same_events in tests/unit/read/test_fast_paths.c) compares them.
 */
static size_t take_run(struct iter_queue *l, struct tdat_event *out, size_t most)
{
	struct read_stream *s = &l->streams[l->heap.items[0].tie];
	/* The earliest head of the other streams ends the run. */
	const struct tdat_heap_item limit = tdat_heap_second(&l->heap);
	struct tdat_heap_item key = l->heap.items[0];
	const struct graph_type *entry;
	struct read_run run;
	size_t n = 1;

	fill_event(l, s, out);
	entry = entry_of(l, out);
	read_run_begin(&run, s);
	while (read_run_next(&run, s)) {
		struct tdat_event *ev = &out[n];
		uint32_t id;
		int32_t pid;

		key.key = run.ts;
		if (tdat_heap_before(limit, key))
			break;
		record_common(l, &run.rec, &id, &pid);
		/* An exit belongs to its entry even if the batch is full. */
		if (entry && is_exit(l, entry, ev - 1, &run.rec, id, pid)) {
			ev[-1].leaf = (struct tdat_span){run.rec.data, run.rec.len};
			entry = NULL;
			read_run_take(&run);
			continue;
		}
		if (n == most)
			break;
		ev->ts = key.key;
		ev->lost_before = 0;
		ev->flags = 0;
		ev->id = id;
		ev->pid = pid;
		fill_rest(l, s, &run.rec, ev);
		entry = entry_of(l, ev);
		read_run_take(&run);
		n++;
	}
	read_run_end(&run, s);
	return n;
}

/* Takes up to most events of the one queue of a plain iterator. */
static enum tdat_status take_plain(struct tdat_iter *it, struct tdat_event *out, size_t most,
				   size_t *count, struct tdat_error *err)
{
	struct iter_queue *l = it->queues;
	enum tdat_status st = TDAT_OK;
	size_t n = 0;

	it->given = 0;
	while (n < most && l->heap.count && st == TDAT_OK) {
		const struct graph_type *entry;

		read_iter_release(it, &it->held);
		read_iter_release(it, &l->held);
		n += take_run(l, &out[n], most - n);
		st = advance(it, l, true, &l->held, err);
		/*
		 * The entry was the last record of the run: its exit may be on the next page or
		 * CPU.
		 */
		entry = out[n - 1].leaf.ptr ? NULL : entry_of(l, &out[n - 1]);
		if (entry && st == TDAT_OK)
			st = fold_leaf(it, entry, &out[n - 1], err);
	}
	*count = st == TDAT_OK ? n : n - 1;
	return st;
}

/* Whether the iterator has one queue, whose streams have wanted events only at their heads. */
static bool is_early(const struct tdat_iter *it)
{
	const struct iter_queue *l = it->queues;

	return it->queue_count == 1 && l->select && l->early && !l->unwanted;
}

/*
 * Takes up to most events of the one queue of an early iterator, as refill takes them one by one.
 * The test "fast_paths" (same_chosen) compares the two.
 */
static enum tdat_status take_early(struct tdat_iter *it, struct tdat_event *out, size_t most,
				   size_t *count, struct tdat_error *err)
{
	struct iter_queue *l = it->queues;
	enum tdat_status st = TDAT_OK;
	size_t n = 0;

	it->given = 0;
	for (; n < most && l->heap.count && st == TDAT_OK; n++) {
		struct read_stream *s = &l->streams[l->heap.items[0].tie];

		read_iter_release(it, &it->held);
		read_iter_release(it, &l->held);
		fill_event(l, s, &out[n]);
		if (out[n].lost_before)
			is_chosen(it, l, &out[n], s);
		st = advance(it, l, true, &l->held, err);
	}
	*count = st == TDAT_OK ? n : n - 1;
	if (st == TDAT_OK && read_select_failed(it->select))
		return tdat_error_no_memory(err, "a filter");
	return st;
}

/* Takes the next event of the only queue, straight into *out. */
static enum tdat_status next_of_queue(struct tdat_iter *it, size_t queue, struct tdat_event *out,
				      struct tdat_error *err)
{
	struct iter_queue *l = &it->queues[queue];
	enum tdat_status st;

	it->given = it->queue_count;
	if (l->done)
		return TDAT_OK;
	if (l->held)
		read_iter_release(it, &l->held);
	st = refill(it, queue, out, err);
	if (st == TDAT_OK && l->full)
		it->given = queue;
	return st;
}

/*
 * Takes the next event of all queues in the order of time, with the exit of a leaf function
 * folded into its entry.
 */
enum tdat_status read_iter_take(struct tdat_iter *it, struct tdat_event *out, bool *more,
				struct tdat_error *err)
{
	const struct graph_type *entry;
	const struct iter_queue *l;
	enum tdat_status st;

	*more = false;
	if (it->held)
		read_iter_release(it, &it->held);
	st = it->queue_count == 1 ? next_of_queue(it, 0, out, err) : pick_queue(it, out, err);
	if (st == TDAT_OK && it->select && read_select_failed(it->select))
		return tdat_error_no_memory(err, "a filter");
	/* The end: failures of memory on the way have no status of their own; they are asked now.
	 */
	if (st == TDAT_OK && it->given == it->queue_count)
		return read_iter_memory(it, err);
	if (st != TDAT_OK)
		return st;
	l = &it->queues[it->given];
	entry = entry_of(l, out);
	if (entry) {
		st = fold_leaf(it, entry, out, err);
		if (st != TDAT_OK)
			return st;
	}
	*more = true;
	return TDAT_OK;
}

/*
 * Takes several events at once. One queue needs no comparison of queues, so that its two usual
 * cases have loops of their own.
 */
enum tdat_status read_iter_take_some(struct tdat_iter *it, struct tdat_event *out, size_t most,
				     size_t *count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	bool more = true;
	size_t n = 0;

	if (is_plain(it) || is_early(it)) {
		st = is_plain(it) ? take_plain(it, out, most, count, err)
				  : take_early(it, out, most, count, err);
		return st == TDAT_OK && !*count ? read_iter_memory(it, err) : st;
	}
	while (n < most && (st = read_iter_take(it, &out[n], &more, err)) == TDAT_OK && more)
		n++;
	*count = n;
	return st;
}

/*
 * Whether something was left out for want of memory on the way. It is asked at the end, since
 * names are learned without a status.
 */
enum tdat_status read_iter_memory(const struct tdat_iter *it, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	bool failed = it->stack.failed;
	size_t i;

	for (i = 0; st == TDAT_OK && i < it->input_count; i++) {
		st = file_memory(it->inputs[i].file, it->inputs[i].memory_failures, err);
		if (st == TDAT_OK)
			st = read_names_status(it->inputs[i].file, err);
		failed |= it->inputs[i].learn.failed;
	}
	if (st == TDAT_OK && failed)
		st = tdat_error_no_memory(err, "names of tasks and functions");
	return st;
}
