/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the file _schema.json of a data set, which lake_schema_write.c writes. The reader takes any
 * JSON of that form, as people may edit it, ignores keys that it does not know, and fails with the
 * place of the first thing that is wrong. export_lake.c calls it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/build.h"
#include "core/grow.h"
#include "output/lake_schema.h"
#include "output/table_file.h"

/* Arrays and objects in each other, of keys that are not known. */
enum { DEPTH_MOST = 16 };

struct reader {
	const char *text, *at;
	bool bad, no_memory;
};

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\r\n");
}

/* True if the character comes next, which is taken. */
static bool take(struct reader *r, char c)
{
	skip_blanks(r);
	if (r->bad || *r->at != c)
		return false;
	r->at++;
	return true;
}

static void expect(struct reader *r, char c)
{
	r->bad |= !take(r, c);
}

static void put_unit(struct reader *r, struct tdat_build *b, uint32_t *high)
{
	char digits[5] = "", *end;
	uint32_t c;

	memcpy(digits, r->at, strnlen(r->at, 4));
	c = (uint32_t)strtoul(digits, &end, 16);
	if (end != digits + 4) {
		r->bad = true;
		return;
	}
	r->at += 4;
	if (c >= 0xd800 && c < 0xdc00) {
		*high = c;
		return;
	}
	if (c >= 0xdc00 && c < 0xe000 && *high)
		c = 0x10000 + ((*high & 0x3ff) << 10 | (c & 0x3ff));
	*high = 0;
	if (c < 0x80) {
		tdat_build_u8(b, (uint8_t)c);
	} else if (c < 0x800) {
		tdat_build_u8(b, (uint8_t)(0xc0 | c >> 6));
		tdat_build_u8(b, (uint8_t)(0x80 | (c & 0x3f)));
	} else {
		tdat_build_u8(b, (uint8_t)(c < 0x10000 ? 0xe0 | c >> 12 : 0xf0 | c >> 18));
		if (c >= 0x10000)
			tdat_build_u8(b, (uint8_t)(0x80 | (c >> 12 & 0x3f)));
		tdat_build_u8(b, (uint8_t)(0x80 | (c >> 6 & 0x3f)));
		tdat_build_u8(b, (uint8_t)(0x80 | (c & 0x3f)));
	}
}

/* Takes a string; NULL if none comes, or without memory. The caller frees it. */
static char *take_string(struct reader *r)
{
	static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	struct tdat_build b;
	uint32_t high = 0;
	char *made;

	expect(r, '"');
	tdat_build_init(&b, false);
	while (!r->bad && *r->at && *r->at != '"') {
		const char *known;

		if (*r->at != '\\') {
			tdat_build_u8(&b, (uint8_t)*r->at++);
			continue;
		}
		r->at++;
		known = *r->at ? strchr(escapes, *r->at) : NULL;
		r->bad |= !known && *r->at != 'u';
		if (!r->bad)
			r->at++;
		if (known)
			tdat_build_u8(&b, (uint8_t)meant[known - escapes]);
		else if (!r->bad)
			put_unit(r, &b, &high);
	}
	expect(r, '"');
	r->no_memory |= b.failed;
	if (r->bad || r->no_memory) {
		tdat_build_fini(&b);
		return NULL;
	}
	made = tdat_build_text(&b);
	r->no_memory |= !made;
	return made;
}

/* Skips a value of a key that is not known. */
static void skip_value(struct reader *r, unsigned depth)
{
	const char close = take(r, '{') ? '}' : take(r, '[') ? ']' : '\0';

	r->bad |= depth > DEPTH_MOST;
	if (!close) {
		if (*r->at == '"')
			free(take_string(r));
		else
			r->at += strcspn(r->at, ",]} \t\r\n");
		return;
	}
	if (take(r, close))
		return;
	do {
		if (close == '}') {
			free(take_string(r));
			expect(r, ':');
		}
		skip_value(r, depth + 1);
	} while (take(r, ','));
	expect(r, close);
}

static bool take_bool(struct reader *r)
{
	const bool is_true = (skip_blanks(r), !strncmp(r->at, "true", 4));

	r->bad |= !is_true && strncmp(r->at, "false", 5) != 0;
	r->at += r->bad ? 0 : is_true ? 4 : 5;
	return is_true;
}

/* Replaces a text by the string that comes. */
static void take_text(struct reader *r, char **text)
{
	free(*text);
	*text = take_string(r);
}

static void take_column(struct reader *r, struct lake_folder *f)
{
	struct lake_column c = {.nullable = true};
	char *type = NULL, *key;
	bool list;

	expect(r, '{');
	do {
		key = take_string(r);
		expect(r, ':');
		if (key && !strcmp(key, "name"))
			take_text(r, &c.name);
		else if (key && !strcmp(key, "field"))
			take_text(r, &c.field);
		else if (key && !strcmp(key, "type"))
			take_text(r, &type);
		else if (key && !strcmp(key, "nullable"))
			c.nullable = take_bool(r);
		else
			skip_value(r, 0);
		free(key);
	} while (take(r, ','));
	expect(r, '}');
	r->bad |= !c.name || !type || strlen(type) >= sizeof(c.type) ||
		  !lake_type_format(type, &list);
	if (!r->bad)
		memcpy(c.type, type, strlen(type) + 1);
	free(type);
	if (!r->bad && TDAT_GROW(f->columns, &f->cap, f->count + 1)) {
		f->columns[f->count++] = c;
		return;
	}
	r->no_memory |= !r->bad;
	free(c.name);
	free(c.field);
}

