/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Kernel symbols. Equal tables stay as they are. Of different ones only what
 * events look up is kept, as stretches of addresses: from a symbol to the highest
 * address looked up in it. Stretches of two tables that overlap become one with
 * all their names.
 */
#include <stdlib.h>

#include "merge.h"

struct stretch {
	uint64_t from, to;
	uint32_t table;
	struct tdat_span name; /* ptr NULL: the address as a number */
};

struct stretches {
	struct stretch *list;
	size_t count;
	uint64_t doubtful;      /* with several names */
	uint64_t example;       /* where the first of them is */
};

static int by_place(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->table < y->table ? -1 : x->table > y->table;
}

static bool same_name(const struct stretch *a, const struct stretch *b)
{
	return !a->name.ptr == !b->name.ptr && a->name.len == b->name.len &&
	       (!a->name.ptr || !memcmp(a->name.ptr, b->name.ptr, a->name.len));
}

/* A symbol of two names, one for its start and one behind it, is two stretches. */
static void put_symbol(struct stretches *s, const struct merge_symbol *symbol, uint32_t table)
{
	struct stretch one = {symbol->start, symbol->most, table,
			      symbol->inside.ptr ? symbol->inside : symbol->exact};
	struct stretch two = {symbol->start, symbol->start, table, symbol->exact};

	if (symbol->exact.ptr && !same_name(&one, &two)) {
		s->list[s->count++] = two;
		one.from++;
	}
	s->list[s->count++] = one;
}

static bool collect(const struct merge *m, struct stretches *s)
{
	size_t room = 1;

	for (size_t i = 0; i < m->count; i++)
		room += 2 * m->parts[i].used.symbol_count;
	s->list = calloc(room, sizeof(*s->list));
	if (!s->list)
		return false;
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_used *used = &m->parts[i].used;

		for (size_t k = 0; k < used->symbol_cap; k++)
			if (used->symbols[k].taken)
				put_symbol(s, &used->symbols[k], m->parts[i].table);
	}
	qsort(s->list, s->count, sizeof(*s->list), by_place);
	return true;
}

static void put_name(struct tdat_build *out, const struct stretch *s)
{
	if (s->name.ptr)
		tdat_build_bytes(out, s->name.ptr, s->name.len);
	else
		tdat_build_printf(out, "0x%llx", (unsigned long long)s->from);
}

/* The stretches [first, end) overlap: one line with each name once. */
static void put_line(struct stretches *s, size_t first, size_t end, struct tdat_build *out)
{
	size_t names = 0;

	tdat_build_printf(out, "%016llx T ", (unsigned long long)s->list[first].from);
	for (size_t i = first; i < end; i++) {
		size_t k = first;

		while (!same_name(&s->list[k], &s->list[i]))
			k++;
		if (k < i)
			continue;
		if (names++)
			tdat_build_u8(out, '|');
		put_name(out, &s->list[i]);
	}
	tdat_build_u8(out, '\n');
	if (names > 1 && !s->doubtful++)
		s->example = s->list[first].from;
}

/* Below the first name and behind the last one readers find nothing by themselves. */
static void trim(struct stretches *s)
{
	size_t first = 0;

	while (s->count && !s->list[s->count - 1].name.ptr)
		s->count--;
	while (first < s->count && !s->list[first].name.ptr)
		first++;
	s->count -= first;
	if (first)
		memmove(s->list, s->list + first, s->count * sizeof(*s->list));
}

static void put_lines(struct stretches *s, struct tdat_build *out)
{
	uint64_t to = 0;
	size_t i = 0;

	while (i < s->count) {
		size_t first = i++;

		to = s->list[first].to;
		for (; i < s->count && s->list[i].from <= to; i++)
			if (s->list[i].to > to)
				to = s->list[i].to;
		put_line(s, first, i, out);
	}
	/* Readers need to know where the last one ends. */
	if (s->count && to != UINT64_MAX)
		tdat_build_printf(out, "%016llx T _end\n", (unsigned long long)to + 1);
}

/* Whether every table that was asked for that name has the same address for it. */
static bool agreed(const struct merge *m, const struct merge_named *n)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct merge_used *used = &m->parts[i].used;

		for (size_t k = 0; k < used->named_count; k++)
			if (used->named[k].name.len == n->name.len &&
			    !memcmp(used->named[k].name.ptr, n->name.ptr, n->name.len) &&
			    used->named[k].addr != n->addr)
				return false;
	}
	return true;
}

/*
 * Print formats name symbols, too, as "_stext". Of one with two addresses none is
 * right: it goes, and such texts show offsets.
 */
static enum tdat_status put_named(struct merge *m, struct tdat_build *out, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < m->count; i++) {
		const struct merge_used *used = &m->parts[i].used;

		for (size_t k = 0; st == TDAT_OK && k < used->named_count; k++) {
			const struct merge_named *n = &used->named[k];

			if (!agreed(m, n)) {
				st = merge_tell(m, &m->parts[i], err,
						"the symbol %.*s is at another address in another "
						"input: texts of events relative to it show "
						"offsets only", (int)n->name.len,
						(const char *)n->name.ptr);
				continue;
			}
			tdat_build_printf(out, "%016llx T ", (unsigned long long)n->addr);
			tdat_build_bytes(out, n->name.ptr, n->name.len);
			tdat_build_u8(out, '\n');
		}
	}
	return st;
}

static enum tdat_status tell(struct merge *m, const struct stretches *s, struct tdat_error *err)
{
	const struct merge_part *other = &m->parts[1];

	while (!other->table)
		other++;
	if (!s->doubtful)
		return merge_tell(m, other, err,
				  "its kernel symbols are not those of %s: of both only those are "
				  "kept that events need", merge_name(&m->parts[0]));
	return merge_tell(m, other, err,
			  "its kernel symbols are not those of %s: of both only those are kept "
			  "that events need, and %llu of them, the first at 0x%llx, have the "
			  "names of both, \"a|b\"", merge_name(&m->parts[0]),
			  (unsigned long long)s->doubtful, (unsigned long long)s->example);
}

enum tdat_status merge_symbols(struct merge *m, struct tdat_error *err)
{
	const struct tdat_span first = m->parts[0].file->ix.kallsyms;
	struct tdat_build *out = &m->w->meta.kallsyms;
	struct stretches s = {NULL, 0, 0, 0};
	enum tdat_status st;

	if (!m->tables_differ) {
		tdat_build_bytes(out, first.ptr, first.len);
		return out->failed ? merge_no_memory(m, err) : TDAT_OK;
	}
	if (!collect(m, &s))
		return merge_no_memory(m, err);
	trim(&s);
	put_lines(&s, out);
	free(s.list);
	st = put_named(m, out, err);
	if (st == TDAT_OK && out->failed)
		st = merge_no_memory(m, err);
	return st == TDAT_OK ? tell(m, &s, err) : st;
}
