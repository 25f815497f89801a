/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes tables of the pairs of events that a user asks for. A text "[NAME:]
 * SYSTEM/EVENT(FIELD,...) [if FILTER] -> SYSTEM/EVENT(FIELD,...) [if FILTER]" becomes a struct
 * pair_def, checked against the formats of the inputs: an event or a field that none of them
 * has is an error. Fields that begin and end an interval must be equally many, 3 at most. Each
 * key is looked for in the formats once: arguments x formats. pair.c does the rest.
 */
#include "user_pair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "file/near.h"
#include "model/filter.h"
#include "pair.h"

enum { KEYS_MAX = 3 };

/* A pair of the user, with all that its table points to. */
struct user_pair {
	struct table_derived table;
	struct pair_def def;
	struct derived_event events[2];
	const char *keys[2][KEYS_MAX + 1]; /* NULL ends */
	struct meta_column columns[KEYS_MAX + 3];
	struct pair_out outs[KEYS_MAX + 2];
};

/* All pairs of a trace; texts of their names lie in the arena. */
struct user_pairs {
	struct user_pair *v;
	size_t count;
	struct tdat_arena arena;
};

/* ---- the text ---- */

/* The text that is parsed, and the place in it. */
struct reading {
	struct user_pairs *all;
	const char *text, *p;
	struct tdat_error *err;
};

/* A usage error with the column, counted from 1. */
static enum tdat_status bad(const struct reading *r, const char *expected)
{
	return tdat_error_set(r->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "pair \"%.200s\": expected %s at column %zu", r->text, expected,
			      (size_t)(r->p - r->text) + 1);
}

static enum tdat_status no_memory(const struct reading *r)
{
	return tdat_error_no_memory(r->err, "a pair");
}

static void skip_space(struct reading *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
}

