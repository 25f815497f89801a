/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pairs events of which one begins an interval and another ends it. A struct pair_def says
 * which events begin and end an interval, by which fields, and whether CPU or task belongs to
 * the key. Open intervals of one key form a stack of limited depth: an end takes the innermost
 * that fits and leaves those begun later without an end (events x 256 steps). Losses put open
 * intervals as lost. The tables irq, softirq, kvm, timer, workqueue and those of --pair are
 * such definitions.
 */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "core/grow.h"
#include "losses.h"
#include "map.h"

enum { OPEN_MAX = 1 << 19, DEPTH_MAX = 256 };

/* An interval that is open. */
struct frame {
	uint32_t below; /* of the same key, begun before: index + 1; or the next free one */
	uint32_t cpu, type;
	uint64_t ts, before, known;
	int64_t pid;
	const char *kind;
	bool has_before;
	uint32_t has;	  /* slots, as bits */
	uint32_t numbers; /* those of them that are numbers; a text's slot is its address */
	uint64_t slots[PAIR_SLOTS];
	const char *texts[PAIR_SLOTS]; /* of slots that are put as names or texts */
};

/* The intervals of a key. */
struct stack {
	struct map_key key;
	uint32_t top, depth; /* index + 1 of frames */
};

struct before {
	struct map_key key;
	uint64_t ts, known;
};

struct pairs {
	const struct pair_def *def;
	struct derived_out *out;
	struct map stacks, befores;
	struct losses losses;
	struct names names;
	struct frame *frames;
	size_t frame_count, frame_cap;
	uint32_t free_frame;
	uint32_t begin_names, end_names;   /* slots that are put as names or texts, as bits */
	const struct table_input **inputs; /* by type */
	struct model_filter_prog **progs;  /* by type; NULL: not made yet, or no filter */
};

/* ---- frames ---- */

static struct frame *new_frame(struct pairs *p, uint32_t *at)
{
	struct frame *grown;

	if (p->free_frame) {
		*at = p->free_frame;
		p->free_frame = p->frames[*at - 1].below;
		return &p->frames[*at - 1];
	}
	if (p->frame_count >= OPEN_MAX) {
		derived_note(p->out, ANALYSIS_FULL);
		return NULL;
	}
	grown = tdat_grown(p->frames, &p->frame_cap, p->frame_count + 1, sizeof(*grown));
	if (!grown) {
		derived_fail(p->out);
		return NULL;
	}
	p->frames = grown;
	*at = (uint32_t)++p->frame_count;
	return &p->frames[*at - 1];
}

static void drop_top(struct pairs *p, struct stack *s)
{
	const uint32_t at = s->top;
	struct frame *f = &p->frames[at - 1];

	s->top = f->below;
	s->depth--;
	f->below = p->free_frame;
	p->free_frame = at;
}

/* ---- rows ---- */

static void put_slot(struct pairs *p, const struct pair_out *o, const struct frame *f,
		     const struct table_input *in)
{
	const bool number = o->how == PAIR_INT || o->how == PAIR_SYMBOL;

	if (!f || !((number ? f->numbers : f->has) >> o->slot & 1))
		derived_put_null(p->out);
	else if (o->how == PAIR_INT)
		derived_put_int(p->out, (int64_t)f->slots[o->slot]);
	else if (o->how == PAIR_SYMBOL)
		derived_put_symbol(p->out, in, f->slots[o->slot]);
	else
		derived_put_name(p->out, f->texts[o->slot]);
}

static void put_out(struct pairs *p, const struct pair_out *o, const struct frame *f,
		    const struct frame *end)
{
	if (o->from == PAIR_OUT_BEGIN)
		put_slot(p, o, f, p->inputs[f->type]);
	else if (o->from == PAIR_OUT_END)
		put_slot(p, o, end, end ? p->inputs[end->type] : NULL);
	else if (o->from == PAIR_OUT_KIND)
		derived_put_name(p->out, f->kind);
	else if (o->from == PAIR_OUT_BEFORE && f->has_before)
		derived_put_int(p->out, (int64_t)f->before);
	else if (o->from == PAIR_OUT_WAIT && f->has_before && !derived_goes_back(f->before, f->ts))
		derived_put_int(p->out, (int64_t)(f->ts - f->before));
	else if (o->from == PAIR_OUT_END_CPU && end)
		derived_put_int(p->out, end->cpu);
	else if (o->from == PAIR_OUT_END_PID && end)
		derived_put_int(p->out, end->pid);
	else
		derived_put_null(p->out);
}

