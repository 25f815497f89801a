/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands batches of records from the thread that makes them to the one that emits them. An
 * entry's event depends on those before it, so one thread makes records in order, and the
 * thread of the import finds tasks and hands events over; eight batches of 512 lie between.
 * With one thread both are done by turns. It is not a pool (core/pool.h), whose jobs do not depend
 * on each other. tests/unit/formats/test_import_threads.c compares the ways.
 */
#include "ktr.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/build.h"
#include "core/thread.h"
#include "entry_layout.h"
#include "import/record.h"

/*
 * BATCH_LEN: bytes beyond which a batch is passed on before it is full, so that long messages do
 * not take more memory. A waiter is woken once ENOUGH batches are queued: falling asleep and waking
 * takes as long as a good part of a batch.
 */
enum { BATCH = 512, BATCH_LEN = 256 * 1024, BATCHES = 8, ENOUGH = 3 };

struct item {
	uint64_t ts;
	uint64_t thread;
	struct ktr_task_hint hint; /* its name is at name_off instead */
	size_t name_off;
	size_t off, len; /* of the record, without its pid */
	uint32_t cpu;
};

struct batch {
	struct tdat_build bytes;
	struct item items[BATCH];
	size_t count;
	struct tdat_emit_event events[BATCH];
};

/*
 * Queue of batches. made and sent only grow; their difference is the number of batches that wait.
 */
struct ktr_pipe {
	struct ktr_output *out;
	struct batch batches[BATCHES];
	ktr_read_fn read;
	void *ctx;
	bool threaded;
	pthread_mutex_t lock; /* guards what follows */
	/* A batch was made, one was sent, or an end. */
	pthread_cond_t news;
	size_t made, sent; /* batches */
	bool ended;	   /* reading */
	bool stop;	   /* emitting failed */
	enum tdat_status status;
	struct tdat_error err; /* of reading */
};

/* ---- records ---- */

/* Ends the string that begins at off as import_record_string does, in the record at start. */
static void end_string(struct tdat_build *b, size_t start, size_t loc, size_t off)
{
	size_t n = b->len - off;

	if (n > IMPORT_DYNAMIC_MAX - 1)
		n = IMPORT_DYNAMIC_MAX - 1;
	b->len = off + n;
	tdat_build_fill(b, 0, n ? 1 : 2);
	if (!b->failed)
		tdat_store32(b->ptr + start + loc,
			     (uint32_t)((n + 1) << 16) | (uint32_t)(off - start), b->big);
}

/*
 * Makes the record of an entry in a batch, all but its pid: that needs the tasks, which the sending
 * thread keeps.
 */
static enum tdat_status batch_add(struct ktr_output *o, struct batch *batch,
				  const struct ktr_entry *e, struct tdat_error *err)
{
	struct item *item = &batch->items[batch->count];
	struct tdat_build *b = &batch->bytes;
	const size_t start = b->len;
	struct ktr_format *format;
	struct ktr_graph graph;
	struct tdat_span message;
	enum tdat_status st;
	bool is_graph;
	size_t off;

	/*
	 * The two strings follow the fixed part, each patched into its __data_loc word when it is
	 * complete.
	 */
	ktr_put_fixed(o, b, e, 0);
	off = b->len;
	ktr_put_file(o, e, b);
	end_string(b, start, KTR_LOC_FILE, off);
	off = b->len;
	st = ktr_put_message(o, e, b, &format, err);
	if (st != TDAT_OK)
		return st;
	if (b->failed)
		return tdat_error_no_memory(err, "an event");
	/*
	 * KTRGRAPH messages name their thread: parse here, where there is time, and pass the hint
	 * on.
	 */
	message = (struct tdat_span){b->ptr + off, b->len - off};
	is_graph = ktr_graph_parse(message, &graph);
	*item = (struct item){.ts = ktr_stamp(o, e->ts), .thread = e->thread, .cpu = e->cpu};
	item->hint = ktr_task_hint(is_graph ? &graph : NULL);
	/*
	 * The buffer may still move as it grows, so keep an offset and make the pointer when
	 * sending.
	 */
	if (item->hint.named)
		item->name_off = (size_t)(item->hint.name.ptr - b->ptr);
	end_string(b, start, KTR_LOC_MSG, off);
	item->off = start;
	item->len = b->len - start;
	batch->count++;
	return b->failed ? tdat_error_no_memory(err, "an event") : TDAT_OK;
}

/*
 * Finds the tasks of a batch's entries in order and emits the batch, at one call if the sink takes
 * many.
 */
static enum tdat_status batch_send(struct ktr_output *o, struct batch *batch,
				   struct tdat_error *err)
{
	uint8_t *bytes = batch->bytes.ptr;
	const struct tdat_emit *emit = o->emit;
	enum tdat_status st = TDAT_OK;
	size_t count = 0;

	for (size_t i = 0; i < batch->count && st == TDAT_OK; i++) {
		struct item *item = &batch->items[i];
		struct tdat_emit_event event = {.cpu = item->cpu, .ts = item->ts};
		int32_t pid;

		item->hint.name.ptr = bytes + item->name_off;
		st = ktr_find_task(o, item->thread, &item->hint, &pid, err);
		if (st != TDAT_OK)
			break;
		tdat_store32(bytes + item->off + KTR_PID_OFF, (uint32_t)pid, batch->bytes.big);
		event.record = (struct tdat_span){bytes + item->off, item->len};
		if (item->cpu < o->cpu_count)
			o->cpu_events[item->cpu]++;
		if (TDAT_HAS(emit->ops, events))
			batch->events[count++] = event;
		else
			st = tdat_emit_event(emit, &event, err);
	}
	if (st == TDAT_OK && count)
		st = tdat_emit_events(emit, batch->events, count, err);
	batch->count = 0;
	batch->bytes.len = 0;
	return st;
}

