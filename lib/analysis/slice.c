/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table slice: sections of programs that they marked in trace_marker. Programs mark
 * sections by "B" and "E", or "S" and "F" with a cookie, in trace_marker (marker.c).
 * Synchronous slices of a task nest: each task has a stack, whose depth is a column.
 * Asynchronous ones are found by name, cookie and thread group. A slice that a loss made
 * uncertain is put without an end.
 */
#include <stdlib.h>

#include "analysis.h"
#include "core/grow.h"
#include "losses.h"
#include "map.h"
#include "marker.h"

enum { OPEN_MAX = 1 << 20, DEPTH_MAX = 1024 };

static const char *const fields[] = {"buf", NULL};
static const struct derived_event events[] = {{"ftrace/print", 0, fields}};

static const struct meta_column columns[] = {
	{"name", TABLE_NAME, 0, false},	  {"kind", TABLE_NAME, 0, false},
	{"tgid", TABLE_INT, 4, true},	  {"depth", TABLE_INT, 4, true},
	{"cookie", TABLE_NAME, 0, false}, {NULL, TABLE_INT, 0, false},
};

struct frame {
	uint32_t below; /* index + 1; or of the next free one */
	uint32_t cpu, depth;
	uint64_t ts, known;
	int64_t pid, tgid;
	const char *name, *cookie;
};

/* Those of a task; or of a name and cookie of a program. */
struct stack {
	struct map_key key; /* recording; pid; or name, cookie, thread group + 1 */
	uint32_t top;
};

struct slices {
	struct losses losses; /* first: losses_take gets it */
	struct derived_out *out;
	struct map stacks;
	struct frame *frames;
	size_t frame_count, frame_cap;
	uint32_t free_frame;
};

static void put(struct slices *s, uint32_t rec, const struct frame *f, uint64_t dur,
		const char *open, const char *kind)
{
	const struct derived_row row = {
		.rec = rec, .cpu = f->cpu, .ts = f->ts, .dur = dur, .pid = f->pid, .open = open};

	if (!derived_row_begin(s->out, &row))
		return;
	derived_put_name(s->out, f->name);
	derived_put_name(s->out, kind);
	derived_put_int(s->out, f->tgid);
	if (*kind == 's')
		derived_put_int(s->out, f->depth);
	else
		derived_put_null(s->out);
	derived_put_name(s->out, f->cookie);
	derived_row_end(s->out);
}

static const char *kind_of(const struct stack *st)
{
	return st->key.d ? "async" : "sync";
}

static void drop_top(struct slices *s, struct stack *st)
{
	const uint32_t at = st->top;

	st->top = s->frames[at - 1].below;
	s->frames[at - 1].below = s->free_frame;
	s->free_frame = at;
}

static struct frame *new_frame(struct slices *s, uint32_t *at)
{
	struct frame *grown;

	if (s->free_frame) {
		*at = s->free_frame;
		s->free_frame = s->frames[*at - 1].below;
		return &s->frames[*at - 1];
	}
	if (s->frame_count >= OPEN_MAX) {
		derived_note(s->out, ANALYSIS_FULL);
		return NULL;
	}
	grown = tdat_grown(s->frames, &s->frame_cap, s->frame_count + 1, sizeof(*grown));
	if (!grown) {
		derived_fail(s->out);
		return NULL;
	}
	s->frames = grown;
	*at = (uint32_t)++s->frame_count;
	return &s->frames[*at - 1];
}

static struct stack *find_stack(struct slices *s, const uint64_t key[4], bool make)
{
	const uint32_t rec = (uint32_t)key[0];
	struct stack *st = make ? map_get4(&s->stacks, key) : map_find4(&s->stacks, key);

	if (!st && make)
		derived_note(s->out, ANALYSIS_FULL);
	while (st && st->top && !losses_knows(&s->losses, rec, s->frames[st->top - 1].known)) {
		put(s, rec, &s->frames[st->top - 1], DERIVED_NO_DUR, ANALYSIS_OPEN_LOST,
		    kind_of(st));
		drop_top(s, st);
	}
	return st;
}

