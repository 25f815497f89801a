/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes version 7: sections one after the other, found through two options sections. The first
 * holds facts of the capture and the offsets of metadata, the second, behind the CPU data, the
 * offsets of buffers. Metadata is compressed unless it would inflate to more than readers
 * accept. Section descriptions are collected as strings, which become the last section.
 */
#include "parts.h"
#include "data.h"
#include "core/limits.h"
#include "dat/index.h"
#include "dat/option_table.h"

/* SECTION_COMPRESSED: a flag of the section's head, which is id, flags, description, size. */
enum { SECTION_COMPRESSED = 1, SECTION_HEAD = 16 };

/* The state of laying out one file. */
struct v7 {
	struct tdat_writer *w;
	struct tdat_build strings; /* descriptions of sections */
	struct tdat_build options; /* the options section being collected */
	uint64_t link;		   /* where the offset of the next options section goes */
	uint64_t inflated_len;	   /* what compressed sections inflate to together */
};

/* Writes the head of a section, whose size section_end fills in when it is not known yet. */
static enum tdat_status section_head(struct v7 *v, uint16_t id, bool compressed,
				     const char *description, uint64_t size, struct tdat_error *err)
{
	bool big = v->w->meta.big;
	uint8_t head[SECTION_HEAD];

	tdat_store16(head, id, big);
	tdat_store16(head + 2, compressed ? SECTION_COMPRESSED : 0, big);
	/* The description is an offset into the strings, which follow at the end. */
	tdat_store32(head + 4, (uint32_t)v->strings.len, big);
	tdat_store64(head + 8, size, big);
	tdat_build_cstr(&v->strings, description);
	if (v->strings.failed)
		return tdat_error_no_memory(err, v->w->out.name);
	return write_out_bytes(&v->w->out, head, sizeof(head), err);
}

/* Fills in the size of a section whose data was just written. */
static enum tdat_status section_end(struct v7 *v, uint64_t off, struct tdat_error *err)
{
	uint8_t size[8];

	tdat_store64(size, write_out_pos(&v->w->out) - off - SECTION_HEAD, v->w->meta.big);
	return write_out_patch(&v->w->out, off + 8, size, sizeof(size), err);
}

static enum tdat_status section_plain(struct v7 *v, uint16_t id, const char *description,
				      const uint8_t *p, size_t len, struct tdat_error *err)
{
	enum tdat_status st = section_head(v, id, false, description, len, err);

	return st == TDAT_OK ? write_out_bytes(&v->w->out, p, len, err) : st;
}

/*
 * True if readers accept a section that inflates from out_len to len bytes. They bound how much
 * metadata may inflate to by the length of the file, which is at least the length so far.
 */
static bool inflates(struct v7 *v, size_t len, size_t out_len)
{

	return dat_inflate_text(&TDAT_LIMITS_DEFAULT, write_out_pos(&v->w->out) + out_len,
				&v->inflated_len, "", TDAT_NO_OFFSET, len, NULL) == TDAT_OK;
}

/*
 * Writes a section as {compressed size, size, data}, or plain if readers would reject the
 * compressed one.
 */
static enum tdat_status section_packed(struct v7 *v, uint16_t id, const char *description,
				       const uint8_t *p, size_t len, struct tdat_error *err)
{
	const struct tdat_codec *codec = v->w->codec;
	int level = v->w->level ? v->w->level : codec->default_level;
	size_t out_len = codec->bound(len);
	const char *why = "";
	struct tdat_build b;
	enum tdat_status st;
	uint8_t *room;

	if (len > UINT32_MAX || out_len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "section \"%s\" of %zu bytes does not fit in 32 bits",
				      description, len);
	tdat_build_init(&b, v->w->meta.big);
	/* The data goes behind both sizes, which are known only then. */
	room = tdat_build_room(&b, 8 + out_len);
	if (!room) {
		st = tdat_error_no_memory(err, v->w->out.name);
	} else if (codec->deflate(NULL, p, len, room + 8, &out_len, level, &why)) {
		st = tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				    "cannot compress section \"%s\" with %s: %s", description,
				    codec->name, why);
	} else if (!inflates(v, len, out_len)) {
		st = section_plain(v, id, description, p, len, err);
	} else {
		tdat_build_u32(&b, (uint32_t)out_len);
		tdat_build_u32(&b, (uint32_t)len);
		st = section_head(v, id, true, description, 8 + out_len, err);
		if (st == TDAT_OK)
			st = write_out_bytes(&v->w->out, b.ptr, 8 + out_len, err);
	}
	tdat_build_fini(&b);
	return st;
}

/*
 * Writes the section of a metadata part, and the option with its offset. raw: a copied part, or
 * NULL.
 */
