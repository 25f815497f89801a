/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pairs events of which one begins an interval and another ends it. A struct pair_def says
 * which events begin and end an interval, by which fields, and whether CPU or task belongs to
 * the key. Open intervals of one key form a stack of limited depth: an end takes the innermost
 * that fits and leaves those begun later without an end (events x 256 steps). Losses put open
 * intervals as lost. The tables irq, softirq, kvm, lock, net, reclaim, timer, workqueue and
 * those of --pair are such definitions.
 */
#include "pair.h"

#include <stdlib.h>
#include <string.h>

/* An event that came before intervals of a key. */
struct before {
	struct tdat_entry head;
	uint64_t key[TDAT_KEY_MOST];
	uint64_t ts, known;
};

/* ---- rows ---- */

/* Puts one value of an event, in the way that its column asks for; null: the event has none. */
static void put_slot(struct derived_out *out, const struct pair_out *o, const struct pair_frame *f)
{
	const bool number = o->how == PAIR_INT || o->how == PAIR_SYMBOL;

	if (!f || !((number ? f->numbers : f->has) >> o->slot & 1))
		derived_put_null(out);
	else if (o->how == PAIR_INT)
		derived_put_int(out, (int64_t)f->slots[o->slot]);
	else if (o->how == PAIR_SYMBOL)
		derived_put_symbol(out, f->type->in, f->slots[o->slot]);
	else
		derived_put_name(out, f->texts[o->slot]);
}

/* Puts one column: a value of the begin or the end, or a fact about both. */
static void put_out(struct pairs *p, const struct pair_out *o, const struct pair_frame *f,
		    const struct pair_frame *end)
{
	struct derived_out *out = p->state.out;

	if (o->from == PAIR_OUT_BEGIN)
		put_slot(out, o, f);
	else if (o->from == PAIR_OUT_END)
		put_slot(out, o, end);
	else if (o->from == PAIR_OUT_GROUP)
		derived_put_name(out, p->def->groups[f->group]);
	else if (o->from == PAIR_OUT_BEFORE)
		derived_put_known(out, f->has_before, f->before);
	else if (o->from == PAIR_OUT_WAIT)
		derived_put_known(out, f->has_before && !derived_goes_back(f->before, f->open.ts),
				  f->open.ts - f->before);
	else if (o->from == PAIR_OUT_END_CPU)
		derived_put_known(out, end, end ? end->open.cpu : 0);
	else
		derived_put_known(out, end, end ? (uint64_t)end->open.pid : 0);
}

/* The values of a row; end->how is the frame of the end, NULL: there was none. */
void pair_put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct pairs *p = state;

	(void)entry;
	for (size_t i = 0; i < p->def->out_count; i++)
		put_out(p, &p->def->outs[i], interval, end->how);
}

/* ---- what an event has ---- */

static enum pair_role role_of(const struct derived_type *type)
{
	return (enum pair_role)(type->kind % PAIR_ROLES);
}

/* Slots of a type that are put as names or texts, as bits. */
static uint32_t names_in(const struct pairs *p, const struct derived_type *type)
{
	switch (role_of(type)) {
	case PAIR_END:
	case PAIR_END_IF:
		return p->end_names;
	case PAIR_TURN:
		return p->begin_names | p->end_names;
	default:
		return p->begin_names;
	}
}

/* A number that is of the event and no field, under a name that no field of the format has. */
static bool fact_of(const struct tdat_event *ev, const char *name, uint64_t *value)
{
	if (!strcmp(name, "CPU"))
		*value = ev->cpu;
	else if (!strcmp(name, "TASK"))
		*value = derived_task_key(ev->pid, ev->cpu);
	else
		return false;
	return true;
}

/* The name of a slot, by view or from the printed text. */
static const char *name_of_slot(struct pairs *p, const struct derived_type *type,
				const struct tdat_event *ev, uint32_t slot)
{
	const struct names_printed *printed = p->def->printed;

	if (printed && (printed->field != slot || role_of(type) != PAIR_BEGIN))
		printed = NULL;
	return names_of(&p->names, type, slot, printed, ev);
}

