/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parses the command language by which programs define events: docs/user-events.md §2.
 * Types, sizes and errors are those of the kernel, version by version where they differ. Input
 * is a text of an untrusted program; its length is bounded before it is parsed. Used by the
 * registry, the importer, the recorder and the preloaded library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/errno_name.h"
#include "core/text.h"
#include "event.h"

/*
 * The kernel's MAX_FIELD_ARRAY_SIZE, and the characters of a number between brackets that it
 * accepts.
 */
enum { ARRAY_MAX = 1024, ARRAY_TEXT = 7, FIRST_FIELD_OFF = TDAT_USER_COMMON_LEN };

/* Sets a refusal with the kernel's errno, which callers return to programs. */
enum tdat_status user_refuse(struct tdat_error *err, int errnum, const char *fmt, ...)
{
	char sentence[sizeof(err->message)];
	enum tdat_status st;
	va_list args;

	va_start(args, fmt);
	if (vsnprintf(sentence, sizeof(sentence), fmt, args) < 0)
		sentence[0] = '\0';
	va_end(args);
	st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s", sentence);
	if (err)
		err->sys_errno = errnum;
	return st;
}

/* For messages: "E?" for an errno that the rules do not use. */
const char *tdat_user_errno_name(int errnum)
{
	const char *name = tdat_errno_name(-(int64_t)errnum);

	return name ? name : "E?";
}

/* The kernel's str_has_prefix(). */
static bool has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Returns the number between the brackets of "char[20]", or a negative errno. */
static int32_t array_size(const char *type)
{
	const char *text = strchr(type, '[') + 1, *end;
	char digits[ARRAY_TEXT + 1];
	uint64_t size;

	if (!*text || strlen(text) > ARRAY_TEXT)
		return -EINVAL;
	end = strchr(text, ']');
	if (!end)
		return -EINVAL;
	memcpy(digits, text, (size_t)(end - text));
	digits[end - text] = '\0';
	if (!tdat_kstrtou64(digits, 0, &size) || size > ARRAY_MAX)
		return -EINVAL;
	return (int32_t)size;
}

/* Returns the bytes of a type, or the negative errno that the kernel returns. */
static int32_t type_size(const char *type)
{
	static const struct {
		const char *name;
		int32_t size;
	} sizes[] = {
		{"s64", 8},   {"u64", 8},
		{"s32", 4},   {"u32", 4},
		{"int", 4},   {"unsigned int", 4},
		{"s16", 2},   {"u16", 2},
		{"short", 2}, {"unsigned short", 2},
		{"s8", 1},    {"u8", 1},
		{"char", 1},  {"unsigned char", 1},
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!strcmp(sizes[i].name, type))
			return sizes[i].size;
	/*
	 * char arrays have their bytes; a field that points elsewhere is a u32, offset and length.
	 */
	if (has_prefix(type, "char[") || has_prefix(type, "unsigned char["))
		return array_size(type);
	if (has_prefix(type, "__data_loc ") || has_prefix(type, "__rel_loc "))
		return 4;
	return -EINVAL;
}

/* Fields follow each other without padding, as the kernel lays them out. */
static enum tdat_status add_field(struct tdat_user_event *e, const char *type, const char *name,
				  uint32_t size)
{
	struct tdat_user_field *f = &e->fields[e->field_count];
	uint32_t off = FIRST_FIELD_OFF;

	if (e->field_count)
		off = f[-1].off + f[-1].size;
	*f = (struct tdat_user_field){.type = type, .name = name, .off = off, .size = size};
	/* As in the kernel, only the first letter decides. */
	f->is_signed = type[0] != 'u';
	if (has_prefix(type, "__data_loc "))
		f->loc = TDAT_USER_LOC_DATA;
	else if (has_prefix(type, "__rel_loc "))
		f->loc = TDAT_USER_LOC_REL;
	e->field_count++;
	/* The payload must reach the end of the last field. */
	e->min_size = off + size - FIRST_FIELD_OFF;
	return TDAT_OK;
}

/*
 * Returns the length of the words before the last one of a type, with their spaces: "unsigned",
 * "struct".
 */
static size_t type_prefix(const char *s, bool *is_struct)
{
	static const char *const prefixes[] = {
		"unsigned ",	       "struct ",    "__data_loc unsigned ", "__data_loc ",
		"__rel_loc unsigned ", "__rel_loc ",
	};

	*is_struct = has_prefix(s, "struct ");
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (has_prefix(s, prefixes[i]))
			return strlen(prefixes[i]);
	return 0;
}

/* Ends the word at s. Returns the text behind the separator, or NULL at the end. */
static char *split(char *s, char at)
{
	char *p = strchr(s, at);

	if (!p)
		return NULL;
	*p = '\0';
	return p + 1;
}

/* The words of a field; size: NULL unless a third word follows. */
struct pieces {
	char *type;
	char *name;
	char *size;
	bool is_struct;
};

/* Splits a field into words. One space ends a word: two make an empty word between them. */
static enum tdat_status split_field(char *field, struct pieces *p, struct tdat_error *err)
{
	size_t prefix = type_prefix(field, &p->is_struct);
	char *rest = split(field + prefix, ' ');

