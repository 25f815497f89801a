/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dictionary of a column, or of a part of it: each value that occurs gets the next number
 * when it first does, so that numbers depend on the rows only.
 */
#ifndef EXPORT_DICTIONARY_H
#define EXPORT_DICTIONARY_H

#include "core/build.h"
#include "core/map.h"

struct dictionary {
	struct tdat_hash_seed seed;
	struct tdat_map map;
	uint32_t count; /* of entries */
	uint32_t most;	/* entries that it may get */
	/* Entries: numbers, or the end of each text in bytes. */
	struct tdat_build numbers; /* uint64_t */
	struct tdat_build ends;	   /* uint64_t */
	struct tdat_build bytes;
	struct tdat_build near; /* uint32_t, while numbers are looked up */
};

#define DICTIONARY_FULL UINT32_MAX

void dictionary_init(struct dictionary *d, uint32_t most);
void dictionary_fini(struct dictionary *d);

/* Takes back the entries of numbers from count on; no value may be looked up afterwards. */
static inline void dictionary_cut(struct dictionary *d, uint32_t count)
{
	d->count = count;
	d->numbers.len = count * sizeof(uint64_t);
}

/* Bytes of memory that it has. */
static inline size_t dictionary_held(const struct dictionary *d)
{
	return tdat_map_size(&d->map) + d->numbers.cap + d->ends.cap + d->bytes.cap + d->near.cap;
}

/*
 * The number of a text, a new one when it is not known. DICTIONARY_FULL: it is new and there
 * are as many as may be; or there was no memory, which dictionary_failed tells.
 */
uint32_t dictionary_text(struct dictionary *d, const void *p, size_t len);

/*
 * The numbers of count values in out; the values are least to least + width, which wraps for
 * signed ones. Stops at a value for which there is no room, and returns how many it did.
 */
size_t dictionary_numbers(struct dictionary *d, const void *v, bool wide, size_t count,
			  uint64_t least, uint64_t width, uint32_t *out);

static inline bool dictionary_failed(const struct dictionary *d)
{
	return d->numbers.failed || d->ends.failed || d->bytes.failed || d->near.failed;
}

static inline const uint64_t *dictionary_values(const struct dictionary *d)
{
	return (const uint64_t *)(const void *)d->numbers.ptr;
}

/* Text of an entry. */
static inline struct tdat_span dictionary_entry(const struct dictionary *d, uint32_t entry)
{
	const uint64_t *ends = (const uint64_t *)(const void *)d->ends.ptr;
	const uint64_t start = entry ? ends[entry - 1] : 0;

	/* Of empty texts alone there are no bytes. */
	return (struct tdat_span){d->bytes.ptr ? d->bytes.ptr + start : NULL,
				  (size_t)(ends[entry] - start)};
}

#endif
