/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adds up the allocation events of a file. Events are read in order of time and pointers
 * followed from allocation to free; tables are bounded, and what had no room is counted. Called
 * for tdat stat --kmem.
 */
#include "kmem.h"

#include <stdlib.h>

#include "core/live.h"
#include "core/opts.h"

enum {
	LIVE_MAX = 3 << 19,
	NO_BYTES_PTR = 16, /* what kmalloc(0) gives */
	PLAN_COUNT = 8
};

/* An event type and where its fields are. */
struct plan {
	uint32_t id;
	enum tdat_kmem_kind kind;
	bool is_free, usable;
	const struct tdat_field *call_site, *ptr, *bytes_req, *bytes_alloc;
	const struct tdat_field *name; /* of a cache; may be NULL */
};

struct tdat_kmem {
	struct plan plans[PLAN_COUNT];
	size_t plan_count;
	struct tdat_live live; /* places: rows of sites */
	struct kmem_rows sites, caches;
	struct tdat_kmem_total total;
};

static void make_plans(struct tdat_kmem *k, const struct tdat_file *file)
{
	static const struct {
		const char *system, *name;
		enum tdat_kmem_kind kind;
		bool is_free;
	} table[PLAN_COUNT] = {
		{"kmem", "kmalloc", TDAT_KMEM_KMALLOC, false},
		{"kmem", "kfree", TDAT_KMEM_KMALLOC, true},
		{"kmem", "kmem_cache_alloc", TDAT_KMEM_CACHE, false},
		{"kmem", "kmem_cache_free", TDAT_KMEM_CACHE, true},
		{"kmem", "kmalloc_node", TDAT_KMEM_KMALLOC, false},
		{"kmem", "kmem_cache_alloc_node", TDAT_KMEM_CACHE, false},
		{"kmemtrace", "pages_alloc", TDAT_KMEM_PAGES, false},
		{"kmemtrace", "pages_free", TDAT_KMEM_PAGES, true},
	};

	for (size_t i = 0; i < PLAN_COUNT; i++) {
		const struct tdat_format *f =
			tdat_file_format_by_name(file, table[i].system, table[i].name);
		struct plan *p = &k->plans[k->plan_count];

		if (!f)
			continue;
		*p = (struct plan){.id = tdat_format_id(f),
				   .kind = table[i].kind,
				   .is_free = table[i].is_free,
				   .call_site = tdat_format_field(f, "call_site"),
				   .ptr = tdat_format_field(f, "ptr"),
				   .bytes_req = tdat_format_field(f, "bytes_req"),
				   .bytes_alloc = tdat_format_field(f, "bytes_alloc"),
				   .name = tdat_format_field(f, "name")};
		p->usable =
			p->ptr && (p->is_free || (p->call_site && p->bytes_req && p->bytes_alloc));
		k->plan_count++;
	}
}

static bool read_u64(const struct tdat_field *f, const struct tdat_event *ev, uint64_t *out)
{
	return tdat_field_u64(f, ev->record, out, NULL) == TDAT_OK;
}

static struct tdat_kmem_sum *site_sum(struct tdat_kmem *k, uint32_t row)
{
	return &k->sites.rows[row].sum;
}

static void add_alloc(struct tdat_kmem_sum *s, uint64_t req, uint64_t alloc)
{
	s->allocs++;
	s->bytes_req += req;
	s->bytes_alloc += alloc;
	s->live_bytes += alloc;
}

static void add_free(struct tdat_kmem_sum *s, const struct tdat_live_pointer *slot, bool elsewhere)
{
	s->freed++;
	s->freed_elsewhere += elsewhere;
	s->live_bytes -= slot->bytes_alloc;
}

/* The pointer was live already: the event of its free is not in the file. */
static void forget(struct tdat_kmem *k, const struct tdat_live_pointer *slot)
{
	const struct tdat_kmem_row *row = &k->sites.rows[slot->place];

	k->total.reused++;
	site_sum(k, slot->place)->live_bytes -= slot->bytes_alloc;
	k->total.kinds[row->kind].live_bytes -= slot->bytes_alloc;
}

static enum tdat_status on_alloc(struct tdat_kmem *k, const struct plan *p,
				 const struct tdat_event *ev, struct tdat_error *err)
{
	static const struct tdat_span no_name;
	struct tdat_live_pointer slot = {.cpu = ev->cpu}, old;
	uint64_t call_site;
	enum tdat_status st;

	if (!read_u64(p->ptr, ev, &slot.ptr) || !read_u64(p->call_site, ev, &call_site) ||
	    !read_u64(p->bytes_req, ev, &slot.bytes_req) ||
	    !read_u64(p->bytes_alloc, ev, &slot.bytes_alloc)) {
		k->total.unread++;
		return TDAT_OK;
	}
	if (!slot.ptr) {
		k->total.failed++;
		return TDAT_OK;
	}
	st = kmem_rows_find(&k->sites, call_site, p->kind, no_name, &slot.place, err);
	if (st != TDAT_OK)
		return st;
	if (tdat_live_take(&k->live, slot.ptr, &old))
		forget(k, &old);
	add_alloc(site_sum(k, slot.place), slot.bytes_req, slot.bytes_alloc);
	add_alloc(&k->total.kinds[p->kind], slot.bytes_req, slot.bytes_alloc);
	if (slot.ptr == NO_BYTES_PTR)
		return TDAT_OK;
	if (k->live.map.count >= k->total.live_max) {
		k->total.not_followed++;
		return TDAT_OK;
	}
	return tdat_live_add(&k->live, &slot) ? TDAT_OK : tdat_error_no_memory(err, "pointers");
}

