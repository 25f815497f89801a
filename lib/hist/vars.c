/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the variables of hist triggers and makes references to them. A variable belongs to a
 * histogram and is found by name, on the histogram's own event first, then on others, as the
 * kernel searches. A reference makes the reading histogram depend on the other one, which may
 * then not be removed.
 */
#include "field.h"

struct hist_field *hist_var_of(const struct hist_data *d, const char *name)
{
	for (uint32_t i = 0; i < d->field_count; i++) {
		struct hist_field *f = d->fields[i];

		if (f && (f->flags & HF_VAR) && f->var_name && !strcmp(f->var_name, name))
			return f;
	}
	return NULL;
}

/* Searches the histograms of an event, in the order of their triggers. */
static struct hist_field *var_of_event(const struct hist_event *e, const char *name)
{
	struct hist_field *f = NULL;

	for (size_t i = 0; !f && i < e->trigger_count; i++)
		if (e->triggers[i]->data)
			f = hist_var_of(e->triggers[i]->data, name);
	return f;
}

struct hist_field *hist_var_on(const struct hist_data *d, const char *name)
{
	struct hist_field *f = hist_var_of(d, name);

	return f ? f : var_of_event(d->event, name);
}

/* Returns the event that has a variable: the named one, or the only one with that variable. */
static struct hist_event *event_of_var(struct tdat_hist *h, const char *system, const char *event,
				       const char *name)
{
	struct hist_event *found = NULL;

	if (system)
		return event ? hist_event_find(h, system, event) : NULL;
	/* Newest first, as in the kernel's list hist_vars. */
	for (size_t i = h->data_count; i-- > 0;) {
		const struct hist_data *d = h->datas[i];

		if (!d->has_vars || d->event == found || !hist_var_of(d, name))
			continue;
		if (found)
			return hist_refused(h, HIST_E_VAR_NOT_UNIQUE, name);
		found = d->event;
	}
	return found;
}

/* Searches the events that onmatch() names; *bad: more than one has it. */
static struct hist_field *var_of_matches(struct tdat_hist *h, const struct hist_data *d,
					 const char *name, bool *bad)
{
	struct hist_field *found = NULL;

	for (uint32_t i = 0; i < d->action_count; i++) {
		const struct hist_action *a = d->actions[i];
		struct hist_field *f;
		struct hist_event *e;

		if (a->handler != HIST_ONMATCH)
			continue;
		e = event_of_var(h, a->match_system, a->match_event, name);
		f = e ? var_of_event(e, name) : NULL;
		if (!f)
			continue;
		if (found) {
			hist_refuse(h, HIST_E_VAR_NOT_UNIQUE, name);
			*bad = true;
			return NULL;
		}
		found = f;
	}
	return found;
}

struct hist_field *hist_var_find(struct tdat_hist *h, struct hist_data *d, const char *system,
				 const char *event, const char *name)
{
	struct hist_field *f;
	struct hist_event *e;
	bool bad = false;

	if (!system || !event) {
		f = var_of_matches(h, d, name, &bad);
		if (f || bad)
			return f;
	}
	e = event_of_var(h, system, event, name);
	return e ? var_of_event(e, name) : NULL;
}

void hist_var_init_ref(struct hist_field *f, const struct hist_field *var, const char *system,
		       const char *event)
{
	f->var_idx = var->var_idx;
	f->data = var->data;
	f->size = var->size;
	f->is_signed = var->is_signed;
	f->flags |= var->flags & (HF_TIMESTAMP | HF_USECS);
	f->system = system;
	f->event_name = event;
	f->name = var->var_name ? var->var_name : var->name;
	f->type = var->type;
}

/* References are shared: each variable is read once per hit. */
struct hist_field *hist_var_ref(struct tdat_hist *h, struct hist_data *d, struct hist_field *var,
				const char *system, const char *event)
{
	struct hist_field *f;

	for (uint32_t i = 0; i < d->ref_count; i++)
		if (d->refs[i]->var_idx == var->var_idx && d->refs[i]->data == var->data)
			return d->refs[i];
	if (d->ref_count == HIST_VARS)
		return NULL;
	f = hist_field_new(h, var->data, NULL, HF_VAR_REF, NULL);
	if (!f)
		return NULL;
	hist_var_init_ref(f, var, system, event);
	f->ref_idx = d->ref_count;
	d->refs[d->ref_count++] = f;
	return f;
}

/* Variables have a bit each in struct hist_vars, and the kernel has the same limit. */
bool hist_var_index(struct hist_data *d, uint32_t *idx)
{
	if (d->map_vars == HIST_VARS)
		return false;
	*idx = d->map_vars++;
	return true;
}
