/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads several tables in one pass, on threads. The trace is cut into pieces by time; its size, not
 * the threads, decides their number. Each thread decodes one piece at a time to batches.
 * These are queued in the order of the pieces, one queue for each table, and any thread takes
 * the next batch of a queue that no other thread works on. So decoding and what is done with
 * rows both run on all threads, and each table gets its rows in order.
 *
 * Derived tables need all events in order: one more piece, the last one, is the whole trace for
 * them. Unless tables are in order it is begun first, and its batches are queued as they come,
 * since no other piece has rows of these tables.
 *
 * How memory is shared among tables: docs/decisions/015-memory-of-tables.md.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/search.h"
#include "core/thread.h"
#include "builder.h"
#include "reader.h"
#include "trace.h"
#include "shares.h"

/* More threads than this only wait for each other's batches. */
enum { MAX_THREADS = 64 };

/*
 * Bytes of memory for rows. Above WAITING_LEN of queued batches the piece that is next in order
 * waits, too. The others wait when all rows, with those that readers hold, take READING_LEN.
 * Threads together thus take little more memory than one, whose rows no bound may hold up.
 */
enum { WAITING_LEN = 16 << 20, READING_LEN = 24 << 20 };

/* Memory of a reader without rows, about. */
enum { READER_LEN = 1 << 20 };

/* Memory of a column's array beside its rows, about. */
enum { ARRAY_LEN = 384 };

/* Rows of one table, from the reader that made them to the caller's function. */
struct batch {
	struct batch *next;
	const struct tdat_table *table;
	struct ArrowArray rows;
	size_t len;	  /* of memory, about */
	size_t rows_len;  /* of its rows */
	uint32_t sharers; /* tables with rows up to here */
};

/* Batches of one table, or of all tables if rows are wanted in order. */
struct queue {
	struct batch *first, *last;
	struct queue *next_ready;
	bool busy;  /* a thread works on a batch of it */
	bool ready; /* it is in the list of those with batches that no thread works on */
};

/* A part of the trace by time, decoded by one thread. */
struct piece {
	struct batch *first, *last; /* not in a queue yet */
	size_t held;		    /* bytes of its reader */
	bool done;
};

/* One call of tdat_trace_read(). */
struct pass {
	const struct tdat_trace *trace;
	struct tdat_table_opts opts;
	struct reader_choice *choices; /* those of derived tables last */
	size_t count, derived_count;
	_Atomic(uint32_t) *expected; /* by choice, for readers of pieces */
	struct read_cuts *cuts;
	struct piece *pieces;
	uint32_t piece_count, first_piece;
	bool in_order, metas;
	bool derives;	     /* there is a piece for derived tables: number piece_count */
	bool others_tell;    /* other pieces report damage */
	uint32_t last_piece; /* pieces that are queued in order */
	bool alone;	     /* no other thread works on it */
	tdat_rows_fn rows;
	void *ctx;

	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t changed;
	uint32_t next; /* piece to decode */
	bool derived_begun;
	uint32_t head; /* the first piece that is not queued whole */
	struct queue *queues;
	struct table_shares shares;
	struct queue *ready, *ready_last;
	uint32_t busy;	    /* queues that a thread works on */
	size_t waiting_len; /* of batches */
	size_t reading_len; /* of readers, but for that of derived tables */
	size_t reader_len;  /* that a reader takes from its first events on */
	enum tdat_status status;
	struct tdat_error err;
	struct tdat_stream_damage *damage;
	size_t damage_count, damage_cap;
	struct reader *derived; /* kept for its notes */
};

/* ---- under the lock ---- */

/* Keeps the first failure, and wakes all threads so that they end. */
static void fail(struct pass *p, enum tdat_status st, const struct tdat_error *err)
{
	if (st == TDAT_OK || p->status != TDAT_OK)
		return;
	p->status = st;
	p->err = *err;
	pthread_cond_broadcast(&p->changed);
}

/* Appends a queue to the list of those that a thread may take a batch from. */
static void make_ready(struct pass *p, struct queue *q)
{
	if (q->busy || q->ready || !q->first)
		return;
	q->ready = true;
	q->next_ready = NULL;
	if (p->ready)
		p->ready_last->next_ready = q;
	else
		p->ready = q;
	p->ready_last = q;
}