/* The cache's name comes with the free alone: what it freed is counted for it. */
static enum tdat_status count_cache(struct tdat_kmem *k, const struct plan *p,
				    const struct tdat_event *ev,
				    const struct tdat_live_pointer *slot, struct tdat_error *err)
{
	struct tdat_span name;
	struct tdat_kmem_sum *s;
	enum tdat_status st;
	uint32_t row;

	if (!p->name || tdat_field_string(p->name, ev->record, &name, NULL) != TDAT_OK || !name.len)
		return TDAT_OK;
	st = kmem_rows_find(&k->caches, 0, TDAT_KMEM_CACHE, name, &row, err);
	if (st != TDAT_OK)
		return st;
	s = &k->caches.rows[row].sum;
	add_alloc(s, slot->bytes_req, slot->bytes_alloc);
	add_free(s, slot, ev->cpu != slot->cpu);
	return TDAT_OK;
}

static enum tdat_status on_free(struct tdat_kmem *k, const struct plan *p,
				const struct tdat_event *ev, struct tdat_error *err)
{
	struct tdat_live_pointer slot;
	bool elsewhere;
	uint64_t ptr;

	if (!read_u64(p->ptr, ev, &ptr)) {
		k->total.unread++;
		return TDAT_OK;
	}
	k->total.frees[p->kind]++;
	if (!ptr || ptr == NO_BYTES_PTR) {
		k->total.frees_of_nothing++;
		return TDAT_OK;
	}
	if (!tdat_live_take(&k->live, ptr, &slot)) {
		k->total.frees_unmatched[p->kind]++;
		return TDAT_OK;
	}
	elsewhere = ev->cpu != slot.cpu;
	add_free(site_sum(k, slot.place), &slot, elsewhere);
	add_free(&k->total.kinds[k->sites.rows[slot.place].kind], &slot, elsewhere);
	return count_cache(k, p, ev, &slot, err);
}

static enum tdat_status on_event(struct tdat_kmem *k, const struct tdat_event *ev,
				 struct tdat_error *err)
{
	for (size_t i = 0; i < k->plan_count; i++) {
		const struct plan *p = &k->plans[i];

		if (p->id != ev->id)
			continue;
		if (!p->usable) {
			k->total.unread++;
			return TDAT_OK;
		}
		return p->is_free ? on_free(k, p, ev, err) : on_alloc(k, p, ev, err);
	}
	return TDAT_OK;
}

static enum tdat_status read_all(struct tdat_kmem *k, struct tdat_file *file,
				 const struct tdat_kmem_opts *opts, struct tdat_error *err)
{
	struct tdat_iter_input in = {file, 0, 0};
	const struct tdat_event *ev;
	struct tdat_iter *iter;
	enum tdat_status st = tdat_iter_new(&iter, &in, 1, opts->iter, err);

	if (st != TDAT_OK)
		return st;
	while ((st = tdat_iter_next(iter, &ev, err)) == TDAT_OK && ev) {
		st = on_event(k, ev, err);
		if (st != TDAT_OK)
			break;
	}
	tdat_iter_free(iter);
	return st;
}

enum tdat_status tdat_kmem_new(struct tdat_kmem **out, struct tdat_file *file,
			       const struct tdat_kmem_opts *opts, struct tdat_error *err)
{
	struct tdat_kmem_opts own = TDAT_KMEM_OPTS_INIT;
	struct tdat_kmem *k = calloc(1, sizeof(*k));
	enum tdat_status st;

	*out = NULL;
	if (!k)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to follow allocations");
	tdat_opts_copy(&own, sizeof(own), opts);
	k->total.live_max = own.live_max ? own.live_max : LIVE_MAX;
	make_plans(k, file);
	st = read_all(k, file, &own, err);
	tdat_live_fini(&k->live);
	if (st != TDAT_OK) {
		tdat_kmem_free(k);
		return st;
	}
	kmem_rows_sort(&k->sites);
	kmem_rows_sort(&k->caches);
	*out = k;
	return TDAT_OK;
}

void tdat_kmem_free(struct tdat_kmem *kmem)
{
	if (!kmem)
		return;
	kmem_rows_fini(&kmem->sites);
	kmem_rows_fini(&kmem->caches);
	free(kmem);
}

const struct tdat_kmem_total *tdat_kmem_total(const struct tdat_kmem *kmem)
{
	return &kmem->total;
}

const struct tdat_kmem_row *tdat_kmem_sites(const struct tdat_kmem *kmem, size_t *count)
{
	*count = kmem->sites.count;
	return kmem->sites.rows;
}

const struct tdat_kmem_row *tdat_kmem_caches(const struct tdat_kmem *kmem, size_t *count)
{
	*count = kmem->caches.count;
	return kmem->caches.rows;
}
