/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Version 6: one part after the other, only places of CPU data are known late. */
#include "body.h"
#include "data.h"

/* Everything up to the top buffer; *options[i]: where buffer i's place belongs. */
static void v6_head(const struct tdat_writer *w, struct tdat_build *b, uint64_t *places)
{
	write_body_head(w, b);
	write_body_header_info(&w->meta, b);
	write_body_ftrace_formats(&w->meta, b);
	write_body_event_formats(&w->meta, b);
	write_body_kallsyms(&w->meta, b);
	write_body_printk(&w->meta, b);
	write_body_cmdlines(&w->meta, b);
	tdat_build_u32(b, write_cpu_count(w));
	tdat_build_bytes(b, "options  ", 10);
	write_body_facts(&w->meta, b);
	for (uint32_t i = 1; i < w->buffer_count; i++) {
		const char *name = w->buffers[i]->name;

		tdat_build_u16(b, TDAT_OPTION_BUFFER);
		tdat_build_u32(b, (uint32_t)(8 + strlen(name) + 1));
		places[i] = b->len;
		tdat_build_u64(b, 0);
		tdat_build_cstr(b, name);
	}
	tdat_build_u16(b, TDAT_OPTION_DONE);
}

static enum tdat_status out_build(struct tdat_writer *w, const struct tdat_build *b,
				  struct tdat_error *err)
{
	if (b->failed)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for the metadata of %s", w->out.name);
	return write_out_bytes(&w->out, b->ptr, b->len, err);
}

/*
 * The table with a place for each CPU, then the clock. Places are known
 * beforehand: CPU areas follow in order, each at a multiple of the page size.
 */
static enum tdat_status v6_table(struct tdat_writer *w, const struct write_buffer *buf,
				 struct tdat_error *err)
{
	const char *clock = buf->clock ? buf->clock : w->meta.clock;
	uint32_t cpus = write_cpu_count(w), page = buf->shape.size;
	uint64_t clock_len = strlen(clock) + 2, off;
	struct tdat_build b;
	enum tdat_status st;

	off = write_out_pos(&w->out) + 10 + 16ull * cpus + 8 + clock_len;
	off = (off + page - 1) / page * page;
	tdat_build_init(&b, w->meta.big);
	tdat_build_bytes(&b, "flyrecord", 10);
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		const struct write_stream *s = cpu < buf->stream_cap ? buf->streams[cpu] : NULL;
		uint64_t len = s ? s->ext.used : 0;

		tdat_build_u64(&b, off);
		tdat_build_u64(&b, len);
		off += len; /* whole pages: stays aligned */
	}
	tdat_build_u64(&b, clock_len);
	tdat_build_printf(&b, "[%s]", clock);
	st = out_build(w, &b, err);
	tdat_build_fini(&b);
	return st == TDAT_OK ? write_out_align(&w->out, page, err) : st;
}

static enum tdat_status v6_buffer(struct tdat_writer *w, struct write_buffer *buf,
				  struct tdat_error *err)
{
	enum tdat_status st;

	buf->place = write_out_pos(&w->out);
	st = v6_table(w, buf, err);
	for (uint32_t i = 0; st == TDAT_OK && i < buf->stream_cap; i++)
		if (buf->streams[i])
			st = write_data_plain(w, &buf->streams[i]->ext, err);
	return st;
}

/* Latency text takes the place of all CPU data and runs to the end of the file. */
static enum tdat_status v6_latency(struct tdat_writer *w, const struct write_buffer *top,
				   struct tdat_error *err)
{
	enum tdat_status st = write_out_bytes(&w->out, "latency  ", 10, err);

	return st == TDAT_OK ? write_data_plain(w, &top->latency, err) : st;
}

/* What version 6 has no place for. */
static enum tdat_status v6_check(const struct tdat_writer *w, struct tdat_error *err)
{
	const struct write_buffer *top = w->buffers[0];

	for (uint32_t i = 1; i < w->buffer_count; i++)
		if (w->buffers[i]->latency.used)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "version 6 cannot hold latency text of the "
					      "instance %s", w->buffers[i]->name);
	if (!top->latency.used)
		return TDAT_OK;
	if (w->buffer_count > 1 || top->stream_cap)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "version 6 cannot hold both latency text and CPU data");
	return TDAT_OK;
}

/* The metadata, once the places of the instances are known to be zero yet. */
static enum tdat_status v6_buffers(struct tdat_writer *w, const uint64_t *places,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint8_t place[8];

	if (w->buffers[0]->latency.used)
		return v6_latency(w, w->buffers[0], err);
	for (uint32_t i = 0; st == TDAT_OK && i < w->buffer_count; i++) {
		st = v6_buffer(w, w->buffers[i], err);
		if (st != TDAT_OK || !i)
			continue;
		tdat_store64(place, w->buffers[i]->place, w->meta.big);
		st = write_out_patch(&w->out, places[i], place, sizeof(place), err);
	}
	return st;
}

enum tdat_status write_v6(struct tdat_writer *w, struct tdat_error *err)
{
	struct tdat_build b, places;
	enum tdat_status st = v6_check(w, err);

	if (st != TDAT_OK)
		return st;
	tdat_build_init(&b, w->meta.big);
	tdat_build_init(&places, false);
	tdat_build_fill(&places, 0, w->buffer_count * sizeof(uint64_t));
	b.failed |= places.failed;
	if (!b.failed)
		v6_head(w, &b, (uint64_t *)(void *)places.ptr);
	st = out_build(w, &b, err);
	tdat_build_fini(&b);
	if (st == TDAT_OK)
		st = v6_buffers(w, (const uint64_t *)(const void *)places.ptr, err);
	tdat_build_fini(&places);
	return st;
}
