/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exports events as the packets that Perfetto's trace processor and ui.perfetto.dev read. It is
 * the exporter's table row: options, inputs, the sink (worker.c) and the pack step (bundles.c,
 * stacks.c, tracks.c, compress.c). State that depends on the order of events lives in the pack
 * step only.
 */
#include <stdlib.h>
#include <string.h>

#include "export/columns/column_options.h"
#include "export/exporters.h"
#include "export/state.h"
#include "state.h"

#include "core/text.h"

/* Also for an input whose input_init() failed half way. */
static void input_fini(struct pf_input *in)
{
	for (size_t b = 0; in->symbols && b < in->buffer_count; b++)
		tdat_byte_set_fini(&in->symbols[b]);
	tdat_byte_set_fini(&in->frames);
	tdat_byte_set_fini(&in->stacks);
	tdat_byte_set_fini(&in->names);
	tdat_byte_set_fini(&in->tracks);
	free(in->symbols);
	free(in->depths);
	tdat_task_groups_fini(&in->groups);
	free(in->clocks);
	free(in->described);
	free(in->sums);
	free(in->has_cpu);
}

static void state_free(struct pf_state *s)
{
	if (!s)
		return;
	pf_bundles_fini(s);
	for (size_t i = 0; s->inputs && i < s->input_count; i++)
		input_fini(&s->inputs[i]);
	tdat_build_fini(&s->scratch);
	tdat_build_fini(&s->plain);
	free(s->inputs);
	free(s->iter_inputs);
	free(s);
}

/* Notes which CPUs the file has, for the statistics of CPUs without events, too. */
static void find_cpus(struct pf_input *in)
{
	for (size_t b = 0; b < in->buffer_count; b++)
		for (uint32_t i = 0; i < in->buffers[b].cpu_count; i++)
			if (in->buffers[b].cpus[i].cpu < PF_MOST_CPUS)
				in->has_cpu[in->buffers[b].cpus[i].cpu] = true;
}

/* Prepares the state of one input. False: no memory; input_fini() must follow. */
static bool input_init(struct pf_input *in, struct tdat_file *file)
{
	in->file = file;
	in->big = tdat_file_info(file)->big_endian;
	in->text_max = tdat_file_text_max(file, &in->per_byte);
	in->buffers = tdat_file_buffers(file, &in->buffer_count);
	in->clocks = calloc(in->buffer_count + 1, sizeof(*in->clocks));
	in->cpus = calloc(in->buffer_count + 1, sizeof(*in->cpus));
	in->described = calloc(PF_IDS / 8, 1);
	in->sums = calloc(PF_MOST_CPUS, sizeof(*in->sums));
	in->has_cpu = calloc(PF_MOST_CPUS, sizeof(*in->has_cpu));
	in->symbols = calloc(in->buffer_count + 1, sizeof(*in->symbols));
	for (size_t b = 0; in->symbols && b < in->buffer_count; b++)
		tdat_byte_set_init(&in->symbols[b]);
	tdat_byte_set_init(&in->frames);
	tdat_byte_set_init(&in->stacks);
	tdat_byte_set_init(&in->names);
	tdat_byte_set_init(&in->tracks);
	if (!in->symbols || !in->clocks || !in->cpus || !in->described || !in->sums || !in->has_cpu)
		return false;
	find_cpus(in);
	return true;
}

/* Prepares the state from the request. On failure state_free() releases what was made. */
static enum tdat_status state_init(struct pf_state *s, const struct tdat_export_request *r,
				   struct tdat_error *err)
{
	static const char *const compressions[] = {"none", "zlib", "zstd", NULL};
	size_t compression = PF_PLAIN;
	enum tdat_status st;

	if (r->input_count > PF_MOST_INPUTS)
		return tdat_error_set(
			err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
			"%zu inputs are too many: perfetto can distinguish at most %d",
			r->input_count, PF_MOST_INPUTS);
	s->last = &s->first;
	s->note = r->note;
	s->note_ctx = r->note_ctx;
	s->inputs = calloc(r->input_count + 1, sizeof(*s->inputs));
	s->iter_inputs = calloc(r->input_count + 1, sizeof(*s->iter_inputs));
	if (!s->inputs || !s->iter_inputs)
		return tdat_error_no_memory(err, "an export");
	for (; s->input_count < r->input_count; s->input_count++) {
		const size_t i = s->input_count;

		s->iter_inputs[i] = r->inputs[i];
		if (!input_init(&s->inputs[i], r->inputs[i].file)) {
			s->input_count++;
			return tdat_error_no_memory(err, "an export");
		}
	}
	s->choice.pairs = export_option(r, "compat");
	s->choice.tracks = export_option(r, "tracks");
	s->raw_ts = export_option(r, "raw-ts");
	s->no_date = export_option(r, "nodate");
	st = export_choice(r, "compression", compressions, &compression, err);
	s->compression = (enum pf_compression)compression;
	pf_clocks_init(s);
	return st;
}

