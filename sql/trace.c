/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a trace that SQL reads, and gives each of its tables its names. Names are unique
 * without regard to case, with a number behind them if needed; an event type is also found
 * without its system. A trace is counted and shared by its tables.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/map.h"

/* ---- names ---- */

/* Names that are taken, without regard to case as SQLite takes them. */
struct taken {
	struct tdat_map map;
	unsigned int *last; /* by name: the number that was tried last behind it */
};

/* Folds ASCII letters, as sqlite3_stricmp() does. */
static uint64_t hash_name(const struct taken *k, const char *name)
{
	uint64_t h = 0;

	for (; *name; name++) {
		const unsigned char c = (unsigned char)*name;

		h = tdat_hash_pair(k->map.seed, h, c >= 'A' && c <= 'Z' ? c + 32u : c);
	}
	return h;
}

/* Returns the index of a name that is in use, or TDAT_MAP_NONE. */
static uint32_t find_name(const struct taken *k, const struct sql_name *names, const char *name)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &k->map, hash_name(k, name), !sqlite3_stricmp(names[i].name, name));
	return i;
}

/*
 * Makes the name of a table as the exporter of databases makes it: names that start with sqlite_
 * get a _, and names that are in use get _2, _3 and so on. The numbers behind a name continue from
 * the last one, so each is tried once.
 */
static bool free_name(struct tdat_build *out, const struct taken *k, const struct sql_name *names,
		      const char *name)
{
	unsigned int own = 1, *n = &own;
	uint32_t taken = TDAT_MAP_NONE;

	do {
		/* All tables that would have a name are counted at the one that has it itself. */
		if (taken != TDAT_MAP_NONE && n == &own)
			n = &k->last[taken];
		*n += taken != TDAT_MAP_NONE;
		out->len = 0;
		tdat_build_str(out, sqlite3_strnicmp(name, "sqlite_", 7) ? "" : "_");
		tdat_build_str(out, name);
		if (*n > 1)
			tdat_build_printf(out, "_%u", *n);
		tdat_build_u8(out, 0);
		if (out->failed)
			return false;
		taken = find_name(k, names, (const char *)out->ptr);
	} while (taken != TDAT_MAP_NONE);
	return true;
}

/* False: no memory. names has room for two names per table. */
static bool add_name(struct sql_trace *t, struct taken *k, const char *name,
		     const struct tdat_table *table, bool is_short)
{
	char *copy = strdup(name);

	if (!copy || !tdat_map_reserve(&k->map)) {
		free(copy);
		return false;
	}
	t->names[t->name_count] = (struct sql_name){copy, table, is_short};
	k->last[t->name_count] = 1;
	tdat_map_put(&k->map, hash_name(k, copy), t->name_count++);
	return true;
}

/* Events of one name become neighbors. */
static int by_event(const void *a, const void *b)
{
	const struct tdat_table *x = *(const struct tdat_table *const *)a;
	const struct tdat_table *y = *(const struct tdat_table *const *)b;

	return sqlite3_stricmp(x->event, y->event);
}

/* Adds the names of events that only one system has, and no table. */
static bool add_short_names(struct sql_trace *t, struct taken *k, const struct tdat_table **list,
			    size_t count)
{
	qsort(list, count, sizeof(struct tdat_table *), by_event);
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		while (end < count && !sqlite3_stricmp(list[i]->event, list[end]->event))
			end++;
		/* A name that two systems have belongs to none of them. */
		if (end == i + 1 && find_name(k, t->names, list[i]->event) == TDAT_MAP_NONE &&
		    sqlite3_strnicmp(list[i]->event, "sqlite_", 7) != 0 &&
		    !add_name(t, k, list[i]->event, list[i], true))
			return false;
		i = end;
	}
	return true;
}

