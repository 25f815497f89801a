/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the entries of a CPU in the list of a buffer, which is in any order. A damaged file may
 * have one CPU twice, or thousands in any order. They are sorted once at opening, so that a
 * question for a CPU costs a search by halves; tdat view reads CPU by CPU.
 */
#include <stdlib.h>

#include "core/search.h"
#include "file.h"

/* An entry of the file's list with its place in it. */
struct cpu_entry {
	uint32_t cpu, index;
};

/* Entries of one CPU keep the order of the file. */
static int compare_entries(const void *a, const void *b)
{
	const struct cpu_entry *x = a, *y = b;

	return TDAT_ORDER(x->cpu, y->cpu, TDAT_ORDER(x->index, y->index, 0));
}

/* Sound files list CPUs in order: nothing is sorted then. */
static bool order_buffer(const struct tdat_buffer *b, uint32_t *order)
{
	struct cpu_entry *list;
	bool ascending = true;

	/* A list in order is its own index. */
	for (uint32_t i = 0; i < b->cpu_count; i++) {
		ascending &= !i || b->cpus[i - 1].cpu <= b->cpus[i].cpu;
		order[i] = i;
	}
	if (ascending)
		return true;
	list = calloc(b->cpu_count, sizeof(*list));
	if (!list)
		return false;
	for (uint32_t i = 0; i < b->cpu_count; i++)
		list[i] = (struct cpu_entry){b->cpus[i].cpu, i};
	qsort(list, b->cpu_count, sizeof(*list), compare_entries);
	for (uint32_t i = 0; i < b->cpu_count; i++)
		order[i] = list[i].index;
	free(list);
	return true;
}

/*
 * Sorts the CPUs of all buffers. One array holds all orders, so that opening thousands of buffers
 * needs two allocations.
 */
enum tdat_status file_order_cpus(struct tdat_file *f, struct tdat_error *err)
{
	const struct dat_index *ix = &f->ix;
	size_t total = 0;
	uint32_t *order;

	for (size_t i = 0; i < ix->buffer_count; i++)
		total += ix->buffers[i].cpu_count;
	f->cpu_orders = calloc(ix->buffer_count + 1, sizeof(*f->cpu_orders));
	f->cpu_order = order = calloc(total + 1, sizeof(*order));
	/* + 1: a file without buffers gets arrays, too. */
	if (!f->cpu_orders || !order)
		return tdat_error_no_memory(err, "the list of CPUs");
	for (size_t i = 0; i < ix->buffer_count; i++) {
		f->cpu_orders[i] = order;
		if (!order_buffer(&ix->buffers[i], order))
			return tdat_error_no_memory(err, "the list of CPUs");
		order += ix->buffers[i].cpu_count;
	}
	return TDAT_OK;
}

/*
 * Returns the entries of a CPU: *count indexes into the buffer's list. A broken file may list tens
 * of thousands of CPUs, hence a binary search.
 */
const uint32_t *file_cpu_entries(const struct tdat_file *f, size_t buffer, uint32_t cpu,
				 size_t *count)
{
	const struct tdat_buffer *b = &f->ix.buffers[buffer];
	const uint32_t *order = f->cpu_orders[buffer];
	size_t first, end;

	TDAT_SEARCH(first, b->cpu_count, b->cpus[order[first]].cpu < cpu);
	for (end = first; end < b->cpu_count && b->cpus[order[end]].cpu == cpu; end++)
		;
	*count = end - first;
	return order + first;
}
