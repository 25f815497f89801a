/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the different values of a column, each once and in the order of their first row, with a
 * map that finds a value's index. Parquet and Arrow write the indexes instead of the values.
 * The dictionary takes no more than the bytes that its owner gave it.
 */
#include "dictionary.h"

/* Numbers closer together than this are found by a table, at most 32 KB. */
enum { NEAR_MOST = 1 << 13 };

void dictionary_init(struct dictionary *d, uint32_t most)
{
	memset(d, 0, sizeof(*d));
	d->seed = tdat_hash_seed();
	d->most = most;
}

void dictionary_fini(struct dictionary *d)
{
	tdat_map_fini(&d->map);
	tdat_build_fini(&d->numbers);
	tdat_build_fini(&d->ends);
	tdat_build_fini(&d->bytes);
	tdat_build_fini(&d->near);
}

static void put_u64(struct tdat_build *b, uint64_t v)
{
	tdat_build_bytes(b, &v, sizeof(v));
}

/* Numbers a new entry; DICTIONARY_FULL: no room, or no memory. */
static uint32_t add(struct dictionary *d, uint64_t hash)
{
	if (d->count >= d->most || dictionary_failed(d))
		return DICTIONARY_FULL;
	if (!tdat_map_reserve(&d->map)) {
		d->bytes.failed = true;
		return DICTIONARY_FULL;
	}
	tdat_map_put(&d->map, hash, d->count);
	return d->count++;
}

static bool same(struct tdat_span had, const void *p, size_t len)
{
	return had.len == len && (!len || !memcmp(had.ptr, p, len));
}

/* Number of a text, which is added if it is new; DICTIONARY_FULL: see add(). */
uint32_t dictionary_text(struct dictionary *d, const void *p, size_t len)
{
	const uint64_t hash = tdat_hash_bytes(d->seed, p, len);
	uint32_t entry;

	TDAT_MAP_FIND(entry, &d->map, hash, same(dictionary_entry(d, entry), p, len));
	if (entry != TDAT_MAP_NONE)
		return entry;
	entry = add(d, hash);
	if (entry == DICTIONARY_FULL)
		return entry;
	/* Entries are consecutive in bytes; ends has the end of each. */
	tdat_build_bytes(&d->bytes, p, len);
	put_u64(&d->ends, d->bytes.len);
	return dictionary_failed(d) ? DICTIONARY_FULL : entry;
}

static uint32_t add_number(struct dictionary *d, uint64_t v, uint64_t hash)
{
	const uint32_t entry = add(d, hash);

	if (entry != DICTIONARY_FULL)
		put_u64(&d->numbers, v);
	return dictionary_failed(d) ? DICTIONARY_FULL : entry;
}

/* Number of a value, which is added if it is new. */
static inline uint32_t number(struct dictionary *d, uint64_t v)
{
	const uint64_t hash = tdat_hash_u64(d->seed, v);
	const uint64_t *values = dictionary_values(d);
	uint32_t entry;

	TDAT_MAP_FIND(entry, &d->map, hash, values[entry] == v);
	if (entry != TDAT_MAP_NONE)
		return entry;
	return add_number(d, v, hash);
}

/*
 * Returns an empty table for numbers that are width apart at most: one load for each value while a
 * page is looked up. NULL: they are too far apart.
 */
static uint32_t *near_table(struct dictionary *d, uint64_t width)
{
	const size_t len = (size_t)(width + 1) * sizeof(uint32_t);

	d->near.len = 0;
	if (width >= NEAR_MOST || !tdat_build_room(&d->near, len))
		return NULL;
	memset(d->near.ptr, 0xff, len);
	return (uint32_t *)(void *)d->near.ptr;
}

/* Number i of an array of either width. */
static inline uint64_t at(const void *v, size_t i, bool wide)
{
	return wide ? ((const uint64_t *)v)[i] : ((const uint32_t *)v)[i];
}

/*
 * Finds the entries of count numbers; compiled for each width by the functions below. Returns the
 * number of values done before one did not fit.
 */
static inline __attribute__((always_inline)) size_t numbers(struct dictionary *d, const void *v,
							    bool wide, size_t count, uint64_t least,
							    uint64_t width, uint32_t *out)
{
	uint32_t *near = near_table(d, width);

	for (size_t i = 0; near && i < count; i++) {
		/* Below NEAR_MOST; numbers of 32 bits may be signed, and wrap. */
		uint32_t *entry = &near[(uint32_t)(at(v, i, wide) - least)];

		if (*entry == DICTIONARY_FULL)
			*entry = number(d, at(v, i, wide));
		out[i] = *entry;
		if (out[i] == DICTIONARY_FULL)
			return i;
	}
	for (size_t i = 0; !near && i < count; i++) {
		/* Runs of equal numbers are common where values are far apart. */
		out[i] = i && at(v, i, wide) == at(v, i - 1, wide) ? out[i - 1]
								   : number(d, at(v, i, wide));
		if (out[i] == DICTIONARY_FULL)
			return i;
	}
	return count;
}

size_t dictionary_numbers(struct dictionary *d, const void *v, bool wide, size_t count,
			  uint64_t least, uint64_t width, uint32_t *out)
{
	return wide ? numbers(d, v, true, count, least, width, out)
		    : numbers(d, v, false, count, least, width, out);
}
