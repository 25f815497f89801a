/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes options apart whose payload is text, where it is what it should be. These are the
 * options HOOK, TGIDS, PROCMAPS and the time of the last boot. A line of another shape is shown
 * as plain text, so that nothing is hidden. Called by option.c.
 */
#include <string.h>

#include "core/text.h"
#include "option_parts.h"

/* Takes the part of s before c, or all of it; *found says whether c was there. */
static struct tdat_span take_until(struct tdat_span *s, char c, bool *found)
{
	const uint8_t *hit = s->len ? memchr(s->ptr, c, s->len) : NULL;
	struct tdat_span part = {s->ptr, hit ? (size_t)(hit - s->ptr) : s->len};
	size_t used = part.len + (hit ? 1 : 0);

	s->ptr = s->len ? s->ptr + used : s->ptr;
	s->len -= used;
	*found = hit != NULL;
	return part;
}

/* ---- HOOK ---- */

/* "system:event,match,..." of one side of a hook; the system may be missing. */
static void hook_half(struct option_out *o, const char *key, struct tdat_span s, const char *last)
{
	struct tdat_span event, system = {NULL, 0}, rest;
	bool found;

	event = take_until(&s, ',', &found);
	rest = event;
	system = take_until(&rest, ':', &found);
	if (found)
		event = rest;
	option_group(o, key);
	if (found)
		option_text(o, "system", system);
	option_text(o, "event", event);
	option_text(o, "match", take_until(&s, ',', &found));
	if (found)
		option_text(o, last, s);
	option_group_end(o);
}

/* Takes text apart at its slash; false: a half has no comma. */
static bool hook_halves(struct tdat_span text, struct tdat_span *start, struct tdat_span *end)
{
	bool found;

	*end = text;
	*start = take_until(end, '/', &found);
	return found && start->len && end->len && memchr(start->ptr, ',', start->len) &&
	       memchr(end->ptr, ',', end->len);
}

bool option_hook_sound(struct tdat_span data)
{
	const uint8_t *nul = data.len ? memchr(data.ptr, 0, data.len) : NULL;
	struct tdat_span text = {data.ptr, nul ? (size_t)(nul - data.ptr) : data.len};
	struct tdat_span start, end;

	return hook_halves(text, &start, &end);
}

/* [system:]event,match[,pid]/[system:]event,match[,flags] */
void option_hook(struct option_out *o, struct tdat_span text)
{
	struct tdat_span start, end;

	option_text(o, "text", text);
	if (!hook_halves(text, &start, &end))
		return;
	hook_half(o, "start", start, "pid");
	hook_half(o, "end", end, "flags");
}

/* ---- lines of numbers and names ---- */

/* An unsigned number of the base 10 or 16 at the head of *s, and the blanks behind it. */
static bool take_number(struct tdat_span *s, unsigned base, uint64_t *value)
{
	if (!tdat_take_u64(s, base, value) || (s->len && !tdat_is_space(*s->ptr)))
		return false;
	*s = tdat_span_from(*s, tdat_skip_space(*s, 0));
	return true;
}

static bool tgid_line(struct tdat_span line, uint64_t *pid, uint64_t *tgid)
{
	return take_number(&line, 10, pid) && take_number(&line, 10, tgid) && !line.len;
}

/* One line of another shape makes the whole option plain text. */
static bool all_tgids(struct tdat_span text)
{
	struct tdat_lines l = tdat_lines_init(text);
	struct tdat_span line;
	uint64_t pid, tgid;

	while (tdat_lines_next(&l, &line))
		if (!tgid_line(line, &pid, &tgid))
			return false;
	return true;
}

/* Judged first, so that no half list is shown. */
void option_tgids(struct option_out *o, struct tdat_span text)
{
	struct tdat_lines l = tdat_lines_init(text);
	struct tdat_span line;
	uint64_t pid, tgid;

	if (!all_tgids(text)) {
		option_text(o, "text", text);
		return;
	}
	option_list(o, "tgids");
	while (tdat_lines_next(&l, &line) && tgid_line(line, &pid, &tgid)) {
		option_group(o, NULL);
		option_number(o, "pid", pid);
		option_number(o, "tgid", tgid);
		option_group_end(o);
	}
	option_list_end(o);
}

/* ---- PROCMAPS: "pid count name", then "start end path", numbers in hexadecimal ---- */

/* The head's count of lines must be right. */
static bool procmaps_ok(struct tdat_span text)
{
	struct tdat_lines l = tdat_lines_init(text);
	struct tdat_span line;
	uint64_t a, count, lines = 0;

	if (!tdat_lines_next(&l, &line) || !take_number(&line, 16, &a) ||
	    !take_number(&line, 16, &count))
		return false;
	for (; tdat_lines_next(&l, &line); lines++)
		if (!take_number(&line, 16, &a) || !take_number(&line, 16, &a))
			return false;
	return lines == count;
}

/* The head is pid, count and name; each line a range and a path. */
void option_procmaps(struct option_out *o, struct tdat_span text)
{
	struct tdat_lines l = tdat_lines_init(text);
	struct tdat_span line = {NULL, 0};
	uint64_t a, b;

	if (!procmaps_ok(text)) {
		option_text(o, "text", text);
		return;
	}
	tdat_lines_next(&l, &line);
	take_number(&line, 16, &a);
	take_number(&line, 16, &b);
	option_number(o, "pid", a);
	option_text(o, "name", line);
	option_list(o, "maps");
	while (tdat_lines_next(&l, &line)) {
		take_number(&line, 16, &a);
		take_number(&line, 16, &b);
		option_group(o, NULL);
		option_hex(o, "start", a);
		option_hex(o, "end", b);
		option_text(o, "path", line);
		option_group_end(o);
	}
	option_list_end(o);
}

/* ---- LAST_BOOT_INFO: "instance:text" ---- */

/* An instance's name may stand before the text. */
void option_last_boot(struct option_out *o, struct tdat_span text)
{
	struct tdat_span rest = text, name;
	bool found;

	name = take_until(&rest, ':', &found);
	if (found)
		option_text(o, "instance", name);
	option_text(o, "text", found ? rest : text);
}
