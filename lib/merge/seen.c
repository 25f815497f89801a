/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds options and sections that a merged file has already, by keyed hashes of their bytes. */
#include "seen.h"

#include <stdlib.h>
#include <string.h>

enum { IDS = UINT16_MAX + 1 };

void merge_seen_fini(struct merge_seen *seen)
{
	free(seen->same.at);
	free(seen->maps.at);
	free(seen->sections);
}

struct tdat_span merge_map_pid(struct tdat_span map)
{
	size_t n = 0;

	while (n < map.len && map.ptr[n] != ' ')
		n++;
	return (struct tdat_span){map.ptr, n};
}

/* What an option is looked up by, beside its id. */
static struct tdat_span key_of(const struct merge_seen *seen, const struct merge_slots *slots,
			       struct tdat_span data)
{
	return slots == &seen->maps ? merge_map_pid(data) : data;
}

/* The place of the option of that id and key, or the free one it would get. */
static size_t *place_of(const struct merge_seen *seen, const struct merge_slots *slots,
			const struct write_meta *meta, uint16_t id, struct tdat_span data)
{
	struct tdat_span key = key_of(seen, slots, data), other;
	uint64_t hash =
		tdat_hash_pair(seen->seed, tdat_hash_bytes(seen->seed, key.ptr, key.len), id);
	size_t i = (size_t)hash & (slots->cap - 1);

	for (; slots->at[i]; i = (i + 1) & (slots->cap - 1)) {
		const struct write_option *o = &meta->options[slots->at[i] - 1];

		other = key_of(seen, slots, (struct tdat_span){o->data, o->len});
		if (o->id == id && other.len == key.len &&
		    (!key.len || !memcmp(other.ptr, key.ptr, key.len)))
			break;
	}
	return &slots->at[i];
}

/* Makes room for one more option, so that at most half of the places are taken. */
static bool make_room(struct merge_seen *seen, struct merge_slots *slots,
		      const struct write_meta *meta)
{
	struct merge_slots old = *slots;

	if (slots->used < slots->cap / 2)
		return true;
	if (!seen->seed.mul)
		seen->seed = tdat_hash_seed();
	slots->cap = old.cap ? old.cap * 2 : 64;
	slots->at = calloc(slots->cap, sizeof(*slots->at));
	if (!slots->at) {
		*slots = old;
		return false;
	}
	for (size_t i = 0; i < old.cap; i++) {
		const struct write_option *o;

		if (!old.at[i])
			continue;
		o = &meta->options[old.at[i] - 1];
		*place_of(seen, slots, meta, o->id, (struct tdat_span){o->data, o->len}) =
			old.at[i];
	}
	free(old.at);
	return true;
}

/* Puts option number n of meta, from 1, where it is found, unless one like it is there. */
static bool put(struct merge_seen *seen, struct merge_slots *slots, const struct write_meta *meta,
		size_t n)
{
	const struct write_option *o = &meta->options[n - 1];
	size_t *place;

	if (!make_room(seen, slots, meta))
		return false;
	place = place_of(seen, slots, meta, o->id, (struct tdat_span){o->data, o->len});
	if (!*place) {
		*place = n;
		slots->used++;
	}
	return true;
}

bool merge_seen_option(struct merge_seen *seen, const struct write_meta *meta, uint16_t id,
		       struct tdat_span data, bool *found)
{
	/* Options also come from elsewhere, so those since the last call are put in first. */
	for (; seen->looked_at < meta->option_count; seen->looked_at++)
		if (!put(seen, &seen->same, meta, seen->looked_at + 1))
			return false;
	*found = seen->same.cap && *place_of(seen, &seen->same, meta, id, data);
	return true;
}

bool merge_seen_map(struct merge_seen *seen, const struct write_meta *meta, uint16_t id,
		    struct tdat_span map, const struct write_option **first)
{
	size_t *place;

	if (!make_room(seen, &seen->maps, meta))
		return false;
	place = place_of(seen, &seen->maps, meta, id, map);
	*first = *place ? &meta->options[*place - 1] : NULL;
	if (!*place) {
		*place = meta->option_count + 1;
		seen->maps.used++;
	}
	return true;
}

bool merge_seen_section(struct merge_seen *seen, uint16_t id, size_t place, size_t *first)
{
	if (!seen->sections)
		seen->sections = calloc(IDS, sizeof(*seen->sections));
	if (!seen->sections)
		return false;
	if (!seen->sections[id])
		seen->sections[id] = (uint32_t)place + 1;
	*first = seen->sections[id] - 1;
	return true;
}
