/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Explains a time of a task by the history of tasks and CPUs: the wait analysis of Giraldeau and
 * Dagenais ("Wait analysis of distributed systems using kernel tracing", 2016). What the task did
 * are segments of depth 0. Beneath a segment that a task ended by a wakeup lie segments of depth 1
 * with what that task did meanwhile, and so on; beneath one that ran, the interrupts within it.
 * Segments of a depth cover what is above them: what no moment tells is CRITICAL_UNKNOWN. Chains
 * lead back in time, so the moments of a span are picked onto a stack first. critical_path.c asks.
 */
#include <stdio.h>

#include "critical.h"

#define NOT_KEPT "before the first event that is kept of it"
#define LOST "events were lost"
#define NO_CPU "its run queue was not recorded; record sched_wakeup"
#define MOVED "it went to another CPU unseen; record sched_migrate_task"
#define IDLE "the CPU was idle; record cpu_idle"
#define NO_WAKEUP "its wakeup was not recorded; record sched_waking"
#define CONTRADICTION "events contradict it"
#define TOO_MANY "too many segments to explain it"

/* What is being explained. */
struct span {
	uint32_t rec;
	int32_t pid;
	uint64_t from, to;
	uint8_t depth;
};

/* ---- segments ---- */

static void append(struct critical *c, struct critical_row row)
{
	struct critical_rows *r = &c->rows;

	if (!row.dur)
		return;
	if (!TDAT_GROW(r->v, &r->cap, r->count + 1)) {
		derived_fail(c->state.out);
		return;
	}
	r->v[r->count++] = row;
}

/* Adds a segment that has none beneath: it may be a part of the one before it. */
static void add(struct critical *c, struct critical_row row)
{
	struct critical_rows *r = &c->rows;
	struct critical_row *last = r->count ? &r->v[r->count - 1] : NULL;

	if (last && last->depth == row.depth && last->kind == row.kind && last->pid == row.pid &&
	    last->what == row.what && last->has_by == row.has_by && last->by == row.by &&
	    last->cpu == row.cpu && last->state == row.state && last->ts + last->dur == row.ts)
		last->dur += row.dur;
	else
		append(c, row);
}

static struct critical_row row_of(const struct span *s, uint64_t from, uint64_t to,
				  enum critical_kind kind, enum task_state state)
{
	return (struct critical_row){.ts = from,
				     .dur = to - from,
				     .rec = s->rec,
				     .by_rec = s->rec,
				     .pid = s->pid,
				     .cpu = DERIVED_NO_CPU,
				     .depth = s->depth,
				     .kind = (uint8_t)kind,
				     .state = state};
}

static void add_unknown(struct critical *c, const struct span *s, uint64_t from, uint64_t to,
			enum task_state state, uint32_t cpu, const char *why)
{
	struct critical_row row = row_of(s, from, to, CRITICAL_UNKNOWN, state);

	row.cpu = cpu;
	row.what = why;
	add(c, row);
}

static void pick(struct critical *c, uint64_t at)
{
	if (!TDAT_GROW(c->picked, &c->picked_cap, c->picked_count + 1)) {
		derived_fail(c->state.out);
		return;
	}
	c->picked[c->picked_count++] = at;
}

static bool is_full(const struct critical *c)
{
	return c->rows.count + c->picked_count >= CRITICAL_ROWS || !c->budget;
}

/* The moment before one in its chain, as a number + 1; 0: none. */
static uint64_t before(uint64_t at, uint32_t distance)
{
	return distance ? at - distance : 0;
}

/* ---- what the host did ---- */

static void explain(struct critical *c, const struct span *s);

/*
 * Puts beneath the last segment, of a task on a CPU of a guest, what the host's task that is this
 * CPU did meanwhile, unless it just ran, or nothing is known of it. True: it is there.
 */