/* Skips blanks and the token; false: something else comes. */
static bool skip(struct reading *r, const char *token)
{
	const size_t n = strlen(token);

	skip_space(r);
	if (strncmp(r->p, token, n) != 0)
		return false;
	r->p += n;
	return true;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* A word, with '/' if it may have one; NULL: there is none, or no memory. */
static char *word(struct reading *r, bool slash)
{
	const char *start;

	skip_space(r);
	start = r->p;
	while ((is_word_char(*r->p) && !(r->p[0] == '-' && r->p[1] == '>')) ||
	       (slash && *r->p == '/'))
		r->p++;
	return r->p == start ? NULL
			     : tdat_arena_strndup(&r->all->arena, start, (size_t)(r->p - start));
}

/* The filter up to "->", which stands in no string, or to the end. */
static enum tdat_status read_filter(struct reading *r, const char *event, struct model_filter **out)
{
	const char *start;
	bool quoted = false;
	struct tdat_build b;
	enum tdat_status st;

	skip_space(r);
	start = r->p;
	for (; *r->p && (quoted || strncmp(r->p, "->", 2) != 0); r->p++)
		quoted ^= *r->p == '"';
	tdat_build_init(&b, false);
	tdat_build_str(&b, event);
	tdat_build_str(&b, ": ");
	tdat_build_bytes(&b, start, (size_t)(r->p - start));
	tdat_build_u8(&b, '\0');
	st = b.failed ? no_memory(r) : model_filter_new(out, (const char *)b.ptr, r->err);
	tdat_build_fini(&b);
	return st;
}

/* SYSTEM/EVENT(FIELD,...) [if FILTER] */
static enum tdat_status read_event(struct reading *r, struct user_pair *u, size_t which,
				   size_t *keys)
{
	struct derived_event *e = &u->events[which];
	size_t n = 0;

	*e = (struct derived_event){word(r, true), which ? PAIR_END : PAIR_BEGIN, u->keys[which]};
	if (!e->name || !strchr(e->name, '/'))
		return bad(r, "SYSTEM/EVENT");
	if (!skip(r, "("))
		return bad(r, "'('");
	while (!skip(r, ")")) {
		if (n && !skip(r, ","))
			return bad(r, "',' or ')'");
		if (n == KEYS_MAX)
			return bad(r, "at most 3 fields, then ')'");
		u->keys[which][n] = word(r, false);
		if (!u->keys[which][n++])
			return bad(r, "a field");
	}
	*keys = n;
	skip_space(r);
	if (strncmp(r->p, "if", 2) != 0 || is_word_char(r->p[2]))
		return TDAT_OK;
	r->p += 2;
	return read_filter(r, e->name, &u->def.filters[e->kind]);
}

/* [NAME:] EVENT -> EVENT, then the end of the text. */
static enum tdat_status read_text(struct reading *r, struct user_pair *u)
{
	size_t keys, other;
	enum tdat_status st;

	u->table.name = word(r, false);
	if (!u->table.name || !skip(r, ":")) {
		u->table.name = "pair";
		r->p = r->text;
	}
	st = read_event(r, u, 0, &keys);
	if (st != TDAT_OK)
		return st;
	if (!skip(r, "->"))
		return bad(r, "'->'");
	st = read_event(r, u, 1, &other);
	if (st != TDAT_OK)
		return st;
	skip_space(r);
	if (*r->p)
		return bad(r, "the end");
	if (keys != other)
		return tdat_error_set(
			r->err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"pair \"%.200s\": its first event has %zu fields, but its second has %zu",
			r->text, keys, other);
	u->def.key_slots = (uint8_t)keys;
	return TDAT_OK;
}

/* ---- keys ---- */

/*
 * The field of an event in the first input that has it. NULL: none has, and near was offered the
 * event's fields.
 */
static const struct tdat_field *find_field(const struct tdat_iter_input *inputs, size_t count,
					   const char *event, const char *name, bool *has_event,
					   struct tdat_near *near)
{
	const char *slash = strchr(event, '/');
	const size_t system_len = (size_t)(slash - event);

	for (size_t i = 0; i < count; i++) {
		const size_t formats = tdat_file_format_count(inputs[i].file);

		for (size_t k = 0; k < formats; k++) {
			const struct tdat_event_format *f;
			const struct tdat_field *field;

			if (tdat_file_format(inputs[i].file, k, &f, NULL) != TDAT_OK ||
			    strcmp(tdat_event_format_name(f), slash + 1) != 0 ||
			    strncmp(tdat_event_format_system(f), event, system_len) != 0 ||
			    tdat_event_format_system(f)[system_len])
				continue;
			*has_event = true;
			field = tdat_event_format_field(f, name);
			if (field)
				return field;
			file_near_fields(near, f);
		}
	}
	return NULL;
}

/* Integers of 1, 2, 4 or 8 bytes; all other fields are compared as text. */
static bool is_number(const struct tdat_field *f)
{
	return f->len && f->len <= 8 && !(f->len & (f->len - 1)) &&
	       !(f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE));
}

/* A name that no other column of the table has. */
static const char *column_name(struct user_pairs *all, const char *name)
{
	static const char *const taken[] = {"ts",  "dur",  "cpu",  "file",    "buffer",
					    "pid", "comm", "open", "end_cpu", "end_pid"};
	const size_t len = strlen(name);
	char *made = tdat_arena_array(&all->arena, len + sizeof("field_"), 1);
	bool is_taken = false;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		is_taken |= !strcmp(taken[i], name);
	if (!made)
		return NULL;
	memcpy(made, "field_", is_taken ? 6 : 0);
	memcpy(made + (is_taken ? 6 : 0), name, len + 1);
	return made;
}

/*
 * Finds the field of a key at both ends, and makes its column. It is a number only if both fields
 * are.
 */
static enum tdat_status add_key(struct reading *r, struct user_pair *u, size_t i,
				const struct tdat_iter_input *inputs, size_t input_count)
{
	const struct tdat_field *fields[2] = {NULL, NULL};
	const bool is_cpu = !strcmp(u->keys[0][i], "CPU");
	bool number = true;

	for (size_t k = 0; k < 2; k++) {
		const char *name = u->keys[k][i];
		bool has_event = false;
		struct tdat_near near = {.word = name};

		if (!strcmp(name, "CPU"))
			continue;
		fields[k] =
			find_field(inputs, input_count, u->events[k].name, name, &has_event, &near);
		if (!fields[k])
			return tdat_error_set(r->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					      "pair \"%.200s\": event %s has no field %s%s",
					      r->text, u->events[k].name, name,
					      tdat_near_hint(&near, ""));
		number &= is_number(fields[k]);
	}
	u->columns[i] = (struct meta_column){
		column_name(r->all, u->keys[0][i]), number ? TABLE_INT : TABLE_NAME, number ? 8 : 0,
		number && !is_cpu && fields[0]->flags & TDAT_FIELD_SIGNED};
	u->outs[i] = (struct pair_out){PAIR_OUT_BEGIN, (uint8_t)i, number ? PAIR_INT : PAIR_TEXT};
	return u->columns[i].name ? TDAT_OK : no_memory(r);
}