/* Reads the fields of an event into a frame. has: the slot has a value; numbers: it is a number. */
static void read_slots(struct pairs *p, const struct derived_type *type,
		       const struct tdat_event *ev, struct pair_frame *f)
{
	const uint32_t names = names_in(p, type);
	const char *const *slots = type->event->fields;

	f->open = (struct derived_open){
		.cpu = ev->cpu, .stays = p->def->stays, .ts = ev->ts, .pid = ev->pid};
	f->type = type;
	f->group = type->kind / PAIR_ROLES;
	f->has = f->numbers = 0;
	for (uint32_t i = 0; i < PAIR_SLOTS && slots[i]; i++) {
		const struct derived_field *field = &type->fields[i];

		if (!field->field && fact_of(ev, slots[i], &f->slots[i])) {
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
		/* A key of text is the text's address: the same text has the same address. */
		if (field->len)
			f->numbers |= 1u << i;
		else
			f->slots[i] = (uintptr_t)f->texts[i];
	}
}

/* The key: recording, and CPU, task or fields. False: a field of it is missing. */
static bool find_key(const struct pairs *p, const struct pair_frame *f, uint32_t rec,
		     uint64_t key[4])
{
	key[0] = rec;
	key[1] = key[2] = 0;
	key[3] = f->group;
	if (p->def->by == PAIR_BY_CPU)
		key[1] = f->open.cpu;
	if (p->def->by == PAIR_BY_TASK)
		key[1] = derived_task_key(f->open.pid, f->open.cpu);
	for (uint32_t i = 0; p->def->by == PAIR_BY_KEY && i < p->def->key_slots; i++) {
		if (!(f->has >> i & 1))
			return false;
		key[1 + i] = f->slots[i];
	}
	return true;
}

/* Whether no loss was since that could have hidden an event before of this key. */
static bool is_before_known(const struct pairs *p, const struct before *b, const uint64_t key[4])
{
	const uint32_t rec = (uint32_t)key[0];

	return p->def->by == PAIR_BY_CPU
		       ? derived_knows_running(&p->state, rec, (uint32_t)key[1], b->known - 1)
		       : derived_knows(&p->state, rec, b->known - 1);
}

/* ---- events ---- */

/*
 * What was before an interval is by its key, and where ends must match, by its match. False: the
 * event lacks that field.
 */
static bool before_key(const struct pairs *p, const struct pair_frame *f, const uint64_t key[4],
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

/* Remembers the time before an interval: the first one, or with last_before the last. */
static void take_before(struct pairs *p, const struct pair_frame *f, const uint64_t key[4])
{
	uint64_t at[4];
	struct before *b;

	if (!before_key(p, f, key, at))
		return;
	b = derived_entry_get(&p->state, &p->befores, at);
	if (!b || (!p->def->last_before && b->known && is_before_known(p, b, key)))
		return;
	b->ts = f->open.ts;
	b->known = derived_now(&p->state, (uint32_t)key[0]) + 1;
}

/* Takes the time before an interval that begins now. */
static void find_before(struct pairs *p, struct pair_frame *f, const uint64_t key[4])
{
	uint64_t at[4];
	struct before *b;

	f->has_before = false;
	if (!before_key(p, f, key, at))
		return;
	b = tdat_entry_find(&p->befores, at);
	if (!b)
		return;
	f->has_before = is_before_known(p, b, key);
	f->before = b->ts;
	tdat_entry_remove(&p->befores, b);
}

/* Begins an interval. If intervals of a key do not nest, an open one was not ended. */
static void take_begin(struct pairs *p, struct pair_frame *f, const uint64_t key[4])
{
	struct derived_entry *s = derived_get(p, key);

	if (!s)
		return;
	if (s->top && !p->def->nests)
		derived_leave_open(p, s, DERIVED_OPEN_UNENDED);
	find_before(p, f, key);
	f->open.known = derived_now(&p->state, (uint32_t)key[0]);
	derived_push(p, s, f);
}

/* True if the end belongs to the begin: where ends must match, the first slots are equal. */
static bool fits(const struct pairs *p, const struct pair_frame *begin,
		 const struct pair_frame *end)
{
	return !p->def->matches || (begin->has & end->has & 1 && begin->slots[0] == end->slots[0]);
}

/* Ends the innermost interval that fits. needed: without one this is noted. */
static void take_end(struct pairs *p, const struct pair_frame *end, const uint64_t key[4],
		     bool needed)
{
	struct derived_entry *s = derived_find(p, key);
	const struct pair_frame *begin = s ? derived_interval(&p->state, s->top) : NULL;

	while (begin && !fits(p, begin, end))
		begin = derived_interval(&p->state, begin->open.below);
	if (begin) {
		/* Those that were begun later have no end: an outer one ends before them. */
		while (derived_interval(&p->state, s->top) != begin)
			derived_leave_open(p, s, DERIVED_OPEN_UNENDED);
		derived_close(p, s, end->open.ts, end);
	} else if (needed) {
		derived_note(p->state.out, DERIVED_NO_START);
	}
	/*
	 * Keys may be addresses of kernel objects, of which there are many: empty ones are
	 * removed.
	 */
	if (s && !s->top && p->def->by != PAIR_BY_CPU)
		derived_remove(p, s);
}

/* Adapters: filters call back with the environment as their context. */
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
	const struct model_filter *filter = p->def->filters[role_of(type)];
	const struct model_filter_env env = {type->format->big, filter_name, filter_symbols,
					     type->env};
	const struct model_filter_event e = {ev->record, ev->ts, ev->cpu, ev->pid, NULL, 0};
	struct model_filter_prog **prog = &p->progs[type->index];

	if (!filter)
		return true;
	if (!*prog && model_filter_bind(prog, filter, type->format, &env, NULL) != TDAT_OK) {
		derived_note(p->state.out, "event whose filter cannot be evaluated");
		return false;
	}
	return model_filter_run(*prog, &e) == MODEL_FILTER_MATCH;
}

/* A row of an event alone. */
static void put_moment(struct pairs *p, struct pair_frame *f, const struct tdat_event *ev,
		       uint32_t rec)
{
	const struct derived_row row = derived_moment(ev, rec);
	const struct derived_end none = {.ts = ev->ts};

	f->has_before = false;
	if (!derived_row_begin(p->state.out, &row))
		return;
	pair_put(p, NULL, f, &none);
	derived_row_end(p->state.out);
}

/* Sends an event to its role. */
void pair_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		uint32_t rec)
{
	const enum pair_role role = role_of(type);
	struct pairs *p = state;
	struct pair_frame f;
	uint64_t key[4];

	if (!passes(p, type, ev))
		return;
	read_slots(p, type, ev, &f);
	if (role == PAIR_MOMENT) {
		put_moment(p, &f, ev, rec);
		return;
	}
	if (!find_key(p, &f, rec, key))
		return;
	if (role == PAIR_BEFORE)
		take_before(p, &f, key);
	if (role == PAIR_END || role == PAIR_END_IF || role == PAIR_TURN)
		take_end(p, &f, key, role == PAIR_END);
	if (role == PAIR_TURN)
		key[3] = ++f.group;
	if (role == PAIR_BEGIN || role == PAIR_TURN)
		take_begin(p, &f, key);
}

