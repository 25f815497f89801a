/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the group of a row by the text of its values. A key is made of the row's values as
 * text, found by a keyed hash; rows with the same dictionary indexes as a recent one take a
 * short way. Groups are bounded by number and bytes, further rows form one group of others.
 */
#include "groups.h"

#include <stdlib.h>

#include "core/grow.h"

enum { PART_HEAD = 5 }; /* a flag and a length of four bytes */

void summary_groups_init(struct summary_groups *g, const char *what, size_t part_count)
{
	*g = (struct summary_groups){
		.part_count = part_count,
		.others = {what, 0, 0, SUMMARY_GROUPS_MAX - 1, SUMMARY_GROUPS_KEYS_MAX}};
	tdat_build_init(&g->keys, false);
}

void summary_groups_fini(struct summary_groups *g)
{
	tdat_build_fini(&g->keys);
	free(g->starts);
	tdat_map_fini(&g->map);
	free(g->recent);
}

static size_t key_end(const struct summary_groups *g, size_t group)
{
	return group + 1 < g->count ? g->starts[group + 1] : g->keys_end;
}

static bool same(const struct summary_groups *g, size_t group, const uint8_t *key, size_t len)
{
	const size_t start = g->starts[group];

	return key_end(g, group) - start == len && !memcmp(g->keys.ptr + start, key, len);
}

static void put_part(struct tdat_build *b, bool null, size_t text, size_t end)
{
	const uint32_t len = (uint32_t)(end - text);

	if (b->failed)
		return;
	b->ptr[text - PART_HEAD] = null;
	memcpy(b->ptr + text - 4, &len, sizeof(len));
}

/* Appends a key to those of all groups. */
static void put_key(struct summary_groups *g, const struct summary_column *columns, int64_t row)
{
	struct tdat_build *b = &g->keys;

	for (size_t i = 0; i < g->part_count; i++) {
		size_t text;

		tdat_build_bytes(b, "\0\0\0\0\0", PART_HEAD);
		text = b->len;
		if (columns)
			summary_column_put(&columns[i], row, b);
		put_part(b, !columns || summary_column_is_null(&columns[i], row), text, b->len);
	}
}

static size_t find(struct summary_groups *g, const struct summary_column *columns, int64_t row)
{
	const size_t start = g->keys.len;
	size_t *starts = tdat_grown(g->starts, &g->start_cap, g->count + 1, sizeof(*starts));
	size_t len;
	uint64_t hash;
	uint32_t i;

	if (starts)
		g->starts = starts;
	put_key(g, columns, row);
	if (!starts || g->keys.failed || !tdat_map_reserve(&g->map))
		return SUMMARY_NO_GROUP;
	len = g->keys.len - start;
	hash = tdat_hash_bytes(g->map.seed, g->keys.ptr + start, len);
	TDAT_MAP_FIND(i, &g->map, hash, same(g, i, g->keys.ptr + start, len));
	if (i != TDAT_MAP_NONE || g->full) {
		g->keys.len = start;
		return i != TDAT_MAP_NONE ? i : g->count - 1;
	}
	if (g->count + 1 == SUMMARY_GROUPS_MAX || g->keys.len > SUMMARY_GROUPS_KEYS_MAX) {
		g->full = true;
		g->others.group_count = g->count;
		g->keys.len = start;
		put_key(g, NULL, 0);
	}
	g->starts[g->count] = start;
	g->keys_end = g->keys.len;
	if (!g->full)
		tdat_map_put(&g->map, hash, g->count);
	return g->keys.failed ? SUMMARY_NO_GROUP : g->count++;
}

void summary_groups_batch(struct summary_groups *g)
{
	if (!g->recent && g->part_count <= SUMMARY_GROUPS_WORDS)
		g->recent = calloc(SUMMARY_GROUPS_RECENT, sizeof(*g->recent));
	if (g->recent)
		g->batch++;
}

static bool is_recent(const struct summary_groups *g, const struct summary_groups_recent *r,
		      const uint64_t *words)
{
	uint64_t differs = r->batch ^ g->batch;

	for (size_t i = 0; i < g->part_count; i++)
		differs |= r->words[i] ^ words[i];
	return !differs;
}

