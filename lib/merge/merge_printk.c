/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the strings of trace_printk, which events name by address. An address that means another
 * string in an earlier input gets a new address for its string. merge_events.c then replaces every
 * word of a record that equals the old address. New addresses come from a range in which no kernel
 * has data.
 */
#include <stdlib.h>

#include "core/grow.h"
#include "core/search.h"
#include "core/text.h"
#include "merge.h"

/* The state of joining: m->w->meta.printk is the text so far. */
struct joined {
	struct merge *m;
	uint64_t next; /* the next address to try */
	uint64_t mask; /* of addresses */
};

/* True if an address has a string in any input. */
static bool taken(const struct merge *m, uint64_t addr)
{
	for (size_t i = 0; i < m->count; i++)
		if (model_printk_find(file_printk(m->parts[i].file), addr).ptr)
			return true;
	return false;
}

/* Addresses rise by 16; one that any input uses is skipped. */
static uint64_t unused(struct joined *j)
{
	uint64_t addr;

	do {
		addr = j->next & j->mask;
		j->next += 16;
	} while (!addr || taken(j->m, addr));
	return addr;
}

/* Returns the string that addr has in an input before part; ptr NULL: it has none. */
static struct tdat_span known(const struct merge *m, size_t part, uint64_t addr)
{
	for (size_t i = 0; i < part; i++) {
		struct tdat_span s = model_printk_find(file_printk(m->parts[i].file), addr);

		if (s.ptr)
			return s;
	}
	return (struct tdat_span){NULL, 0};
}

/* Moves are few: only strings whose address means another string elsewhere. */
static bool add_move(struct merge_part *part, uint64_t from, uint64_t to)
{
	if (!TDAT_GROW(part->moves, &part->move_cap, part->move_count + 1))
		return false;
	part->moves[part->move_count++] = (struct merge_move){from, to};
	return true;
}

/* Adds one line of part i, unless an input before has the same. */
static bool put_line(struct joined *j, size_t i, struct tdat_span line)
{
	struct tdat_build *out = &j->m->w->meta.printk;
	struct tdat_span fmt, before;
	uint64_t addr = 0;
	size_t colon = model_printk_line(line, &addr, &fmt);

	if (!colon)
		return true;
	before = known(j->m, i, addr);
	if (before.ptr && tdat_span_same(before, fmt))
		return true;
	if (before.ptr) {
		uint64_t to = unused(j);

		tdat_build_printf(out, "0x%llx ", (unsigned long long)to);
		line = tdat_span_from(line, colon);
		if (!add_move(&j->m->parts[i], addr, to))
			return false;
	}
	tdat_build_bytes(out, line.ptr, line.len);
	tdat_build_u8(out, '\n');
	return true;
}

/* Adds all lines of part i. Its moves are sorted at the end, for find_move(). */
static bool put_table(struct joined *j, size_t i)
{
	struct tdat_lines lines = tdat_lines_init(j->m->parts[i].file->ix.printk);
	struct merge_part *part = &j->m->parts[i];
	struct tdat_span line;

	while (tdat_lines_next(&lines, &line))
		if (!put_line(j, i, line))
			return false;
	if (part->move_count)
		qsort(part->moves, part->move_count, sizeof(*part->moves), tdat_by_u64);
	return true;
}

/* Copies the moves of an input before part i that has the same table. */
static bool copy_moves(struct merge *m, size_t i, size_t from)
{
	const struct merge_part *a = &m->parts[from];
	struct merge_part *b = &m->parts[i];

	if (!a->move_count)
		return true;
	b->moves = malloc(a->move_count * sizeof(*b->moves));
	if (!b->moves)
		return false;
	memcpy(b->moves, a->moves, a->move_count * sizeof(*b->moves));
	b->move_count = b->move_cap = a->move_count;
	return true;
}

/*
 * Returns the first input with the table of part i, or i. Recordings of one kernel have the same
 * table.
 */
static size_t same_table(const struct merge *m, size_t i)
{
	size_t k = 0;

	while (k < i && !tdat_span_same(m->parts[k].file->ix.printk, m->parts[i].file->ix.printk))
		k++;
	return k;
}

/* Joins all tables. The first input's is copied unchanged. */
enum tdat_status merge_printk(struct merge *m, struct tdat_error *err)
{
	const struct tdat_span first = m->parts[0].file->ix.printk;
	struct tdat_build *out = &m->w->meta.printk;
	struct joined j = {m, 0, m->long_size == 4 ? UINT32_MAX : UINT64_MAX};
	bool ok = true;

	j.next = j.mask - 0xffffff; /* no kernel has data there */

	tdat_build_bytes(out, first.ptr, first.len);
	if (first.len && first.ptr[first.len - 1] != '\n' && m->count > 1)
		tdat_build_u8(out, '\n');
	for (size_t i = 1; ok && i < m->count; i++) {
		size_t same = same_table(m, i);

		ok = same < i ? copy_moves(m, i, same) : put_table(&j, i);
	}
	return ok && !out->failed ? TDAT_OK : tdat_error_no_memory(err, m->w->out.name);
}