/* Names all tables; events gets the event types, for their short names. */
static bool name_tables(struct sql_trace *t, struct taken *k, const struct tdat_table **events)
{
	size_t count, n = 0;
	const struct tdat_table *tables = tdat_trace_tables(t->def.trace, &count);
	struct tdat_build name;
	bool ok = true;

	tdat_build_init(&name, false);
	for (size_t i = 0; i < count && ok; i++) {
		ok = free_name(&name, k, t->names, tables[i].name) &&
		     add_name(t, k, (const char *)name.ptr, &tables[i], false);
		if (tables[i].kind == TDAT_TABLE_EVENT && *tables[i].event)
			events[n++] = &tables[i];
	}
	tdat_build_fini(&name);
	return ok && add_short_names(t, k, events, n);
}

/* All tables of this function go with it; only the names stay. */
static bool make_names(struct sql_trace *t)
{
	struct taken k = {.last = NULL};
	const struct tdat_table **events;
	size_t count;
	bool ok;

	tdat_trace_tables(t->def.trace, &count);
	t->names = calloc(2 * count + 1, sizeof(*t->names));
	k.last = calloc(2 * count + 1, sizeof(*k.last));
	events = calloc(count + 1, sizeof(struct tdat_table *));
	ok = k.last && t->names && events && name_tables(t, &k, events);
	tdat_map_fini(&k.map);
	free(k.last);
	free(events);
	return ok;
}

/* ---- the trace ---- */

/*
 * Guesses the number of events for the prices of plans: data is divided by the length of a record.
 * Most have 24 to 60 bytes; compressed ones a few.
 */
static uint64_t guess_events(const struct sql_trace_def *def)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < def->input_count; i++) {
		size_t count;
		const struct tdat_buffer *b = tdat_file_buffers(def->inputs[i].file, &count);

		for (size_t k = 0; k < count; k++)
			for (uint32_t c = 0; c < b[k].cpu_count; c++)
				bytes += b[k].cpus[c].len / (b[k].compressed ? 6 : 32);
	}
	return bytes + 1;
}

enum tdat_status sql_trace_new(struct sql_trace **out, const struct sql_trace_def *def,
			       struct tdat_error *err)
{
	struct sql_trace *t = calloc(1, sizeof(*t));

	*out = NULL;
	if (!t)
		return tdat_error_no_memory(err, "the tables of a trace");
	t->def = *def;
	t->references = 1;
	t->events = guess_events(def);
	if (!make_names(t)) {
		/* The caller keeps ctx after a failure. */
		t->def.free = NULL;
		sql_trace_put(t);
		return tdat_error_no_memory(err, "the names of tables");
	}
	*out = t;
	return TDAT_OK;
}

/* The last reference frees the names, then calls the owner. */
void sql_trace_put(struct sql_trace *t)
{
	if (!t || --t->references)
		return;
	for (size_t i = 0; i < t->name_count; i++)
		free((char *)t->names[i].name);
	free(t->names);
	for (size_t i = 0; i < t->fold_count; i++)
		free(t->folds[i]);
	free(t->folds);
	if (t->def.free)
		t->def.free(t->def.ctx);
	free(t);
}

const struct sql_name *sql_trace_names(const struct sql_trace *t, size_t *count)
{
	*count = t->name_count;
	return t->names;
}

uint64_t sql_trace_rows(const struct sql_trace *t)
{
	return t->rows;
}

/* SQLite has its own message for lack of memory. */
int sql_failure(char **message, const struct tdat_error *err)
{
	if (err->status == TDAT_E_NOMEM)
		return SQLITE_NOMEM;
	sqlite3_free(*message);
	*message = sqlite3_mprintf("%s", err->message);
	return SQLITE_ERROR;
}

void sql_result_build(sqlite3_context *to, const struct tdat_build *text)
{
	if (text->failed)
		sqlite3_result_error_nomem(to);
	else
		sqlite3_result_text64(to, text->len ? (const char *)text->ptr : "", text->len,
				      SQLITE_TRANSIENT, SQLITE_UTF8);
}
