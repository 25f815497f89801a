/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table block_io: requests of block devices, from the queue to their completion. A request
 * begins with block_bio_queue, block_rq_insert or block_rq_issue and ends with
 * block_rq_complete. It is found by device and sector; a merge moves its begin or its end, and
 * the merged bio is forgotten. Open requests lie in a map of limited size. After a loss a
 * request that was open is put as lost, since a step may be missing; a completion without a
 * request is only counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis.h"
#include "losses.h"
#include "map.h"

enum { OPEN_MAX = 1 << 20 };

enum kind { QUEUE, INSERT, ISSUE, COMPLETE, REQUEUE, BACK_MERGE, FRONT_MERGE };
enum { DEV, SECTOR, NR_SECTOR, RWBS, ERROR, ERRORS };
static const char *const fields[] = {"dev", "sector", "nr_sector", "rwbs", "error", "errors", NULL};

static const struct derived_event events[] = {
	{"block/block_bio_queue", QUEUE, fields},
	{"block/block_rq_insert", INSERT, fields},
	{"block/block_rq_issue", ISSUE, fields},
	{"block/block_rq_complete", COMPLETE, fields},
	{"block/block_rq_requeue", REQUEUE, fields},
	{"block/block_bio_backmerge", BACK_MERGE, fields},
	{"block/block_bio_frontmerge", FRONT_MERGE, fields},
};

static const struct meta_column columns[] = {
	{"dev", TABLE_NAME, 0, false},	    {"sector", TABLE_INT, 8, false},
	{"nr_sector", TABLE_INT, 4, false}, {"rwbs", TABLE_NAME, 0, false},
	{"error", TABLE_INT, 4, true},	    {"merges", TABLE_INT, 4, false},
	{"queue_ts", TABLE_TIME, 0, false}, {"insert_ts", TABLE_TIME, 0, false},
	{"issue_ts", TABLE_TIME, 0, false}, {"wait_dur", TABLE_INT, 8, true},
	{"issue_dur", TABLE_INT, 8, true},  {NULL, TABLE_INT, 0, false},
};

/* A request, or what becomes one, by where it begins on its device. */
struct request {
	struct map_key key; /* recording, device, sector + 1 */
	bool has[3];
	uint64_t ts[3]; /* queued, inserted, issued */
	uint64_t known, first;
	uint32_t cpu, merges, nr_sector;
	int64_t pid;
	const char *rwbs;
};

/* Where a request that others may be merged to its end begins. */
struct request_end {
	struct map_key key; /* recording, device, sector behind it + 1 */
	uint64_t sector;
};

struct block_io {
	struct losses losses; /* first: losses_take gets it */
	struct derived_out *out;
	struct map requests, ends;
};

static void put_ts(struct derived_out *o, bool has, uint64_t ts)
{
	if (has)
		derived_put_int(o, (int64_t)ts);
	else
		derived_put_null(o);
}

/* The kernel's own dev_t: twelve bits of the major number, twenty of the minor one. */
static void put_dev(struct derived_out *o, uint64_t dev)
{
	char text[32];
	const int n = snprintf(text, sizeof(text), "%" PRIu32 ",%" PRIu32, (uint32_t)dev >> 20,
			       (uint32_t)dev & 0xfffff);

	derived_put_text(o, (struct tdat_span){(const uint8_t *)text, (size_t)n});
}

static void put(struct block_io *b, const struct request *r, const struct derived_type *type,
		const struct tdat_event *end, const char *open)
{
	const struct derived_field *f = type ? type->fields : NULL;
	const struct derived_field *error = f && derived_has(&f[ERROR], end->record) ? &f[ERROR]
					    : f					     ? &f[ERRORS]
										     : NULL;
	const bool has_error = error && derived_has(error, end->record);
	const struct derived_row row = {.rec = (uint32_t)r->key.a,
					.cpu = r->cpu,
					.ts = r->first,
					.dur = open ? DERIVED_NO_DUR : end->ts - r->first,
					.pid = r->pid,
					.open = open};

	if (!derived_row_begin(b->out, &row))
		return;
	put_dev(b->out, r->key.b);
	derived_put_int(b->out, (int64_t)(r->key.c - 1));
	derived_put_int(b->out, r->nr_sector);
	derived_put_name(b->out, r->rwbs);
	put_ts(b->out, has_error, has_error ? (uint64_t)derived_int(error, end->record) : 0);
	derived_put_int(b->out, r->merges);
	for (size_t i = 0; i < 3; i++)
		put_ts(b->out, r->has[i], r->ts[i]);
	put_ts(b->out, r->has[ISSUE] && r->ts[ISSUE] >= r->first, r->ts[ISSUE] - r->first);
	put_ts(b->out, !open && r->has[ISSUE] && end->ts >= r->ts[ISSUE],
	       open ? 0 : end->ts - r->ts[ISSUE]);
	derived_row_end(b->out);
}

