/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts an event in the histograms of its triggers. Per trigger: the key, the variables of
 * other histograms, the entry, its sums and variables, then the actions. The order of these
 * steps is the kernel's: a variable is set before an action reads it. Actions may make
 * synthetic events, whose triggers are hit in turn, to a limited depth. Called by replay.c;
 * plain histograms go through batch.c instead.
 */
#include "hit.h"

#include "filter.h"
#include "synth.h"
#include "tasks.h"

/* One hit of one trigger. */
struct run {
	struct tdat_hist *h;
	struct hist_data *d;
	/* Computes fields of the event that is counted. */
	struct hist_eval ev;
	/* Values of d->refs, by ref_idx: copies, as the variables may change during the hit. */
	struct hist_value refs[HIST_VARS];
	const uint8_t *key;
	uint8_t *entry;
	struct hist_vars *vars; /* of the entry; NULL if entries have none */
	/* Number of the entry's task name (tasks.h). 0: not known, or keys have no .execname. */
	uint32_t task;
};

/* Variables are numbered per entry; there are at most HIST_VARS, so a bit each suffices. */
static void set_var(struct run *r, uint32_t idx, struct hist_value v)
{
	r->vars->set |= 1u << idx;
	r->vars->v[idx] = v;
}

/*
 * Reads the variables of this histogram (own), or those of others. False: one is not set. Entries
 * of others are found by the key of this hit, as in the kernel's resolve_var_refs().
 */
static bool read_refs(struct run *r, uint8_t *key, bool own)
{
	for (uint32_t i = 0; i < r->d->ref_count; i++) {
		const struct hist_field *f = r->d->refs[i];
		struct hist_data *of = f->data;
		struct hist_vars *vars;
		uint8_t *entry;

		if ((of == r->d) != own)
			continue;
		/* The other key may be longer: what lies behind this one counts as zeros. */
		if (of->key_len > r->d->key_len)
			memset(key + r->d->key_len, 0, of->key_len - r->d->key_len);
		entry = own ? r->entry : hist_map_find(of->map, key);
		if (!entry)
			return false;
		vars = hist_entry_vars(of->map, entry);
		if (!(vars->set & 1u << f->var_idx))
			return false;
		r->refs[i] = vars->v[f->var_idx];
		/* A variable of another histogram is used once if it was read by an expression. */
		if (!own && f->read_once)
			vars->set &= ~(1u << f->var_idx);
	}
	return true;
}

/* Stores fields in variables of the entry; *text is the first free place for a string. */
static void store_fields(struct run *r, const struct hist_field_var *list, uint32_t count,
			 struct hist_text *text)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct hist_field *val = list[i].val;
		struct hist_value v = {0, NULL};

		if (val->flags & (HF_STRING | HF_STACKTRACE)) {
			hist_eval_text(&r->ev, val, r->task, text);
			v.str = text++;
		} else {
			v = hist_eval_value(&r->ev, val);
		}
		set_var(r, list[i].var->var_idx, v);
	}
}

/*
 * Stores a variable that the trigger's text defines. Its string lies behind those of fields and of
 * save().
 */
static void store_var(struct run *r, const struct hist_field *f, struct hist_text *texts)
{
	struct hist_value v = {0, NULL};

	if (f->flags & (HF_STRING | HF_STACKTRACE)) {
		struct hist_text *t =
			&texts[r->d->field_str_count + r->d->save_str_count + f->str_idx];

		hist_eval_text(&r->ev, f, r->task, t);
		v.str = t;
	} else {
		v = hist_eval_value(&r->ev, f);
	}
	set_var(r, f->var_idx, v);
}

/*
 * Adds the hit to the entry. Values and variables are set in the order of the text, so a variable
 * may use those before it.
 */