static bool explain_vcpu(struct critical *c, const struct span *s, uint32_t cpu)
{
	const struct critical_vcpu *v =
		c->vcpus.end ? tdat_entry_find(&c->vcpus, (const uint64_t[]){s->rec, cpu}) : NULL;
	const size_t base = c->rows.count;
	struct span host = *s;

	if (!v || !base || s->depth >= CRITICAL_DEPTH)
		return false;
	host.pid = v->pid;
	host.depth++;
	host.rec = v->host;
	/* The first buffer of the host that has switches of the task. */
	for (; host.rec + 1 < v->host + v->host_count; host.rec++) {
		const struct critical_task *t = tdat_entry_find(
			&c->state.entries,
			(const uint64_t[TDAT_KEY_MOST]){host.rec, (uint32_t)host.pid});

		if (t && t->last)
			break;
	}
	explain(c, &host);
	if (c->rows.count == base || c->rows.v[base].dur < s->to - s->from ||
	    (c->rows.v[base].kind != CRITICAL_RUNNING &&
	     c->rows.v[base].kind != CRITICAL_UNKNOWN)) {
		struct critical_row *row = &c->rows.v[base - 1];

		if (!row->has_by) {
			row->has_by = true;
			row->by = host.pid;
			row->by_rec = host.rec;
		}
		if (row->kind == CRITICAL_RUNNING)
			row->what = "virtual CPU";
		return true;
	}
	c->rows.count = base;
	return false;
}

/* ---- what a CPU did ---- */

/*
 * Picks the moments of a CPU from the last one before to back to the one that holds at from. Their
 * first is on top.
 */
static void pick_cpu(struct critical *c, uint32_t rec, uint32_t cpu, uint64_t from, uint64_t to)
{
	const struct critical_cpu *on = tdat_entry_find(&c->cpus, (const uint64_t[]){rec, cpu});
	uint64_t at = on ? on->last : 0;

	for (const struct moment *m; (m = critical_moment(c, at)); at = before(at, m->cpu_before)) {
		if (is_full(c))
			return;
		c->budget--;
		if (m->ts >= to)
			continue;
		pick(c, at);
		if (m->ts <= from)
			return;
	}
}

/* A run queue wait: until when, and what may have moved the task. */
struct queued {
	uint32_t cpu;
	uint64_t from, to;	    /* what is explained of this CPU */
	uint64_t came;		    /* it waits for this CPU */
	uint64_t since;		    /* it waits for any CPU */
	const struct moment *left;  /* it was preempted; or NULL */
	const struct moment *moved; /* by this it came here; or NULL */
	const struct moment *moves; /* by this it leaves; or NULL */
};

/* Why the task waits while another one has the CPU. */
static const char *ahead(struct critical *c, const struct queued *q, const struct moment *m)
{
	const uint64_t ran_since = m->since;
	const char *how = ran_since < q->since ? "already there" : "came before it";
	char text[64];
	int n;

	if (q->left && q->left->preempted && q->left->by == m->pid && ran_since == q->left->ts)
		how = "preempted it";
	n = snprintf(text, sizeof(text), "priority %d, %s", (int)m->prio, how);
	return derived_intern(c->state.out, (struct tdat_span){(const uint8_t *)text, (size_t)n});
}

/* The CPU was out of its idle state already when the task came. */
static const char *out_of_idle(struct critical *c, const char *state)
{
	char text[64];
	const int n = snprintf(text, sizeof(text), "out of %s", state ? state : "an idle state");

	return derived_intern(c->state.out, (struct tdat_span){(const uint8_t *)text, (size_t)n});
}

/* Whether so little time has passed that nothing else can have come between. */
static bool is_near(const struct critical *c, uint64_t from, uint64_t to)
{
	return !c->counts_ns || to <= from || to - from <= CRITICAL_NEAR;
}

