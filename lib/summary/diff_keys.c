/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The keys of a comparison and what happened with each in blocks of time. Keys are bounded in
 * number (DIFF_KEYS), what is kept of them in bytes (DIFF_ROOM). A key for which there is no room
 * any more is full: what it had is freed, and it is not compared. diff_take.c adds rows here.
 */
#include <stdlib.h>
#include <string.h>

#include "diff.h"

enum { AMOUNTS_LEAST = 8 };

void diff_fold(struct tdat_build *out, struct tdat_span text)
{
	bool digits = false;

	for (size_t i = 0; i < text.len; i++) {
		const bool digit = text.ptr[i] >= '0' && text.ptr[i] <= '9';

		if (!digit)
			tdat_build_u8(out, text.ptr[i]);
		else if (!digits)
			tdat_build_u8(out, 'N');
		digits = digit;
	}
}

uint32_t diff_key_of(struct tdat_diff *d, uint32_t family, struct tdat_span text)
{
	uint32_t number;
	bool fresh;

	d->name.len = 0;
	tdat_build_u32(&d->name, family);
	tdat_build_bytes(&d->name, text.ptr, text.len);
	if (d->name.failed) {
		d->pool.failed = true;
		return DIFF_NO_KEY;
	}
	number = tdat_byte_set_find(&d->names, d->name.ptr, d->name.len);
	if (number)
		return number - 1;
	if (d->key_count == DIFF_KEYS)
		return DIFF_NO_KEY;
	number = tdat_byte_set_add(&d->names, d->name.ptr, d->name.len, &fresh);
	if (!number || !TDAT_GROW_ZERO(d->keys, &d->key_cap, number)) {
		d->pool.failed = true;
		return DIFF_NO_KEY;
	}
	d->key_count = number;
	d->keys[number - 1].family = family;
	return number - 1;
}

struct tdat_span diff_key_text(const struct tdat_diff *d, uint32_t key)
{
	const struct tdat_span all = tdat_byte_set_get(&d->names, key + 1);

	return (struct tdat_span){all.ptr + sizeof(uint32_t), all.len - sizeof(uint32_t)};
}

/* Frees what a key has on both sides. */
static void drop(struct tdat_diff *d, struct diff_key *key)
{
	for (size_t side = 0; side < DIFF_SIDES; side++) {
		struct diff_series *s = &key->sides[side];

		sketch_fini(&s->values, &d->pool);
		d->pool.used -= s->amount_cap * sizeof(*s->amounts);
		free(s->amounts);
		s->amounts = NULL;
		s->amount_cap = 0;
	}
}

/* The key's room is used up, unless memory is. */
static bool is_full(struct tdat_diff *d, struct diff_key *key)
{
	drop(d, key);
	key->is_full = true;
	return !d->pool.failed;
}

/* Makes room for the amounts of all blocks up to one, those of a whole sample at once. */
static bool make_room(struct tdat_diff *d, struct diff_series *s, size_t block)
{
	const size_t had = s->amount_cap, cap = (block / DIFF_BLOCKS + 1) * DIFF_BLOCKS;
	uint64_t *amounts;

	if (d->pool.used + (cap - had) * sizeof(*amounts) > d->pool.most)
		return false;
	amounts = realloc(s->amounts, cap * sizeof(*amounts));
	if (!amounts) {
		d->pool.failed = true;
		return false;
	}
	memset(&amounts[had], 0, (cap - had) * sizeof(*amounts));
	d->pool.used += (cap - had) * sizeof(*amounts);
	s->amounts = amounts;
	s->amount_cap = cap;
	return true;
}

bool diff_add_amount(struct tdat_diff *d, uint32_t key, int side, size_t block, uint64_t amount)
{
	struct diff_key *k = &d->keys[key];
	struct diff_series *s = &k->sides[side];

	if (k->is_full)
		return true;
	if (block >= s->amount_cap && !make_room(d, s, block))
		return is_full(d, k);
	if (!tdat_add_u64(s->amounts[block], amount, &s->amounts[block]))
		s->amounts[block] = UINT64_MAX;
	return true;
}

bool diff_add_value(struct tdat_diff *d, uint32_t key, int side, size_t block, int64_t value)
{
	struct diff_key *k = &d->keys[key];

	if (k->is_full)
		return true;
	k->sides[side].rows++;
	return sketch_add(&k->sides[side].values, &d->pool, (uint32_t)block, value) ||
	       is_full(d, k);
}

bool diff_add_blocks(struct tdat_diff *d, int side, const double *exposure, size_t count,
		     size_t cpus)
{
	struct diff_side *s = &d->sides[side];

	for (int per_cpu = 0; per_cpu < 2; per_cpu++) {
		struct diff_exposure *e = &s->exposures[per_cpu];

		if (!TDAT_GROW(e->blocks, &e->cap, s->block_count + DIFF_BLOCKS))
			return false;
		/* A sample has DIFF_BLOCKS blocks; those that a short one lacks have no time. */
		for (size_t i = 0; i < DIFF_BLOCKS; i++) {
			double *b = &e->blocks[s->block_count + i];

			*b = i < count ? exposure[i] / (per_cpu ? 1 : (double)cpus) : 0;
			e->total += *b;
		}
	}
	s->block_count += DIFF_BLOCKS;
	s->sample_count++;
	return true;
}

/* Settles values and frees all that only adding needs, once a sample was read. */
bool diff_settle(struct tdat_diff *d, int side)
{
	for (size_t i = 0; i < d->key_count; i++) {
		struct diff_key *k = &d->keys[i];

		if (!k->is_full && !sketch_settle(&k->sides[side].values, &d->pool) &&
		    !is_full(d, k))
			return false;
	}
	return true;
}

void diff_keys_fini(struct tdat_diff *d)
{
	for (size_t i = 0; i < d->key_count; i++)
		drop(d, &d->keys[i]);
	free(d->keys);
	tdat_byte_set_fini(&d->names);
	tdat_build_fini(&d->name);
	for (size_t side = 0; side < DIFF_SIDES; side++) {
		for (int i = 0; i < 2; i++)
			free(d->sides[side].exposures[i].blocks);
		free(d->sides[side].rows);
	}
}
