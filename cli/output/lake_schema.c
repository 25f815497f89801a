/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans the columns of a data set. Input are the schemas of the tables of all files that are to be
 * exported, and of those that were exported before; output is a folder for each, whose columns hold
 * the values of all its parts. Folders of earlier runs are fixed: what does not fit opens the next
 * one. export_lake.c calls it before any row is read; lake_schema_read.c and lake_schema_write.c
 * know its file.
 */
#include "output/lake_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/grow.h"

/* ---- columns ---- */

static uint64_t text_hash(const struct tdat_map *m, const char *text)
{
	return tdat_hash_bytes(m->seed, text, strlen(text));
}

static bool is_key(const struct lake_schema *s, const char *name)
{
	for (size_t i = 0; i < s->key_count; i++)
		if (!strcasecmp(s->keys[i], name))
			return true;
	return false;
}

/*
 * The name that a column has in parts: its own, or behind "field_" if its own is a key, as often as
 * the table has such a name. free() frees it; NULL: no memory. Few columns have the name of a key.
 */
static char *name_in_parts(const struct lake_schema *s, const struct ArrowSchema *table,
			   const struct ArrowSchema *column)
{
	char *name = strdup(column->name), *longer;
	bool taken = is_key(s, column->name);

	while (name && taken) {
		if (asprintf(&longer, "field_%s", name) < 0)
			longer = NULL;
		free(name);
		name = longer;
		taken = false;
		for (int64_t i = 0; name && i < table->n_children; i++)
			taken |= !strcmp(table->children[i]->name, name);
	}
	return name;
}

/* Finds the places of the table's columns among those of the folder. False: no memory. */
static bool find_places(struct lake_match *m, const struct lake_schema *s,
			const struct lake_folder *f, const struct ArrowSchema *table)
{
	struct tdat_map map = {.count = 0};
	bool ok = tdat_map_grow(&map, f->count + 1);

	for (size_t i = 0; ok && i < f->count; i++)
		tdat_map_add(&map, text_hash(&map, f->columns[i].name));
	for (int64_t i = 0; ok && i < table->n_children; i++) {
		char *name = name_in_parts(s, table, table->children[i]);
		uint32_t at = TDAT_MAP_NONE;

		ok = name;
		if (ok)
			TDAT_MAP_FIND(at, &map, text_hash(&map, name),
				      !strcmp(f->columns[at].name, name));
		m->place[i] = at == TDAT_MAP_NONE ? -1 : (int64_t)at;
		if (m->place[i] >= 0)
			m->source[at] = i;
		free(name);
	}
	tdat_map_fini(&map);
	return ok;
}

bool lake_match_init(struct lake_match *m, const struct lake_schema *s, const struct lake_folder *f,
		     const struct ArrowSchema *table)
{
	m->source = calloc(f->count + 1, sizeof(*m->source));
	m->place = calloc((size_t)table->n_children + 1, sizeof(*m->place));
	for (size_t i = 0; m->source && i < f->count; i++)
		m->source[i] = -1;
	return m->source && m->place && find_places(m, s, f, table);
}

void lake_match_fini(struct lake_match *m)
{
	free(m->source);
	free(m->place);
}

static bool is_nullable(const struct ArrowSchema *column)
{
	return column->flags & ARROW_FLAG_NULLABLE;
}

/* The name of the field behind a column, the value of its one pair of metadata; NULL: none. */
static char *field_of(const struct ArrowSchema *column, bool *ok)
{
	const char *at = column->metadata;
	int32_t key, len;
	char *name;

	if (!at)
		return NULL;
	memcpy(&key, at + 4, sizeof(key));
	memcpy(&len, at + 8 + key, sizeof(len));
	name = strndup(at + 12 + key, (size_t)len);
	*ok &= name != NULL;
	return name;
}

/*
 * Says what of the columns does not fit into a folder; false: all do. fixed: as it is; else its
 * columns may be widened and added to.
 */
static bool misfit(const struct lake_schema *s, const struct lake_folder *f, bool fixed,
		   const struct lake_match *m, const struct ArrowSchema *table, char *why,
		   size_t len)
{
	char type[LAKE_TYPE_LEN], wide[LAKE_TYPE_LEN];

	for (int64_t i = 0; i < table->n_children; i++) {
		const struct ArrowSchema *column = table->children[i];
		const struct lake_column *c = m->place[i] < 0 ? NULL : &f->columns[m->place[i]];

		lake_type_of(column, s->as_signed, type);
		if (c)
			memcpy(wide, c->type, sizeof(wide));
		if (!c && fixed) {
			snprintf(why, len, "%s lacks the column %s", f->value, column->name);
			return true;
		}
		if (c &&
		    (fixed ? !lake_type_holds(wide, type) || (is_nullable(column) && !c->nullable)
			   : !lake_type_widen(wide, type))) {
			snprintf(why, len, "%s is %s, not %s as in %s", c->name, type, c->type,
				 f->value);
			return true;
		}
	}
	for (size_t i = 0; fixed && i < f->count; i++)
		if (!f->columns[i].nullable && m->source[i] < 0) {
			snprintf(why, len, "it lacks the column %s", f->columns[i].name);
			return true;
		}
	return false;
}

