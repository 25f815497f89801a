/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table block_io: requests of block devices, from the queue to their completion. A request
 * begins with block_bio_queue, block_rq_insert or block_rq_issue and ends with
 * block_rq_complete. It is found by device and sector; a merge moves its begin or its end, and
 * the merged bio is forgotten. Open requests lie in a map of limited size. After a loss a
 * request that was open is put as lost, since a step may be missing; a completion without a
 * request is only counted.
 */
#include <string.h>

#include "analysis.h"
#include "prints.h"

/* Bounds the memory that a crafted trace can take. */
enum { OPEN_MAX = 1 << 20 };

/* The first three are the steps of a request, and the indices of its times. */
enum kind { QUEUE, INSERT, ISSUE, COMPLETE, REQUEUE, BACK_MERGE, FRONT_MERGE };
/* Places in fields. Kernels name the result "error" or "errors". */
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

/*
 * A request, or what becomes one, by where it begins on its device: an interval that is open as
 * long as the entry is there.
 */
struct request {
	struct derived_entry entry; /* recording, device, sector + 1 */
	bool has[3];
	uint64_t ts[3]; /* queued, inserted, issued */
	uint32_t merges, nr_sector;
	const char *rwbs;
};

/* Where a request that others may be merged to its end begins. */
struct request_end {
	struct tdat_entry head;
	uint64_t key[4]; /* recording, device, sector behind it + 1, 0 */
	uint64_t sector;
};

/* The state: requests by their begin (entries of the frame), and by their end. */
struct block_io {
	struct derived_state state;
	struct tdat_entries ends;
};

/* The end of a request. */
struct completion {
	const struct derived_type *type;
	const struct tdat_event *ev;
};

/* The values of a row. end->how is the completion; NULL: the request was left open. */
static void put(void *state, const void *entry, const void *interval, const struct derived_end *end)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct request *r = entry;
	const struct derived_open *open = interval;
	const struct completion *c = end->how;
	const struct derived_field *error = c ? &c->type->fields[ERROR] : NULL;

	if (error && !derived_has(error, c->ev->record))
		error = &c->type->fields[ERRORS];
	prints_dev(o, r->entry.key[1]);
	derived_put_int(o, (int64_t)(r->entry.key[2] - 1));
	derived_put_int(o, r->nr_sector);
	derived_put_name(o, r->rwbs);
	if (error && derived_has(error, c->ev->record))
		derived_put_int(o, derived_int(error, c->ev->record));
	else
		derived_put_null(o);
	derived_put_int(o, r->merges);
	for (size_t i = 0; i < 3; i++)
		derived_put_known(o, r->has[i], r->ts[i]);
	/* Durations only if both times are known and in order: CPUs' clocks may differ. */
	derived_put_known(o, r->has[ISSUE] && r->ts[ISSUE] >= open->ts, r->ts[ISSUE] - open->ts);
	derived_put_known(o, c && r->has[ISSUE] && end->ts >= r->ts[ISSUE], end->ts - r->ts[ISSUE]);
}

/* ---- requests ---- */

/* Requests are found by recording, device and sector; sector + 1, so that 0 is never a key. */
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
	struct request *r = derived_find(b, key);

	if (!r || r->entry.open.is)
		return r;
	derived_remove(b, r);
	return NULL;
}

/* The key of what may be merged to the end of a request. */
static void end_key(const struct request *r, uint64_t key[4])
{
	key[0] = r->entry.key[0];
	key[1] = r->entry.key[1];
	key[2] = r->entry.key[2] + r->nr_sector;
	key[3] = 0;
}

/* Notes where the request ends, for back merges. */
static void set_end(struct block_io *b, const struct request *r)
{
	uint64_t key[4];
	struct request_end *e;

	end_key(r, key);
	e = derived_entry_get(&b->state, &b->ends, key);
	if (e)
		e->sector = r->entry.key[2];
}

/* Only if the place is still this request's: another one may have ended there since. */
static void forget_end(struct block_io *b, const struct request *r)
{
	uint64_t key[4];
	struct request_end *e;

	end_key(r, key);
	e = tdat_entry_find(&b->ends, key);
	if (e && e->sector == r->entry.key[2])
		tdat_entry_remove(&b->ends, e);
}

