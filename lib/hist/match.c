/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Says whether two hist triggers are the same to the kernel. The kernel compares keys, values,
 * sort keys, filters and names to find the trigger that "pause", "continue" or "!" means. This
 * is the same comparison, in the same order.
 */
#include "trigger.h"

/* True if both are NULL or equal. */
static bool same_text(const char *a, const char *b)
{
	return !a == !b && (!a || !strcmp(a, b));
}

/* Fields of different events may be the same to the kernel: it compares their properties. */
static bool same_efield(const struct hist_efield *a, const struct hist_efield *b)
{
	if (a == b)
		return true;
	return a && b && !strcmp(a->name, b->name) && !strcmp(a->type, b->type) &&
	       a->len == b->len && a->is_signed == b->is_signed;
}

/*
 * Expressions are not compared by operands, but by the properties of the whole, as in the kernel.
 */
static bool same_field(const struct hist_field *a, const struct hist_field *b)
{
	return a->flags == b->flags && same_efield(a->field, b->field) && a->off == b->off &&
	       a->size == b->size && a->is_signed == b->is_signed &&
	       same_text(a->var_name, b->var_name);
}

/* Parameters are compared by their text, whatever they resolve to. */
static bool same_action(const struct hist_action *a, const struct hist_action *b)
{
	if (a->handler != b->handler || a->kind != b->kind || a->param_count != b->param_count)
		return false;
	for (uint32_t i = 0; i < a->param_count; i++)
		if (strcmp(a->params[i], b->params[i]) != 0)
			return false;
	return same_text(a->kind == HIST_TRACE ? a->synth_name : a->name,
			 b->kind == HIST_TRACE ? b->synth_name : b->name) &&
	       same_text(a->match_system, b->match_system) &&
	       same_text(a->match_event, b->match_event) && same_text(a->var_str, b->var_str);
}

static bool same_actions(const struct hist_data *a, const struct hist_data *b)
{
	if (a->action_count != b->action_count)
		return false;
	for (uint32_t i = 0; i < a->action_count; i++)
		if (!same_action(a->actions[i], b->actions[i]))
			return false;
	return true;
}

/* "sort=" decides only how entries are printed, but the kernel distinguishes by it. */
static bool same_sorts(const struct hist_data *a, const struct hist_data *b)
{
	if (a->sort_count != b->sort_count)
		return false;
	for (uint32_t i = 0; i < a->sort_count; i++)
		if (a->sorts[i].idx != b->sorts[i].idx ||
		    a->sorts[i].descending != b->sorts[i].descending)
			return false;
	return true;
}

bool hist_match(const struct hist_trigger *a, const struct hist_trigger *b,
		const struct hist_trigger *named, bool ignore_filter)
{
	const struct hist_data *x = a->data, *y = b->data;

	/* A trigger with a name matches those of its name only. */
	if (named && named != b && named != b->named)
		return false;
	if (!named && b->name)
		return false;
	/* A named trigger may have another filter than the one whose histogram it shares. */
	if (x->val_count != y->val_count || x->field_count != y->field_count ||
	    (!ignore_filter && !same_text(a->filter_str, b->filter_str)))
		return false;
	for (uint32_t i = 0; i < x->field_count; i++)
		if (!same_field(x->fields[i], y->fields[i]))
			return false;
	return same_sorts(x, y) && same_actions(x, y);
}
