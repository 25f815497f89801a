/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An array of entries under keys of two or four numbers, for state by CPU, task, pointer or object
 * of a trace. Entries are found through a map; their number is bounded, since keys come from
 * files. They are walked in an order that depends on what was added and removed only, not on
 * hashes.
 */
#ifndef TDAT_CORE_ENTRIES_H
#define TDAT_CORE_ENTRIES_H

#include "map.h"

/* The first member of each entry. Behind it lies the key. */
struct tdat_entry {
	uint32_t next_free; /* of an entry that is not used: index + 1 */
	bool used;
};

enum { TDAT_KEY_MOST = 4, TDAT_ENTRIES_RECENT = 64 };

struct tdat_entries {
	/* Those that tdat_entry_get gave last, by the low bits of their keys: index + 1; 0: none.
	 */
	uint32_t recent[TDAT_ENTRIES_RECENT];
	struct tdat_map index;
	uint8_t *v;
	size_t entry_len, cap, most;
	size_t key_len; /* numbers of a key: 2 or 4 */
	size_t end;	/* entries up to here were used at some time */
	uint32_t free_entry;
	bool failed; /* memory ran out */
};

/* Entries are as many as most at once, keys are of key_len numbers, 2 or 4. */
void tdat_entries_init(struct tdat_entries *e, size_t entry_len, size_t key_len, size_t most);
void tdat_entries_fini(struct tdat_entries *e);

/* The entry of a key, or NULL. */
void *tdat_entry_find(const struct tdat_entries *e, const uint64_t *key);
/*
 * The entry of a key, which is made, all zero behind its key, if there is none. NULL: there are
 * too many, or memory ran out. Other entries may move.
 */
void *tdat_entry_get(struct tdat_entries *e, const uint64_t *key);
void tdat_entry_remove(struct tdat_entries *e, void *entry);

/* Entry number i, below e->end; NULL where there is none. */
static inline void *tdat_entry_at(const struct tdat_entries *e, size_t i)
{
	struct tdat_entry *entry = (struct tdat_entry *)(void *)(e->v + i * e->entry_len);

	return entry->used ? entry : NULL;
}

#endif
