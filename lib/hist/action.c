/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds what actions name: variables, fields, synthetic events. The text was taken apart by
 * action_text.c; here each name becomes a variable, a field or a synthetic event, in the order
 * in which the kernel looks, since that decides which error is reported. A field of the event
 * of onmatch() gets a hidden histogram of its own, as in the kernel. Called by trigger.c.
 */
#include "trigger.h"

/*
 * Makes a variable of d without an expression. NULL: the event's histograms have the name already,
 * or d has HIST_VARS variables.
 */
static struct hist_field *make_var(struct tdat_hist *h, struct hist_data *d, const char *name,
				   uint32_t size, const char *type)
{
	struct hist_field *f;
	uint32_t idx;

	if (hist_var_on(d, name) || !hist_var_index(d, &idx))
		return NULL;
	f = hist_alloc(h, 1, sizeof(*f));
	if (!f)
		return NULL;
	f->flags = HF_VAR;
	f->var_idx = idx;
	f->data = d;
	f->size = size;
	f->type = type;
	f->var_name = name;
	return f;
}

/*
 * Makes a variable for a bare field of d's event (the kernel's create_field_var()). Each hit copies
 * out->val into out->var.
 */
static bool make_field_var(struct tdat_hist *h, struct hist_data *d, const char *name,
			   struct hist_field_var *out)
{
	char *copy = hist_strdup(h, name);
	uint32_t flags = HF_VAR;

	if (!copy)
		return false;
	if (d->field_var_count >= HIST_PARAMS)
		return hist_refuse(h, HIST_E_FIELD_VARS, name);
	/* The field comes first, then the variable: each has its own line in error_log. */
	out->val = hist_field_atom(h, d, copy, &flags, NULL);
	if (!out->val)
		return hist_refuse(h, HIST_E_FIELD_VAR_PARSE, name);
	out->var = make_var(h, d, name, out->val->size, out->val->type);
	if (!out->var)
		return hist_refuse(h, HIST_E_VAR_CREATE, name);
	return true;
}

/* True if the value is a string or a stack, so that each entry needs a struct hist_text for it. */
static bool is_text(const struct hist_field_var *v)
{
	return v->val->flags & (HF_STRING | HF_STACKTRACE);
}

/* ---- a field of the onmatch event: a histogram of its own ---- */

/*
 * The kernel's compatible_keys(): only key types count, as a key of one event is looked up in the
 * other.
 */
static bool same_keys(const struct hist_data *a, const struct hist_data *b)
{
	if (a->key_count != b->key_count)
		return false;
	for (uint32_t i = 0; i < a->key_count; i++) {
		const struct hist_field *x = a->fields[a->val_count + i];
		const struct hist_field *y = b->fields[b->val_count + i];

		if (strcmp(x->type, y->type) != 0 || x->size != y->size ||
		    x->is_signed != y->is_signed)
			return false;
	}
	return true;
}

/* Returns the first histogram of e with d's key types, or NULL. */
static const struct hist_trigger *find_compatible(const struct hist_data *d,
						  const struct hist_event *e)
{
	for (size_t i = 0; i < e->trigger_count; i++)
		if (e->triggers[i]->data && same_keys(e->triggers[i]->data, d))
			return e->triggers[i];
	return NULL;
}

/*
 * Returns the text of a hidden histogram that saves one field under the keys and the filter of
 * like.
 */
static const char *hidden_text(struct tdat_hist *h, const struct hist_trigger *like,
			       const char *name)
{
	const struct hist_data *d = like->data;
	const char *keys = NULL;

	/* A key that is not a field (a stack) leaves an empty word, as in the kernel. */
	for (uint32_t i = 0; i < d->key_count; i++) {
		const struct hist_field *f = d->fields[d->val_count + i];
		const char *key = f->field ? f->field->name : "";

		keys = keys ? hist_text(h, "%s,%s", keys, key) : key;
		if (!keys)
			return NULL;
	}
	return hist_text(h, "keys=%s:synthetic_%s=%s%s%s", keys, name, name,
			 like->filter_str ? " if " : "", like->filter_str ? like->filter_str : "");
}

