/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands a file as a whole to a writer: nothing is decoded, and CPU data is copied by the writer.
 * Metadata, options, sections and buffers are copied unchanged for convert, repair, split and
 * merge. CPU data is only borrowed, and copied by the kernel when the new file is laid out. The
 * rule for each option is its row in lib/dat/option_table.c. Data that the target cannot hold is
 * left out with a warning, never in silence.
 */
#include <stdio.h>

#include "copy.h"
#include "copy_once.h"
#include "core/cursor.h"
#include "dat/index.h"
#include "dat/option_table.h"
#include "file/file.h"
#include "write/emit_ops.h"

/*
 * CLOCK_MAX: longer texts of clocks are not real. SECTION_MAX: bytes of one part, held in memory.
 */
enum { CLOCK_MAX = 4096, SECTION_MAX = 1 << 28 };

/* A copy under way; made for each call, as it only points to its parts. */
struct copy {
	struct tdat_writer *w;
	const struct tdat_file *file;
	const struct tdat_file_info *info;
	const struct tdat_source *src;
	const struct tdat_codec *codec; /* of the file; NULL: none */
};

/* Reads len bytes at off: borrowed from a mapped file, or copied into the writer's arena. */
static enum tdat_status copy_bytes(const struct copy *c, uint64_t off, uint64_t len,
				   struct tdat_span *out, struct tdat_error *err)
{
	uint8_t *own;

	if (len > SECTION_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "%llu bytes at offset %llu of %s are too many: a part of a "
				      "file has at most %d",
				      (unsigned long long)len, (unsigned long long)off,
				      c->info->name, SECTION_MAX);
	out->len = (size_t)len;
	out->ptr = tdat_source_peek(c->src, off, out->len);
	if (out->ptr)
		return TDAT_OK;
	own = tdat_arena_alloc(&c->w->meta.arena, out->len + 1);
	if (!own)
		return tdat_error_no_memory(err, c->info->name);
	out->ptr = own;
	return tdat_source_read(c->src, off, own, out->len, err);
}

/* ---- sections ---- */

/* Counts len more inflated bytes, with the limits by which the file was opened. */
static enum tdat_status allow(const struct copy *c, uint64_t off, uint64_t len,
			      struct tdat_error *err)
{
	struct write_meta *m = &c->w->meta;

	/* Limits count per file: a merge copies sections of several. */
	if (m->inflated_of != c->file)
		m->inflated_len = 0;
	m->inflated_of = c->file;
	return dat_inflate_text(tdat_file_limits(c->file), tdat_source_len(c->src),
				&m->inflated_len, "a section", off, len, err);
}

/*
 * Returns the body of a section, inflated: the writer compresses it anew, perhaps by another codec.
 */
static enum tdat_status section_body(const struct copy *c, const struct tdat_section *s,
				     struct tdat_span *out, struct tdat_error *err)
{
	enum tdat_status st = copy_bytes(c, s->body_off, s->body_len, out, err);
	struct tdat_cursor cur;
	struct tdat_span in;
	uint32_t in_len, len;
	const char *why = "";
	uint8_t *own;

	if (st != TDAT_OK || !s->compressed)
		return st;
	/*
	 * Compressed bodies begin with both sizes, as in section_packed() of lib/write/write_v7.c.
	 */
	cur = tdat_cursor_init(out->ptr, out->len, s->body_off, c->info->big_endian);
	in_len = tdat_cursor_u32(&cur);
	len = tdat_cursor_u32(&cur);
	in = tdat_cursor_bytes(&cur, in_len);
	if (!tdat_cursor_ok(&cur))
		return tdat_cursor_error(&cur, err, "a compressed section");
	if (!c->codec)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, s->off,
				      "section %u at offset %llu of %s cannot be decompressed to "
				      "%u bytes: the file names no known compression",
				      s->id, (unsigned long long)s->off, c->info->name, len);
	st = allow(c, s->off, len, err);
	if (st != TDAT_OK)
		return st;
	own = tdat_arena_alloc(&c->w->meta.arena, (size_t)len + 1);
	if (!own)
		return tdat_error_no_memory(err, c->info->name);
	if (c->codec->inflate(NULL, in.ptr, in.len, own, len, &why))
		return tdat_error_set(err, TDAT_E_DAMAGED, s->off,
				      "section %u at offset %llu of %s: %s", s->id,
				      (unsigned long long)s->off, c->info->name, why);
	out->ptr = own;
	out->len = len;
	return TDAT_OK;
}