void pair_free(void *state)
{
	struct pairs *p = state;

	tdat_entries_fini(&p->befores);
	names_fini(&p->names);
	for (uint32_t i = 0; p->progs && i < derived_type_count(p->state.out); i++)
		model_filter_prog_free(p->progs[i]);
	free(p->progs);
}

/* Finds which slots need names, and makes the tables of the machine. */
enum tdat_status pair_begin(void *state, struct tdat_error *err)
{
	struct pairs *p = state;
	const uint32_t types = derived_type_count(p->state.out);

	p->def = p->state.def->own;
	tdat_entries_init(&p->befores, sizeof(struct before), TDAT_KEY_MOST, PAIR_OPEN_MOST);
	for (size_t i = 0; i < p->def->out_count; i++) {
		const struct pair_out *o = &p->def->outs[i];
		const bool named = o->how == PAIR_NAME || o->how == PAIR_TEXT;

		p->begin_names |= named && o->from == PAIR_OUT_BEGIN ? 1u << o->slot : 0;
		p->end_names |= named && o->from == PAIR_OUT_END ? 1u << o->slot : 0;
	}
	/* Keys that are texts are compared by their addresses, on both ends. */
	for (uint32_t i = 0; i < p->def->key_slots; i++)
		p->end_names |= p->begin_names & 1u << i;
	p->progs = calloc((size_t)types + 1, sizeof(struct model_filter_prog *));
	if (!p->progs)
		return tdat_error_no_memory(err, "filters of pairs");
	return names_init(&p->names, p->state.out, err);
}