static void update_entry(struct run *r)
{
	const struct hist_data *d = r->d;
	uint64_t *sums = hist_entry_sums(d->map, r->entry);
	struct hist_text *texts = hist_entry_texts(d->map, r->entry);

	sums[0]++;
	for (uint32_t i = 1; i < d->val_count; i++) {
		const struct hist_field *f = d->fields[i];

		if (f->flags & HF_VAR)
			store_var(r, f, texts);
		else
			sums[i] += hist_eval(&r->ev, f);
	}
	store_fields(r, d->field_vars, d->field_var_count, texts);
}

/* ---- actions ---- */

/* Generates a synthetic event from the variables that the action names, and hits its triggers. */
static enum tdat_status trace(struct run *r, const struct hist_action *a)
{
	struct tdat_hist *h = r->h;
	const struct hist_value *values[HIST_PARAMS];
	struct hist_hit hit = *r->ev.hit;
	enum tdat_status st = TDAT_OK;
	uint8_t *record;

	/*
	 * Triggers on synthetic events can multiply them, so a file could keep a run busy for ever.
	 */
	if (++h->made > HIST_MADE_MOST)
		return tdat_error_set(h->err, TDAT_E_LIMIT, r->ev.hit->event->off,
				      "one event creates more than %d synthetic events",
				      HIST_MADE_MOST);
	/* One for each level of triggers within triggers, which depth counts from 1. */
	record = h->records[h->depth - 1];
	if (!record)
		record = h->records[h->depth - 1] = hist_alloc(h, 1, HIST_SYNTH_LEN_MOST);
	if (!record)
		return tdat_error_no_memory(h->err, "a synthetic event");
	for (uint32_t i = 0; i < a->param_count; i++)
		values[i] = &r->refs[a->refs[i]];
	/* It keeps the time, CPU and task of the event that caused it. */
	hit.len = hist_synth_record(h, a->synth, values, r->ev.hit, record);
	hit.record = record;
	hit.has_stack = false;
	hit.frame_count = 0;
	a->synth->synth->made++;
	if (h->on_synth)
		st = h->on_synth(h->on_synth_ctx, a->synth->format,
				 (struct tdat_span){record, hit.len}, hit.event, h->err);
	if (st == TDAT_OK && a->synth->trigger_count)
		st = hist_hit_event(h, a->synth, &hit);
	return st;
}

/* The snapshot keeps the entry with the largest value, or the one that changed last. */
static void snapshot(struct run *r, const struct hist_action *a, uint64_t v)
{
	struct hist_data *d = r->d;

	if (a->handler == HIST_ONMAX ? v <= d->snapshot_value : v == d->snapshot_value)
		return;
	d->snapshot_taken = true;
	d->snapshot_value = v;
	d->snapshot_action = a;
	d->snapshot_task = r->task;
	memcpy(d->snapshot_key, r->key, d->key_len);
}

/*
 * Runs an action after its entry was updated. onmax and onchange compare with the hidden variable.
 */
static enum tdat_status act(struct run *r, const struct hist_action *a)
{
	struct hist_text *texts;
	uint64_t v, old;

	if (a->handler == HIST_ONMATCH)
		return trace(r, a);
	v = r->refs[a->var_ref].num;
	/* 0 before the first hit: a first value of 0 does not fire. */
	old = r->vars->v[a->track_idx].num;
	if (a->handler == HIST_ONMAX ? v <= old : v == old)
		return TDAT_OK;
	set_var(r, a->track_idx, (struct hist_value){v, NULL});
	switch (a->kind) {
	case HIST_TRACE:
		return trace(r, a);
	case HIST_SAVE:
		texts = hist_entry_texts(r->d->map, r->entry);
		store_fields(r, r->d->save_vars, r->d->save_var_count,
			     texts + r->d->field_str_count);
		return TDAT_OK;
	case HIST_SNAPSHOT:
		snapshot(r, a, v);
		break;
	}
	return TDAT_OK;
}

/* ---- a hit ---- */

/* The parts of a hit that only some histograms need: variables, names, actions. */
static enum tdat_status hit_full(struct run *r, uint8_t *key)
{
	struct hist_data *d = r->d;
	enum tdat_status st = TDAT_OK;
	bool made, nomem = false;

