/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes block:* events of blktrace records, as a kernel's tracepoints would have made them.
 * Each action of blktrace becomes the tracepoint that the kernel would have recorded for it,
 * with the same fields; messages become print events. Driver data and actions of later kernels
 * are kept as they are. Called by blk_reader.c for each record; the usual records take a short
 * way that a test compares.
 */
#include "blktrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/cursor.h"
#include "core/search.h"
#include "import/embedded_format.h"
#include "import/record.h"
#include "import/relay/relay.h"

extern const struct import_format import_formats_blktrace[];

/* Bytes of rwbs in the kernel's block events (RWBS_LEN of include/trace/events/block.h). */
enum { RWBS_LEN = 8 };

/* Fields behind dev, sector and nr_sector in the event of an action. */
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

/*
 * Tracepoint of each action; the index is enum blktrace_act of include/uapi/linux/blktrace_api.h.
 */
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

/* State of the output; a part has a copy with tasks of its own. */
struct blk_output {
	uint16_t ids[ACTION_COUNT];
	uint16_t timestamp_id;
	uint16_t process_id;
	uint16_t action_id;
	uint16_t print_id;
	struct blk_tasks tasks;
	struct blk_note *notes; /* names of tasks in order of time, when CPUs are read apart */
	size_t note_count;
	size_t note_next; /* of a part: the first note that is not in tasks yet */
	bool part;
};

/* Emits all formats, used or not: which actions occur is not known yet. */
static enum tdat_status emit_formats(struct blk_output *b, const struct tdat_emit *emit,
				     struct tdat_error *err)
{
	const struct import_format *f = import_formats_blktrace;
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
		st = relay_format_print(emit, &b->print_id, err);
	return st;
}

/* The kind's begin: makes the state and emits the formats. */
static enum tdat_status begin(struct relay_output *o, struct tdat_error *err)
{
	struct blk_output *b = calloc(1, sizeof(*b));

	o->own = b;
	return b ? emit_formats(b, o->emit, err) : tdat_error_no_memory(err, "tasks");
}

static void close_output(struct relay_output *o)
{
	struct blk_output *b = o->own;

	if (b) {
		blk_tasks_fini(&b->tasks);
		free(b->notes);
	}
	free(b);
}

static struct blk_output *events_of(const struct relay_output *o)
{
	return o->own;
}

/* ---- payloads ---- */

/*
 * Letters of the kernel's blk_fill_rwbs() for the categories ("WS", "FFD"), as bytes of a number
 * with the first one lowest.
 */
static uint64_t rwbs_of(uint32_t tc, uint32_t bytes)
{
	const char rw = tc & BLK_TC_DISCARD ? 'D' : tc & BLK_TC_WRITE ? 'W' : bytes ? 'R' : 'N';
	const struct {
		bool set;
		char letter;
	} rows[] = {{tc & BLK_TC_FLUSH, 'F'}, {true, rw},
		    {tc & BLK_TC_FUA, 'F'},   {tc & BLK_TC_AHEAD, 'A'},
		    {tc & BLK_TC_SYNC, 'S'},  {tc & BLK_TC_META, 'M'}};
	unsigned int at = 0;
	uint64_t s = 0;

	/* Without branches: the categories of records vary at random. */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s |= (uint64_t)(rows[i].set ? rows[i].letter : 0) << at;
		at += rows[i].set ? 8 : 0;
	}
	return s;
}

static void put_rwbs(struct tdat_build *b, const struct blk_record *rec)
{
	uint8_t letters[RWBS_LEN];

	tdat_store64(letters, rwbs_of(rec->categories, rec->bytes), false);
	tdat_build_bytes(b, letters, RWBS_LEN);
}

static void put_comm(struct tdat_build *b, struct blk_output *out, uint32_t pid)
{
	tdat_build_bytes(b, blk_tasks_comm(&out->tasks, pid), BLK_COMM_LEN);
}

/* Writes the command bytes of a request that did not come from a file system, in hexadecimal. */
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

/* Number in the payload of split and unplug records: big-endian on all machines. */
static uint64_t pdu_u64(const struct blk_record *rec)
{
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, true);

	return tdat_cursor_u64(&c);
}

