/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The exporter of the Common Trace Format 1.8: a folder with the file "metadata" and a stream for
 * each CPU of each buffer.
 *
 * A sink makes payloads of events on several threads (encode.c); what it makes is put into the
 * packets of streams in order (stream.c); metadata comes at the end, when it is known which
 * event types there are (metadata.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/file_option.h>

#include "core/text.h"
#include "ctf.h"
#include "export/columns/column_options.h"
#include "export/exporters.h"
#include "export/state.h"

/* Bytes of all open packets, about, and bounds of one packet: many streams get small packets. */
enum { PACKETS_LEN = 16 * 1024 * 1024, PACKET_MOST = 256 * 1024, PACKET_LEAST = 4096 };

/* ---- names of files ---- */

/* True for characters that file names keep. */
static bool is_plain(char ch)
{
	return tdat_is_alnum((uint8_t)ch) || ch == '-';
}

/*
 * Returns the start of the file names of a buffer's streams: its name, or "top". If characters were
 * replaced, or the name is taken, its index makes it unique. NULL: no memory.
 */
static char *buffer_file(const struct ctf_state *s, size_t input, const struct tdat_buffer *buffers,
			 size_t index)
{
	const char *name = buffers[index].name;
	char text[128] = "", plain[65] = "top", *p = plain;
	bool odd = strlen(name) > 64 || !strcmp(name, "top") || !strcmp(name, "metadata");

	for (const char *n = name; *n && p < plain + 64; n++) {
		odd |= !is_plain(*n);
		*p++ = is_plain(*n) ? *n : '-';
	}
	if (*name)
		*p = '\0';
	for (size_t i = 0; i < index && !odd; i++)
		odd = !strcmp(buffers[i].name, name);
	/* With several inputs, the number of the file comes first. */
	if (s->input_count > 1)
		snprintf(text, sizeof(text), "%zu_", input);
	p = text + strlen(text);
	if (odd)
		snprintf(p, sizeof(text) - (size_t)(p - text), "%s_%zu", plain, index);
	else
		snprintf(p, sizeof(text) - (size_t)(p - text), "%s", plain);
	return strdup(text);
}

/* Names the streams of each buffer, and counts them in *streams. */
static enum tdat_status name_buffers(struct ctf_state *s, size_t input, size_t *streams,
				     struct tdat_error *err)
{
	struct ctf_input *in = &s->inputs[input];
	size_t count;
	const struct tdat_buffer *buffers = tdat_file_buffers(in->file, &count);

	in->names = calloc(count + 1, sizeof(*in->names));
	for (size_t i = 0; in->names && i < count; i++) {
		in->names[i] = buffer_file(s, input, buffers, i);
		if (!in->names[i])
			return tdat_error_no_memory(err, "names of files");
		in->buffer_count++;
		*streams += buffers[i].cpu_count;
	}
	return in->names ? TDAT_OK : tdat_error_no_memory(err, "names of files");
}

/* ---- clock ---- */

/* Offset of the DATE option, which trace-cmd record --date writes. */
struct date {
	int64_t us;
	bool found;
};

/* Visitor of the DATE option. Its parts add up; they may wrap in hostile files. */
static void take_date(void *ctx, const char *key, int64_t value)
{
	struct date *d = ctx;

	if (key && !strcmp(key, "microseconds")) {
		d->us = (int64_t)((uint64_t)d->us + (uint64_t)value);
		d->found = true;
	}
}

/* Sum of all DATE options of a file. */
static struct date date_of(const struct tdat_file *file)
{
	struct tdat_file_option_visitor visitor = {.size = sizeof(visitor),
						   .signed_number = take_date};
	struct date date = {0, false};
	size_t count;
	const struct tdat_file_option *options = tdat_file_options(file, &count);

	visitor.ctx = &date;
	for (size_t i = 0; i < count; i++)
		if (options[i].id == TDAT_OPTION_DATE)
			tdat_file_option_decode(file, &options[i], &visitor, NULL);
	return date;
}

/*
 * Finds out if times are wall-clock times: all files need DATE. If all have the same offset, the
 * clock is described with it, and its values stay the recorded ones.
 */
static void find_clock(struct ctf_state *s, const struct tdat_export_request *request)
{
	const struct date first = date_of(s->inputs[0].file);
	bool same = true;

	if (export_option(request, "raw-ts") || export_option(request, "nodate") || !first.found)
		return;
	for (size_t i = 1; i < s->input_count; i++) {
		const struct date d = date_of(s->inputs[i].file);

		if (!d.found)
			return;
		same &= d.us == first.us;
	}
	s->wall = true;
	/* The offset is taken off each time in stream.c. */
	if (same)
		s->clock_offset = (uint64_t)first.us * 1000;
}

/* ---- the trace's id ---- */

/*
 * FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv): equal results for equal input on all
 * machines.
 */
static void hash(uint64_t *h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		*h = (*h ^ p[i]) * UINT64_C(0x100000001b3);
}

/*
 * Makes the trace's uuid of the files' lengths and options, so that an export can be repeated byte
 * by byte.
 */
static void make_uuid(struct ctf_state *s)
{
	uint64_t h[2] = {UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4)};

	for (size_t i = 0; i < s->input_count; i++) {
		const struct tdat_file *file = s->inputs[i].file;
		const uint64_t len = tdat_file_info(file)->len;
		size_t count;
		const struct tdat_file_option *options = tdat_file_options(file, &count);

		for (int k = 0; k < 2; k++) {
			uint8_t number[8];

			tdat_store64(number, len, false);
			hash(&h[k], number, sizeof(number));
			for (size_t n = 0; n < count; n++)
				hash(&h[k], options[n].data.ptr, options[n].data.len);
		}
	}
	tdat_store64(s->uuid, h[0], true);
	tdat_store64(s->uuid + 8, h[1], true);
	s->uuid[6] = (uint8_t)((s->uuid[6] & 0x0f) | 0x80); /* version 8: made as its maker likes */
	s->uuid[8] = (uint8_t)((s->uuid[8] & 0x3f) | 0x80);
}