	r->ev.refs = r->refs;
	/*
	 * Without a referenced variable the hit is not counted at all, as in event_hist_trigger().
	 */
	if (d->ref_count && !read_refs(r, key, false))
		return TDAT_OK;
	r->entry = hist_map_insert(d->map, key, hist_map_hash(d->map, key), &made, &nomem);
	if (!r->entry)
		return nomem ? tdat_error_no_memory(r->h->err, "a histogram") : TDAT_OK;
	r->vars = d->map_vars ? hist_entry_vars(d->map, r->entry) : NULL;
	/* The name is that of the entry's first hit, which the kernel saves in the entry. */
	if (d->execname) {
		uint32_t *task = hist_entry_task(d->map, r->entry);

		if (made)
			*task = hist_tasks_number(r->h, r->ev.hit->pid);
		r->task = *task;
	}
	update_entry(r);
	/* Own variables are read after the update: actions see their new values. */
	if (!d->action_count || !read_refs(r, key, true))
		return TDAT_OK;
	for (uint32_t i = 0; st == TDAT_OK && i < d->action_count; i++)
		st = act(r, d->actions[i]);
	return st;
}

/* The same for histograms without variables and names, one event at a time. */
static enum tdat_status hit_plain(struct tdat_hist *h, struct hist_data *d,
				  const struct hist_eval *ev, const uint8_t *key)
{
	bool made, nomem = false;
	uint8_t *entry = hist_map_insert(d->map, key, hist_map_hash(d->map, key), &made, &nomem);
	uint64_t *sums;

	if (!entry)
		return nomem ? tdat_error_no_memory(h->err, "a histogram") : TDAT_OK;
	sums = hist_entry_sums(d->map, entry);
	sums[0]++;
	for (uint32_t i = 1; i < d->val_count; i++)
		sums[i] += hist_eval(ev, d->fields[i]);
	return TDAT_OK;
}

/* Counts a hit in one histogram, unless the record or its stack is missing. */
static enum tdat_status hit_data(struct tdat_hist *h, struct hist_data *d,
				 const struct hist_hit *hit)
{
	const struct hist_eval ev = {h, d, hit, NULL, d->attrs.usecs && h->clock_ns};
	uint64_t room[HIST_KEY_MOST / 8];
	uint8_t *key = (uint8_t *)room;
	struct run r;

	/* All fixed fields are read without further checks, so they must lie in the record. */
	if (hit->len < d->need_len) {
		h->short_records++;
		return TDAT_OK;
	}
	if (d->stack && !hit->has_stack) {
		h->no_stack++;
		return TDAT_OK;
	}
	/* Aligned to 8, as the keys are compared by words. */
	hist_eval_key(&ev, key);
	if (!d->map_vars && !d->ref_count && !d->execname)
		return hit_plain(h, d, &ev, key);
	r.h = h;
	r.d = d;
	r.ev = ev;
	r.key = key;
	r.task = 0;
	return hit_full(&r, key);
}

/* enable_hist and disable_hist: sets the pause flag of all histograms of the other event. */
static void enable(struct hist_trigger *t)
{
	if (!t->count)
		return;
	/* A count below 0 is unlimited. */
	if (t->count > 0)
		t->count--;
	for (size_t i = 0; i < t->target->trigger_count; i++)
		if (t->target->triggers[i]->data)
			t->target->triggers[i]->paused = !t->enable;
}

enum tdat_status hist_hit_event(struct tdat_hist *h, struct hist_event *e,
				const struct hist_hit *hit)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < e->trigger_count; i++) {
		struct hist_trigger *t = e->triggers[i];

		if (t->paused || (t->filter && !hist_filter_run(h, t->filter, hit)))
			continue;
		if (!t->data) {
			enable(t);
		} else if (h->depth < HIST_DEPTH) {
			/*
			 * Deeper hits are dropped: the kernel has buffers for HIST_DEPTH contexts
			 * per CPU.
			 */
			h->depth++;
			st = hit_data(h, t->data, hit);
			h->depth--;
		}
	}
	return st;
}