static void put_remap(struct tdat_build *b, const struct blk_record *rec)
{
	/*
	 * Struct blk_io_trace_remap is big-endian on all machines: device from, device to, sector.
	 */
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, true);
	uint32_t from = tdat_cursor_u32(&c);

	tdat_cursor_u32(&c);
	tdat_build_u32(b, from);
	tdat_build_u64(b, tdat_cursor_u64(&c));
	put_rwbs(b, rec);
}

/* Writes dev and sector, with which most block events begin. */
static void put_sector(struct tdat_build *b, const struct blk_record *rec)
{
	tdat_build_u32(b, rec->device);
	import_record_align(b, 8);
	tdat_build_u64(b, rec->sector);
}

/* Writes the fields of events about a bio or a request, in the order of their formats. */
static void build_request(struct tdat_build *b, struct blk_output *out, enum shape shape,
			  const struct blk_record *rec)
{
	size_t at;

	put_sector(b, rec);
	/* nr_sector counts 512-byte sectors. */
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

/* Writes the fields of an action's event. */
static void build_action(struct tdat_build *b, struct blk_output *out, enum shape shape,
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
		put_sector(b, rec);
		tdat_build_u64(b, pdu_u64(rec));
		put_rwbs(b, rec);
		put_comm(b, out, rec->pid);
		break;
	default:
		build_request(b, out, shape, rec);
	}
}

/* Writes the event blktrace:action for driver data and actions of later kernels, unchanged. */
static void build_other(struct tdat_build *b, const struct blk_record *rec)
{
	size_t at, len = rec->pdu.len < RELAY_PAYLOAD_MAX ? rec->pdu.len : RELAY_PAYLOAD_MAX;

	put_sector(b, rec);
	tdat_build_u32(b, rec->bytes);
	tdat_build_u32(b, (uint32_t)(int16_t)rec->error);
	tdat_build_u64(b, rec->raw_action);
	at = import_record_loc(b);
	import_record_dynamic(b, at, rec->pdu.ptr, len);
}

/* Writes the wall clock of a timestamp record: seconds and nanoseconds. */
static void build_timestamp(struct tdat_build *b, const struct blk_record *rec)
{
	struct tdat_cursor c = tdat_cursor_init(rec->pdu.ptr, rec->pdu.len, 0, b->big);

	tdat_build_u32(b, tdat_cursor_u32(&c));
	tdat_build_u32(b, tdat_cursor_u32(&c));
}

/* Text of a note up to its NUL; long ones are cut so that the event still fits. */
static struct tdat_span text_of(struct tdat_span pdu)
{
	size_t len = pdu.len ? strnlen((const char *)pdu.ptr, pdu.len) : 0;

	return (struct tdat_span){pdu.ptr, len < RELAY_PAYLOAD_MAX ? len : RELAY_PAYLOAD_MAX - 64};
}

/* Writes a message as blkparse prints it: device, "m N", and the words. */
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

/* Builds the event of a notify record; false: an unknown kind of it. */
static bool build_note(struct relay_output *o, const struct blk_record *rec)
{
	struct tdat_build *b = &o->payload;
	struct tdat_span text = text_of(rec->pdu);
	int32_t pid = (int32_t)rec->pid;
	size_t at;

	switch (rec->action) {
	case BLK_NOTIFY_TIMESTAMP:
		import_record_begin(b, events_of(o)->timestamp_id, pid);
		build_timestamp(b, rec);
		return true;
	case BLK_NOTIFY_PROCESS:
		import_record_begin(b, events_of(o)->process_id, pid);
		tdat_build_u32(b, rec->pid);
		at = import_record_loc(b);
		import_record_string(b, at, text.ptr, text.len);
		return true;
	case BLK_NOTIFY_MESSAGE:
		import_record_begin(b, events_of(o)->print_id, pid);
		build_message(b, rec);
		return true;
	default:
		return false;
	}
}

/* Builds the event of any record in o->payload. */
static void build_record(struct relay_output *o, const struct blk_record *rec)
{
	struct tdat_build *b = &o->payload;
	int32_t pid = (int32_t)rec->pid;

	if (rec->categories & BLK_TC_NOTIFY && build_note(o, rec))
		return;
	if (!(rec->categories & BLK_TC_NOTIFY) && rec->action < ACTION_COUNT &&
	    actions[rec->action].name) {
		import_record_begin(b, events_of(o)->ids[rec->action], pid);
		build_action(b, events_of(o), actions[rec->action].shape, rec);
		return;
	}
	import_record_begin(b, events_of(o)->action_id, pid);
	build_other(b, rec);
}