/* Makes a folder's columns hold those of a table, which fit. False: no memory. */
static bool extend(const struct lake_schema *s, struct lake_folder *f, const struct lake_match *m,
		   const struct ArrowSchema *table)
{
	const bool first = !f->count;
	bool ok = true;

	for (size_t i = 0; i < f->count; i++)
		f->columns[i].nullable |= m->source[i] < 0;
	for (int64_t i = 0; ok && i < table->n_children; i++) {
		const struct ArrowSchema *column = table->children[i];
		struct lake_column *c = m->place[i] < 0 ? NULL : &f->columns[m->place[i]];
		char type[LAKE_TYPE_LEN];

		lake_type_of(column, s->as_signed, type);
		if (c) {
			lake_type_widen(c->type, type);
			c->nullable |= is_nullable(column);
			continue;
		}
		if (!TDAT_GROW(f->columns, &f->cap, f->count + 1))
			return false;
		c = &f->columns[f->count++];
		*c = (struct lake_column){.nullable = !first || is_nullable(column)};
		memcpy(c->type, type, sizeof(type));
		c->name = name_in_parts(s, table, column);
		c->field = field_of(column, &ok);
		ok &= c->name != NULL;
	}
	return ok;
}

/* ---- tables ---- */

static struct lake_table *find_table(const struct lake_schema *s, const char *name)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &s->names, text_hash(&s->names, name), !strcmp(s->tables[i].name, name));
	return i == TDAT_MAP_NONE ? NULL : &s->tables[i];
}

static bool is_taken(const struct lake_schema *s, const char *value)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &s->values, text_hash(&s->values, value),
		      !strcmp(s->tables[i].folders[0].value, value));
	return i != TDAT_MAP_NONE;
}

struct lake_folder *lake_table_add(struct lake_table *t, const char *value)
{
	struct lake_folder *f;

	if (!TDAT_GROW(t->folders, &t->cap, t->count + 1))
		return NULL;
	f = &t->folders[t->count];
	*f = (struct lake_folder){.value = strdup(value)};
	t->count += f->value != NULL;
	return f->value ? f : NULL;
}

struct lake_table *lake_schema_table(struct lake_schema *s, const char *name, const char *value)
{
	struct lake_table *t = find_table(s, name);

	if (t)
		return t;
	if (!tdat_map_reserve(&s->names) || !tdat_map_reserve(&s->values) ||
	    !TDAT_GROW(s->tables, &s->cap, s->names.count + 1))
		return NULL;
	t = &s->tables[s->names.count];
	*t = (struct lake_table){.name = strdup(name)};
	if (!t->name || !lake_table_add(t, is_taken(s, value) ? name : value)) {
		free(t->name);
		free(t->folders);
		return NULL;
	}
	tdat_map_put(&s->values, text_hash(&s->values, t->folders[0].value), s->names.count);
	tdat_map_put(&s->names, text_hash(&s->names, name), s->names.count);
	return t;
}

/* Adds the folder behind those that did not fit: "sched_switch@2". NULL: no memory. */
static struct lake_folder *add_next(struct lake_table *t, const char *why)
{
	struct lake_folder *f;
	char *value;

	if (asprintf(&value, "%s@%zu", t->folders[0].value, t->count + 1) < 0)
		return NULL;
	f = lake_table_add(t, value);
	free(value);
	if (f)
		f->why = strdup(why);
	return f && f->why ? f : NULL;
}

/*
 * Extends a folder by a table's columns if they fit. *fits: they do; else why says what does not.
 * False: no memory.
 */
static bool try_folder(const struct lake_schema *s, struct lake_folder *f,
		       const struct ArrowSchema *table, bool *fits, char *why, size_t len)
{
	struct lake_match m;
	bool ok = lake_match_init(&m, s, f, table);

	*fits = ok && !misfit(s, f, f->fixed, &m, table, why, len);
	if (*fits && !f->fixed)
		ok = extend(s, f, &m, table);
	lake_match_fini(&m);
	return ok;
}

enum tdat_status lake_schema_plan(struct lake_schema *s, const char *table, const char *value,
				  const struct ArrowSchema *columns, struct tdat_error *err)
{
	struct lake_table *t = lake_schema_table(s, table, value);
	char why[256] = "", first[256] = "", type[LAKE_TYPE_LEN];
	bool fits = false, ok = t;

	for (int64_t i = 0; i < columns->n_children; i++)
		if (!lake_type_of(columns->children[i], s->as_signed, type))
			return tdat_error_set(
				err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				"%s: column %s has a type that data sets do not support", table,
				columns->children[i]->name);
	for (size_t i = 0; ok && !fits && i < t->count; i++) {
		ok = try_folder(s, &t->folders[i], columns, &fits, why, sizeof(why));
		if (!i)
			memcpy(first, why, sizeof(first));
	}
	if (ok && !fits) {
		struct lake_folder *f = add_next(t, first);

		ok = f && try_folder(s, f, columns, &fits, why, sizeof(why));
	}
	return ok ? TDAT_OK : tdat_error_no_memory(err, table);
}

struct lake_folder *lake_schema_find(const struct lake_schema *s, const char *table,
				     const struct ArrowSchema *columns)
{
	struct lake_table *t = find_table(s, table);
	struct lake_folder *found = NULL;
	char why[256];

	for (size_t i = 0; t && i < t->count && !found; i++) {
		struct lake_match m;

		if (lake_match_init(&m, s, &t->folders[i], columns) &&
		    !misfit(s, &t->folders[i], true, &m, columns, why, sizeof(why)))
			found = &t->folders[i];
		lake_match_fini(&m);
	}
	return found;
}

void lake_folder_fini(struct lake_folder *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->columns[i].name);
		free(f->columns[i].field);
	}
	free(f->columns);
	free(f->value);
	free(f->why);
}

void lake_schema_fini(struct lake_schema *s)
{
	for (size_t i = 0; i < s->names.count; i++) {
		struct lake_table *t = &s->tables[i];

		for (size_t k = 0; k < t->count; k++)
			lake_folder_fini(&t->folders[k]);
		free(t->folders);
		free(t->name);
	}
	free(s->tables);
	free(s->partition);
	tdat_map_fini(&s->names);
	tdat_map_fini(&s->values);
}