/* ---- requests ---- */

static void request_key(const struct derived_field *f, const struct tdat_event *ev, uint32_t rec,
			uint64_t key[4])
{
	key[0] = rec;
	key[1] = (uint32_t)derived_u64(&f[DEV], ev->record);
	key[2] = derived_u64(&f[SECTOR], ev->record) + 1;
	key[3] = 0;
}

/* A request that is known still; one that losses made unknown is put. */
static struct request *find_request(struct block_io *b, const uint64_t key[4])
{
	struct request *r = map_find4(&b->requests, key);

	if (!r || losses_knows(&b->losses, (uint32_t)key[0], r->known))
		return r;
	put(b, r, NULL, NULL, ANALYSIS_OPEN_LOST);
	map_remove(&b->requests, r);
	return NULL;
}

static void set_end(struct block_io *b, const struct request *r)
{
	const uint64_t key[4] = {r->key.a, r->key.b, r->key.c + r->nr_sector, 0};
	struct request_end *e = map_get4(&b->ends, key);

	if (e)
		e->sector = r->key.c;
	else
		derived_note(b->out, ANALYSIS_FULL);
}

static void forget_end(struct block_io *b, const struct request *r)
{
	const uint64_t key[4] = {r->key.a, r->key.b, r->key.c + r->nr_sector, 0};
	struct request_end *e = map_find4(&b->ends, key);

	if (e && e->sector == r->key.c)
		map_remove(&b->ends, e);
}

static struct request *new_request(struct block_io *b, const struct derived_type *type,
				   const struct tdat_event *ev, const uint64_t key[4])
{
	const struct derived_field *f = type->fields;
	struct request *r = map_get4(&b->requests, key);

	if (!r) {
		derived_note(b->out, ANALYSIS_FULL);
		return NULL;
	}
	r->first = ev->ts;
	r->cpu = ev->cpu;
	r->pid = ev->pid;
	r->rwbs = derived_intern(b->out, derived_text(&f[RWBS], ev->record));
	r->nr_sector = (uint32_t)derived_u64(&f[NR_SECTOR], ev->record);
	r->known = losses_now(&b->losses, (uint32_t)key[0]);
	return r;
}

/* A step of a request. One that is taken twice was not ended: it is another request. */
static void take_step(struct block_io *b, const struct derived_type *type,
		      const struct tdat_event *ev, const uint64_t key[4])
{
	const struct derived_field *f = type->fields;
	struct request *r = find_request(b, key);

	if (r && r->has[type->kind]) {
		put(b, r, NULL, NULL, ANALYSIS_OPEN_UNENDED);
		forget_end(b, r);
		map_remove(&b->requests, r);
		r = NULL;
	}
	if (!r)
		r = new_request(b, type, ev, key);
	if (!r)
		return;
	forget_end(b, r);
	r->has[type->kind] = true;
	r->ts[type->kind] = ev->ts;
	r->nr_sector = (uint32_t)derived_u64(&f[NR_SECTOR], ev->record);
	set_end(b, r);
}

static void take_complete(struct block_io *b, const struct derived_type *type,
			  const struct tdat_event *ev, const uint64_t key[4])
{
	struct request *r = find_request(b, key);

	if (!r) {
		derived_note(b->out, ANALYSIS_NO_START);
		return;
	}
	forget_end(b, r);
	if (derived_goes_back(r->first, ev->ts))
		derived_note(b->out, ANALYSIS_BACKWARDS);
	else
		put(b, r, type, ev, NULL);
	map_remove(&b->requests, r);
}