/* ---- events as most are ---- */

/*
 * Writes an empty string behind the fields and its __data_loc word at loc; returns the length of
 * the event.
 */
static size_t put_no_cmd(uint8_t *p, size_t loc, bool big)
{
	tdat_store32(p + loc, (uint32_t)(1 << 16 | (loc + 4)), big);
	return loc + 6;
}

enum { USUAL_LEN = 64 };

/*
 * Builds the common events without a command block, in USUAL_LEN bytes; returns the length. 0:
 * build_record() must do it, which gives the same bytes (tests/unit/formats/test_import_threads.c
 * compares).
 */
static size_t build_usual(uint8_t *p, struct blk_output *out, const struct blk_record *rec,
			  bool big)
{
	/* Offsets of fields in the event, behind the common fields and dev. */
	enum { SECTOR = 16, COUNT = 24, FIXED = 28 };
	const enum shape shape =
		rec->action < ACTION_COUNT ? actions[rec->action].shape : SHAPE_NONE;
	const bool is_error = shape == SHAPE_RQ_ERROR;
	size_t at = FIXED;

	if (rec->categories & (BLK_TC_NOTIFY | BLK_TC_PC) ||
	    (shape != SHAPE_BIO && shape != SHAPE_RQ && !is_error && shape != SHAPE_PLUG))
		return 0;
	memset(p, 0, USUAL_LEN);
	tdat_store16(p, out->ids[rec->action], big);
	tdat_store32(p + 4, rec->pid, big);
	if (shape == SHAPE_PLUG) {
		memcpy(p + IMPORT_COMMON_LEN, blk_tasks_comm(&out->tasks, rec->pid), BLK_COMM_LEN);
		return IMPORT_COMMON_LEN + BLK_COMM_LEN;
	}
	tdat_store32(p + IMPORT_COMMON_LEN, rec->device, big);
	tdat_store64(p + SECTOR, rec->sector, big);
	tdat_store32(p + COUNT, rec->bytes >> 9, big);
	if (shape != SHAPE_BIO) {
		tdat_store32(p + at, is_error ? (uint32_t)(int16_t)rec->error : rec->bytes, big);
		at += 4;
	}
	tdat_store64(p + at, rwbs_of(rec->categories, rec->bytes), false);
	at += RWBS_LEN;
	if (is_error)
		return put_no_cmd(p, at, big);
	memcpy(p + at, blk_tasks_comm(&out->tasks, rec->pid), BLK_COMM_LEN);
	at += BLK_COMM_LEN;
	return shape == SHAPE_BIO ? at : put_no_cmd(p, at, big);
}

/* ---- names ---- */

/*
 * Keeps the name that a notify record gives a task. Parts emit no names: prepare() did
 * so for all.
 */
static enum tdat_status note_comm(struct relay_output *o, uint32_t pid, struct tdat_span text,
				  struct tdat_error *err)
{
	const char *comm;

	if (!blk_tasks_set(&events_of(o)->tasks, pid, text, &comm))
		return tdat_error_no_memory(err, "tasks");
	return comm && *comm && !events_of(o)->part
		       ? tdat_emit_comm(o->emit, (int32_t)pid, comm, err)
		       : TDAT_OK;
}

static enum tdat_status take_note(struct relay_output *o, const struct blk_note *n,
				  struct tdat_error *err)
{
	return note_comm(o, n->pid, (struct tdat_span){(const uint8_t *)n->text, n->text_len}, err);
}

/*
 * Takes over the names that records of other CPUs gave before this record, so that comm fields do
 * not depend on the threads.
 */
static enum tdat_status catch_up(struct relay_output *o, const struct import_merge_record *in,
				 struct tdat_error *err)
{
	struct blk_output *b = events_of(o);
	enum tdat_status st = TDAT_OK;

