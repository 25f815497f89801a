/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the names of tasks; a file has one name for each pid. Names that events show come first: a
 * pid for which events of two inputs show different names gets both. These names come from
 * survey.c. A pid that no event shows keeps the name of the first input's table that has it.
 */
#include "merge.h"

/* The state of joining, with what the warning needs. */
struct joined {
	struct merge *m;
	uint64_t doubtful;
	int32_t example;
	size_t example_part;
};

/* The text that printers show for a task without a name. */
static const char *const unknown = "<...>";

/* Returns the name that events of part i show for pid, or NULL. */
static const char *shown(const struct merge *m, size_t i, int32_t pid)
{
	return write_comms_find(&m->parts[i].used.comms, pid);
}

/* Returns the name that another recording of the same machine has for a pid. */
static const char *of_host(const struct merge *m, size_t i, int32_t pid)
{
	const char *name = shown(m, i, pid), *other;

	for (size_t k = 0; name && !strcmp(name, unknown) && k < m->count; k++) {
		other = m->parts[k].host == m->parts[i].host ? shown(m, k, pid) : NULL;
		if (other && strcmp(other, unknown))
			return other;
	}
	return name;
}

/* True if an earlier input shows that name. */
static bool shown_before(const struct merge *m, size_t i, int32_t pid, const char *name)
{
	for (size_t k = 0; k < i; k++) {
		const char *other = of_host(m, k, pid);

		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

/* Builds all names of a pid, joined by "|". False: readers should learn them from events. */
static bool names(struct joined *j, int32_t pid, struct tdat_build *out)
{
	size_t count = 0, last = 0;
	bool known = false;

	out->len = 0;
	for (size_t i = 0; i < j->m->count; i++) {
		const char *name = of_host(j->m, i, pid);

		if (!name || shown_before(j->m, i, pid, name))
			continue;
		known |= strcmp(name, unknown) != 0;
		if (count++)
			tdat_build_u8(out, '|');
		tdat_build_str(out, name);
		last = i;
	}
	tdat_build_u8(out, 0);
	if (count > 1 && !j->doubtful++) {
		j->example = pid;
		j->example_part = last;
	}
	return count && (known || j->m->hosts_differ);
}

static enum tdat_status set(struct merge *m, int32_t pid, const char *name, struct tdat_error *err)
{
	if (write_comms_set(&m->w->meta.comms, &m->w->meta.arena, pid, name))
		return TDAT_OK;
	return tdat_error_no_memory(err, m->w->out.name);
}

/* Adds the pids that events show. */
static enum tdat_status put_shown(struct joined *j, struct tdat_build *b, struct tdat_error *err)
{
	struct merge *m = j->m;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < m->count; i++) {
		const struct write_comms *comms = &m->parts[i].used.comms;

		for (size_t k = 0; st == TDAT_OK && k < comms->count; k++) {
			int32_t pid = comms->list[k].pid;

			if (write_comms_find(&m->w->meta.comms, pid) || !names(j, pid, b))
				continue;
			st = b->failed ? tdat_error_no_memory(err, m->w->out.name)
				       : set(m, pid, (const char *)b->ptr, err);
		}
	}
	return st;
}

/* True if the events of any input show that pid. */
static bool shown_by_any(const struct merge *m, int32_t pid)
{
	for (size_t i = 0; i < m->count; i++)
		if (shown(m, i, pid))
			return true;
	return false;
}

/* Adds the pids that only tables have, with the name of the first input that has it. */
static enum tdat_status put_known(struct merge *m, size_t i, struct tdat_error *err)
{
	const struct model_tasks *t = file_tasks(m->parts[i].file);
	enum tdat_status st = TDAT_OK;

	for (size_t k = 0; st == TDAT_OK && k < model_tasks_count(t); k++) {
		struct tdat_span name;
		const int32_t pid = model_tasks_at(t, k, &name);
		char *text;

		if (shown_by_any(m, pid) || write_comms_find(&m->w->meta.comms, pid))
			continue;
		text = tdat_arena_strndup(&m->w->meta.arena, name.ptr, name.len);
		st = text ? set(m, pid, text, err) : tdat_error_no_memory(err, m->w->out.name);
	}
	return st;
}

/* Warns once about all pids with several names. */
static enum tdat_status warn_doubled(const struct joined *j, struct tdat_error *err)
{
	if (!j->doubtful)
		return TDAT_OK;
	return merge_warn(j->m, &j->m->parts[j->example_part], err,
			  "%llu pid%s to different tasks in the inputs: their events show both "
			  "names, as pid %d does: \"%s\"",
			  (unsigned long long)j->doubtful,
			  j->doubtful == 1 ? " belongs" : "s belong", j->example,
			  write_comms_find(&j->m->w->meta.comms, j->example));
}

/* Pids that events show come first; their names count. */
enum tdat_status merge_tasks(struct merge *m, struct tdat_error *err)
{
	struct joined j = {.m = m};
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	st = put_shown(&j, &b, err);
	tdat_build_fini(&b);
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = put_known(m, i, err);
	return st == TDAT_OK ? warn_doubled(&j, err) : st;
}
