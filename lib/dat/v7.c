/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads version 7: sections anywhere, found through a chain of options sections
 * (docs/file-format.md, "Version 7"). The walk over all section headers only lists them with
 * their descriptions.
 */
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "chunk.h"
#include "option_table.h"
#include "v7.h"

enum { SECTION_HEADER_LEN = 16, SECTION_COMPRESSED = 1 };

enum tdat_status v7_read_head(struct dat_index *ix, uint64_t off, struct v7_head *h,
			      struct tdat_error *err)
{
	uint8_t raw[SECTION_HEADER_LEN];
	struct tdat_cursor c;
	enum tdat_status st = TDAT_OK;
	uint16_t flags;

	if (!tdat_range_ok(off, sizeof(raw), tdat_source_len(ix->src)))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "the file ends at %llu, but a section should start at offset "
				      "%llu",
				      (unsigned long long)tdat_source_len(ix->src),
				      (unsigned long long)off);
	st = tdat_source_read(ix->src, off, raw, sizeof(raw), err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(raw, sizeof(raw), off, ix->big);
	memset(h, 0, sizeof(*h));
	h->s.off = off;
	h->s.body_off = off + SECTION_HEADER_LEN;
	h->s.id = tdat_cursor_u16(&c);
	flags = tdat_cursor_u16(&c);
	h->string_id = tdat_cursor_u32(&c);
	h->s.body_len = tdat_cursor_u64(&c);
	h->s.compressed = flags & SECTION_COMPRESSED;
	h->s.description = "";
	return TDAT_OK;
}

/*
 * Reports bytes that a section has behind its contents: then the number of its items is wrong,
 * or something else.
 */
static enum tdat_status all_read(struct dat_index *ix, const struct tdat_section *s,
				 const char *what, const struct tdat_cursor *c,
				 struct tdat_error *err)
{
	if (!tdat_cursor_left(c))
		return TDAT_OK;
	tdat_error_set(err, TDAT_E_DAMAGED, s->off,
		       "section %u (%s) at offset %llu has %zu bytes behind what it lists", s->id,
		       what, (unsigned long long)s->off, tdat_cursor_left(c));
	return dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
}

/* A compressed body: u32 compressed size, u32 uncompressed size, data (§4.2). */
static enum tdat_status inflate_body(struct dat_index *ix, const struct tdat_section *s,
				     const char *what, struct tdat_span stored,
				     struct tdat_span *out, struct tdat_error *err)
{
	struct tdat_cursor c = tdat_cursor_init(stored.ptr, stored.len, s->body_off, ix->big);
	uint32_t in_len = tdat_cursor_u32(&c), out_len = tdat_cursor_u32(&c);
	struct tdat_span in = tdat_cursor_bytes(&c, in_len);
	enum tdat_status st;
	const char *why;
	uint8_t *buf;

	if (!tdat_cursor_ok(&c))
		return tdat_cursor_error(&c, err, what);
	if (!ix->codec)
		return tdat_error_set(err, TDAT_E_DAMAGED, s->off,
				      "%s at offset %llu is marked compressed in a file without "
				      "compression",
				      what, (unsigned long long)s->off);
	st = dat_index_inflate(ix, what, s->off, out_len, err);
	if (st != TDAT_OK)
		return st;
	buf = tdat_arena_alloc(&ix->arena, (size_t)out_len + 1);
	if (!buf)
		return tdat_error_set(err, TDAT_E_NOMEM, s->off, "no memory for %s", what);
	if (ix->codec->inflate(NULL, in.ptr, in.len, buf, out_len, &why))
		return tdat_error_set(err, TDAT_E_DAMAGED, s->off, "%s at offset %llu: %s", what,
				      (unsigned long long)s->off, why);
	*out = (struct tdat_span){buf, out_len};
	return all_read(ix, s, what, &c, err);
}