	for (; b->note_next < b->note_count && st == TDAT_OK; b->note_next++) {
		const struct blk_note *n = &b->notes[b->note_next];

		if (n->key > in->key || (n->key == in->key && n->cpu >= in->cpu))
			break;
		st = take_note(o, n, err);
	}
	return st;
}

/* Order in which a merge would have met the notes. */
static int by_time(const void *a, const void *b)
{
	const struct blk_note *x = a, *y = b;

	return TDAT_ORDER(x->key, y->key,
			  TDAT_ORDER(x->cpu, y->cpu, TDAT_ORDER(x->number, y->number, 0)));
}

/*
 * Collects the notes of all files before CPUs are emitted apart. False: there are too many, or no
 * memory; the merge does without them.
 */
static bool prepare(struct relay_output *o, const struct relay_reader *readers, size_t count,
		    enum tdat_status *st, struct tdat_error *err)
{
	struct blk_output *b = events_of(o);
	size_t total = 0;

	for (size_t i = 0; i < count; i++) {
		const struct blk_seen *seen = readers[i].own;

		total += seen->count;
		if (seen->too_many || total > BLK_NOTES_MAX)
			return false;
	}
	b->notes = calloc(total + 1, sizeof(*b->notes));
	if (!b->notes)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct blk_seen *seen = readers[i].own;

		for (size_t k = 0; k < seen->count; k++) {
			b->notes[b->note_count] = seen->notes[k];
			b->notes[b->note_count].number = b->note_count;
			b->note_count++;
		}
	}
	qsort(b->notes, b->note_count, sizeof(*b->notes), by_time);
	*st = TDAT_OK;
	/* Names are emitted here, once and in order. */
	for (size_t i = 0; i < b->note_count && *st == TDAT_OK; i++)
		*st = take_note(o, &b->notes[i], err);
	return *st == TDAT_OK;
}

/* Gives a part its own tasks; the notes are shared and only read. */
static enum tdat_status begin_part(struct relay_output *part, struct tdat_error *err)
{
	struct blk_output *b = malloc(sizeof(*b));

	if (b) {
		*b = *events_of(part);
		memset(&b->tasks, 0, sizeof(b->tasks));
		b->note_next = 0;
		b->part = true;
	}
	part->own = b;
	return b ? TDAT_OK : tdat_error_no_memory(err, "tasks");
}

static void end_part(struct relay_output *part)
{
	struct blk_output *b = part->own;

	if (b)
		blk_tasks_fini(&b->tasks);
	free(b);
	part->own = NULL;
}

/* Emits the event of one record, by one of two ways that give the same bytes. */
static enum tdat_status record(struct relay_output *o, const struct import_merge_record *in,
			       struct tdat_error *err)
{
	struct blk_record rec;
	enum tdat_status st = TDAT_OK;
	bool big;

	blk_decode(blk_version(in->data, &big), o->setup->big, in->data, &rec);
	if (events_of(o)->part)
		st = catch_up(o, in, err);
	if (st == TDAT_OK && rec.categories & BLK_TC_NOTIFY && rec.action == BLK_NOTIFY_PROCESS)
		st = note_comm(o, rec.pid, rec.pdu, err);
	if (st == TDAT_OK && o->events) {
		uint8_t *p = relay_output_room(o, USUAL_LEN, &st, err);
		const size_t len = p ? build_usual(p, events_of(o), &rec, o->setup->big) : 0;

		if (len)
			return relay_output_give(o, in, len, err);
	}
	build_record(o, &rec);
	return st == TDAT_OK ? relay_output_send(o, in, err) : st;
}

/* Warns of tasks that found no place in the table. */
static enum tdat_status end(struct relay_output *o, struct tdat_error *err)
{
	uint64_t unnamed = events_of(o)->tasks.unnamed;

	if (!unnamed)
		return TDAT_OK;
	return tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
			       "%" PRIu64 " tasks have no name, because there are too many names",
			       unnamed);
}

const struct relay_kind blk_kind = {
	.importer = "blktrace",
	.own_len = sizeof(struct blk_seen),
	.keep_zeros = true,
	.by_cpu = true,
	.close = blk_close,
	.next = blk_next,
	.batch = blk_batch,
	.begin = begin,
	.record = record,
	.end = end,
	.close_output = close_output,
	.prepare = prepare,
	.begin_part = begin_part,
	.end_part = end_part,
};
