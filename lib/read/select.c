/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Binds a tdat_filter to the inputs of an iterator, and tests records with it. Each event id
 * gets a class when the iterator is made: dropped, passed or tested. A tested id gets its
 * programs when its first record comes. Names that no input knows are an error that lists them.
 * The hot part, read_select_head(), is inline in select.h.
 */
#include "select.h"
#include "core/search.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "select_names.h"
#include "select_span.h"

/* Programs of one event id, bound when its first record comes. */
struct select_event {
	struct model_filter_prog **wanted;   /* of filters that name it */
	struct model_filter_prog **unwanted; /* of negative ones */
	size_t wanted_count, unwanted_count;
	struct model_filter_prog *pids; /* NULL: any pid */
	struct select_event *next;	/* of all that an input has */
};

/* ---- events by name ---- */

/* "event", "system" or "system/event" (also with a colon). */
static bool glob_names(const char *glob, const char *system, const char *name)
{
	char both[512];

	if (!strpbrk(glob, "/:"))
		return !fnmatch(glob, name, 0) || !fnmatch(glob, system, 0);
	snprintf(both, sizeof(both), "%s%c%s", system, strchr(glob, '/') ? '/' : ':', name);
	return !fnmatch(glob, both, 0);
}

bool read_select_wants_some(const struct tdat_filter *d)
{
	size_t i;

	for (i = 0; i < d->expr_count; i++)
		if (!d->negative[i])
			return true;
	return false;
}

static bool is_stack(const char *system, const char *name)
{
	return !strcmp(system, "ftrace") &&
	       (!strcmp(name, "kernel_stack") || !strcmp(name, "user_stack"));
}

bool read_select_owns(const struct tdat_filter *d)
{
	return d->stacks == TDAT_STACKS_EVENT &&
	       (d->event_count || d->expr_count || d->pid_count || d->comm_count);
}

/* Bits that are added to the class of a stack. */
static uint8_t stack_class(struct select_input *in, uint8_t class, bool named)
{
	if (in->def->stacks != TDAT_STACKS_EVENT)
		return class && in->def->stacks != TDAT_STACKS_NONE ? SELECT_STACK : 0;
	if (!read_select_owns(in->def) || (named && !class))
		return 0;
	in->owned = true;
	return (uint8_t)(SELECT_STACK | (named ? SELECT_NAMED : 0));
}

/* Returns the class of a format, and notes in the survey which conditions name it. */
static uint8_t classify(struct select_input *in, struct select_survey *v, size_t format,
			const char *system, const char *name)
{
	const struct tdat_filter *d = in->def;
	bool globbed = !d->event_count, named = !read_select_wants_some(d), test = in->by_pid;
	uint8_t class = 0;
	size_t i;

	for (i = 0; i < d->event_count; i++) {
		if (glob_names(d->events[i], system, name))
			globbed = v->globs[i] = true;
	}
	for (i = 0; i < d->expr_count; i++) {
		if (!select_survey_expr(v, i, in->file, format, system, name))
			continue;
		named |= !d->negative[i];
		test = true;
	}
	if (!globbed || !named)
		class = SELECT_ABSENT;
	else if (test)
		class = SELECT_TEST;
	if (is_stack(system, name))
		class |= stack_class(in, class,
				     (d->event_count || read_select_wants_some(d)) && globbed &&
					     named);
	return class;
}

/*
 * Classes all ids of a file from the heads of its formats. If formats share an id the first one
 * decides. No format is parsed unless an expression names it.
 */
static enum tdat_status classify_all(struct select_input *in, struct select_survey *v,
				     struct tdat_error *err)
{
	const struct dat_index *ix = &in->file->ix;
	bool *seen = calloc(FILE_ID_COUNT, sizeof(*seen));
	size_t i;

