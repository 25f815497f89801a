/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the filter of a trigger over a record. Jumps go forward only, so each run ends. Strings are
 * compared over the bytes that the kernel compares; numbers are first cut to the size of their
 * field. Called for each hit of a trigger with a filter.
 */
#include "filter.h"

#include "filter_value.h"
#include "read.h"
#include "tasks.h"

/* ---- strings ---- */

/* Matches one character class of a pattern, "[a-z]", and moves *p behind it. */
static bool match_class(const char **p, uint8_t c, bool *good)
{
	const char *s = *p;
	bool match = false, invert = *s == '!';

	s += invert;
	do {
		uint8_t a = (uint8_t)*s++, b = a;

		*good = a != '\0';
		if (!*good)
			return false;
		if (*s == '-' && s[1] != ']' && s[1]) {
			b = (uint8_t)s[1];
			s += 2;
		}
		match |= a <= c && c <= b;
	} while (*s != ']');
	*p = s + 1;
	return match != invert;
}

/* True if the pattern's next character matches c. Moves *p behind it. */
static bool match_one(const char **p, uint8_t c)
{
	const char *s = *p;
	bool good = true, match;

	switch (*s) {
	case '\0':
		return false;
	case '?':
		*p = s + 1;
		return true;
	case '[':
		s++;
		match = match_class(&s, c, &good);
		if (good) {
			*p = s;
			return match;
		}
		*p += 1; /* no ] follows: the bracket is a character */
		return c == '[';
	case '\\':
		if (s[1])
			s++;
		break;
	default:
		break;
	}
	*p = s + 1;
	return (uint8_t)*s == c;
}

/*
 * lib/glob.c of the kernel: after a mismatch only the last "*" is tried again, one byte later. That
 * bounds the work by the product of both lengths.
 */
static bool match_glob(const char *pattern, struct tdat_span str)
{
	const char *back_pattern = NULL;
	size_t back = 0, i = 0;

	for (;;) {
		const char *next = pattern;

		if (*pattern == '*') {
			back_pattern = ++pattern;
			back = i;
			continue;
		}
		if (i == str.len)
			return !*pattern;
		if (match_one(&next, str.ptr[i])) {
			pattern = next;
			i++;
			continue;
		}
		if (!back_pattern)
			return false;
		pattern = back_pattern;
		i = ++back;
	}
}

/* field: all bytes that the kernel compares; str: those before the first NUL. */
static bool match_string(const struct hist_pred *p, struct tdat_span field, struct tdat_span str)
{
	switch (p->glob) {
	case HIST_GLOB_FULL:
		/* A string that fills its field may be the beginning of a longer one. */
		if (str.len < field.len || !field.len)
			return str.len == p->text_len && !memcmp(str.ptr, p->text, str.len);
		return str.len <= p->text_len && !memcmp(str.ptr, p->text, str.len);
	case HIST_GLOB_FRONT:
		return str.len >= p->text_len && !memcmp(str.ptr, p->text, p->text_len);
	case HIST_GLOB_MIDDLE:
		return !p->text_len || (str.len && memmem(str.ptr, str.len, p->text, p->text_len));
	case HIST_GLOB_END:
		/* It looks before the last byte of the field, not before the NUL. */
		return field.len && field.len - 1 >= p->text_len &&
		       !memcmp(field.ptr + field.len - 1 - p->text_len, p->text, p->text_len);
	default:
		return match_glob(p->text, str);
	}
}

/* True if the string matches. A pointer has no string in the file, so it never does. */
static bool run_string(const struct tdat_hist *h, const struct hist_pred *p,
		       const struct hist_hit *hit)
{
	struct tdat_span field = {(const uint8_t *)"", 0}, str;

	if (p->field->kind == HIST_TYPE_POINTER)
		return false;
	/* comm is the name of the running task, which no record has. */
	if (p->field->kind == HIST_TYPE_COMM) {
		field = hist_tasks_now(h, hit->pid);
		return match_string(p, (struct tdat_span){field.ptr, 0}, field) != p->invert;
	}
	if (!hist_read_bytes(h, p->field, hit, &field))
		return false;
	str = hist_until_nul(field);
	return match_string(p, field, str) != p->invert;
}

/* ---- numbers ---- */

/* both: the bits that both numbers have, for "&". */
static bool compare(enum hist_op op, bool less, bool equal, uint64_t both)
{
	switch (op) {
	case HIST_OP_EQ:
		return equal;
	case HIST_OP_NE:
		return !equal;
	case HIST_OP_LT:
		return less;
	case HIST_OP_LE:
		return less || equal;
	case HIST_OP_GT:
		return !less && !equal;
	case HIST_OP_GE:
		return !less;
	default:
		return both != 0;
	}
}

/* The number is cut to the field's size first, as the kernel does. */
static bool run_number(const struct tdat_hist *h, const struct hist_pred *p,
		       const struct hist_hit *hit)
{
	uint64_t v, want = p->num;

	if (!hist_read_filtered(h, p->field, hit, &v))
		return false;
	if (p->field->is_signed)
		want = hist_sign_extend(want, p->field->len);
	else if (p->field->len && p->field->len < 8)
		want &= (UINT64_C(1) << 8 * p->field->len) - 1;
	return compare(p->op, p->field->is_signed ? (int64_t)v < (int64_t)want : v < want,
		       v == want, v & want);
}

bool hist_filter_run(const struct tdat_hist *h, const struct hist_filter *f,
		     const struct hist_hit *hit)
{
	bool result = true;

	/* result is that of the last comparison. A jump tests it and keeps it. */
	for (uint32_t i = 0; i < f->step_count; i++) {
		const struct hist_step *s = &f->steps[i];
		const struct hist_pred *p;

		switch (s->kind) {
		case HIST_STEP_PRED:
			p = &f->preds[s->target];
			result = p->is_string  ? run_string(h, p, hit)
				 : p->cpus     ? hist_filter_run_cpus(h, p, hit)
				 : p->function ? hist_filter_run_function(h, p, hit)
					       : run_number(h, p, hit);
			break;
		case HIST_STEP_NOT:
			result = !result;
			break;
		case HIST_STEP_JUMP_TRUE:
		case HIST_STEP_JUMP_FALSE:
			/* The loop adds 1 to the target. */
			if (result == (s->kind == HIST_STEP_JUMP_TRUE))
				i = s->target - 1;
			break;
		}
	}
	return result;
}
