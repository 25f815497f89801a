/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts the format string of a print format into literals and conversions. It follows
 * libtraceevent: which letters belong to "%p", which conversions it refuses, and what an
 * argument that is missing means. The result is a list of parts that print_compile.c turns into
 * items.
 */
#include "print_split.h"

#include <stdio.h>
#include <string.h>

/* libtraceevent copies a conversion to a buffer of 32 bytes. */
enum { CONVERSION_MAX = 30 };

/* The rest of the format string and of its arguments. */
struct splitter {
	const char *p;
	struct ast *arg; /* the next one */
	struct ast_print *parsed;
	struct tdat_arena *arena;
};

/* Notes why libtraceevent refuses the print fmt. Always false. */
static bool fail(struct splitter *s, const char *why)
{
	snprintf(s->parsed->why, sizeof(s->parsed->why), "%s", why);
	return false;
}

/* Makes a part with a copy of its text. NULL: no memory. */
static struct part *new_part(struct splitter *s, enum part_type type, const char *text, size_t len)
{
	struct part *part = tdat_arena_alloc(s->arena, sizeof(*part));

	if (part)
		part->text = tdat_arena_strndup(s->arena, text, len);
	if (!part || !part->text) {
		s->parsed->nomem = true;
		return NULL;
	}
	part->type = type;
	part->len = len;
	return part;
}

/* Returns how many bytes of p are text, escapes included: no more than these come out of it. */
static size_t text_len(const char *p)
{
	size_t i = 0;

	while (p[i] && (p[i] != '%' || p[i + 1] == '%'))
		i += (p[i] == '%' || p[i] == '\\') && p[i + 1] ? 2 : 1;
	return i;
}

/* Takes the text up to the next conversion. Escapes are resolved here and only here. */
static bool split_text(struct splitter *s, struct part **out)
{
	char *text = tdat_arena_alloc(s->arena, text_len(s->p) + 1);
	size_t len = 0;
	char ch;

	if (!text) {
		s->parsed->nomem = true;
		return false;
	}
	for (; *s->p; s->p++) {
		ch = *s->p;
		if (ch == '\\') {
			ch = *++s->p;
			if (!ch)
				break;
			ch = ch == 'n' ? '\n' : ch == 't' ? '\t' : ch == 'r' ? '\r' : ch;
		} else if (ch == '%') {
			if (s->p[1] != '%')
				break;
			s->p++;
		}
		text[len++] = ch;
	}
	*out = new_part(s, PART_TEXT, text, len);
	return *out != NULL;
}

/* Returns p[i], NUL beyond n. */
static char letter_at(const char *p, size_t n, size_t i)
{
	return i < n ? p[i] : '\0';
}

static bool one_of(const char *set, char ch)
{
	return ch && strchr(set, ch);
}

/* Returns the letters of %pI and %pi: 4, 6 or S, and those that each allows behind it. */
static size_t ip_letters(const char *p, size_t n)
{
	char kind = letter_at(p, n, 1);
	size_t i = 2;

	if (kind == '6')
		return letter_at(p, n, 2) == 'c' ? 3 : 2;
	if (kind != '4' && kind != 'S')
		return 1;
	/* %pIS takes port, flow and scope before the byte order, and the short form behind it. */
	while (kind == 'S' && one_of("pfs", letter_at(p, n, i)))
		i++;
	if (one_of("hnlb", letter_at(p, n, i)))
		i++;
	if (kind == 'S' && letter_at(p, n, i) == 'c')
		i++;
	return i;
}

/*
 * Returns how many letters behind "p" belong to the conversion. Fewer than for the kernel:
 * libtraceevent prints the others as text.
 */
size_t part_pointer_letters(const char *p, size_t n)
{
	switch (letter_at(p, n, 0)) {
	case 'F':
	case 'S':
	case 'f':
	case 's':
		return 1;
	case 'M':
	case 'm':
		return one_of("RF", letter_at(p, n, 1)) ? 2 : 1;
	case 'U':
		return one_of("LlBb", letter_at(p, n, 1)) ? 2 : 1;
	case 'h':
		return one_of("CDN", letter_at(p, n, 1)) ? 2 : 1;
	case 'I':
	case 'i':
		return ip_letters(p, n);
	default:
		return 0;
	}
}

/* Makes the part of a conversion, and takes its argument. */
static bool add(struct splitter *s, struct part **out, enum part_type type, const char *start,
		struct ast *star, int longs)
{
	/* The text from "%" to the last letter: print_compile.c reads width and flags from it. */
	size_t len = (size_t)(s->p - start);
	struct part *part;

	/*
	 * libtraceevent refuses the whole print fmt then; more arguments than conversions are fine.
	 */
	if (!s->arg)
		return fail(s, "it has more conversions than arguments");
	if (len > CONVERSION_MAX)
		return fail(s, "a conversion has more than 30 characters");
	if (type == PART_NUMBER && (longs < -2 || longs > 2))
		return fail(s, "a number has an unknown length");
	part = new_part(s, type, start, len);
	if (!part)
		return false;
	part->arg = s->arg;
	part->star = star;
	part->longs = longs;
	s->arg = s->arg->next;
	*out = part;
	return true;
}

/* Makes the text ">x<" for a letter that is not a conversion; it takes no argument. */
static bool odd_conversion(struct splitter *s, struct part **out)
{
	char text[4] = ">?<";

	text[1] = *s->p++;
	*out = new_part(s, PART_TEXT, text, 3);
	return *out != NULL;
}

/* Takes one conversion from its '%' on: "%-5d". libtraceevent 1.7 knows no '+' and no %c. */
static bool split_conversion(struct splitter *s, struct part **out)
{
	const char *start = s->p++;
	struct ast *star = NULL;
	int longs = 0;

	for (; *s->p; s->p++) {
		const char ch = *s->p;

		if (s->parsed->tep17 && (ch == '+' || ch == 'c'))
			return odd_conversion(s, out);
		if (strchr("+#.-0123456789", ch))
			continue;
		if (strchr(PART_LONGS, ch)) {
			longs = part_longs(longs, ch);
			continue;
		}
		if (ch == '*') {
			if (!s->arg)
				return fail(s, "it has more conversions than arguments");
			if (star)
				return fail(s, "a conversion has two '*'");
			star = s->arg;
			s->arg = s->arg->next;
			continue;
		}
		if (!strchr("pscduixXo", ch))
			return odd_conversion(s, out);
		s->p++;
		if (ch == 'p')
			s->p += part_pointer_letters(s->p, strnlen(s->p, CONVERSION_MAX));
		return add(s, out,
			   ch == 'p'   ? PART_POINTER
			   : ch == 's' ? PART_STRING
				       : PART_NUMBER,
			   start, star, longs);
	}
	return true; /* the string ends within it: nothing is printed */
}

/* Cuts the whole format string. False: parsed->why says why libtraceevent refuses it. */
bool part_split(struct part **out, struct ast_print *parsed, struct tdat_arena *arena)
{
	struct splitter s = {parsed->format, parsed->args, parsed, arena};
	bool ok;

	*out = NULL;
	while (*s.p) {
		if (s.p[0] == '%' && s.p[1] != '%')
			ok = split_conversion(&s, out);
		else
			ok = split_text(&s, out);
		if (!ok)
			return false;
		if (*out)
			out = &(*out)->next;
	}
	return true;
}
