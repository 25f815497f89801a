/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts who uses opened files, and keeps what was found in them. A struct ext_trace is
 * counted, because streams live on after the Trace object is gone and may be released without
 * the GIL. Findings are kept under its lock.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/* Relaxed order is enough: who takes a reference holds one already. */
struct ext_trace *ext_trace_get(struct ext_trace *t)
{
	__atomic_add_fetch(&t->references, 1, __ATOMIC_RELAXED);
	return t;
}

/*
 * Frees the files with the last reference. Needs no GIL, as Arrow consumers release streams from
 * any thread.
 */
void ext_trace_put(struct ext_trace *t)
{
	if (!t || __atomic_sub_fetch(&t->references, 1, __ATOMIC_ACQ_REL))
		return;
	tdat_trace_free(t->trace);
	for (size_t i = 0; i < t->input_count; i++)
		tdat_file_close(t->inputs[i].file);
	pthread_mutex_destroy(&t->lock);
	free(t->inputs);
	free(t->findings);
	free(t->notes);
	free(t);
}

/*
 * A linear search: EXT_FINDINGS bounds the list, and sound files have no finding at all. Streams
 * that read the same pages again find the same damage.
 */
static bool is_known(const struct ext_trace *t, const struct ext_finding *f)
{
	for (size_t i = 0; i < t->finding_count; i++)
		if (t->findings[i].input == f->input && t->findings[i].off == f->off &&
		    !strcmp(t->findings[i].message, f->message))
			return true;
	return false;
}

void ext_trace_find(struct ext_trace *t, size_t input, uint64_t off, const char *message)
{
	struct ext_finding f = {.input = (uint32_t)input, .off = off};

	snprintf(f.message, sizeof(f.message), "%s", message);
	/*
	 * One entry beyond EXT_FINDINGS is allowed: the sentence that says that the list is not
	 * complete.
	 */
	if (t->finding_count > EXT_FINDINGS || is_known(t, &f))
		return;
	if (t->finding_count == EXT_FINDINGS)
		f = (struct ext_finding){.off = TDAT_NO_OFFSET,
					 .message = "more damage, which was not stored"};
	if (!TDAT_GROW(t->findings, &t->finding_room, t->finding_count + 1))
		return;
	t->findings[t->finding_count++] = f;
}

enum tdat_status ext_trace_damage(struct ext_trace *t, const struct tdat_stream_damage *damage,
				  size_t count, struct tdat_error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct tdat_file *file = t->inputs[damage[i].input].file;
		struct tdat_error e = TDAT_ERROR_INIT;
		size_t buffers;
		const struct tdat_buffer *b = &tdat_file_buffers(file, &buffers)[damage[i].buffer];

		/* The texts are cut to lengths whose sum fits into a finding's message. */
		tdat_error_set(&e, TDAT_E_DAMAGED, damage[i].off,
			       "%.200s: CPU %u%s%.40s: %llu damaged pages; the first at offset "
			       "%llu: %.200s",
			       tdat_file_info(file)->name, damage[i].cpu, *b->name ? " of " : "",
			       b->name, (unsigned long long)damage[i].bad_pages,
			       (unsigned long long)damage[i].off, damage[i].message);
		/* A strict caller gets the sentence of the first entry. */
		if (!i)
			*err = e;
		pthread_mutex_lock(&t->lock);
		ext_trace_find(t, damage[i].input, damage[i].off, e.message);
		pthread_mutex_unlock(&t->lock);
	}
	return count && t->strict ? TDAT_E_DAMAGED : TDAT_OK;
}

enum tdat_status ext_trace_undescribed(struct ext_trace *t, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	/* Each file reports the first event type that was met and has no sound format. */
	for (size_t i = 0; i < t->input_count; i++) {
		struct tdat_error first = TDAT_ERROR_INIT, e = TDAT_ERROR_INIT;

		if (!tdat_file_undescribed(t->inputs[i].file, &first))
			continue;
		tdat_error_set(&e, TDAT_E_DAMAGED, first.off, "%.200s: %.300s",
			       tdat_file_info(t->inputs[i].file)->name, first.message);
		if (st == TDAT_OK && t->strict)
			*err = e;
		st = t->strict ? TDAT_E_DAMAGED : TDAT_OK;
		pthread_mutex_lock(&t->lock);
		ext_trace_find(t, i, first.off, e.message);
		pthread_mutex_unlock(&t->lock);
	}
	return st;
}

void ext_watch_damage(void *watch, const struct tdat_stream_damage *damage, size_t count)
{
	struct ext_watch *w = watch;
	struct tdat_error err = TDAT_ERROR_INIT;

	/* Without strict the damage is only kept in the trace, and reading continues. */
	if (ext_trace_damage(w->trace, damage, count, &err))
		w->damage = err;
}

/*
 * A table that is read twice reports the same notes again: the newer count replaces the older one.
 */
void ext_watch_note(void *watch, const struct tdat_table *table, const char *what, uint64_t count)
{
	struct ext_trace *t = ((struct ext_watch *)watch)->trace;
	size_t i = 0;

	pthread_mutex_lock(&t->lock);
	while (i < t->note_count &&
	       (t->notes[i].table != table || strcmp(t->notes[i].what, what) != 0))
		i++;
	if (i == t->note_count && TDAT_GROW(t->notes, &t->note_room, i + 1)) {
		t->notes[i] = (struct ext_note){.table = table};
		snprintf(t->notes[i].what, sizeof(t->notes[i].what), "%s", what);
		t->note_count++;
	}
	if (i < t->note_count)
		t->notes[i].count = count;
	pthread_mutex_unlock(&t->lock);
}

struct ext_trace *ext_trace_of(PyObject *self)
{
	struct ext_trace_object *o = (struct ext_trace_object *)self;

	if (!o->trace)
		PyErr_SetString(PyExc_ValueError, "the trace is closed");
	return o->trace ? ext_trace_get(o->trace) : NULL;
}

PyObject *ext_module_of(PyObject *self)
{
	return ((struct ext_trace_object *)self)->module;
}