/* Returns the section whose offset an option holds, or NULL if the option holds something else. */
static const struct tdat_section *section_of(const struct copy *c,
					     const struct tdat_file_option *opt)
{
	const struct tdat_section *list, *s;
	size_t count;

	/*
	 * An option of CPU data is never copied, since the writer makes its own, even one that is
	 * cut to 8 bytes and so looks like a mere offset.
	 */
	if (c->info->version < 7 || opt->data.len != 8 ||
	    dat_option_role(opt->id) == DAT_ROLE_END || dat_option_role(opt->id) == DAT_ROLE_DATA)
		return NULL;
	/* The id must agree, too: a number that is not an offset may hit the start of a section. */
	list = tdat_file_sections(c->file, &count);
	s = dat_section_at(list, count, tdat_load64(opt->data.ptr, c->info->big_endian));
	return s && s->id == opt->id ? s : NULL;
}

static bool is_part(uint16_t id)
{
	return dat_option_role(id) == DAT_ROLE_PART;
}

/* Warns that a section is left out, since version 6 cannot hold it. */
static enum tdat_status leave_out(const struct copy *c, const struct tdat_section *s,
				  struct tdat_error *err)
{
	char sentence[256];

	snprintf(sentence, sizeof(sentence),
		 "section %u \"%.64s\" of %llu bytes is omitted, because version 6 cannot store it",
		 s->id, s->description ? s->description : "", (unsigned long long)s->body_len);
	return tdat_emit_warn(&c->w->emit, c->info->name, s->off, sentence, err);
}

/* Version 6 has no lengths of parts: what follows a broken one could not be found. */
static enum tdat_status broken_part(const struct copy *c, const struct tdat_section *s,
				    struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, s->off,
			      "section %u (%s) at offset %llu of %s is damaged, and version 6 "
			      "cannot hold it: write version 7, or repair the file first",
			      s->id, dat_option_def(s->id)->section, (unsigned long long)s->off,
			      c->info->name);
}

/* Version 6 has a place for the metadata parts only. */
static enum tdat_status copy_section(const struct copy *c, const struct tdat_section *s,
				     struct tdat_error *err)
{
	struct tdat_span body;
	enum tdat_status st;

	/*
	 * Further sections have no place in version 6; a part that is damaged cannot be written
	 * there.
	 */
	if (c->w->version < 7 && !is_part(s->id))
		return leave_out(c, s, err);
	if (c->w->version < 7 && c->info->version >= 7 &&
	    c->file->ix.part_broken[s->id - DAT_PART_FIRST])
		return broken_part(c, s, err);
	st = section_body(c, s, &body, err);
	return st == TDAT_OK ? write_meta_add_raw(&c->w->meta, s->id, s->description, body, err)
			     : st;
}

/*
 * True if a part is not copied from the file: the writer has it already, or it is a header_page
 * that could not be read. Pages are then read, and written, with the usual layout.
 */
static bool made_anew(const struct copy *c, uint16_t id)
{
	const struct dat_index *ix = &c->file->ix;

	return (is_part(id) && write_meta_raw(&c->w->meta, id)) ||
	       (id == TDAT_OPTION_HEADER_INFO && !ix->header_page.len && !ix->old_ring_buffer);
}