/* The segment of a task in a run queue while the CPU is as a moment says. */
static void add_queued(struct critical *c, const struct span *s, const struct queued *q,
		       const struct moment *m, uint64_t from, uint64_t to, bool leaves_idle)
{
	struct critical_row row = row_of(s, from, to, CRITICAL_UNKNOWN, TASK_RUNNABLE);

	row.cpu = q->cpu;
	switch (m->occupant) {
	case OCCUPANT_TASK:
		row.kind = CRITICAL_RUNNABLE;
		/* The stopper, whose priority is 0, sends this one away. */
		if (q->moves && q->moves->by == m->pid && q->left && q->left->by == m->pid &&
		    !m->prio)
			row.kind = CRITICAL_MIGRATION;
		row.has_by = true;
		row.by = m->pid;
		row.what = ahead(c, q, m);
		break;
	case OCCUPANT_IDLE_STATE:
	case OCCUPANT_IDLE_LEFT:
		if (m->occupant == OCCUPANT_IDLE_STATE || leaves_idle ||
		    (!q->moved && is_near(c, m->ts, q->came))) {
			row.kind = CRITICAL_IDLE_EXIT;
			row.what = m->occupant == OCCUPANT_IDLE_STATE || leaves_idle
					   ? m->what
					   : out_of_idle(c, m->what);
			break;
		}
		__attribute__((fallthrough));
	case OCCUPANT_IDLE:
		row.kind = q->moved ? CRITICAL_MIGRATION : CRITICAL_UNKNOWN;
		row.what = q->moved ? "to an idle CPU" : IDLE;
		break;
	case OCCUPANT_IRQ:
	case OCCUPANT_SOFTIRQ:
		row.kind = m->occupant == OCCUPANT_IRQ ? CRITICAL_IRQ : CRITICAL_SOFTIRQ;
		row.what = m->what;
		break;
	default:
		row.what = m->cpu_losses ? LOST : NOT_KEPT;
	}
	/* A task cannot wait for itself. */
	if (row.has_by && row.by == s->pid) {
		row = row_of(s, from, to, CRITICAL_UNKNOWN, TASK_RUNNABLE);
		row.what = CONTRADICTION;
	}
	add(c, row);
	explain_vcpu(c, &(struct span){s->rec, s->pid, from, to, s->depth}, q->cpu);
}

/* The time of a task in the run queue of one CPU. */
static void explain_queue(struct critical *c, const struct span *s, const struct queued *q)
{
	const size_t base = c->picked_count;
	uint64_t done = q->from;
	bool leaves_idle = false;

	pick_cpu(c, s->rec, q->cpu, q->came, q->to);
	while (c->picked_count > base) {
		const struct moment *m = critical_moment(c, c->picked[--c->picked_count]);
		const struct moment *next =
			c->picked_count > base ? critical_moment(c, c->picked[c->picked_count - 1])
					       : NULL;
		const uint64_t until = next && next->ts < q->to ? next->ts : q->to;

		if (m->ts > done) {
			add_unknown(c, s, done, m->ts, TASK_RUNNABLE, q->cpu,
				    is_full(c) ? TOO_MANY : NOT_KEPT);
			done = m->ts;
		}
		if (until > done) {
			add_queued(c, s, q, m, done, until, leaves_idle);
			done = until;
		}
		/* An interrupt on the way out of an idle state does not end it. */
		if (m->occupant == OCCUPANT_IDLE_STATE)
			leaves_idle = until > q->came;
		else if (m->occupant == OCCUPANT_TASK || m->occupant == OCCUPANT_IDLE)
			leaves_idle = false;
	}
	add_unknown(c, s, done, q->to, TASK_RUNNABLE, q->cpu, is_full(c) ? TOO_MANY : NOT_KEPT);
}

/* A time on a CPU, and beneath it the interrupts. */
static void explain_run(struct critical *c, const struct span *s, uint32_t cpu)
{
	const size_t base = c->picked_count;
	struct critical_row row = row_of(s, s->from, s->to, CRITICAL_RUNNING, TASK_RUNNING);
	size_t own;
	bool any = false;

	row.cpu = cpu;
	append(c, row);
	own = c->rows.count;
	if (s->depth >= CRITICAL_DEPTH || explain_vcpu(c, s, cpu))
		return;
	pick_cpu(c, s->rec, cpu, s->from, s->to);
	for (size_t i = base; i < c->picked_count; i++) {
		const struct moment *m = critical_moment(c, c->picked[i]);

		any |= m->occupant == OCCUPANT_IRQ || m->occupant == OCCUPANT_SOFTIRQ;
	}
	row.depth++;
	for (uint64_t done = s->from; any && c->picked_count > base;) {
		const struct moment *m = critical_moment(c, c->picked[--c->picked_count]);
		const bool irq = m->occupant == OCCUPANT_IRQ;
		uint64_t until = s->to;

		if (c->picked_count > base)
			until = critical_moment(c, c->picked[c->picked_count - 1])->ts;
		row.kind = irq				     ? CRITICAL_IRQ
			   : m->occupant == OCCUPANT_SOFTIRQ ? CRITICAL_SOFTIRQ
							     : CRITICAL_RUNNING;
		row.what = row.kind == CRITICAL_RUNNING ? NULL : m->what;
		if (until <= done)
			continue;
		row.ts = done;
		row.dur = until - done;
		add(c, row);
		done = until;
	}
	/* Interrupts of no length cut nothing. */
	if (c->rows.count == own + 1 && c->rows.v[own].kind == CRITICAL_RUNNING)
		c->rows.count = own;
	c->picked_count = base;
}

