/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table kmem: allocations of the kernel and what became of them. An allocation is an interval
 * from its event to the free of its pointer; where it is allocated again before, the free was not
 * recorded. Frees that end no allocation, and allocations that failed, are moments of their own,
 * which the column special names. Losses of events do not matter: a pointer that is freed had
 * been allocated. Pointers are followed up to a bound.
 */
#include <string.h>

#include <tdat/table.h>

#include "analysis.h"

/*
 * LIVE_MOST bounds the pointers that are followed; the option kmem_live changes it. NO_BYTES_PTR
 * is the kernel's ZERO_SIZE_PTR.
 */
enum { LIVE_MOST = 3 << 19, NO_BYTES_PTR = 16 /* what kmalloc(0) gives */ };

/* FREE is a bit: the kind of the memory that is freed stays. */
enum kind { KMALLOC, CACHE, PAGES, FREE = 4 };
enum { PTR, CALL_SITE, BYTES_REQ, BYTES_ALLOC, NAME };
static const char *const fields[] = {"ptr", "call_site", "bytes_req", "bytes_alloc", "name", NULL};

static const struct derived_event events[] = {
	{"kmem/kmalloc", KMALLOC, fields},
	{"kmem/kmalloc_node", KMALLOC, fields},
	{"kmem/kmem_cache_alloc", CACHE, fields},
	{"kmem/kmem_cache_alloc_node", CACHE, fields},
	{"kmemtrace/pages_alloc", PAGES, fields},
	{"kmem/kfree", KMALLOC | FREE, fields},
	{"kmem/kmem_cache_free", CACHE | FREE, fields},
	{"kmemtrace/pages_free", PAGES | FREE, fields},
};

static const struct meta_column columns[] = {
	{"kind", TABLE_NAME, 0, false},	    {"ptr", TABLE_INT, 8, false},
	{"call_site", TABLE_INT, 8, false}, {"function", TABLE_NAME, 0, false},
	{"bytes_req", TABLE_INT, 8, false}, {"bytes_alloc", TABLE_INT, 8, false},
	{"special", TABLE_NAME, 0, false},  {"free_kind", TABLE_NAME, 0, false},
	{"free_cpu", TABLE_INT, 4, false},  {"free_pid", TABLE_INT, 4, true},
	{"cache", TABLE_NAME, 0, false},    {NULL, TABLE_INT, 0, false},
};

/* An allocation; of a pointer that is live the interval is its time until the free. */
struct allocation {
	struct derived_entry entry; /* recording, address */
	const struct derived_type *type;
	uint64_t call_site, bytes_req, bytes_alloc;
};

/* The event that frees. */
struct freeing {
	const struct derived_type *type;
	const struct tdat_event *ev;
};

/* The word of the columns kind and free_kind. */
static const char *kind_name(const struct derived_type *type)
{
	static const char *const names[] = {"kmalloc", "kmem_cache", "pages"};

	return names[type->kind & ~(unsigned)FREE];
}

/* The values of a row. a is NULL if there was no allocation, f if it was not freed. */
static void put_values(struct derived_out *o, const struct derived_type *type, uint64_t ptr,
		       uint64_t call_site, const struct allocation *a, const char *special,
		       const struct freeing *f)
{
	derived_put_name(o, kind_name(type));
	derived_put_int(o, (int64_t)ptr);
	derived_put_int(o, (int64_t)call_site);
	derived_put_symbol(o, type->in, call_site);
	derived_put_known(o, a, a ? a->bytes_req : 0);
	derived_put_known(o, a, a ? a->bytes_alloc : 0);
	derived_put_name(o, special);
	derived_put_name(o, f ? kind_name(f->type) : NULL);
	derived_put_known(o, f, f ? f->ev->cpu : 0);
	derived_put_known(o, f, f ? (uint64_t)f->ev->pid : 0);
	/* The cache's name comes with the free alone. */
	if (f && f->type->fields[NAME].field)
		derived_put_text(o, derived_text(&f->type->fields[NAME], f->ev->record));
	else
		derived_put_null(o);
}