/* ---- begin and end ---- */

static void state_free(struct ctf_state *s)
{
	for (size_t i = 0; s->inputs && i < s->input_count; i++) {
		struct ctf_input *in = &s->inputs[i];

		ctf_streams_fini(in);
		for (size_t k = 0; k < in->buffer_count; k++)
			free(in->names[k]);
		free(in->names);
	}
	free(s->inputs);
	free(s);
}

/* Prepares the inputs, and divides the memory of packets among their streams. */
static enum tdat_status take_inputs(struct ctf_state *s, const struct tdat_export_request *request,
				    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t streams = 1;

	s->inputs = calloc(request->input_count, sizeof(*s->inputs));
	if (!s->inputs)
		return tdat_error_no_memory(err, "inputs");
	s->input_count = request->input_count;
	for (size_t i = 0; i < s->input_count && st == TDAT_OK; i++) {
		struct ctf_input *in = &s->inputs[i];

		in->file = request->inputs[i].file;
		in->big = tdat_file_info(in->file)->big_endian;
		in->text_max = tdat_file_text_max(in->file, &in->per_byte);
		in->calls = tdat_syscalls_of(ctf_machine(in->file));
		/* LTTng's compact event header has 5 bits for the id, of which 31 is reserved. */
		in->compact = tdat_file_format_count(in->file) < 31;
		st = name_buffers(s, i, &streams, err);
	}
	s->packet_len = PACKETS_LEN / streams;
	if (s->packet_len > PACKET_MOST)
		s->packet_len = PACKET_MOST;
	if (s->packet_len < PACKET_LEAST)
		s->packet_len = PACKET_LEAST;
	return st;
}

/* Begins an export. Files are written through request->output, not through head. */
static enum tdat_status ctf_begin(void **state, const struct tdat_export_request *request,
				  struct tdat_build *head, struct tdat_error *err)
{
	static const char *const names[] = {"lttng", "ftrace", NULL};
	struct ctf_state *s = calloc(1, sizeof(*s));
	size_t chosen = CTF_NAMES_LTTNG;
	enum tdat_status st;

	(void)head;
	*state = NULL;
	if (!s)
		return tdat_error_no_memory(err, "an export");
	st = export_choice(request, "names", names, &chosen, err);
	s->names = (enum ctf_names)chosen;
	if (st == TDAT_OK && (!request->output || !request->input_count))
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "the exporter ctf needs inputs, and an output for its files");
	if (st == TDAT_OK)
		st = take_inputs(s, request, err);
	if (st != TDAT_OK) {
		state_free(s);
		return st;
	}
	s->output = request->output;
	s->output_ctx = request->output_ctx;
	find_clock(s, request);
	make_uuid(s);
	*state = s;
	return TDAT_OK;
}

/* Ends an export: open packets, then metadata, as only now all event types are known. */
static enum tdat_status ctf_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct ctf_state *s = state;
	enum tdat_status st = TDAT_OK;

	if (tail)
		st = ctf_flush(s, err);
	if (tail && st == TDAT_OK)
		st = ctf_metadata(s, err);
	state_free(s);
	return st;
}

static const struct tdat_keyed_option_desc ctf_options[] = {
	{"names", "lttng|ftrace", "names of events and fields (default: lttng)"},
	{"nodate", NULL, "do not add the offset of trace-cmd record --date"},
	{"raw-ts", NULL, "write timestamps as stored in the ring buffer"},
	{NULL, NULL, NULL},
};

const struct tdat_exporter export_ctf = {
	.size = sizeof(struct tdat_exporter),
	.name = "ctf",
	.summary = "Common Trace Format 1.8, a folder for babeltrace2 and Trace Compass",
	.kind = TDAT_EXPORT_PACKETS,
	.options = ctf_options,
	.begin = ctf_begin,
	.events = &ctf_events,
	.end = ctf_end,
	.pack = ctf_pack,
	.folder = true,
};