	if (!seen)
		return tdat_error_no_memory(err, "a filter");
	for (i = 0; i < ix->format_count; i++) {
		const struct dat_format_text *t = &ix->formats[i];
		struct tdat_span head;
		char name[256];
		uint32_t id;
		uint8_t class;

		if (!model_format_head(t->text, &head, &id) || id >= FILE_ID_COUNT ||
		    head.len >= sizeof(name))
			continue;
		memcpy(name, head.ptr, head.len);
		name[head.len] = '\0';
		class = classify(in, v, i, t->system, name);
		if (!seen[id])
			in->classes[id] = class;
		seen[id] = true;
	}
	free(seen);
	return TDAT_OK;
}

/* ---- buffers ---- */

bool read_select_buffer(const struct tdat_filter *def, const struct tdat_buffer *b)
{
	const char *name = *b->name ? b->name : "top";
	size_t i;

	for (i = 0; i < def->buffer_count; i++)
		if (!fnmatch(def->buffers[i], name, 0))
			return true;
	return !def->buffer_count;
}

/* ---- pids ---- */

/* True if a pattern of the filter matches the name; long names are compared cut. */
bool read_select_comm(const struct tdat_filter *d, struct tdat_span comm)
{
	char text[256];
	size_t i, n = comm.len < sizeof(text) ? comm.len : sizeof(text) - 1;

	if (n)
		memcpy(text, comm.ptr, n);
	text[n] = '\0';
	for (i = 0; i < d->comm_count; i++)
		if (!fnmatch(d->comms[i], text, 0))
			return true;
	return false;
}

/* The pids asked for, and those of the names asked for. */
static enum tdat_status make_pids(struct select_input *in, struct tdat_error *err)
{
	const struct tdat_filter *d = in->def;
	const struct model_tasks *tasks;
	size_t i, k, count, n = d->pid_count;
	struct tdat_span comm;
	int32_t pid;

	in->by_pid = d->pid_count || d->comm_count;
	if (!in->by_pid)
		return TDAT_OK;
	tasks = d->comm_count ? read_names(in->file) : NULL;
	count = model_tasks_count(tasks);
	in->pid_list = calloc(n + count + 1, sizeof(*in->pid_list));
	if ((d->comm_count && !tasks) || !in->pid_list)
		return tdat_error_no_memory(err, "a filter");
	if (n)
		memcpy(in->pid_list, d->pids, n * sizeof(*in->pid_list));
	for (i = 0; i < count; i++) {
		pid = model_tasks_at(tasks, i, &comm);
		if (read_select_comm(d, comm))
			in->pid_list[n++] = pid;
	}
	/* Pid 0, the idle task, is not in the list of names. */
	if (read_select_comm(d, model_tasks_find(tasks, 0)))
		in->pid_list[n++] = 0;
	qsort(in->pid_list, n, sizeof(*in->pid_list), tdat_by_s32);
	for (i = k = 0; i < n; i++)
		if (!i || in->pid_list[i] != in->pid_list[i - 1])
			in->pid_list[k++] = in->pid_list[i];
	in->pids = (struct model_pid_set){in->pid_list, k};
	return TDAT_OK;
}

/* ---- programs ---- */

/* Adapters: programs call back with the file as their context. */
static struct tdat_span get_name(const void *ctx, int32_t pid)
{
	return read_name(ctx, pid);
}

static const struct model_symbols *get_symbols(const void *ctx)
{
	return file_symbols(ctx);
}

static void event_free(struct select_event *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; i < e->wanted_count; i++)
		model_filter_prog_free(e->wanted[i]);
	for (i = 0; i < e->unwanted_count; i++)
		model_filter_prog_free(e->unwanted[i]);
	model_filter_prog_free(e->pids);
	free(e->wanted);
	free(e->unwanted);
	free(e);
}

/*
 * Binds the expressions that name the format: fields become offsets. A format that is broken has
 * no programs.
 */