/*
 * True if a later option holds the offset of another section of the same kind. Readers use the last
 * one, so the section of this option is not copied.
 */
static bool given_again(const struct copy *c, size_t index)
{
	const struct tdat_file_option *opts;
	size_t count;

	opts = tdat_file_options(c->file, &count);
	if (!dat_option_is_own(opts[index].id))
		return false;
	for (size_t i = index + 1; i < count; i++)
		if (opts[i].id == opts[index].id)
			return true;
	return false;
}

/*
 * Copies all sections. Parts of version 6 are in the order of the file, those of version 7 as their
 * options say. Sections that other options hold, for example BTF, follow.
 */
static enum tdat_status copy_sections(const struct copy *c, struct tdat_error *err)
{
	const struct tdat_section *list;
	const struct tdat_file_option *opts;
	enum tdat_status st = TDAT_OK;
	size_t count;

	list = tdat_file_sections(c->file, &count);
	for (size_t i = 0; st == TDAT_OK && c->info->version < 7 && i < count; i++)
		if (is_part(list[i].id) && !made_anew(c, list[i].id))
			st = copy_section(c, &list[i], err);
	/* Offsets are 0 in version 6, so this finds parts of version 7 only. */
	for (size_t i = 0; st == TDAT_OK && i < DAT_PART_COUNT; i++) {
		const uint64_t off = c->file->ix.part_offs[i];
		const struct tdat_section *s = off ? dat_section_at(list, count, off) : NULL;

		if (s && is_part(s->id) && !made_anew(c, s->id))
			st = copy_section(c, s, err);
	}
	opts = tdat_file_options(c->file, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		const struct tdat_section *s = section_of(c, &opts[i]);

		if (s && !is_part(s->id) && !given_again(c, i))
			st = copy_section(c, s, err);
	}
	return st;
}

/* ---- options ---- */

/*
 * Finds the text of the clock behind a table of version 6, if the file has option TRACECLOCK
 * (docs/file-format.md, section 3). ptr is NULL without one.
 */
static enum tdat_status clock_block(const struct copy *c, const struct tdat_buffer *buf,
				    struct tdat_span *out, struct tdat_error *err)
{
	uint64_t off = buf->off + 10 + 16ull * buf->cpu_count, len;
	uint8_t raw[8];

	*out = (struct tdat_span){NULL, 0};
	if (c->info->version != 6 || buf->latency ||
	    !tdat_file_option_by_id(c->file, TDAT_OPTION_TRACECLOCK))
		return TDAT_OK;
	if (tdat_source_read(c->src, off, raw, sizeof(raw), NULL) != TDAT_OK)
		return TDAT_OK; /* cut: readers take "local" */
	len = tdat_load64(raw, c->info->big_endian);
	/* A length that cannot be: the copy has the usual text of the clock. */
	if (len > CLOCK_MAX || tdat_source_len(c->src) - off - 8 < len)
		return TDAT_OK;
	return copy_bytes(c, off + 8, len, out, err);
}

/* Makes option TRACECLOCK where an old writer left it empty: its text is behind the table. */
static enum tdat_status copy_empty_clock(const struct copy *c, struct tdat_error *err)
{
	const struct tdat_buffer *buffers;
	struct tdat_span block = {NULL, 0};
	struct tdat_build text;
	enum tdat_status st = TDAT_OK;
	size_t count;

	buffers = tdat_file_buffers(c->file, &count);
	if (c->w->version >= 7 && count)
		st = clock_block(c, &buffers[0], &block, err);
	if (st != TDAT_OK || !block.ptr)
		return st != TDAT_OK
			       ? st
			       : write_meta_option(&c->w->meta, TDAT_OPTION_TRACECLOCK, "", 0, err);
	/* The text may lack its NUL in the block; the option has one. */
	tdat_build_init(&text, false);
	tdat_build_bytes(&text, block.ptr, strnlen((const char *)block.ptr, block.len));
	tdat_build_u8(&text, 0);
	st = text.failed ? tdat_error_no_memory(err, c->info->name)
			 : write_meta_option(&c->w->meta, TDAT_OPTION_TRACECLOCK, text.ptr,
					     text.len, err);
	tdat_build_fini(&text);
	return st;
}

