/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes format files, print formats and lines of dynamic_events: docs/user-events.md
 * §3. The text is the kernel's to the byte, but for lengths of arrays that some kernels print
 * wrong. Used by tdat user-events format and by all that emit such events.
 */
#include <inttypes.h>
#include <string.h>

#include "core/common_fields.h"
#include "event.h"

/*
 * A text like that of snprintf(): cut at cap, but always counted, so a first call can ask for the
 * length.
 */
struct text {
	char *buf;
	size_t cap;
	size_t len;
};

static void put(struct text *t, const char *fmt, ...) TDAT_PRINTF(2, 3);

static void put(struct text *t, const char *fmt, ...)
{
	size_t room = t->len < t->cap ? t->cap - t->len : 0;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(room ? t->buf + t->len : NULL, room, fmt, args);
	va_end(args);
	t->len += n > 0 ? (size_t)n : 0;
}

static struct text text_init(char *buf, size_t cap)
{
	if (cap)
		buf[0] = '\0';
	return (struct text){buf, cap, 0};
}

/* The kernel's user_field_format_string(): "%llu" for all that it does not know. */
static const char *conversion(const char *type)
{
	static const struct {
		const char *type;
		const char *conversion;
	} rows[] = {
		{"s64", "%lld"}, {"u64", "%llu"},	   {"s32", "%d"}, {"u32", "%u"},
		{"int", "%d"},	 {"unsigned int", "%u"},   {"s16", "%d"}, {"u16", "%u"},
		{"short", "%d"}, {"unsigned short", "%u"}, {"s8", "%d"},  {"u8", "%u"},
		{"char", "%d"},	 {"unsigned char", "%u"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].type, type))
			return rows[i].conversion;
	return strstr(type, "char[") ? "%s" : "%llu";
}

/*
 * Returns the function by which a print fmt gets the text of a field; NULL: it is not text behind
 * the record.
 */
static const char *string_function(const struct tdat_user_field *f)
{
	if (!strstr(f->type, "char") || f->loc == TDAT_USER_LOC_NONE)
		return NULL;
	return f->loc == TDAT_USER_LOC_DATA ? "__get_str" : "__get_rel_str";
}

/* The kernel's user_event_set_print_fmt(). */
static void put_print_fmt(struct text *t, const struct tdat_user_event *e)
{
	put(t, "\"");
	for (size_t i = 0; i < e->field_count; i++)
		put(t, "%s%s=%s", i ? " " : "", e->fields[i].name, conversion(e->fields[i].type));
	put(t, "\"");
	for (size_t i = 0; i < e->field_count; i++) {
		const struct tdat_user_field *f = &e->fields[i];
		const char *function = string_function(f);

		if (function)
			put(t, ", %s(%s)", function, f->name);
		else
			put(t, ", REC->%s", f->name);
	}
}

/* Writes a line of the format. Brackets go behind the name, except for __data_loc. */
static void put_field(struct text *t, const struct tdat_user_field *f)
{
	const char *bracket = strncmp(f->type, "__data_loc", 10) ? strchr(f->type, '[') : NULL;
	int type_len = bracket ? (int)(bracket - f->type) : (int)strlen(f->type);

	put(t, "\tfield:%.*s %s", type_len, f->type, f->name);
	/* The length of the field: some kernels print a wrong one. */
	if (bracket && (!strncmp(f->type, "char[", 5) || !strncmp(f->type, "unsigned char[", 14)))
		put(t, "[%" PRIu32 "]", f->size);
	else if (bracket)
		put(t, "[]");
	put(t, ";\toffset:%" PRIu32 ";\tsize:%" PRIu32 ";\tsigned:%d;\n", f->off, f->size,
	    f->is_signed);
}

/* Returns the length of the whole text, whatever cap is. */
size_t tdat_user_event_format(const struct tdat_user_event *e, uint16_t id, char *buf, size_t cap)
{
	struct text t = text_init(buf, cap);

	put(&t, "name: %s\nID: %u\n" TDAT_COMMON_FIELDS, e->name, id);
	for (size_t i = 0; i < e->field_count; i++)
		put_field(&t, &e->fields[i]);
	put(&t, "\nprint fmt: ");
	put_print_fmt(&t, e);
	put(&t, "\n");
	return t.len;
}

/* The command that defines the event again, as dynamic_events shows it. */
size_t tdat_user_event_command(const struct tdat_user_event *e, char *buf, size_t cap)
{
	struct text t = text_init(buf, cap);

	put(&t, "%s", e->name);
	for (size_t i = 0; i < e->field_count; i++) {
		const struct tdat_user_field *f = &e->fields[i];

		put(&t, "%s%s %s", i ? "; " : " ", f->type, f->name);
		/* The size of a struct is part of its command. */
		if (!strncmp(f->type, "struct ", 7))
			put(&t, " %" PRIu32, f->size);
	}
	return t.len;
}