/* Whether batches of a piece are queued at once: those of derived tables are of it alone. */
static bool is_direct(const struct pass *p, uint32_t number)
{
	return number >= p->last_piece;
}

/* Moves a piece's batches so far to their queues. */
static void queue_piece(struct pass *p, struct piece *piece)
{
	struct batch *b;

	while ((b = piece->first)) {
		struct queue *q = &p->queues[p->in_order ? 0 : b->table->index];

		piece->first = b->next;
		b->next = NULL;
		/* In the order of pieces, so that it does not depend on threads. */
		b->sharers = table_shares_add(&p->shares, b->table, b->rows_len);
		if (q->first)
			q->last->next = b;
		else
			q->first = b;
		q->last = b;
		make_ready(p, q);
	}
}

/*
 * Moves the batches of the next pieces in order to their queues. The piece at the head need not be
 * done: its batches come first in any case.
 */
static void queue_batches(struct pass *p)
{
	while (p->head < p->last_piece) {
		queue_piece(p, &p->pieces[p->head]);
		if (!p->pieces[p->head].done)
			break;
		p->head++;
	}
	if (p->derives && is_direct(p, p->piece_count))
		queue_piece(p, &p->pieces[p->piece_count]);
	pthread_cond_broadcast(&p->changed);
}

/* Gives one batch to the caller's function, without the lock. False: no queue was ready. */
static bool run_batch(struct pass *p)
{
	struct queue *q = p->ready;
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	struct batch *b;

	if (!q)
		return false;
	p->ready = q->next_ready;
	q->ready = false;
	q->busy = true;
	p->busy++;
	b = q->first;
	q->first = b->next;
	/*
	 * The caller's function runs without the lock; busy keeps its table's next batch from
	 * others, so each table gets its rows one batch at a time.
	 */
	pthread_mutex_unlock(&p->lock);
	if (p->opts.sharers)
		p->opts.sharers(p->opts.sharers_ctx, b->table, b->sharers);
	st = p->rows(p->ctx, b->table, &b->rows, &err);
	b->rows.release(&b->rows);
	pthread_mutex_lock(&p->lock);
	p->waiting_len -= b->len;
	free(b);
	q->busy = false;
	p->busy--;
	make_ready(p, q);
	fail(p, st, &err);
	pthread_cond_broadcast(&p->changed);
	return true;
}

/*
 * True if rows take so much memory that a piece must wait. turn: it is the piece that is next in
 * order.
 */
static bool is_full(const struct pass *p, bool turn)
{
	return turn ? p->waiting_len > WAITING_LEN : p->waiting_len + p->reading_len > READING_LEN;
}

/*
 * True if a piece may be begun. The piece at the head needs no room. The others need the room that
 * the last one took from its first events on, since all tables make room when the first rows come.
 */
static bool has_room(const struct pass *p)
{
	return p->next == p->head || p->waiting_len + p->reading_len + p->reader_len <= READING_LEN;
}

/*
 * Works on rows that wait while there is too little memory to continue. The piece whose turn it is
 * continues when all that wait are of later pieces: those wait for it. Without other threads rows
 * are worked on at once, while the CPU has them in its caches. Called with the lock held, after
 * rows were added.
 */
static void make_way(struct pass *p, uint32_t number)
{
	while (p->alone && p->status == TDAT_OK && run_batch(p))
		;
	while (p->status == TDAT_OK) {
		const bool turn = number == p->head || is_direct(p, number);

		if (!is_full(p, turn))
			break;
		if (run_batch(p))
			continue;
		/* Nobody can free memory but the piece itself: waiting would never end. */
		if (turn && !p->busy)
			break;
		pthread_cond_wait(&p->changed, &p->lock);
	}
}

/* Updates the bytes that a piece's reader holds; that of derived tables is not counted. */
static void set_held(struct pass *p, uint32_t number, size_t held)
{
	struct piece *piece = &p->pieces[number];

	if (number == p->piece_count)
		return;
	p->reading_len = p->reading_len - piece->held + held;
	piece->held = held;
}

/* ---- without the lock ---- */

/* Sums the memory of a batch before its buffers are handed over. */
static void measure(struct batch *b, const struct reader_table *t)
{
	for (size_t i = 0; i < t->choice->column_count; i++) {
		b->len += table_builder_size(&t->builders[i]) + ARRAY_LEN;
		b->rows_len += table_builder_len(&t->builders[i]);
	}
}

