/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an importer into a writer, and counts and reports everything that passes between them. It
 * puts a tdat_emit between importer and writer: each call is passed on and counted. Warnings are
 * printed as they come, with the path that the user gave. A failure ends the import and leaves no
 * file.
 */
#include "input/import_run.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "terminal/message.h"

static enum tdat_status pass_info(void *ctx, const struct tdat_emit_info *info,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_info(im->next, info, err);
}

static enum tdat_status pass_buffer(void *ctx, const char *name, const char *clock,
				    uint32_t *number, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_buffer(im->next, name, clock, number, err);
}

static enum tdat_status pass_format(void *ctx, const char *system, const char *text, size_t len,
				    uint16_t *id, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_format(im->next, system, text, len, id, err);
}

static enum tdat_status pass_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_comm(im->next, pid, comm, err);
}

static enum tdat_status pass_kallsyms(void *ctx, const char *text, size_t len,
				      struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_kallsyms(im->next, text, len, err);
}

static enum tdat_status pass_printk(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_printk(im->next, text, len, err);
}

static enum tdat_status pass_option(void *ctx, uint16_t id, const void *data, size_t len,
				    struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_option(im->next, id, data, len, err);
}

/* Counts the CPUs that have events, for the summary. */
static enum tdat_status note_cpu(struct cli_import *im, uint32_t cpu, struct tdat_error *err)
{
	if (cpu >= im->cpu_room) {
		if (!TDAT_GROW_ZERO(im->cpu_seen, &im->cpu_room, (size_t)cpu + 1))
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory to count CPU %" PRIu32, cpu);
	}
	im->cpu_count += !im->cpu_seen[cpu];
	im->cpu_seen[cpu] = 1;
	return TDAT_OK;
}

/* Counts an event that was passed on. */
static enum tdat_status count_event(struct cli_import *im, const struct tdat_emit_event *event,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	/* Most events come from a CPU that was counted already. */
	if (event->cpu >= im->cpu_room || !im->cpu_seen[event->cpu])
		st = note_cpu(im, event->cpu, err);
	if (st == TDAT_OK && !(++im->events % 4096))
		cli_progress_update(&im->progress, im->events, 0, "events");
	return st;
}

static enum tdat_status pass_event(void *ctx, const struct tdat_emit_event *event,
				   struct tdat_error *err)
{
	struct cli_import *im = ctx;
	enum tdat_status st = tdat_emit_event(im->next, event, err);

	return st == TDAT_OK ? count_event(im, event, err) : st;
}

static enum tdat_status pass_events(void *ctx, const struct tdat_emit_event *events, size_t count,
				    struct tdat_error *err)
{
	struct cli_import *im = ctx;
	enum tdat_status st = tdat_emit_events(im->next, events, count, err);

	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		st = count_event(im, &events[i], err);
	return st;
}

static enum tdat_status pass_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				   size_t len, struct tdat_error *err)
{
	struct cli_import *im = ctx;
	enum tdat_status st = tdat_emit_pages(im->next, buffer, cpu, data, len, err);

	return st == TDAT_OK ? note_cpu(im, cpu, err) : st;
}

/* True if a sentence itself says "at 48" or "offset 48": the offset is then not printed twice. */
static bool names_offset(const char *sentence, uint64_t off)
{
	static const char *const before[] = {"at ", "offset "};
	char number[24];
	size_t len = (size_t)snprintf(number, sizeof(number), "%" PRIu64, off);

	for (const char *p = strstr(sentence, number); p; p = strstr(p + 1, number)) {
		if (p[len] >= '0' && p[len] <= '9')
			continue;
		for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
			size_t n = strlen(before[i]);

			if ((size_t)(p - sentence) >= n && !strncmp(p - n, before[i], n))
				return true;
		}
	}
	return false;
}

/*
 * Passes a warning of the importer to the writer, which has warnings of its own. The writer calls
 * report_warning for both, so they are counted once and come in order.
 */
static enum tdat_status pass_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_warn(im->next, input, off, sentence, err);
}

static enum tdat_status pass_note(void *ctx, const char *input, uint64_t off, const char *sentence,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_note(im->next, input, off, sentence, err);
}

/* Importers know inputs by their names; users know the paths. */
static void complain(struct cli_import *im, const char *input, uint64_t off, const char *sentence)
{
	const char *path = cli_inputs_path(im->inputs, input);

	cli_progress_clear(&im->progress);
	if (off == TDAT_NO_OFFSET || names_offset(sentence, off))
		cli_error(path, "%s", sentence);
	else
		cli_error(path, "offset %" PRIu64 ": %s", off, sentence);
}

