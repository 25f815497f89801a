/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bounds a regular expression, by its text, before regcomp(3) sees it. regcomp and regexec of
 * the C library take memory and time without a bound for some expressions. The text is read
 * once, as the C library would, and its cost is added up: length, nesting, states of the
 * automaton as measured with glibc, and places at which it may be at once. An expression beyond
 * a bound is refused with a reason before regcomp sees it.
 */
#include "regex_bound.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/*
 * Parts that a construct makes in the C library's automaton, by measuring glibc 2.36: a
 * group and an alternation make several states, and an operator one more.
 */
enum {
	PART_ATOM = 1,
	PART_OPERATOR = 2,
	PART_GROUP = 4,
	PARTS_OVER = TDAT_REGEX_PARTS + 1,
	REPEATED_MOST = 4,
	PLACE_LEN = 64
};

/* Counts of one group so far. */
struct level {
	uint32_t done;		       /* parts before the last atom */
	uint32_t last;		       /* parts of the last atom: what an operator repeats */
	uint32_t open_done, open_last; /* open places of the same */
};

/*
 * regexec(3) makes a state for each set of places at which it may be at once, and keeps
 * them all. These sets are few while the text decides where it is. Behind an operator that may
 * match more or less ("*", "?", an interval, an alternation in a group) it does not, and
 * each open place, which takes different characters, may double their number:
 * "(a|b)*a(a|b){128}" would take a state for each text of 128 characters. So open places
 * behind the first such operator are counted, as often as they are repeated. A character that
 * cannot be part of what is repeated, as the blank in "[0-9]* comm", decides again.
 */

/* The text of a place that is repeated: a bracket expression or a letter. */
struct place {
	const char *text;
	size_t len; /* 0: it is something else */
};

struct scan {
	const char *p;
	bool extended;
	struct level levels[TDAT_REGEX_NEST + 1];
	unsigned int depth;
	bool loose;	   /* behind an operator that may match more or less */
	uint32_t doubling; /* open places there */
	struct place last, repeated[REPEATED_MOST]; /* the last atom; what made it loose */
	size_t repeated_count;
	bool unbounded;	 /* something is repeated as often as it comes */
	bool caret;	 /* there is a '^', the beginning of the text or the character */
	bool dot;	 /* the last atom is one place that has no text here */
	bool undecided;	 /* something else made it loose, or open places followed */
	const char *why; /* NULL: within the bounds */
};

/* Sums are cut at PARTS_OVER, so they cannot overflow. */
static uint32_t clamp(uint64_t parts)
{
	return parts < PARTS_OVER ? (uint32_t)parts : PARTS_OVER;
}

/* Adds places that may double the states of regexec(). */
static void add_doubling(struct scan *s, uint64_t places)
{
	s->doubling = clamp(s->doubling + places);
}

/* The atom before is final now: no operator can repeat it any more. */
static void add_atom(struct scan *s, uint32_t parts, uint32_t open)
{
	struct level *l = &s->levels[s->depth];

	l->done = clamp((uint64_t)l->done + l->last);
	l->last = parts;
	l->open_done = clamp((uint64_t)l->open_done + l->open_last);
	l->open_last = open;
	s->last = (struct place){NULL, 0};
	s->dot = false;
}

/* regcomp in the locale "C": what matches does not depend on that of the program, or of a thread.
 */
static int compile(regex_t *regex, const char *text, int flags)
{
	const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	const locale_t before = c ? uselocale(c) : (locale_t)0;
	const int ret = c ? regcomp(regex, text, flags) : REG_ESPACE;

	if (c) {
		uselocale(before);
		freelocale(c);
	}
	return ret;
}

/* Whether the place, which is a letter or a bracket expression, takes the character. */
static bool takes(const struct place *place, char c)
{
	char text[PLACE_LEN + 1], subject[2] = {c, '\0'};
	regex_t regex;
	bool hit;

	memcpy(text, place->text, place->len);
	text[place->len] = '\0';
	if (compile(&regex, text, REG_ICASE | REG_NOSUB))
		return true;
	hit = !regexec(&regex, subject, 0, NULL, 0);
	regfree(&regex);
	return hit;
}

