/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the rings by time. The records of a ring are in order, because the time is taken after
 * room was reserved. At a look at time T, what a ring has not yet reserved will be later than T;
 * what it has reserved and not finished is later than the look before. So a ring without a whole
 * record has at least a bound for what comes next, and the merge runs up to the least bound.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/heap.h"
#include "recorder.h"
#include "there.h"
#include "terminal/message.h"

/*
 * A thread that stopped within a write holds up the others no longer than STALL_NS. Names of
 * threads are looked up again after COMM_NS.
 */
enum { STALL_NS = 50 * 1000 * 1000, COMM_NS = 200 * 1000 * 1000 };

/* At equal times a bound comes before a record, so that it stops the merge. */
#define TIE(is_record, cpu, ring) ((uint64_t)(is_record) << 63 | (uint64_t)(cpu) << 32 | (ring))
#define TIE_RING(tie) ((uint32_t)(tie))
#define TIE_IS_RECORD(tie) ((tie) >> 63)

/* A record lies at its position modulo the length of the ring, a power of two. */
static struct ue_record *record_at(struct record_session *s, uint32_t ring, uint64_t at)
{
	uint32_t mask = s->ring_len - 1;

	return (struct ue_record *)(ue_ring_data(s->shared, ring, s->ring_len) +
				    ((uint32_t)at & mask));
}

/* ---- what rings there are ---- */

/*
 * Looks up the name of a thread; first: that in the ring, which the thread stored when it took the
 * ring.
 */
