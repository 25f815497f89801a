/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers names in the order in which they first come, and counts how often each does. */
#include <string.h>

#include "tracks.h"

/* A text ends at its first NUL, and at len. The count of a name is the number of calls for it. */
bool view_names_number(struct view_names *n, const char *text, size_t len, uint32_t *number)
{
	bool fresh;

	n->text.len = 0;
	tdat_build_bytes(&n->text, text, strnlen(len ? text : "", len));
	tdat_build_u8(&n->text, 0);
	if (n->text.failed || !TDAT_GROW_ZERO(n->counts, &n->cap, view_names_count(n) + 1))
		return false;
	*number = tdat_byte_set_add(&n->set, n->text.ptr, n->text.len, &fresh) - 1;
	if (*number == UINT32_MAX)
		return false;
	n->counts[*number]++;
	return true;
}

/* By the words of table thread_state. */
enum view_state view_state_of(const struct view_track *t, uint32_t name)
{
	const char *text =
		name < view_names_count(&t->names) ? view_names_text(&t->names, name) : "";

	return !strcmp(text, "running")					 ? VIEW_RUNNING
	       : !strcmp(text, "runnable") || !strcmp(text, "preempted") ? VIEW_RUNNABLE
	       : !strcmp(text, "uninterruptible")			 ? VIEW_BLOCKED
									 : VIEW_SLEEPING;
}

void view_names_fini(struct view_names *n)
{
	tdat_byte_set_fini(&n->set);
	tdat_build_fini(&n->text);
	free(n->counts);
}
