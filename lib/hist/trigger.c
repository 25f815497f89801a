/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds hist triggers to events. The order of the steps is the kernel's, since it decides which
 * error is reported. The parts are made by text.c, fields.c, action.c and filter.c; this file
 * joins them, handles named histograms, pause, continue, clear and removal by "!", and adds the
 * trigger to the list of its event.
 */
#include "trigger.h"

#include "core/grow.h"
#include "filter.h"

/*
 * Returns where " if " begins, or NULL. *bad: an "if" that makes the kernel refuse the text: at the
 * start, or at the end.
 */
static char *find_if(char *text, bool *bad)
{
	const size_t len = strlen(text);

	*bad = false;
	for (char *p = text; (p = strstr(p, "if")); p++) {
		*bad = p == text;
		if (*bad)
			return NULL;
		if (p[-1] != ' ' && p[-1] != '\t')
			continue;
		*bad = (size_t)(p - text) + 3 >= len + (len == 0);
		if (*bad)
			return NULL;
		if (p[2] == ' ' || p[2] == '\t')
			return p;
	}
	return NULL;
}

/* Cuts the filter off; *filter is NULL without one. */
static bool split_filter(char **text, char **filter)
{
	bool bad;
	char *at = find_if(*text, &bad);

	*filter = NULL;
	if (bad)
		return false;
	if (!at)
		return true;
	at[-1] = '\0';
	*filter = hist_strip(at) + strlen("if");
	if (**filter)
		++*filter;
	*text = hist_strip(*text);
	return true;
}

/* Writes .sym-offset as .symXoffset, as its minus would be an operator. */
static void hide_sym_offset(char *text)
{
	for (char *p = text; (p = strstr(p, ".sym-offset")); p += strlen(".sym-offset"))
		p[strlen(".sym")] = 'X';
}

/* The order decides which error is reported first: text, actions, fields, sort keys. */
static struct hist_data *make_data(struct tdat_hist *h, struct hist_event *e, char *text)
{
	struct hist_data *d = hist_alloc(h, 1, sizeof(*d));

	if (!d)
		return NULL;
	d->event = e;
	hide_sym_offset(text);
	d->attrs.bits = HIST_BITS_USUAL;
	if (!hist_text_parse(h, &d->attrs, text) || !hist_actions_parse(h, d) ||
	    !hist_fields_make(h, d) || !hist_sorts_make(h, d))
		return NULL;
	return d;
}

static struct hist_trigger *find_named(const struct tdat_hist *h, const char *name)
{
	for (size_t i = 0; name && i < h->named_count; i++)
		if (!strcmp(h->named[i]->name, name))
			return h->named[i];
	return NULL;
}

/*
 * Applies pause, continue or clear to the trigger that matches. False: there is none, or the text
 * has none of these words.
 */
static bool update_existing(const struct tdat_hist *h, const struct hist_trigger *t,
			    struct hist_event *e)
{
	const struct hist_attrs *a = &t->data->attrs;
	const struct hist_trigger *named = find_named(h, a->name);

	if (!a->pause && !a->cont && !a->clear)
		return false;
	if (a->name && (!named || !hist_match(t, named, named, true)))
		return false;
	for (size_t i = 0; i < e->trigger_count; i++) {
		struct hist_trigger *old = e->triggers[i];

		if (!old->data || !hist_match(t, old, named, false))
			continue;
		if (a->pause)
			old->paused = true;
		else if (a->cont)
			old->paused = false;
		return true; /* clear: nothing was counted yet */
	}
	return false;
}

/* Registers a histogram once: named triggers share one. */
static bool add_data(struct tdat_hist *h, struct hist_data *d)
{
	for (size_t i = 0; i < h->data_count; i++)
		if (h->datas[i] == d)
			return true;
	if (!hist_grown(h, TDAT_GROW(h->datas, &h->data_room, h->data_count + 1)))
		return false;
	h->datas[h->data_count++] = d;
	return true;
}

static bool add_named(struct tdat_hist *h, struct hist_trigger *t)
{
	if (!hist_grown(h, TDAT_GROW(h->named, &h->named_room, h->named_count + 1)))
		return false;
	h->named[h->named_count++] = t;
	return true;
}

bool hist_trigger_append(struct tdat_hist *h, struct hist_event *e, struct hist_trigger *t)
{
	if (!hist_grown(h, TDAT_GROW(e->triggers, &e->trigger_room, e->trigger_count + 1)))
		return false;
	e->triggers[e->trigger_count++] = t;
	h->trigger_count++;
	t->event = e;
	/* Events are printed in the order of their first trigger. */
	if (!e->listed) {
		e->listed = true;
		*h->shown_end = e;
		h->shown_end = &e->next_shown;
	}
	return true;
}

