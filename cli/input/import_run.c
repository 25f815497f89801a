/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "input/import_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"

static enum tdat_status watch_info(void *ctx, const struct tdat_emit_info *info,
				   struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->info(w->next->ctx, info, err);
}

static enum tdat_status watch_buffer(void *ctx, const char *name, const char *clock,
				     uint32_t *number, struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->buffer(w->next->ctx, name, clock, number, err);
}

static enum tdat_status watch_format(void *ctx, const char *system, const char *text, size_t len,
				     uint16_t *id, struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->format(w->next->ctx, system, text, len, id, err);
}

static enum tdat_status watch_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->comm(w->next->ctx, pid, comm, err);
}

static enum tdat_status watch_kallsyms(void *ctx, const char *text, size_t len,
				       struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->kallsyms(w->next->ctx, text, len, err);
}

static enum tdat_status watch_printk(void *ctx, const char *text, size_t len,
				     struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->printk(w->next->ctx, text, len, err);
}

static enum tdat_status watch_option(void *ctx, uint16_t id, const void *data, size_t len,
				     struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->option(w->next->ctx, id, data, len, err);
}

static enum tdat_status note_cpu(struct cli_watch *w, uint32_t cpu, struct tdat_error *err)
{
	if (cpu >= w->cpu_room) {
		size_t room = (size_t)cpu + 64;
		uint8_t *grown = realloc(w->cpu_seen, room);

		if (!grown)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory to count CPU %" PRIu32, cpu);
		memset(grown + w->cpu_room, 0, room - w->cpu_room);
		w->cpu_seen = grown;
		w->cpu_room = room;
	}
	w->cpu_count += !w->cpu_seen[cpu];
	w->cpu_seen[cpu] = 1;
	return TDAT_OK;
}

static enum tdat_status watch_event(void *ctx, const struct tdat_emit_event *event,
				    struct tdat_error *err)
{
	struct cli_watch *w = ctx;
	enum tdat_status st = w->next->ops->event(w->next->ctx, event, err);

	if (st == TDAT_OK && (event->cpu >= w->cpu_room || !w->cpu_seen[event->cpu]))
		st = note_cpu(w, event->cpu, err);
	if (st == TDAT_OK && !(++w->events % 4096))
		cli_progress_update(&w->progress, w->events, 0, "events");
	return st;
}

static enum tdat_status watch_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				    size_t len, struct tdat_error *err)
{
	struct cli_watch *w = ctx;
	enum tdat_status st = w->next->ops->pages(w->next->ctx, buffer, cpu, data, len, err);

	return st == TDAT_OK ? note_cpu(w, cpu, err) : st;
}

/* Whether a sentence says itself "at 48" or "offset 48". */
static bool tells_place(const char *sentence, uint64_t off)
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

/* The writer hears of an importer's doubts, and has its own: it tells both to tell_doubt. */
static enum tdat_status watch_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				   struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->warn(w->next->ctx, input, off, sentence, err);
}

static enum tdat_status tell_doubt(void *ctx, const char *input, uint64_t off, const char *sentence,
				   struct tdat_error *err)
{
	struct cli_watch *w = ctx;
	const char *path = cli_inputs_path(w->inputs, input);

	w->warnings++;
	cli_progress_clear(&w->progress);
	if (off == TDAT_NO_OFFSET || tells_place(sentence, off))
		cli_error(path, "%s", sentence);
	else
		cli_error(path, "offset %" PRIu64 ": %s", off, sentence);
	if (w->strict)
		return tdat_error_set(err, TDAT_E_CANCELLED, off,
				      "stopped at the first doubt, as --strict asks");
	return TDAT_OK;
}

static enum tdat_status watch_fact(void *ctx, const char *key, const char *value,
				   struct tdat_error *err)
{
	struct cli_watch *w = ctx;
	size_t used = strlen(w->facts);

	snprintf(w->facts + used, sizeof(w->facts) - used, "%s%s %s", used ? ", " : "", key, value);
	if (!w->next->ops->fact)
		return TDAT_OK;
	return w->next->ops->fact(w->next->ctx, key, value, err);
}

static enum tdat_status watch_latency(void *ctx, uint32_t buffer, const char *text, size_t len,
				      struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->latency(w->next->ctx, buffer, text, len, err);
}

static enum tdat_status watch_subbuf(void *ctx, uint32_t buffer, uint32_t page_size,
				     struct tdat_error *err)
{
	struct cli_watch *w = ctx;

	return w->next->ops->subbuf(w->next->ctx, buffer, page_size, err);
}

static const struct tdat_emit_ops watch_ops = {
	.info = watch_info,
	.buffer = watch_buffer,
	.format = watch_format,
	.comm = watch_comm,
	.kallsyms = watch_kallsyms,
	.printk = watch_printk,
	.option = watch_option,
	.event = watch_event,
	.pages = watch_pages,
	.warn = watch_warn,
	.fact = watch_fact,
	.latency = watch_latency,
	.subbuf = watch_subbuf,
};

static void watch_init(struct cli_watch *w, const struct tdat_emit *next,
		       const struct cli_inputs *inputs, bool strict)
{
	memset(w, 0, sizeof(*w));
	w->ops = watch_ops;
	if (!next->ops->latency)
		w->ops.latency = NULL;
	if (!next->ops->subbuf)
		w->ops.subbuf = NULL;
	w->emit.ops = &w->ops;
	w->emit.ctx = w;
	w->next = next;
	w->inputs = inputs;
	w->strict = strict;
	cli_progress_init(&w->progress, "converting");
}

void cli_watch_fini(struct cli_watch *w)
{
	cli_progress_clear(&w->progress);
	free(w->cpu_seen);
	w->cpu_seen = NULL;
}

int cli_watch_import(struct cli_watch *w, const struct tdat_importer *importer,
		     const struct tdat_import_request *request, const struct cli_inputs *in,
		     struct tdat_writer *writer, bool *done)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	watch_init(w, tdat_writer_emit(writer), in, request->strict);
	tdat_writer_on_warn(writer, tell_doubt, w);
	st = importer->run(request, &w->emit, &err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(writer, &err);
	cli_progress_clear(&w->progress);
	*done = st == TDAT_OK;
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	return w->warnings ? CLI_FAILED : CLI_OK;
}
