/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes version 6 part by part; only the offsets of CPU data are filled in at the end. Version
 * 6 has no sections and no compression; what it cannot hold is reported before anything is
 * written. The order of parts is fixed by the format (docs/file-format.md).
 */
#include "parts.h"
#include "data.h"
#include "dat/option_table.h"

/* Everything up to the top buffer; option_offs[i]: where the offset of buffer i goes. */
static void v6_head(const struct tdat_writer *w, struct tdat_build *b, uint64_t *option_offs)
{
	write_parts_head(w, b);
	for (uint16_t id = DAT_PART_FIRST; id <= DAT_PART_LAST; id++)
		write_parts_one(&w->meta, id, b);
	tdat_build_u32(b, write_cpu_count(w));
	tdat_build_bytes(b, "options  ", 10);
	write_parts_facts(&w->meta, b);
	/* Buffer 0 has no option: its table follows the options. */
	for (uint32_t i = 1; i < w->buffer_count; i++) {
		const char *name = w->buffers[i]->name;

		tdat_build_u16(b, TDAT_OPTION_BUFFER);
		tdat_build_u32(b, (uint32_t)(8 + strlen(name) + 1));
		option_offs[i] = b->len;
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

/* page is at most 1 MiB, and off a file offset: no overflow. */
static uint64_t align_up(uint64_t off, uint32_t page)
{
	return (off + page - 1) / page * page;
}

/* Appends the text of the clock behind the table: the active clock in brackets. */
static void v6_clock(const struct tdat_writer *w, const struct write_buffer *buf,
		     struct tdat_build *b)
{
	const char *clock = buf->clock ? buf->clock : w->meta.clock;

	if (buf->clock_block.ptr)
		tdat_build_bytes(b, buf->clock_block.ptr, buf->clock_block.len);
	else
		/* Without the text, readers take "local", too. */
		tdat_build_printf(b, "[%s]", *clock ? clock : "local");
}

/*
 * The table with offset and length of each CPU's data. They are known beforehand: CPU areas
 * follow in order, each at a multiple of the page size.
 */
static enum tdat_status v6_extents(const struct tdat_writer *w, const struct write_buffer *buf,
				   uint64_t off, struct tdat_build *b, struct tdat_error *err)
{
	uint32_t cpus = write_cpu_count(w);
	enum tdat_status st = TDAT_OK;

	for (uint32_t cpu = 0; st == TDAT_OK && cpu < cpus; cpu++) {
		uint64_t len = 0;

		if (cpu < buf->stream_cap && buf->streams[cpu]) {
			struct write_data d = write_data_stream(buf->streams[cpu]);

			st = write_data_len(&d, &len, err);
		}
		/* The same places that write_out_align() finds when the data is written. */
		off = align_up(off, w->meta.page_size);
		tdat_build_u64(b, off);
		tdat_build_u64(b, len);
		off += len;
	}
	return st;
}

/* Writes the table of one buffer, then zeros up to its data. */
static enum tdat_status v6_table(struct tdat_writer *w, const struct write_buffer *buf,
				 struct tdat_error *err)
{
	struct tdat_build b, clock;
	enum tdat_status st;
	uint64_t off;

	tdat_build_init(&b, w->meta.big);
	tdat_build_init(&clock, w->meta.big);
	v6_clock(w, buf, &clock);
	/*
	 * The head of the table: "flyrecord", then 16 bytes for each CPU, then the clock with its
	 * length.
	 */
	off = write_out_pos(&w->out) + 10 + 16ull * write_cpu_count(w) + 8 + clock.len;
	tdat_build_bytes(&b, "flyrecord", 10);
	st = v6_extents(w, buf, off, &b, err);
	tdat_build_u64(&b, clock.len);
	tdat_build_bytes(&b, clock.ptr, clock.len);
	b.failed |= clock.failed;
	if (st == TDAT_OK)
		st = out_build(w, &b, err);
	tdat_build_fini(&clock);
	tdat_build_fini(&b);
	return st == TDAT_OK ? write_out_align(&w->out, w->meta.page_size, err) : st;
}

/* Writes a buffer. CPUs without data have length 0 in the table. */
static enum tdat_status v6_buffer(struct tdat_writer *w, struct write_buffer *buf,
				  struct tdat_error *err)
{
	enum tdat_status st;

	buf->off = write_out_pos(&w->out);
	st = v6_table(w, buf, err);
	for (uint32_t i = 0; st == TDAT_OK && i < buf->stream_cap; i++) {
		struct write_data d;

		if (!buf->streams[i])
			continue;
		d = write_data_stream(buf->streams[i]);
		st = write_out_align(&w->out, w->meta.page_size, err);
		if (st == TDAT_OK)
			st = write_data_put(w, &d, err);
	}
	return st;
}

/* Latency text takes the place of all CPU data and runs to the end of the file. */
static enum tdat_status v6_latency(struct tdat_writer *w, const struct write_buffer *top,
				   struct tdat_error *err)
{
	enum tdat_status st = write_out_bytes(&w->out, "latency  ", 10, err);
	struct write_data d = write_data_latency(top);

	return st == TDAT_OK ? write_data_put(w, &d, err) : st;
}

/* Fails if the file has data that version 6 cannot hold, before anything is written. */
static enum tdat_status v6_check(const struct tdat_writer *w, struct tdat_error *err)
{
	const struct write_buffer *top = w->buffers[0];

	for (uint32_t i = 1; i < w->buffer_count; i++)
		if (w->buffers[i]->has_latency)
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "version 6 cannot hold latency text of the "
					      "instance %s",
					      w->buffers[i]->name);
	if (!top->has_latency)
		return TDAT_OK;
	if (w->buffer_count > 1)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "version 6 cannot hold latency text and CPU data");
	return TDAT_OK;
}

/* Writes the instances, whose offsets the metadata has as zero until then. */
static enum tdat_status v6_buffers(struct tdat_writer *w, const uint64_t *option_offs,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint8_t off[8];

	if (w->buffers[0]->has_latency)
		return v6_latency(w, w->buffers[0], err);
	for (uint32_t i = 0; st == TDAT_OK && i < w->buffer_count; i++) {
		st = v6_buffer(w, w->buffers[i], err);
		if (st != TDAT_OK || !i)
			continue;
		tdat_store64(off, w->buffers[i]->off, w->meta.big);
		st = write_out_patch(&w->out, option_offs[i], off, sizeof(off), err);
	}
	return st;
}

/* Writes the metadata in one piece, then the data of each buffer. */
enum tdat_status write_v6(struct tdat_writer *w, struct tdat_error *err)
{
	struct tdat_build b, option_offs;
	enum tdat_status st = v6_check(w, err);

	if (st != TDAT_OK)
		return st;
	tdat_build_init(&b, w->meta.big);
	/* An array of u64 in a struct tdat_build: index i is buffer i. */
	tdat_build_init(&option_offs, false);
	tdat_build_fill(&option_offs, 0, w->buffer_count * sizeof(uint64_t));
	b.failed |= option_offs.failed;
	if (!b.failed)
		v6_head(w, &b, (uint64_t *)(void *)option_offs.ptr);
	st = out_build(w, &b, err);
	tdat_build_fini(&b);
	if (st == TDAT_OK)
		st = v6_buffers(w, (const uint64_t *)(const void *)option_offs.ptr, err);
	tdat_build_fini(&option_offs);
	return st;
}
