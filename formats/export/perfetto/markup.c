/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells texts of which trace processor makes slices and counters from all others. The forms are
 * those of atrace. A text that is no markup must not be written as one, since trace processor
 * would then take it for a slice. Called by worker.c for trace_marker.
 */
#include "markup.h"

#include "core/text.h"

/* The part up to the next |, which is taken off. */
static struct tdat_span next_part(struct tdat_span *text)
{
	struct tdat_span part = {text->ptr, 0};

	while (part.len < text->len && part.ptr[part.len] != '|')
		part.len++;
	text->ptr += part.len;
	text->len -= part.len;
	if (text->len) {
		text->ptr++;
		text->len--;
	}
	return part;
}

/* Decimal digits of a number up to most, and nothing else. */
static bool is_number(struct tdat_span part, uint64_t most)
{
	uint64_t value;

	return tdat_take_digits(&part, 10, &value) && !part.len && value <= most;
}

static bool is_signed_number(struct tdat_span part)
{
	if (part.len && *part.ptr == '-') {
		part.ptr++;
		part.len--;
	}
	return is_number(part, INT64_MAX);
}

bool pf_is_markup(struct tdat_span text)
{
	struct tdat_span phase, first, second, third;

	while (text.len && (text.ptr[text.len - 1] == '\n' || !text.ptr[text.len - 1]))
		text.len--;
	phase = next_part(&text);
	if (phase.len != 1)
		return false;
	if (*phase.ptr == 'E')
		return true;
	if (!is_number(next_part(&text), UINT32_MAX))
		return false;
	first = next_part(&text);
	second = next_part(&text);
	third = next_part(&text);
	switch (*phase.ptr) {
	case 'B': /* a slice without a name has one */
		return true;
	case 'I':
		return first.len;
	case 'N':
		return first.len && second.len;
	case 'C':
	case 'S':
	case 'F':
		return first.len && is_signed_number(second);
	case 'G':
		return first.len && second.len && is_signed_number(third);
	case 'H':
		return first.len && is_signed_number(third.len ? third : second);
	default:
		return false;
	}
}
