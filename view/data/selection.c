/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies and compares selections of events. A selection is CPUs, pids, filters, names of
 * events, and a text. A copy lives in one block, as the key of a cache. Sizes are bounded by those
 * of a query, so sums of them cannot overflow.
 */
#include <stdlib.h>
#include <string.h>

#include "read.h"

bool view_selection_is_all(const struct view_selection *s)
{
	const struct tdat_filter_opts *f = s ? &s->filter : NULL;

	return !s || (!f->expr_count && !f->event_count && !s->has_cpus && !s->contains &&
		      !f->pid_count && !f->comm_count && !f->buffer_count && !f->from && !f->to);
}

const uint32_t *view_selection_cpus(const struct view_selection *s)
{
	static const uint32_t none[1];

	return !s->has_cpus ? NULL : s->cpu_count ? s->cpus : none;
}

static bool same_texts(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
	bool same = a_count == b_count;

	for (size_t i = 0; same && i < a_count; i++)
		same = !strcmp(a[i], b[i]);
	return same;
}

static bool same_numbers(const void *a, size_t a_count, const void *b, size_t b_count)
{
	return a_count == b_count && (!a_count || !memcmp(a, b, a_count * sizeof(uint32_t)));
}

/*
 * Compares the order, too: two orders of one selection count twice in the cache, which is harmless.
 */
bool view_selection_same(const struct view_selection *a, const struct view_selection *b)
{
	const struct tdat_filter_opts *f = &a->filter, *g = &b->filter;

	if (f->expr_count != g->expr_count || a->has_cpus != b->has_cpus ||
	    strcmp(a->contains ? a->contains : "", b->contains ? b->contains : ""))
		return false;
	for (size_t i = 0; i < f->expr_count; i++)
		if (f->exprs[i].negative != g->exprs[i].negative ||
		    strcmp(f->exprs[i].text, g->exprs[i].text))
			return false;
	return same_numbers(a->cpus, a->cpu_count, b->cpus, b->cpu_count) &&
	       same_numbers(f->pids, f->pid_count, g->pids, g->pid_count) &&
	       same_texts(f->events, f->event_count, g->events, g->event_count) &&
	       same_texts(f->comms, f->comm_count, g->comms, g->comm_count) &&
	       same_texts(f->buffers, f->buffer_count, g->buffers, g->buffer_count);
}

/* Memory that is handed out in pieces; where p is NULL, its length is only counted. */
struct block {
	char *p;
	size_t len;
};

static void *take(struct block *b, const void *from, size_t len)
{
	void *to = b->p ? b->p + b->len : NULL;

	if (to && len)
		memcpy(to, from, len);
	/* Each piece is aligned for pointers. */
	b->len += (len + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
	return to;
}

static const char *const *take_texts(struct block *b, const char *const *v, size_t count)
{
	const char **out = take(b, v, count * sizeof(*out));

	for (size_t i = 0; i < count; i++) {
		const char *text = take(b, v[i], strlen(v[i]) + 1);

		if (out)
			out[i] = text;
	}
	return out;
}

/* Puts a selection and all that it points to into a block. */
static struct view_selection *put(struct block *b, const struct view_selection *s)
{
	const struct tdat_filter_opts *f = &s->filter;
	struct view_selection *out = take(b, s, sizeof(*s)), none;
	struct view_selection *to = out ? out : &none;
	struct tdat_filter_expr *exprs = take(b, f->exprs, f->expr_count * sizeof(*exprs));

	for (size_t i = 0; i < f->expr_count; i++) {
		const char *text = take(b, f->exprs[i].text, strlen(f->exprs[i].text) + 1);

		if (exprs)
			exprs[i].text = text;
	}
	to->filter.exprs = exprs;
	to->filter.events = take_texts(b, f->events, f->event_count);
	to->filter.comms = take_texts(b, f->comms, f->comm_count);
	to->filter.buffers = take_texts(b, f->buffers, f->buffer_count);
	to->filter.pids = take(b, f->pids, f->pid_count * sizeof(*f->pids));
	to->cpus = take(b, s->cpus, s->cpu_count * sizeof(*s->cpus));
	if (s->contains)
		to->contains = take(b, s->contains, strlen(s->contains) + 1);
	return out;
}

/*
 * Copies a selection into one block, whose length is found by the same walk. Sizes are bounded by
 * those of a query, hence the sum cannot overflow.
 */
struct view_selection *view_selection_copy(const struct view_selection *s)
{
	struct block b = {NULL, 0};

	put(&b, s);
	b = (struct block){malloc(b.len), 0};
	return b.p ? put(&b, s) : NULL;
}
