/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the events of single CPUs, each from a thread of its own. Importers with a file for
 * each CPU use it: one thread fills one CPU, and only the spool is shared, under its lock.
 * Clocks, formats and other CPUs are the writer's own emit. Counts are added up in the end.
 */
#include "cpu_emit.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "core/grow.h"
#include "state.h"

/* Events of a CPU between two calls of the function of tdat_writer_on_events. */
enum { CPU_STEP = 1 << 16 };

/* The tdat_emit of one CPU: the ctx of its functions. */
struct write_cpu_emit {
	struct tdat_emit emit;
	struct tdat_writer *writer;
	/* The spool is one of WRITE_CPU_SPOOLS; the list of open pages is this thread's own. */
	struct write_store store;
	struct write_stream *stream;
	uint32_t buffer;
	bool broken; /* by a failure, which the thread that filled it was told */
	uint64_t event_count;
};

/* Names the check that failed. Apart from cpu_emit_event(), which is called for each event. */
static enum tdat_status wrong_event(const struct write_cpu_emit *cpu_emit,
				    const struct tdat_emit_event *event, struct tdat_error *err)
{
	if (event->record.len < 2)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "an event of %zu bytes is too short for its type",
				      event->record.len);
	return tdat_error_set(
		err, TDAT_E_USAGE, TDAT_NO_OFFSET,
		"this emit belongs to CPU %u in buffer %u, not to CPU %u in buffer %u",
		cpu_emit->stream->cpu, cpu_emit->buffer, event->cpu, event->buffer);
}

/* Several threads count. */
static void tell_events(struct tdat_writer *w)
{
	const uint64_t events = atomic_fetch_add(&w->cpu_emit_events, CPU_STEP) + CPU_STEP;

	if (w->events)
		w->events(w->events_ctx, events, 0);
}

/* One event, on the thread of the CPU. Nothing is locked until a page is full. */
static enum tdat_status cpu_emit_event(void *ctx, const struct tdat_emit_event *event,
				       struct tdat_error *err)
{
	struct write_cpu_emit *cpu_emit = ctx;
	enum tdat_status st;

	if (event->record.len < 2 || event->cpu != cpu_emit->stream->cpu ||
	    event->buffer != cpu_emit->buffer)
		return wrong_event(cpu_emit, event, err);
	st = write_stream_event(&cpu_emit->store, cpu_emit->stream, event->ts, event->lost_before,
				event->record, err);
	/* Wrong usage leaves the stream whole; other failures may have lost events. */
	if (st != TDAT_OK)
		cpu_emit->broken |= st != TDAT_E_USAGE;
	else if (!(++cpu_emit->event_count % CPU_STEP))
		tell_events(cpu_emit->writer);
	return st;
}

static enum tdat_status cpu_emit_events(void *ctx, const struct tdat_emit_event *events,
					size_t count, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		st = cpu_emit_event(ctx, &events[i], err);
	return st;
}

/* The importer has no further events of the CPU: its memory is freed at once. */
static enum tdat_status cpu_end(void *ctx, struct tdat_error *err)
{
	struct write_cpu_emit *cpu_emit = ctx;
	enum tdat_status st = write_stream_flush(&cpu_emit->store, cpu_emit->stream, err);

	cpu_emit->broken = cpu_emit->broken || st != TDAT_OK;
	return st;
}

static const struct tdat_emit_ops cpu_emit_ops = {
	.size = sizeof(struct tdat_emit_ops),
	.event = cpu_emit_event,
	.cpu_end = cpu_end,
	.events = cpu_emit_events,
};

/* Called by the writer's thread, before the thread that uses the result begins. */
enum tdat_status write_cpu_emit_new(struct tdat_writer *w, struct write_stream *s, uint32_t buffer,
				    const struct tdat_emit **out, struct tdat_error *err)
{
	struct write_spool *spool = &w->cpu_spools[w->cpu_emit_count % WRITE_CPU_SPOOLS];
	struct write_cpu_emit *cpu_emit;
	enum tdat_status st;

	/* Earlier events of the CPU would lie in the writer's spool, and a stream has one spool. */
	if (write_stream_has_data(s))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "CPU %u already has events, so it cannot get its own emit",
				      s->cpu);
	/* Threads only read the descriptor. */
	st = write_spool_open(spool, err);
	if (st != TDAT_OK)
		return st;
	if (!TDAT_GROW(w->cpu_emits, &w->cpu_emit_cap, w->cpu_emit_count + 1))
		return tdat_error_no_memory(err, "what is written");
	cpu_emit = calloc(1, sizeof(*cpu_emit));
	if (!cpu_emit)
		return tdat_error_no_memory(err, "what is written");
	w->cpu_emits[w->cpu_emit_count++] = cpu_emit;
	cpu_emit->emit = (struct tdat_emit){&cpu_emit_ops, cpu_emit};
	cpu_emit->writer = w;
	cpu_emit->store.spool = spool;
	cpu_emit->store.packer = w->packer;
	cpu_emit->stream = s;
	cpu_emit->buffer = buffer;
	s->cpu_emit = true;
	*out = &cpu_emit->emit;
	return TDAT_OK;
}

enum tdat_status write_cpu_emits_end(struct tdat_writer *w, struct tdat_error *err)
{
	for (size_t i = 0; i < w->cpu_emit_count; i++) {
		struct write_cpu_emit *cpu_emit = w->cpu_emits[i];
		enum tdat_status st;

		/* The importer has seen the failure, but may have ended without returning it. */
		if (cpu_emit->broken)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "events of CPU %u could not be written",
					      cpu_emit->stream->cpu);
		st = write_stream_flush(&cpu_emit->store, cpu_emit->stream, err);
		if (st != TDAT_OK)
			return st;
		w->event_count += cpu_emit->event_count;
	}
	return TDAT_OK;
}

void write_cpu_emits_free(struct tdat_writer *w)
{
	for (size_t i = 0; i < w->cpu_emit_count; i++)
		free(w->cpu_emits[i]);
	free(w->cpu_emits);
}
