/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs an importer into a writer, and counts and reports what passes between them. */
#include "input/import_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "terminal/message.h"

static enum tdat_status pass_info(void *ctx, const struct tdat_emit_info *info,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->info(im->next->ctx, info, err);
}

static enum tdat_status pass_buffer(void *ctx, const char *name, const char *clock,
				    uint32_t *number, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->buffer(im->next->ctx, name, clock, number, err);
}

static enum tdat_status pass_format(void *ctx, const char *system, const char *text, size_t len,
				    uint16_t *id, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->format(im->next->ctx, system, text, len, id, err);
}

static enum tdat_status pass_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->comm(im->next->ctx, pid, comm, err);
}

static enum tdat_status pass_kallsyms(void *ctx, const char *text, size_t len,
				      struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->kallsyms(im->next->ctx, text, len, err);
}

static enum tdat_status pass_printk(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->printk(im->next->ctx, text, len, err);
}

static enum tdat_status pass_option(void *ctx, uint16_t id, const void *data, size_t len,
				    struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->option(im->next->ctx, id, data, len, err);
}

static enum tdat_status note_cpu(struct cli_import *im, uint32_t cpu, struct tdat_error *err)
{
	if (cpu >= im->cpu_room) {
		size_t before = im->cpu_room;
		uint8_t *grown = tdat_grown(im->cpu_seen, &im->cpu_room, (size_t)cpu + 1, 1);

		if (!grown)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory to count CPU %" PRIu32, cpu);
		memset(grown + before, 0, im->cpu_room - before);
		im->cpu_seen = grown;
	}
	im->cpu_count += !im->cpu_seen[cpu];
	im->cpu_seen[cpu] = 1;
	return TDAT_OK;
}

static enum tdat_status pass_event(void *ctx, const struct tdat_emit_event *event,
				   struct tdat_error *err)
{
	struct cli_import *im = ctx;
	enum tdat_status st = im->next->ops->event(im->next->ctx, event, err);

	if (st == TDAT_OK && (event->cpu >= im->cpu_room || !im->cpu_seen[event->cpu]))
		st = note_cpu(im, event->cpu, err);
	if (st == TDAT_OK && !(++im->events % 4096))
		cli_progress_update(&im->progress, im->events, 0, "events");
	return st;
}

static enum tdat_status pass_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				   size_t len, struct tdat_error *err)
{
	struct cli_import *im = ctx;
	enum tdat_status st = im->next->ops->pages(im->next->ctx, buffer, cpu, data, len, err);

	return st == TDAT_OK ? note_cpu(im, cpu, err) : st;
}

/* Whether a sentence itself says "at 48" or "offset 48". */
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
 * Importers give their warnings to the writer, which has warnings of its own: the
 * writer calls report_warning for both.
 */
static enum tdat_status pass_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->warn(im->next->ctx, input, off, sentence, err);
}

static enum tdat_status report_warning(void *ctx, const char *input, uint64_t off,
				       const char *sentence, struct tdat_error *err)
{
	struct cli_import *im = ctx;
	const char *path = cli_inputs_path(im->inputs, input);

	im->warnings++;
	cli_progress_clear(&im->progress);
	if (off == TDAT_NO_OFFSET || names_offset(sentence, off))
		cli_error(path, "%s", sentence);
	else
		cli_error(path, "offset %" PRIu64 ": %s", off, sentence);
	if (im->strict)
		return tdat_error_set(err, TDAT_E_CANCELLED, off,
				      "stopped at the first doubt, as --strict asks");
	return TDAT_OK;
}

static enum tdat_status pass_fact(void *ctx, const char *key, const char *value,
				  struct tdat_error *err)
{
	struct cli_import *im = ctx;
	size_t used = strlen(im->facts);

	snprintf(im->facts + used, sizeof(im->facts) - used, "%s%s %s", used ? ", " : "", key,
		 value);
	if (!im->next->ops->fact)
		return TDAT_OK;
	return im->next->ops->fact(im->next->ctx, key, value, err);
}

static enum tdat_status pass_latency(void *ctx, uint32_t buffer, const char *text, size_t len,
				     struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->latency(im->next->ctx, buffer, text, len, err);
}

static enum tdat_status pass_subbuf(void *ctx, uint32_t buffer, uint32_t page_size,
				    struct tdat_error *err)
{
	struct cli_import *im = ctx;

	return im->next->ops->subbuf(im->next->ctx, buffer, page_size, err);
}

static const struct tdat_emit_ops pass_ops = {
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
	.fact = pass_fact,
	.latency = pass_latency,
	.subbuf = pass_subbuf,
};

static void import_init(struct cli_import *im, const struct tdat_emit *next,
			const struct cli_inputs *inputs, bool strict)
{
	memset(im, 0, sizeof(*im));
	im->ops = pass_ops;
	if (!next->ops->latency)
		im->ops.latency = NULL;
	if (!next->ops->subbuf)
		im->ops.subbuf = NULL;
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
	free(im->cpu_seen);
	im->cpu_seen = NULL;
}

int cli_import_run(struct cli_import *im, const struct tdat_importer *importer,
		   const struct tdat_import_request *request, const struct cli_inputs *in,
		   struct tdat_writer *writer, bool *done)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;

	import_init(im, tdat_writer_emit(writer), in, request->strict);
	tdat_writer_on_warn(writer, report_warning, im);
	st = importer->run(request, &im->emit, &err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(writer, &err);
	cli_progress_clear(&im->progress);
	*done = st == TDAT_OK;
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	return im->warnings ? CLI_FAILED : CLI_OK;
}