/*
 * Adds option CPUCOUNT with the number of CPUs that the copy has. In version 7 the writer makes it.
 */
static enum tdat_status copy_cpu_count(const struct copy *c, struct tdat_error *err)
{
	uint8_t count[4];

	if (c->w->version >= 7)
		return TDAT_OK;
	tdat_store32(count, write_cpu_count(c->w), c->info->big_endian);
	return write_meta_option(&c->w->meta, TDAT_OPTION_CPUCOUNT, count, sizeof(count), err);
}

static enum tdat_status copy_option(const struct copy *c, const struct tdat_file_option *o,
				    struct tdat_error *err)
{
	if (dat_option_is_cpu_count(o))
		return copy_cpu_count(c, err);
	if (dat_option_def(o->id)->shape == DAT_SHAPE_CLOCK && !o->data.len)
		return copy_empty_clock(c, err);
	return write_meta_option(&c->w->meta, o->id, o->data.ptr, o->data.len, err);
}

/* Copies the options, except those that the writer makes itself and those that lead to sections. */
static enum tdat_status copy_options(const struct copy *c, struct tdat_error *err)
{
	const struct tdat_file_option *opts;
	enum tdat_status st = TDAT_OK;
	struct tdat_build text;
	size_t count;

	tdat_build_init(&text, false);
	opts = tdat_file_options(c->file, &count);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		struct tdat_file_option o;

		/*
		 * Checked for all options, also those that are left out: their bytes could be lost
		 * there, too.
		 */
		st = copy_option_whole(c->file, &opts[i], false, err);
		if (st != TDAT_OK || dat_option_is_own(opts[i].id) || section_of(c, &opts[i]) ||
		    !copy_option_once(c->file, i, &text, &o))
			continue;
		st = text.failed ? tdat_error_no_memory(err, c->info->name)
				 : copy_option(c, &o, err);
	}
	tdat_build_fini(&text);
	return st;
}

/* ---- buffers ---- */

/* Nothing is read: each stream borrows its extent of the source. */
static enum tdat_status copy_cpus(const struct copy *c, uint32_t number,
				  const struct tdat_buffer *from, struct tdat_error *err)
{
	for (uint32_t i = 0; i < from->cpu_count; i++) {
		const struct tdat_cpu *cpu = &from->cpus[i];
		struct write_stream *s;
		enum tdat_status st;

		if (!cpu->len)
			continue;
		st = write_find_stream(c->w, number, cpu->cpu, &s, err);
		if (st != TDAT_OK)
			return st;
		/* A stream has one source; two extents of one CPU cannot be joined unread. */
		if (s->from.src)
			return tdat_error_set(err, TDAT_E_DAMAGED, from->off,
					      "CPU %u occurs twice in buffer \"%s\" of %s",
					      cpu->cpu, from->name, c->info->name);
		s->from = (struct write_borrow){c->src,
						cpu->off,
						cpu->len,
						from->compressed ? c->codec : NULL,
						c->info->big_endian,
						c->file};
	}
	return TDAT_OK;
}

