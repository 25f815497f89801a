/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads option BUFFER of version 7: a buffer, and the places of its CPUs' data. The option has the
 * buffer's name, clock, page size and a list of CPUs with offset and size. CPU numbers that are
 * used twice or are out of range become free ones, with a finding: CPUs x faults, at most 64 of
 * them. Extents are clipped to the file's end.
 */
#include <stdlib.h>

#include "core/search.h"

#include "chunk.h"
#include "v7.h"

/* Linear, for faulty numbers only: CPUs x 64 faults at most. */
static bool cpu_taken(const struct tdat_cpu *cpus, uint32_t count, uint32_t cpu)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (cpus[i].cpu == cpu)
			return true;
	return false;
}

/*
 * Replaces a number that is impossible, or that another CPU has, by the first free one: the data is
 * there. cpus are in order up to the faulty one at index i.
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
		st = tdat_error_set(err, TDAT_E_LIMIT, opt_off,
				    "buffer \"%.64s\" lists CPU %u, but limit cpus is %u: tdat "
				    "reads it as CPU %u",
				    b->name, was, ix->limits.cpus, now);
	else
		st = tdat_error_set(
			err, TDAT_E_DAMAGED, opt_off,
			"buffer \"%.64s\" lists CPU %u twice: tdat reads one of them as CPU %u",
			b->name, was, now);
	cpus[i].cpu = now;
	return dat_index_tolerate(ix, st, err);
}

/* Checks bounds, order and duplicates of a buffer's CPUs. */
static enum tdat_status check_cpus(struct dat_index *ix, const struct tdat_buffer *b,
				   struct tdat_cpu *cpus, uint64_t opt_off, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	uint32_t i, faults = 0, last = 0;

	qsort(cpus, b->cpu_count, sizeof(*cpus), tdat_by_u32);
	for (i = 0; st == TDAT_OK && i < b->cpu_count; i++) {
		/* The entry before has another number now if it had this one, too. */
		const bool twice = i && cpus[i].cpu == last;

		last = cpus[i].cpu;
		st = dat_index_clip_cpu(ix, &cpus[i], b->name, opt_off, err);
		if (st != TDAT_OK || (!twice && cpus[i].cpu < ix->limits.cpus))
			continue;
		/* Finding free numbers takes time; a table with many faults is not a table. */
		if (++faults > 64)
			return tdat_error_set(err, TDAT_E_DAMAGED, opt_off,
					      "buffer \"%.64s\" lists %u CPUs with invalid numbers",
					      b->name, b->cpu_count);
		st = renumber(ix, b, cpus, i, opt_off, err);
	}
	qsort(cpus, b->cpu_count, sizeof(*cpus), tdat_by_u32);
	return st;
}

/* The count must fit the bytes of the option; otherwise the entries that are there count. */
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
		count = (uint32_t)room; /* the entries that are there */
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
	st = tdat_error_set(err, size < 64 ? TDAT_E_DAMAGED : TDAT_E_LIMIT, opt_off,
			    "buffer \"%.64s\" has page size %u, expected 64 to %u (limit page_len)",
			    b->name, size, ix->limits.page_len);
	return dat_index_tolerate(ix, st, err);
}

/* True if those numbers are big-endian that trace-cmd writes in its own machine's byte order. */
static bool writer_order(const struct dat_index *ix)
{
	return ix->big != ix->mixed_order;
}

/* The option names the section, whose head says whether the data is compressed. */
enum tdat_status v7_read_buffer(struct dat_index *ix, const struct tdat_file_option *opt,
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
		return tdat_error_set(
			err, TDAT_E_DAMAGED, opt->off,
			"buffer \"%.64s\" needs section %u at offset %llu, but section %u is there",
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
