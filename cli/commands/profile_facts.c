/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds code that the outputs of "tdat profile" share. */
#include "commands/profile_facts.h"

#include "core/search.h"

struct tdat_span profile_number(const struct profile *p, const struct cli_groups *g, size_t group)
{
	return cli_groups_part(g, group, p->rec_parts);
}

/*
 * Compares the recording and pid of a group of details with those of a task: -1, 0 or 1.
 */
static int compare(const struct profile *p, const struct cli_groups *details, size_t detail,
		   size_t task)
{
	for (size_t i = 0; i <= p->rec_parts; i++) {
		const struct tdat_span a = cli_groups_part(details, detail, i);
		const struct tdat_span b = cli_groups_part(&p->task_groups, task, i);
		const size_t n = a.len < b.len ? a.len : b.len;
		int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

		order = order ? order : (a.len > b.len) - (a.len < b.len);
		if (order)
			return order < 0 ? -1 : 1;
	}
	return 0;
}

/*
 * Returns the index in order of the first details of the task, or with least 1 of the first behind
 * these.
 */
static size_t first_not_before(const struct profile *p, const struct profile_detail *d, size_t task,
			       int least)
{
	size_t i;

	TDAT_SEARCH(i, d->groups.count, compare(p, &d->groups, d->order[i], task) < least);
	return i;
}

size_t profile_details(const struct profile *p, enum profile_kind kind, size_t task, size_t *first)
{
	const struct profile_detail *d = &p->details[kind];

	*first = first_not_before(p, d, task, 0);
	return first_not_before(p, d, task, 1) - *first;
}