static bool bind(const struct select_input *in, struct select_event *e,
		 const struct tdat_event_format *format)
{
	const struct tdat_filter *d = in->def;
	size_t i;

	for (i = 0; format && i < d->expr_count; i++) {
		struct model_filter_prog **to = d->negative[i] ? &e->unwanted[e->unwanted_count]
							       : &e->wanted[e->wanted_count];
		bool names = model_filter_names(d->exprs[i], tdat_event_format_system(format),
						tdat_event_format_name(format));

		if (!names)
			continue;
		if (model_filter_bind(to, d->exprs[i], format, &in->env, NULL) != TDAT_OK)
			return false;
		if (d->negative[i])
			e->unwanted_count++;
		else
			e->wanted_count++;
	}
	return !in->by_pid ||
	       model_filter_bind_pids(&e->pids, &in->pids, format, &in->env, NULL) == TDAT_OK;
}

/* Makes the programs of an id when its first record comes: most ids of a file never come. */
static struct select_event *make_event(struct select_input *in, uint32_t id)
{
	const uint64_t failures = tdat_file_memory_failures(in->file);
	struct select_event *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->wanted = calloc(in->def->expr_count + 1, sizeof(struct model_filter_prog *));
	e->unwanted = calloc(in->def->expr_count + 1, sizeof(struct model_filter_prog *));
	if (!e->wanted || !e->unwanted || !bind(in, e, tdat_file_format_by_id(in->file, id)) ||
	    file_memory(in->file, failures, NULL) != TDAT_OK) {
		event_free(e);
		return NULL;
	}
	in->events[id] = e;
	e->next = in->made;
	in->made = e;
	return e;
}

static bool any_match(struct model_filter_prog *const *progs, size_t count,
		      const struct model_filter_event *ev)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (model_filter_run(progs[i], ev) == MODEL_FILTER_MATCH)
			return true;
	return false;
}

/* One of the wanted expressions must match, and the pid. */
static bool passes(const struct select_event *e, const struct model_filter_event *ev)
{
	return (!e->wanted_count || any_match(e->wanted, e->wanted_count, ev)) &&
	       (!e->pids || model_filter_run(e->pids, ev) == MODEL_FILTER_MATCH);
}

/* The programs of an id; NULL without memory, which in->failed says. */
static struct select_event *event_of(struct select_input *in, uint32_t id)
{
	struct select_event *e = in->events[id] ? in->events[id] : make_event(in, id);

	in->failed |= !e;
	return e;
}

/* Asks for the format of an id of which the first event comes; its class from then on. */
static uint8_t meet(struct select_input *in, uint8_t class, uint32_t id)
{
	if (!(class & SELECT_UNMET))
		return class;
	tdat_file_format_by_id(in->file, id);
	return in->classes[id] = (uint8_t)(class & ~SELECT_UNMET);
}

/*
 * Decides an event that its class alone does not. *shown: an event of this CPU passed before, by
 * which stacks follow their event as in report.
 */
bool read_select_slow(struct select_input *in, uint8_t class, uint32_t id,
		      const struct model_filter_event *ev, bool *shown)
{
	struct select_event *e;
	bool behind = false;

	id &= FILE_ID_COUNT - 1;
	class = meet(in, class, id);
	if (class == SELECT_ABSENT)
		return false;
	if (!class)
		return *shown = true;
	e = event_of(in, id);
	if (!e)
		return false;
	/* A stack that does not match itself passes behind an event that did. */
	if ((class & SELECT_ABSENT) || !passes(e, ev)) {
		behind = (class & SELECT_STACK) && *shown;
		if (!behind)
			return false;
	}
	if (any_match(e->unwanted, e->unwanted_count, ev))
		return *shown = false;
	/* trace-cmd 3.1 lets all stacks behind pass; later versions only the one right behind. */
	*shown = !behind || in->def->stacks == TDAT_STACKS_3_1;
	return true;
}

/*
 * The same where stacks belong to events by context: a stack passes if the last event of its
 * context did, and every other event is noted for its stacks.
 */