static enum tdat_status v7_part(struct v7 *v, uint16_t id, const char *description,
				const struct write_raw *raw, struct tdat_error *err)
{
	uint64_t off = write_out_pos(&v->w->out);
	enum tdat_status st;
	struct tdat_build b;

	tdat_build_u16(&v->options, id);
	tdat_build_u32(&v->options, 8);
	tdat_build_u64(&v->options, off);
	tdat_build_init(&b, v->w->meta.big);
	if (raw)
		tdat_build_bytes(&b, raw->body.ptr, raw->body.len);
	else
		write_parts_one(&v->w->meta, id, &b);
	if (b.failed)
		st = tdat_error_no_memory(err, v->w->out.name);
	else if (v->w->codec)
		st = section_packed(v, id, description, b.ptr, b.len, err);
	else
		st = section_plain(v, id, description, b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

/* The head ends with the codec and the offset of the first options section, which is patched. */
static enum tdat_status v7_head(struct v7 *v, struct tdat_error *err)
{
	struct tdat_writer *w = v->w;
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, w->meta.big);
	write_parts_head(w, &b);
	tdat_build_cstr(&b, w->codec ? w->codec->name : "none");
	tdat_build_cstr(&b, w->codec ? w->codec->version() : "");
	v->link = b.len;
	tdat_build_u64(&b, 0);
	st = b.failed ? tdat_error_no_memory(err, v->w->out.name)
		      : write_out_bytes(&w->out, b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

static enum tdat_status v7_metadata(struct v7 *v, struct tdat_error *err)
{
	const struct write_meta *meta = &v->w->meta;
	enum tdat_status st = TDAT_OK;

	for (uint16_t id = DAT_PART_FIRST; st == TDAT_OK && id <= DAT_PART_LAST; id++)
		st = v7_part(v, id, dat_option_def(id)->section, NULL, err);
	/* Copied sections that are not parts, for example BTF, follow. */
	for (size_t i = 0; st == TDAT_OK && i < meta->raw_count; i++)
		if (dat_option_role(meta->raws[i].id) != DAT_ROLE_PART)
			st = v7_part(v, meta->raws[i].id, meta->raws[i].description, &meta->raws[i],
				     err);
	return st;
}

/* Writes the collected options and links them from the section before. */
static enum tdat_status v7_options(struct v7 *v, struct tdat_error *err)
{
	uint64_t off = write_out_pos(&v->w->out);
	enum tdat_status st;
	uint8_t link[8];

	/* DONE has the offset of the next options section: 0 until there is one. */
	tdat_build_u16(&v->options, TDAT_OPTION_DONE);
	tdat_build_u32(&v->options, 8);
	tdat_build_u64(&v->options, 0);
	if (v->options.failed)
		return tdat_error_no_memory(err, v->w->out.name);
	tdat_store64(link, off, v->w->meta.big);
	st = write_out_patch(&v->w->out, v->link, link, sizeof(link), err);
	if (st == TDAT_OK)
		st = section_plain(v, TDAT_OPTION_DONE, "options", v->options.ptr, v->options.len,
				   err);
	/* The offset is the last value of the section. */
	v->link = write_out_pos(&v->w->out) - 8;
	v->options.len = 0;
	return st;
}

/* Starts the option of a buffer; *at is where its size goes. */
static void option_begin(struct v7 *v, uint16_t id, const struct write_buffer *buf, size_t *at)
{
	tdat_build_u16(&v->options, id);
	*at = v->options.len;
	tdat_build_u32(&v->options, 0);
	tdat_build_u64(&v->options, buf->off);
	tdat_build_cstr(&v->options, buf->name);
	tdat_build_cstr(&v->options, buf->clock ? buf->clock : v->w->meta.clock);
}

static void option_end(struct v7 *v, size_t at)
{
	if (!v->options.failed)
		tdat_store32(v->options.ptr + at, (uint32_t)(v->options.len - at - 4),
			     v->options.big);
}

/* Appends one CPU: its data to the file, its place to the buffer's option. */
static enum tdat_status v7_cpu(struct v7 *v, const struct write_buffer *buf,
			       const struct write_stream *s, struct tdat_error *err)
{
	struct write_out *out = &v->w->out;
	/* Plain data begins at a page, so that readers can map it. */
	enum tdat_status st = write_out_align(out, buf->shape.size, err);
	struct write_data d = write_data_stream(s);
	uint64_t off = write_out_pos(out);

	if (st == TDAT_OK)
		st = write_data_put(v->w, &d, err);
	tdat_build_u32(&v->options, s->cpu);
	tdat_build_u64(&v->options, off);
	tdat_build_u64(&v->options, write_out_pos(out) - off);
	return st;
}

/* CPUs without data are not listed in version 7. */
static bool has_data(const struct write_buffer *buf, uint32_t cpu)
{
	struct write_data d;

	if (!buf->streams[cpu])
		return false;
	d = write_data_stream(buf->streams[cpu]);
	return write_data_any(&d);
}

static enum tdat_status v7_flyrecord(struct v7 *v, struct write_buffer *buf, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint32_t cpus = 0;
	size_t at;

	option_begin(v, TDAT_OPTION_BUFFER, buf, &at);
	tdat_build_u32(&v->options, buf->shape.size);
	/* The number of CPUs comes before their places. */
	for (uint32_t i = 0; i < buf->stream_cap; i++)
		cpus += has_data(buf, i);
	tdat_build_u32(&v->options, cpus);
	for (uint32_t i = 0; st == TDAT_OK && i < buf->stream_cap; i++)
		if (has_data(buf, i))
			st = v7_cpu(v, buf, buf->streams[i], err);
	option_end(v, at);
	return st;
}

static enum tdat_status v7_latency(struct v7 *v, struct write_buffer *buf, struct tdat_error *err)
{
	struct write_data d = write_data_latency(buf);
	size_t at;

	option_begin(v, TDAT_OPTION_BUFFER_TEXT, buf, &at);
	option_end(v, at);
	return write_data_put(v->w, &d, err);
}

/* Writes a buffer's section; its option goes to the second options section. */
static enum tdat_status v7_buffer(struct v7 *v, struct write_buffer *buf, struct tdat_error *err)
{
	bool latency = buf->has_latency;
	struct tdat_build name;
	enum tdat_status st;

	/* The descriptions are those of libtracecmd. */
	tdat_build_init(&name, false);
	tdat_build_str(&name, latency ? "buffer latency" : "buffer flyrecord ");
	tdat_build_cstr(&name, latency ? "" : buf->name);
	buf->off = write_out_pos(&v->w->out);
	st = name.failed ? tdat_error_no_memory(err, v->w->out.name)
			 : section_head(v, latency ? TDAT_OPTION_BUFFER_TEXT : TDAT_OPTION_BUFFER,
					v->w->codec, (const char *)name.ptr, 0, err);
	tdat_build_fini(&name);
	if (st == TDAT_OK)
		st = latency ? v7_latency(v, buf, err) : v7_flyrecord(v, buf, err);
	return st == TDAT_OK ? section_end(v, buf->off, err) : st;
}

/* Writes the strings as the last section. Its own description is among them. */
static enum tdat_status v7_strings(struct v7 *v, struct tdat_error *err)
{
	struct tdat_build copy;
	enum tdat_status st;

	tdat_build_init(&copy, v->w->meta.big);
	tdat_build_bytes(&copy, v->strings.ptr, v->strings.len);
	tdat_build_cstr(&copy, "strings");
	if (copy.failed)
		st = tdat_error_no_memory(err, v->w->out.name);
	else if (v->w->codec)
		st = section_packed(v, TDAT_OPTION_STRINGS, "strings", copy.ptr, copy.len, err);
	else
		st = section_plain(v, TDAT_OPTION_STRINGS, "strings", copy.ptr, copy.len, err);
	tdat_build_fini(&copy);
	return st;
}

/* The order of libtracecmd: head, metadata, options, buffers, options, strings. */
static enum tdat_status v7_run(struct v7 *v, struct tdat_error *err)
{
	struct tdat_writer *w = v->w;
	enum tdat_status st = v7_head(v, err);

	if (st == TDAT_OK)
		st = v7_metadata(v, err);
	/* Facts are in the first options section, so a reader has them before any buffer. */
	write_parts_facts(&w->meta, &v->options);
	tdat_build_u16(&v->options, TDAT_OPTION_CPUCOUNT);
	tdat_build_u32(&v->options, 4);
	tdat_build_u32(&v->options, write_cpu_count(w));
	if (st == TDAT_OK)
		st = v7_options(v, err);
	for (uint32_t i = 0; st == TDAT_OK && i < w->buffer_count; i++)
		st = w->buffers[i]->absent ? TDAT_OK : v7_buffer(v, w->buffers[i], err);
	if (st == TDAT_OK)
		st = v7_options(v, err);
	return st == TDAT_OK ? v7_strings(v, err) : st;
}

enum tdat_status write_v7(struct tdat_writer *w, struct tdat_error *err)
{
	struct v7 v = {.w = w};
	enum tdat_status st;

	tdat_build_init(&v.strings, w->meta.big);
	tdat_build_init(&v.options, w->meta.big);
	st = v7_run(&v, err);
	tdat_build_fini(&v.strings);
	tdat_build_fini(&v.options);
	return st;
}
