/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the formats of all inputs. Those that differ in nothing but their id share an id; a
 * different one keeps its id when that is free and else gets an unused one.
 */
#include <stdlib.h>

#include "merge.h"
#include "core/grow.h"
#include "core/hash.h"

/* A format that is written, without the digits of its id. */
struct known {
	const char *system;
	struct tdat_span head, tail;
	uint64_t hash;
	uint16_t id;
	uint32_t next; /* of the same bucket, + 1 */
};

enum { BUCKETS = 1 << 16 };

struct table {
	struct known *list;
	size_t count, cap;
	struct tdat_hash_seed seed;
	uint32_t buckets[BUCKETS]; /* index + 1 */
};

static uint64_t hash_of(const struct table *t, const struct known *k)
{
	uint64_t h = tdat_hash_bytes(t->seed, k->system, strlen(k->system));

	h = tdat_hash_pair(t->seed, h, tdat_hash_bytes(t->seed, k->head.ptr, k->head.len));
	return tdat_hash_pair(t->seed, h, tdat_hash_bytes(t->seed, k->tail.ptr, k->tail.len));
}

static bool equal(struct tdat_span a, struct tdat_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

static struct known *find(struct table *t, const struct known *k)
{
	uint32_t i = t->buckets[k->hash % BUCKETS];

	while (i && (t->list[i - 1].hash != k->hash || strcmp(t->list[i - 1].system, k->system) ||
		     !equal(t->list[i - 1].head, k->head) || !equal(t->list[i - 1].tail, k->tail)))
		i = t->list[i - 1].next;
	return i ? &t->list[i - 1] : NULL;
}

static bool add(struct table *t, struct known *k)
{
	uint32_t bucket = k->hash % BUCKETS;
	struct known *list;

	list = tdat_grown(t->list, &t->cap, t->count + 1, sizeof(*list));
	if (!list)
		return false;
	t->list = list;
	k->next = t->buckets[bucket];
	t->list[t->count++] = *k;
	t->buckets[bucket] = (uint32_t)t->count;
	return true;
}

/* Warns of a format that readers will not understand; it is kept all the same. */
static enum tdat_status warn_broken(struct merge *m, const struct merge_part *part, size_t index,
				    const char *system, struct tdat_error *err)
{
	struct tdat_error why = TDAT_ERROR_INIT;
	const struct tdat_format *format;

	if (tdat_file_format(part->file, index, &format, &why) == TDAT_OK)
		return TDAT_OK;
	m->result.bad_formats++;
	return merge_warn(m, part, err, "a format of system %.64s is damaged: %s", system,
			  why.message);
}

static enum tdat_status put_format(struct merge *m, struct merge_part *part, struct table *t,
				   size_t index, struct tdat_error *err)
{
	struct known k = {.next = 0}, *same;
	struct tdat_span text = tdat_file_format_text(part->file, index, &k.system);
	enum tdat_status st;
	size_t from, to;
	uint32_t id;

	if (!write_meta_parse_id((const char *)text.ptr, text.len, &from, &to, &id))
		return merge_warn(m, part, err, "a format of system %.64s has no id: left out",
				  k.system);
	if (part->ids[id]) /* readers take the first of an id */
		return TDAT_OK;
	st = warn_broken(m, part, index, k.system, err);
	if (st != TDAT_OK)
		return st;
	k.head = (struct tdat_span){text.ptr, from};
	k.tail = (struct tdat_span){text.ptr + to, text.len - to};
	k.hash = hash_of(t, &k);
	same = find(t, &k);
	if (same) {
		part->ids[id] = same->id;
		return TDAT_OK;
	}
	st = write_meta_take_format(&m->w->meta, k.system, (const char *)text.ptr, text.len, &k.id,
				    err);
	if (st == TDAT_E_USAGE)
		return merge_warn(m, part, err, "format %u of system %.64s has no name: left out",
				  id, k.system);
	if (st == TDAT_OK && !add(t, &k))
		st = tdat_error_no_memory(err, m->w->out.name);
	part->ids[id] = k.id;
	return st;
}

static enum tdat_status put_formats(struct merge *m, struct table *t, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; st == TDAT_OK && i < m->count; i++) {
		struct merge_part *part = &m->parts[i];

		for (size_t k = 0; st == TDAT_OK && k < tdat_file_format_count(part->file); k++)
			st = put_format(m, part, t, k, err);
	}
	return st;
}

enum tdat_status merge_formats(struct merge *m, struct tdat_error *err)
{
	struct table *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	if (!t)
		return tdat_error_no_memory(err, m->w->out.name);
	st = put_formats(m, t, err);
	free(t->list);
	free(t);
	return st;
}