bool read_select_owned(struct select_input *in, uint8_t class, uint32_t id,
		       const struct model_filter_event *ev, struct read_owners *owners)
{
	const uint64_t context = read_select_context(in, ev->record, ev->pid);
	enum read_owner owner = READ_OWNER_NONE;
	struct select_event *e = NULL;
	bool pass;

	id &= FILE_ID_COUNT - 1;
	class = meet(in, class, id);
	if (class & SELECT_STACK)
		owner = read_owners_find(owners, context);
	if (class & SELECT_TEST) {
		e = event_of(in, id);
		if (!e)
			return false;
	}
	pass = owner == READ_OWNER_PASSED ||
	       ((owner == READ_OWNER_NONE || (class & SELECT_NAMED)) && !(class & SELECT_ABSENT) &&
		(!e || passes(e, ev)));
	pass = pass && !(e && any_match(e->unwanted, e->unwanted_count, ev));
	if (!(class & SELECT_STACK) && !read_owners_note(owners, context, pass))
		in->failed = true;
	return pass;
}

/* Tests the span and pids that tables ask for beside the filter. */
bool read_select_narrow(const struct read_select *s, uint64_t ts, int32_t pid)
{
	size_t i;

	/* The width of a span fits the number, also if the span wraps around 0. */
	if (s->span.set && ts - s->span.from > s->span.to - s->span.from)
		return false;
	if (!s->pids)
		return true;
	TDAT_SEARCH(i, s->pids->count, s->pids->v[i] < pid);
	return i < s->pids->count && s->pids->v[i] == pid;
}

bool read_select_id(const struct select_input *in, uint32_t id)
{
	return !((id < FILE_ID_COUNT ? in->classes[id] : in->unknown) & SELECT_ABSENT);
}

/* ---- making one ---- */

/* True if an expression uses COMM, which in trace-cmd's mode depends on the events before. */
static bool words_want_comm(const struct tdat_filter *d)
{
	size_t i, k, column;

	for (i = 0; i < d->expr_count; i++)
		for (k = 0; k < model_filter_word_count(d->exprs[i]); k++) {
			const char *word = model_filter_word(d->exprs[i], k, &column);

			if (word && !strcmp(word, "COMM"))
				return true;
		}
	return false;
}

/* Where events have their context, as the first format that has it says. */
static void find_context(struct select_input *in)
{
	const struct tdat_event_format *format;

	in->flags_off = in->count_off = UINT32_MAX;
	for (size_t i = 0; in->owned && i < in->file->ix.format_count; i++) {
		const struct tdat_field *flags, *count;

		if (tdat_file_format(in->file, i, &format, NULL) != TDAT_OK)
			continue;
		flags = tdat_event_format_field(format, "common_flags");
		count = tdat_event_format_field(format, "common_preempt_count");
		if (!flags || !count)
			continue;
		in->flags_off = flags->off;
		in->count_off = count->off;
		return;
	}
}

/* Prepares one input: pids, class of ids without a format, classes of all others. */
static enum tdat_status input_init(struct select_input *in, const struct tdat_filter *def,
				   const struct tdat_file *file, struct select_survey *v,
				   struct tdat_error *err)
{
	enum tdat_status st;

	in->def = def;
	in->file = file;
	in->env = (struct model_filter_env){file->layout.big, get_name, get_symbols, file};
	in->wants_comm = words_want_comm(def);
	in->events = calloc(FILE_ID_COUNT, sizeof(struct select_event *));
	if (!in->events)
		return tdat_error_no_memory(err, "a filter");
	st = make_pids(in, err);
	if (st != TDAT_OK)
		return st;
	/* An id without a format passes only if no condition asks for names. */
	if (def->event_count || read_select_wants_some(def))
		in->unknown = SELECT_ABSENT |
			      (read_select_means_unnamed(def, &file->ix) ? SELECT_UNMET : 0);
	else
		in->unknown = in->by_pid ? SELECT_TEST : 0;
	memset(in->classes, in->unknown, sizeof(in->classes));
	st = classify_all(in, v, err);
	find_context(in);
	return st;
}

