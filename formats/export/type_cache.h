/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what a thread of an exporter makes of each event type, by the input and the id of the
 * type, so that it is made with the first event of the type and found at once for all others.
 */
#ifndef EXPORT_TYPE_CACHE_H
#define EXPORT_TYPE_CACHE_H

#include <stdint.h>

#include <tdat/error.h>
#include <tdat/iter.h>

/* An id has 16 bits in the file. */
enum { EXPORT_IDS = 65536 };

struct export_type_cache {
	void **v;	/* input_count * EXPORT_IDS pointers; NULL: not made yet */
	uint64_t *used; /* a bit for each of v that may have been made: few, of many */
	size_t input_count;
	void (*free_type)(void *type); /* takes NULL, too */
};

/* After a failure only export_type_cache_fini. */
enum tdat_status export_type_cache_init(struct export_type_cache *c, size_t input_count,
					void (*free_type)(void *type), struct tdat_error *err);
void export_type_cache_fini(struct export_type_cache *c);

enum tdat_status export_type_foreign(struct tdat_error *err);

/*
 * Sets *slot to the place of the event's type, in which the caller keeps what it makes; NULL:
 * no file has a type of this id. TDAT_E_USAGE for an event that is not of the inputs.
 */
static inline enum tdat_status export_type_slot(const struct export_type_cache *c,
						const struct tdat_event *ev, void ***slot,
						struct tdat_error *err)
{
	*slot = NULL;
	if (ev->input >= c->input_count)
		return export_type_foreign(err);
	if (ev->id < EXPORT_IDS) {
		const size_t i = ev->input * EXPORT_IDS + ev->id;

		*slot = &c->v[i];
		if (!c->v[i])
			c->used[i / 64] |= UINT64_C(1) << i % 64;
	}
	return TDAT_OK;
}

/* What a thread of an exporter has that needs nothing but what it makes of event types. */
struct export_type_worker {
	const void *state; /* of the export */
	struct export_type_cache types;
	/* Makes *type of the event's type; NULL where no file describes it. */
	enum tdat_status (*make)(const void *state, const struct tdat_event *ev, void **type,
				 struct tdat_error *err);
};

/* For open and close of tdat_sink_ops; w is in memory of malloc, and NULL after a failure. */
enum tdat_status export_type_worker_new(struct export_type_worker **w,
					const struct export_type_worker *def, size_t input_count,
					void (*free_type)(void *type), struct tdat_error *err);
void export_type_worker_free(void *w);

/* Sets *type to what was made of the event's type, which is made first where it is new. */
static inline enum tdat_status export_type_of(struct export_type_worker *w,
					      const struct tdat_event *ev, const void **type,
					      struct tdat_error *err)
{
	void **slot;
	enum tdat_status st = export_type_slot(&w->types, ev, &slot, err);

	if (slot && !*slot)
		st = w->make(w->state, ev, slot, err);
	*type = slot ? *slot : NULL;
	return st;
}

#endif