enum tdat_status v7_read_body(struct dat_index *ix, uint64_t off, uint16_t id, const char *what,
			      struct v7_head *h, struct tdat_span *out, struct tdat_error *err)
{
	enum tdat_status st = v7_read_head(ix, off, h, err);

	if (st == TDAT_OK && h->s.id != id)
		st = tdat_error_set(err, TDAT_E_DAMAGED, off,
				    "section %u (%s) should be at offset %llu, found section %u",
				    id, what, (unsigned long long)off, h->s.id);
	if (st == TDAT_OK)
		st = dat_index_bytes(ix, h->s.body_off, h->s.body_len, what, out, err);
	if (st == TDAT_OK && h->s.compressed)
		st = inflate_body(ix, &h->s, what, *out, out, err);
	return st;
}

/* ---- buffers ---- */

static int cpu_order(const void *a, const void *b)
{
	const struct tdat_cpu *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static bool cpu_taken(const struct tdat_cpu *cpus, uint32_t count, uint32_t cpu)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (cpus[i].cpu == cpu)
			return true;
	return false;
}

/*
 * A number that cannot be one, or that another CPU has, becomes the first that is
 * free: the data is there. cpus are in order up to the faulty one at index i.
 */
static enum tdat_status renumber(struct dat_index *ix, const struct tdat_buffer *b,
				 struct tdat_cpu *cpus, uint32_t i, uint64_t opt_off,
				 struct tdat_error *err)
{
	uint32_t was = cpus[i].cpu, now = 0;
	enum tdat_status st;

	while (cpu_taken(cpus, b->cpu_count, now))
		now++;
	if (was >= ix->limits.cpus)
		st = tdat_error_set(
			err, TDAT_E_LIMIT, opt_off,
			"buffer \"%.64s\" has a CPU %u, limit cpus is %u: taken as CPU %u", b->name,
			was, ix->limits.cpus, now);
	else
		st = tdat_error_set(err, TDAT_E_DAMAGED, opt_off,
				    "buffer \"%.64s\" lists CPU %u twice: one is taken as CPU %u",
				    b->name, was, now);
	cpus[i].cpu = now;
	return dat_index_tolerate(ix, st, err);
}

/* Checks bounds, order and duplicates of a buffer's CPUs. */
static enum tdat_status check_cpus(struct dat_index *ix, const struct tdat_buffer *b,
				   struct tdat_cpu *cpus, uint64_t opt_off, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint32_t i, faults = 0;

	qsort(cpus, b->cpu_count, sizeof(*cpus), cpu_order);
	for (i = 0; st == TDAT_OK && i < b->cpu_count; i++) {
		bool twice = i && cpus[i].cpu == cpus[i - 1].cpu;

		st = dat_index_clip_cpu(ix, &cpus[i], b->name, opt_off, err);
		if (st != TDAT_OK || (!twice && cpus[i].cpu < ix->limits.cpus))
			continue;
		/* Looking for free numbers takes time, and a table with many faults is none. */
		if (++faults > 64)
			return tdat_error_set(err, TDAT_E_DAMAGED, opt_off,
					      "buffer \"%.64s\" has %u CPUs and no sound numbers",
					      b->name, b->cpu_count);
		st = renumber(ix, b, cpus, i, opt_off, err);
	}
	qsort(cpus, b->cpu_count, sizeof(*cpus), cpu_order);
	return st;
}

static enum tdat_status read_cpus(struct dat_index *ix, struct tdat_cursor *c,
				  struct tdat_buffer *b, uint64_t opt_off, struct tdat_error *err)
{
	uint32_t count = tdat_cursor_u32(c), i;
	size_t room = tdat_cursor_left(c) / 20;
	struct tdat_cpu *cpus;

