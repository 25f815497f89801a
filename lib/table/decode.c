/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes the columns of events: one function for each way to find a value. A run is up to 256
 * events of one table, which stay in the first cache. One look at all of them finds where their
 * records are and how short the shortest is; then each column is decoded for the whole run,
 * mostly without a check for each value. The functions are in decode_common.c, decode_number.c,
 * decode_name.c and decode_text.c.
 */
#include "decode.h"

#include "decode_rows.h"

/* Adds nulls of a column that this variant lacks: other formats of the same name have it. */
static void decode_null(struct table_rows *r)
{
	const size_t width = r->b->width;
	uint8_t *at;

	if (!width) {
		rows_bit_room(r);
	} else if (!r->b->has_ends) {
		rows_all_null(r, width);
		return;
	} else {
		/* Texts and lists of no length: each end repeats the last one. */
		at = rows_offset_room(r);
		for (size_t i = 0; at && i < r->count; i++)
			rows_put_end(r, at, i, r->b->data.len / width);
	}
	table_builder_nulls(r->b, r->b->rows, r->count);
}

/* Called once for each column and run, not for each value: the loops are in the functions. */
static void (*const decoders[])(struct table_rows *r) = {
	[TABLE_D_NULL] = decode_null,
	[TABLE_D_TS] = rows_decode_ts,
	[TABLE_D_CPU] = rows_decode_cpu,
	[TABLE_D_FILE] = rows_decode_place,
	[TABLE_D_BUFFER] = rows_decode_place,
	[TABLE_D_PID] = rows_decode_pid,
	[TABLE_D_COMM] = rows_decode_comm,
	[TABLE_D_TGID] = rows_decode_tgid,
	[TABLE_D_FLAG] = rows_decode_flag,
	[TABLE_D_PREEMPT] = rows_decode_preempt,
	[TABLE_D_MIGRATE] = rows_decode_migrate,
	[TABLE_D_LOST] = rows_decode_lost,
	[TABLE_D_ID] = rows_decode_id,
	[TABLE_D_SYSTEM] = rows_decode_type,
	[TABLE_D_EVENT] = rows_decode_type,
	[TABLE_D_LINE] = rows_decode_line,
	[TABLE_D_NUMBER] = rows_decode_number,
	[TABLE_D_TRUTH] = rows_decode_truth,
	[TABLE_D_STRING] = rows_decode_string,
	[TABLE_D_BYTES] = rows_decode_bytes,
	[TABLE_D_ARRAY] = rows_decode_list,
	[TABLE_D_BITS] = rows_decode_list,
	[TABLE_D_SYMBOL] = rows_decode_symbol,
	[TABLE_D_SYMBOLS] = rows_decode_list,
	[TABLE_D_VIEW_NAME] = rows_decode_view_name,
	[TABLE_D_VIEW_TEXT] = rows_decode_view_text,
	[TABLE_D_PART] = rows_decode_part,
};

/*
 * Copies a common field of one byte from all records, and ORs it into *any. False: the format has
 * it otherwise, or a record is too short; then columns read it record by record.
 */
static bool common_bytes(const struct table_run *run, const struct tdat_field *f, uint8_t *out,
			 uint8_t *any)
{
	const size_t count = run->count, off = f ? f->off : 0;
	uint8_t all = 0;

	if (!f || f->len != 1 || run->least_len <= off)
		return false;
	for (size_t i = 0; i < count; i++) {
		const uint8_t v = run->records[i].ptr[off];

		out[i] = v;
		all |= v;
	}
	*any = all;
	return true;
}

/*
 * Gathers facts about a run that several columns need: the shortest record, whether events were
 * lost, whether all are of one buffer. All events are of one input.
 */
void table_decode_begin(struct table_decoder *d, const struct tdat_event *const *events,
			size_t count)
{
	struct table_run *run = &d->run;
	size_t least = SIZE_MAX;
	uint32_t buffers = 0;
	int64_t lost = 0;
	uint8_t any;

	run->events = events;
	run->count = count;
	run->in = &d->inputs[events[0]->input];
	for (size_t i = 0; i < count; i++) {
		const struct tdat_event *ev = events[i];

		run->records[i] = ev->record;
		least = ev->record.len < least ? ev->record.len : least;
		lost |= ev->lost_before;
		/* Any bit that differs means a second buffer. */
		buffers |= ev->buffer ^ events[0]->buffer;
	}
	run->least_len = least;
	run->any_lost = lost != 0;
	run->one_buffer = !buffers;
	run->has_flags = common_bytes(run, run->in->flags, run->flags, &run->any_flags);
	run->has_preempt = common_bytes(run, run->in->preempt, run->preempt, &any);
}

/*
 * Adds the rows of the run to one column. Without memory d->status keeps the first failure, which
 * the reader asks after the batch.
 */
void table_decode(struct table_decoder *d, struct table_builder *b,
		  const struct table_variant *variant, const struct table_source *source)
{
	struct table_rows r = {.d = d,
			       .b = b,
			       .variant = variant,
			       .source = source,
			       .in = d->run.in,
			       .run = &d->run,
			       .events = d->run.events,
			       .records = d->run.records,
			       .count = d->run.count};

	decoders[source->decode](&r);
	table_builder_added(b, r.count);
	if (b->failed && d->status == TDAT_OK)
		d->status = tdat_error_no_memory(&d->err, "the rows of a table");
}
