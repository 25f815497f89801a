/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the group of a row by the text of its values. A key is made of the row's values as
 * text, found by a keyed hash; rows with the same dictionary indexes as a recent one take a
 * short way. Groups are bounded by number and bytes, further rows form one group of others.
 */
#include "groups.h"

#include <stdlib.h>

#include "core/search.h"
#include "core/text.h"

enum { PART_HEAD = 5 }; /* a flag and a length of four bytes */

/* Starts without groups; what names them in the note about others. */
void summary_groups_init(struct summary_groups *g, const char *what, size_t part_count)
{
	*g = (struct summary_groups){
		.part_count = part_count,
		.others = {what, 0, 0, SUMMARY_GROUPS_MAX - 1, SUMMARY_GROUPS_KEYS_MAX}};
	tdat_byte_set_init(&g->keys);
	tdat_build_init(&g->key, false);
}

void summary_groups_fini(struct summary_groups *g)
{
	tdat_byte_set_fini(&g->keys);
	tdat_build_fini(&g->key);
	free(g->recent);
}

enum { TEXT, NUMBER, NULL_PART, NO_PART }; /* flags of a part; no row has the last one */

/*
 * Makes the key of a row; without columns that of the others, whose flag no row has. Lengths keep
 * parts apart, so no two rows of different values share a key. False: no memory.
 */
static bool make_key(struct summary_groups *g, const struct summary_column *columns, int64_t row)
{
	struct tdat_build *b = &g->key;

	b->len = 0;
	for (size_t i = 0; i < g->part_count; i++) {
		const size_t head = b->len;
		uint32_t len;

		tdat_build_bytes(b, "\0\0\0\0\0", PART_HEAD);
		if (columns)
			summary_column_put(&columns[i], row, b);
		if (b->failed)
			return false;
		len = (uint32_t)(b->len - head - PART_HEAD);
		b->ptr[head] = !columns					  ? NO_PART
			       : summary_column_is_null(&columns[i], row) ? NULL_PART
			       : summary_column_is_number(&columns[i])	  ? NUMBER
									  : TEXT;
		memcpy(b->ptr + head + 1, &len, sizeof(len));
	}
	return true;
}

/* Finds or adds the group of a row. The last group that fits is made the one of others. */
static size_t find(struct summary_groups *g, const struct summary_column *columns, int64_t row)
{
	uint32_t number;
	bool fresh;

	if (!make_key(g, columns, row))
		return SUMMARY_NO_GROUP;
	number = tdat_byte_set_find(&g->keys, g->key.ptr, g->key.len);
	if (number || g->full)
		return number ? number - 1 : g->count - 1;
	if (g->count + 1 == SUMMARY_GROUPS_MAX ||
	    g->keys.bytes.len + g->key.len > SUMMARY_GROUPS_KEYS_MAX) {
		g->full = true;
		g->others.group_count = g->count;
		make_key(g, NULL, 0);
	}
	return tdat_byte_set_add(&g->keys, g->key.ptr, g->key.len, &fresh) ? g->count++
									   : SUMMARY_NO_GROUP;
}

/* Words of a row are valid for one batch: dictionaries change between batches. */
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

/*
 * Finds a group as summary_groups_find() does, but does not count rows of others. A row whose
 * words equal those of a recent row has its group.
 */
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
		/* Multiplicative hashing: the middle bits choose the slot. */
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

/* Walks over the parts of the key; ptr is NULL for null. */
struct tdat_span summary_groups_part(const struct summary_groups *g, size_t group, size_t part,
				     bool *is_number)
{
	const uint8_t *p = tdat_byte_set_get(&g->keys, (uint32_t)group + 1).ptr;
	uint32_t len;

	for (size_t i = 0;; i++) {
		memcpy(&len, p + 1, sizeof(len));
		if (i == part)
			break;
		p += PART_HEAD + len;
	}
	if (is_number)
		*is_number = *p == NUMBER;
	return (struct tdat_span){*p >= NULL_PART ? NULL : p + PART_HEAD, len};
}

/* Null first, numbers by value, though parts are texts, texts by bytes. */
static int compare_parts(struct tdat_span a, struct tdat_span b)
{
	int64_t x, y;

	if (!a.ptr || !b.ptr)
		return (a.ptr != NULL) - (b.ptr != NULL);
	if (tdat_whole_i64(a, &x) && tdat_whole_i64(b, &y) && x != y)
		return x < y ? -1 : 1;
	return tdat_span_order(a, b);
}

int summary_groups_compare(const struct summary_groups *g, size_t a, size_t b)
{
	for (size_t i = 0; i < g->part_count; i++) {
		const int order = compare_parts(summary_groups_part(g, a, i, NULL),
						summary_groups_part(g, b, i, NULL));

		if (order)
			return order;
	}
	return (a > b) - (a < b);
}

/* ---- order ---- */

/* A group while groups are sorted. */
struct order_entry {
	const struct summary_groups *groups;
	uint64_t weight;
	size_t group, same;
};

/* The first same parts keep groups together; then the weight decides, then the key. */
static int by_place(const void *a, const void *b)
{
	const struct order_entry *x = a, *y = b;

	for (size_t i = 0; i < x->same; i++) {
		const int order =
			tdat_span_order(summary_groups_part(x->groups, x->group, i, NULL),
					summary_groups_part(y->groups, y->group, i, NULL));

		if (order)
			return order;
	}
	return TDAT_ORDER(y->weight, x->weight,
			  summary_groups_compare(x->groups, x->group, y->group));
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
