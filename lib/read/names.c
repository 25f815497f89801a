/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the names of tasks that events of the kernel say: each of these event types has fields for
 * a pid and its name. No bytes that programs write count: a user_event is of another system, and a
 * name is taken from these fields alone.
 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "core/text.h"
#include "take.h"

/* The kernel's names: TASK_COMM_LEN without the NUL. */
enum { COMM_MOST = 15 };

/* The types, each once for each pair of fields. */
static const struct kind {
	const char *system, *event, *pid, *comm;
	bool path; /* of the program that the task runs from now on: its last part is the name */
} kinds[] = {
	{"sched", "sched_switch", "prev_pid", "prev_comm", false},
	{"sched", "sched_switch", "next_pid", "next_comm", false},
	{"sched", "sched_waking", "pid", "comm", false},
	{"sched", "sched_wakeup", "pid", "comm", false},
	{"sched", "sched_wakeup_new", "pid", "comm", false},
	{"sched", "sched_process_fork", "parent_pid", "parent_comm", false},
	{"sched", "sched_process_fork", "child_pid", "child_comm", false},
	{"sched", "sched_process_exec", "pid", "filename", true},
	{"task", "task_newtask", "pid", "comm", false},
	{"task", "task_rename", "pid", "newcomm", false},
};

/* A format that says names, and the two fields that say it. */
struct teller {
	uint32_t id, order;
	const struct tdat_event_format *format;
	const struct tdat_field *pid, *comm;
	bool path;
};

/* The formats of a file that say names, and bits of their ids for the iterator. */
struct tellers {
	struct teller *list; /* by id, then in the order of kinds */
	size_t count, cap;
	uint8_t ids[FILE_ID_COUNT / 8];
};

/*
 * Adds a format that has both fields. If formats share an id, only the one that reads the file's
 * events counts. False: no memory.
 */
static bool add_teller(struct tellers *t, const struct tdat_file *file, const struct kind *k,
		       const struct tdat_event_format *format)
{
	const struct tdat_field *pid = tdat_event_format_field(format, k->pid);
	const struct tdat_field *comm = tdat_event_format_field(format, k->comm);
	const uint32_t id = tdat_event_format_id(format);
	bool known;

	if (!pid || !comm || id >= FILE_ID_COUNT || file_format_quiet(file, id, &known) != format)
		return true;
	if (!TDAT_GROW(t->list, &t->cap, t->count + 1))
		return false;
	t->list[t->count] = (struct teller){id, (uint32_t)t->count, format, pid, comm, k->path};
	t->count++;
	t->ids[id / 8] |= (uint8_t)(1u << id % 8);
	return true;
}

static int by_id(const void *a, const void *b)
{
	const struct teller *x = a, *y = b;

	return TDAT_ORDER(x->id, y->id, TDAT_ORDER(x->order, y->order, 0));
}

/* Lists the tellers of a file in the order of ids. False: no memory. */
static bool find_tellers(struct tellers *t, const struct tdat_file *file)
{
	bool ok = true;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct tdat_event_format *format;
		size_t at = 0;

		while (ok &&
		       (format = file_format_next(file, kinds[i].system, kinds[i].event, &at)))
			ok = add_teller(t, file, &kinds[i], format);
	}
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), by_id);
	return ok;
}

/* The name that exec gives a task: the last part of the path, cut as the kernel cuts it. */
static struct tdat_span last_part(struct tdat_span path)
{
	size_t at = path.len;

	while (at && path.ptr[at - 1] != '/')
		at--;
	path = tdat_span_from(path, at);
	if (path.len > COMM_MOST)
		path.len = COMM_MOST;
	return path;
}

/*
 * Reports the name that an event says. Pid 0 and empty names are skipped: the idle task is named
 * by the library. False: no memory, from fn.
 */
static bool tell(const struct teller *t, const struct tdat_event *ev, const struct tdat_file *file,
		 read_told_fn fn, void *ctx)
{
	struct read_told told = {.ts = ev->ts, .format = t->format};
	uint64_t pid;

	if (tdat_field_u64(t->pid, ev->record, &pid, NULL) != TDAT_OK ||
	    tdat_field_string(t->comm, ev->record, &told.comm, NULL) != TDAT_OK)
		return true;
	if (t->path)
		told.comm = last_part(told.comm);
	if (file_name_long(file, told.comm.len))
		told.comm.len = file_name_max(file);
	told.pid = (int32_t)(uint32_t)pid;
	return !told.pid || !told.comm.len || fn(ctx, &told);
}

/* sched_switch has two names: all tellers of an id are asked. */
static enum tdat_status read_tellers(struct tdat_iter *it, const struct tellers *t,
				     const struct tdat_file *file, read_told_fn fn, void *ctx,
				     struct tdat_error *err)
{
	enum tdat_status st;
	struct tdat_event ev;
	bool more;
	size_t i;