/* ---- merges ---- */

/* A bio that is merged is no request of its own. */
static void forget_bio(struct block_io *b, const uint64_t key[4])
{
	struct request *r = find_request(b, key);

	if (!r || r->has[INSERT] || r->has[ISSUE])
		return;
	forget_end(b, r);
	map_remove(&b->requests, r);
}

static void take_back_merge(struct block_io *b, const struct derived_field *f,
			    const struct tdat_event *ev, uint64_t key[4])
{
	struct request_end *e;
	struct request *r;

	forget_bio(b, key);
	e = map_find4(&b->ends, key);
	if (!e)
		return;
	key[2] = e->sector;
	r = find_request(b, key);
	if (!r)
		return;
	forget_end(b, r);
	r->merges++;
	r->nr_sector += (uint32_t)derived_u64(&f[NR_SECTOR], ev->record);
	set_end(b, r);
}

/* The request begins where the bio does from now on. */
static void take_front_merge(struct block_io *b, const struct derived_field *f,
			     const struct tdat_event *ev, const uint64_t key[4])
{
	const uint32_t len = (uint32_t)derived_u64(&f[NR_SECTOR], ev->record);
	const uint64_t at[4] = {key[0], key[1], key[2] + len, 0};
	struct request *r, moved;
	struct map_key made;

	forget_bio(b, key);
	r = find_request(b, at);
	if (!r)
		return;
	forget_end(b, r);
	moved = *r;
	map_remove(&b->requests, r);
	r = map_get4(&b->requests, key);
	if (!r) {
		derived_note(b->out, ANALYSIS_FULL);
		return;
	}
	made = r->key;
	*r = moved;
	r->key = made;
	r->merges++;
	r->nr_sector += len;
	set_end(b, r);
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct block_io *b = state;
	struct request *r;
	uint64_t key[4];

	request_key(type->fields, ev, rec, key);
	switch (type->kind) {
	case QUEUE:
	case INSERT:
	case ISSUE:
		take_step(b, type, ev, key);
		break;
	case COMPLETE:
		take_complete(b, type, ev, key);
		break;
	case REQUEUE:
		r = find_request(b, key);
		if (r)
			r->has[INSERT] = r->has[ISSUE] = false;
		break;
	case BACK_MERGE:
		take_back_merge(b, type->fields, ev, key);
		break;
	default:
		take_front_merge(b, type->fields, ev, key);
	}
}

static bool awaits(void *state)
{
	const struct block_io *b = state;

	for (size_t i = 0; i < b->requests.end; i++) {
		const struct request *r = map_at(&b->requests, i);

		if (r && derived_awaits(b->out, r->first, r->pid, r->cpu))
			return true;
	}
	return false;
}

static void end(void *state)
{
	struct block_io *b = state;

	for (size_t i = 0; i < b->requests.end; i++) {
		const struct request *r = map_at(&b->requests, i);

		if (r)
			put(b, r, NULL, NULL,
			    losses_knows(&b->losses, (uint32_t)r->key.a, r->known)
				    ? ANALYSIS_OPEN_END
				    : ANALYSIS_OPEN_LOST);
	}
	if (b->requests.failed || b->ends.failed || b->losses.cpus.failed)
		derived_fail(b->out);
}

static void free_state(void *state)
{
	struct block_io *b = state;

	map_fini(&b->requests);
	map_fini(&b->ends);
	losses_fini(&b->losses);
	free(b);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct block_io *b = calloc(1, sizeof(*b));

	*state = b;
	if (!b)
		return tdat_error_no_memory(err, def->name);
	b->out = out;
	map_init(&b->requests, sizeof(struct request), OPEN_MAX);
	map_init(&b->ends, sizeof(struct request_end), OPEN_MAX);
	if (!losses_init(&b->losses, out))
		return tdat_error_no_memory(err, def->name);
	return TDAT_OK;
}

const struct table_derived analysis_block_io = {
	.name = "block_io",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.lost = losses_take,
	.end = end,
	.free = free_state,
	.awaits = awaits,
};
