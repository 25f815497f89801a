/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of a histogram. Its hash is keyed, and nothing that is printed depends on it.
 * Entries are added and never removed; their number is bounded by the trigger's size, as in the
 * kernel, and hits beyond it are counted as drops. Entries lie in blocks, so that they do not
 * move.
 */
#include "map.h"

#include <stdlib.h>

/* Parts of an entry start at multiples of 8, so that they can be read as u64. */
static uint32_t align8(uint32_t v)
{
	return (v + 7) & ~7u;
}

struct hist_map *hist_map_new(const struct hist_data *d, struct tdat_hash_seed seed)
{
	/* Strings are stored in the entry: of fields, of save(), of variables, in this order. */
	const uint32_t texts = d->field_str_count + d->save_str_count + d->var_str_count;
	struct hist_map *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	/*
	 * An entry: key, sums, number of the task's name, variables, strings. The kernel's size=
	 * bounds the number of entries.
	 */
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
	/*
	 * Pointers to blocks are allocated at once, entries block by block: most histograms stay
	 * small.
	 */
	m->blocks = calloc((size_t)m->most / HIST_MAP_BLOCK + 1, sizeof(*m->blocks));
	if (m->blocks && tdat_map_reserve(&m->index)) {
		m->index.seed = seed;
		return m;
	}
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
	tdat_map_fini(&m->index);
	free(m);
}

uint8_t *hist_map_find(const struct hist_map *m, const uint8_t *key)
{
	const uint32_t i = hist_map_number(m, key, hist_map_hash(m, key));

	return i == TDAT_MAP_NONE ? NULL : hist_map_entry(m, i);
}

/* Makes room for one more entry. False: no memory. */
static bool make_room(struct hist_map *m)
{
	if (!tdat_map_reserve(&m->index))
		return false;
	if (m->index.count < (size_t)m->block_count * HIST_MAP_BLOCK)
		return true;
	/* Zeroed: sums begin with 0, and variables with none set. */
	m->blocks[m->block_count] = calloc(HIST_MAP_BLOCK, m->entry_len);
	return m->blocks[m->block_count] && ++m->block_count;
}

uint8_t *hist_map_insert(struct hist_map *m, const uint8_t *key, uint32_t hash, bool *made,
			 bool *nomem)
{
	const uint32_t i = hist_map_number(m, key, hash);
	uint8_t *entry;

	*made = false;
	if (i != TDAT_MAP_NONE) {
		m->hits++;
		return hist_map_entry(m, i);
	}
	/*
	 * The kernel drops new keys of a full table (tracing_map_insert()); known ones are still
	 * counted.
	 */
	if (m->index.count == m->most) {
		m->drops++;
		return NULL;
	}
	if (!make_room(m)) {
		*nomem = true;
		return NULL;
	}
	entry = hist_map_entry(m, (uint32_t)m->index.count);
	tdat_map_put(&m->index, hash, m->index.count);
	memcpy(entry, key, m->key_len);
	m->hits++;
	*made = true;
	return entry;
}