static void look_up_comm(struct record_session *s, struct record_ring *v, const char *first)
{
	char name[64], comm[17] = ""; /* with a newline */

	snprintf(name, sizeof(name), "task/%d/comm", (int)v->tid);
	if (first)
		memcpy(comm, first, 16);
	else
		there_text(v->pid, name, comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = '\0';
	comm[15] = '\0';
	if (comm[0])
		record_note_comm(s, v->tid, comm);
}

/* Sets what was read to zero, as its thread expects free room to be, and tells the thread. */
static void clear_read(struct record_session *s, uint32_t number)
{
	struct record_ring *v = &s->rings[number];
	uint32_t size = s->ring_len, at = (uint32_t)v->shown_tail & (size - 1);
	uint64_t read = v->tail - v->shown_tail;
	uint32_t len = read < size ? (uint32_t)read : size;
	uint8_t *data = ue_ring_data(s->shared, number, s->ring_len);
	/* The part up to the end of the ring; the rest is at its start. */
	uint32_t first = size - at < len ? size - at : len;

	memset(data + at, 0, first);
	memset(data, 0, len - first);
	v->shown_tail = v->tail;
	atomic_store_explicit(&s->shared->rings[number].tail, v->tail, memory_order_release);
}

/* A ring whose thread ended is free for the next one. */
static void release(struct record_session *s, uint32_t number)
{
	struct ue_ring *r = &s->shared->rings[number];

	/* Losses behind the last record belong to the next event of any thread. */
	s->pending_lost += atomic_exchange(&r->lost, 0);
	s->rings[number].is_known = false;
	atomic_store_explicit(&r->state, UE_RING_FREE, memory_order_release);
	pthread_mutex_unlock(&r->owner);
}

/* ---- the next record of a ring ---- */

/* Reports a ring once, and skips all that is in it: nothing tells where the next record begins. */
static void damaged(struct record_session *s, uint32_t number, const char *what)
{
	struct record_ring *v = &s->rings[number];

	if (!v->is_damaged)
		cli_error(
			"user-events record",
			"thread %d overwrote the recorder's memory (%s): its later events are lost",
			(int)v->tid, what);
	v->is_damaged = true;
	s->pending_lost++;
	v->tail = v->snap;
}

/* Finds out how much of a ring is reserved, and whether its thread lives. */
static void update_ring(struct record_session *s, uint32_t number, uint64_t now)
{
	struct ue_ring *r = &s->shared->rings[number];
	struct record_ring *v = &s->rings[number];
	int rc;

	/* A ring that a thread has taken since the last look. */
	if (!v->is_known) {
		if (atomic_load_explicit(&r->state, memory_order_acquire) != UE_RING_LIVE)
			return;
		memset(v, 0, sizeof(*v));
		v->is_known = true;
		v->pid = r->pid;
		v->tid = r->tid;
		/* Positions continue those of the thread before. */
		v->tail = v->shown_tail = v->snap = atomic_load(&r->tail);
		v->look_ns = s->last_look_ns;
		v->comm_ns = now;
		look_up_comm(s, v, r->comm);
	}
	/* A thread holds its mutex as long as it lives. EOWNERDEAD: it has ended. */
	if (!v->is_dead) {
		rc = pthread_mutex_trylock(&r->owner);
		if (rc == EOWNERDEAD)
			pthread_mutex_consistent(&r->owner);
		v->is_dead = rc != EBUSY;
	}
	/*
	 * All that was reserved at the last look has been read: the rest is later than that look.
	 */
	if (v->tail >= v->snap)
		v->floor_ns = v->look_ns;
	/* Taken after the time now, so a record behind it is later than now. */
	v->snap = atomic_load(&r->head);
	v->look_ns = now;
	if (v->snap - v->tail > s->ring_len || v->snap % 8) {
		v->snap = v->tail;
		damaged(s, number, "its end");
	}
	/* A thread without new records keeps its name. */
	if (v->snap != v->tail && now - v->comm_ns > COMM_NS) {
		v->comm_ns = now;
		look_up_comm(s, v, NULL);
	}
}

/*
 * Finds the next record at the tail. False: there is none that is whole, and tail is at snap or at
 * one that is not finished. A record that a dead thread did not finish is skipped.
 */
static bool next_record(struct record_session *s, uint32_t number, struct record_event *ev)
{
	struct record_ring *v = &s->rings[number];
	uint32_t size = s->ring_len;

	while (v->tail < v->snap && !v->is_damaged) {
		struct ue_record *rec = record_at(s, number, v->tail);
		uint32_t word = atomic_load_explicit(&rec->word, memory_order_acquire);
		uint32_t len = word & UE_WORD_LEN, spare = word >> UE_WORD_SPARE_SHIFT & 7;
		uint32_t room = size - ((uint32_t)v->tail & (size - 1));

		/*
		 * Reserved by a thread that died before it stored the length: words are skipped one
		 * by one.
		 */
		if (!word && v->is_dead) {
			v->tail += 8;
			continue;
		}
		if (!word || (!(word & UE_WORD_DONE) && !v->is_dead))
			return false;
		if (len < 8 || len % 8 || len > room || len > v->snap - v->tail) {
			damaged(s, number, "a length");
			return false;
		}
		/* Padding at the end of the ring, or a record whose writer died within it. */
		if (word & UE_WORD_PAD || !(word & UE_WORD_DONE)) {
			v->tail += len;
			continue;
		}
		/*
		 * The values are copied before they are checked, because the program can change
		 * them.
		 */
		*ev = (struct record_event){.len = len,
					    .event = rec->event,
					    .cpu = rec->cpu,
					    .tid = v->tid,
					    .ts_ns = rec->ts_ns,
					    .lost = rec->lost,
					    .payload = (const uint8_t *)(rec + 1)};
		if (len >= sizeof(*rec) + spare)
			ev->payload_len = len - (uint32_t)sizeof(*rec) - spare;
		if (len < sizeof(*rec) + spare || ev->payload_len > UE_RECORD_MAX ||
		    ev->event >= UE_EVENTS_MAX ||
		    ev->event >= atomic_load(&s->shared->event_count) || ev->cpu >= s->cpu_count) {
			damaged(s, number, "a record");
			return false;
		}
		return true;
	}
	/* Records that still come into a damaged ring are skipped. */
	if (v->is_damaged)
		v->tail = v->snap;
	return false;
}

/* Makes the entry of a ring in the heap. False: it needs none, as nothing has to wait for it. */
static bool heap_entry(struct record_session *s, uint32_t number, bool at_end,
		       struct record_event *ev, struct tdat_heap_item *item)
{
	struct record_ring *v = &s->rings[number];

	if (next_record(s, number, ev)) {
		*item = (struct tdat_heap_item){ev->ts_ns, TIE(1, ev->cpu, number)};
		return true;
	}
	if (at_end || v->is_dead || v->is_damaged)
		return false;
	/*
	 * A ring with an unfinished record bounds the merge by floor_ns, an empty one by the time
	 * of this look.
	 */
	*item = (struct tdat_heap_item){v->tail < v->snap ? v->floor_ns : v->look_ns,
					TIE(0, 0, number)};
	return v->tail >= v->snap || v->look_ns - v->floor_ns < STALL_NS;
}

/* Emits records of the ring on top of the heap for as long as it stays there. */
static int emit_run(struct record_session *s, struct tdat_heap *heap, bool at_end, uint64_t *count)
{
	uint32_t number = TIE_RING(heap->items[0].tie);
	struct tdat_heap_item second = tdat_heap_second(heap), item;
	struct record_ring *v = &s->rings[number];
	struct record_event ev;
	int rc;

	if (!next_record(s, number, &ev)) {
		tdat_heap_drop_top(heap);
		return CLI_OK;
	}
	/* The ring stays on top as long as its records come before the next ring's. */
	do {
		rc = record_emit_event(s, &ev);
		if (rc)
			return rc;
		++*count;
		v->tail += ev.len;
		if (v->floor_ns < ev.ts_ns)
			v->floor_ns = ev.ts_ns;
		/* Room is given back in eighths of the ring, not record by record. */
		if (v->tail - v->shown_tail > s->ring_len / 8)
			clear_read(s, number);
		if (!heap_entry(s, number, at_end, &ev, &item)) {
			tdat_heap_drop_top(heap);
			return CLI_OK;
		}
	} while (TIE_IS_RECORD(item.tie) && tdat_heap_before(item, second));
	tdat_heap_replace_top(heap, item);
	return CLI_OK;
}

int record_drain(struct record_session *s, bool at_end, uint64_t *count)
{
	struct tdat_heap heap = {s->heap, 0};
	uint64_t now = record_now_ns();
	struct record_event ev;
	int rc = CLI_OK;

	*count = 0;
	/* Events that found no ring at all. */
	s->pending_lost += atomic_exchange(&s->shared->lost_without_ring, 0);
	/* Reads of the rings' heads must not move before the time above. */
	atomic_thread_fence(memory_order_seq_cst);
	for (uint32_t i = 0; i < s->ring_count; i++) {
		update_ring(s, i, now);
		if (!s->rings[i].is_known)
			continue;
		if (heap_entry(s, i, at_end, &ev, &heap.items[heap.count]))
			heap.count++;
	}
	tdat_heap_build(&heap);
	/*
	 * A bound on top ends the merge: a record that is not there yet may be earlier than all
	 * others.
	 */
	while (!rc && heap.count && TIE_IS_RECORD(heap.items[0].tie))
		rc = emit_run(s, &heap, at_end, count);
	for (uint32_t i = 0; i < s->ring_count; i++) {
		struct record_ring *v = &s->rings[i];

		if (!v->is_known)
			continue;
		if (v->tail != v->shown_tail)
			clear_read(s, i);
		/*
		 * A ring that was read to the end of its thread is free. At the end, losses behind
		 * the last records count.
		 */
		if (v->is_dead && v->tail >= v->snap)
			release(s, i);
		else if (at_end)
			s->pending_lost += atomic_exchange(&s->shared->rings[i].lost, 0);
	}
	s->last_look_ns = now;
	return rc;
}
