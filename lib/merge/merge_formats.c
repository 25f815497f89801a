/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the formats of all inputs. Formats that differ only in their id share an id. A different
 * one keeps its id if it is free, and else gets an unused one. A format is found by a hash of its
 * text without the id. part->ids maps an input's ids to the new ones, for merge_events.c. A broken
 * format is kept, with a warning.
 */
#include <stdlib.h>

#include "merge.h"
#include "core/map.h"
#include "core/text.h"

/* A format that is written, without the digits of its id. */
struct known {
	const char *system;
	struct tdat_span head, tail;
	uint64_t hash;
	uint16_t id;
};

/* The formats of the new file so far. */
struct table {
	struct known *list;
	size_t cap;
	struct tdat_map map;
};

static uint64_t hash_of(const struct table *t, const struct known *k)
{
	uint64_t h = tdat_hash_bytes(t->map.seed, k->system, strlen(k->system));

	h = tdat_hash_pair(t->map.seed, h, tdat_hash_bytes(t->map.seed, k->head.ptr, k->head.len));
	return tdat_hash_pair(t->map.seed, h,
			      tdat_hash_bytes(t->map.seed, k->tail.ptr, k->tail.len));
}

/* Finds the format that equals k (*same), or NULL after making room for k. False: no memory. */
static bool find(struct table *t, struct known *k, struct known **same)
{
	uint32_t i;

	if (!TDAT_MAP_GROW(&t->map, t->list, &t->cap))
		return false;
	k->hash = hash_of(t, k);
	TDAT_MAP_FIND(i, &t->map, k->hash,
		      !strcmp(t->list[i].system, k->system) &&
			      tdat_span_same(t->list[i].head, k->head) &&
			      tdat_span_same(t->list[i].tail, k->tail));
	*same = i == TDAT_MAP_NONE ? NULL : &t->list[i];
	return true;
}

/* Adds what find has made room for. */
static void add(struct table *t, const struct known *k)
{
	t->list[tdat_map_add(&t->map, k->hash)] = *k;
}

/* Warns about a format that readers will not understand. It is kept: a later reader may. */
static enum tdat_status warn_broken(struct merge *m, const struct merge_part *part, size_t index,
				    const char *system, struct tdat_error *err)
{
	struct tdat_error why = TDAT_ERROR_INIT;
	const struct tdat_event_format *format;

	if (tdat_file_format(part->file, index, &format, &why) == TDAT_OK)
		return TDAT_OK;
	m->result.bad_formats++;
	return merge_warn(m, part, err, "a format of system %.64s cannot be read: %s", system,
			  why.message);
}

/* Adds one format, or maps its id to that of an equal one. */
static enum tdat_status put_format(struct merge *m, struct merge_part *part, struct table *t,
				   size_t index, struct tdat_error *err)
{
	struct known k = {.id = 0}, *same;
	struct tdat_span text = tdat_file_format_text(part->file, index, &k.system);
	enum tdat_status st;
	size_t from, to;
	uint32_t id;

	if (!write_meta_parse_id((const char *)text.ptr, text.len, &from, &to, &id))
		return merge_warn(m, part, err, "a format of system %.64s has no id and is omitted",
				  k.system);
	if (part->ids[id]) /* readers take the first of an id */
		return TDAT_OK;
	st = warn_broken(m, part, index, k.system, err);
	if (st != TDAT_OK)
		return st;
	k.head = (struct tdat_span){text.ptr, from};
	k.tail = (struct tdat_span){text.ptr + to, text.len - to};
	if (!find(t, &k, &same))
		return tdat_error_no_memory(err, m->w->out.name);
	if (same) {
		part->ids[id] = same->id;
		return TDAT_OK;
	}
	st = write_meta_format(&m->w->meta, k.system, (const char *)text.ptr, text.len, true, &k.id,
			       err);
	/* write_meta_format() refuses a format without a name. */
	if (st == TDAT_E_USAGE)
		return merge_warn(m, part, err,
				  "format %u of system %.64s has no name and is omitted", id,
				  k.system);
	if (st == TDAT_OK)
		add(t, &k);
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
	struct table t = {.list = NULL};
	enum tdat_status st = put_formats(m, &t, err);

	free(t.list);
	tdat_map_fini(&t.map);
	return st;
}
