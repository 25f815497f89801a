/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares how many events a file has with how many the kernel counted. Counts come from option
 * CPUSTAT, which trace-cmd takes from the kernel's stats. They are sorted by buffer and CPU and
 * found by halves. Fewer events than counted is a note: pages are missing, the file was split,
 * or the recorder did not write all.
 */
#include "check_counts.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "core/text.h"
#include "file/cpustat.h"

/* Names of instances are those of directories. */
enum { NAME_MOST = 255 };

/* Order of buffer and CPU, by which counts are sorted and searched. Names need no NUL. */
static int compare_keys(struct tdat_span a, uint32_t a_cpu, struct tdat_span b, uint32_t b_cpu)
{
	const size_t len = a.len < b.len ? a.len : b.len;
	const int order = len ? memcmp(a.ptr, b.ptr, len) : 0;

	if (order || a.len != b.len)
		return order ? order : (a.len > b.len) - (a.len < b.len);
	return (a_cpu > b_cpu) - (a_cpu < b_cpu);
}

static bool is_same(const struct check_count *a, const struct check_count *b)
{
	return !compare_keys(a->buffer, a->cpu, b->buffer, b->cpu);
}

/* If a CPU has several options, the first one comes first. */
static int compare(const void *a, const void *b)
{
	const struct check_count *x = a, *y = b;
	const int order = compare_keys(x->buffer, x->cpu, y->buffer, y->cpu);

	return order ? order : (x->off > y->off) - (x->off < y->off);
}

/*
 * Reads one option: the name of an instance, which is *buffer for those that follow, or what the
 * kernel counted of a CPU. Kernels before 3.4 do not count the events that were read.
 */
static bool read_option(struct tdat_span text, struct tdat_span *buffer, struct check_count *c)
{
	uint64_t cpu, entries, read;

	if (cpustat_instance(text, buffer) || !tdat_line_number(text, "CPU:", &cpu) ||
	    cpu > UINT32_MAX || !tdat_line_number(text, "entries:", &entries) ||
	    !tdat_line_number(text, "read events:", &read) ||
	    __builtin_add_overflow(entries, read, &c->counted))
		return false;
	c->buffer = *buffer;
	c->cpu = (uint32_t)cpu;
	return buffer->len <= NAME_MOST;
}

/* Lists what the kernel counted. Options come in groups: the name of an instance, then its CPUs. */
bool check_counts_init(struct check_counts *counts, const struct tdat_file *file)
{
	struct tdat_span buffer = {NULL, 0};

	*counts = (struct check_counts){NULL, 0, 0};
	for (size_t i = 0; i < file->ix.option_count; i++) {
		const struct tdat_file_option *o = &file->ix.options[i];
		struct check_count c = {.off = o->off};

		if (o->id != TDAT_OPTION_CPUSTAT || !read_option(o->data, &buffer, &c))
			continue;
		if (!TDAT_GROW(counts->list, &counts->cap, counts->count + 1))
			return false;
		counts->list[counts->count++] = c;
	}
	if (counts->count)
		qsort(counts->list, counts->count, sizeof(*counts->list), compare);
	return true;
}

void check_counts_fini(struct check_counts *counts)
{
	free(counts->list);
}

/* Adds the events found of a CPU. A CPU without an option is not listed. */
void check_counts_add(struct check_counts *counts, const struct tdat_buffer *buffer, uint32_t cpu,
		      uint64_t events)
{
	const struct tdat_span name = {(const uint8_t *)buffer->name,
				       strnlen(buffer->name, NAME_MOST + 1)};
	size_t i;

	TDAT_SEARCH(i, counts->count,
		    compare_keys(counts->list[i].buffer, counts->list[i].cpu, name, cpu) < 0);
	if (i < counts->count &&
	    !compare_keys(counts->list[i].buffer, counts->list[i].cpu, name, cpu))
		counts->list[i].events += events;
}

/* Reports CPUs with fewer events than the kernel counted. More events are not reported. */
void check_counts_tell(const struct check_counts *counts, struct read_findings *out)
{
	for (size_t i = 0; i < counts->count; i++) {
		const struct check_count *c = &counts->list[i];

		/* If a CPU has several options, it is unknown which is right. */
		if (c->events >= c->counted || (i && is_same(c, c - 1)) ||
		    (i + 1 < counts->count && is_same(c, c + 1)))
			continue;
		read_finding(out, TDAT_NOTE, c->off, "the other events",
			     "CPU %u%s%.*s: the file has %llu of the %llu events that the kernel "
			     "counted (option CPUSTAT)",
			     c->cpu, c->buffer.len ? " of buffer " : "", (int)c->buffer.len,
			     c->buffer.len ? (const char *)c->buffer.ptr : "",
			     (unsigned long long)c->events, (unsigned long long)c->counted);
	}
}
