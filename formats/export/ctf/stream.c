/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts events into packets, and packets into the files of their streams.
 *
 * A reader takes a stream in the order of time. Where the time of a CPU goes back, what comes
 * later goes to another file of the same CPU, whose times rise by themselves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "ctf.h"

enum {
	/* Files for a CPU whose time goes back. Each time it does so anew needs one more. */
	FILES_MOST = 64,
	/*
	 * Offsets in a packet: the header (magic, uuid, stream_id) comes first, then the context.
	 */
	AT_CONTEXT = 24,
	AT_END = AT_CONTEXT + 8,
	AT_CONTENT = AT_CONTEXT + 16,
	AT_SIZE = AT_CONTEXT + 24,
	/* Bytes of the longest event header, rounded up. */
	HEADER_MOST = 16
};

/* ---- packets ---- */

/* Begins a packet; end time and sizes are stored by packet_end(). False: no memory. */
static bool packet_begin(const struct ctf_state *s, size_t input, const struct ctf_stream *stream,
			 struct ctf_file *file, uint64_t ts)
{
	const struct ctf_input *in = &s->inputs[input];
	const struct tdat_buffer *buffers;
	struct tdat_build *b = &file->packet;
	size_t count;

	buffers = tdat_file_buffers(in->file, &count);
	/* The header is read before the stream is known, so it has the byte order of the trace. */
	b->big = s->inputs[0].big;
	tdat_build_u32(b, UINT32_C(0xc1fc1fc1));
	tdat_build_bytes(b, s->uuid, sizeof(s->uuid));
	tdat_build_u32(b, (uint32_t)input);
	b->big = in->big;
	tdat_build_u64(b, ts);
	tdat_build_u64(b, ts);
	tdat_build_u64(b, 0);
	tdat_build_u64(b, 0);
	tdat_build_u64(b, file->number++);
	tdat_build_u64(b, file->discarded);
	tdat_build_u32(b, stream->cpu);
	ctf_put_utf8(b, stream->buffer < count ? buffers[stream->buffer].name : "");
	tdat_build_u8(b, 0);
	file->begin = file->last = ts;
	/* Later losses can be shown as a difference to this packet. */
	file->started = true;
	return !b->failed;
}

/* Completes the open packet, if there is one, and appends it to its file. Sizes are in bits. */
static enum tdat_status packet_end(const struct ctf_state *s, bool big, struct ctf_file *file,
				   struct tdat_error *err)
{
	struct tdat_build *b = &file->packet;
	enum tdat_status st;

	if (!b->len)
		return TDAT_OK;
	tdat_store64(b->ptr + AT_END, file->last, big);
	tdat_store64(b->ptr + AT_CONTENT, (uint64_t)b->len * 8, big);
	tdat_store64(b->ptr + AT_SIZE, (uint64_t)b->len * 8, big);
	st = s->output(s->output_ctx, file->name, b->ptr, b->len, err);
	b->len = 0;
	return st;
}

/* Writes a packet without events. */
static enum tdat_status put_empty(const struct ctf_state *s, size_t input,
				  const struct ctf_stream *stream, struct ctf_file *file,
				  uint64_t begin, uint64_t end, struct tdat_error *err)
{
	if (!packet_begin(s, input, stream, file, begin))
		return tdat_error_no_memory(err, "a packet");
	file->last = end;
	return packet_end(s, s->inputs[input].big, file, err);
}

/*
 * Writes an empty packet from the event before a loss to the one behind it: readers show
 * events_discarded for the time of a packet. An unknown count is written as 1. Readers take
 * differences between packets, so a stream never begins with a loss.
 */
static enum tdat_status put_loss(const struct ctf_state *s, size_t input,
				 const struct ctf_stream *stream, struct ctf_file *file,
				 int64_t lost, uint64_t ts, struct tdat_error *err)
{
	enum tdat_status st = packet_end(s, s->inputs[input].big, file, err);

	if (st == TDAT_OK && !file->started)
		st = put_empty(s, input, stream, file, ts, ts, err);
	file->discarded += lost > 0 ? (uint64_t)lost : 1;
	return st == TDAT_OK ? put_empty(s, input, stream, file, file->last, ts, err) : st;
}