	if (!tdat_cursor_ok(c))
		return tdat_cursor_error(c, err, "option BUFFER");
	if (count > room || tdat_cursor_left(c) > 20 * (size_t)count) {
		enum tdat_status st;

		tdat_error_set(err, TDAT_E_DAMAGED, tdat_cursor_off(c),
			       "option BUFFER lists %u CPUs, but has %zu bytes for them", count,
			       tdat_cursor_left(c));
		st = dat_index_tolerate(ix, TDAT_E_DAMAGED, err);
		if (st != TDAT_OK)
			return st;
		count = (uint32_t)room; /* so many are there */
	}
	cpus = tdat_arena_array(&ix->arena, count, sizeof(*cpus));
	if (!cpus)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for %u CPUs",
				      count);
	for (i = 0; i < count; i++) {
		cpus[i].cpu = tdat_cursor_u32(c);
		cpus[i].off = tdat_cursor_u64(c);
		cpus[i].len = tdat_cursor_u64(c);
	}
	b->cpus = cpus;
	b->cpu_count = count;
	return check_cpus(ix, b, cpus, opt_off, err);
}

/* Latency text ends with its section, never with the file (§4.6). */
enum tdat_status v7_read_latency(struct dat_index *ix, const struct tdat_section *s,
				 struct tdat_error *err)
{
	struct tdat_span text;
	enum tdat_status st;

	if (s->compressed)
		st = dat_chunk_inflate_all(ix, s->body_off, s->body_len, "the latency trace", &text,
					   err);
	else
		st = dat_index_bytes(ix, s->body_off, s->body_len, "the latency trace", &text, err);
	if (st == TDAT_OK && !ix->latency.ptr)
		ix->latency = text;
	return st;
}

/* Reads the page size of a buffer; one that cannot be is replaced by that of the file's head. */
static enum tdat_status read_page_size(struct dat_index *ix, struct tdat_cursor *c,
				       struct tdat_buffer *b, uint64_t opt_off,
				       struct tdat_error *err)
{
	uint32_t size = tdat_cursor_u32(c);
	enum tdat_status st;

	if (!tdat_cursor_ok(c) || (size >= 64 && size <= ix->limits.page_len)) {
		b->page_size = size;
		return TDAT_OK;
	}
	st = tdat_error_set(
		err, size < 64 ? TDAT_E_DAMAGED : TDAT_E_LIMIT, opt_off,
		"buffer \"%.64s\" has page size %u, expected 64 to limit page_len of %u", b->name,
		size, ix->limits.page_len);
	return dat_index_tolerate(ix, st, err);
}

/*
 * Returns whether those numbers are big-endian that trace-cmd writes in the byte order of its own
 * machine instead of the file's.
 */
static bool writer_order(const struct dat_index *ix)
{
	return ix->big != ix->mixed_order;
}

static enum tdat_status read_buffer(struct dat_index *ix, const struct tdat_option *opt,
				    struct tdat_error *err)
{
	struct tdat_cursor c =
		tdat_cursor_init(opt->data.ptr, opt->data.len, opt->off, writer_order(ix));
	struct tdat_buffer b = {.off = tdat_cursor_u64(&c),
				.latency = opt->id == TDAT_OPTION_BUFFER_TEXT};
	struct tdat_span name = tdat_cursor_cstr(&c), clock = tdat_cursor_cstr(&c);
	struct v7_head h;
	enum tdat_status st;

	if (!tdat_cursor_ok(&c))
		return tdat_cursor_error(&c, err, "option BUFFER");
	b.name = tdat_arena_strndup(&ix->arena, name.ptr, name.len);
	b.clock = tdat_arena_strndup(&ix->arena, clock.ptr, clock.len);
	if (!b.name || !b.clock)
		return tdat_error_no_memory(err, "buffers");
	st = v7_read_head(ix, b.off, &h, err);
	if (st != TDAT_OK)
		return st;
	if (h.s.id != opt->id)
		return tdat_error_set(err, TDAT_E_DAMAGED, opt->off,
				      "buffer \"%.64s\" should be a section %u at offset %llu, "
				      "found section %u",
				      b.name, opt->id, (unsigned long long)b.off, h.s.id);
	b.compressed = h.s.compressed && ix->codec;
	b.page_size = ix->page_size;
	if (b.latency) {
		st = v7_read_latency(ix, &h.s, err);
	} else {
		st = read_page_size(ix, &c, &b, opt->off, err);
		if (st == TDAT_OK)
			st = read_cpus(ix, &c, &b, opt->off, err);
	}
	return st != TDAT_OK ? st : dat_index_add_buffer(ix, &b, err);
}