/* end: NULL unless open is. */
static void put(struct pairs *p, uint32_t rec, const struct frame *f, const struct frame *end,
		const char *open)
{
	const struct derived_row row = {.rec = rec,
					.cpu = f->cpu,
					.ts = f->ts,
					.dur = open ? DERIVED_NO_DUR : end->ts - f->ts,
					.pid = f->pid,
					.open = open};

	if (!derived_row_begin(p->out, &row))
		return;
	for (size_t i = 0; i < p->def->out_count; i++)
		put_out(p, &p->def->outs[i], f, end);
	derived_row_end(p->out);
}

/* ---- what an event has ---- */

static const char *name_of_slot(struct pairs *p, const struct derived_type *type,
				const struct tdat_event *ev, uint32_t slot)
{
	const struct names_printed *printed = p->def->printed;

	if (printed && printed->field == slot && p->def->events[type->kind].role == PAIR_BEGIN)
		return names_find_printed(&p->names, type, printed, ev);
	return names_of(&p->names, type, slot, ev->record);
}

static void read_slots(struct pairs *p, const struct derived_type *type,
		       const struct tdat_event *ev, struct frame *f)
{
	const struct pair_event *e = &p->def->events[type->kind];
	const uint32_t names = e->role == PAIR_END ? p->end_names : p->begin_names;

	f->type = type->index;
	f->ts = ev->ts;
	f->cpu = ev->cpu;
	f->pid = ev->pid;
	f->kind = e->kind;
	f->has = f->numbers = 0;
	p->inputs[type->index] = type->in;
	for (uint32_t i = 0; i < PAIR_SLOTS && e->slots[i]; i++) {
		const struct derived_field *field = &type->fields[i];

		if (!field->field && !strcmp(e->slots[i], "CPU")) {
			f->slots[i] = ev->cpu;
			f->has |= 1u << i;
			f->numbers |= 1u << i;
		}
		if (!field->field)
			continue;
		f->texts[i] = NULL;
		f->slots[i] = (uint64_t)derived_int(field, ev->record);
		if (field->len ? !derived_has(field, ev->record) : !(names >> i & 1))
			continue;
		f->has |= 1u << i;
		if (names >> i & 1)
			f->texts[i] = name_of_slot(p, type, ev, i);
		/* A key that is no number is the text's address, which is the same for the same
		 * text. */
		if (field->len)
			f->numbers |= 1u << i;
		else
			f->slots[i] = (uintptr_t)f->texts[i];
	}
}

/* The key: recording, and CPU, task or fields. False: a field of it is missing. */
static bool find_key(const struct pairs *p, const struct frame *f, uint32_t rec, uint64_t key[4])
{
	key[0] = rec;
	key[1] = key[2] = key[3] = 0;
	if (p->def->by == PAIR_BY_CPU)
		key[1] = f->cpu;
	/* The idle tasks of all CPUs have the same pid. */
	if (p->def->by == PAIR_BY_TASK) {
		key[1] = (uint32_t)f->pid;
		key[2] = f->pid ? 0 : (uint64_t)f->cpu + 1;
	}
	for (uint32_t i = 0; p->def->by == PAIR_BY_KEY && i < p->def->key_slots; i++) {
		if (!(f->has >> i & 1))
			return false;
		key[1 + i] = f->slots[i];
	}
	return true;
}

static bool is_known(const struct pairs *p, uint32_t rec, const struct frame *f)
{
	/* Intervals of a CPU are ended at the loss itself. */
	if (p->def->by == PAIR_BY_CPU)
		return true;
	return p->def->stays ? losses_knows_running(&p->losses, rec, f->cpu, f->known)
			     : losses_knows(&p->losses, rec, f->known);
}

/* Whether no loss was since that could have hidden an event before of this key. */
static bool is_before_known(const struct pairs *p, const struct before *b, const uint64_t key[4])
{
	const uint32_t rec = (uint32_t)key[0];

	return p->def->by == PAIR_BY_CPU
		       ? losses_knows_running(&p->losses, rec, (uint32_t)key[1], b->known - 1)
		       : losses_knows(&p->losses, rec, b->known - 1);
}

/* The stack of a key without what losses made unknown. */
static struct stack *find_stack(struct pairs *p, const uint64_t key[4], bool make)
{
	const uint32_t rec = (uint32_t)key[0];
	struct stack *s = make ? map_get4(&p->stacks, key) : map_find4(&p->stacks, key);

