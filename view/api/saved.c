/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the view that an address of the page has behind "#". Names of parameters are those of
 * web/session.js. Values that a report cannot use are accepted and ignored, so that any address of
 * the page can be given. Called by cli/view/output.c.
 */
#include "saved.h"

#include <string.h>

enum tdat_status view_saved_init(struct view_saved *v, const char *address, struct tdat_error *err)
{
	static const char *const names[] = {
		"from",	 "to",	     "a",     "b",	 "note",	 "row",
		"pin",	 "fold",     "group", "focus",	 "select-from",	 "select-to",
		"event", "event-ts", "pane",  "filter",	 "filter-for",	 "search",
		"clock", "follow",   "why",   "details", "compare-from", "compare-to",
		NULL};
	const char *hash = strchr(address, '#');
	enum tdat_status st;

	*v = (struct view_saved){.text = hash ? hash + 1 : address};
	st = view_query_init(&v->query, v->text, names, err);
	if (st != TDAT_OK)
		tdat_error_prefix(err, "the address of --view");
	v->has_rows = st == TDAT_OK && view_query_get(&v->query, "row");
	return st;
}

void view_saved_fini(struct view_saved *v)
{
	view_query_fini(&v->query);
	v->text = NULL;
}

/* A note is "TIME:TEXT". A value that is no time is left out, as the page does. */
void view_saved_notes(const struct view_saved *v, view_note_fn fn, void *ctx)
{
	for (size_t i = 0; v->text && i < v->query.count; i++) {
		const struct view_param *p = &v->query.v[i];
		const bool is_note = !strcmp(p->name, "note");
		const char *end = is_note ? strchr(p->value, ':') : p->value + strlen(p->value);
		struct view_note note = {0, is_note ? "" : p->name[0] == 'a' ? "A" : "B"};

		if ((!is_note && strcmp(p->name, "a") && strcmp(p->name, "b")) || !end ||
		    !view_parse_u64(p->value, end, &note.ts))
			continue;
		if (is_note)
			note.text = end + 1;
		fn(ctx, &note);
	}
}