/* ---- options ---- */

bool v7_options_seen(const struct dat_index *ix, uint64_t off)
{
	size_t i;

	for (i = 0; i < ix->option_section_count; i++)
		if (ix->option_sections[i] == off)
			return true;
	return false;
}

enum tdat_status v7_read_options(struct dat_index *ix, uint64_t off, uint64_t *next,
				 struct tdat_error *err)
{
	struct v7_head h;
	struct tdat_span body;
	struct tdat_cursor c;
	enum tdat_status st;

	*next = 0;
	if (v7_options_seen(ix, off))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "the chain of options sections comes back to offset %llu",
				      (unsigned long long)off);
	st = v7_read_body(ix, off, TDAT_OPTION_DONE, "options", &h, &body, err);
	if (st == TDAT_OK)
		st = dat_index_note_options(ix, off, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(body.ptr, body.len, h.s.compressed ? 0 : h.s.body_off, ix->big);
	while (st == TDAT_OK) {
		uint16_t id = tdat_cursor_u16(&c);
		uint32_t len = tdat_cursor_u32(&c);
		uint64_t at = h.s.compressed ? h.s.body_off : tdat_cursor_off(&c);
		struct tdat_span data;

		if (id == TDAT_OPTION_DONE && len == __builtin_bswap32(8)) {
			ix->mixed_order = true;
			len = 8;
		}
		if (tdat_cursor_ok(&c) && len > ix->limits.option_len)
			return tdat_error_set(err, TDAT_E_LIMIT, at,
					      "option %u at offset %llu has %u bytes, limit "
					      "option_len is %u",
					      id, (unsigned long long)at, len,
					      ix->limits.option_len);
		data = tdat_cursor_bytes(&c, len);
		if (!tdat_cursor_ok(&c))
			return tdat_cursor_error(&c, err, "the list of options");
		if (id == TDAT_OPTION_DONE) {
			if (len < 8)
				return tdat_error_set(err, TDAT_E_DAMAGED, at,
						      "the last option has %u bytes, expected 8",
						      len);
			*next = tdat_load64(data.ptr, ix->big);
			st = dat_index_add_option(ix, id, at, data, err);
			return st == TDAT_OK ? all_read(ix, &h.s, "options", &c, err) : st;
		}
		st = dat_index_add_option(ix, id, at, data, err);
	}
	return st;
}

static enum tdat_status read_chain(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint64_t next;

	while (off && st == TDAT_OK) {
		st = v7_read_options(ix, off, &next, err);
		off = next;
		st = dat_index_tolerate(ix, st, err);
	}
	return st;
}

/* ---- sections that options point to ---- */

enum tdat_status v7_read_metadata(struct dat_index *ix, uint16_t id, uint64_t off,
				  struct tdat_error *err)
{
	const char *what = dat_option_def(id)->section;
	struct v7_head h;
	struct tdat_span body;
	struct tdat_cursor c;
	enum tdat_status st = v7_read_body(ix, off, id, what, &h, &body, err);

	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(body.ptr, body.len, h.s.compressed ? 0 : h.s.body_off, ix->big);
	switch (id) {
	case TDAT_OPTION_HEADER_INFO:
		st = dat_read_header_pages(ix, &c, err);
		break;
	case TDAT_OPTION_FTRACE_EVENTS:
		st = dat_read_ftrace_formats(ix, &c, err);
		break;
	case TDAT_OPTION_EVENT_FORMATS:
		st = dat_read_event_formats(ix, &c, err);
		break;
	case TDAT_OPTION_KALLSYMS:
		st = dat_read_text(&c, 4, what, &ix->kallsyms, err);
		break;
	case TDAT_OPTION_PRINTK:
		st = dat_read_text(&c, 4, what, &ix->printk, err);
		break;
	default:
		st = dat_read_text(&c, 8, what, &ix->cmdlines, err);
	}
	return st == TDAT_OK ? all_read(ix, &h.s, what, &c, err) : st;
}