/* ---- events ---- */

/*
 * Writes the header of an event, as put_event_header() describes it; returns its length. Short
 * forms have the low bits of the time, which readers extend from the time before.
 */
static size_t put_header(const struct ctf_input *in, uint8_t *p, uint32_t class, uint64_t ts,
			 uint64_t last)
{
	const unsigned bits = in->compact ? 27 : 32;
	const uint32_t most = in->compact ? 31 : 65535;
	const bool small = class < most && ts - last < UINT64_C(1) << bits;
	size_t n = 0;

	/* 5 bits of id and 27 bits of time share a word, whose order depends on the byte order. */
	if (in->compact && small) {
		const uint32_t low = (uint32_t)ts & ((1u << 27) - 1);

		tdat_store32(p, in->big ? class << 27 | low : low << 5 | class, in->big);
		return 4;
	}
	if (in->compact) {
		p[n++] = in->big ? 31 << 3 : 31;
	} else {
		tdat_store16(p, (uint16_t)(small ? class : most), in->big);
		n = 2;
	}
	if (small) {
		tdat_store32(p + n, (uint32_t)ts, in->big);
		return n + 4;
	}
	tdat_store32(p + n, class, in->big);
	tdat_store64(p + n + 4, ts, in->big);
	return n + 12;
}

/* Appends an event to its packet; a loss, or a full packet, begins a new one. */
static enum tdat_status put_event(const struct ctf_state *s, const struct ctf_chunk *chunk,
				  const uint8_t *payload, const struct ctf_stream *stream,
				  struct ctf_file *file, uint32_t class, struct tdat_error *err)
{
	const struct ctf_input *in = &s->inputs[chunk->input];
	const uint64_t ts = chunk->ts - s->clock_offset;
	struct tdat_build *b = &file->packet;
	enum tdat_status st = TDAT_OK;
	uint8_t *room;

	if (chunk->lost)
		st = put_loss(s, chunk->input, stream, file, chunk->lost, ts, err);
	else if (b->len && b->len + HEADER_MOST + chunk->len > s->packet_len)
		st = packet_end(s, in->big, file, err);
	if (st != TDAT_OK)
		return st;
	if (!b->len && !packet_begin(s, chunk->input, stream, file, ts))
		return tdat_error_no_memory(err, "a packet");
	room = tdat_build_room(b, HEADER_MOST + (size_t)chunk->len);
	if (!room)
		return tdat_error_no_memory(err, "a packet");
	b->len += put_header(in, room, class, ts, file->last);
	tdat_build_bytes(b, payload, chunk->len);
	file->last = ts;
	return TDAT_OK;
}

/* ---- streams ---- */

/*
 * Finds the file for an event: the first one whose time does not go back. A new one is made if
 * there is none.
 */
static enum tdat_status file_of(const struct ctf_input *in, struct ctf_stream *stream, uint64_t ts,
				struct ctf_file **out, struct tdat_error *err)
{
	const char *name = stream->buffer < in->buffer_count ? in->names[stream->buffer] : "none";
	struct ctf_file *file;
	char text[160];

	for (size_t i = 0; i < stream->file_count; i++) {
		*out = &stream->files[i];
		if (ts >= (*out)->last)
			return TDAT_OK;
	}
	if (stream->file_count == FILES_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "the time of CPU %u goes backward too often for CTF: its "
				      "events need more than %d streams with increasing times",
				      stream->cpu, FILES_MOST);
	if (!TDAT_GROW(stream->files, &stream->file_room, stream->file_count + 1))
		return tdat_error_no_memory(err, "a stream");
	file = &stream->files[stream->file_count];
	*file = (struct ctf_file){.name = NULL};
	if (stream->file_count)
		snprintf(text, sizeof(text), "%s_%u.%zu", name, stream->cpu, stream->file_count);
	else
		snprintf(text, sizeof(text), "%s_%u", name, stream->cpu);
	file->name = strdup(text);
	if (!file->name)
		return tdat_error_no_memory(err, "a stream");
	tdat_build_init(&file->packet, in->big);
	stream->file_count++;
	*out = file;
	return TDAT_OK;
}