	while ((st = read_iter_take(it, &ev, &more, err)) == TDAT_OK && more) {
		TDAT_SEARCH(i, t->count, t->list[i].id < ev.id);
		for (; i < t->count && t->list[i].id == ev.id; i++)
			if (!tell(&t->list[i], &ev, file, fn, ctx))
				return tdat_error_no_memory(err, "names of tasks");
	}
	return st;
}

/*
 * Reads the events that say names, in merged order, and calls fn for each name. opts NULL:
 * defaults.
 */
enum tdat_status read_names_told(const struct tdat_iter_input *in,
				 const struct tdat_iter_opts *opts, read_told_fn fn, void *ctx,
				 struct tdat_error *err)
{
	struct tellers *t = calloc(1, sizeof(*t));
	const uint8_t *ids = t ? t->ids : NULL;
	const struct read_iter_extra extra = {.ids = &ids};
	struct tdat_iter *it = NULL;
	enum tdat_status st = TDAT_OK;

	if (!t || !find_tellers(t, in->file))
		st = tdat_error_no_memory(err, "names of tasks");
	if (st == TDAT_OK && t->count)
		st = read_iter_new(&it, in, 1, opts, &extra, err);
	if (st == TDAT_OK && it)
		st = read_tellers(it, t, in->file, fn, ctx, err);
	tdat_iter_free(it);
	free(t ? t->list : NULL);
	free(t);
	return st;
}

/* Names of make_names(): those that were saved, and with them those that only events say. */
struct told_names {
	const struct model_tasks *saved;
	struct model_tasks *all; /* NULL: no event said one that was not saved */
};

/* A saved name is kept; without one the last name that an event says counts. */
static bool note_name(void *ctx, const struct read_told *told)
{
	struct told_names *n = ctx;

	if (model_tasks_known(n->saved, told->pid).ptr)
		return true;
	if (!n->all)
		n->all = model_tasks_copy(n->saved);
	return n->all && model_tasks_set(n->all, told->pid, told->comm);
}

/* Where not all can be read, the names are those that were read, and names_err says why. */
static void make_names(struct tdat_file *f, const struct model_tasks *saved)
{
	const struct tdat_iter_input in = {.file = f};
	struct told_names n = {saved, NULL};
	struct tdat_error *err = &f->names_err;

	if (!saved)
		tdat_error_no_memory(err, "names of tasks");
	else if (read_names_told(&in, NULL, note_name, &n, err) != TDAT_OK)
		tdat_error_prefix(err, "names of tasks");
	if (n.all && !model_tasks_sort(n.all)) {
		tdat_error_no_memory(err, "names of tasks");
		model_tasks_free(n.all);
		n.all = NULL;
	}
	atomic_store(&f->names, n.all);
	atomic_store(&f->named, true);
}

/*
 * Returns the names of a file, made at the first call: the saved ones themselves unless an event
 * says another. Making them reads all events that say names. NULL: no memory.
 */
const struct model_tasks *read_names(const struct tdat_file *file)
{
	struct tdat_file *f = file_mutable(file);
	const struct model_tasks *saved = file_tasks(file), *names;

	/* The second check is under the lock: another thread may have made them meanwhile. */
	if (!atomic_load(&f->named)) {
		pthread_mutex_lock(&f->names_lock);
		if (!atomic_load(&f->named))
			make_names(f, saved);
		pthread_mutex_unlock(&f->names_lock);
	}
	names = atomic_load(&f->names);
	return names ? names : saved;
}

/* Returns the name that all output uses for a pid. A saved name needs no reading of events. */
struct tdat_span read_name(const struct tdat_file *file, int32_t pid)
{
	const struct model_tasks *saved = file_tasks(file);

	if (!pid || model_tasks_known(saved, pid).ptr)
		return model_tasks_find(saved, pid);
	return model_tasks_find(read_names(file), pid);
}

/* Returns the failure of making the names, for callers whose look-ups have no status. */
enum tdat_status read_names_status(const struct tdat_file *file, struct tdat_error *err)
{
	const struct tdat_file *f = file;

	if (!atomic_load(&file_mutable(file)->named) || f->names_err.status == TDAT_OK)
		return TDAT_OK;
	if (err)
		*err = f->names_err;
	return f->names_err.status;
}

struct tdat_span tdat_file_comm(const struct tdat_file *file, int32_t pid)
{
	struct tdat_span comm = model_tasks_known(file_tasks(file), pid);

	return comm.ptr || !pid ? comm : model_tasks_known(read_names(file), pid);
}

/* Lists the named tasks by index, in order of pid; false: index is beyond the last. */
bool tdat_file_task(const struct tdat_file *file, size_t index, int32_t *pid,
		    struct tdat_span *comm)
{
	const struct model_tasks *t = read_names(file);

	if (index >= model_tasks_count(t))
		return false;
	*pid = model_tasks_at(t, index, comm);
	return true;
}
