/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Works out, before events are read, which parts of records and of the file the triggers need. All
 * triggers are known and no event has been read yet. The plan sets which bytes a record must have,
 * whether hits can be counted in batches, and whether stacks and names of tasks are needed. Called
 * once by replay.c.
 */
#include <stdlib.h>

#include "batch.h"
#include "filter_step.h"
#include "tasks.h"
#include "trigger.h"

/*
 * Raises d->need_len to the end of a field, so that hits read it without a check. Strings with a
 * __data_loc are checked per record.
 */
static void need_field(struct hist_data *d, const struct hist_field *f, uint32_t level)
{
	if (!f || level > 4)
		return;
	if (f->field && f->field->len && f->fn != HIST_FN_DYN && f->fn != HIST_FN_REL) {
		const uint32_t end = f->field->off <= UINT32_MAX - f->field->len
					     ? f->field->off + f->field->len
					     : UINT32_MAX;

		d->need_len = end > d->need_len ? end : d->need_len;
	}
	if ((f->flags & HF_STACKTRACE) && !f->field)
		d->stack = true;
	if (f->flags & HF_EXECNAME)
		d->execname = true;
	/* The variable belongs to another histogram, whose own plan reads its field. */
	if (f->flags & HF_VAR_REF)
		return;
	need_field(d, f->operands[0], level + 1);
	need_field(d, f->operands[1], level + 1);
}

static void note_value(struct tdat_hist *h, const struct hist_data *d, const struct hist_field *f)
{
	if (!(f->flags & HF_VAR) && (f->flags & HF_STRING))
		hist_note(h,
			  "a value of %s/%s is a string: the kernel adds up string addresses, but "
			  "the file has none, so the sum is 0",
			  d->event->system, d->event->name);
}

static void plan_data(struct tdat_hist *h, struct hist_data *d)
{
	for (uint32_t i = 0; i < d->field_count; i++) {
		need_field(d, d->fields[i], 0);
		if ((d->fields[i]->flags & HF_SYSCALL) && !h->syscalls)
			hist_note(h,
				  ".syscall: the names of system calls are not known for machine "
				  "'%s'",
				  h->machine);
	}
	for (uint32_t i = 0; i < d->field_var_count; i++)
		need_field(d, d->field_vars[i].val, 0);
	for (uint32_t i = 0; i < d->save_var_count; i++)
		need_field(d, d->save_vars[i].val, 0);
	for (uint32_t i = 1; i < d->val_count; i++)
		note_value(h, d, d->fields[i]);
	/* Times are never converted between clocks: the file has those of its own. */
	if (d->stamps && d->attrs.clock_given && *h->clock && strcmp(d->attrs.clock, h->clock) != 0)
		hist_note(h,
			  "a trigger of %s/%s requests the clock %s, but the file has timestamps "
			  "of %s",
			  d->event->system, d->event->name, d->attrs.clock, h->clock);
	for (uint32_t i = 0; i < d->action_count; i++) {
		struct hist_action *a = d->actions[i];

		/*
		 * Its records come from actions; those that the kernel made and the file has are
		 * not counted, too.
		 */
		if (a->kind == HIST_TRACE)
			a->synth->is_made = true;
		if (a->kind == HIST_SNAPSHOT)
			hist_note(h,
				  "snapshot() of %s/%s writes only its text, because a file has no "
				  "buffer to swap",
				  d->event->system, d->event->name);
	}
}

static bool make_map(struct tdat_hist *h, struct hist_data *d)
{
	/* The table comes last: its layout depends on all fields and variables. */
	d->map = hist_map_new(d, h->seed);
	d->snapshot_key = hist_alloc(h, 1, d->key_len);
	return d->map && d->snapshot_key;
}

/* True if the file's event of that name has the fields of this one. */
static bool is_as_in_file(const struct tdat_hist *h, const struct hist_event *e)
{
	const struct tdat_event_format *f = tdat_file_format_by_name(h->file, e->system, e->name);

	if (!f)
		return false;
	for (size_t i = 0; i < e->field_count; i++) {
		const struct tdat_field *old = tdat_event_format_field(f, e->fields[i].name);

		if (!old || old->off != e->fields[i].off || old->len != e->fields[i].len)
			return false;
	}
	return true;
}

static void plan_event(struct tdat_hist *h, struct hist_event *e)
{
	for (size_t i = 0; i < e->trigger_count; i++) {
		const struct hist_trigger *t = e->triggers[i];

		e->stack |= t->data && t->data->stack;
		e->execname |= (t->data && t->data->execname) || (t->filter && t->filter->comm);
		/* The kernel takes a new timestamp when it writes the synthetic event. */
		if (e->is_made && t->data && t->data->stamps)
			hist_note(h,
				  "synthetic/%s has the timestamps of the events that create it; "
				  "the kernel's are slightly later",
				  e->name);
	}
	if (e->is_made && e->stack)
		hist_note(h,
			  "the file lacks stacks of synthetic/%s: hits that need them are omitted",
			  e->name);
	/*
	 * Synthetic events are hit directly by actions, so their id in the file is not looked up.
	 */
	if (e->is_made || !e->trigger_count)
		return;
	/* The file's records have another layout than the defined event. */
	if (e->synth && !e->synth->of_file && !is_as_in_file(h, e)) {
		hist_note(h,
			  "no trigger creates the synthetic event %s, and the file contains none",
			  e->name);
		return;
	}
	/* Ids have 16 bits, which FILE_ID_COUNT covers. */
	h->by_id[e->id & (FILE_ID_COUNT - 1)] = e;
	e->plain = hist_is_plain(h, e) ? e->triggers[0]->data : NULL;
}

bool hist_plan(struct tdat_hist *h)
{
	h->by_id = calloc(FILE_ID_COUNT, sizeof(struct hist_event *));
	if (!h->by_id || !hist_tasks_init(h))
		return false;
	/* Histograms first: whether an event needs stacks or names follows from them. */
	for (size_t i = 0; i < h->data_count; i++) {
		plan_data(h, h->datas[i]);
		if (!make_map(h, h->datas[i]))
			return false;
	}
	/* A pause by any trigger decides for all, so it is known before events are planned. */
	for (struct hist_event *e = h->shown; e; e = e->next_shown)
		for (size_t i = 0; i < e->trigger_count; i++)
			h->enables |= !e->triggers[i]->data;
	for (struct hist_event *e = h->shown; e; e = e->next_shown)
		plan_event(h, e);
	return !h->nomem;
}