/* Returns the stream of a CPU of a buffer; NULL: no memory. */
static struct ctf_stream *stream_of(struct ctf_input *in, uint32_t buffer, uint32_t cpu)
{
	uint32_t n;

	if (!export_map_number(&in->streams_by_key, (uint64_t)buffer << 32 | cpu,
			       (uint32_t)in->stream_count, &n))
		return NULL;
	if (n < in->stream_count)
		return &in->streams[n];
	if (!TDAT_GROW(in->streams, &in->stream_room, in->stream_count + 1))
		return NULL;
	in->streams[in->stream_count] = (struct ctf_stream){.buffer = buffer, .cpu = cpu};
	return &in->streams[in->stream_count++];
}

/*
 * Returns the number of an event class in CTF: the order in which they are met. Each shape of an
 * event, and each system call, has a class of its own. False: no memory.
 */
static bool class_of(struct ctf_input *in, const struct ctf_chunk *chunk, uint32_t *number)
{
	const uint32_t id = chunk->shape == CTF_UNKNOWN ? 0 : chunk->id;
	const uint32_t call = tdat_syscall_name(in->calls, chunk->call) ? chunk->call : CTF_NO_CALL;

	if (!export_map_number(&in->used_by_key,
			       (uint64_t)call << 20 | (uint64_t)chunk->shape << 16 | id,
			       (uint32_t)in->used_count, number))
		return false;
	if (*number < in->used_count)
		return true;
	if (!TDAT_GROW(in->used, &in->used_room, in->used_count + 1))
		return false;
	in->used[in->used_count++] =
		(struct ctf_used){.id = id, .call = call, .shape = (enum ctf_shape)chunk->shape};
	return true;
}

/* Puts all chunks into packets, on one thread and in order: the exporter's pack. */
enum tdat_status ctf_pack(void *state, struct tdat_span pieces, struct tdat_build *out,
			  struct tdat_error *err)
{
	struct ctf_state *s = state;
	const uint8_t *p = pieces.ptr, *end = p + pieces.len;
	enum tdat_status st = TDAT_OK;

	(void)out;
	while (p < end && st == TDAT_OK) {
		struct ctf_chunk chunk;
		struct ctf_stream *stream;
		struct ctf_file *file = NULL;
		struct ctf_input *in;
		uint32_t class;

		/* Chunks are not aligned. */
		memcpy(&chunk, p, sizeof(chunk));
		p += sizeof(chunk);
		in = &s->inputs[chunk.input];
		stream = stream_of(in, chunk.buffer, chunk.cpu);
		if (!stream || !class_of(in, &chunk, &class))
			return tdat_error_no_memory(err, "a stream");
		st = file_of(in, stream, chunk.ts - s->clock_offset, &file, err);
		if (st == TDAT_OK)
			st = put_event(s, &chunk, p, stream, file, class, err);
		p += chunk.len;
	}
	return st;
}

/* Completes all open packets, at the end. */
enum tdat_status ctf_flush(struct ctf_state *s, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < s->input_count; i++) {
		struct ctf_input *in = &s->inputs[i];

		for (size_t k = 0; k < in->stream_count; k++)
			for (size_t n = 0; n < in->streams[k].file_count && st == TDAT_OK; n++)
				st = packet_end(s, in->big, &in->streams[k].files[n], err);
	}
	return st;
}

void ctf_streams_fini(struct ctf_input *in)
{
	for (size_t k = 0; k < in->stream_count; k++) {
		struct ctf_stream *stream = &in->streams[k];

		for (size_t n = 0; n < stream->file_count; n++) {
			tdat_build_fini(&stream->files[n].packet);
			free(stream->files[n].name);
		}
		free(stream->files);
	}
	free(in->streams);
	free(in->used);
	export_map_fini(&in->streams_by_key);
	export_map_fini(&in->used_by_key);
}
