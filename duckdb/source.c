/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens the files of a call as one trace, and finds its table. Paths may be patterns of glob(3); a
 * path that is there is taken as it is written. A source is counted, as the readers of a query use
 * it on several threads: it does not change once the query is bound. A strict source refuses
 * damaged files, as the Python package does.
 */
#include "duck.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tdat/check.h>

#include "core/grow.h"
#include "core/nearest.h"

struct duck_source *duck_source_new(void)
{
	struct duck_source *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->references = 1;
	s->strict = true;
	s->opts = (struct tdat_table_opts)TDAT_TABLE_OPTS_INIT;
	s->path_column = SIZE_MAX;
	return s;
}

struct duck_source *duck_source_get(struct duck_source *s)
{
	__atomic_add_fetch(&s->references, 1, __ATOMIC_RELAXED);
	return s;
}

void duck_source_put(void *source)
{
	struct duck_source *s = source;

	if (!s || __atomic_sub_fetch(&s->references, 1, __ATOMIC_ACQ_REL))
		return;
	for (size_t i = 0; i < s->column_count; i++)
		free(s->columns[i]);
	free(s->columns);
	free((void *)s->opts.cpus);
	free((void *)s->opts.pids);
	tdat_filter_free(s->filter);
	tdat_trace_free(s->trace);
	for (size_t i = 0; i < s->input_count; i++)
		tdat_file_close(s->inputs[i].file);
	free(s->inputs);
	free(s);
}

/* ---- paths ---- */

static bool is_pattern(const char *path)
{
	return path[strcspn(path, "*?[")] && access(path, F_OK);
}

bool duck_is_several(duckdb_value paths)
{
	char *path;
	bool several;

	if (duckdb_get_type_id(duckdb_get_value_type(paths)) == DUCKDB_TYPE_LIST)
		return true;
	path = duckdb_get_varchar(paths);
	several = path && is_pattern(path);
	duckdb_free(path);
	return several;
}

/* Adds a copy of a path. */
static enum tdat_status add_path(struct duck_texts *out, const char *path, struct tdat_error *err)
{
	char *copy = strdup(path);

	if (!copy || !TDAT_GROW(out->v, &out->room, out->count + 1)) {
		free(copy);
		return tdat_error_no_memory(err, "the paths of files");
	}
	out->v[out->count++] = copy;
	return TDAT_OK;
}

/* Adds the files of a pattern, by name; glob() sorts them. */
static enum tdat_status add_pattern(struct duck_texts *out, const char *pattern,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	glob_t found;
	int rc = glob(pattern, GLOB_ERR, NULL, &found);

	if (rc == GLOB_NOSPACE)
		st = tdat_error_no_memory(err, "the paths of files");
	else if (rc)
		st = tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET, "%s: %s", pattern,
				    rc == GLOB_NOMATCH ? "no file has this name"
						       : "a folder cannot be read");
	for (size_t i = 0; !rc && i < found.gl_pathc && st == TDAT_OK; i++)
		st = add_path(out, found.gl_pathv[i], err);
	if (!rc)
		globfree(&found);
	return st;
}

static enum tdat_status all_paths(duckdb_value value, struct duck_texts *out,
				  struct tdat_error *err)
{
	struct duck_texts given = {.v = NULL};
	enum tdat_status st = duck_take_texts(value, "the first parameter, of files,", &given, err);

	for (size_t i = 0; i < given.count && st == TDAT_OK; i++)
		st = is_pattern(given.v[i]) ? add_pattern(out, given.v[i], err)
					    : add_path(out, given.v[i], err);
	if (st == TDAT_OK && !out->count)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "at least one file is needed");
	duck_texts_fini(&given);
	return st;
}

/* ---- files ---- */

static enum tdat_status on_finding(void *ctx, const struct tdat_finding *f, struct tdat_error *err)
{
	const struct duck_source *s = ctx;

	if (f->severity != TDAT_DAMAGE || !s->strict)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_DAMAGED, f->off, "%s", f->sentence);
}

