/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of Chrome's trace events: one object of JSON, or that compressed with gzip.
 * Source: "Trace Event Format" (Google). Head, tail and options are here. event.c is the sink
 * on all threads, tracks.c the pack step in order, gzip.c the compression behind it.
 */
#include "chrome.h"

#include <stdlib.h>
#include <string.h>

#include "core/json_text.h"
#include "core/text.h"
#include "export/ctf/ctf.h"
#include "export/exporters.h"

static void state_free(struct chrome_state *s)
{
	chrome_tracks_free(s->tracks);
	chrome_gzip_free(s->gzip);
	tdat_build_fini(&s->text);
	free(s->inputs);
	free(s);
}

/*
 * Appends s->text, compressed if the option asks for it, and empties it. last: the end of the file.
 */
static enum tdat_status put_text(struct chrome_state *s, bool last, struct tdat_build *out,
				 struct tdat_error *err)
{
	const struct tdat_span text = {s->text.ptr, s->text.len};
	enum tdat_status st = TDAT_OK;

	if (s->text.failed)
		return tdat_error_no_memory(err, "text");
	if (s->gzip)
		st = chrome_gzip_put(s->gzip, text, last, out, err);
	else
		tdat_build_bytes(out, text.ptr, text.len);
	s->text.len = 0;
	return st;
}

static void put_string(struct tdat_build *b, const char *key, const char *text)
{
	tdat_build_str(b, key);
	tdat_json_quoted(b, text, strlen(text));
}

/* Writes the beginning of the JSON object, with facts about the files. */
static void put_head(struct chrome_state *s)
{
	struct tdat_build *b = &s->text;
	const struct tdat_buffer *buffers;
	size_t count;

	put_string(b, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tdat\":", tdat_version());
	buffers = tdat_file_buffers(s->inputs[0].file, &count);
	put_string(b, ",\"clock\":", count ? buffers[0].clock : "");
	for (size_t i = 0; i < s->input_count; i++) {
		tdat_build_printf(b, ",\"file %zu\":", i);
		put_string(b, "", tdat_file_info(s->inputs[i].file)->name);
	}
	tdat_build_str(b, "},\"traceEvents\":[");
}

/* Prepares the inputs and the tracks. */
static enum tdat_status take_inputs(struct chrome_state *s,
				    const struct tdat_export_request *request,
				    struct tdat_error *err)
{
	if (!request->input_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the exporter chrome needs an input");
	s->inputs = calloc(request->input_count, sizeof(*s->inputs));
	if (!s->inputs)
		return tdat_error_no_memory(err, "inputs");
	s->input_count = request->input_count;
	for (size_t i = 0; i < s->input_count; i++) {
		struct chrome_input *in = &s->inputs[i];

		in->file = request->inputs[i].file;
		in->big = tdat_file_info(in->file)->big_endian;
		in->text_max = tdat_file_text_max(in->file, &in->per_byte);
		in->calls = tdat_syscalls_of(ctf_machine(in->file));
	}
	s->tracks = chrome_tracks_new(s);
	return s->tracks ? TDAT_OK : tdat_error_no_memory(err, "tracks");
}

/* Begins an export: the head is JSON text, too, and passes through gzip. */
static enum tdat_status chrome_begin(void **state, const struct tdat_export_request *request,
				     struct tdat_build *head, struct tdat_error *err)
{
	struct chrome_state *s = calloc(1, sizeof(*s));
	enum tdat_status st;

	*state = NULL;
	if (!s)
		return tdat_error_no_memory(err, "an export");
	tdat_build_init(&s->text, false);
	st = take_inputs(s, request, err);
	for (size_t i = 0; st == TDAT_OK && i < request->option_count; i++)
		if (!strcmp(request->options[i].key, "gzip") && !s->gzip) {
			s->gzip = chrome_gzip_new();
			if (!s->gzip)
				st = tdat_error_no_memory(err, "zlib");
		}
	if (st == TDAT_OK) {
		put_head(s);
		st = put_text(s, false, head, err);
	}
	if (st != TDAT_OK) {
		state_free(s);
		return st;
	}
	*state = s;
	return TDAT_OK;
}

/* Writes the events of all pieces, on one thread and in order: the exporter's pack. */
static enum tdat_status chrome_pack(void *state, struct tdat_span pieces, struct tdat_build *out,
				    struct tdat_error *err)
{
	struct chrome_state *s = state;
	struct tdat_build *to = s->gzip ? &s->text : out;
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && pieces.len >= sizeof(struct chrome_piece)) {
		struct chrome_piece piece;
		size_t len;

		/* Pieces are not aligned. */
		memcpy(&piece, pieces.ptr, sizeof(piece));
		len = sizeof(piece) + (size_t)piece.slice_len + piece.name_len +
		      piece.category_len + piece.args_len;
		if (len > pieces.len)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "a piece ends within an event");
		st = chrome_tracks_add(s->tracks, &piece, pieces.ptr + sizeof(piece), to, err);
		pieces = tdat_span_from(pieces, len);
	}
	return st == TDAT_OK && s->gzip ? put_text(s, false, out, err) : st;
}

/* Ends an export; tail NULL: it gives up. */
static enum tdat_status chrome_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct chrome_state *s = state;
	enum tdat_status st = TDAT_OK;

	if (tail) {
		tdat_build_str(&s->text, "\n]}\n");
		st = put_text(s, true, tail, err);
	}
	state_free(s);
	return st;
}

static const struct tdat_keyed_option_desc chrome_options[] = {
	{"gzip", NULL, "compress the file (default for names that end in .gz)"},
	{"nodate", NULL, "do not add the offset of trace-cmd record --date"},
	{"raw-ts", NULL, "write timestamps as stored in the ring buffer"},
	{NULL, NULL, NULL},
};

const struct tdat_exporter export_chrome = {
	.size = sizeof(struct tdat_exporter),
	.name = "chrome",
	.summary = "Chrome trace events, JSON that many viewers read",
	.kind = TDAT_EXPORT_PACKETS,
	.options = chrome_options,
	.begin = chrome_begin,
	.events = &chrome_events,
	.end = chrome_end,
	.pack = chrome_pack,
	.suffixes = ".json .json.gz",
};