static void open_slice(struct slices *s, const uint64_t key[4], const struct frame *f)
{
	struct stack *st = find_stack(s, key, true);
	uint32_t at, depth;
	struct frame *to;

	if (!st)
		return;
	depth = st->top ? s->frames[st->top - 1].depth + 1 : 0;
	if (depth >= DEPTH_MAX) {
		derived_note(s->out, ANALYSIS_FULL);
		return;
	}
	to = new_frame(s, &at);
	if (!to)
		return;
	*to = *f;
	to->depth = depth;
	to->below = st->top;
	to->known = losses_now(&s->losses, (uint32_t)key[0]);
	st->top = at;
}

static void close_slice(struct slices *s, const uint64_t key[4], uint64_t ts)
{
	struct stack *st = find_stack(s, key, false);
	const struct frame *f = st && st->top ? &s->frames[st->top - 1] : NULL;

	if (!f) {
		derived_note(s->out, ANALYSIS_NO_START);
	} else {
		if (derived_goes_back(f->ts, ts))
			derived_note(s->out, ANALYSIS_BACKWARDS);
		else
			put(s, (uint32_t)key[0], f, ts - f->ts, NULL, kind_of(st));
		drop_top(s, st);
	}
	if (st && !st->top)
		map_remove(&s->stacks, st);
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct slices *s = state;
	uint64_t key[4] = {rec, (uint32_t)ev->pid, 0, 0};
	struct frame f = {.cpu = ev->cpu, .ts = ev->ts, .pid = ev->pid};
	struct marker m;

	if (!marker_parse(&m, derived_text(&type->fields[0], ev->record)) || m.kind == 'C')
		return;
	if (m.kind != 'E') {
		f.tgid = m.tgid;
		f.name = derived_intern(s->out, m.name);
	}
	if (m.kind == 'S' || m.kind == 'F') {
		f.cookie = derived_intern(s->out, m.last);
		key[1] = (uintptr_t)f.name;
		key[2] = (uintptr_t)f.cookie;
		key[3] = (uint64_t)m.tgid + 1;
	}
	if (m.kind == 'B' || m.kind == 'S')
		open_slice(s, key, &f);
	else if (m.kind == 'E' || m.kind == 'F')
		close_slice(s, key, ev->ts);
	else
		put(s, rec, &f, DERIVED_NO_DUR, NULL, "instant");
}

static bool awaits(void *state)
{
	const struct slices *s = state;

	for (size_t i = 0; i < s->stacks.end; i++) {
		const struct stack *st = map_at(&s->stacks, i);

		for (uint32_t at = st ? st->top : 0; at; at = s->frames[at - 1].below) {
			const struct frame *f = &s->frames[at - 1];

			if (derived_awaits(s->out, f->ts, f->pid, f->cpu))
				return true;
		}
	}
	return false;
}

static void end(void *state)
{
	struct slices *s = state;

	for (size_t i = 0; i < s->stacks.end; i++) {
		const struct stack *st = map_at(&s->stacks, i);

		for (uint32_t at = st ? st->top : 0; at; at = s->frames[at - 1].below)
			put(s, (uint32_t)st->key.a, &s->frames[at - 1], DERIVED_NO_DUR,
			    losses_knows(&s->losses, (uint32_t)st->key.a, s->frames[at - 1].known)
				    ? ANALYSIS_OPEN_END
				    : ANALYSIS_OPEN_LOST,
			    kind_of(st));
	}
	if (s->stacks.failed || s->losses.cpus.failed)
		derived_fail(s->out);
}

static void free_state(void *state)
{
	struct slices *s = state;

	map_fini(&s->stacks);
	losses_fini(&s->losses);
	free(s->frames);
	free(s);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct slices *s = calloc(1, sizeof(*s));

	*state = s;
	if (!s)
		return tdat_error_no_memory(err, def->name);
	s->out = out;
	map_init(&s->stacks, sizeof(struct stack), OPEN_MAX);
	if (!losses_init(&s->losses, out))
		return tdat_error_no_memory(err, def->name);
	return TDAT_OK;
}

const struct table_derived analysis_slice = {
	.name = "slice",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.lost = losses_take,
	.end = end,
	.free = free_state,
	.awaits = awaits,
};