/* A character that none of the repeated places takes ends what may match more or less. */
static void decide(struct scan *s, char c)
{
	if (!s->loose || s->undecided)
		return;
	for (size_t i = 0; i < s->repeated_count; i++)
		if (takes(&s->repeated[i], c))
			return;
	s->loose = false;
	s->repeated_count = 0;
}

/*
 * From here on the text does not decide where the search is. At most REPEATED_MOST places are
 * compared; with more, nothing decides again.
 */
static void become_loose(struct scan *s)
{
	if (s->last.len && s->repeated_count < REPEATED_MOST)
		s->repeated[s->repeated_count++] = s->last;
	else
		s->undecided = true;
	s->loose = true;
}

/* The text decides again: a new branch begins. */
static void end_loose(struct scan *s)
{
	s->loose = s->undecided = false;
	s->repeated_count = 0;
}

/* A place for one of several characters; text to p is what it is, where len is not 0. */
static void add_open_place(struct scan *s, const char *text, size_t len)
{
	add_atom(s, PART_ATOM, 1);
	s->dot = true;
	if (len <= PLACE_LEN)
		s->last = (struct place){text, len};
	if (s->loose) {
		add_doubling(s, 1);
		s->undecided = true;
	}
}

/* Letters and a few others may be what is repeated before; see decide(). */
static void add_character(struct scan *s, const char *at)
{
	const bool letter = tdat_is_word((uint8_t)*at) || *at == ' ';

	decide(s, *at);
	add_atom(s, PART_ATOM, 0);
	s->last = (struct place){at, letter};
}

/* loose: it may match once more or once less. */
static void repeat(struct scan *s, uint64_t times, bool loose)
{
	struct level *l = &s->levels[s->depth];
	const uint32_t once = l->open_last;
	const bool one_place = s->last.len || s->dot;

	if (!times)
		times = 1;
	l->last = clamp(l->last * times + PART_OPERATOR);
	l->open_last = clamp(once * times + loose);
	if (s->loose)
		add_doubling(s, l->open_last - once);
	else if (loose) /* in one place repeated there is one way, however often */
		add_doubling(s, one_place ? 1 : l->open_last);
	if (loose)
		become_loose(s);
}

/* A group counts its own parts, which become one atom when it closes. */
static void open_group(struct scan *s)
{
	if (s->depth == TDAT_REGEX_NEST) {
		s->why = "its groups are nested too deeply";
		return;
	}
	s->levels[++s->depth] = (struct level){0, 0, 0, 0};
}

/* A group becomes one atom, whose parts are the sum of its own. */
static void close_group(struct scan *s)
{
	const struct level l = s->levels[s->depth];

	if (!s->depth)
		return; /* in extended syntax alone: it is a character there, or an error that
			   regcomp reports */
	s->depth--;
	/* Its open places are counted where they must be. */
	add_atom(s, clamp((uint64_t)l.done + l.last + PART_GROUP),
		 clamp((uint64_t)l.open_done + l.open_last));
}

/* Digits of an interval; large numbers are cut, since they exceed the bound anyway. */
static uint64_t number(const char **p)
{
	uint64_t v;

	*p = tdat_read_digits(*p, NULL, 10, &v);
	return v < PARTS_OVER ? v : PARTS_OVER;
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
		s->unbounded |= *s->p < '0' || *s->p > '9';
		most = *s->p >= '0' && *s->p <= '9' ? number(&s->p) : least + 1;
	}
	s->p += s->p[0] == '\\' && s->p[1] == '}';
	s->p += *s->p == '}';
	repeat(s, most > least ? most : least, most > least);
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
	add_open_place(s, s->p - 1, *p ? (size_t)(p + 1 - (s->p - 1)) : 0);
	s->p = *p ? p + 1 : p;
}

/* A choice in a group is an open place; one of whole expressions begins anew. */
static void alternation(struct scan *s)
{
	add_atom(s, PART_GROUP, s->depth > 0);
	if (s->loose && s->depth)
		add_doubling(s, 1);
	add_atom(s, 0, 0);
	if (!s->depth)
		end_loose(s);
	else
		become_loose(s);
}