/* Columns of the keys, then end_cpu and end_pid, which all such tables have. */
static enum tdat_status make_columns(struct reading *r, struct user_pair *u,
				     const struct tdat_iter_input *inputs, size_t input_count)
{
	const size_t keys = u->def.key_slots;
	enum tdat_status st = TDAT_OK;

	for (size_t k = 0; k < 2 && st == TDAT_OK; k++) {
		struct tdat_near near = {.word = u->events[k].name};
		bool has_event = false;

		find_field(inputs, input_count, near.word, "", &has_event, &near);
		if (has_event)
			continue;
		for (size_t i = 0; i < input_count; i++)
			file_near_events(&near, inputs[i].file);
		st = tdat_error_set(r->err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				    "pair \"%.200s\": there is no event %s%s", r->text, near.word,
				    tdat_near_hint(&near, ""));
	}
	for (size_t i = 0; i < keys && st == TDAT_OK; i++)
		st = add_key(r, u, i, inputs, input_count);
	u->columns[keys] = (struct meta_column){"end_cpu", TABLE_INT, 4, false};
	u->outs[keys] = (struct pair_out){PAIR_OUT_END_CPU, 0, PAIR_INT};
	u->columns[keys + 1] = (struct meta_column){"end_pid", TABLE_INT, 4, true};
	u->outs[keys + 1] = (struct pair_out){PAIR_OUT_END_PID, 0, PAIR_INT};
	return st;
}

/* Whether the CPU is the same part of the key at both ends. */
static bool has_cpu(const struct user_pair *u)
{
	for (size_t i = 0; i < u->def.key_slots; i++)
		if (!strcmp(u->keys[0][i], "CPU") && !strcmp(u->keys[1][i], "CPU"))
			return true;
	return false;
}

/* A pair of the user nests, and is found by its keys. per_cpu: the CPU is one of them. */
static void make_table(struct user_pair *u)
{
	u->def.by = PAIR_BY_KEY;
	u->def.nests = true;
	u->def.stays = has_cpu(u);
	u->def.outs = u->outs;
	u->def.out_count = u->def.key_slots + 2u;
	u->table = (struct table_derived){PAIR_MACHINE,		  .name = u->table.name,
					  .columns = u->columns,  .events = u->events,
					  .event_count = 2,	  .own = &u->def,
					  .per_cpu = u->def.stays};
}

/* Parses all pairs. *out is set also after a failure, and must then be freed. */
enum tdat_status user_pairs_new(struct user_pairs **out, const char *const *texts, size_t count,
				const struct tdat_iter_input *inputs, size_t input_count,
				struct tdat_error *err)
{
	struct user_pairs *p = calloc(1, sizeof(*p));
	enum tdat_status st = TDAT_OK;

	*out = p;
	if (p)
		p->v = calloc(count + 1, sizeof(*p->v));
	if (!p || !p->v)
		return tdat_error_no_memory(err, "pairs");
	for (size_t i = 0; i < count && st == TDAT_OK; i++) {
		struct reading r = {.all = p, .text = texts[i], .p = texts[i], .err = err};

		p->count++;
		st = read_text(&r, &p->v[i]);
		if (st == TDAT_OK)
			st = make_columns(&r, &p->v[i], inputs, input_count);
		make_table(&p->v[i]);
	}
	return st;
}

void user_pairs_free(void *pairs)
{
	struct user_pairs *p = pairs;

	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < PAIR_ROLES; k++)
			model_filter_free(p->v[i].def.filters[k]);
	tdat_arena_fini(&p->arena);
	free(p->v);
	free(p);
}

const struct table_derived *user_pairs_table(const struct user_pairs *p, size_t i)
{
	return &p->v[i].table;
}
