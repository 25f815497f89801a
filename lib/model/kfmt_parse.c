/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cuts a print fmt into its format string and its arguments. Kernels do not escape quotes in the
 * format string, so its end is searched for: as many arguments as it has conversions must follow.
 * Each argument is parsed by itself (kfmt_arg.c), so one that is not understood costs no other.
 */
#include "kfmt.h"

#include <string.h>

#include "kfmt_arg.h"
#include "kfmt_lex.h"

/*
 * Cuts off the argument up to the next outer comma. False: brackets or quotes do not fit each
 * other, so the text is not a list of arguments.
 */
static bool next_cut(struct klex *lex, struct tdat_span *arg)
{
	const char *start = lex->p;
	int open = 0;

	for (;;) {
		const struct ktok t = klex_next(lex);

		if (t.kind == KT_BAD || open < 0)
			return false;
		if (t.kind == KT_END || (t.kind == KT_OP && t.op == ',' && !open)) {
			*arg = (struct tdat_span){(const uint8_t *)start, (size_t)(t.text - start)};
			return !open;
		}
		if (t.kind == KT_OP && t.op < KOP_SHL) {
			open += strchr("([{", t.op) != NULL;
			open -= strchr(")]}", t.op) != NULL;
		}
	}
}

/* Returns the number of arguments of a text; UINT32_MAX: it is not a list of arguments. */
static uint32_t count_args(const char *text, size_t len)
{
	struct klex lex = {text, text + len};
	struct tdat_span arg;
	uint32_t count = 0;

	while (lex.p < lex.end) {
		if (!next_cut(&lex, &arg))
			return UINT32_MAX;
		count++;
	}
	return count;
}

/* Parses all arguments into out->args. False: no memory; a bad argument becomes KN_BAD. */
static bool parse_list(struct kfmt *out, const struct tdat_event_format *format,
		       struct tdat_arena *arena, bool as_written, const char *text, size_t len)
{
	struct klex lex = {text, text + len};
	struct kn **list = &out->args;
	struct tdat_span arg;

	while (lex.p < lex.end && next_cut(&lex, &arg)) {
		struct kn *n = kfmt_arg_parse(format, arena, as_written, arg, &out->too_deep),
			  *link;

		/* A local of a statement expression may be the whole of two arguments. */
		link = n ? tdat_arena_alloc(arena, sizeof(*link)) : NULL;
		if (!link)
			return false;
		*link = *n;
		link->next = NULL;
		*list = link;
		list = &link->next;
		out->arg_count++;
	}
	return true;
}

/*
 * Copies the format string: adjacent strings become one, escapes are resolved. A quote inside the
 * text is kept, because kernels do not escape it.
 */
static bool take_format(struct kfmt *out, struct tdat_arena *arena, const char *text, size_t len)
{
	char *raw = tdat_arena_alloc(arena, len + 1), *to = raw;

	if (!raw)
		return false;
	for (size_t i = 0; i < len; i++) {
		size_t gap = i + 1;

		while (text[i] == '"' && gap < len && strchr(" \n\t", text[gap]))
			gap++;
		if (gap > i + 1 && gap < len && text[gap] == '"' &&
		    !(i && text[i - 1] == '\\')) { /* "one" "two" */
			i = gap;
			continue;
		}
		*to++ = text[i];
	}
	out->len = klex_unescape(raw, raw, (size_t)(to - raw));
	raw[out->len] = '\0';
	out->text = raw;
	return true;
}

/*
 * True if the quote at text[at] may end the format string: nothing or a comma follows. *args is
 * where the arguments begin.
 */
static bool may_end(const char *text, size_t len, size_t at, size_t *args)
{
	size_t i = at + 1, escapes = 0;

	if (text[at] != '"')
		return false;
	while (at > escapes && text[at - escapes - 1] == '\\')
		escapes++;
	if (escapes % 2)
		return false;
	while (i < len && strchr(" \n\t", text[i]))
		i++;
	*args = i < len ? i + 1 : len;
	return i >= len || text[i] == ',';
}

/*
 * Finds the quote that ends the format string. Kernels do not escape quotes in it, so a quote
 * and a comma may also be a part of the text: the end is the first one behind which follow as
 * many arguments as the text has conversions, else the first behind which follow arguments.
 */
static size_t find_end(const char *text, size_t len, size_t *args)
{
	enum { TRIES = 16 };
	size_t found = 0, found_args = len, from;
	unsigned tries = 0;

	/* TRIES bounds the time: each try reads the rest of the text. */
	for (size_t at = 1; at < len && tries < TRIES; at++) {
		uint32_t count;

		if (!may_end(text, len, at, &from))
			continue;
		tries++;
		count = count_args(text + from, len - from);
		if (count == UINT32_MAX)
			continue;
		/* The right end: the counts agree. */
		if (count == kfmt_conversions(text + 1, at - 1)) {
			*args = from;
			return at;
		}
		if (!found) {
			found = at;
			found_args = from;
		}
	}
	*args = found_args;
	return found;
}

/* Returns the length without trailing blanks. */
static size_t text_len(const char *text)
{
	size_t len = strlen(text);

	while (len && strchr(" \n\t", text[len - 1]))
		len--;
	return len;
}

bool kfmt_parse(struct kfmt *out, const struct tdat_event_format *format, struct tdat_arena *arena,
		bool *nomem)
{
	const char *text = format->print_fmt;
	size_t len = text_len(text), end, args;

	*out = (struct kfmt){0};
	*nomem = false;
	if (!len || text[0] != '"')
		return false;
	/* end is the closing quote, args the offset of the first argument. */
	end = find_end(text, len, &args);
	if (!end)
		return false;
	if (!take_format(out, arena, text + 1, end - 1) ||
	    !parse_list(out, format, arena, false, text + args, len - args)) {
		*nomem = true;
		return false;
	}
	return true;
}

bool kfmt_parse_written(struct kfmt *out, const struct tdat_event_format *format, size_t at,
			struct tdat_arena *arena, bool *nomem)
{
	const char *text = format->print_fmt;
	const size_t len = text_len(text);

	*out = (struct kfmt){0};
	if (len <= at || text[len - 1] == ',' || count_args(text + at, len - at) == UINT32_MAX)
		return false;
	*nomem = !parse_list(out, format, arena, true, text + at, len - at);
	return !*nomem;
}

/* Adds the event's own fields as arguments if a format of system ftrace names none. */
bool kfmt_all_fields(struct kfmt *fmt, const struct tdat_event_format *format,
		     struct tdat_arena *arena)
{
	struct kn **list = &fmt->args;

	if (fmt->args || strcmp(format->system, "ftrace") != 0)
		return true;
	for (size_t i = format->common_count; i < format->field_count; i++) {
		struct kn *n = tdat_arena_alloc(arena, sizeof(*n));

		if (!n)
			return false;
		n->kind = KN_FIELD;
		n->text = format->fields[i].name;
		n->field = &format->fields[i];
		*list = n;
		list = &n->next;
	}
	return true;
}

bool kn_each(const struct kn *n, bool (*fn)(void *ctx, const struct kn *n), void *ctx)
{
	if (!n)
		return true;
	if (!fn(ctx, n) || !kn_each(n->a, fn, ctx) || !kn_each(n->b, fn, ctx) ||
	    !kn_each(n->c, fn, ctx))
		return false;
	for (const struct kn *arg = n->args; arg; arg = arg->next)
		if (!kn_each(arg, fn, ctx))
			return false;
	return true;
}
