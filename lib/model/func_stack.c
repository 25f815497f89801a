/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses the call depth of function tracer events. The function tracer records no depth, so
 * trace-cmd guesses it from the parent of each function, CPU by CPU. The same guess needs a
 * stack of names for each CPU, which may become deep: from some depth on, a treap finds a name
 * (name_index.c). State belongs to one iterator.
 */
#include "func_stack.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/checked.h"
#include "core/grow.h"
#include "core/map.h"
#include "name_index.h"
#include "native_util.h"

/* Keeps functions that are rarely called out of line. */
#define RARELY __attribute__((cold, noinline))

/*
 * Ids are searched in groups: cap is a multiple of GROUP, and unused places are NO_NAME, which no
 * search looks for. SLOT_BITS: 8192 addresses are cached.
 */
enum { GROUP = 8, SLOT_BITS = 13, NO_NAME = 0 };

/*
 * Names of a stack that are searched one group after the other. No kernel's call stack is
 * deeper; the rest of a deeper one is found through an index.
 */
enum { FLAT = 512 };

/* The stack of one CPU, from the outermost function on. */
struct func_stack_cpu {
	uint32_t *names; /* ids */
	size_t count;
	size_t cap;
	struct name_index index; /* of all names, once there are more than FLAT */
};

/* Equal names have equal ids: from 1, the place in the list of names. */
struct func_names {
	struct tdat_span *names;
	size_t cap;
	struct tdat_map map; /* of names */
};

/* Names of addresses that were asked for lately. */
struct func_slot {
	const struct model_symbols *symbols;
	uint64_t addr;
	uint32_t id;
};

struct func_ids {
	struct func_names names;
	/* Direct-mapped: a new address overwrites the one with the same hash. */
	struct func_slot slots[1 << SLOT_BITS];
};

void func_stack_init(struct func_stack *s)
{
	memset(s, 0, sizeof(*s));
}

void func_stack_fini(struct func_stack *s)
{
	uint32_t i;

	for (i = 0; i < s->cpu_count; i++) {
		free(s->cpus[i].names);
		name_index_fini(&s->cpus[i].index);
	}
	free(s->cpus);
	if (s->ids) {
		free(s->ids->names.names);
		tdat_map_fini(&s->ids->names.map);
	}
	free(s->ids);
	memset(s, 0, sizeof(*s));
}

/* ---- names to ids ---- */

/* Returns the id of a name, a new one if it is not known; NO_NAME: no memory. */
static uint32_t find_id(struct func_names *n, struct tdat_span name)
{
	uint64_t hash;
	uint32_t i;

	if (!TDAT_MAP_GROW(&n->map, n->names, &n->cap))
		return NO_NAME;
	hash = tdat_hash_bytes(n->map.seed, name.ptr, name.len);
	TDAT_MAP_FIND(i, &n->map, hash, tdat_span_same(n->names[i], name));
	if (i == TDAT_MAP_NONE) {
		i = tdat_map_add(&n->map, hash);
		n->names[i] = name;
	}
	return i + 1;
}

/* Returns the id of a name; NO_NAME: the address has none, or there is no memory. */
static uint32_t id_of_name(struct func_stack *s, struct tdat_span name)
{
	uint32_t id;

	if (!name.ptr)
		return NO_NAME;
	if (!s->ids)
		s->ids = (struct func_ids *)calloc(1, sizeof(*s->ids));
	id = s->ids ? find_id(&s->ids->names, name) : NO_NAME;
	if (id == NO_NAME)
		s->failed = true;
	return id;
}

/* Fibonacci hashing: the top bits of the product depend on all bits of the address. */
static inline struct func_slot *slot_of(struct func_stack *s, uint64_t addr)
{
	return &s->ids->slots[addr * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS)];
}

/* Finds the name of an address by binary search, and caches its id. */
RARELY static uint32_t look_up(struct func_stack *s, const struct model_symbols *symbols,
			       uint64_t addr)
{
	const uint32_t id = id_of_name(s, model_symbols_find(symbols, addr, NULL));

	if (s->ids)
		*slot_of(s, addr) = (struct func_slot){symbols, addr, id};
	return id;
}

/* Returns the id of the function at addr. Runs twice for each function event. */
static inline uint32_t id_of_addr(struct func_stack *s, const struct model_symbols *symbols,
				  uint64_t addr)
{
	const struct func_slot *slot = s->ids ? slot_of(s, addr) : NULL;

	if (slot && slot->addr == addr && slot->symbols == symbols)
		return slot->id;
	return look_up(s, symbols, addr);
}

