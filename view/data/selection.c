/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies and compares selections of events. A selection is CPUs, pids, filters and names of
 * events. A copy lives in one block, as the key of a cache. Sizes are bounded by those of a
 * query, so sums of them cannot overflow.
 */
#include <stdlib.h>
#include <string.h>

#include "read.h"

bool view_selection_is_all(const struct view_selection *s)
{
	return !s || (!s->expr_count && !s->event_count && !s->has_cpus && !s->pid_count &&
		      !s->comm_count && !s->buffer_count);
}

/* Lists have the same count, which the caller has compared. */
static bool same_texts(const char *const *a, const char *const *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return true;
}

/*
 * Compares the order, too: two orders of one selection count twice in the cache, which is harmless.
 */
bool view_selection_same(const struct view_selection *a, const struct view_selection *b)
{
	if (a->expr_count != b->expr_count || a->event_count != b->event_count ||
	    a->has_cpus != b->has_cpus || a->cpu_count != b->cpu_count ||
	    a->pid_count != b->pid_count || a->comm_count != b->comm_count ||
	    a->buffer_count != b->buffer_count)
		return false;
	for (size_t i = 0; i < a->expr_count; i++)
		if (a->exprs[i].negative != b->exprs[i].negative ||
		    strcmp(a->exprs[i].text, b->exprs[i].text))
			return false;
	for (size_t i = 0; i < a->cpu_count; i++)
		if (a->cpus[i] != b->cpus[i])
			return false;
	for (size_t i = 0; i < a->pid_count; i++)
		if (a->pids[i] != b->pids[i])
			return false;
	return same_texts(a->events, b->events, a->event_count) &&
	       same_texts(a->comms, b->comms, a->comm_count) &&
	       same_texts(a->buffers, b->buffers, a->buffer_count);
}

/* One block of memory that is handed out in pieces: pointers first, texts behind. */
struct block {
	char *p;
};

static void *take(struct block *b, size_t len)
{
	void *p = b->p;

	b->p += len;
	return p;
}

static const char *copy_text(struct block *texts, const char *text)
{
	const size_t len = strlen(text) + 1;

	return memcpy(take(texts, len), text, len);
}

static const char *const *copy_texts(struct block *lists, struct block *texts, const char *const *v,
				     size_t count)
{
	const char **out = take(lists, count * sizeof(*out));

	for (size_t i = 0; i < count; i++)
		out[i] = copy_text(texts, v[i]);
	return out;
}

static size_t texts_len(const char *const *v, size_t count)
{
	size_t len = 0;

	for (size_t i = 0; i < count; i++)
		len += strlen(v[i]) + 1;
	return len;
}

/*
 * Copies a selection into one block: the struct, lists of pointers, numbers, texts. Sizes are
 * bounded by those of a query, hence the sums cannot overflow.
 */
struct view_selection *view_selection_copy(const struct view_selection *s)
{
	const size_t lists = sizeof(*s) + s->expr_count * sizeof(*s->exprs) +
			     (s->event_count + s->comm_count + s->buffer_count) * sizeof(char *);
	const size_t numbers = s->cpu_count * sizeof(*s->cpus) + s->pid_count * sizeof(*s->pids);
	size_t len = texts_len(s->events, s->event_count) + texts_len(s->comms, s->comm_count) +
		     texts_len(s->buffers, s->buffer_count);
	struct tdat_filter_expr *exprs;
	struct view_selection *out;
	struct block list, text;

	for (size_t i = 0; i < s->expr_count; i++)
		len += strlen(s->exprs[i].text) + 1;
	out = malloc(lists + numbers + len);
	if (!out)
		return NULL;
	*out = *s;
	list.p = (char *)(out + 1);
	text.p = (char *)out + lists + numbers;
	out->exprs = exprs = take(&list, s->expr_count * sizeof(*exprs));
	for (size_t i = 0; i < s->expr_count; i++)
		exprs[i] = (struct tdat_filter_expr){copy_text(&text, s->exprs[i].text),
						     s->exprs[i].negative};
	out->events = copy_texts(&list, &text, s->events, s->event_count);
	out->comms = copy_texts(&list, &text, s->comms, s->comm_count);
	out->buffers = copy_texts(&list, &text, s->buffers, s->buffer_count);
	if (s->cpu_count)
		memcpy(list.p, s->cpus, s->cpu_count * sizeof(*s->cpus));
	out->cpus = take(&list, s->cpu_count * sizeof(*s->cpus));
	if (s->pid_count)
		memcpy(list.p, s->pids, s->pid_count * sizeof(*s->pids));
	out->pids = take(&list, s->pid_count * sizeof(*s->pids));
	return out;
}
