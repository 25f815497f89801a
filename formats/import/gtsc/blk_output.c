/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* blktrace records to block:* events, as a kernel's tracepoints would have made them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cursor.h"
#include "gtsc.h"
#include "import/embedded_format.h"
#include "import/record.h"

extern const struct import_format import_formats_gtsc[];

enum {
	RWBS_LEN = 8,
	COMM_LEN = 16,
	COMMS_MAX = 1 << 22 /* as many tasks as Linux has pids */
};

/* What follows dev, sector and nr_sector in the events of an action. */
enum shape {
	SHAPE_NONE,
	SHAPE_BIO,	/* rwbs, comm */
	SHAPE_RQ,	/* bytes, rwbs, comm, cmd */
	SHAPE_RQ_ERROR, /* error, rwbs, cmd */
	SHAPE_REQUEUE,	/* rwbs, cmd */
	SHAPE_REMAP,
	SHAPE_SPLIT,
	SHAPE_PLUG,
	SHAPE_UNPLUG
};

static const struct {
	const char *name;
	enum shape shape;
} actions[] = {
	[1] = {"block_bio_queue", SHAPE_BIO},
	[2] = {"block_bio_backmerge", SHAPE_BIO},
	[3] = {"block_bio_frontmerge", SHAPE_BIO},
	[4] = {"block_getrq", SHAPE_BIO},
	[5] = {"block_sleeprq", SHAPE_BIO},
	[6] = {"block_rq_requeue", SHAPE_REQUEUE},
	[7] = {"block_rq_issue", SHAPE_RQ},
	[8] = {"block_rq_complete", SHAPE_RQ_ERROR},
	[9] = {"block_plug", SHAPE_PLUG},
	[10] = {"block_unplug", SHAPE_UNPLUG},
	[11] = {"block_unplug_timer", SHAPE_UNPLUG},
	[12] = {"block_rq_insert", SHAPE_RQ},
	[13] = {"block_split", SHAPE_SPLIT},
	[14] = {"block_bio_bounce", SHAPE_BIO},
	[15] = {"block_bio_remap", SHAPE_REMAP},
	[16] = {"block_rq_abort", SHAPE_RQ_ERROR},
};

enum { ACTION_COUNT = sizeof(actions) / sizeof(actions[0]) };

struct comm {
	uint32_t pid;
	bool used;
	char comm[COMM_LEN];
};

struct blk_output {
	uint16_t ids[ACTION_COUNT];
	uint16_t timestamp_id;
	uint16_t process_id;
	uint16_t action_id;
	uint16_t print_id;
	struct comm *comms; /* by hash of the pid; a power of two */
	size_t comm_count;
	size_t comm_cap;
	uint64_t unnamed;
};

static enum tdat_status emit_formats(struct blk_output *b, const struct tdat_emit *emit,
				     struct tdat_error *err)
{
	const struct import_format *f = import_formats_gtsc;
	enum tdat_status st = TDAT_OK;

	for (size_t i = 1; i < ACTION_COUNT && st == TDAT_OK; i++)
		st = import_format_emit(f, "block", actions[i].name, emit, &b->ids[i], err);
	if (st == TDAT_OK)
		st = import_format_emit(f, "blktrace", "timestamp", emit, &b->timestamp_id, err);
	if (st == TDAT_OK)
		st = import_format_emit(f, "blktrace", "process", emit, &b->process_id, err);
	if (st == TDAT_OK)
		st = import_format_emit(f, "blktrace", "action", emit, &b->action_id, err);
	if (st == TDAT_OK)
		st = import_format_emit(f, "ftrace", "print", emit, &b->print_id, err);
	return st;
}

struct blk_output *blk_output_new(struct gtsc_output *o, enum tdat_status *st,
				  struct tdat_error *err)
{
	struct blk_output *b = calloc(1, sizeof(*b));

	if (b)
		*st = emit_formats(b, o->emit, err);
	else
		*st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for tasks");
	return b;
}

void blk_output_free(struct blk_output *b)
{
	if (b)
		free(b->comms);
	free(b);
}

uint64_t blk_output_unnamed(const struct blk_output *b)
{
	return b->unnamed;
}

/* ---- tasks ---- */

/* The place of a pid, or the free one for it; the table is never full. */
static struct comm *comm_slot(struct comm *table, size_t cap, uint32_t pid)
{
	size_t i = (pid * 2654435761u) & (cap - 1);