	if (!s) {
		if (make)
			derived_note(p->out, ANALYSIS_FULL);
		return NULL;
	}
	while (s->top && !is_known(p, rec, &p->frames[s->top - 1])) {
		put(p, rec, &p->frames[s->top - 1], NULL, ANALYSIS_OPEN_LOST);
		drop_top(p, s);
	}
	return s;
}

/* ---- events ---- */

/*
 * What was before an interval is by its key, and where ends must match, by its match. False: the
 * event lacks that field.
 */
static bool before_key(const struct pairs *p, const struct frame *f, const uint64_t key[4],
		       uint64_t out[4])
{
	memcpy(out, key, 4 * sizeof(*out));
	if (!p->def->matches)
		return true;
	if (!(f->has & 1))
		return false;
	out[3] = f->slots[0] + 1;
	return true;
}

static void take_before(struct pairs *p, const struct frame *f, const uint64_t key[4], bool cancel)
{
	uint64_t at[4];
	struct before *b;

	if (!before_key(p, f, key, at))
		return;
	if (cancel) {
		b = map_find4(&p->befores, at);
		if (b)
			map_remove(&p->befores, b);
		return;
	}
	b = map_get4(&p->befores, at);
	if (!b) {
		derived_note(p->out, ANALYSIS_FULL);
		return;
	}
	if (!p->def->last_before && b->known && is_before_known(p, b, key))
		return;
	b->ts = f->ts;
	b->known = losses_now(&p->losses, (uint32_t)key[0]) + 1;
}

static void find_before(struct pairs *p, struct frame *f, const uint64_t key[4])
{
	uint64_t at[4];
	struct before *b;

	if (!before_key(p, f, key, at))
		return;
	b = map_find4(&p->befores, at);
	if (!b)
		return;
	f->has_before = is_before_known(p, b, key);
	f->before = b->ts;
	map_remove(&p->befores, b);
}

static void take_begin(struct pairs *p, struct frame *f, const uint64_t key[4])
{
	struct stack *s = find_stack(p, key, true);
	struct frame *to;
	uint32_t at;

	if (!s)
		return;
	if (s->top && !p->def->nests) {
		put(p, (uint32_t)key[0], &p->frames[s->top - 1], NULL, ANALYSIS_OPEN_UNENDED);
		drop_top(p, s);
	}
	if (s->depth >= DEPTH_MAX) {
		derived_note(p->out, ANALYSIS_FULL);
		return;
	}
	to = new_frame(p, &at);
	if (!to)
		return;
	f->has_before = false;
	find_before(p, f, key);
	f->known = losses_now(&p->losses, (uint32_t)key[0]);
	*to = *f;
	to->below = s->top;
	s->top = at;
	s->depth++;
}

static bool fits(const struct pairs *p, const struct frame *begin, const struct frame *end)
{
	return !p->def->matches || (begin->has & end->has & 1 && begin->slots[0] == end->slots[0]);
}

static void take_end(struct pairs *p, const struct frame *end, const uint64_t key[4])
{
	const uint32_t rec = (uint32_t)key[0];
	struct stack *s = find_stack(p, key, false);
	uint32_t at = s ? s->top : 0;

	while (at && !fits(p, &p->frames[at - 1], end))
		at = p->frames[at - 1].below;
	if (!at) {
		derived_note(p->out, ANALYSIS_NO_START);
	} else {
		/* Those that were begun later have no end: an outer one ends before them. */
		while (s->top != at) {
			put(p, rec, &p->frames[s->top - 1], NULL, ANALYSIS_OPEN_UNENDED);
			drop_top(p, s);
		}
		if (derived_goes_back(p->frames[at - 1].ts, end->ts))
			derived_note(p->out, ANALYSIS_BACKWARDS);
		else
			put(p, rec, &p->frames[at - 1], end, NULL);
		drop_top(p, s);
	}
	/* Keys that are as many as objects of the kernel are forgotten. */
	if (s && !s->top && p->def->by != PAIR_BY_CPU)
		map_remove(&p->stacks, s);
}

static struct tdat_span filter_name(const void *ctx, int32_t pid)
{
	const struct model_env *env = ctx;

	return env->name(env->ctx, pid);
}

static const struct model_symbols *filter_symbols(const void *ctx)
{
	return ((const struct model_env *)ctx)->symbols;
}

