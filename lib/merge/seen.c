/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds options and sections that a merged file has already, by keyed hashes of their bytes.
 * Without it each option of an input would be compared with all of the new file. Options that
 * others added to the writer since the last call are entered first. Used by merge_options.c alone.
 */
#include "seen.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* Ids of options have 16 bits. */
enum { IDS = UINT16_MAX + 1 };

void merge_seen_fini(struct merge_seen *seen)
{
	tdat_map_fini(&seen->same);
	tdat_map_fini(&seen->maps);
	free(seen->sections);
}

/* The pid is the first word of a map (option PROCMAPS). */
struct tdat_span merge_map_pid(struct tdat_span map)
{
	size_t n = 0;

	while (n < map.len && map.ptr[n] != ' ')
		n++;
	return (struct tdat_span){map.ptr, n};
}

/*
 * Returns the bytes that an option is found by, beside its id: a map by its pid, others by all
 * bytes.
 */
static struct tdat_span key_of(const struct merge_seen *seen, const struct tdat_map *map,
			       const struct write_option *o)
{
	const struct tdat_span data = {o->data, o->len};

	return map == &seen->maps ? merge_map_pid(data) : data;
}

static bool same(const struct merge_seen *seen, const struct tdat_map *map,
		 const struct write_option *a, const struct write_option *b)
{
	const struct tdat_span x = key_of(seen, map, a), y = key_of(seen, map, b);

	return a->id == b->id && tdat_span_same(x, y);
}

/*
 * Sets *found to the option of meta that equals o, or to TDAT_MAP_NONE. In that case o is entered
 * as number, unless number is TDAT_MAP_NONE, too. False: no memory.
 */
static bool find_or_put(struct merge_seen *seen, struct tdat_map *map,
			const struct write_meta *meta, const struct write_option *o, size_t number,
			uint32_t *found)
{
	struct tdat_span key = key_of(seen, map, o);
	uint64_t hash;

	if (!tdat_map_reserve(map))
		return false;
	hash = tdat_hash_pair(map->seed, tdat_hash_bytes(map->seed, key.ptr, key.len), o->id);
	TDAT_MAP_FIND(*found, map, hash, same(seen, map, &meta->options[*found], o));
	if (*found == TDAT_MAP_NONE && number != TDAT_MAP_NONE)
		tdat_map_put(map, hash, number);
	return true;
}

/* *found: an equal option is in the file. False: no memory. */
bool merge_seen_option(struct merge_seen *seen, const struct write_meta *meta, uint16_t id,
		       struct tdat_span data, bool *found)
{
	const struct write_option o = {.id = id, .data = data.ptr, .len = data.len};
	uint32_t i;

	/* Options also come from elsewhere: those since the last call are entered first. */
	for (; seen->looked_at < meta->option_count; seen->looked_at++)
		if (!find_or_put(seen, &seen->same, meta, &meta->options[seen->looked_at],
				 seen->looked_at, &i))
			return false;
	if (!find_or_put(seen, &seen->same, meta, &o, TDAT_MAP_NONE, &i))
		return false;
	*found = i != TDAT_MAP_NONE;
	return true;
}

/* The place is taken before the caller adds the option, which it must do. */
bool merge_seen_map(struct merge_seen *seen, const struct write_meta *meta, uint16_t id,
		    struct tdat_span map, const struct write_option **first)
{
	const struct write_option o = {.id = id, .data = map.ptr, .len = map.len};
	uint32_t i;

	if (!find_or_put(seen, &seen->maps, meta, &o, meta->option_count, &i))
		return false;
	*first = i == TDAT_MAP_NONE ? NULL : &meta->options[i];
	return true;
}

/* A section is found by its id alone: there should be one of each. */
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
