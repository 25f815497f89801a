/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds how long records of an event can be. The kernel writes events without dynamic fields with
 * exactly the bytes that their format says; programs may write more into theirs. The reader of
 * pages uses the bounds to find damage.
 */
#include <string.h>

#include "format.h"

/*
 * Where a kernel 6.12 has room for the times of funcgraph_exit twice, the second is not set: it has
 * the bytes of an event that was there before.
 */
enum { GRAPH_SPARE = 16 };

/*
 * Where the kernel gives up a change of time, its word becomes the one that holds the length, and
 * the record has four bytes more than were asked for.
 */
enum { LONG_SPARE = 4 };

static bool is_event(const struct tdat_event_format *format, const char *system, const char *name)
{
	return !strcmp(format->system, system) && !strcmp(format->name, name);
}

/* True if the kernel reserves other room for the last field than its format says. */
static bool has_other_room(const struct tdat_event_format *format, const struct tdat_field *last)
{
	/* A stack ends where it does; a synthetic event has as much room for each text. */
	return is_event(format, "ftrace", "kernel_stack") ||
	       (!strcmp(format->system, "synthetic") && last->flags & TDAT_FIELD_STRING);
}

/* UINT32_MAX means any length. */
static uint32_t clamped(uint64_t len)
{
	return len < UINT32_MAX ? (uint32_t)len : UINT32_MAX;
}

/*
 * lib/file/record_lens.c hands these bounds to the parser of pages; a record outside of them is
 * damage.
 */
void model_record_lens(struct tdat_event_format *format)
{
	const uint64_t len = format->fixed_len;
	const struct tdat_field *last;

	format->least_len = clamped(len);
	format->most_len = UINT32_MAX;
	if (!format->field_count)
		return;
	last = &format->fields[format->field_count - 1];
	if (has_other_room(format, last)) {
		format->least_len = last->off;
		return;
	}
	if (format->unread_off || !strcmp(format->system, "user_events") ||
	    is_event(format, "ftrace", "bputs"))
		return;
	for (size_t i = 0; i < format->field_count; i++)
		if (format->fields[i].flags & TDAT_FIELD_FLEXIBLE ||
		    model_field_is_loc(&format->fields[i]))
			return;
	/* The kernel aligns the size of what it reserves to 8 bytes. */
	format->most_len = clamped(((len + 7) & ~7ull) + LONG_SPARE);
	if (is_event(format, "ftrace", "funcgraph_exit"))
		format->most_len = clamped(((len + 3) & ~3ull) + GRAPH_SPARE);
}
