/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes handlers and actions apart: "onmatch(sched.sched_waking).trace(lat,$x,pid)". It only
 * cuts the text into handlers, actions and parameters, and reports what the kernel reports for
 * text of another shape. action.c resolves the names, when the histogram is known.
 */
#include "trigger.h"

/* Cuts "a,b,c" into parameters. The first one of trace() is the synthetic event's name. */
static bool parse_params(struct tdat_hist *h, char *params, struct hist_action *a)
{
	bool first = true;
	char *one;

	while ((one = hist_cut(&params, ","))) {
		one = hist_strip(one);
		/* The kernel's parse_action_params() takes two characters as the least. */
		if (strlen(one) < 2)
			return hist_refuse(h, HIST_E_PARAM, one);
		if (first && a->by_trace) {
			a->synth_name = one;
		} else {
			if (a->param_count == HIST_PARAMS)
				return hist_refuse(h, HIST_E_PARAMS, NULL);
			a->params[a->param_count++] = one;
		}
		first = false;
	}
	return true;
}

/* ".save(a,b)"; text is what follows the handler's parenthesis. */
static bool parse_action(struct tdat_hist *h, char *text, struct hist_action *a)
{
	char *name, *params;

	/* "onmax($x)" without an action is an error, not a default. */
	hist_cut(&text, ".");
	if (!text)
		return hist_refuse(h, HIST_E_NO_ACTION, NULL);
	name = hist_cut(&text, "(");
	if (!text)
		return hist_refuse(h, HIST_E_NO_ACTION, NULL);
	params = hist_cut(&text, ")");
	a->name = name;
	/* Prefixes suffice, as in the kernel: "saves(a)" is save(). */
	if (hist_has_prefix(name, "snapshot")) {
		a->kind = HIST_SNAPSHOT;
		if (!text)
			return hist_refuse(h, HIST_E_PAREN, params);
	} else if (hist_has_prefix(name, "save")) {
		a->kind = HIST_SAVE;
		if (!parse_params(h, params, a))
			return false;
	} else {
		a->kind = HIST_TRACE;
		a->by_trace = hist_has_prefix(name, "trace");
		/* "EVENT(a,b)" is the short form of "trace(EVENT,a,b)". */
		if (!a->by_trace)
			a->synth_name = name;
		return parse_params(h, params, a);
	}
	/* onmatch() only generates events; onmax() and onchange() may save() and snapshot() too. */
	if (a->handler == HIST_ONMATCH)
		return hist_refuse(h, HIST_E_ACTION, name);
	return true;
}

/* "sched.sched_waking).trace(...)" */
static bool parse_match(struct tdat_hist *h, char *text, struct hist_action *a)
{
	char *event = hist_cut(&text, ")"), *system;

	if (!text)
		return hist_refuse(h, HIST_E_PAREN, event);
	system = hist_cut(&event, ".");
	if (!event)
		return hist_refuse(h, HIST_E_SUBSYS, system);
	/* The event is checked here; its variables are found later by action.c. */
	if (!hist_event_match(h, system, event))
		return hist_refuse(h, HIST_E_EVENT, event);
	a->match_system = system;
	a->match_event = event;
	return parse_action(h, text, a);
}

/* "$x).save(...)" of onmax and onchange. The variable is checked later by action.c. */
static bool parse_track(struct tdat_hist *h, char *text, struct hist_action *a)
{
	a->var_str = hist_cut(&text, ")");
	return text && parse_action(h, text, a);
}

bool hist_actions_parse(struct tdat_hist *h, struct hist_data *d)
{
	for (uint32_t i = 0; i < d->attrs.action_count; i++) {
		struct hist_action *a = hist_alloc(h, 1, sizeof(*a));
		char *text = hist_strdup(h, d->attrs.actions[i]), *what;
		bool good;

		if (!a || !text)
			return false;
		what = hist_cut(&text, "(");
		a->handler = !strcmp(what, "onmatch") ? HIST_ONMATCH
			     : !strcmp(what, "onmax") ? HIST_ONMAX
						      : HIST_ONCHANGE;
		good = a->handler == HIST_ONMATCH ? parse_match(h, text, a)
						  : parse_track(h, text, a);
		if (!good)
			return false;
		d->actions[d->action_count++] = a;
	}
	return true;
}