/*
 * Returns the variable that holds a field of another event. It is made with a hidden histogram of
 * that event, which copies keys and filter of the histogram that d's keys match.
 */
static struct hist_field *make_hidden(struct tdat_hist *h, struct hist_data *d, const char *system,
				      const char *event, const char *name)
{
	struct hist_event *e = hist_event_find(h, system, event);
	const char *var_name = hist_text(h, "synthetic_%s", name), *text;
	const struct hist_trigger *like;
	struct hist_field *f;

	if (!var_name)
		return NULL;
	if (!e)
		return hist_refused(h, HIST_E_NO_FILE, name);
	/* Without a histogram of the same keys no hit could find the saved value. */
	like = find_compatible(d, e);
	if (!like)
		return hist_refused(h, HIST_E_NO_HIST, name);
	/* Two parameters that name one field share its variable. */
	f = hist_var_find(h, d, system, event, var_name);
	if (f)
		return f;
	text = hidden_text(h, like, name);
	if (!text || !hist_trigger_add_hidden(h, e, text))
		return hist_refused(h, HIST_E_CREATE, name);
	f = hist_var_find(h, d, system, event, var_name);
	return f ? f : hist_refused(h, HIST_E_SYNTH_VAR, name);
}

/* ---- parameters ---- */

/* True if a parameter's qualifier is absent or names the event of d. */
static bool is_own_event(const struct hist_data *d, const char *system, const char *event)
{
	return !system || (!strcmp(system, d->event->system) && !strcmp(event, d->event->name));
}

/*
 * Finds "$x" or "system.event.$x": first in d, then where the qualifier or onmatch() points.
 * Unqualified names of onmatch(system.event) mean that event; other handlers search all events.
 */
static struct hist_field *find_param_var(struct tdat_hist *h, struct hist_data *d, bool own,
					 const char *system, const char *event, const char *name)
{
	struct hist_field *f = own ? hist_var_of(d, name) : NULL;

	if (!f)
		f = hist_var_find(h, d, system, event, name);
	return f ? f : hist_refused(h, HIST_E_NO_PARAM, name);
}

/*
 * Makes a variable of a bare field: of d's event if it has the field, else of the onmatch event.
 * As in the kernel, a failure adds its error even if the other event has the field. An accepted
 * trigger drops all errors (session.c).
 */
static struct hist_field *find_param_field(struct tdat_hist *h, struct hist_data *d, bool own,
					   const char *system, const char *event, const char *name)
{
	struct hist_field_var v;

	if (own && make_field_var(h, d, name, &v)) {
		d->field_str_count += is_text(&v);
		d->field_vars[d->field_var_count++] = v;
		return v.var;
	}
	return event ? make_hidden(h, d, system, event, name) : NULL;
}

/* Finds what a parameter names; system is NULL for a name without a qualifier. */
static struct hist_field *find_param(struct tdat_hist *h, struct hist_data *d,
				     const struct hist_action *a, const char *system,
				     const char *event, const char *name)
{
	const bool own = is_own_event(d, system, event);

	if (!system && a->handler == HIST_ONMATCH) {
		system = a->match_system;
		event = a->match_event;
	}
	return *name == '$' ? find_param_var(h, d, own, system, event, name + 1)
			    : find_param_field(h, d, own, system, event, name);
}

/* The kernel's check_synth_field(): true if a variable's type fits the field at pos. */
static bool type_fits(const struct hist_synth *s, const struct hist_field *f, uint32_t pos)
{
	const struct hist_synth_field *to;

	if (pos >= s->field_count)
		return false;
	to = &s->fields[pos];
	if (strstr(f->type, "char[") && to->is_string && to->is_dynamic)
		return true;
	if (strstr(f->type, "long[") && to->is_stack)
		return true;
	if (!strcmp(to->type, f->type))
		return true;
	/*
	 * Types of other names fit if size and sign agree ("pid_t" for "int"); strings need the
	 * size only.
	 */
	return to->size == f->size && (to->is_string || to->is_signed == f->is_signed);
}