	while (table[i].used && table[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &table[i];
}

static bool comms_grow(struct blk_output *b)
{
	size_t cap = b->comm_cap ? b->comm_cap * 2 : 256;
	struct comm *table = calloc(cap, sizeof(*table));

	if (!table)
		return false;
	for (size_t i = 0; i < b->comm_cap; i++)
		if (b->comms[i].used)
			*comm_slot(table, cap, b->comms[i].pid) = b->comms[i];
	free(b->comms);
	b->comms = table;
	b->comm_cap = cap;
	return true;
}

static const char *comm_of(const struct blk_output *b, uint32_t pid)
{
	return b->comm_cap ? comm_slot(b->comms, b->comm_cap, pid)->comm : "";
}

static enum tdat_status note_comm(struct gtsc_output *o, const struct blk_record *rec,
				  struct tdat_error *err)
{
	struct blk_output *b = o->blk;
	size_t len = strnlen((const char *)(rec->pdu.len ? rec->pdu.ptr : (const uint8_t *)""),
			     rec->pdu.len < COMM_LEN - 1 ? rec->pdu.len : COMM_LEN - 1);
	struct comm *slot;

	if (b->comm_count == COMMS_MAX) {
		b->unnamed++;
		return TDAT_OK;
	}
	if (b->comm_count >= b->comm_cap / 2 && !comms_grow(b))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for tasks");
	slot = comm_slot(b->comms, b->comm_cap, rec->pid);
	b->comm_count += !slot->used;
	slot->used = true;
	slot->pid = rec->pid;
	memset(slot->comm, 0, COMM_LEN);
	if (len)
		memcpy(slot->comm, rec->pdu.ptr, len);
	return len ? o->emit->ops->comm(o->emit->ctx, (int32_t)rec->pid, slot->comm, err)
		   : TDAT_OK;
}

/* ---- payloads ---- */

/* The letters the kernel prints for the categories: "WS", "RAM", "FFD". */
static void put_rwbs(struct tdat_build *b, const struct blk_record *rec)
{
	uint32_t tc = rec->categories;
	char s[RWBS_LEN] = "";
	size_t n = 0;

	if (tc & BLK_TC_FLUSH)
		s[n++] = 'F';
	if (tc & BLK_TC_DISCARD)
		s[n++] = 'D';
	else if (tc & BLK_TC_WRITE)
		s[n++] = 'W';
	else
		s[n++] = rec->bytes ? 'R' : 'N';
	if (tc & BLK_TC_FUA)
		s[n++] = 'F';
	if (tc & BLK_TC_AHEAD)
		s[n++] = 'A';
	if (tc & BLK_TC_SYNC)
		s[n++] = 'S';
	if (tc & BLK_TC_META)
		s[n++] = 'M';
	tdat_build_bytes(b, s, RWBS_LEN);
}

static void put_comm(struct tdat_build *b, const struct blk_output *out, uint32_t pid)
{
	char s[COMM_LEN] = "";

	strcpy(s, comm_of(out, pid));
	tdat_build_bytes(b, s, COMM_LEN);
}

/* The command block of a request that is none of a file system, in hex. */
static void put_cmd(struct tdat_build *b, size_t at, const struct blk_record *rec)
{
	static const char digits[] = "0123456789abcdef";
	char s[3 * 64] = "";
	size_t n = 0;

	if (rec->categories & BLK_TC_PC)
		for (size_t i = 0; i < rec->pdu.len && i < 64; i++) {
			if (i)
				s[n++] = ' ';
			s[n++] = digits[rec->pdu.ptr[i] >> 4];
			s[n++] = digits[rec->pdu.ptr[i] & 15];
		}
	import_record_string(b, at, s, n);
}

static uint64_t pdu_u64(const struct blk_record *rec)
{
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, true);

	return tdat_cursor_u64(&c);
}

static void put_remap(struct tdat_build *b, const struct blk_record *rec)
{
	/* Big-endian whatever the machine: from, to, sector. */
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, true);
	uint32_t from = tdat_cursor_u32(&c);

	tdat_cursor_u32(&c);
	tdat_build_u32(b, from);
	tdat_build_u64(b, tdat_cursor_u64(&c));
	put_rwbs(b, rec);
}

static void put_place(struct tdat_build *b, const struct blk_record *rec)
{
	tdat_build_u32(b, rec->device);
	import_record_align(b, 8);
	tdat_build_u64(b, rec->sector);
}

static void build_request(struct tdat_build *b, const struct blk_output *out, enum shape shape,
			  const struct blk_record *rec)
{
	size_t at;

	put_place(b, rec);
	tdat_build_u32(b, rec->bytes >> 9);
	if (shape == SHAPE_RQ)
		tdat_build_u32(b, rec->bytes);
	else if (shape == SHAPE_RQ_ERROR)
		tdat_build_u32(b, (uint32_t)(int16_t)rec->error);
	if (shape == SHAPE_REMAP) {
		put_remap(b, rec);
		return;
	}
	put_rwbs(b, rec);
	if (shape == SHAPE_BIO || shape == SHAPE_RQ)
		put_comm(b, out, rec->pid);
	if (shape == SHAPE_BIO)
		return;
	at = import_record_loc(b);
	put_cmd(b, at, rec);
}

