/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes typed records of texts. Formats come from a trace.dat of the same kernel, or from a folder;
 * behind these, those of events that have been printed alike for many years are built in. System
 * calls need none: their text has the names of the arguments. A format that is handed over has
 * the fields that its print fmt shows, as no text tells of others.
 */
#include "typed_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/common_fields.h"
#include "core/grow.h"
#include "core/text.h"
#include "import/embedded_format.h"
#include "import/format_folder.h"

extern const struct import_format import_formats_ftrace_text[];

enum { MADE_MOST = 2048, CALL_ARGS = 6 };

static const char common_fields[] =
	"ID: 0\n" TDAT_COMMON_FIELDS "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n";

/* ---- where formats come from ---- */

/* A file of another kind is none of ours. */
static enum tdat_status add_format(void *ctx, const char *system, const char *text, size_t len,
				   struct tdat_error *err)
{
	struct ft_typed *t = ctx;

	(void)err;
	tdat_text_types_add(t->types, system, text, len, NULL);
	return TDAT_OK;
}

enum tdat_status ft_typed_open(struct ft_typed *t, const char *path, struct tdat_error *err)
{
	const bool folder = path && import_is_folder(path);
	enum tdat_status st = TDAT_OK;

	memset(t, 0, sizeof(*t));
	if (path && !folder)
		st = tdat_file_open(&t->file, path, NULL, err);
	if (st == TDAT_OK)
		st = tdat_text_types_new(&t->types, t->file, err);
	if (t->file)
		t->big = tdat_file_info(t->file)->big_endian;
	if (st == TDAT_OK && folder)
		st = import_format_folder(path, add_format, t, err);
	for (const struct import_format *f = import_formats_ftrace_text; st == TDAT_OK && f->system;
	     f++)
		st = tdat_text_types_add(t->types, f->system, f->text, f->len, err);
	return st;
}

void ft_typed_close(struct ft_typed *t)
{
	tdat_text_types_free(t->types);
	if (t->file)
		tdat_file_close(t->file);
	free(t->ids);
}

enum tdat_status ft_typed_emit(const struct ft_typed *t, const struct tdat_emit *emit,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_span s;

	if (!t->file)
		return TDAT_OK;
	s = tdat_file_part(t->file, TDAT_PART_KALLSYMS);
	if (s.len)
		st = tdat_emit_kallsyms(emit, (const char *)s.ptr, s.len, err);
	s = tdat_file_part(t->file, TDAT_PART_PRINTK);
	if (st == TDAT_OK && s.len)
		st = tdat_emit_printk(emit, (const char *)s.ptr, s.len, err);
	return st;
}

/* ---- formats that are handed over ---- */

/* Whether a line of a format file stays: only fields that are not shown go. */
static bool is_kept(const struct ft_typed *t, size_t type, struct tdat_span line)
{
	const uint8_t *end = line.len > 7 ? memchr(line.ptr, ';', line.len) : NULL, *start;
	char name[128];
	size_t len;

	if (!end || memcmp(line.ptr, "\tfield:", 7))
		return true;
	if (end[-1] == ']')
		while (end > line.ptr && *end != '[')
			end--;
	for (start = end; start > line.ptr && tdat_is_word(start[-1]);)
		start--;
	len = (size_t)(end - start);
	if (!len || len >= sizeof(name))
		return true;
	memcpy(name, start, len);
	name[len] = 0;
	return !strncmp(name, "common_", 7) || !strcmp(name, "__syscall_nr") ||
	       tdat_text_types_shows(t->types, type, name);
}

/* Counts a field that stays into the length of records, which dynamic fields make longer. */
static void count_field(struct ft_emitted *e, struct tdat_span line)
{
	uint64_t o, n;

	if (!tdat_field_number(line, "field:", "offset:", &o) ||
	    !tdat_field_number(line, "field:", "size:", &n))
		return;
	if (!n || memmem(line.ptr, line.len, "_loc ", 5) || o + n > UINT16_MAX)
		e->len = UINT32_MAX;
	else if (e->len < o + n)
		e->len = (uint32_t)(o + n);
}

static enum tdat_status emit_type(struct ft_typed *t, size_t type, const struct tdat_emit *emit,
				  struct tdat_error *err)
{
	const struct tdat_event_format *format = tdat_text_types_format(t->types, type);
	struct tdat_span text = tdat_text_types_text(t->types, type);
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	while (text.len) {
		const uint8_t *nl = memchr(text.ptr, '\n', text.len);
		const struct tdat_span line = {text.ptr,
					       nl ? (size_t)(nl - text.ptr) + 1 : text.len};

		if (line.len > 3 && !memcmp(line.ptr, "ID:", 3))
			tdat_build_str(&b, "ID: 0\n");
		else if (is_kept(t, type, line)) {
			tdat_build_bytes(&b, line.ptr, line.len);
			count_field(&t->ids[type], line);
		}
		text = tdat_span_from(text, line.len);
	}
	st = b.failed ? tdat_error_no_memory(err, "an event format")
		      : tdat_emit_format(emit, tdat_event_format_system(format),
					 (const char *)b.ptr, b.len, &t->ids[type].id, err);
	tdat_build_fini(&b);
	return st;
}

/* ---- system calls ---- */

/* The name of an argument and ": " behind it; its length, 0: there is none. */
static size_t arg_name(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && tdat_is_word((uint8_t)p[n]))
		n++;
	return n && n < 64 && end - p > (ptrdiff_t)n + 2 && p[n] == ':' && p[n + 1] == ' ' ? n : 0;
}