/* With --strict the first warning ends the import. */
static enum tdat_status report_warning(void *ctx, const char *input, uint64_t off,
				       const char *sentence, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	im->warnings++;
	complain(im, input, off, sentence);
	if (im->strict)
		return tdat_error_set(err, TDAT_E_CANCELLED, off,
				      "stopped at the first doubt, as --strict asks");
	return TDAT_OK;
}

/* Advice: it changes no exit status. */
static enum tdat_status report_note(void *ctx, const char *input, uint64_t off,
				    const char *sentence, struct tdat_error *err)
{
	(void)err;
	complain(ctx, input, off, sentence);
	return TDAT_OK;
}

/* Facts of importers are shown in the summary. */
static enum tdat_status pass_fact(void *ctx, const char *key, const char *value,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;
	size_t used = strlen(im->facts);

	snprintf(im->facts + used, sizeof(im->facts) - used, "%s%s %s", used ? ", " : "", key,
		 value);
	if (!TDAT_HAS(im->next->ops, fact))
		return TDAT_OK;
	return tdat_emit_fact(im->next, key, value, err);
}

static enum tdat_status pass_latency(void *ctx, uint32_t buffer, const char *text, size_t len,
				     struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_latency(im->next, buffer, text, len, err);
}

static enum tdat_status pass_subbuf(void *ctx, uint32_t buffer, uint32_t page_size,
				    struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return tdat_emit_subbuf(im->next, buffer, page_size, err);
}

/* ---- CPUs with an emit of their own: importers fill them on several threads ---- */

enum { CPU_STEP = 1 << 16 }; /* events of a CPU between two looks at the progress line */

struct cli_import_cpu_emit {
	struct tdat_emit emit;
	struct cli_import *import;
	const struct tdat_emit *next;
	uint32_t cpu;
	uint64_t events;
};

/*
 * Adds CPU_STEP events of one CPU. Several threads count; one of them draws the progress line, and
 * the others do not wait for it.
 */
static void show_cpu_emits(struct cli_import *im)
{
	const uint64_t events = atomic_fetch_add(&im->cpu_emit_events, CPU_STEP) + CPU_STEP;

	if (pthread_mutex_trylock(&im->progress_lock))
		return;
	cli_progress_update(&im->progress, events, 0, "events");
	pthread_mutex_unlock(&im->progress_lock);
}

static enum tdat_status cpu_emit_event(void *ctx, const struct tdat_emit_event *event,
				       struct tdat_error *err)
{
	struct cli_import_cpu_emit *cpu_emit = ctx;

	if (!(++cpu_emit->events % CPU_STEP))
		show_cpu_emits(cpu_emit->import);
	return tdat_emit_event(cpu_emit->next, event, err);
}

static enum tdat_status cpu_emit_events(void *ctx, const struct tdat_emit_event *events,
					size_t count, struct tdat_error *err)
{
	struct cli_import_cpu_emit *cpu_emit = ctx;
	const uint64_t steps = cpu_emit->events / CPU_STEP;

	cpu_emit->events += count;
	if (cpu_emit->events / CPU_STEP != steps)
		show_cpu_emits(cpu_emit->import);
	return tdat_emit_events(cpu_emit->next, events, count, err);
}

/* The importer has no further events of this CPU. */
static enum tdat_status cpu_end(void *ctx, struct tdat_error *err)
{
	struct cli_import_cpu_emit *cpu_emit = ctx;

	return tdat_emit_cpu_end(cpu_emit->next, err);
}

static const struct tdat_emit_ops cpu_emit_ops = {.size = sizeof(struct tdat_emit_ops),
						  .event = cpu_emit_event,
						  .cpu_end = cpu_end,
						  .events = cpu_emit_events};
/*
 * A writer that takes no batches gets events one by one, hence an emit must not offer batches
 * either.
 */
static const struct tdat_emit_ops cpu_emit_single_ops = {
	.size = sizeof(struct tdat_emit_ops), .event = cpu_emit_event, .cpu_end = cpu_end};