static void take_columns(struct reader *r, struct lake_folder *f)
{
	expect(r, '[');
	if (take(r, ']'))
		return;
	do
		take_column(r, f);
	while (!r->bad && !r->no_memory && take(r, ','));
	expect(r, ']');
}

static void move_columns(struct lake_folder *to, struct lake_folder *from)
{
	to->columns = from->columns;
	to->count = from->count;
	to->cap = from->cap;
	*from = (struct lake_folder){.value = NULL};
}

/* Adds a folder that was read, or its columns to one that is there without any. */
static void add_folder(struct reader *r, struct lake_schema *s, char *const texts[3],
		       struct lake_folder *made, bool fixed)
{
	struct lake_table *t = lake_schema_table(s, texts[0], texts[1]);
	struct lake_folder *f = NULL;

	for (size_t i = 0; t && i < t->count && !f; i++)
		if (!strcmp(t->folders[i].value, texts[2]))
			f = &t->folders[i];
	if (t && !f)
		f = lake_table_add(t, texts[2]);
	r->no_memory |= !f;
	if (!f || f->count)
		return;
	move_columns(f, made);
	f->fixed = f->used = fixed;
}

/* Takes the members of a folder; texts are table, first and folder. */
static void take_folder(struct reader *r, struct lake_schema *s, bool fixed)
{
	static const char *const keys[] = {"table", "first", "folder"};
	char *texts[3] = {NULL, NULL, NULL}, *key;
	struct lake_folder made = {.value = NULL};

	expect(r, '{');
	do {
		char **text = NULL;

		key = take_string(r);
		expect(r, ':');
		for (size_t i = 0; key && i < 3; i++)
			text = strcmp(key, keys[i]) ? text : &texts[i];
		if (text)
			take_text(r, text);
		else if (key && !strcmp(key, "columns") && !made.count)
			take_columns(r, &made);
		else
			skip_value(r, 0);
		free(key);
	} while (!r->bad && !r->no_memory && take(r, ','));
	expect(r, '}');
	r->bad |= !texts[0] || !texts[1] || !texts[2] || !made.count;
	if (!r->bad && !r->no_memory)
		add_folder(r, s, texts, &made, fixed);
	lake_folder_fini(&made);
	for (size_t i = 0; i < 3; i++)
		free(texts[i]);
}

static void take_file(struct reader *r, struct lake_schema *s, bool fixed)
{
	expect(r, '{');
	do {
		char *key = take_string(r);

		expect(r, ':');
		if (key && !strcmp(key, "folders")) {
			expect(r, '[');
			if (!take(r, ']')) {
				do
					take_folder(r, s, fixed);
				while (!r->bad && !r->no_memory && take(r, ','));
				expect(r, ']');
			}
		} else if (key && !strcmp(key, "partition")) {
			take_text(r, &s->partition);
		} else {
			skip_value(r, 0);
		}
		free(key);
	} while (!r->bad && !r->no_memory && take(r, ','));
	expect(r, '}');
}

enum tdat_status lake_schema_read(struct lake_schema *s, const char *path, bool fixed, bool *found,
				  struct tdat_error *err)
{
	size_t len;
	char *text = cli_table_file_text(path, &len);
	struct reader r = {.text = text, .at = text};

	*found = text != NULL;
	if (!text)
		return TDAT_OK;
	take_file(&r, s, fixed);
	free(text);
	if (r.no_memory)
		return tdat_error_no_memory(err, path);
	if (r.bad)
		return tdat_error_set(
			err, TDAT_E_FORMAT, (uint64_t)(r.at - r.text),
			"%s is not the schema of a data set; restore it, or export to "
			"another folder",
			path);
	return TDAT_OK;
}

/* Reads one of the files of a data set, and takes its keys. */
static enum tdat_status read_keys(const char *folder, const char *name, bool *found, char **keys,
				  struct tdat_error *err)
{
	struct lake_schema s = {.keys = NULL};
	enum tdat_status st;
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return tdat_error_no_memory(err, folder);
	st = lake_schema_read(&s, path, true, found, err);
	*keys = st == TDAT_OK ? s.partition : NULL;
	if (st == TDAT_OK)
		s.partition = NULL;
	lake_schema_fini(&s);
	free(path);
	return st;
}

enum tdat_status lake_schema_keys(const char *folder, bool *found, char **keys,
				  struct tdat_error *err)
{
	enum tdat_status st = read_keys(folder, "_schema.json", found, keys, err);
	char *records;

	/* The first export of a data set was killed, or goes on. */
	if (st == TDAT_OK && !*found)
		st = read_keys(folder, "_tdat/plan", found, keys, err);
	if (st == TDAT_OK && !*found) {
		if (asprintf(&records, "%s/_tdat", folder) < 0)
			return tdat_error_no_memory(err, folder);
		*found = !access(records, F_OK);
		free(records);
	}
	return st;
}