/* ---- what a task did ---- */

static bool is_state(const struct moment *m)
{
	return m->type != MOMENT_PLACE && m->type != MOMENT_MIGRATE;
}

/*
 * Picks the moments of a task from the last one up to the end of the span back to the state that
 * it was in at its start.
 */
static void pick_task(struct critical *c, const struct span *s)
{
	const struct critical_task *t = tdat_entry_find(
		&c->state.entries, (const uint64_t[TDAT_KEY_MOST]){s->rec, (uint32_t)s->pid});
	uint64_t at = t ? t->last : 0;

	for (const struct moment *m; (m = critical_moment(c, at));
	     at = before(at, m->task_before)) {
		if (is_full(c))
			return;
		c->budget--;
		if (m->ts > s->to)
			continue;
		pick(c, at);
		if (m->ts <= s->from && is_state(m))
			return;
	}
}

/*
 * Until a wakeup: what the waker did meanwhile lies beneath. out NULL: the task was created by the
 * wakeup.
 */
static void explain_wait(struct critical *c, const struct span *s, const struct moment *out,
			 const struct moment *end)
{
	const bool woken = end && end->type == MOMENT_WAKE;
	struct critical_row row = row_of(s, s->from, s->to,
					 !woken ? CRITICAL_UNKNOWN
					 : out	? (enum critical_kind)end->kind
						: CRITICAL_BLOCKED,
					 out ? TASK_SLEEPING : TASK_UNKNOWN);
	const struct span waker = {s->rec, woken ? end->by : 0, s->from, s->to,
				   (uint8_t)(s->depth + 1)};

	row.cpu = out ? out->cpu : DERIVED_NO_CPU;
	row.what = !woken ? NO_WAKEUP : out ? end->what : "created";
	row.has_by = woken && end->by_task;
	row.by = row.has_by ? end->by : 0;
	append(c, row);
	if (!row.has_by || row.by == s->pid || !row.dur)
		return;
	if (s->depth + 1 > CRITICAL_DEPTH)
		derived_note(c->state.out, "waker beyond the sixteenth of a chain");
	else
		explain(c, &waker);
}

/*
 * Whether the next moment of a task is a part of its wakeup: sched_waking names the CPU that the
 * task was on, then its waker may send it to another one, and sched_wakeup says where it was put.
 */
static bool is_placed_by(const struct moment *wake, const struct moment *next)
{
	return wake->type == MOMENT_WAKE && !wake->placed &&
	       (next->type == MOMENT_PLACE ||
		(next->type == MOMENT_MIGRATE && next->by == wake->by));
}

/*
 * In run queues, from the moment at picked[at] on until the one at picked[end], which is one of
 * MOMENT_IN or behind the last one.
 */