/* A character behind a backslash that is not an operator: a class, an edge of words, itself. */
static void add_escaped(struct scan *s, const char *at)
{
	if (strchr("wWsSbB<>", *at))
		add_open_place(s, NULL, 0);
	else
		add_character(s, at);
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
		alternation(s);
		break;
	case '+': /* the C library writes it as two */
		s->unbounded = true;
		repeat(s, 2, true);
		break;
	case '?':
		repeat(s, 1, true);
		break;
	default:
		add_escaped(s, s->p - 1);
		break;
	}
}

/*
 * Reads one construct of either syntax. A back reference is refused, as its search has no
 * bound.
 */
static void step(struct scan *s)
{
	const char c = *s->p++;

	if (c == '\\') {
		const char next = *s->p;

		if (!next)
			return;
		s->p++;
		if (next >= '1' && next <= '9')
			s->why = "it has a back reference, which could take unlimited time";
		else if (s->extended)
			add_escaped(s, s->p - 1);
		else
			special(s, next);
	} else if (c == '[') {
		bracket(s);
	} else if (c == '*') {
		s->unbounded = true;
		repeat(s, 1, true);
	} else if (c == '.') {
		add_open_place(s, NULL, 0);
	} else if (s->extended && strchr("(){|+?", c)) {
		special(s, c);
	} else {
		s->caret |= c == '^';
		add_character(s, s->p - 1);
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

/* Reads a whole expression; s->why is what exceeds the bounds. */
static void read_all(struct scan *s, const char *text, bool extended)
{
	*s = (struct scan){.p = text, .extended = extended};
	if (strnlen(text, TDAT_REGEX_LEN + 1) > TDAT_REGEX_LEN)
		s->why = "it is too long";
	while (*s->p && !s->why) {
		step(s);
		if (!s->why && parts(s) > TDAT_REGEX_PARTS)
			s->why = "it has too many parts, counting repetitions";
		else if (!s->why && s->doubling > TDAT_REGEX_OPEN)
			s->why = "it has too many places that match different characters after a "
				 "repetition of variable length, counting repetitions";
	}
}

/* The text is judged first; regcomp() then reports errors of syntax in its own words. */
bool tdat_regex_compile(regex_t *regex, const char *text, int flags, char *why, size_t why_len)
{
	struct scan s;
	int ret;

	read_all(&s, text, flags & REG_EXTENDED);
	if (s.why) {
		snprintf(why, why_len,
			 "%s (at most %d bytes, %d nested groups, %d parts and %d such places are "
			 "allowed)",
			 s.why, TDAT_REGEX_LEN, TDAT_REGEX_NEST, TDAT_REGEX_PARTS, TDAT_REGEX_OPEN);
		return false;
	}
	ret = compile(regex, text, flags);
	if (ret)
		regerror(ret, regex, why, why_len);
	return !ret;
}

/*
 * "a.*b" takes the square of a text of 'a', as each 'a' may begin what matches. "^.*\(a.*b\)"
 * matches the same texts and is tried at their beginning only. An expression with a '^' of its own
 * mostly is, too; behind ".*" glibc takes it wrongly.
 */
bool tdat_regex_compile_once(regex_t *regex, const char *text, int flags)
{
	static const char head[] = "^.*\\(", tail[] = "\\)";
	const size_t len = strlen(text);
	struct scan s;
	char *whole;
	bool done;

	read_all(&s, text, false);
	if (s.why || !s.unbounded || s.caret)
		return false;
	whole = malloc(len + sizeof(head) + sizeof(tail));
	if (!whole)
		return false;
	memcpy(whole, head, sizeof(head) - 1);
	memcpy(whole + sizeof(head) - 1, text, len);
	memcpy(whole + sizeof(head) - 1 + len, tail, sizeof(tail));
	read_all(&s, whole, false);
	done = !s.why && !compile(regex, whole, flags);
	free(whole);
	return done;
}