/* The last option of an id wins, as for libtracecmd. */
static bool last_of_id(const struct dat_index *ix, size_t index)
{
	size_t i;

	for (i = index + 1; i < ix->option_count; i++)
		if (ix->options[i].id == ix->options[index].id)
			return false;
	return true;
}

static enum tdat_status read_part(struct dat_index *ix, const struct tdat_option *opt,
				  struct tdat_error *err)
{
	if (opt->data.len < 8)
		return tdat_error_set(err, TDAT_E_DAMAGED, opt->off,
				      "option %u at offset %llu has %zu bytes, expected 8", opt->id,
				      (unsigned long long)opt->off, opt->data.len);
	return v7_read_metadata(ix, opt->id, tdat_load64(opt->data.ptr, ix->big), err);
}

/* Notes the number of CPUs, and the table of tgids. */
static enum tdat_status note_fact(struct dat_index *ix, const struct tdat_option *opt,
				  struct tdat_error *err)
{
	uint32_t n;

	if (!dat_option_is_cpu_count(opt)) {
		if (dat_option_is_tgids(opt))
			ix->tgids = opt->data;
		return TDAT_OK;
	}
	n = dat_cpu_count(ix, opt->data);
	if (n > ix->limits.cpus)
		return tdat_error_set(err, TDAT_E_LIMIT, opt->off,
				      "option CPUCOUNT says %u CPUs, limit cpus is %u", n,
				      ix->limits.cpus);
	if (n > ix->cpu_count)
		ix->cpu_count = n;
	return TDAT_OK;
}

enum tdat_status v7_follow_option(struct dat_index *ix, size_t index, struct tdat_error *err)
{
	const struct tdat_option opt = ix->options[index];

	switch (dat_option_role(opt.id)) {
	case DAT_ROLE_PART:
		return last_of_id(ix, index) ? read_part(ix, &opt, err) : TDAT_OK;
	case DAT_ROLE_DATA:
		return read_buffer(ix, &opt, err);
	default:
		return note_fact(ix, &opt, err);
	}
}

enum tdat_status dat_read_v7(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	struct tdat_span first;
	enum tdat_status st = dat_index_bytes(ix, off, 8, "the offset of the options", &first, err);
	size_t i;

	if (st == TDAT_OK)
		st = read_chain(ix, tdat_load64(first.ptr, ix->big), err);
	if (st == TDAT_OK && !ix->option_count && !ix->damage_count)
		st = dat_index_tolerate(ix,
					tdat_error_set(err, TDAT_E_DAMAGED, off,
						       "no options section: the file was not "
						       "finished"),
					err);
	for (i = 0; st == TDAT_OK && i < ix->option_count; i++)
		st = dat_index_tolerate(ix, v7_follow_option(ix, i, err), err);
	if (st == TDAT_OK)
		st = v7_walk(ix, off + 8, err);
	if (st == TDAT_OK && ix->damage_count)
		st = v7_salvage(ix, err);
	if (st != TDAT_OK)
		return st;
	v7_order_buffers(ix);
	if (ix->damage_count && !ix->format_count && !ix->buffer_count) {
		/* There is nothing to read at all: the first finding says why. */
		if (err)
			*err = ix->damage[0];
		return ix->damage[0].status;
	}
	return TDAT_OK;
}
