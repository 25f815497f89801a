/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the tables of kernel symbols. Equal tables are copied. If they differ, only those symbols
 * are kept that events look up. Each of these addresses is found in the new table as in the input's
 * own: from the symbol's start, unless another look-up lies between. An address that two inputs
 * find by two names gets both. The look-ups come from survey.c, which prints all events once with a
 * table that reports them. Points are sorted by address and name, so joining is linear. Doubtful
 * addresses are reported once, with an example.
 */
#include <stdlib.h>

#include "core/search.h"
#include "core/text.h"
#include "merge.h"

/* Look-ups of all inputs, sorted. */
struct points {
	struct merge_symbol *list; /* by address, each once for each answer */
	size_t count;
	uint64_t doubtful; /* addresses of several names */
	uint64_t example;  /* the first of them */
};

/* A look-up that found nothing has no name, and comes last. */
static int by_name(struct tdat_span a, struct tdat_span b)
{
	return a.ptr && b.ptr ? tdat_span_order(a, b) : !a.ptr - !b.ptr;
}

/* A total order, so that the result does not depend on the hash tables' order. */
static int by_place(const void *a, const void *b)
{
	const struct merge_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (by_name(x->name, y->name))
		return by_name(x->name, y->name);
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Copies the used slots of all inputs into one list. */
static bool collect(const struct merge *m, struct points *p)
{
	size_t room = 1;

	for (size_t i = 0; i < m->count; i++)
		room += m->parts[i].used.symbol_count;
	p->list = calloc(room, sizeof(*p->list));
	if (!p->list)
		return false;
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_used *used = &m->parts[i].used;

		for (size_t k = 0; k < used->symbol_count; k++)
			p->list[p->count++] = used->symbols[k];
	}
	qsort(p->list, p->count, sizeof(*p->list), by_place);
	return true;
}

/* Drops look-ups that found nothing at both ends: readers find nothing there by themselves. */
static void trim(struct points *p)
{
	size_t first = 0;

	while (p->count && !p->list[p->count - 1].name.ptr)
		p->count--;
	while (first < p->count && !p->list[first].name.ptr)
		first++;
	p->count -= first;
	if (first)
		memmove(p->list, p->list + first, p->count * sizeof(*p->list));
}

/* Returns the end of the points that have the address of point i. *names: how many names it has. */
static size_t same_address(const struct points *p, size_t i, size_t *names)
{
	size_t end = i + 1;

	for (*names = 1; end < p->count && p->list[end].addr == p->list[i].addr; end++)
		*names += by_name(p->list[end].name, p->list[end - 1].name) != 0;
	return end;
}

/* Appends each name of the points [i, end), which have one address, once. */
static void put_names(const struct points *p, size_t i, size_t end, struct tdat_build *out)
{
	for (size_t k = i; k < end; k++) {
		const struct merge_symbol *s = &p->list[k];

		if (k > i && !by_name(s->name, p->list[k - 1].name))
			continue;
		if (k > i)
			tdat_build_u8(out, '|');
		if (s->name.ptr)
			tdat_build_bytes(out, s->name.ptr, s->name.len);
		else
			tdat_build_printf(out, "0x%llx", (unsigned long long)s->addr);
	}
	tdat_build_u8(out, '\n');
}

/* The last line that was written; its name may also be that of the next address. */
struct line {
	struct merge_symbol of; /* name.ptr NULL: it is not */
	uint64_t last;		/* the last address that has this name */
	bool any;
};

/* A symbol that the line before gives already needs no line of its own. */
static void put_address(struct points *p, size_t i, size_t end, size_t names, struct line *before,
			struct tdat_build *out)
{
	const struct merge_symbol *s = &p->list[i];
	uint64_t at = s->addr;

	if (names > 1 && !p->doubtful++)
		p->example = s->addr;
	if (names == 1 && s->name.ptr && before->of.name.ptr && before->of.start == s->start &&
	    !by_name(before->of.name, s->name)) {
		before->last = s->addr;
		return;
	}
	/* The line starts where the symbol does, unless that is behind the last look-up. */
	if (names == 1 && s->name.ptr) {
		at = s->start;
		if (before->any && at <= before->last)
			at = before->last + 1;
	}
	tdat_build_printf(out, "%016llx T ", (unsigned long long)at);
	put_names(p, i, end, out);
	*before = (struct line){*s, s->addr, true};
	if (names > 1)
		before->of.name.ptr = NULL;
}

/* The table ends with a symbol behind the last address, so that none is found beyond it. */
static void put_lines(struct points *p, struct tdat_build *out)
{
	struct line before = {.any = false};
	size_t i = 0;

	while (i < p->count) {
		size_t names, end = same_address(p, i, &names);

		put_address(p, i, end, names, &before, out);
		i = end;
	}
	/* Readers need to know where the last one ends. */
	if (before.any && before.last != UINT64_MAX)
		tdat_build_printf(out, "%016llx T _end\n", (unsigned long long)before.last + 1);
}