/* As summary_groups_find, which counts rows of others. */
static size_t find_quickly(struct summary_groups *g, const struct summary_column *columns,
			   int64_t row)
{
	uint64_t words[SUMMARY_GROUPS_WORDS], hash = 0;
	struct summary_groups_recent *r;
	size_t i;

	if (!g->batch)
		return find(g, columns, row);
	for (i = 0; i < g->part_count; i++) {
		if (!summary_column_word(&columns[i], row, &words[i]))
			return find(g, columns, row);
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
	}
	r = &g->recent[hash >> 32 & (SUMMARY_GROUPS_RECENT - 1)];
	if (!is_recent(g, r, words)) {
		r->group = find(g, columns, row);
		r->batch = g->batch;
		memcpy(r->words, words, i * sizeof(*words));
	}
	return r->group;
}

size_t summary_groups_find(struct summary_groups *g, const struct summary_column *columns,
			   int64_t row)
{
	const size_t group = find_quickly(g, columns, row);

	g->others.rows += summary_groups_are_others(g, group);
	return group;
}

struct tdat_span summary_groups_part(const struct summary_groups *g, size_t group, size_t part)
{
	const uint8_t *p = g->keys.ptr + g->starts[group];
	uint32_t len;

	for (size_t i = 0;; i++) {
		memcpy(&len, p + 1, sizeof(len));
		if (i == part)
			break;
		p += PART_HEAD + len;
	}
	return (struct tdat_span){*p ? NULL : p + PART_HEAD, len};
}

static bool is_number(struct tdat_span s, long long *v)
{
	char text[24], *end;

	if (!s.len || s.len >= sizeof(text))
		return false;
	memcpy(text, s.ptr, s.len);
	text[s.len] = '\0';
	*v = strtoll(text, &end, 10);
	return !*end && end != text;
}

int summary_bytes_compare(struct tdat_span a, struct tdat_span b)
{
	const size_t n = a.len < b.len ? a.len : b.len;
	const int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_parts(struct tdat_span a, struct tdat_span b)
{
	long long x, y;

	if (!a.ptr || !b.ptr)
		return (a.ptr != NULL) - (b.ptr != NULL);
	if (is_number(a, &x) && is_number(b, &y) && x != y)
		return x < y ? -1 : 1;
	return summary_bytes_compare(a, b);
}

int summary_groups_compare(const struct summary_groups *g, size_t a, size_t b)
{
	for (size_t i = 0; i < g->part_count; i++) {
		const int order =
			compare_parts(summary_groups_part(g, a, i), summary_groups_part(g, b, i));

		if (order)
			return order;
	}
	return (a > b) - (a < b);
}

/* ---- order ---- */

struct order_entry {
	const struct summary_groups *groups;
	uint64_t weight;
	size_t group, same;
};

static int by_place(const void *a, const void *b)
{
	const struct order_entry *x = a, *y = b;

	for (size_t i = 0; i < x->same; i++) {
		const int order =
			summary_bytes_compare(summary_groups_part(x->groups, x->group, i),
					      summary_groups_part(y->groups, y->group, i));

		if (order)
			return order;
	}
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return summary_groups_compare(x->groups, x->group, y->group);
}

size_t *summary_groups_order(const struct summary_groups *g, size_t same,
			     uint64_t (*weight)(const void *sums, size_t group), const void *sums)
{
	struct order_entry *list = calloc(g->count + 1, sizeof(*list));
	size_t *order = calloc(g->count + 1, sizeof(*order));

	for (size_t i = 0; list && order && i < g->count; i++)
		list[i] = (struct order_entry){g, weight ? weight(sums, i) : 0, i, same};
	if (list && order) {
		qsort(list, g->count, sizeof(*list), by_place);
		for (size_t i = 0; i < g->count; i++)
			order[i] = list[i].group;
	}
	free(list);
	if (list)
		return order;
	free(order);
	return NULL;
}