/* Resolves parameter i of an action: "x", "$x" or "system.event.x". a->refs[i] is its reference. */
static bool make_param(struct tdat_hist *h, struct hist_data *d, struct hist_action *a, uint32_t i)
{
	char *param = hist_strdup(h, a->params[i]), *system, *event = NULL;
	struct hist_field *f, *ref;

	if (!param)
		return false;
	/*
	 * One dot is not enough: a qualifier has system and event. The kernel reports no text then.
	 */
	system = hist_cut(&param, ".");
	if (!param) {
		param = system;
		system = NULL;
	} else {
		event = hist_cut(&param, ".");
		if (!param)
			return false;
	}
	f = find_param(h, d, a, system, event, param);
	if (!f)
		return false;
	if (!type_fits(a->synth->synth, f, i))
		return hist_refuse(h, HIST_E_SYNTH_TYPE, param);
	ref = hist_var_ref(h, d, f, system, event);
	if (!ref)
		return false;
	a->refs[i] = ref->ref_idx;
	return true;
}

/* Binds trace(EVENT,...) or EVENT(...) to its synthetic event, which must exist already. */
static bool make_trace(struct tdat_hist *h, struct hist_data *d, struct hist_action *a)
{
	a->synth = a->synth_name ? hist_synth_find(h, a->synth_name) : NULL;
	if (!a->synth)
		return hist_refuse(h, HIST_E_NO_SYNTH, a->synth_name);
	for (uint32_t i = 0; i < a->param_count; i++)
		if (!make_param(h, d, a, i))
			return false;
	/* The count comes last: a parameter that is wrong is reported first. */
	if (a->param_count != a->synth->synth->field_count)
		return hist_refuse(h, HIST_E_SYNTH_COUNT, a->synth->name);
	return true;
}

/* Makes the variables of save(). They are set when onmax or onchange fires. */
static bool make_save(struct tdat_hist *h, struct hist_data *d, struct hist_action *a)
{
	if (d->save_var_count)
		return hist_refuse(h, HIST_E_SAVES, NULL);
	for (uint32_t i = 0; i < a->param_count; i++) {
		struct hist_field_var v;

		if (!make_field_var(h, d, a->params[i], &v))
			return hist_refuse(h, HIST_E_FIELD_VAR_CREATE, a->params[i]);
		d->save_str_count += is_text(&v);
		d->save_vars[d->save_var_count++] = v;
	}
	return true;
}

/*
 * Prepares onmax($x) and onchange($x): a reference to x, and a hidden variable for its last
 * extreme.
 */
static bool make_track(struct tdat_hist *h, struct hist_data *d, struct hist_action *a)
{
	const char *name = a->var_str;
	struct hist_field *f, *ref, *track;

	if (*name != '$')
		return hist_refuse(h, HIST_E_ONX_NOT_VAR, name);
	f = hist_var_of(d, ++name);
	if (!f)
		return hist_refuse(h, HIST_E_ONX_NO_VAR, name);
	ref = hist_var_ref(h, d, f, NULL, NULL);
	if (!ref)
		return false;
	a->var_ref = ref->ref_idx;
	track = make_var(h, d, a->handler == HIST_ONMAX ? "__max" : "__change", 8, "u64");
	if (!track)
		return hist_refuse(h, HIST_E_ONX_CREATE, NULL);
	a->track_idx = track->var_idx;
	return true;
}

bool hist_actions_make(struct tdat_hist *h, struct hist_data *d)
{
	for (uint32_t i = 0; i < d->action_count; i++) {
		struct hist_action *a = d->actions[i];

		if (a->handler != HIST_ONMATCH && !make_track(h, d, a))
			return false;
		if (a->kind == HIST_TRACE && !make_trace(h, d, a))
			return false;
		if (a->kind == HIST_SAVE && !make_save(h, d, a))
			return false;
	}
	return true;
}
