/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "func_stack.h"

#include <stdlib.h>
#include <string.h>

#include "../core/checked.h"
#include "native_util.h"

struct func_stack_cpu {
	struct tdat_span *names;
	size_t count;
	size_t cap;
};

void func_stack_init(struct func_stack *s)
{
	memset(s, 0, sizeof(*s));
}

void func_stack_fini(struct func_stack *s)
{
	uint32_t i;

	for (i = 0; i < s->cpu_count; i++)
		free(s->cpus[i].names);
	free(s->cpus);
	free(s->names);
	memset(s, 0, sizeof(*s));
}

static struct func_stack_cpu *get_cpu(struct func_stack *s, uint32_t cpu)
{
	struct func_stack_cpu *cpus;
	size_t size;

	if (cpu < s->cpu_count)
		return &s->cpus[cpu];
	if (!tdat_mul_size((size_t)cpu + 1, sizeof(*cpus), &size))
		return NULL;
	cpus = (struct func_stack_cpu *)realloc(s->cpus, size);
	if (!cpus)
		return NULL;
	memset(cpus + s->cpu_count, 0, (cpu + 1 - s->cpu_count) * sizeof(*cpus));
	s->cpus = cpus;
	s->cpu_count = cpu + 1;
	return &cpus[cpu];
}

/* pos is at most one past the last name; deeper names stay. */
static bool set_name(struct func_stack_cpu *c, size_t pos, struct tdat_span name)
{
	if (pos == c->cap) {
		size_t cap = c->cap ? c->cap * 2 : 16;
		size_t size;
		struct tdat_span *names;

		if (!tdat_mul_size(cap, sizeof(*names), &size))
			return false;
		names = (struct tdat_span *)realloc(c->names, size);
		if (!names)
			return false;
		c->names = names;
		c->cap = cap;
	}
	c->names[pos] = name;
	if (pos == c->count)
		c->count++;
	return true;
}

static bool same_name(struct tdat_span a, struct tdat_span b)
{
	return a.len == b.len && (a.ptr == b.ptr || !memcmp(a.ptr, b.ptr, a.len));
}

uint32_t func_stack_push(struct func_stack *s, uint32_t cpu, struct tdat_span func,
			 struct tdat_span parent)
{
	struct func_stack_cpu *c;
	size_t i;

	if (!parent.ptr)
		return 0;
	c = get_cpu(s, cpu);
	if (!c) {
		s->failed = true;
		return 0;
	}
	for (i = 0; i < c->count; i++) {
		if (!same_name(c->names[i], parent))
			continue;
		if (func.ptr && !set_name(c, i + 1, func))
			s->failed = true;
		return (uint32_t)i;
	}
	if (!set_name(c, 0, parent) || (func.ptr && !set_name(c, 1, func)))
		s->failed = true;
	return 0;
}

void func_stack_format_init(struct func_stack_format *ff, const struct tdat_format *format)
{
	struct native_field ip = native_field_find(format, "ip");
	struct native_field parent = native_field_find(format, "parent_ip");

	memset(ff, 0, sizeof(*ff));
	if (strcmp(format->system, "ftrace") ||
	    (strcmp(format->name, "function") && strcmp(format->name, "func_repeats")))
		return;
	ff->has_depth = ip.number && parent.number;
	ff->ip_off = ip.off;
	ff->ip_len = ip.len;
	ff->parent_off = parent.off;
	ff->parent_len = parent.len;
	ff->big = format->big;
}

uint32_t func_stack_record(struct func_stack *s, const struct func_stack_format *ff,
			   const struct model_symbols *symbols, uint32_t cpu,
			   struct tdat_span record)
{
	struct tdat_span func, parent;

	if (!ff->has_depth)
		return 0;
	if (!s->names)
		s->names = (struct model_symbol_cache *)calloc(1, sizeof(*s->names));
	parent = model_symbol_cache_find(
		s->names, symbols,
		native_load(record, ff->parent_off, ff->parent_len, ff->big), NULL);
	if (!parent.ptr)
		return 0;
	func = model_symbol_cache_find(
		s->names, symbols, native_load(record, ff->ip_off, ff->ip_len, ff->big), NULL);
	return func_stack_push(s, cpu, func, parent);
}