	p->type = field;
	p->name = rest;
	if (!rest)
		return user_refuse(err, EINVAL, "field \"%s\" has no name", field);
	rest = split(rest, ' ');
	p->size = rest;
	if (!rest)
		return TDAT_OK;
	/* Only "struct NAME FIELD SIZE" has a size, as the kernel cannot know it. */
	if (!p->is_struct)
		return user_refuse(err, EINVAL,
				   "field \"%s %s\" is followed by \"%s\": only a struct has a "
				   "size, and words are one space apart",
				   p->type, p->name, rest);
	if (split(rest, ' '))
		return user_refuse(err, EINVAL, "field \"%s %s\" has more words than a size",
				   p->type, p->name);
	return TDAT_OK;
}

/* Parses one field; an empty one, as behind a last ";", is skipped. */
static enum tdat_status parse_field(struct tdat_user_event *e, char *field, struct tdat_error *err)
{
	struct pieces p = {0};
	enum tdat_status st;
	uint64_t given;
	int32_t size;

	while (tdat_is_space(*field))
		field++;
	if (!*field)
		return TDAT_OK;
	st = split_field(field, &p, err);
	if (st != TDAT_OK)
		return st;
	if (p.size) {
		if (!tdat_kstrtou64(p.size, 10, &given) || given > UINT32_MAX)
			return user_refuse(err, EINVAL,
					   "size \"%s\" of field \"%s %s\" is not a decimal number",
					   p.size, p.type, p.name);
		size = (int32_t)given;
	} else {
		size = type_size(p.type);
	}
	if (!size)
		return user_refuse(err, EINVAL, "field \"%s %s\" has size 0", p.type, p.name);
	/* The kernel takes sizes of 2^31 and more for error numbers. */
	if (size < 0 && p.size)
		return user_refuse(err, size > -4096 ? -size : EINVAL,
				   "field \"%s %s\" has size %s, more than 2147483647", p.type,
				   p.name, p.size);
	if (size < 0)
		return user_refuse(err, EINVAL, "type \"%s\" of field \"%s\" is unknown%s", p.type,
				   p.name, p.is_struct ? " without a size" : "");
	return add_field(e, p.type, p.name, (uint32_t)size);
}

/* "NAME FIELD; FIELD": the name ends at the first space. */
static enum tdat_status parse_text(struct tdat_user_event *e, struct tdat_error *err)
{
	char *rest = split(e->text, ' ');
	size_t pieces = 1;

	e->name = e->text;
	if (strchr(e->name, ':'))
		return user_refuse(err, EINVAL, "name \"%s\" has a colon", e->name);
	/* An upper bound for the fields: empty ones do not count. */
	for (const char *p = rest; p && *p; p++)
		pieces += *p == ';';
	e->fields = calloc(pieces, sizeof(*e->fields));
	if (!e->fields)
		return tdat_error_no_memory(err, "an event");
	while (rest) {
		char *piece = rest;
		enum tdat_status st;

		rest = split(piece, ';');
		st = parse_field(e, piece, err);
		if (st != TDAT_OK)
			return st;
	}
	return TDAT_OK;
}

/* The text is copied and cut in place; names and types point into it. */
enum tdat_status tdat_user_event_parse(struct tdat_user_event **out, const char *command,
				       struct tdat_error *err)
{
	size_t len = strlen(command);
	struct tdat_user_event *e;
	enum tdat_status st;

	*out = NULL;
	if (len > TDAT_USER_COMMAND_MAX)
		return user_refuse(err, EINVAL, "the command has %zu bytes, more than %d", len,
				   TDAT_USER_COMMAND_MAX);
	e = calloc(1, sizeof(*e));
	if (e)
		e->text = strdup(command);
	if (!e || !e->text) {
		free(e);
		return tdat_error_no_memory(err, "an event");
	}
	st = parse_text(e, err);
	if (st != TDAT_OK) {
		tdat_user_event_free(e);
		return st;
	}
	*out = e;
	return TDAT_OK;
}

void tdat_user_event_free(struct tdat_user_event *e)
{
	if (!e)
		return;
	free(e->fields);
	free(e->text);
	free(e);
}

const char *tdat_user_event_name(const struct tdat_user_event *e)
{
	return e->name;
}

const struct tdat_user_field *tdat_user_event_field(const struct tdat_user_event *e, size_t i)
{
	return i < e->field_count ? &e->fields[i] : NULL;
}

uint32_t tdat_user_event_min_size(const struct tdat_user_event *e)
{
	return e->min_size;
}

/*
 * True if the kernel would treat both as one event: same name, and fields that agree in all parts.
 */
bool tdat_user_event_same(const struct tdat_user_event *a, const struct tdat_user_event *b)
{
	if (strcmp(a->name, b->name) || a->field_count != b->field_count)
		return false;
	for (size_t i = 0; i < a->field_count; i++) {
		const struct tdat_user_field *fa = &a->fields[i], *fb = &b->fields[i];

		if (strcmp(fa->type, fb->type) || strcmp(fa->name, fb->name) ||
		    fa->size != fb->size)
			return false;
	}
	return true;
}