/* ---- the stacks ---- */

/* Makes the stacks of all CPUs up to this one, empty. NULL: no memory. */
RARELY static struct func_stack_cpu *add_cpu(struct func_stack *s, uint32_t cpu)
{
	struct func_stack_cpu *cpus;
	size_t size;

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

static inline struct func_stack_cpu *get_cpu(struct func_stack *s, uint32_t cpu)
{
	return cpu < s->cpu_count ? &s->cpus[cpu] : add_cpu(s, cpu);
}

/* Grows by a group at least, so that find_in_group() may read whole groups. */
RARELY static bool grow_stack(struct func_stack_cpu *c)
{
	return TDAT_GROW_ZERO(c->names, &c->cap, c->cap + GROUP);
}

/* Does what set_name does, for a stack that is or becomes deeper than FLAT. */
RARELY static bool set_deep_name(struct func_stack_cpu *c, size_t pos, uint32_t id)
{
	const size_t count = c->count + (pos == c->count);

	if (pos < c->count)
		name_index_remove(&c->index, c->names, pos);
	c->names[pos] = id;
	if (c->index.nodes ? !name_index_add(&c->index, c->names, pos)
			   : !name_index_make(&c->index, c->names, count))
		return false;
	c->count = count;
	return true;
}

/*
 * Puts a name at pos, which is at most one past the last; deeper names stay, as in the plugin: a
 * later return to them finds them.
 */
static inline bool set_name(struct func_stack_cpu *c, size_t pos, uint32_t id)
{
	if (pos == c->cap && !grow_stack(c))
		return false;
	if (__builtin_expect(c->count >= FLAT, 0))
		return set_deep_name(c, pos, id);
	c->names[pos] = id;
	if (pos == c->count)
		c->count++;
	return true;
}

/*
 * Returns a mask: bit k is set where the kth id of a group is id. Comparing all eight at once
 * avoids branches that no CPU could predict.
 */
static inline unsigned int find_in_group(const uint32_t *names, uint32_t id)
{
#ifdef __SSE2__
	const __m128i v = _mm_set1_epi32((int)id);
	const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)names);
	const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(names + 4));
	const __m128i both = _mm_packs_epi32(_mm_cmpeq_epi32(a, v), _mm_cmpeq_epi32(b, v));

	return (unsigned int)_mm_movemask_epi8(_mm_packs_epi16(both, _mm_setzero_si128()));
#else
	unsigned int found = 0, k;

	for (k = 0; k < GROUP; k++)
		found |= (unsigned int)(names[k] == id) << k;
	return found;
#endif
}

/* Returns the first place of id, or count. */
static size_t find_name(const struct func_stack_cpu *c, uint32_t id)
{
	const size_t flat = c->count > FLAT ? FLAT : c->count;
	size_t i;

	for (i = 0; i < flat; i += GROUP) {
		unsigned int found = find_in_group(&c->names[i], id);

		if (found)
			return i + (size_t)__builtin_ctz(found);
	}
	return c->count > FLAT ? name_index_find(&c->index, c->names, id, c->count) : c->count;
}

/*
 * Finds the caller on the stack, puts the function behind it and returns its depth. A caller that
 * is not on the stack begins a new one at depth 0.
 */
static inline uint32_t push(struct func_stack *s, uint32_t cpu, uint32_t func, uint32_t parent)
{
	struct func_stack_cpu *c;
	size_t i;

	if (parent == NO_NAME)
		return 0;
	c = get_cpu(s, cpu);
	if (!c) {
		s->failed = true;
		return 0;
	}
	i = find_name(c, parent);
	if (i == c->count) {
		i = 0;
		if (!set_name(c, 0, parent))
			s->failed = true;
	}
	if (func != NO_NAME && !set_name(c, i + 1, func))
		s->failed = true;
	return (uint32_t)i;
}

void func_stack_format_init(struct func_stack_format *ff, const struct tdat_event_format *format)
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

/* Returns the depth that the plugin would print for the record, 0 for other events. */
uint32_t func_stack_record(struct func_stack *s, const struct func_stack_format *ff,
			   const struct model_symbols *symbols, uint32_t cpu,
			   struct tdat_span record)
{
	uint32_t func, parent;

	if (!ff->has_depth)
		return 0;
	parent = id_of_addr(s, symbols,
			    native_load(record, ff->parent_off, ff->parent_len, ff->big));
	if (parent == NO_NAME)
		return 0;
	func = id_of_addr(s, symbols, native_load(record, ff->ip_off, ff->ip_len, ff->big));
	return push(s, cpu, func, parent);
}