/* A new request begins at its first event, whichever step that is. */
static struct request *new_request(struct block_io *b, const struct derived_type *type,
				   const struct tdat_event *ev, const uint64_t key[4])
{
	struct request *r = derived_get(b, key);

	if (!r)
		return NULL;
	r->entry.open = (struct derived_open){.is = true,
					      .cpu = ev->cpu,
					      .ts = ev->ts,
					      .known = derived_now(&b->state, (uint32_t)key[0]),
					      .pid = ev->pid};
	r->rwbs = derived_intern(b->state.out, derived_text(&type->fields[RWBS], ev->record));
	r->nr_sector = (uint32_t)derived_u64(&type->fields[NR_SECTOR], ev->record);
	return r;
}

/*
 * Takes a step of a request. A request that takes one step twice was not ended: the second is
 * another request.
 */
static void take_step(struct block_io *b, const struct derived_type *type,
		      const struct tdat_event *ev, const uint64_t key[4])
{
	const struct derived_field *f = type->fields;
	struct request *r = find_request(b, key);

	if (r && r->has[type->kind]) {
		derived_leave_open(b, r, DERIVED_OPEN_UNENDED);
		forget_end(b, r);
		derived_remove(b, r);
		r = NULL;
	}
	/* A step may be the first event that was recorded of a request. */
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

/* Ends the request. One whose begin was not recorded gives no row. */
static void take_complete(struct block_io *b, const struct derived_type *type,
			  const struct tdat_event *ev, const uint64_t key[4])
{
	const struct completion completion = {type, ev};
	struct request *r = find_request(b, key);

	if (!r) {
		derived_note(b->state.out, DERIVED_NO_START);
		return;
	}
	forget_end(b, r);
	derived_close(b, r, ev->ts, &completion);
	derived_remove(b, r);
}

/* ---- merges ---- */

/* Forgets a bio that is merged into a request: it is not a request of its own. */
static void forget_bio(struct block_io *b, const uint64_t key[4])
{
	struct request *r = find_request(b, key);

	if (!r || r->has[INSERT] || r->has[ISSUE])
		return;
	forget_end(b, r);
	derived_remove(b, r);
}

/* A bio joins a request at its end: the request grows. */
static void take_back_merge(struct block_io *b, const struct derived_field *f,
			    const struct tdat_event *ev, uint64_t key[4])
{
	struct request_end *e;
	struct request *r;

	forget_bio(b, key);
	e = tdat_entry_find(&b->ends, key);
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

/* A bio joins a request at its begin: the request's key changes, so its entry is moved. */
static void take_front_merge(struct block_io *b, const struct derived_field *f,
			     const struct tdat_event *ev, const uint64_t key[4])
{
	const uint32_t len = (uint32_t)derived_u64(&f[NR_SECTOR], ev->record);
	const uint64_t at[4] = {key[0], key[1], key[2] + len, 0};
	struct request *r, moved;

	forget_bio(b, key);
	r = find_request(b, at);
	if (!r)
		return;
	forget_end(b, r);
	moved = *r;
	derived_remove(b, r);
	/* derived_get() may move entries, hence the copy in moved. */
	r = derived_get(b, key);
	if (!r)
		return;
	moved.entry.head = r->entry.head;
	memcpy(moved.entry.key, key, sizeof(moved.entry.key));
	*r = moved;
	r->merges++;
	r->nr_sector += len;
	set_end(b, r);
}

/* Sends an event to its step; REQUEUE puts a request back, so its later steps come again. */
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

static void free_state(void *state)
{
	tdat_entries_fini(&((struct block_io *)state)->ends);
}

/* Called after the frame's part of the state exists. */
static enum tdat_status begin(void *state, struct tdat_error *err)
{
	(void)err;
	tdat_entries_init(&((struct block_io *)state)->ends, sizeof(struct request_end), 4,
			  OPEN_MAX);
	return TDAT_OK;
}

const struct table_derived analysis_block_io = {
	ANALYSIS_TABLE(block_io),
	.about = {"requests of block devices", "block/block_rq_issue block/block_rq_complete",
		  "-e block"},

	.state_len = sizeof(struct block_io),
	.entry_len = sizeof(struct request),
	.most = OPEN_MAX,
	.begin = begin,
	.event = take_event,
	.put = put,
	.free = free_state,
};