/* Version 7 has the text in a section; sections are searched once a file. */
static enum tdat_status copy_latency(const struct copy *c, struct write_buffer *to,
				     const struct tdat_buffer *from, struct tdat_error *err)
{
	const struct tdat_section *list;
	size_t count;

	/* Version 6 has the text from its start to the end of the file. */
	to->has_latency = true;
	to->latency_from = (struct write_borrow){c->src,
						 from->off,
						 tdat_source_len(c->src) - from->off,
						 from->compressed ? c->codec : NULL,
						 c->info->big_endian,
						 c->file};
	if (c->info->version < 7)
		return TDAT_OK;
	list = tdat_file_sections(c->file, &count);
	for (size_t i = 0; i < count; i++) {
		if (list[i].off != from->off)
			continue;
		to->latency_from.off = list[i].body_off;
		to->latency_from.len = list[i].body_len;
		return TDAT_OK;
	}
	/* Opening a sound file makes this section, so only damage leads here. */
	return tdat_error_set(err, TDAT_E_DAMAGED, from->off,
			      "buffer \"%s\" has no section for its latency text", from->name);
}

/* Sets *number to the writer's top buffer for the name "", or adds a buffer instance. */
static enum tdat_status add_buffer(const struct copy *c, const char *name, const char *clock,
				   uint32_t *number, struct tdat_error *err)
{
	struct write_buffer *top = c->w->buffers[0];
	enum tdat_status st;

	*number = 0;
	/* A second buffer named "" of a damaged file becomes an instance. */
	if (*name || !top->absent) {
		st = write_add_buffer(c->w, name, *clock ? clock : NULL, err);
		*number = c->w->buffer_count - 1;
		return st;
	}
	top->absent = false;
	if (!*clock)
		return TDAT_OK;
	top->clock = tdat_arena_strndup(&c->w->meta.arena, clock, strlen(clock));
	return top->clock ? TDAT_OK : tdat_error_no_memory(err, c->info->name);
}

/* Pages keep their size, byte order and layout, as they are not taken apart. */
static enum tdat_status copy_buffer(const struct copy *c, const struct tdat_buffer *from,
				    const char *name, uint32_t *number, struct tdat_error *err)
{
	enum tdat_status st = add_buffer(c, name, from->clock, number, err);
	struct write_buffer *to;

	if (st != TDAT_OK)
		return st;
	to = c->w->buffers[*number];
	to->shape = (struct write_page_shape){from->page_size, c->info->kernel_long_size,
					      c->info->big_endian, c->file->ix.header_data_off};
	if (from->compressed && !c->codec)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, from->off,
				      "buffer \"%s\" of %s is compressed with %s, which this build "
				      "does not support",
				      from->name, c->info->name, c->info->compression);
	if (from->latency)
		return copy_latency(c, to, from, err);
	return clock_block(c, from, &to->clock_block, err);
}

/*
 * Copies all buffers. The writer's buffer 0 is the top buffer, and absent until the file has one.
 */
static enum tdat_status copy_buffers(const struct copy *c, struct tdat_error *err)
{
	const struct tdat_buffer *list;
	enum tdat_status st = TDAT_OK;
	size_t count;

	list = tdat_file_buffers(c->file, &count);
	c->w->buffers[0]->absent = true; /* until the file turns out to have a top buffer */
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		uint32_t number;

		st = copy_buffer(c, &list[i], list[i].name, &number, err);
		if (st == TDAT_OK && !list[i].latency)
			st = copy_cpus(c, number, &list[i], err);
	}
	return st;
}

/* Version 6 has one page size for all buffers, in its head. */
static enum tdat_status one_page_size(const struct copy *c, struct tdat_error *err)
{
	const struct tdat_buffer *list;
	size_t count;

	list = tdat_file_buffers(c->file, &count);
	for (size_t i = 0; i < count; i++) {
		if (list[i].latency)
			continue;
		if (list[i].page_size != list[0].page_size)
			return tdat_error_set(err, TDAT_E_UNSUPPORTED, list[i].off,
					      "version 6 cannot hold both pages of %u bytes "
					      "(buffer \"%s\") and pages of %u: write version 7",
					      list[i].page_size, list[i].name, list[0].page_size);
		c->w->meta.page_size = list[i].page_size;
	}
	return TDAT_OK;
}

static struct copy copy_of(struct tdat_writer *w, const struct tdat_file *file)
{
	struct copy c = {w, file, tdat_file_info(file), tdat_file_source(file), NULL};