static void explain_runnable(struct critical *c, const struct span *s, size_t at, size_t end,
			     size_t base)
{
	const struct moment *begin = critical_moment(c, c->picked[at]);
	const struct moment *in = end > base ? critical_moment(c, c->picked[end - 1]) : NULL;
	const struct moment *m = begin;
	struct queued q = {.cpu = m->cpu,
			   .from = s->from,
			   .came = m->ts,
			   .since = m->ts,
			   .left = m->type == MOMENT_OUT ? m : NULL};

	in = in && in->type == MOMENT_IN ? in : NULL;
	if (at > end && is_placed_by(m, critical_moment(c, c->picked[at - 1])))
		q.cpu = critical_moment(c, c->picked[--at])->cpu;
	for (;;) {
		const struct moment *next = at > end ? critical_moment(c, c->picked[at - 1]) : NULL;

		q.to = next && next->ts < s->to ? next->ts : s->to;
		q.moves = next && next->type == MOMENT_MIGRATE ? next : NULL;
		if (q.to > q.from) {
			if (q.cpu == DERIVED_NO_CPU)
				add_unknown(c, s, q.from, q.to, TASK_RUNNABLE, DERIVED_NO_CPU,
					    NO_CPU);
			else if (!next && in && in->cpu != q.cpu)
				add_unknown(c, s, q.from, q.to, TASK_RUNNABLE, DERIVED_NO_CPU,
					    MOVED);
			else
				explain_queue(c, s, &q);
			q.from = q.to;
		}
		if (!next)
			return;
		q.moved = next->type == MOMENT_MIGRATE ? next : q.moved;
		q.cpu = next->cpu;
		q.came = next->ts;
		at--;
	}
}

/* Whether losses of events may have changed what a task did between two of its moments. */
static bool is_known(const struct moment *m, const struct moment *end)
{
	if (!end || m->losses == end->losses)
		return true;
	return m->type == MOMENT_IN && end->type != MOMENT_WAKE && end->cpu == m->cpu &&
	       end->cpu_losses == m->cpu_losses;
}

/*
 * A state, from picked[at]; end: the place behind the moment that ends it, which is at end - 1 if
 * end > base.
 */
static void explain_state(struct critical *c, const struct span *s, size_t at, size_t end,
			  size_t base)
{
	const struct moment *m = critical_moment(c, c->picked[at]);
	const struct moment *next = end > base ? critical_moment(c, c->picked[end - 1]) : NULL;

	if (s->to <= s->from)
		return;
	if (!is_known(m, next))
		add_unknown(c, s, s->from, s->to, TASK_UNKNOWN, DERIVED_NO_CPU, LOST);
	else if (m->type == MOMENT_IN)
		explain_run(c, s, m->cpu);
	else if (m->type == MOMENT_OUT && m->dead && (!s->depth || !next || !next->created))
		add_unknown(c, s, s->from, s->to, TASK_DEAD, m->cpu, CRITICAL_ENDED);
	else if (m->type == MOMENT_OUT && m->waits)
		explain_wait(c, s, m->dead ? NULL : m, next);
	else
		explain_runnable(c, s, at, end, base);
}

/* A time of a task: state by state. */
static void explain(struct critical *c, const struct span *s)
{
	const size_t base = c->picked_count;
	struct span part = *s;
	size_t at, end;

	pick_task(c, s);
	/* What the last picked one was before is not kept, nor what too many moments hide. */
	at = c->picked_count;
	while (at > base && !is_state(critical_moment(c, c->picked[at - 1])))
		at--;
	if (at > base) {
		const struct moment *first = critical_moment(c, c->picked[at - 1]);

		part.to = first->ts < s->to ? first->ts : s->to;
		if (part.to > s->from && first->created && !is_full(c))
			explain_wait(c, &part, NULL, first);
		else if (part.to > s->from)
			add_unknown(c, s, s->from, part.to, TASK_UNKNOWN, DERIVED_NO_CPU,
				    is_full(c) ? TOO_MANY : NOT_KEPT);
		part.from = part.to > s->from ? part.to : s->from;
	}
	for (; at > base && part.from < s->to; at = end) {
		for (end = at - 1; end > base; end--)
			if (is_state(critical_moment(c, c->picked[end - 1])))
				break;
		part.to = end > base ? critical_moment(c, c->picked[end - 1])->ts : s->to;
		explain_state(c, &part, at - 1, end, base);
		part.from = part.to > part.from ? part.to : part.from;
	}
	if (part.from < s->to)
		add_unknown(c, s, part.from, s->to, TASK_UNKNOWN, DERIVED_NO_CPU,
			    is_full(c) ? TOO_MANY : NOT_KEPT);
	c->picked_count = base;
}

void critical_explain(struct critical *c, uint32_t rec, int32_t pid, uint64_t from, uint64_t to)
{
	c->rows.count = c->picked_count = 0;
	explain(c, &(struct span){rec, pid, from, to, 0});
}