/* An allocation that ended, or is still live at the end of the trace. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	const struct allocation *a = entry;

	(void)interval;
	put_values(((struct derived_state *)state)->out, a->type, a->entry.key[1], a->call_site, a,
		   NULL, end->how);
}

/* A row of an event alone. */
static void put_special(struct derived_out *o, const struct derived_type *type,
			const struct tdat_event *ev, uint32_t rec, const struct allocation *a,
			const char *special)
{
	const struct derived_row row = derived_moment(ev, rec);
	const struct derived_field *f = type->fields;
	const struct freeing freeing = {type, ev};

	if (!derived_row_begin(o, &row))
		return;
	put_values(o, type, derived_u64(&f[PTR], ev->record),
		   derived_u64(&f[CALL_SITE], ev->record), a, special, a ? NULL : &freeing);
	derived_row_end(o);
}

/* Begins to follow a pointer. One that is live already was freed without an event. */
static void take_alloc(struct derived_state *s, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const uint64_t ptr = derived_u64(&f[PTR], ev->record);
	const uint64_t key[TDAT_KEY_MOST] = {rec, ptr};
	struct allocation *live = tdat_entry_find(&s->entries, key);
	struct allocation a = {
		.entry.open = {.is = true, .cpu = ev->cpu, .ts = ev->ts, .pid = ev->pid},
		.type = type,
		.call_site = derived_u64(&f[CALL_SITE], ev->record),
		.bytes_req = derived_u64(&f[BYTES_REQ], ev->record),
		.bytes_alloc = derived_u64(&f[BYTES_ALLOC], ev->record)};

	if (live)
		derived_leave_open(s, live, DERIVED_OPEN_UNENDED);
	if (!ptr || ptr == NO_BYTES_PTR) {
		put_special(s->out, type, ev, rec, &a, ptr ? "no bytes" : "failed");
		return;
	}
	if (!live)
		live = tdat_entry_get(&s->entries, key);
	if (!live && s->entries.failed) {
		derived_fail(s->out);
	} else if (!live) {
		put_special(s->out, type, ev, rec, &a, "not followed");
	} else {
		/* The new allocation takes the place of the old entry, with its head and key. */
		a.entry.head = live->entry.head;
		memcpy(a.entry.key, key, sizeof(key));
		*live = a;
	}
}

/* Ends the interval of the pointer; frees without one are rows of their own. */
static void take_free(struct derived_state *s, const struct derived_type *type,
		      const struct tdat_event *ev, uint32_t rec)
{
	const uint64_t ptr = derived_u64(&type->fields[PTR], ev->record);
	const struct freeing freeing = {type, ev};
	struct allocation *live =
		tdat_entry_find(&s->entries, (const uint64_t[TDAT_KEY_MOST]){rec, ptr});

	if (!ptr || ptr == NO_BYTES_PTR) {
		put_special(s->out, type, ev, rec, NULL, "free of nothing");
	} else if (!live) {
		put_special(s->out, type, ev, rec, NULL, "free without allocation");
	} else {
		derived_close(s, live, ev->ts, &freeing);
		derived_remove(s, live);
	}
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct derived_state *s = state;
	const bool is_free = type->kind & FREE;

	/* Without these fields a row would say nothing true. */
	for (size_t i = PTR; i <= (is_free ? PTR : BYTES_ALLOC); i++)
		if (!derived_has(&type->fields[i], ev->record)) {
			derived_note(s->out, "event without the needed fields");
			return;
		}
	if (is_free)
		take_free(s, type, ev, rec);
	else
		take_alloc(s, type, ev, rec);
}

/* The bound is known only here: options are the trace's. */
static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct derived_state *s = state;
	const uint64_t most = derived_trace_opts(s->out)->kmem_live;

	(void)err;
	if (most)
		s->entries.most = most < UINT32_MAX / 2 ? (size_t)most : UINT32_MAX / 2;
	return TDAT_OK;
}

/* Losses do not matter here: see the opening. */
static bool knows(void *state, const void *entry, const void *interval)
{
	(void)state;
	(void)entry;
	(void)interval;
	return true;
}

const struct table_derived analysis_kmem = {
	ANALYSIS_TABLE(kmem),
	.about = {"allocations of kernel memory",
		  "kmem/kmalloc|kmem/kmalloc_node|kmem/kmem_cache_alloc|kmem/"
		  "kmem_cache_alloc_node|kmemtrace/pages_alloc",
		  "-e kmem"},
	.entry_len = sizeof(struct allocation),
	.most = LIVE_MOST,
	.begin = begin,
	.event = take_event,
	.put = put,
	.knows = knows,
};
