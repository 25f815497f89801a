/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a tdat_filter of what a caller asks for, before any file is known. The filter copies
 * all texts and parses expressions, so that wrong usage is reported before a file is opened. It
 * is immutable: several iterators may use it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/opts.h"
#include "select_def.h"

/* Bytes of a pattern of names. */
enum { SELECT_PATTERN_MOST = 4096 };

static char **copy_strings(struct tdat_filter *f, const char *const *v, size_t count)
{
	char **out = tdat_arena_array(&f->arena, count + 1, sizeof(*out));
	size_t i;

	for (i = 0; out && i < count; i++) {
		out[i] = tdat_arena_strndup(&f->arena, v[i], strlen(v[i]));
		if (!out[i])
			return NULL;
	}
	return out;
}

/* fnmatch(3) takes time by the length of a pattern for each name. */
static enum tdat_status check_patterns(const char *const *v, size_t count, struct tdat_error *err)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strnlen(v[i], SELECT_PATTERN_MOST + 1) > SELECT_PATTERN_MOST)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the pattern '%.80s' is longer than %d bytes", v[i],
					      SELECT_PATTERN_MOST);
	return TDAT_OK;
}

/* Copies lists to the arena; counts are set only after all of them exist. */
static bool copy_lists(struct tdat_filter *f, const struct tdat_filter_opts *o)
{
	f->events = copy_strings(f, o->events, o->event_count);
	f->comms = copy_strings(f, o->comms, o->comm_count);
	f->buffers = copy_strings(f, o->buffers, o->buffer_count);
	f->pids = tdat_arena_array(&f->arena, o->pid_count + 1, sizeof(*f->pids));
	f->exprs = tdat_arena_array(&f->arena, o->expr_count + 1, sizeof(struct model_filter *));
	f->negative = tdat_arena_array(&f->arena, o->expr_count + 1, sizeof(*f->negative));
	if (!f->events || !f->comms || !f->buffers || !f->pids || !f->exprs || !f->negative)
		return false;
	if (o->pid_count)
		memcpy(f->pids, o->pids, o->pid_count * sizeof(*f->pids));
	f->event_count = o->event_count;
	f->comm_count = o->comm_count;
	f->buffer_count = o->buffer_count;
	f->pid_count = o->pid_count;
	f->stacks = o->stacks;
	return true;
}

/* Parses a time of an option; the copy stays, since messages quote it. */
static enum tdat_status copy_time(struct tdat_filter *f, struct select_time *t, const char *option,
				  const char *text, struct tdat_error *err)
{
	char *copy;

	if (!text)
		return TDAT_OK;
	copy = tdat_arena_strndup(&f->arena, text, strlen(text));
	return copy ? select_time_parse(t, option, copy, err)
		    : tdat_error_no_memory(err, "a filter");
}

/*
 * Checks and copies everything. expr_count rises with each expression, so tdat_filter_free() frees
 * those that were parsed.
 */
static enum tdat_status fill(struct tdat_filter *f, const struct tdat_filter_opts *o,
			     struct tdat_error *err)
{
	enum tdat_status st = check_patterns(o->events, o->event_count, err);
	size_t i;

	if (st == TDAT_OK)
		st = check_patterns(o->comms, o->comm_count, err);
	if (st == TDAT_OK)
		st = check_patterns(o->buffers, o->buffer_count, err);
	if (st != TDAT_OK)
		return st;
	if (!copy_lists(f, o))
		return tdat_error_no_memory(err, "a filter");
	for (i = 0; i < o->expr_count; i++) {
		st = model_filter_new(&f->exprs[i], o->exprs[i].text, err);
		if (st != TDAT_OK)
			return st;
		f->negative[i] = o->exprs[i].negative;
		f->expr_count++;
	}
	st = copy_time(f, &f->from, "from", o->from, err);
	if (st == TDAT_OK)
		st = copy_time(f, &f->to, "to (--until)", o->to, err);
	if (st == TDAT_OK && select_time_reversed(&f->from, &f->to))
		return tdat_error_set(
			err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			"the end of the time range, %.80s, is earlier than its start, %.80s", o->to,
			o->from);
	return st;
}

enum tdat_status tdat_filter_new(struct tdat_filter **out, const struct tdat_filter_opts *opts,
				 struct tdat_error *err)
{
	struct tdat_filter_opts own = TDAT_FILTER_OPTS_INIT;
	struct tdat_filter *f = calloc(1, sizeof(*f));
	enum tdat_status st;

	*out = NULL;
	if (!f)
		return tdat_error_no_memory(err, "a filter");
	tdat_opts_copy(&own, sizeof(own), opts);
	st = fill(f, &own, err);
	if (st != TDAT_OK) {
		tdat_filter_free(f);
		return st;
	}
	*out = f;
	return TDAT_OK;
}

void tdat_filter_free(struct tdat_filter *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->expr_count; i++)
		model_filter_free(f->exprs[i]);
	tdat_arena_fini(&f->arena);
	free(f);
}
