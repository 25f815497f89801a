/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells texts of which trace processor makes slices and counters from all others. The forms are
 * those of atrace. A text that is not markup must not be written as one, since trace processor
 * would then take it for a slice. Called by worker.c for trace_marker.
 */
#include "markup.h"

#include "core/atrace.h"
#include "core/text.h"

/* True if the part is a number between the two, and nothing else. */
static bool is_number(struct tdat_span part, int64_t least, int64_t most)
{
	int64_t v;

	return tdat_whole_i64(part, &v) && v >= least && v <= most;
}

static bool is_signed_number(struct tdat_span part)
{
	return is_number(part, -INT64_MAX, INT64_MAX);
}

/*
 * True if trace processor would take the text for markup (atrace's "B|pid|name" and others); parts
 * between bars must fit the phase.
 */
bool pf_is_markup(struct tdat_span text)
{
	struct tdat_span phase, first, second, third;

	/* Programs often end a mark with a newline or a NUL. */
	while (text.len && (text.ptr[text.len - 1] == '\n' || !text.ptr[text.len - 1]))
		text.len--;
	phase = tdat_mark_part(&text);
	if (phase.len != 1)
		return false;
	if (*phase.ptr == 'E')
		return true;
	/* All phases but E name a process. */
	if (!is_number(tdat_mark_part(&text), 0, UINT32_MAX))
		return false;
	first = tdat_mark_part(&text);
	second = tdat_mark_part(&text);
	third = tdat_mark_part(&text);
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
