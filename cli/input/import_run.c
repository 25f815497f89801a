/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an importer into a writer, and reports what the writer is given on the way: warnings and
 * notes are printed as they come, with the path that the user gave, facts are kept for the
 * summary, and the number of events moves the progress line. A failure ends the import and leaves
 * no file.
 */
#include "input/import_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "terminal/message.h"

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
				      "stopped at the first warning because of --strict");
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
static void keep_fact(void *ctx, const char *key, const char *value)
{
	struct cli_import *im = ctx;
	size_t used = strlen(im->facts);

	snprintf(im->facts + used, sizeof(im->facts) - used, "%s%s %s", used ? ", " : "", key,
		 value);
}

/* Importers fill CPUs on several threads: one of them draws, and the others do not wait for it. */
static void show_events(void *ctx, uint64_t events, uint64_t total)
{
	struct cli_import *im = ctx;

	if (pthread_mutex_trylock(&im->progress_lock))
		return;
	cli_progress_update(&im->progress, events, total, "events");
	pthread_mutex_unlock(&im->progress_lock);
}

static void import_init(struct cli_import *im, struct tdat_writer *writer,
			const struct cli_inputs *inputs, bool strict)
{
	memset(im, 0, sizeof(*im));
	pthread_mutex_init(&im->progress_lock, NULL);
	im->inputs = inputs;
	im->strict = strict;
	cli_progress_init(&im->progress, "converting");
	tdat_writer_on_warn(writer, report_warning, im);
	tdat_writer_on_note(writer, report_note, im);
	tdat_writer_on_fact(writer, keep_fact, im);
	tdat_writer_on_events(writer, show_events, im);
}

void cli_import_fini(struct cli_import *im)
{
	cli_progress_clear(&im->progress);
	pthread_mutex_destroy(&im->progress_lock);
}

enum tdat_status cli_import_run(struct cli_import *im, const struct tdat_importer *importer,
				const struct tdat_import_request *request,
				const struct cli_inputs *in, struct tdat_writer *writer,
				struct tdat_error *err)
{
	enum tdat_status st;

	import_init(im, writer, in, request->strict);
	st = tdat_importer_run(importer, request, tdat_writer_emit(writer), err);
	if (st == TDAT_OK)
		st = tdat_writer_finish(writer, err);
	cli_progress_clear(&im->progress);
	return st;
}
