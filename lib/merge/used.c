/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the numbers and names that the events of one input look up, each once. */
#include "used.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/hash.h"

void merge_used_fini(struct merge_used *used)
{
	free(used->symbols);
	free(used->named);
	free(used->named_slots);
	write_comms_fini(&used->comms);
}

/* The slot of addr, or the free one it would get. */
static struct merge_symbol *slot_of(struct tdat_hash_seed seed, struct merge_symbol *symbols,
				    size_t cap, uint64_t addr)
{
	size_t i = (size_t)tdat_hash_u64(seed, addr) & (cap - 1);

	while (symbols[i].taken && symbols[i].addr != addr)
		i = (i + 1) & (cap - 1);
	return &symbols[i];
}

static bool grow(struct merge_used *used)
{
	size_t cap = used->symbol_cap ? used->symbol_cap * 2 : 1024;
	struct merge_symbol *symbols = calloc(cap, sizeof(*symbols));

	if (!symbols)
		return false;
	if (!used->symbol_cap && !used->named_cap)
		used->seed = tdat_hash_seed();
	for (size_t i = 0; i < used->symbol_cap; i++) {
		const struct merge_symbol *s = &used->symbols[i];

		if (s->taken)
			*slot_of(used->seed, symbols, cap, s->addr) = *s;
	}
	free(used->symbols);
	used->symbols = symbols;
	used->symbol_cap = cap;
	return true;
}

/* The slot of that symbol, or the free one it would get. */
static size_t *named_slot(const struct merge_used *used, uint64_t addr, struct tdat_span name)
{
	const uint64_t text = tdat_hash_bytes(used->seed, name.ptr, name.len);
	size_t i = (size_t)tdat_hash_pair(used->seed, text, addr) & (used->named_cap - 1);

	for (; used->named_slots[i]; i = (i + 1) & (used->named_cap - 1)) {
		const struct merge_named *n = &used->named[used->named_slots[i] - 1];

		if (n->addr == addr && n->name.len == name.len &&
		    !memcmp(n->name.ptr, name.ptr, name.len))
			break;
	}
	return &used->named_slots[i];
}

static bool grow_named(struct merge_used *used)
{
	size_t cap = used->named_cap ? used->named_cap * 2 : 64;
	size_t *slots = calloc(cap, sizeof(*slots));

	if (!slots)
		return false;
	if (!used->symbol_cap && !used->named_cap)
		used->seed = tdat_hash_seed();
	free(used->named_slots);
	used->named_slots = slots;
	used->named_cap = cap;
	for (size_t i = 0; i < used->named_count; i++)
		*named_slot(used, used->named[i].addr, used->named[i].name) = i + 1;
	return true;
}

static void add_named(struct merge_used *used, uint64_t addr, struct tdat_span name)
{
	struct merge_named *p;
	size_t *slot;

	if (2 * used->named_count >= used->named_cap && !grow_named(used)) {
		used->failed = true;
		return;
	}
	slot = named_slot(used, addr, name);
	if (*slot)
		return;
	p = tdat_grown(used->named, &used->named_room, used->named_count + 1, sizeof(*p));
	if (!p) {
		used->failed = true;
		return;
	}
	used->named = p;
	p[used->named_count++] = (struct merge_named){addr, name};
	*slot = used->named_count;
}

void merge_used_symbol(void *ctx, uint64_t addr, struct tdat_span name, uint64_t start,
		       bool by_name)
{
	struct merge_used *used = ctx;
	struct merge_symbol *s;

	if (by_name) {
		add_named(used, addr, name);
		return;
	}
	if (2 * used->symbol_count >= used->symbol_cap && !grow(used)) {
		used->failed = true;
		return;
	}
	s = slot_of(used->seed, used->symbols, used->symbol_cap, addr);
	if (s->taken)
		return;
	*s = (struct merge_symbol){addr, start, name, true};
	used->symbol_count++;
}
