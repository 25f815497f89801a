/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes all events of the inputs by one exporter, to a file, a folder or standard output. The
 * library runs iterator, exporter and threads (tdat_export_run); this file gives it the output.
 */
#include "commands/export_events.h"

#include "args/parse.h"
#include "output/table_file.h"
#include "terminal/message.h"

static void print_note(void *ctx, const char *sentence)
{
	(void)ctx;
	cli_error(NULL, "%s", sentence);
}

/* Damage is reported after a good run only: a failed one has its own sentence. */
static enum tdat_status run(const struct export_events *x, struct tdat_export *export,
			    struct cli_table_file *file, uint64_t *events, struct tdat_error *err)
{
	struct tdat_pump_opts pump = TDAT_PUMP_OPTS_INIT;
	struct tdat_iter *iter;
	enum tdat_status st;

	pump.threads = x->threads;
	st = tdat_iter_new(&iter, x->inputs, x->input_count, x->iter, err);
	if (st != TDAT_OK)
		return st;
	st = tdat_export_run(export, iter, &pump, cli_table_file_write, file, events, err);
	if (st == TDAT_OK) {
		size_t count;
		const struct tdat_stream_damage *damage = tdat_iter_damage(iter, &count);

		x->damage(x->damage_ctx, damage, count);
	}
	tdat_iter_free(iter);
	return st;
}

/* The output gets its name when it is closed without a failure; *events is the number written. */
int export_events_run(const struct export_events *x, uint64_t *events)
{
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_error err = TDAT_ERROR_INIT, closing = TDAT_ERROR_INIT;
	struct cli_table_file file = {.fd = -1};
	struct tdat_export *export = NULL;
	enum tdat_status st, closed;

	*events = 0;
	request.inputs = x->inputs;
	request.input_count = x->input_count;
	request.options = x->options;
	request.option_count = x->option_count;
	request.output = cli_folder_write;
	request.output_ctx = x->folder;
	request.note = x->quiet ? NULL : print_note;
	st = tdat_export_new(&export, x->exporter, &request, &err);
	if (st == TDAT_OK && !x->folder)
		st = cli_table_file_open(&file, x->output, x->force, &err);
	if (st == TDAT_OK)
		st = run(x, export, &file, events, &err);
	closed = x->folder ? cli_folder_close(x->folder, st != TDAT_OK, &closing)
			   : cli_table_file_close(&file, st != TDAT_OK, &closing);
	tdat_export_free(export);
	if (st != TDAT_OK)
		return cli_fail(NULL, &err);
	return closed != TDAT_OK ? cli_fail(NULL, &closing) : CLI_OK;
}