/* ---- threads ---- */

/* Batch that the maker fills. Without threads one batch is filled and sent by turns. */
static struct batch *being_made(struct ktr_pipe *p)
{
	return &p->batches[p->threaded ? p->made % BATCHES : 0];
}

/* Passes the batch on that is being made, and waits for an empty one. */
static enum tdat_status pass(struct ktr_pipe *p, struct tdat_error *err)
{
	bool stop;

	if (!p->threaded)
		return batch_send(p->out, being_made(p), err);
	pthread_mutex_lock(&p->lock);
	p->made++;
	if (p->made - p->sent >= ENOUGH)
		pthread_cond_signal(&p->news);
	/*
	 * Once full, wait until ENOUGH are free: waking for each free batch costs more than it
	 * brings.
	 */
	if (p->made - p->sent == BATCHES)
		while (p->made - p->sent > BATCHES - ENOUGH && !p->stop)
			pthread_cond_wait(&p->news, &p->lock);
	stop = p->stop;
	pthread_mutex_unlock(&p->lock);
	if (!stop)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET,
			      "stopped, because an event could not be written");
}

enum tdat_status ktr_pipe_add(struct ktr_pipe *p, const struct ktr_entry *e, struct tdat_error *err)
{
	struct batch *batch = being_made(p);
	enum tdat_status st = batch_add(p->out, batch, e, err);

	if (st != TDAT_OK || (batch->count < BATCH && batch->bytes.len < BATCH_LEN))
		return st;
	return pass(p, err);
}

/* Reads all input. Entries made before a failure are emitted too, as with one thread. */
static enum tdat_status make_all(struct ktr_pipe *p, struct tdat_error *err)
{
	enum tdat_status st = p->read(p->ctx, p, err), passed = TDAT_OK;

	/* A failed sink cancelled the reading, so nothing more can be passed on. */
	if (being_made(p)->count && st != TDAT_E_CANCELLED)
		passed = pass(p, st == TDAT_OK ? err : NULL);
	return st == TDAT_OK ? passed : st;
}

/* Body of the reading thread; leaves its result in the pipe for run_threads(). */
static void *make_on_thread(void *arg)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	struct ktr_pipe *p = arg;
	enum tdat_status st = make_all(p, &err);

	pthread_mutex_lock(&p->lock);
	p->status = st;
	p->err = err;
	p->ended = true;
	pthread_cond_signal(&p->news);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Emits batches as they are made, until there are no more or one fails. */
static enum tdat_status send_all(struct ktr_pipe *p, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	pthread_mutex_lock(&p->lock);
	while (st == TDAT_OK) {
		/* Sleep until several batches wait, or until reading ends. */
		if (p->made == p->sent)
			while (p->made - p->sent < ENOUGH && !p->ended)
				pthread_cond_wait(&p->news, &p->lock);
		if (p->made == p->sent)
			break;
		pthread_mutex_unlock(&p->lock);
		st = batch_send(p->out, &p->batches[p->sent % BATCHES], err);
		pthread_mutex_lock(&p->lock);
		/* Only now may the maker fill this batch again. */
		p->sent++;
		p->stop = st != TDAT_OK;
		if (p->stop || p->made - p->sent <= BATCHES - ENOUGH)
			pthread_cond_signal(&p->news);
	}
	pthread_mutex_unlock(&p->lock);
	return st;
}

/*
 * Runs the reader on a thread of its own and sends on this one. *done is false if no thread could
 * start; nothing was read then.
 */
static enum tdat_status run_threads(struct ktr_pipe *p, bool *done, struct tdat_error *err)
{
	enum tdat_status st;
	pthread_t thread;

	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->news, NULL);
	/* The thread reads it: it is written again only where there is none. */
	p->threaded = true;
	*done = tdat_thread_start(&thread, make_on_thread, p);
	if (!*done)
		p->threaded = false;
	st = *done ? send_all(p, err) : TDAT_OK;
	if (*done)
		pthread_join(thread, NULL);
	pthread_cond_destroy(&p->news);
	pthread_mutex_destroy(&p->lock);
	/* A failure of the sink wins: the reader's "cancelled" only follows from it. */
	if (st != TDAT_OK || p->status == TDAT_OK)
		return st;
	if (err)
		*err = p->err;
	return p->status;
}

/*
 * Reads entries by the function read and emits their events; the output does not depend on the
 * number of threads.
 */
enum tdat_status ktr_pipe_run(struct ktr_output *o, uint32_t threads, ktr_read_fn read, void *ctx,
			      struct tdat_error *err)
{
	struct ktr_pipe *p = calloc(1, sizeof(*p));
	enum tdat_status st = TDAT_OK;
	bool done = false;

	if (!p)
		return tdat_error_no_memory(err, "entries");
	p->out = o;
	p->read = read;
	p->ctx = ctx;
	/* All batches need a buffer: a thread may or may not start below. */
	for (size_t i = 0; i < BATCHES; i++)
		tdat_build_init(&p->batches[i].bytes, o->setup->big);
	if (tdat_thread_count(threads, 2) > 1)
		st = run_threads(p, &done, err);
	if (!done)
		st = make_all(p, err);
	for (size_t i = 0; i < BATCHES; i++)
		tdat_build_fini(&p->batches[i].bytes);
	free(p);
	return st;
}