/* The order of all_named(): by name, then by address. */
static int by_name_and_addr(const void *a, const void *b)
{
	const struct merge_named *x = a, *y = b;
	int order = by_name(x->name, y->name);

	return order ? order : (x->addr > y->addr) - (x->addr < y->addr);
}

/*
 * Returns the symbols that any input looked up by name, by name and then by address. NULL: no
 * memory.
 */
static struct merge_named *all_named(const struct merge *m, size_t *count)
{
	struct merge_named *all;
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++)
		n += m->parts[i].used.named_count;
	all = calloc(n + 1, sizeof(*all));
	*count = n;
	if (!all)
		return NULL;
	for (size_t i = n = 0; i < m->count; n += m->parts[i++].used.named_count)
		if (m->parts[i].used.named_count)
			memcpy(all + n, m->parts[i].used.named,
			       m->parts[i].used.named_count * sizeof(*all));
	qsort(all, n, sizeof(*all), by_name_and_addr);
	return all;
}

/* Returns the index of the first entry of a name; after: that behind its last one. */
static size_t place_of(const struct merge_named *all, size_t count, struct tdat_span name,
		       bool after)
{
	size_t i;

	TDAT_SEARCH(i, count, by_name(all[i].name, name) < (after ? 1 : 0));
	return i;
}

/* True if every table that was asked for that name has the same address for it. */
static bool agreed(const struct merge_named *all, size_t count, const struct merge_named *n)
{
	const size_t first = place_of(all, count, n->name, false);
	const size_t end = place_of(all, count, n->name, true);

	return all[first].addr == all[end - 1].addr;
}

/*
 * Adds symbols that print formats name, for example _stext. One with two addresses is left out:
 * neither is right for all events. Texts that need it show offsets.
 */
static enum tdat_status put_named(struct merge *m, struct tdat_build *out, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t count;
	struct merge_named *all = all_named(m, &count);

	if (!all)
		return tdat_error_no_memory(err, m->w->out.name);
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++) {
		const struct merge_used *used = &m->parts[i].used;

		for (size_t k = 0; st == TDAT_OK && k < used->named_count; k++) {
			const struct merge_named *n = &used->named[k];

			if (!agreed(all, count, n)) {
				st = merge_warn(
					m, &m->parts[i], err,
					"the symbol %.*s has different addresses in the inputs: "
					"event texts relative to it show only offsets",
					(int)n->name.len, (const char *)n->name.ptr);
				continue;
			}
			tdat_build_printf(out, "%016llx T ", (unsigned long long)n->addr);
			tdat_build_bytes(out, n->name.ptr, n->name.len);
			tdat_build_u8(out, '\n');
		}
	}
	free(all);
	return st;
}

/* Warns once about all doubtful addresses, with the first as an example. */
static enum tdat_status warn_doubtful(struct merge *m, const struct points *p,
				      struct tdat_error *err)
{
	/* The first input whose table differs from that of input 0. */
	const struct merge_part *other = &m->parts[1];

	while (!other->table)
		other++;
	if (!p->doubtful)
		return merge_warn(m, other, err,
				  "its kernel symbols differ from those of %s: only symbols that "
				  "events use are kept",
				  merge_name(&m->parts[0]));
	return merge_warn(
		m, other, err,
		"its kernel symbols differ from those of %s: only symbols that events use are "
		"kept, and %llu addresses (the first 0x%llx) have both names, \"a|b\"",
		merge_name(&m->parts[0]), (unsigned long long)p->doubtful,
		(unsigned long long)p->example);
}

/* Joins the tables. Equal ones are copied without reading events. */
enum tdat_status merge_symbols(struct merge *m, struct tdat_error *err)
{
	const struct tdat_span first = m->parts[0].file->ix.kallsyms;
	struct tdat_build *out = &m->w->meta.kallsyms;
	struct points p = {NULL, 0, 0, 0};
	enum tdat_status st;

	if (!m->tables_differ) {
		tdat_build_bytes(out, first.ptr, first.len);
		return out->failed ? tdat_error_no_memory(err, m->w->out.name) : TDAT_OK;
	}
	if (!collect(m, &p))
		return tdat_error_no_memory(err, m->w->out.name);
	trim(&p);
	put_lines(&p, out);
	free(p.list);
	st = put_named(m, out, err);
	if (st == TDAT_OK && out->failed)
		st = tdat_error_no_memory(err, m->w->out.name);
	return st == TDAT_OK ? warn_doubtful(m, &p, err) : st;
}
