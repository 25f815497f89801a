/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills the index of a trace.dat within the limits, notes damage, and frees it. The index is all
 * that later layers know of the file's bytes: parts, options, buffers, extents, each with its
 * offset. Its lists grow within struct tdat_limits. A tolerant open turns a failure into a finding
 * and continues (dat_index_tolerate()); a strict one returns it. After opening the index never
 * changes.
 */
#include "index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/grow.h"
#include "core/search.h"

enum { TEXT_BASE = 16 << 20 };

/* Appends a copy of an element to the array at that place, up to a limit that `what` names. */
static enum tdat_status add(void *array, size_t *cap, size_t *count, const void *elem,
			    size_t elem_len, uint32_t limit, const char *what, uint64_t off,
			    struct tdat_error *err)
{
	uint8_t *p;

	if (*count >= limit)
		return tdat_error_set(err, TDAT_E_LIMIT, off, "the file has more than %u %s", limit,
				      what);
	if (!tdat_grow(array, cap, *count + 1, elem_len))
		return tdat_error_no_memory(err, "the file's index");
	memcpy(&p, array, sizeof(p));
	memcpy(p + (*count)++ * elem_len, elem, elem_len);
	return TDAT_OK;
}

/* All metadata comes through here: range, then limit, then memory. */
enum tdat_status dat_index_bytes(struct dat_index *ix, uint64_t off, uint64_t len, const char *what,
				 struct tdat_span *out, struct tdat_error *err)
{
	uint64_t total = tdat_source_len(ix->src);
	enum tdat_status st;
	uint8_t *copy;

	out->ptr = NULL;
	out->len = 0;
	if (!tdat_range_ok(off, len, total))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "%s is truncated: it needs %llu bytes at offset %llu, but "
				      "the file ends at %llu",
				      what, (unsigned long long)len, (unsigned long long)off,
				      (unsigned long long)total);
	if (len > ix->limits.section_len)
		return tdat_error_set(
			err, TDAT_E_LIMIT, off,
			"%s at offset %llu has %llu bytes, more than limit section_len of %llu",
			what, (unsigned long long)off, (unsigned long long)len,
			(unsigned long long)ix->limits.section_len);
	if (len >= SIZE_MAX) /* a limit may be beyond what 32 bits count */
		return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for %s", what);
	out->ptr = tdat_source_peek(ix->src, off, (size_t)len);
	if (!out->ptr) {
		copy = tdat_arena_alloc(&ix->arena, (size_t)len + 1);
		if (!copy)
			return tdat_error_set(err, TDAT_E_NOMEM, off, "no memory for %s", what);
		st = tdat_source_read(ix->src, off, copy, (size_t)len, err);
		if (st != TDAT_OK)
			return st;
		out->ptr = copy;
	}
	out->len = (size_t)len;
	return TDAT_OK;
}

/*
 * Counts len more inflated bytes. All sections of a file of n bytes may inflate to TEXT_BASE + n x
 * text_ratio bytes.
 */
enum tdat_status dat_inflate_text(const struct tdat_limits *limits, uint64_t file_len,
				  uint64_t *sum, const char *what, uint64_t off, uint64_t len,
				  struct tdat_error *err)
{
	uint64_t ratio = limits->text_ratio, max;

	if (len > limits->section_len)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "%s at offset %llu inflates to %llu bytes, more than limit "
				      "section_len of %llu",
				      what, (unsigned long long)off, (unsigned long long)len,
				      (unsigned long long)limits->section_len);
	if (!tdat_mul_u64(file_len, ratio, &max) || max > UINT64_MAX - TEXT_BASE)
		max = UINT64_MAX - TEXT_BASE;
	max += TEXT_BASE;
	if (len > max - *sum)
		return tdat_error_set(err, TDAT_E_LIMIT, off,
				      "%s at offset %llu inflates to %llu bytes, but limit "
				      "text_ratio of %llu allows only %llu more for this file",
				      what, (unsigned long long)off, (unsigned long long)len,
				      (unsigned long long)ratio, (unsigned long long)(max - *sum));
	*sum += len;
	return TDAT_OK;
}

enum tdat_status dat_index_inflate(struct dat_index *ix, const char *what, uint64_t off,
				   uint64_t len, struct tdat_error *err)
{
	return dat_inflate_text(&ix->limits, tdat_source_len(ix->src), &ix->inflated_len, what, off,
				len, err);
}

/*
 * Makes a failure a finding in a tolerant open. Only damage and limits can be tolerated: after lack
 * of memory or a disk error nothing else is sure.
 */
