/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the kernel stacks of events. A stack is an event of its own behind the one it belongs
 * to, with others of the CPU in between. Events whose triggers need a stack wait in a queue
 * until it comes, or until an event of the same context shows that none will. The queue is
 * bounded in events and bytes, and is handed on in the order of events.
 */
#include "stacks.h"

#include <stdlib.h>

#include "core/grow.h"
#include "read.h"

/* Ours, except the flags, which are those of trace_flag_type in include/linux/trace_events.h. */
enum {
	NEST = 8,		       /* events of one CPU that may wait for their stacks */
	QUEUE_MOST = 4096,	       /* events in the queue */
	BYTES_MOST = 16 * 1024 * 1024, /* of their records */
	FLAG_HARDIRQ = 0x08,
	FLAG_SOFTIRQ = 0x10,
	FLAG_NMI = 0x40
};

/* An event in the queue. */
struct pending {
	struct hist_event *e;
	struct tdat_event ev;
	size_t off; /* of its record in bytes */
	bool waits, has_stack;
	uint32_t frame_count;
	uint64_t frames[HIST_FRAMES];
};

/* Events of a CPU whose stacks may still come; the innermost is the last. */
struct cpu {
	uint32_t depth;
	struct {
		uint64_t number; /* of the event, counted from the first */
		uint8_t rank;	 /* of its context */
	} open[NEST];
};

struct hist_stacks {
	struct tdat_hist *h;
	hist_stacks_fn fn;
	/*
	 * Id of kernel_stack, offset of its frames, and how many of them belong to the tracing
	 * itself.
	 */
	uint32_t stack_id, stack_off, skip;
	uint8_t *synthetic, *ignored; /* by id: a bit */
	struct cpu *cpus;
	size_t cpu_room;
	struct pending *queue;
	/* The queue is a ring: head is the oldest event. */
	size_t head, count, room;
	uint64_t next; /* number of the next event */
	/* Records of the queue, copied: the iterator reuses its blocks. */
	uint8_t *bytes;
	size_t bytes_len, bytes_room;
};

static void set_bit(uint8_t *bits, uint32_t id)
{
	bits[(id & (FILE_ID_COUNT - 1)) >> 3] |= (uint8_t)(1u << (id & 7));
}

static bool has_bit(const uint8_t *bits, uint32_t id)
{
	return bits[(id & (FILE_ID_COUNT - 1)) >> 3] & 1u << (id & 7);
}

/*
 * Marks the ids of events without stacks (system ftrace), and of those made within others
 * (synthetic).
 */
static void sort_ids(struct hist_stacks *s)
{
	const size_t count = tdat_file_format_count(s->h->file);

	for (size_t i = 0; i < count; i++) {
		const struct tdat_event_format *f;

		if (tdat_file_format(s->h->file, i, &f, NULL) != TDAT_OK)
			continue;
		if (!strcmp(tdat_event_format_system(f), "ftrace"))
			set_bit(s->ignored, tdat_event_format_id(f));
		if (!strcmp(tdat_event_format_system(f), "synthetic"))
			set_bit(s->synthetic, tdat_event_format_id(f));
	}
}

/*
 * Returns how many frames at the top of a recorded stack belong to the tracing. The stacks of the
 * kernel's own hist triggers begin behind them.
 */
static uint32_t frames_to_skip(struct tdat_hist *h)
{
	if (!strcmp(h->machine, "x86_64"))
		return 2;
	if (strcmp(h->machine, "s390x") != 0)
		hist_note(h, "the number of stack frames that belong to the tracer is not known "
			     "for this machine, so none is omitted");
	return 0;
}

struct hist_stacks *hist_stacks_new(struct tdat_hist *h, hist_stacks_fn fn)
{
	const struct tdat_event_format *f =
		tdat_file_format_by_name(h->file, "ftrace", "kernel_stack");
	const struct tdat_field *caller = f ? tdat_event_format_field(f, "caller") : NULL;
	struct hist_stacks *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->h = h;
	s->fn = fn;
	/*
	 * UINT32_MAX: the file has no stacks, so events stop waiting at the next event of their
	 * context.
	 */
	s->stack_id = caller ? tdat_event_format_id(f) : UINT32_MAX;
	s->stack_off = caller ? caller->off : 0;
	s->skip = frames_to_skip(h);
	s->synthetic = calloc(FILE_ID_COUNT / 8, 1);
	s->ignored = calloc(FILE_ID_COUNT / 8, 1);
	s->queue = calloc(QUEUE_MOST, sizeof(*s->queue));
	s->room = QUEUE_MOST;
	if (!s->synthetic || !s->ignored || !s->queue) {
		hist_stacks_free(s);
		return NULL;
	}
	sort_ids(s);
	return s;
}

void hist_stacks_free(struct hist_stacks *s)
{
	if (!s)
		return;
	free(s->synthetic);
	free(s->ignored);
	free(s->queue);
	free(s->cpus);
	free(s->bytes);
	free(s);
}

/* ---- the queue ---- */

/* The record moves when bytes grow, so its address is set last. */
static enum tdat_status hand_on(struct hist_stacks *s, struct pending *p)
{
	struct hist_hit hit = {.record = s->bytes + p->off,
			       .len = p->ev.record.len,
			       .ts = p->ev.ts,
			       .cpu = p->ev.cpu,
			       .pid = p->ev.pid,
			       .frames = p->frames,
			       .frame_count = p->frame_count,
			       .has_stack = p->has_stack,
			       .event = &p->ev};