static void build_action(struct tdat_build *b, const struct blk_output *out, enum shape shape,
			 const struct blk_record *rec)
{
	switch (shape) {
	case SHAPE_UNPLUG:
		tdat_build_u32(b, (uint32_t)pdu_u64(rec));
		put_comm(b, out, rec->pid);
		break;
	case SHAPE_PLUG:
		put_comm(b, out, rec->pid);
		break;
	case SHAPE_SPLIT:
		put_place(b, rec);
		tdat_build_u64(b, pdu_u64(rec));
		put_rwbs(b, rec);
		put_comm(b, out, rec->pid);
		break;
	default:
		build_request(b, out, shape, rec);
	}
}

/* Driver data and actions of kernels to come: as they are. */
static void build_other(struct tdat_build *b, const struct blk_record *rec)
{
	size_t at, len = rec->pdu.len < GTSC_TEXT_MAX ? rec->pdu.len : GTSC_TEXT_MAX;

	put_place(b, rec);
	tdat_build_u32(b, rec->bytes);
	tdat_build_u32(b, (uint32_t)(int16_t)rec->error);
	tdat_build_u64(b, rec->raw_action);
	at = import_record_loc(b);
	import_record_dynamic(b, at, rec->pdu.ptr, len);
}

static void build_timestamp(struct tdat_build *b, const struct blk_record *rec)
{
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, b->big);

	tdat_build_u32(b, tdat_cursor_u32(&c));
	tdat_build_u32(b, tdat_cursor_u32(&c));
}

static struct tdat_span text_of(struct tdat_span pdu)
{
	size_t len = pdu.len ? strnlen((const char *)pdu.ptr, pdu.len) : 0;

	return (struct tdat_span){pdu.ptr, len < GTSC_TEXT_MAX ? len : GTSC_TEXT_MAX - 64};
}

/* As blkparse prints it: the device, what it is, the words. */
static void build_message(struct tdat_build *b, const struct blk_record *rec)
{
	struct tdat_span text = text_of(rec->pdu);

	tdat_build_u64(b, 0);
	tdat_build_printf(b, "%u,%u m N ", rec->device >> 20, rec->device & 0xfffff);
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] == '\n')
			tdat_build_str(b, "\\n");
		else
			tdat_build_u8(b, text.ptr[i]);
	tdat_build_u8(b, 0);
}

static bool build_note(struct gtsc_output *o, const struct blk_record *rec)
{
	struct tdat_build *b = &o->payload;
	struct tdat_span text = text_of(rec->pdu);
	int32_t pid = (int32_t)rec->pid;
	size_t at;

	switch (rec->action) {
	case BLK_NOTIFY_TIMESTAMP:
		import_record_begin(b, o->blk->timestamp_id, pid);
		build_timestamp(b, rec);
		return true;
	case BLK_NOTIFY_PROCESS:
		import_record_begin(b, o->blk->process_id, pid);
		tdat_build_u32(b, rec->pid);
		at = import_record_loc(b);
		import_record_string(b, at, text.ptr, text.len);
		return true;
	case BLK_NOTIFY_MESSAGE:
		import_record_begin(b, o->blk->print_id, pid);
		build_message(b, rec);
		return true;
	default:
		return false;
	}
}

static void build_record(struct gtsc_output *o, const struct blk_record *rec)
{
	struct tdat_build *b = &o->payload;
	int32_t pid = (int32_t)rec->pid;

	if (rec->categories & BLK_TC_NOTIFY && build_note(o, rec))
		return;
	if (!(rec->categories & BLK_TC_NOTIFY) && rec->action < ACTION_COUNT &&
	    actions[rec->action].name) {
		import_record_begin(b, o->blk->ids[rec->action], pid);
		build_action(b, o->blk, actions[rec->action].shape, rec);
		return;
	}
	import_record_begin(b, o->blk->action_id, pid);
	build_other(b, rec);
}

enum tdat_status blk_output_record(struct gtsc_output *o, const struct import_merge_record *in,
				   struct tdat_error *err)
{
	struct blk_record rec;
	enum tdat_status st = TDAT_OK;
	bool big;

	blk_decode(blk_version(in->data, &big), o->setup->big, in->data, &rec);
	if (rec.categories & BLK_TC_NOTIFY && rec.action == BLK_NOTIFY_PROCESS)
		st = note_comm(o, &rec, err);
	build_record(o, &rec);
	if (st != TDAT_OK)
		return st;
	return gtsc_output_payload(o, in->cpu, (uint64_t)in->key + o->shift, in->lost_before, err);
}