/* The kernel's trace_clocks, those of other machines included. */
static bool clock_exists(const char *clock)
{
	static const char *const clocks[] = {"local", "global",	 "counter",  "uptime",
					     "perf",  "mono",	 "mono_raw", "boot",
					     "tai",   "x86-tsc", "s390-tod", "ppc-tb"};

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(clocks[i], clock))
			return true;
	return false;
}

static bool register_trigger(struct tdat_hist *h, struct hist_event *e, struct hist_trigger *t)
{
	struct hist_data *d = t->data;
	const struct hist_trigger *named = find_named(h, d->attrs.name);

	/* A name that exists must have the same histogram; the filter may differ. */
	if (named && !hist_match(t, named, named, true))
		return hist_refuse(h, HIST_E_NAMED, d->attrs.name);
	for (size_t i = 0; (named || !d->attrs.name) && i < e->trigger_count; i++)
		if (e->triggers[i]->data && hist_match(t, e->triggers[i], named, false))
			return hist_refuse(h, HIST_E_EXISTS, NULL);
	if (d->attrs.cont || d->attrs.clear)
		return hist_refuse(h, HIST_E_CLEAR, NULL);
	t->paused = d->attrs.pause;
	t->name = d->attrs.name;
	if (d->stamps && !clock_exists(d->attrs.clock))
		return hist_refuse(h, HIST_E_CLOCK, d->attrs.clock);
	if (named) {
		t->data = named->data;
		t->named = named;
	} else if (t->name && !add_named(h, t)) {
		return false;
	}
	return add_data(h, t->data) && hist_trigger_append(h, e, t);
}

/* True if other triggers must be able to find the histogram by its variables. */
static bool has_vars(const struct hist_data *d)
{
	for (uint32_t i = 0; i < d->field_count; i++)
		if (hist_field_has_vars(d->fields[i], 0))
			return true;
	return d->ref_count != 0;
}

/* Parses a text into a trigger that is not registered. NULL: refused. */
static struct hist_trigger *parse(struct tdat_hist *h, struct hist_event *e, const char *text)
{
	char *copy = hist_strdup(h, text), *filter;
	struct hist_trigger *t = hist_alloc(h, 1, sizeof(*t));

	if (!copy || !t || !*copy || !split_filter(&copy, &filter))
		return NULL;
	t->event = e;
	t->data = make_data(h, e, copy);
	if (!t->data)
		return NULL;
	if (filter) {
		t->filter_str = filter;
		t->filter = hist_filter_new(h, e, filter);
		if (!t->filter)
			return NULL;
	}
	return t;
}

/* True if other histograms read its variables: the kernel refuses to remove it. */
static bool is_referred_to(const struct tdat_hist *h, const struct hist_data *d)
{
	for (size_t i = 0; i < h->data_count; i++)
		for (uint32_t k = 0; h->datas[i] != d && k < h->datas[i]->ref_count; k++)
			if (h->datas[i]->refs[k]->data == d)
				return true;
	return false;
}

/*
 * "!hist:...": removes the trigger that matches. Without a match nothing happens, as in the kernel.
 */
static bool remove_trigger(struct tdat_hist *h, struct hist_event *e, const char *text)
{
	struct hist_trigger *t;
	const struct hist_trigger *named;

	h->removing = true;
	t = parse(h, e, text);
	h->removing = false;
	if (!t)
		return false;
	named = find_named(h, t->data->attrs.name);
	for (size_t i = 0; i < e->trigger_count; i++) {
		struct hist_trigger *old = e->triggers[i];

		if (!old->data || !hist_match(t, old, named, false))
			continue;
		if (is_referred_to(h, old->data))
			return false;
		memmove(&e->triggers[i], &e->triggers[i + 1],
			(--e->trigger_count - i) * sizeof(struct hist_trigger *));
		/* Its histogram is printed no more, and its variables are not found. */
		old->data->has_vars = false;
		break;
	}
	return true;
}

static bool add(struct tdat_hist *h, struct hist_event *e, const char *text)
{
	struct hist_trigger *t = parse(h, e, text);

	if (!t)
		return false;
	if (update_existing(h, t, e))
		return true;
	/* Actions come after pause and the like: those texts refer to an existing trigger. */
	if (!hist_actions_make(h, t->data))
		return false;
	t->data->has_vars = has_vars(t->data);
	return register_trigger(h, e, t);
}

bool hist_trigger_add_hidden(struct tdat_hist *h, struct hist_event *e, const char *text)
{
	if (h->trigger_count >= HIST_TRIGGERS_MOST)
		return false;
	return add(h, e, text);
}

bool hist_trigger_add(struct tdat_hist *h, struct hist_event *e, const char *text, bool removes)
{
	hist_refuse_begin(h, e->system, e->name, "hist:", text);
	return removes ? remove_trigger(h, e, text) : add(h, e, text);
}
