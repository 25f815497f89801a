/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads lists of definitions: a saved dynamic_events, or one registration a line. Lines go
 * through the kernel's parser (user-events/rules), so what the kernel refuses is refused
 * here, with its errno.
 */
#include <stdlib.h>
#include <string.h>

#include "recorded_writes.h"
#include "core/grow.h"
#include "core/text.h"

/* A longer line is refused by its beginning, as the kernel takes TDAT_USER_COMMAND_MAX bytes. */
enum { LINE_MAX_LEN = 4096 };

/* The definition in a line, NUL-terminated in buf; false for blanks, comments and other kinds. */
static bool definition(struct tdat_span s, char *buf, size_t cap)
{
	tdat_take_blanks(&s);
	if (s.len >= 2 && s.ptr[1] == ':') {
		if (s.ptr[0] != 'u')
			return false; /* a probe of another kind */
		s = tdat_span_from(s, 2);
		while (tdat_span_starts(s, " "))
			s = tdat_span_from(s, 1);
	} else if (s.len && strchr("prest", s.ptr[0]) && memchr(s.ptr, ':', s.len) &&
		   memchr(s.ptr, '/', s.len)) {
		return false; /* "p2:kprobes/..." */
	}
	if (!s.len || *s.ptr == '#' || memchr(s.ptr, 0, s.len))
		return false;
	if (s.len >= cap)
		s.len = cap - 1;
	memcpy(buf, s.ptr, s.len);
	buf[s.len] = '\0';
	return true;
}

/*
 * Notes the write index + 1 of the next definition; 0: it was refused, and writes to it are, too.
 */
static enum tdat_status add_number(struct user_import *u, uint32_t number, struct tdat_error *err)
{
	if (!TDAT_GROW(u->numbers, &u->number_cap, (size_t)u->number_count + 1))
		return tdat_error_no_memory(err, "definitions");
	u->numbers[u->number_count++] = number;
	return TDAT_OK;
}

/* Registers the definition of a line. A refused one is a warning, and keeps its number. */
static enum tdat_status read_line(struct user_import *u, const char *name,
				  const struct import_line *line, struct tdat_error *err)
{
	uint16_t flags = u->multi ? TDAT_USER_MULTI_FORMAT : 0;
	struct tdat_error why = TDAT_ERROR_INIT;
	char text[TDAT_USER_COMMAND_MAX + 64];
	uint32_t index = 0;
	enum tdat_status st;

	if (!definition(line->text, text, sizeof(text)))
		return TDAT_OK;
	st = tdat_user_events_register(u->events, text, flags, NULL, 0, 0, &index, &why);
	/* Only failures of tdat itself end the import. */
	if (st != TDAT_OK && st != TDAT_E_USAGE) {
		if (err)
			*err = why;
		return st;
	}
	if (st == TDAT_OK)
		return add_number(u, index + 1, err);
	st = tdat_emit_warnf(u->emit, name, line->off, err, "line %llu: %s: %s",
			     (unsigned long long)line->number, tdat_user_errno_name(why.sys_errno),
			     why.message);
	return st == TDAT_OK ? add_number(u, 0, err) : st;
}

enum tdat_status user_read_defs(struct user_import *u, const char *name,
				const struct tdat_source *source, struct tdat_error *err)
{
	struct import_lines lines;
	struct import_line line;
	enum tdat_status st;
	/* The parts of a line that is too long come one by one: only the first one is read. */
	bool is_rest = false;

	import_lines_init(&lines, source, LINE_MAX_LEN);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		if (!is_rest)
			st = read_line(u, name, &line, err);
		if (st != TDAT_OK)
			break;
		is_rest = line.cut;
	}
	import_lines_fini(&lines);
	return st == TDAT_E_NOT_FOUND ? import_warn_unended(name, source, u->emit, err) : st;
}