/* input_count grows once a file is open, as only counted ones are closed. */
static enum tdat_status open_file(struct duck_source *s, const char *path, struct tdat_error *err)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_file **file = &s->inputs[s->input_count].file;
	enum tdat_status st;

	opts.tolerate_damage = !s->strict;
	/* "-" is a file of that name: a query does not read the standard input of its process. */
	st = tdat_file_open(file, strcmp(path, "-") ? path : "./-", &opts, err);
	if (st == TDAT_OK) {
		s->input_count++;
		st = tdat_check_meta(*file, on_finding, s, err);
	}
	if (st != TDAT_OK && !strstr(err->message, path))
		tdat_error_prefix(err, "%s", path);
	return st;
}

enum tdat_status duck_source_open(struct duck_source *s, duckdb_value paths, struct tdat_error *err)
{
	struct tdat_trace_opts opts = TDAT_TRACE_OPTS_INIT;
	struct duck_texts all = {.v = NULL};
	enum tdat_status st = all_paths(paths, &all, err);

	opts.raw_ts = s->raw_ts;
	opts.no_date = s->no_date;
	s->inputs = calloc(all.count + 1, sizeof(*s->inputs));
	if (st == TDAT_OK && !s->inputs)
		st = tdat_error_no_memory(err, "files");
	for (size_t i = 0; i < all.count && st == TDAT_OK; i++)
		st = open_file(s, all.v[i], err);
	if (st == TDAT_OK)
		st = tdat_trace_new(&s->trace, s->inputs, s->input_count, &opts, err);
	duck_texts_fini(&all);
	return st;
}

/* ---- tables ---- */

/* Fails, with the nearest name. `short` is how many systems have an event of the name. */
static enum tdat_status not_found(const struct duck_source *s, const char *name, size_t systems,
				  struct tdat_error *err)
{
	struct tdat_near near = {.word = name};
	size_t count;
	const struct tdat_table *tables = tdat_trace_tables(s->trace, &count);

	if (systems > 1)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "%zu systems have an event '%s'; name one as SYSTEM/%s",
				      systems, name, name);
	for (size_t i = 0; i < count; i++)
		if (tables[i].kind == TDAT_TABLE_EVENT)
			tdat_near_event(&near, tables[i].system, tables[i].event);
		else
			tdat_near_try(&near, tables[i].name);
	return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET, "%s has no table '%s'%s",
			      s->input_count > 1 ? "none of the files"
						 : tdat_file_info(s->inputs[0].file)->name,
			      name, tdat_near_hint(&near, "; tdat_tables() lists them"));
}

enum tdat_status duck_source_find(struct duck_source *s, const char *name, struct tdat_error *err)
{
	size_t count, systems = 0;
	const struct tdat_table *tables = tdat_trace_tables(s->trace, &count);

	s->table = tdat_trace_find(s->trace, name);
	if (s->table)
		return TDAT_OK;
	for (size_t i = 0; i < count; i++)
		if (tables[i].kind == TDAT_TABLE_EVENT && !strcmp(tables[i].event, name)) {
			s->table = &tables[i];
			systems++;
		}
	return systems == 1 ? TDAT_OK : not_found(s, name, systems, err);
}

/* ---- sizes ---- */

uint64_t duck_source_bytes(const struct duck_source *s)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->input_count; i++) {
		size_t count;
		const struct tdat_buffer *b = tdat_file_buffers(s->inputs[i].file, &count);

		for (size_t k = 0; k < count; k++)
			for (uint32_t c = 0; c < b[k].cpu_count; c++)
				bytes += b[k].cpus[c].len * (b[k].compressed ? 5 : 1);
	}
	return bytes;
}

/* Most records have 24 to 60 bytes. Tables of one type have a part of the events. */
uint64_t duck_source_rows(const struct duck_source *s)
{
	switch (s->table->kind) {
	case TDAT_TABLE_EVENTS:
		return duck_source_bytes(s) / 32 + 1;
	case TDAT_TABLE_EVENT:
	case TDAT_TABLE_DERIVED:
		return duck_source_bytes(s) / 256 + 1;
	default:
		return 1000;
	}
}