	c.codec = tdat_codec_find(c.info->compression);
	return c;
}

/* Gives a fresh writer the shape of the file: byte order, sizes, CPUs. */
enum tdat_status copy_file_shape(struct tdat_writer *w, const struct tdat_file *file,
				 struct tdat_error *err)
{
	struct copy c = copy_of(w, file);
	enum tdat_status st = write_usable(w, err);

	if (st != TDAT_OK)
		return st;
	if (w->informed || w->begun || w->meta.format_count || w->buffer_count > 1)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a writer that already received data cannot copy a file");
	w->informed = w->begun = w->copied = true;
	w->meta.big = c.info->big_endian;
	w->meta.long_size = c.info->kernel_long_size;
	w->meta.header_long = c.info->long_size;
	w->meta.page_size = c.info->page_size;
	w->meta.cpu_count = c.info->cpu_count;
	return TDAT_OK;
}

/* The shape, with the check that version 6 can hold the pages. */
enum tdat_status copy_file_begin(struct tdat_writer *w, const struct tdat_file *file,
				 struct tdat_error *err)
{
	struct copy c = copy_of(w, file);
	enum tdat_status st = copy_file_shape(w, file, err);

	return st == TDAT_OK && w->version < 7 ? one_page_size(&c, err) : st;
}

enum tdat_status copy_file_sections(struct tdat_writer *w, const struct tdat_file *file,
				    struct tdat_error *err)
{
	struct copy c = copy_of(w, file);

	return copy_sections(&c, err);
}

enum tdat_status copy_file_buffer(struct tdat_writer *w, const struct tdat_file *file,
				  const struct tdat_buffer *from, const char *name,
				  uint32_t *number, struct tdat_error *err)
{
	struct copy c = copy_of(w, file);

	return copy_buffer(&c, from, name, number, err);
}

enum tdat_status copy_file_options(struct tdat_writer *w, const struct tdat_file *file,
				   struct tdat_error *err)
{
	struct copy c = copy_of(w, file);

	return copy_options(&c, err);
}

/* For repair and merge, which go option by option. *is_section: the option leads to one. */
enum tdat_status copy_file_extra(struct tdat_writer *w, const struct tdat_file *file,
				 const struct tdat_file_option *opt, bool *is_section,
				 struct tdat_error *err)
{
	struct copy c = copy_of(w, file);
	const struct tdat_section *s = section_of(&c, opt);

	*is_section = s != NULL;
	return s && !is_part(s->id) ? copy_section(&c, s, err) : TDAT_OK;
}

/* Later calls fail with the first cause. */
void copy_file_break(struct tdat_writer *w, enum tdat_status status, const struct tdat_error *err)
{
	tdat_error_set(&w->broken, status, TDAT_NO_OFFSET, "the copy to %s failed", w->out.name);
	if (err && err->status != TDAT_OK)
		w->broken = *err;
}

/* Wrong usage leaves the writer usable: nothing was copied yet. */
enum tdat_status copy_file_end(struct tdat_writer *w, enum tdat_status st,
			       const struct tdat_error *err)
{
	if (st != TDAT_OK && st != TDAT_E_USAGE)
		copy_file_break(w, st, err);
	return st;
}

/* Any failure breaks the writer (copy_file_end): no half copy appears. */
enum tdat_status tdat_writer_copy(struct tdat_writer *w, const struct tdat_file *file,
				  struct tdat_error *err)
{
	struct copy c = copy_of(w, file);
	enum tdat_status st = copy_file_begin(w, file, err);

	if (st == TDAT_OK)
		st = copy_sections(&c, err);
	if (st == TDAT_OK)
		st = copy_buffers(&c, err);
	if (st == TDAT_OK)
		st = copy_options(&c, err); /* last: CPUs are known */
	return copy_file_end(w, st, err);
}
