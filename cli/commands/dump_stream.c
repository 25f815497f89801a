/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints events of a foreign capture while they are imported. */
#include "commands/dump_stream.h"

#include <string.h>

#include "args/command.h"
#include "input/damage.h"

enum { TEXT_MOST = 1 << 20 }; /* bytes of text that are written at once */

/* Ends the exporter; its tail is written only behind the last events. */
static enum tdat_status end_export(struct dump_stream *s, bool tail, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_span text;

	if (!s->export)
		return TDAT_OK;
	if (s->worker)
		tdat_export_ops(s->export)->close(s->worker);
	s->worker = NULL;
	if (tail)
		st = tdat_export_end(s->export, &text, err);
	if (tail && st == TDAT_OK && text.len)
		st = s->write(s->write_ctx, text.ptr, text.len, err);
	tdat_export_free(s->export);
	s->export = NULL;
	if (s->file && cli_undescribed(s->path, s->file) != CLI_OK)
		s->status = CLI_FAILED;
	s->file = NULL;
	return st;
}

static enum tdat_status open_stream(void *ctx, struct tdat_file *file, struct tdat_error *err)
{
	struct dump_stream *s = ctx;
	struct tdat_iter_input input = {.file = file};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	enum tdat_status st = end_export(s, false, err);
	struct tdat_span head;

	if (st != TDAT_OK)
		return st;
	request.inputs = &input;
	request.input_count = 1;
	request.options = s->options;
	request.option_count = s->option_count;
	st = tdat_export_new(&s->export, tdat_exporter_find(s->exporter), &request, err);
	if (st == TDAT_OK)
		st = tdat_export_ops(s->export)->open(tdat_export_ctx(s->export), &s->worker, err);
	if (st != TDAT_OK)
		return st;
	s->file = file;
	head = tdat_export_head(s->export);
	if (s->headed || !head.len)
		return TDAT_OK;
	s->headed = true;
	return s->write(s->write_ctx, head.ptr, head.len, err);
}

/* Prints events that belong together in one go, and takes them out of left. */
static enum tdat_status print_some(struct dump_stream *s, struct tdat_batch *left,
				   struct tdat_error *err)
{
	size_t done = 0;
	enum tdat_status st =
		tdat_export_ops(s->export)->batch(s->worker, left, &done, &s->text, err);

	if (st == TDAT_OK && s->text.failed)
		st = tdat_error_no_memory(err, "text");
	if (st == TDAT_OK && !done)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "no text was made of %zu events", left->count);
	if (s->text.len) { /* also of the events before one that failed */
		struct tdat_error why = TDAT_ERROR_INIT;
		enum tdat_status written = s->write(s->write_ctx, s->text.ptr, s->text.len, &why);

		if (st == TDAT_OK && written != TDAT_OK) {
			st = written;
			*err = why;
		}
	}
	s->text.len = 0;
	if (st != TDAT_OK)
		return st;
	left->before = &left->events[done - 1];
	left->events += done;
	left->count -= done;
	return TDAT_OK;
}

static enum tdat_status print_events(void *ctx, const struct tdat_event *events, size_t count,
				     struct tdat_error *err)
{
	struct dump_stream *s = ctx;
	const bool last = s->limit && count >= s->limit - s->given;
	struct tdat_batch left = {.events = events,
				  .count = last ? (size_t)(s->limit - s->given) : count,
				  .before = s->has_before ? &s->before : NULL,
				  .text_most = TEXT_MOST};
	enum tdat_status st = TDAT_OK;

	s->given += left.count;
	while (left.count && st == TDAT_OK)
		st = print_some(s, &left, err);
	if (st != TDAT_OK)
		return st;
	s->before = *left.before;
	s->before.record = s->before.comm = (struct tdat_span){NULL, 0};
	s->has_before = true;
	return last ? tdat_error_set(err, TDAT_E_CANCELLED, TDAT_NO_OFFSET, "enough events")
		    : TDAT_OK;
}

static enum tdat_status close_stream(void *ctx, bool ok, struct tdat_error *err)
{
	return end_export(ctx, ok, err);
}

const struct cli_feed_ops dump_stream_ops = {open_stream, print_events, close_stream};

void dump_stream_fini(struct dump_stream *s)
{
	end_export(s, false, NULL);
	tdat_build_fini(&s->text);
}