enum tdat_status dat_index_tolerate(struct dat_index *ix, enum tdat_status status,
				    struct tdat_error *err)
{
	if (status == TDAT_OK || !ix->tolerate || !err ||
	    (status != TDAT_E_DAMAGED && status != TDAT_E_LIMIT))
		return status;
	if (!TDAT_GROW(ix->damage, &ix->damage_cap, ix->damage_count + 1))
		return TDAT_E_NOMEM;
	ix->damage[ix->damage_count++] = *err;
	tdat_error_reset(err);
	return TDAT_OK;
}

/*
 * Clips a CPU's data to the end of the file. One finding serves all CPUs; their bytes are counted.
 */
enum tdat_status dat_index_clip_cpu(struct dat_index *ix, struct tdat_cpu *cpu, const char *buffer,
				    uint64_t at, struct tdat_error *err)
{
	uint64_t total = tdat_source_len(ix->src);
	enum tdat_status st = TDAT_OK;
	struct tdat_error own;

	if (!cpu->len || tdat_range_ok(cpu->off, cpu->len, total))
		return TDAT_OK;
	if (!ix->cut_cpu_count++) {
		st = tdat_error_set(
			err ? err : &own, TDAT_E_DAMAGED, at,
			"the file ends at %llu, but the data of CPU %u%s%.64s should be "
			"%llu bytes at offset %llu",
			(unsigned long long)total, cpu->cpu, *buffer ? " of buffer " : "", buffer,
			(unsigned long long)cpu->len, (unsigned long long)cpu->off);
		st = dat_index_tolerate(ix, st, err ? err : &own);
		ix->cut_finding = ix->damage_count;
	}
	if (cpu->off >= total)
		ix->outside_len += cpu->len;
	cpu->missing_len = cpu->len;
	cpu->len = cpu->off < total ? total - cpu->off : 0;
	cpu->missing_len -= cpu->len;
	ix->missing_len += cpu->missing_len;
	return st;
}

/* The finding was made for the first CPU; the number of the others is known at the end. */
void dat_index_count_cut(struct dat_index *ix)
{
	struct tdat_error *e;
	size_t used;

	if (!ix->cut_finding || ix->cut_cpu_count < 2)
		return;
	e = &ix->damage[ix->cut_finding - 1];
	used = strlen(e->message);
	snprintf(e->message + used, sizeof(e->message) - used, " (and %zu more CPUs are truncated)",
		 ix->cut_cpu_count - 1);
}

enum tdat_status dat_index_add_section(struct dat_index *ix, const struct tdat_section *section,
				       struct tdat_error *err)
{
	return add(&ix->sections, &ix->section_cap, &ix->section_count, section, sizeof(*section),
		   ix->limits.sections, "sections (limit sections)", section->off, err);
}

const struct tdat_section *dat_section_at(const struct tdat_section *list, size_t count,
					  uint64_t off)
{
	size_t i;

	TDAT_SEARCH(i, count, list[i].off < off);
	return i < count && list[i].off == off ? &list[i] : NULL;
}

/* Notes an options section as read, so that a chain that comes back ends. */
enum tdat_status dat_index_note_options(struct dat_index *ix, uint64_t off, struct tdat_error *err)
{
	return add(&ix->option_sections, &ix->option_section_cap, &ix->option_section_count, &off,
		   sizeof(off), ix->limits.sections, "options sections (limit sections)", off, err);
}

enum tdat_status dat_index_add_option(struct dat_index *ix, uint16_t id, uint64_t off,
				      struct tdat_span data, struct tdat_error *err)
{
	const struct tdat_file_option option = {id, off, data};

	return add(&ix->options, &ix->option_cap, &ix->option_count, &option, sizeof(option),
		   ix->limits.options, "options (limit options)", off, err);
}

enum tdat_status dat_index_add_buffer(struct dat_index *ix, const struct tdat_buffer *buffer,
				      struct tdat_error *err)
{
	return add(&ix->buffers, &ix->buffer_cap, &ix->buffer_count, buffer, sizeof(*buffer),
		   ix->limits.buffers, "buffers (limit buffers)", buffer->off, err);
}

enum tdat_status dat_index_add_format(struct dat_index *ix, const char *system,
				      struct tdat_span text, uint64_t off, struct tdat_error *err)
{
	const struct dat_format_text format = {system, text, off};

	return add(&ix->formats, &ix->format_cap, &ix->format_count, &format, sizeof(format),
		   ix->limits.formats, "event formats (limit formats)", off, err);
}

void dat_index_fini(struct dat_index *ix)
{
	free(ix->formats);
	free(ix->options);
	free(ix->sections);
	free(ix->option_sections);
	free(ix->buffers);
	free(ix->damage);
	tdat_arena_fini(&ix->arena);
	memset(ix, 0, sizeof(*ix));
}
