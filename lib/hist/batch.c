/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts events of a batch in three steps: all keys, then their slots in the table, then the
 * entries. With many groups the time is spent waiting for memory. The steps let the processor load
 * several entries at once. Events are counted in their order: a full table drops the same keys as
 * one that is filled event by event. Called by replay.c.
 */
#include "batch.h"

/*
 * True if an event has one histogram whose hits need only the record. A filter, variables, names
 * and stacks depend on earlier events, and another trigger may pause it.
 */
bool hist_is_plain(const struct tdat_hist *h, const struct hist_event *e)
{
	const struct hist_trigger *t = e->trigger_count == 1 ? e->triggers[0] : NULL;
	const struct hist_data *d = t ? t->data : NULL;

	return d && !t->filter && !t->paused && !h->enables && !d->map_vars && !d->ref_count &&
	       !d->execname && !d->stack && d->key_len <= HIST_PLAIN_KEY;
}

/* References are NULL: hist_is_plain() excludes them. */
static struct hist_eval eval_of(const struct tdat_hist *h, const struct hist_data *d,
				const struct hist_hit *hit)
{
	return (struct hist_eval){h, d, hit, NULL, d->attrs.usecs && h->clock_ns};
}

void hist_plain_key(const struct tdat_hist *h, struct hist_data *d, const struct hist_hit *hit,
		    struct hist_plain_hit *out)
{
	const struct hist_eval ev = eval_of(h, d, hit);

	out->data = d;
	hist_eval_key(&ev, (uint8_t *)out->key);
	out->hash = hist_map_hash(d->map, (const uint8_t *)out->key);
	/* Step 1 of 3: the slot is loaded while the next keys are computed. */
	__builtin_prefetch(&d->map->index.slots[out->hash & d->map->index.mask]);
}

void hist_plain_fetch(const struct hist_plain_hit *p)
{
	const struct hist_map *m = p->data->map;
	const uint32_t item = m->index.slots[p->hash & m->index.mask].item;

	/* Step 2 of 3: the slot has arrived, so the entry can be loaded. */
	if (item)
		__builtin_prefetch(hist_map_entry(m, item - 1), 1);
}

enum tdat_status hist_plain_count(struct tdat_hist *h, const struct hist_plain_hit *p,
				  const struct tdat_event *event)
{
	const struct hist_data *d = p->data;
	const uint8_t *key = (const uint8_t *)p->key;
	const uint32_t number = hist_map_number(d->map, key, p->hash);
	bool made, nomem = false;
	uint8_t *entry;
	uint64_t *sums;

	/* Step 3 of 3. A key that an earlier event of the batch inserted is found here too. */
	if (number != TDAT_MAP_NONE) {
		d->map->hits++;
		entry = hist_map_entry(d->map, number);
	} else {
		entry = hist_map_insert(d->map, key, p->hash, &made, &nomem);
	}
	/* NULL without nomem: the table is full, and hist_map_insert() counted the drop. */
	if (!entry)
		return nomem ? tdat_error_no_memory(h->err, "a histogram") : TDAT_OK;
	sums = hist_entry_sums(d->map, entry);
	/* Value 0 is always hitcount. */
	sums[0]++;
	/* Most triggers count hits only, so the hit is not built for them. */
	if (d->val_count > 1) {
		const struct hist_hit hit = hist_hit_of(event);
		const struct hist_eval ev = eval_of(h, d, &hit);

		for (uint32_t i = 1; i < d->val_count; i++)
			sums[i] += hist_eval(&ev, d->fields[i]);
	}
	return TDAT_OK;
}
