/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a filter of its text: reads the list of events before the colon, and owns the trees. A
 * filter is text such as "sched,irq: prev_pid > 5". It is made before any file is known;
 * filter_bind.c binds it to a format later. It is immutable and shared by threads.
 */
#include <stdlib.h>
#include <string.h>

#include "core/regex_bound.h"
#include "filter.h"
#include "filter_ast.h"

/*
 * Compiles a name as libtraceevent does: a regular expression, without regard to case, that must
 * match the whole name. tdat_regex_compile() refuses those that could take very long.
 */
static enum tdat_status compile_name(const struct model_filter *f, regex_t *re, size_t pos,
				     size_t len, struct tdat_error *err)
{
	char *whole = malloc(len + 3), why[160];
	bool ok;

	if (!whole)
		return tdat_error_no_memory(err, "a filter");
	whole[0] = '^';
	memcpy(whole + 1, f->text + pos, len);
	whole[len + 1] = '$';
	whole[len + 2] = '\0';
	ok = tdat_regex_compile(re, whole, REG_ICASE | REG_NOSUB, why, sizeof(why));
	free(whole);
	if (ok)
		return TDAT_OK;
	return model_filter_fail(f, pos + 1, err, "'%.*s' is not a pattern of event names: %s",
				 (int)(len < 80 ? len : 80), f->text + pos, why);
}

/* Narrows text[*pos..*end) by the white space at both ends. */
static void trim(const char *text, size_t *pos, size_t *end)
{
	while (*pos < *end && strchr(" \t\r\n\v\f", text[*pos]))
		++*pos;
	while (*end > *pos && strchr(" \t\r\n\v\f", text[*end - 1]))
		--*end;
}

/* Reads one item of the list, "event" or "system/event", in text[pos..end). */
static enum tdat_status add_name(struct model_filter *f, size_t pos, size_t end,
				 struct tdat_error *err)
{
	struct filter_name *n = &f->names[f->name_count];
	size_t slash, sys_end, first = pos;
	enum tdat_status st;

	trim(f->text, &pos, &end);
	n->pos = pos;
	n->len = end - pos;
	/* libtraceevent cuts the item by strtok_r(), which skips any number of slashes. */
	while (pos < end && f->text[pos] == '/')
		pos++;
	for (slash = pos; slash < end && f->text[slash] != '/'; slash++)
		;
	sys_end = slash;
	trim(f->text, &pos, &sys_end);
	if (pos == sys_end)
		return model_filter_fail(f, first + 1, err, "an event name is missing");
	while (slash < end && f->text[slash] == '/')
		slash++;
	trim(f->text, &slash, &end);
	/* Without a slash the word may be a system or an event: it is matched with both. */
	if (slash >= end) {
		st = compile_name(f, &n->name, pos, sys_end - pos, err);
	} else {
		st = compile_name(f, &n->name, slash, end - slash, err);
		if (st != TDAT_OK)
			return st;
		st = compile_name(f, &n->system, pos, sys_end - pos, err);
		if (st != TDAT_OK)
			regfree(&n->name);
		n->has_system = true;
	}
	if (st == TDAT_OK)
		f->name_count++;
	return st;
}

/*
 * Reads the list of events, which ends at end. Counting commas first gives an array that never
 * moves: compiled expressions (regex_t) must stay where they are.
 */
static enum tdat_status parse_names(struct model_filter *f, size_t end, struct tdat_error *err)
{
	size_t pos = 0, count = 1, i;

	for (i = 0; i < end; i++)
		count += f->text[i] == ',';
	if (count > FILTER_NAMES_MOST)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "filter '%.160s' names %zu events: at most %d are allowed",
				      f->text, count, FILTER_NAMES_MOST);
	f->names = tdat_arena_array(&f->arena, count, sizeof(*f->names));
	if (!f->names)
		return tdat_error_no_memory(err, "a filter");
	while (count--) {
		size_t stop = pos;
		enum tdat_status st;

		while (stop < end && f->text[stop] != ',')
			stop++;
		st = add_name(f, pos, stop, err);
		if (st != TDAT_OK)
			return st;
		pos = stop + 1;
	}
	return TDAT_OK;
}