/* Prepares all inputs; then every name of the filter must have been found in one of them. */
static enum tdat_status make_inputs(struct read_select *s, const struct tdat_filter *def,
				    const struct tdat_iter_input *inputs, struct tdat_error *err)
{
	struct select_survey v;
	enum tdat_status st = TDAT_OK;
	size_t i;

	if (!select_survey_init(&v, def))
		st = tdat_error_no_memory(err, "a filter");
	for (i = 0; i < s->input_count && st == TDAT_OK; i++)
		st = input_init(&s->inputs[i], def, inputs[i].file, &v, err);
	if (st == TDAT_OK)
		st = select_survey_check(&v, inputs, s->input_count, err);
	select_survey_fini(&v);
	return st;
}

/* Binds a filter to inputs. Times are resolved last, since relative ones read pages. */
enum tdat_status read_select_new(struct read_select **out, const struct tdat_filter *def,
				 const struct tdat_iter_input *inputs, size_t input_count,
				 const struct tdat_iter_opts *opts, struct tdat_error *err)
{
	struct read_select *s = calloc(1, sizeof(*s));
	enum tdat_status st;

	*out = NULL;
	if (!s)
		return tdat_error_no_memory(err, "a filter");
	s->inputs = calloc(input_count + 1, sizeof(*s->inputs));
	if (!s->inputs) {
		free(s);
		return tdat_error_no_memory(err, "a filter");
	}
	s->input_count = input_count;
	st = select_check_buffers(def, inputs, input_count, err);
	if (st == TDAT_OK)
		st = make_inputs(s, def, inputs, err);
	if (st == TDAT_OK)
		st = read_select_times(&s->times, &def->from, &def->to, inputs, input_count, opts,
				       err);
	if (st != TDAT_OK) {
		read_select_free(s);
		return st;
	}
	*out = s;
	return TDAT_OK;
}

void read_select_free(struct read_select *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->input_count; i++) {
		struct select_input *in = &s->inputs[i];

		while (in->made) {
			struct select_event *e = in->made;

			in->made = e->next;
			event_free(e);
		}
		free(in->events);
		free(in->pid_list);
	}
	free(s->inputs);
	free(s);
}

/* The class that read_select_only gives an id that is not wanted. */
static uint8_t unwanted_class(uint8_t class, bool keep, bool ask_format)
{
	const bool passed = !(class & SELECT_ABSENT);

	return (uint8_t)((keep ? class : SELECT_ABSENT) | (passed && ask_format) * SELECT_UNMET);
}

/*
 * Restricts ids. The classes of stacks decide: a stack that is wanted keeps all other classes,
 * since the events before it decide.
 */
void read_select_only(struct select_input *in, const uint8_t wanted[FILE_ID_COUNT / 8],
		      bool ask_format)
{
	uint8_t all = 0, unknown[8], unwanted[8];

	for (size_t id = 0; id < FILE_ID_COUNT; id++) {
		if (!wanted[id / 8])
			id += 7;
		else
			all |= wanted[id / 8] >> id % 8 & 1 ? in->classes[id] : 0;
	}
	memset(unknown, in->unknown, sizeof(unknown));
	memset(unwanted, unwanted_class(in->unknown, all & SELECT_STACK, ask_format),
	       sizeof(unwanted));
	for (size_t i = 0; i < FILE_ID_COUNT / 8; i++) {
		uint8_t *classes = in->classes + 8 * i;

		if (wanted[i] == UINT8_MAX)
			continue;
		/* Most ids have no format: eight of them at once. */
		if (!wanted[i] && !memcmp(classes, unknown, sizeof(unknown))) {
			memcpy(classes, unwanted, sizeof(unwanted));
			continue;
		}
		for (size_t k = 0; k < 8; k++)
			if (!(wanted[i] >> k & 1))
				classes[k] =
					unwanted_class(classes[k], all & SELECT_STACK, ask_format);
	}
	if (all & SELECT_STACK)
		return;
	in->unknown = SELECT_ABSENT;
	in->owned = false;
}
