/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes handlers and actions apart: "onmatch(sched.sched_waking).trace(lat,$x,pid)". It only
 * cuts the text into handlers, actions and parameters, and reports what the kernel reports for
 * text of another shape. What the names mean is decided in action.c, when the histogram is
 * known.
 */
#include "trigger.h"

static bool parse_params(struct tdat_hist *h, char *params, struct hist_action *a)
{
	bool first = true;
	char *one;

	while ((one = hist_cut(&params, ","))) {
		one = hist_strip(one);
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

	hist_cut(&text, ".");
	if (!text)
		return hist_refuse(h, HIST_E_NO_ACTION, NULL);
	name = hist_cut(&text, "(");
	if (!text)
		return hist_refuse(h, HIST_E_NO_ACTION, NULL);
	params = hist_cut(&text, ")");
	a->name = name;
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
		if (!a->by_trace)
			a->synth_name = name;
		return parse_params(h, params, a);
	}
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
	if (!hist_event_match(h, system, event))
		return hist_refuse(h, HIST_E_EVENT, event);
	a->match_system = system;
	a->match_event = event;
	return parse_action(h, text, a);
}

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
