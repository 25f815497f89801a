/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the text of a hist trigger apart at its colons. It splits
 * "keys=...:values=...:sort=..." into its attributes, each at most once where the kernel says
 * so, and does not look inside. Called by trigger.c, before anything is made.
 */
#include "trigger.h"

/* Rounds size= up to a power of two, as the kernel does. *bits: its logarithm. */
static bool parse_size(const char *text, uint32_t *bits)
{
	uint64_t size;
	uint32_t n = 0;

	if (!hist_parse_u64(text, &size) || !size || size > UINT64_C(1) << HIST_BITS_MAX)
		return false;
	while (UINT64_C(1) << n < size)
		n++;
	*bits = n;
	return n >= HIST_BITS_MIN;
}

/* "NAME=VALUE". Names that are not attributes define variables. */
static bool parse_assignment(struct tdat_hist *h, struct hist_attrs *a, char *s)
{
	char *value = strchr(s, '=') + 1;

	if (!*value)
		return hist_refuse(h, HIST_E_EMPTY, s);
	if (hist_has_prefix(s, "key=") || hist_has_prefix(s, "keys=")) {
		a->keys = value;
	} else if (hist_has_prefix(s, "val=") || hist_has_prefix(s, "vals=") ||
		   hist_has_prefix(s, "values=")) {
		a->vals = value;
	} else if (hist_has_prefix(s, "sort=")) {
		a->sort = value;
	} else if (hist_has_prefix(s, "name=")) {
		a->name = s;
	} else if (hist_has_prefix(s, "clock=")) {
		a->clock = hist_strip(value);
		a->clock_given = true;
	} else if (hist_has_prefix(s, "size=")) {
		return parse_size(value, &a->bits);
	} else {
		if (a->assignment_count == HIST_VARS)
			return hist_refuse(h, HIST_E_VARS, s);
		a->assignments[a->assignment_count++] = s;
	}
	return true;
}

/* A word without "=": a flag or an action. */
static bool parse_word(struct tdat_hist *h, struct hist_attrs *a, char *s)
{
	if (h->kernel.new_words && (!strcmp(s, "nohitcount") || !strcmp(s, "NOHC"))) {
		a->no_hitcount = true;
	} else if (!strcmp(s, "pause")) {
		a->pause = true;
	} else if (!strcmp(s, "cont") || !strcmp(s, "continue")) {
		a->cont = true;
	} else if (!strcmp(s, "clear")) {
		a->clear = true;
	} else if (hist_has_prefix(s, "onmatch(") || hist_has_prefix(s, "onmax(") ||
		   hist_has_prefix(s, "onchange(")) {
		if (a->action_count == HIST_ACTIONS)
			return false;
		a->actions[a->action_count++] = s;
	} else {
		return false;
	}
	return true;
}

/* "a=x,b=y" of all assignments to names and expressions. */
static bool parse_vars(struct tdat_hist *h, struct hist_attrs *a)
{
	for (uint32_t i = 0; i < a->assignment_count; i++) {
		char *rest = hist_strdup(h, a->assignments[i]), *one;

		if (!rest)
			return false;
		while ((one = hist_cut(&rest, ","))) {
			const char *name = hist_cut(&one, "=");

			if (!one)
				return hist_refuse(h, HIST_E_ASSIGNMENT, name);
			if (a->var_count == HIST_VARS)
				return hist_refuse(h, HIST_E_VARS, name);
			a->var_names[a->var_count] = name;
			a->var_exprs[a->var_count++] = one;
		}
	}
	return true;
}

bool hist_text_parse(struct tdat_hist *h, struct hist_attrs *a, char *text)
{
	char *s;

	while ((s = hist_cut(&text, ":")))
		if (!(strchr(s, '=') ? parse_assignment(h, a, s) : parse_word(h, a, s)))
			return false;
	/* keys= is the only attribute that must be there. */
	if (!a->keys)
		return false;
	/* The kernel's default. */
	if (!a->clock)
		a->clock = hist_strdup(h, "global");
	if (!a->clock)
		return false;
	return parse_vars(h, a);
}
