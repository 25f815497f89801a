/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of a histogram. Its hash is keyed, and nothing that is printed depends on it. */
#include "map.h"

#include <stdlib.h>

enum { SLOTS_FIRST = 256 };

static uint32_t align8(uint32_t v)
{
	return (v + 7) & ~7u;
}

struct hist_map *hist_map_new(const struct hist_data *d, struct tdat_hash_seed seed)
{
	const uint32_t texts = d->field_str_count + d->save_str_count + d->var_str_count;
	struct hist_map *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->seed = seed;
	m->most = 1u << d->attrs.bits;
	m->key_len = d->key_len;
	m->sums_off = align8(d->key_len);
	m->task_off = m->sums_off + (d->val_count - d->var_count) * 8;
	m->vars_off = m->task_off + (d->execname ? 8 : 0);
	m->texts_off = m->vars_off;
	if (d->map_vars)
		m->texts_off += align8((uint32_t)(sizeof(struct hist_vars) +
						  d->map_vars * sizeof(struct hist_value)));
	m->entry_len = m->texts_off + texts * align8(sizeof(struct hist_text));
	m->slots = calloc(SLOTS_FIRST, sizeof(*m->slots));
	m->slot_mask = SLOTS_FIRST - 1;
	m->blocks = calloc((size_t)m->most / HIST_MAP_BLOCK + 1, sizeof(*m->blocks));
	if (m->slots && m->blocks)
		return m;
	hist_map_free(m);
	return NULL;
}

void hist_map_free(struct hist_map *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->block_count; i++)
		free(m->blocks[i]);
	free(m->blocks);
	free(m->slots);
	free(m);
}

uint8_t *hist_map_find(const struct hist_map *m, const uint8_t *key)
{
	const struct hist_slot *s = hist_map_slot(m, key, hist_map_hash(m, key));

	return s->entry ? hist_map_entry(m, s->entry - 1) : NULL;
}

static bool grow(struct hist_map *m)
{
	const uint32_t count = m->slot_mask + 1;
	struct hist_slot *more = calloc(count, 2 * sizeof(*more));

	if (!more)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t k = m->slots[i].hash & (2 * count - 1);

		if (!m->slots[i].entry)
			continue;
		while (more[k].entry)
			k = (k + 1) & (2 * count - 1);
		more[k] = m->slots[i];
	}
	free(m->slots);
	m->slots = more;
	m->slot_mask = 2 * count - 1;
	return true;
}

static bool make_room(struct hist_map *m)
{
	if (m->count * 2 > m->slot_mask && !grow(m))
		return false;
	if (m->count < m->block_count * HIST_MAP_BLOCK)
		return true;
	m->blocks[m->block_count] = calloc(HIST_MAP_BLOCK, m->entry_len);
	return m->blocks[m->block_count] && ++m->block_count;
}

uint8_t *hist_map_insert(struct hist_map *m, const uint8_t *key, uint32_t hash, bool *made,
			 bool *nomem)
{
	struct hist_slot *s = hist_map_slot(m, key, hash);
	uint8_t *entry;

	*made = false;
	if (s->entry) {
		m->hits++;
		return hist_map_entry(m, s->entry - 1);
	}
	if (m->count == m->most) {
		m->drops++;
		return NULL;
	}
	if (!make_room(m)) {
		*nomem = true;
		return NULL;
	}
	s = hist_map_slot(m, key, hash);
	*s = (struct hist_slot){hash, ++m->count};
	entry = hist_map_entry(m, m->count - 1);
	memcpy(entry, key, m->key_len);
	m->hits++;
	*made = true;
	return entry;
}