/* Adds a type of the call whose text names its arguments. TDAT_E_NOT_FOUND: it is no such text. */
static enum tdat_status make_call(struct ft_typed *t, struct tdat_span name, struct tdat_span text,
				  struct tdat_error *err)
{
	const bool enter = memmem(name.ptr, name.len, "sys_enter_", 10) != NULL;
	const char *p = (const char *)text.ptr, *end = p + text.len, *open;
	struct tdat_build fields, print, values;
	unsigned args = 0;
	size_t n;
	char line[160];
	bool good = t->made < MADE_MOST && name.len < 100;
	enum tdat_status st = TDAT_E_NOT_FOUND;

	tdat_build_init(&fields, false);
	tdat_build_init(&print, false);
	tdat_build_init(&values, false);
	open = enter ? memchr(p, '(', text.len) : NULL;
	tdat_build_str(&fields, "name: ");
	tdat_build_bytes(&fields, name.ptr, name.len);
	tdat_build_str(&fields, "\n");
	tdat_build_str(&fields, common_fields);
	if (!enter)
		tdat_build_str(&fields, "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n");
	for (p = open ? open + 1 : end; good && p < end && *p != ')'; args++) {
		n = arg_name(p, end);
		good = n && args < CALL_ARGS;
		if (!good)
			break;
		snprintf(line, sizeof(line),
			 "\tfield:unsigned long %.*s;\toffset:%u;\tsize:8;\tsigned:0;\n", (int)n, p,
			 16 + 8 * args);
		tdat_build_str(&fields, line);
		snprintf(line, sizeof(line), "%s%.*s: 0x%%08lx", args ? ", " : "", (int)n, p);
		tdat_build_str(&print, line);
		snprintf(line, sizeof(line), ", ((unsigned long)(REC->%.*s))", (int)n, p);
		tdat_build_str(&values, line);
		for (p += n + 2; p < end && *p != ',' && *p != ')';)
			p++;
		p += end - p >= 2 && *p == ',' ? 2 : 0;
	}
	tdat_build_str(&fields, "\nprint fmt: \"");
	tdat_build_bytes(&fields, print.ptr, print.len);
	tdat_build_str(&fields, enter ? "\"" : "0x%lx\"");
	tdat_build_bytes(&fields, values.ptr, values.len);
	tdat_build_str(&fields, enter ? "\n" : ", REC->ret\n");
	if (fields.failed || print.failed || values.failed)
		st = tdat_error_no_memory(err, "a type of events");
	else if (good)
		st = tdat_text_types_add(t->types, "syscalls", (const char *)fields.ptr, fields.len,
					 err);
	t->made += st == TDAT_OK;
	tdat_build_fini(&fields);
	tdat_build_fini(&print);
	tdat_build_fini(&values);
	return st;
}

/* Whether the type is of that system; an empty one: the text does not tell it. */
static bool is_of_system(const struct ft_typed *t, size_t type, struct tdat_span system)
{
	const char *own = tdat_event_format_system(tdat_text_types_format(t->types, type));

	return !system.len || tdat_span_is(system, own);
}

enum tdat_status ft_typed_record(struct ft_typed *t, struct tdat_span name, struct tdat_span text,
				 const struct tdat_emit *emit, struct tdat_span *record,
				 uint16_t *id, struct tdat_error *err)
{
	const uint8_t *colon = name.len ? memchr(name.ptr, ':', name.len) : NULL;
	const struct tdat_span system = {name.ptr, colon ? (size_t)(colon - name.ptr) : 0};
	const char *word = (const char *)(colon ? colon + 1 : name.ptr);
	const size_t word_len = name.len - system.len - (colon != NULL);
	const bool is_call = text.len > 4 &&
			     (!memcmp(text.ptr, "sys_", 4) || !memcmp(text.ptr, "comp", 4)) &&
			     memmem(name.ptr, name.len, "sys_e", 5);
	size_t type = tdat_text_types_find(t->types, word, word_len, SIZE_MAX);
	enum tdat_status st = TDAT_E_NOT_FOUND;

	record->len = 0;
	if (type == SIZE_MAX && is_call) {
		st = make_call(t, (struct tdat_span){(const uint8_t *)word, word_len}, text, err);
		if (st == TDAT_E_NOMEM)
			return st;
		st = TDAT_E_NOT_FOUND;
		type = tdat_text_types_find(t->types, word, word_len, SIZE_MAX);
	}
	while (type != SIZE_MAX && st == TDAT_E_NOT_FOUND) {
		if (is_of_system(t, type, system))
			st = tdat_text_types_record(t->types, type, text, record, err);
		if (st == TDAT_E_NOT_FOUND)
			type = tdat_text_types_find(t->types, word, word_len, type);
	}
	if (st != TDAT_OK && st != TDAT_E_NOT_FOUND)
		return st;
	tdat_error_reset(err);
	if (type == SIZE_MAX || record->len < 8) {
		record->len = 0;
		return TDAT_OK;
	}
	if (!TDAT_GROW_ZERO(t->ids, &t->id_count, type + 1))
		return tdat_error_no_memory(err, "event types");
	if (!t->ids[type].id)
		st = emit_type(t, type, emit, err);
	*id = t->ids[type].id;
	if (record->len > t->ids[type].len)
		record->len = (t->ids[type].len + 3) & ~(size_t)3;
	return st;
}
