/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives events, in the order of output, names of tasks and what plugins remember between lines.
 * The order matters: as trace-cmd does, names are learned from the events printed so far.
 */
#include "core/search.h"
#include "iter.h"
#include "names.h"

/* The type of an event that state is learned from; NULL: none. */
static struct plugin_event *plugin_event_of(struct input_state *in, uint32_t id)
{
	size_t i;

	TDAT_SEARCH(i, in->event_count, in->events[i].id < id);
	return i < in->event_count && in->events[i].id == id ? &in->events[i] : NULL;
}

/* Learns names and call depth. Symbols are read only when the first function comes. */
static void learn_from(struct tdat_iter *it, struct input_state *in, struct plugin_event *pe,
		       struct tdat_event *ev)
{
	if (pe->learn.pair_count)
		learned_tasks_record(&in->learn, &pe->learn, ev->record, it->serial);
	if (!pe->func.has_depth)
		return;
	if (!in->symbols)
		in->symbols = file_symbols(in->file);
	if (in->symbols)
		ev->depth =
			func_stack_record(&it->stack, &pe->func, in->symbols, ev->cpu, ev->record);
}

/* Most events are of tasks that were named lately. */
static struct tdat_span find_name(struct input_state *in, int32_t pid, uint64_t serial, bool learns)
{
	struct cached_name *k = &in->known[(uint32_t)pid % CACHED_NAMES];

	if (k->comm.ptr && k->pid == pid && k->learned == in->learn.map.count)
		return k->comm;
	k->comm = learns ? learned_tasks_find(&in->learn, pid, serial) : read_name(in->file, pid);
	k->pid = pid;
	k->learned = in->learn.map.count;
	return k->comm;
}

/* True if events may be named after filling: no filter tests them in the order of output. */
bool read_iter_can_name_later(const struct tdat_iter *it)
{
	size_t i;

	for (i = 0; i < it->queue_count; i++)
		if (it->queues[i].select && !it->queues[i].early)
			return false;
	return true;
}

/* Names the event as of its place in the output: serial orders what was learned. */
static inline void name_event(struct tdat_iter *it, struct tdat_event *ev)
{
	struct input_state *in = &it->inputs[ev->input];

	if (ev->pid && !in->learn.started)
		learned_tasks_start(&in->learn);
	ev->comm = (struct tdat_span){NULL, 0};
	if (in->moments.count && !it->opts.trace_cmd)
		ev->comm = read_moments_find(&in->moments, ev->pid, ev->ts - in->shift);
	if (!ev->comm.ptr)
		ev->comm = find_name(in, ev->pid, it->serial, it->opts.trace_cmd);
	if (it->opts.plugin_state && in->maybe[ev->id & 255]) {
		struct plugin_event *pe = plugin_event_of(in, ev->id);

		if (pe)
			learn_from(it, in, pe, ev);
	}
	it->serial++;
}

void read_iter_name(struct tdat_iter *it, struct tdat_event *ev)
{
	name_event(it, ev);
}

void read_iter_name_some(struct tdat_iter *it, struct tdat_event *events, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		name_event(it, &events[i]);
}