/* Makes the emit of one CPU. Importers call it from one thread, hence without a lock. */
static enum tdat_status pass_cpu_emit(void *ctx, uint32_t buffer, uint32_t cpu,
				      const struct tdat_emit **out, struct tdat_error *err)
{
	struct cli_import *im = ctx;
	struct cli_import_cpu_emit *cpu_emit = calloc(1, sizeof(*cpu_emit));
	enum tdat_status st;

	if (!cpu_emit || !TDAT_GROW(im->cpu_emits, &im->cpu_emit_cap, im->cpu_emit_count + 1)) {
		free(cpu_emit);
		return tdat_error_no_memory(err, "a CPU");
	}
	im->cpu_emits[im->cpu_emit_count++] = cpu_emit;
	cpu_emit->emit = (struct tdat_emit){&cpu_emit_ops, cpu_emit};
	cpu_emit->import = im;
	cpu_emit->cpu = cpu;
	*out = &cpu_emit->emit;
	st = tdat_emit_cpu_emit(im->next, buffer, cpu, &cpu_emit->next, err);
	if (st == TDAT_OK && !TDAT_HAS(cpu_emit->next->ops, events))
		cpu_emit->emit.ops = &cpu_emit_single_ops;
	return st;
}

/* Adds up the events of all emits of CPUs, once the import is over and their threads have ended. */
static enum tdat_status count_cpu_emits(struct cli_import *im, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < im->cpu_emit_count && st == TDAT_OK; i++) {
		const struct cli_import_cpu_emit *cpu_emit = im->cpu_emits[i];

		im->events += cpu_emit->events;
		if (cpu_emit->events &&
		    (cpu_emit->cpu >= im->cpu_room || !im->cpu_seen[cpu_emit->cpu]))
			st = note_cpu(im, cpu_emit->cpu, err);
	}
	return st;
}

static const struct tdat_emit_ops pass_ops = {
	.size = sizeof(struct tdat_emit_ops),
	.info = pass_info,
	.buffer = pass_buffer,
	.format = pass_format,
	.comm = pass_comm,
	.kallsyms = pass_kallsyms,
	.printk = pass_printk,
	.option = pass_option,
	.event = pass_event,
	.pages = pass_pages,
	.warn = pass_warn,
	.note = pass_note,
	.fact = pass_fact,
	.latency = pass_latency,
	.subbuf = pass_subbuf,
	.cpu_emit = pass_cpu_emit,
	.events = pass_events,
};

/* The emit offers only the calls that the writer has: importers choose their way by them. */
static void import_init(struct cli_import *im, const struct tdat_emit *next,
			const struct cli_inputs *inputs, bool strict)
{
	memset(im, 0, sizeof(*im));
	im->ops = pass_ops;
	if (!TDAT_HAS(next->ops, latency))
		im->ops.latency = NULL;
	if (!TDAT_HAS(next->ops, subbuf))
		im->ops.subbuf = NULL;
	if (!TDAT_HAS(next->ops, cpu_emit))
		im->ops.cpu_emit = NULL;
	if (!TDAT_HAS(next->ops, events))
		im->ops.events = NULL;
	pthread_mutex_init(&im->progress_lock, NULL);
	im->emit.ops = &im->ops;
	im->emit.ctx = im;
	im->next = next;
	im->inputs = inputs;
	im->strict = strict;
	cli_progress_init(&im->progress, "converting");
}

void cli_import_fini(struct cli_import *im)
{
	cli_progress_clear(&im->progress);
	pthread_mutex_destroy(&im->progress_lock);
	for (size_t i = 0; i < im->cpu_emit_count; i++)
		free(im->cpu_emits[i]);
	free(im->cpu_emits);
	free(im->cpu_seen);
	im->cpu_seen = NULL;
}

/*
 * Runs the import and finishes the file. *done: the file is written; the status is CLI_FAILED after
 * warnings nevertheless.
 */
int cli_import_run(struct cli_import *im, const struct tdat_importer *importer,
		   const struct tdat_import_request *request, const struct cli_inputs *in,
		   struct tdat_writer *writer, bool *done)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	import_init(im, tdat_writer_emit(writer), in, request->strict);
	tdat_writer_on_warn(writer, report_warning, im);
	tdat_writer_on_note(writer, report_note, im);
	st = tdat_importer_run(importer, request, &im->emit, &err);
	if (st == TDAT_OK)
		st = count_cpu_emits(im, &err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(writer, &err);
	cli_progress_clear(&im->progress);
	*done = st == TDAT_OK;
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	return im->warnings ? CLI_FAILED : CLI_OK;
}