/* Makes a filter of its text, which is copied. The first colon ends the list of events. */
enum tdat_status model_filter_new(struct model_filter **out, const char *text,
				  struct tdat_error *err)
{
	struct model_filter *f = calloc(1, sizeof(*f));
	const char *colon;
	enum tdat_status st;

	*out = NULL;
	if (!f)
		return tdat_error_no_memory(err, "a filter");
	if (strnlen(text, FILTER_LEN_MOST + 1) > FILTER_LEN_MOST) {
		free(f);
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "filter '%.160s' is longer than %d bytes", text,
				      FILTER_LEN_MOST);
	}
	f->text = tdat_arena_strndup(&f->arena, text, strlen(text));
	if (!f->text) {
		model_filter_free(f);
		return tdat_error_no_memory(err, "a filter");
	}
	colon = strchr(f->text, ':');
	st = parse_names(f, colon ? (size_t)(colon - f->text) : strlen(f->text), err);
	if (st == TDAT_OK && colon)
		st = model_filter_parse(f, (size_t)(colon + 1 - f->text), err);
	if (st != TDAT_OK) {
		model_filter_free(f);
		return st;
	}
	*out = f;
	return TDAT_OK;
}

/* Trees and texts lie in the arena; only the compiled expressions own memory of their own. */
void model_filter_free(struct model_filter *f)
{
	struct filter_regex *r;
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->name_count; i++) {
		regfree(&f->names[i].name);
		if (f->names[i].has_system)
			regfree(&f->names[i].system);
	}
	for (r = f->regexes; r; r = r->next) {
		regfree(&r->regex);
		if (r->has_once)
			regfree(&r->once);
	}
	tdat_arena_fini(&f->arena);
	free(f);
}

const char *model_filter_text(const struct model_filter *f)
{
	return f->text;
}

/* True if the item names the event. Called once for each event format of a file, not for events. */
bool model_filter_item_names(const struct model_filter *f, size_t item, const char *system,
			     const char *name)
{
	const struct filter_name *n = &f->names[item];
	bool by_name = !regexec(&n->name, name, 0, NULL, 0);

	if (n->has_system)
		return by_name && !regexec(&n->system, system, 0, NULL, 0);
	return by_name || !regexec(&n->name, system, 0, NULL, 0);
}

bool model_filter_names(const struct model_filter *f, const char *system, const char *name)
{
	size_t i;

	for (i = 0; i < f->name_count; i++)
		if (model_filter_item_names(f, i, system, name))
			return true;
	return false;
}

struct tdat_span model_filter_item(const struct model_filter *f, size_t item, size_t *column)
{
	const struct filter_name *n = &f->names[item];

	if (item >= f->name_count)
		return (struct tdat_span){NULL, 0};
	*column = n->pos + 1;
	return (struct tdat_span){(const uint8_t *)f->text + n->pos, n->len};
}

size_t model_filter_word_count(const struct model_filter *f)
{
	return f->word_count;
}

const char *model_filter_word(const struct model_filter *f, size_t index, size_t *column)
{
	if (index >= f->word_count)
		return NULL;
	*column = f->words[index].column;
	return f->words[index].text;
}

/*
 * True if the word has a meaning in events of that format. The four words in capitals exist for
 * every event; a field of the same name goes first (filter_bind.c).
 */
bool model_filter_knows(const struct tdat_event_format *format, const char *word)
{
	return tdat_event_format_field(format, word) || !strcmp(word, "COMM") ||
	       !strcmp(word, "CPU") || !strcmp(word, "PID") || !strcmp(word, "TIMESTAMP");
}