/* Whether an event passes the filter that the pair has for it. */
static bool passes(struct pairs *p, const struct derived_type *type, const struct tdat_event *ev)
{
	const struct model_filter *filter = p->def->filters ? p->def->filters[type->kind] : NULL;
	const struct model_filter_env env = {type->format->big, filter_name, filter_symbols,
					     type->env};
	const struct model_filter_event e = {ev->record, ev->ts, ev->cpu, ev->pid, NULL, 0};
	struct model_filter_prog **prog = &p->progs[type->index];

	if (!filter)
		return true;
	if (!*prog && model_filter_bind(prog, filter, type->format, &env, NULL) != TDAT_OK) {
		derived_note(p->out, "event whose filter cannot be used");
		return false;
	}
	return model_filter_run(*prog, &e) == MODEL_FILTER_MATCH;
}

void pair_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		uint32_t rec)
{
	struct pairs *p = state;
	const enum pair_role role = p->def->events[type->kind].role;
	struct frame f;
	uint64_t key[4];

	if (!passes(p, type, ev))
		return;
	read_slots(p, type, ev, &f);
	if (!find_key(p, &f, rec, key))
		return;
	if (role == PAIR_BEGIN)
		take_begin(p, &f, key);
	else if (role == PAIR_END)
		take_end(p, &f, key);
	else
		take_before(p, &f, key, role == PAIR_CANCEL);
}

void pair_lost(void *state, uint32_t rec, uint32_t cpu, uint64_t ts)
{
	struct pairs *p = state;
	struct stack *s = p->def->by == PAIR_BY_CPU ? map_find(&p->stacks, rec, cpu) : NULL;

	losses_take(&p->losses, rec, cpu, ts);
	while (s && s->top) {
		put(p, rec, &p->frames[s->top - 1], NULL, ANALYSIS_OPEN_LOST);
		drop_top(p, s);
	}
}

bool pair_awaits(void *state)
{
	const struct pairs *p = state;

	for (size_t i = 0; i < p->stacks.end; i++) {
		const struct stack *s = map_at(&p->stacks, i);

		for (uint32_t at = s ? s->top : 0; at; at = p->frames[at - 1].below) {
			const struct frame *f = &p->frames[at - 1];

			if (derived_awaits(p->out, f->ts, f->pid, f->cpu))
				return true;
		}
	}
	return false;
}

void pair_end(void *state)
{
	struct pairs *p = state;

	for (size_t i = 0; i < p->stacks.end; i++) {
		const struct stack *s = map_at(&p->stacks, i);

		for (uint32_t at = s ? s->top : 0; at; at = p->frames[at - 1].below)
			put(p, (uint32_t)s->key.a, &p->frames[at - 1], NULL,
			    is_known(p, (uint32_t)s->key.a, &p->frames[at - 1])
				    ? ANALYSIS_OPEN_END
				    : ANALYSIS_OPEN_LOST);
	}
	if (p->stacks.failed || p->befores.failed || p->losses.cpus.failed)
		derived_fail(p->out);
}

void pair_free(void *state)
{
	struct pairs *p = state;

	map_fini(&p->stacks);
	map_fini(&p->befores);
	losses_fini(&p->losses);
	names_fini(&p->names);
	for (uint32_t i = 0; p->progs && i < derived_type_count(p->out); i++)
		model_filter_prog_free(p->progs[i]);
	free(p->progs);
	free(p->frames);
	free(p->inputs);
	free(p);
}

enum tdat_status pair_begin(void **state, const struct table_derived *def, struct derived_out *out,
			    struct tdat_error *err)
{
	struct pairs *p = calloc(1, sizeof(*p));

	*state = p;
	if (!p)
		return tdat_error_no_memory(err, def->name);
	p->def = def->own;
	p->out = out;
	map_init(&p->stacks, sizeof(struct stack), OPEN_MAX);
	map_init(&p->befores, sizeof(struct before), OPEN_MAX);
	for (size_t i = 0; i < p->def->out_count; i++) {
		const struct pair_out *o = &p->def->outs[i];
		const bool named = o->how == PAIR_NAME || o->how == PAIR_TEXT;

		p->begin_names |= named && o->from == PAIR_OUT_BEGIN ? 1u << o->slot : 0;
		p->end_names |= named && o->from == PAIR_OUT_END ? 1u << o->slot : 0;
	}
	/* Keys that are texts are compared by their addresses, on both ends. */
	for (uint32_t i = 0; i < p->def->key_slots; i++)
		p->end_names |= p->begin_names & 1u << i;
	p->inputs = calloc((size_t)derived_type_count(out) + 1, sizeof(const struct table_input *));
	p->progs = calloc((size_t)derived_type_count(out) + 1, sizeof(struct model_filter_prog *));
	if (!p->inputs || !p->progs || !losses_init(&p->losses, out))
		return tdat_error_no_memory(err, def->name);
	return names_init(&p->names, out, err);
}