/*
 * Hands a table's rows to the piece, and to the queues if it is the piece's turn. May block until
 * there is memory (make_way).
 */
static enum tdat_status add_batch(struct pass *p, uint32_t number, const struct reader_table *t,
				  struct tdat_error *err)
{
	struct piece *piece = &p->pieces[number];
	struct batch *b = calloc(1, sizeof(*b));
	enum tdat_status st;

	if (!b)
		return tdat_error_no_memory(err, "rows");
	measure(b, t);
	b->table = t->choice->table;
	st = reader_array(t, &b->rows, true, err);
	if (st != TDAT_OK) {
		free(b);
		return st;
	}
	pthread_mutex_lock(&p->lock);
	if (piece->first)
		piece->last->next = b;
	else
		piece->first = b;
	piece->last = b;
	p->waiting_len += b->len;
	/* Rows that moved into the batch are counted there, no longer at the reader. */
	set_held(p, number, piece->held > b->len ? piece->held - b->len : 0);
	if (number == p->head || is_direct(p, number))
		queue_batches(p);
	make_way(p, number);
	st = p->status;
	pthread_mutex_unlock(&p->lock);
	/* The failure of another thread is kept where it was made. */
	return st == TDAT_OK ? TDAT_OK : TDAT_E_CANCELLED;
}

/*
 * Adds what a piece says of a stream to what others said: the sum of bad pages, and the message of
 * the first place in the file, however threads ran. False: no memory.
 */
static bool add_damage(struct pass *p, const struct tdat_stream_damage *d)
{
	for (size_t i = 0; i < p->damage_count; i++) {
		struct tdat_stream_damage *had = &p->damage[i];
		const uint64_t bad_pages = had->bad_pages + d->bad_pages;

		if (had->input != d->input || had->buffer != d->buffer || had->cpu != d->cpu)
			continue;
		if (d->off < had->off)
			*had = *d;
		had->bad_pages = bad_pages;
		return true;
	}
	if (!TDAT_GROW(p->damage, &p->damage_cap, p->damage_count + 1))
		return false;
	p->damage[p->damage_count++] = *d;
	return true;
}

/* Collects the damage that a reader met, when it has read its piece. */
static enum tdat_status note_damage(struct pass *p, struct reader *r, struct tdat_error *err)
{
	size_t count;
	const struct tdat_stream_damage *d = reader_damage(r, &count);
	bool ok = true;

	pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < count && ok; i++)
		ok = add_damage(p, &d[i]);
	pthread_mutex_unlock(&p->lock);
	return ok ? TDAT_OK : tdat_error_no_memory(err, "damage");
}

/* The piece that a thread decodes. */
struct decoding {
	struct pass *pass;
	uint32_t number;
	bool told;
};

/*
 * Called by a reader between events, with the bytes of its rows. The first call says how much a
 * reader takes at once, which has_room() expects of the next one.
 */
static void take_holds(void *ctx, size_t size)
{
	struct decoding *d = ctx;

	size += READER_LEN;
	pthread_mutex_lock(&d->pass->lock);
	if (!d->told && d->number != d->pass->piece_count) {
		d->pass->reader_len = size;
		pthread_cond_broadcast(&d->pass->changed);
	}
	d->told = true;
	set_held(d->pass, d->number, size);
	make_way(d->pass, d->number);
	pthread_mutex_unlock(&d->pass->lock);
}

/*
 * Makes the reader of a piece: its cuts, or the whole trace for derived tables. Tables of facts
 * are read with the first piece, since they belong to none.
 */
static enum tdat_status new_reader(struct decoding *d, struct reader **out, struct tdat_error *err)
{
	struct pass *p = d->pass;
	const uint32_t number = d->number;
	const bool derives = number == p->piece_count;
	const struct reader_span span = {.opts = &p->opts,
					 .cuts = derives ? NULL : p->cuts,
					 .expected = derives ? NULL : p->expected,
					 .first = p->first_piece + number,
					 .end = p->first_piece + number + 1,
					 .metas = p->metas && (!number || derives),
					 .holds = take_holds,
					 .holds_ctx = d};

	if (derives)
		return reader_new(out, p->trace, p->choices + p->count, p->derived_count, &span,
				  err);
	return reader_new(out, p->trace, p->choices, p->count, &span, err);
}

