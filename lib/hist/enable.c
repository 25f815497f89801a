/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds enable_hist and disable_hist, which unpause and pause the histograms of another event.
 * They do nothing themselves: a hit sets a flag of the other histogram (hit.c). The other event
 * must be known, or the text is refused as the kernel refuses it.
 */
#include "filter.h"
#include "trigger.h"

/*
 * text: "SYSTEM:EVENT[:COUNT] [if FILTER]". False without a refusal: the kernel returns an errno
 * and writes nothing to error_log.
 */
bool hist_enable_add(struct tdat_hist *h, struct hist_event *e, bool enable, const char *text)
{
	struct hist_trigger *t = hist_alloc(h, 1, sizeof(*t));
	char *copy = hist_strdup(h, text), *filter, *param, *system, *event;
	uint64_t count;

	if (!t || !copy)
		return false;
	param = hist_strip(copy);
	filter = strpbrk(param, " \t");
	if (filter) {
		*filter++ = '\0';
		filter = hist_strip(filter);
		if (!hist_has_prefix(filter, "if ") && !hist_has_prefix(filter, "if\t"))
			return false;
		filter += strlen("if ");
	}
	system = hist_cut(&param, ":");
	event = hist_cut(&param, ":");
	t->target = event ? hist_event_find(h, system, event) : NULL;
	if (!t->target)
		return false;
	t->enable = enable;
	/* Unlimited, unless a count follows. */
	t->count = -1;
	if (param && *param) {
		if (!hist_parse_u64(param, &count) || !count || count > INT64_MAX)
			return false;
		t->count = (int64_t)count;
	}
	for (size_t i = 0; i < e->trigger_count; i++)
		if (!e->triggers[i]->data && e->triggers[i]->target == t->target)
			return false; /* -EEXIST, whatever it does there */
	if (filter) {
		t->filter_str = filter;
		t->filter = hist_filter_new(h, e, filter);
		if (!t->filter)
			return false;
	}
	return hist_trigger_append(h, e, t);
}
