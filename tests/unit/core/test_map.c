/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The map against an array that is searched from its beginning: elements are put, found and taken
 * out at random, with hashes that are good, that are few, and that lie at the end of the slots.
 */
#include <check.h>
#include <stdint.h>
#include <string.h>

#include "../common/run.h"
#include "core/map.h"

enum { ITEMS = 3000, KEYS = 900, STEPS = 40000 };

struct list {
	struct tdat_map map;
	uint32_t keys[ITEMS];
	uint32_t put[ITEMS]; /* when it was put; 0: it is not in the map */
	uint32_t puts;
	uint32_t count; /* elements that ever were */
};

static uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* The kinds of hashes: keyed, eight different ones, and ones that run over the end of the slots. */
static uint64_t hash_of(const struct list *l, int kind, uint32_t key)
{
	if (kind == 0)
		return tdat_hash_u64(l->map.seed, key);
	return kind == 1 ? key % 8 : UINT64_C(0xfffffffffffffff0) + key % 16;
}

/* The element of that key that was put first. */
static uint32_t oracle(const struct list *l, uint32_t key)
{
	uint32_t found = TDAT_MAP_NONE;

	for (uint32_t i = 0; i < l->count; i++)
		if (l->put[i] && l->keys[i] == key &&
		    (found == TDAT_MAP_NONE || l->put[i] < l->put[found]))
			found = i;
	return found;
}

static uint32_t find(const struct list *l, int kind, uint32_t key)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &l->map, hash_of(l, kind, key), l->keys[i] == key);
	return i;
}

/* Keys may be there more than once: the first one that was put is found. */
static void put(struct list *l, int kind, uint32_t key)
{
	const uint32_t i = l->count;

	if (i == ITEMS)
		return;
	ck_assert(tdat_map_reserve(&l->map));
	l->keys[i] = key;
	l->put[i] = ++l->puts;
	l->count++;
	tdat_map_put(&l->map, hash_of(l, kind, key), i);
}

START_TEST(test_random)
{
	static struct list l;
	uint64_t state = 7;
	size_t taken = 0;

	memset(&l, 0, sizeof(l));
	ck_assert_uint_eq(find(&l, _i, 1), TDAT_MAP_NONE);
	ck_assert_uint_eq(tdat_map_size(&l.map), 0);
	for (int step = 0; step < STEPS; step++) {
		const uint32_t key = next_random(&state) % KEYS, what = next_random(&state) % 8;
		const uint32_t want = oracle(&l, key);

		ck_assert_uint_eq(find(&l, _i, key), want);
		if (what == 0) {
			put(&l, _i, key);
		} else if (what == 1 && want != TDAT_MAP_NONE) {
			tdat_map_remove(&l.map, hash_of(&l, _i, key), want);
			l.put[want] = 0;
			taken++;
		}
		ck_assert_uint_eq(l.map.count, l.count - taken);
		ck_assert(2 * l.map.count <= l.map.mask + 1);
	}
	ck_assert_uint_gt(taken, 500);
	tdat_map_clear(&l.map);
	for (uint32_t key = 0; key < KEYS; key++)
		ck_assert_uint_eq(find(&l, _i, key), TDAT_MAP_NONE);
	tdat_map_fini(&l.map);
	tdat_map_fini(&l.map);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("map");
	TCase *tc = tcase_create("map");

	tcase_add_loop_test(tc, test_random, 0, 3);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