/* Reads one piece to its end. A failure, and the end, are told to all threads. */
static void decode_piece(struct pass *p, uint32_t number)
{
	const bool derives = number == p->piece_count;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct reader_table *full = NULL;
	struct decoding d = {p, number, false};
	struct reader *r;
	enum tdat_status st = new_reader(&d, &r, &err);

	if (st == TDAT_OK) {
		do {
			st = reader_next(r, &full, &err);
			if (st == TDAT_OK && full)
				st = add_batch(p, number, full, &err);
		} while (st == TDAT_OK && full);
		/*
		 * Derived tables read the same events as the pieces: damage must not be counted
		 * twice.
		 */
		if (st == TDAT_OK && !(derives && p->others_tell))
			st = note_damage(p, r, &err);
		/* Its notes are asked at the very end. */
		if (derives)
			p->derived = r;
		else
			reader_free(r);
	}
	pthread_mutex_lock(&p->lock);
	/* TDAT_E_CANCELLED follows another thread's failure, whose sentence is kept. */
	if (st != TDAT_E_CANCELLED || p->status == TDAT_OK)
		fail(p, st, &err);
	p->pieces[number].done = true;
	set_held(p, number, 0);
	queue_batches(p);
	pthread_mutex_unlock(&p->lock);
}

/* The next piece to decode, if one may be begun now. */
static bool next_piece(struct pass *p, uint32_t *number)
{
	/* Derived tables take longest, as one thread reads all, so they are begun first. */
	if (p->derives && !p->derived_begun && (!p->in_order || p->next == p->piece_count)) {
		p->derived_begun = true;
		*number = p->piece_count;
		return true;
	}
	if (p->next == p->piece_count || !has_room(p))
		return false;
	*number = p->next++;
	set_held(p, *number, p->reader_len);
	return true;
}

/* True if all rows were handed over, and none can come any more. */
static bool is_done(const struct pass *p)
{
	return p->head == p->last_piece && !p->busy && !p->ready &&
	       (!p->derives || p->pieces[p->piece_count].done);
}

/*
 * A thread's loop: queued batches first, since they free memory; then a new piece; or it waits
 * until something changes.
 */
static void *work(void *arg)
{
	struct pass *p = arg;
	uint32_t number;

	pthread_mutex_lock(&p->lock);
	while (p->status == TDAT_OK) {
		if (run_batch(p))
			continue;
		if (next_piece(p, &number)) {
			pthread_mutex_unlock(&p->lock);
			decode_piece(p, number);
			pthread_mutex_lock(&p->lock);
			continue;
		}
		if (is_done(p))
			break;
		pthread_cond_wait(&p->changed, &p->lock);
	}
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* ---- the whole ---- */

static void run_threads(struct pass *p)
{
	const uint32_t count = tdat_thread_count(p->opts.threads, MAX_THREADS);

	p->alone = count == 1;
	tdat_thread_team(count, work, p, 0);
}

/* Cuts the trace into pieces, or takes those of the split that the options name. */
static enum tdat_status cut(struct pass *p, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	/* Derived tables are read in one piece, and where to cut costs a look at many pages. */
	p->piece_count = 1;
	p->first_piece = p->opts.split;
	if (p->count)
		st = trace_cuts(&p->cuts, p->trace, &p->opts, &p->first_piece, &p->piece_count,
				err);
	if (st != TDAT_OK)
		return st;
	/* Only the first split has the tables that belong to no time. */
	p->metas = !p->opts.split;
	p->derives = p->metas && p->derived_count;
	p->last_piece = p->piece_count + (p->derives && p->in_order);
	p->pieces = calloc((size_t)p->piece_count + 1, sizeof(*p->pieces));
	return p->pieces ? TDAT_OK : tdat_error_no_memory(err, "pieces of a trace");
}

/*
 * Finds the columns of all tables. Derived tables come behind the others, so each reader gets a
 * slice of one array.
 */
static enum tdat_status choose(struct pass *p, const struct tdat_table *const *tables,
			       size_t table_count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_near missing = {.word = NULL};

	p->choices = calloc(table_count + 1, sizeof(*p->choices));
	p->queues = calloc(p->trace->table_count + 1, sizeof(*p->queues));
	p->expected = calloc(table_count + 1, sizeof(*p->expected));
	if (!p->choices || !p->queues || !p->expected)
		return tdat_error_no_memory(err, "tables");
	/* Two rounds: first the tables of events and facts, then the derived ones. */
	for (int derived = 0; derived < 2; derived++)
		for (size_t i = 0; i < table_count && st == TDAT_OK; i++) {
			struct reader_choice *c = &p->choices[p->count + p->derived_count];

			if ((tables[i]->kind == TDAT_TABLE_DERIVED) != derived)
				continue;
			p->count += !derived;
			p->derived_count += derived;
			/*
			 * Columns of event types are found by readers, when the first event comes.
			 */
			if (tables[i]->kind == TDAT_TABLE_EVENT)
				reader_choose_later(c, tables[i], &p->opts);
			else
				st = reader_choose(c, p->trace, tables[i], &p->opts, err);
			p->others_tell |= c->later || c->schema;
		}
	if (st == TDAT_OK && table_count)
		st = reader_missing(&missing, p->trace, p->choices, table_count, &p->opts, err);
	if (st == TDAT_OK &&
	    !table_shares_init(&p->shares, p->trace->table_count, p->derived_count))
		st = tdat_error_no_memory(err, "tables");
	if (missing.word)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "no table has a column '%.80s'%s", missing.word,
				      tdat_near_hint(&missing, ""));
	return st;
}