	p->ev.record.ptr = hit.record;
	return s->fn(s->h, p->e, &hit, p->ev.id);
}

/* Hands on the events at the head that do not wait; all: those that wait, too. */
static enum tdat_status drain(struct hist_stacks *s, bool all)
{
	enum tdat_status st = TDAT_OK;

	while (s->count && st == TDAT_OK && (all || !s->queue[s->head].waits)) {
		st = hand_on(s, &s->queue[s->head]);
		s->head = (s->head + 1) % s->room;
		s->count--;
	}
	/* An empty queue lets the bytes start anew, so they grow with the queue only. */
	if (!s->count)
		s->bytes_len = 0;
	return st;
}

/* The event of a number, if it is still in the queue. */
static struct pending *find_pending(struct hist_stacks *s, uint64_t number)
{
	const uint64_t back = s->next - number;

	if (!back || back > s->count)
		return NULL;
	return &s->queue[(s->head + s->count - (size_t)back) % s->room];
}

static bool add_bytes(struct hist_stacks *s, struct tdat_span record, size_t *off)
{
	if (!TDAT_GROW(s->bytes, &s->bytes_room, s->bytes_len + record.len + 1))
		return false;
	*off = s->bytes_len;
	if (record.len)
		memcpy(s->bytes + s->bytes_len, record.ptr, record.len);
	s->bytes_len += record.len;
	return true;
}

static enum tdat_status append(struct hist_stacks *s, const struct tdat_event *ev,
			       struct hist_event *e)
{
	struct pending *p;
	enum tdat_status st = TDAT_OK;

	/* The oldest events lose their stacks rather than the queue growing without end. */
	if (s->count == s->room || s->bytes_len > BYTES_MOST)
		st = drain(s, true);
	if (st != TDAT_OK)
		return st;
	p = &s->queue[(s->head + s->count) % s->room];
	p->e = e;
	p->ev = *ev;
	p->waits = e && e->stack;
	p->has_stack = false;
	p->frame_count = 0;
	if (!add_bytes(s, ev->record, &p->off))
		return tdat_error_no_memory(s->h->err, "events that wait for stacks");
	s->count++;
	return TDAT_OK;
}

/* ---- whose stack it is ---- */

/* Contexts by rank: task, softirq, hardirq, NMI. A higher one interrupts a lower one. */
static uint8_t rank_of(struct tdat_span record)
{
	const uint8_t flags = record.len > 2 ? record.ptr[2] : 0;

	return flags & FLAG_NMI ? 3 : flags & FLAG_HARDIRQ ? 2 : flags & FLAG_SOFTIRQ ? 1 : 0;
}

static struct cpu *cpu_of(struct hist_stacks *s, uint32_t cpu)
{
	return TDAT_GROW_ZERO(s->cpus, &s->cpu_room, (size_t)cpu + 1) ? &s->cpus[cpu] : NULL;
}

/* The event's stack will not come; it may be handed on without one. */
static void forget(struct hist_stacks *s, uint64_t number)
{
	struct pending *p = find_pending(s, number);

	if (p)
		p->waits = false;
}

/* An event of the same context, or of one that was interrupted, ends what is open within. */
static void open_event(struct hist_stacks *s, struct cpu *c, const struct tdat_event *ev)
{
	const uint8_t rank = rank_of(ev->record);

	/* A synthetic event is made inside another event, before that event's stack. */
	if (!has_bit(s->synthetic, ev->id))
		while (c->depth && c->open[c->depth - 1].rank >= rank)
			forget(s, c->open[--c->depth].number);
	/* More open events than contexts: the oldest gets no stack. */
	if (c->depth == NEST) {
		forget(s, c->open[0].number);
		memmove(&c->open[0], &c->open[1], (NEST - 1) * sizeof(c->open[0]));
		c->depth--;
	}
	c->open[c->depth].number = s->next;
	c->open[c->depth++].rank = rank;
}

static void close_event(struct hist_stacks *s, struct cpu *c, struct tdat_span record)
{
	const uint32_t w = s->h->long_len;
	struct pending *p;
	size_t at = s->stack_off + (size_t)s->skip * w;

	if (!c->depth)
		return;
	/* The stack belongs to the innermost open event. */
	p = find_pending(s, c->open[--c->depth].number);
	if (!p)
		return;
	p->waits = false;
	p->has_stack = true;
	while (p->frame_count < HIST_FRAMES && at + w <= record.len) {
		const uint64_t addr = tdat_load_uint(record.ptr + at, w, s->h->big);

		/* Stacks that fill fewer frames end with ULONG_MAX or 0. */
		if (addr == UINT64_MAX || (w == 4 && addr == UINT32_MAX) || !addr)
			break;
		p->frames[p->frame_count++] = addr;
		at += w;
	}
}

enum tdat_status hist_stacks_take(struct hist_stacks *s, const struct tdat_event *ev,
				  struct hist_event *e)
{
	struct cpu *c = cpu_of(s, ev->cpu);
	enum tdat_status st;

	if (!c)
		return tdat_error_no_memory(s->h->err, "stacks");
	if (ev->id == s->stack_id) {
		close_event(s, c, ev->record);
		return drain(s, false);
	}
	if (!has_bit(s->ignored, ev->id))
		open_event(s, c, ev);
	/* Others are in the queue as well: numbers count all of them. */
	st = append(s, ev, e);
	s->next++;
	return st == TDAT_OK ? drain(s, false) : st;
}

enum tdat_status hist_stacks_end(struct hist_stacks *s)
{
	return drain(s, true);
}