/* Begins an export. The head is written later: clocks need the first event's time. */
static enum tdat_status perfetto_begin(void **state, const struct tdat_export_request *request,
				       struct tdat_build *head, struct tdat_error *err)
{
	struct pf_state *s = calloc(1, sizeof(*s));
	enum tdat_status st =
		s ? state_init(s, request, err) : tdat_error_no_memory(err, "an export");

	(void)head;
	if (st != TDAT_OK) {
		state_free(s);
		s = NULL;
	}
	*state = s;
	return st;
}

/* Sends one piece to the file that packs its kind. */
static enum tdat_status take(struct pf_state *s, const struct pf_piece *piece, const uint8_t *bytes,
			     struct tdat_build *out, struct tdat_error *err)
{
	switch (piece->kind) {
	case PF_PIECE_STACK:
		return pf_stacks_add(s, piece, bytes, out, err);
	case PF_PIECE_CALL:
		return pf_tracks_add(s, piece, bytes, out, err);
	default:
		return pf_bundles_add(s, piece, bytes, out, err);
	}
}

/*
 * Packs all pieces, each a struct pf_piece and its bytes. They come in the order of the events,
 * whatever thread made them.
 */
static enum tdat_status take_all(struct pf_state *s, struct tdat_span pieces,
				 struct tdat_build *out, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && pieces.len >= sizeof(struct pf_piece)) {
		struct pf_piece piece;

		/* Pieces are not aligned in the buffer. */
		memcpy(&piece, pieces.ptr, sizeof(piece));
		if (piece.len > pieces.len - sizeof(piece))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "a piece ends within an event");
		st = pf_head_write(s, piece.ts, out, err);
		if (st == TDAT_OK)
			st = take(s, &piece, pieces.ptr + sizeof(piece), out, err);
		pieces = tdat_span_from(pieces, sizeof(piece) + piece.len);
	}
	return st;
}

/*
 * Packs the pieces, on one thread. With compression, packets wait in s->plain for a full group.
 */
static enum tdat_status perfetto_pack(void *state, struct tdat_span pieces, struct tdat_build *out,
				      struct tdat_error *err)
{
	struct pf_state *s = state;
	enum tdat_status st = take_all(s, pieces, s->compression ? &s->plain : out, err);

	return st == TDAT_OK && s->compression ? pf_compress(s, false, out, err) : st;
}

/* Writes what is left: the head if there was no event, open bundles, sums. */
static enum tdat_status put_tail(struct pf_state *s, struct tdat_build *out, struct tdat_error *err)
{
	const enum tdat_status st = pf_head_write(s, 0, out, err);

	pf_bundles_flush(s, out);
	pf_stats_write(s, true, out);
	return st;
}

/* Ends an export. tail NULL: the export failed or was cancelled, so only free. */
static enum tdat_status perfetto_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct pf_state *s = state;
	enum tdat_status st = TDAT_OK;

	if (tail)
		st = put_tail(s, s->compression ? &s->plain : tail, err);
	if (tail && st == TDAT_OK && s->compression)
		st = pf_compress(s, true, tail, err);
	state_free(s);
	return st;
}

static const struct tdat_keyed_option_desc perfetto_options[] = {
	{"compat", NULL, "write fields as name and value pairs, for readers before Perfetto 50"},
	{"compression", "none|zlib|zstd",
	 "packet compression (default: none); zstd needs Perfetto 58"},
	{"nodate", NULL, "do not add the offset of trace-cmd record --date"},
	{"raw-ts", NULL, "write timestamps as stored in the ring buffer"},
	{"tracks", NULL, "write function_graph calls as slices of track events"},
	{NULL, NULL, NULL},
};

const struct tdat_exporter export_perfetto = {
	.size = sizeof(struct tdat_exporter),
	.name = "perfetto",
	.summary = "packets for ui.perfetto.dev and Perfetto's trace processor",
	.kind = TDAT_EXPORT_PACKETS,
	.options = perfetto_options,
	.begin = perfetto_begin,
	.events = &pf_events,
	.end = perfetto_end,
	.pack = perfetto_pack,
	.suffixes = ".pftrace .perfetto-trace",
};