static void free_batches(struct batch *b)
{
	while (b) {
		struct batch *next = b->next;

		b->rows.release(&b->rows);
		free(b);
		b = next;
	}
}

static void pass_fini(struct pass *p)
{
	for (uint32_t i = 0; p->pieces && i <= p->piece_count; i++)
		free_batches(p->pieces[i].first);
	for (size_t i = 0; p->queues && i < p->trace->table_count; i++)
		free_batches(p->queues[i].first);
	reader_free(p->derived);
	for (size_t i = 0; i < p->count + p->derived_count; i++)
		reader_choice_fini(&p->choices[i]);
	read_cuts_free(p->cuts);
	free(p->choices);
	free(p->expected);
	free(p->queues);
	table_shares_fini(&p->shares);
	free(p->pieces);
	free(p->damage);
}

/* Order of input, buffer and CPU: damage is reported alike for any number of threads. */
static int by_place(const void *a, const void *b)
{
	const struct tdat_stream_damage *x = a, *y = b;

	return TDAT_ORDER(x->input, y->input,
			  TDAT_ORDER(x->buffer, y->buffer, TDAT_ORDER(x->cpu, y->cpu, 0)));
}

/*
 * Reads tables in one pass and gives their batches to rows(), which several threads may call, for
 * one table never at once. in_order: batches of all tables come one after the other.
 */
enum tdat_status tdat_trace_read(const struct tdat_trace *trace,
				 const struct tdat_table *const *tables, size_t table_count,
				 const struct tdat_table_opts *opts, bool in_order,
				 tdat_rows_fn rows, void *ctx, struct tdat_error *err)
{
	struct pass p = {.trace = trace,
			 .in_order = in_order,
			 .rows = rows,
			 .ctx = ctx,
			 .err = TDAT_ERROR_INIT};
	enum tdat_status st = trace_take_opts(&p.opts, opts, err);

	if (st == TDAT_OK)
		st = choose(&p, tables, table_count, err);
	if (st == TDAT_OK)
		st = cut(&p, err);
	if (st == TDAT_OK) {
		/* Until a reader has said what it takes, only one is begun. */
		p.reader_len = READING_LEN;
		pthread_mutex_init(&p.lock, NULL);
		pthread_cond_init(&p.changed, NULL);
		run_threads(&p);
		pthread_cond_destroy(&p.changed);
		pthread_mutex_destroy(&p.lock);
		st = p.status;
		if (st != TDAT_OK && err)
			*err = p.err;
	}
	/* Damage is reported once, after all rows. */
	if (st == TDAT_OK && p.opts.damage) {
		if (p.damage_count)
			qsort(p.damage, p.damage_count, sizeof(*p.damage), by_place);
		p.opts.damage(p.opts.damage_ctx, p.damage, p.damage_count);
	}
	if (st == TDAT_OK && p.derived)
		reader_notes(p.derived, &p.opts);
	pass_fini(&p);
	return st;
}
