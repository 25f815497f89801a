/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds of a regular expression, counted over its text before regcomp(3) sees it. */
#include "regex_bound.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/*
 * Parts that a construct makes in the C library's automaton, by measuring glibc 2.36: a
 * group and an alternation make several states, and an operator one more.
 */
enum { PART_ATOM = 1, PART_OPERATOR = 2, PART_GROUP = 4, PARTS_OVER = TDAT_REGEX_PARTS + 1 };

/* What one group holds so far. */
struct level {
	uint32_t done; /* parts before the last atom */
	uint32_t last; /* parts of the last atom: what an operator repeats */
};

struct scan {
	const char *p;
	bool extended;
	struct level levels[TDAT_REGEX_NEST + 1];
	unsigned int depth;
	const char *why; /* NULL: within the bounds */
};

static uint32_t clamp(uint64_t parts)
{
	return parts < PARTS_OVER ? (uint32_t)parts : PARTS_OVER;
}

static void add_atom(struct scan *s, uint32_t parts)
{
	struct level *l = &s->levels[s->depth];

	l->done = clamp((uint64_t)l->done + l->last);
	l->last = parts;
}

static void repeat(struct scan *s, uint64_t times)
{
	struct level *l = &s->levels[s->depth];

	l->last = clamp(l->last * (times ? times : 1) + PART_OPERATOR);
}

static void open_group(struct scan *s)
{
	if (s->depth == TDAT_REGEX_NEST) {
		s->why = "its groups are nested too deep";
		return;
	}
	s->levels[++s->depth] = (struct level){0, 0};
}

static void close_group(struct scan *s)
{
	const struct level l = s->levels[s->depth];

	if (!s->depth)
		return; /* in extended syntax alone: it is a character there, or an error that
			   regcomp reports */
	s->depth--;
	add_atom(s, clamp((uint64_t)l.done + l.last + PART_GROUP));
}

static uint64_t number(const char **p)
{
	uint64_t v = 0;

	for (; **p >= '0' && **p <= '9'; ++*p)
		v = v < PARTS_OVER ? v * 10 + (uint64_t)(**p - '0') : PARTS_OVER;
	return v;
}

/*
 * Reads an interval, "{n}", "{n,}" or "{n,m}", from behind its brace; regcomp reports broken
 * ones.
 */
static void interval(struct scan *s)
{
	uint64_t least = number(&s->p), most = least;

	if (*s->p == ',') {
		s->p++;
		most = *s->p >= '0' && *s->p <= '9' ? number(&s->p) : least + 1;
	}
	s->p += s->p[0] == '\\' && s->p[1] == '}';
	s->p += *s->p == '}';
	repeat(s, most > least ? most : least);
}

/* Skips a bracket expression, "[...]", from behind its bracket. */
static void bracket(struct scan *s)
{
	const char *p = s->p;

	p += *p == '^';
	p += *p == ']';
	while (*p && *p != ']') {
		const char kind = p[1];

		if (*p == '[' && (kind == ':' || kind == '=' || kind == '.')) {
			for (p += 2; *p && (p[0] != kind || p[1] != ']'); p++)
				;
			if (!*p)
				break;
			p++;
		}
		p++;
	}
	s->p = *p ? p + 1 : p;
	add_atom(s, PART_ATOM);
}

/* Counts a character that is an operator, in basic syntax behind a backslash. */
static void special(struct scan *s, char c)
{
	switch (c) {
	case '(':
		open_group(s);
		break;
	case ')':
		close_group(s);
		break;
	case '{':
		interval(s);
		break;
	case '|':
		add_atom(s, PART_GROUP);
		add_atom(s, 0);
		break;
	case '+': /* the C library writes it as two */
		repeat(s, 2);
		break;
	case '?':
		repeat(s, 1);
		break;
	default:
		add_atom(s, PART_ATOM);
		break;
	}
}

static void step(struct scan *s)
{
	const char c = *s->p++;

	if (c == '\\') {
		const char next = *s->p;

		if (!next)
			return;
		s->p++;
		if (next >= '1' && next <= '9')
			s->why = "it has a back reference, whose search has no bound";
		else if (s->extended)
			add_atom(s, PART_ATOM);
		else
			special(s, next);
	} else if (c == '[') {
		bracket(s);
	} else if (c == '*') {
		repeat(s, 1);
	} else if (s->extended) {
		special(s, c);
	} else {
		add_atom(s, PART_ATOM);
	}
}

/* Groups that are never closed count as well: regcomp meets them before it complains. */
static uint32_t parts(const struct scan *s)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i <= s->depth; i++)
		sum += (uint64_t)s->levels[i].done + s->levels[i].last;
	return clamp(sum);
}

static const char *find_excess(const char *text, bool extended)
{
	struct scan s = {.p = text, .extended = extended};

	if (strnlen(text, TDAT_REGEX_LEN + 1) > TDAT_REGEX_LEN)
		return "it is too long";
	while (*s.p && !s.why) {
		step(&s);
		if (!s.why && parts(&s) > TDAT_REGEX_PARTS)
			s.why = "it has too many parts, counting each as often as it is repeated";
	}
	return s.why;
}

bool tdat_regex_compile(regex_t *regex, const char *text, int flags, char *why, size_t why_len)
{
	const char *excess = find_excess(text, flags & REG_EXTENDED);
	int ret;

	if (excess) {
		snprintf(why, why_len, "%s (taken are %d bytes, %d groups in each other, %d parts)",
			 excess, TDAT_REGEX_LEN, TDAT_REGEX_NEST, TDAT_REGEX_PARTS);
		return false;
	}
	ret = regcomp(regex, text, flags);
	if (ret)
		regerror(ret, regex, why, why_len);
	return !ret;
}
