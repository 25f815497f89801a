/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of kmemtrace records: docs/formats/kmemtrace.md §8. Allocation records become
 * the kernel's kmem events, in the form that kernels had until 6.0 or have since 6.1, so that
 * tools for either read them. With --atrace, counters of live bytes are added in the text form
 * of atrace. An output belongs to one thread, or is the part of one CPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/embedded_format.h"
#include "import/event_batch.h"
#include "import/record.h"
#include "import/cpustat.h"
#include "kmemtrace.h"

extern const struct import_format import_formats_kmemtrace[];

/* Rows of event_ids: an event is chosen by kind and type of a record. */
enum { KIND_ALLOC, KIND_ALLOC_NODE, KIND_FREE };

static enum tdat_status emit_format(struct kmem_output *o, const char *system, const char *name,
				    uint16_t *id, struct tdat_error *err)
{
	return import_format_emit(import_formats_kmemtrace, system, name, o->emit, id, err);
}

/* Event of a kind and type. folder: where its format lies in events/. */
struct format_row {
	uint8_t kind, type;
	const char *system, *folder, *name;
};

/* As kernels 2.6.31 to 6.0 had them. */
static const struct format_row formats_old[] = {
	{KIND_ALLOC, 0, "kmem", "kmem", "kmalloc"},
	{KIND_ALLOC, 1, "kmem", "kmem", "kmem_cache_alloc"},
	{KIND_ALLOC_NODE, 0, "kmem", "kmem", "kmalloc_node"},
	{KIND_ALLOC_NODE, 1, "kmem", "kmem", "kmem_cache_alloc_node"},
	{KIND_FREE, 0, "kmem", "kmem", "kfree"},
	{KIND_FREE, 1, "kmem", "kmem", "kmem_cache_free"},
	{KIND_ALLOC_NODE, 2, "kmemtrace", "kmemtrace", "pages_alloc"},
	{KIND_FREE, 2, "kmemtrace", "kmemtrace", "pages_free"},
	{0, 0, NULL, NULL, NULL},
};

/* Since 6.1: one form, always with a node. */
static const struct format_row formats_6[] = {
	{KIND_ALLOC_NODE, 0, "kmem", "kmem6", "kmalloc"},
	{KIND_ALLOC_NODE, 1, "kmem", "kmem6", "kmem_cache_alloc"},
	{KIND_FREE, 0, "kmem", "kmem6", "kfree"},
	{KIND_FREE, 1, "kmem", "kmem6", "kmem_cache_free"},
	{KIND_ALLOC_NODE, 2, "kmemtrace", "kmemtrace", "pages_alloc"},
	{KIND_FREE, 2, "kmemtrace", "kmemtrace", "pages_free"},
	{0, 0, NULL, NULL, NULL},
};

/* Emits the formats that the options need, and notes their ids. */
static enum tdat_status emit_formats(struct kmem_output *o, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (const struct format_row *row = o->opts.layout_6 ? formats_6 : formats_old;
	     row->name && st == TDAT_OK; row++)
		st = import_format_emit_as(import_formats_kmemtrace, row->folder, row->name,
					   row->system, o->emit,
					   &o->event_ids[row->kind][row->type], err);
	if (st == TDAT_OK && o->opts.keep_features)
		st = emit_format(o, "kmemtrace", "feature", &o->feature_id, err);
	if (st == TDAT_OK && o->opts.keep_unknown)
		st = emit_format(o, "kmemtrace", "unknown", &o->unknown_id, err);
	if (st == TDAT_OK && o->opts.atrace)
		st = emit_format(o, "kmemtrace", "tracing_mark_write", &o->mark_id, err);
	return st;
}

/* Prepares the output; emits the formats. kmem_output_fini() must follow also on failure. */
enum tdat_status kmem_output_init(struct kmem_output *o, const struct tdat_emit *emit,
				  const struct kmem_setup *setup,
				  const struct kmem_output_opts *opts, uint32_t cpu_count,
				  struct tdat_error *err)
{
	*o = (struct kmem_output){
		.emit = emit, .setup = setup, .opts = *opts, .cpu_count = cpu_count};
	tdat_build_init(&o->payload, setup->big);
	o->cpu_records = calloc(cpu_count, sizeof(*o->cpu_records));
	if (opts->atrace)
		o->atrace = kmem_atrace_new();
	if (!o->cpu_records || (opts->atrace && !o->atrace))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for the state of %u CPUs", cpu_count);
	return emit_formats(o, err);
}

void kmem_output_fini(struct kmem_output *o)
{
	tdat_build_fini(&o->payload);
	free(o->cpu_records);
	kmem_atrace_free(o->atrace);
}

/* Emits the record in o->payload, through the batch if there is one. */
static enum tdat_status emit_payload(struct kmem_output *o, uint32_t cpu, uint64_t ts,
				     struct tdat_error *err)
{
	struct tdat_emit_event event = {.cpu = cpu, .ts = ts};

	if (o->payload.failed)
		return tdat_error_no_memory(err, "an event");
	event.record = import_record_span(&o->payload);
	if (o->events)
		return import_events_copy(o->events, &event, err);
	return tdat_emit_event(o->emit, &event, err);
}

/* Makes an output for one CPU's thread. It shares ids and options with o, but counts by itself. */
void kmem_output_part_init(struct kmem_output *part, const struct kmem_output *o,
			   const struct tdat_emit *emit)
{
	*part = *o;
	part->emit = emit;
	part->cpu_records = NULL;
	part->events = NULL;
	part->records = part->features = part->features_cut = 0;
	tdat_build_init(&part->payload, o->setup->big);
}

/* Adds a part's counts to the whole, when its thread is done. */
void kmem_output_part_add(struct kmem_output *o, const struct kmem_output *part, uint32_t cpu)
{
	o->cpu_records[cpu] += part->records;
	o->records += part->records;
	o->features += part->features;
	o->features_cut += part->features_cut;
}

void kmem_output_part_fini(struct kmem_output *part)
{
	tdat_build_fini(&part->payload);
}

/* Kind of event: without a node (-1) the plain form. */
static unsigned int kind_of(const struct kmem_output *o, const struct kmem_record *rec)
{
	if (rec->is_free)
		return KIND_FREE;
	/* Pages have only the form with a node, and so has all since 6.1. */
	if (rec->node == -1 && rec->head.type_id != 2 && !o->opts.layout_6)
		return KIND_ALLOC;
	return KIND_ALLOC_NODE;
}

/*
 * Writes the tail that Linux 6.1 changed: wide gfp flags, a node in every event, and "accounted".
 */
static void build_tail_6(struct tdat_build *b, const struct kmem_record *rec)
{
	tdat_build_u64(b, rec->gfp_flags);
	tdat_build_u32(b, (uint32_t)rec->node);
	tdat_build_u8(b, 0); /* memory was not accounted to cgroups yet */
	import_record_align(b, 8);
}

/* Builds an event of kernels before 6.1. It has no dynamic array, so room is reserved once. */
static void build_short_call(struct kmem_output *o, const struct kmem_record *rec,
			     unsigned int kind)
{
	enum { LONGEST = IMPORT_COMMON_LEN + 4 * 8 + 2 * 4 };
	struct tdat_build *b = &o->payload;
	bool big = b->big;
	uint8_t *p;

	b->len = 0;
	p = tdat_build_room(b, LONGEST);
	if (!p)
		return;
	tdat_store16(p, o->event_ids[kind][rec->head.type_id], big);
	memset(p + 2, 0, 6); /* flags, preempt_count, pid */
	tdat_store64(p + 8, rec->call_site, big);
	tdat_store64(p + 16, rec->ptr, big);
	b->len = 24;
	if (rec->is_free)
		return;
	tdat_store64(p + 24, rec->bytes_req, big);
	tdat_store64(p + 32, rec->bytes_alloc, big);
	tdat_store32(p + 40, (uint32_t)rec->gfp_flags, big);
	b->len = 44;
	if (kind != KIND_ALLOC_NODE)
		return;
	tdat_store32(p + 44, (uint32_t)rec->node, big);
	b->len = 48;
}

/* Builds the event of an allocation or a free. */
static void build_call(struct kmem_output *o, const struct kmem_record *rec)
{
	struct tdat_build *b = &o->payload;
	unsigned int kind = kind_of(o, rec);
	bool is_6 = o->opts.layout_6 && rec->head.type_id != 2;

	if (!is_6) {
		build_short_call(o, rec, kind);
		return;
	}
	import_record_begin(b, o->event_ids[kind][rec->head.type_id], 0);
	tdat_build_u64(b, rec->call_site);
	tdat_build_u64(b, rec->ptr);
	if (rec->is_free) {
		if (rec->head.type_id == 1) /* the name of the cache is unknown */
			import_record_string(b, import_record_loc(b), "", 0);
		return;
	}
	tdat_build_u64(b, rec->bytes_req);
	tdat_build_u64(b, rec->bytes_alloc);
	build_tail_6(b, rec);
}

/* Builds an event that holds a whole unknown record (--keep-unknown). */
static void build_unknown(struct kmem_output *o, const struct kmem_record *rec)
{
	struct tdat_build *b = &o->payload;
	size_t at;

	import_record_begin(b, o->unknown_id, 0);
	tdat_build_u32(b, rec->seq);
	tdat_build_u16(b, rec->head.event_id);
	tdat_build_u16(b, rec->head.type_id);
	at = import_record_loc(b);
	if (!import_record_dynamic(b, at, rec->bytes.ptr, rec->bytes.len))
		o->features_cut++;
}

/* Counts the features behind a record and, with --keep-features, emits an event for each. */
static enum tdat_status output_features(struct kmem_output *o, const struct kmem_record *rec,
					uint64_t ts, struct tdat_error *err)
{
	struct tdat_span tail = rec->tail;
	struct tdat_build *b = &o->payload;
	struct kmem_feature f = {0, {NULL, 0}};
	enum tdat_status st = TDAT_OK;
	uint16_t size;

	while (st == TDAT_OK &&
	       kmem_next_feature(&tail, o->setup->big, &f, &size) == KMEM_FEATURE_OK) {
		size_t at;

		o->features++;
		if (!o->opts.keep_features)
			continue;
		import_record_begin(b, o->feature_id, 0);
		tdat_build_u32(b, rec->seq);
		tdat_build_u8(b, f.id);
		at = import_record_loc(b);
		if (!import_record_dynamic(b, at, f.data.ptr, f.data.len))
			o->features_cut++;
		st = emit_payload(o, rec->cpu, ts, err);
	}
	return st;
}

/* Emits the counter's new value as an atrace mark, "C|pid|name|value", which Perfetto draws. */
static enum tdat_status output_counter(struct kmem_output *o, const struct kmem_record *rec,
				       uint64_t ts, struct tdat_error *err)
{
	struct tdat_build *b = &o->payload;
	const char *name;
	uint64_t bytes;
	char text[80];
	bool failed;
	size_t at;

	if (!kmem_atrace_record(o->atrace, rec, &name, &bytes, &failed)) {
		if (failed)
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
					      "no memory to follow allocations");
		return TDAT_OK;
	}
	snprintf(text, sizeof(text), "C|0|%s|%" PRIu64, name, bytes);
	import_record_begin(b, o->mark_id, 0);
	at = import_record_loc(b);
	import_record_string(b, at, text, strlen(text));
	return emit_payload(o, rec->cpu, ts, err);
}

/*
 * Short cut for records of the usual layout and shape: the event is a copy of the record's bytes.
 * False: nothing was done, kmem_output_record() must do it. It must match that function.
 */
bool kmem_output_usual(struct kmem_output *o, const struct import_merge_record *item, uint64_t ts,
		       enum tdat_status *st, struct tdat_error *err)
{
	enum { CALL_OFF = 8, FREE_LEN = 16, ALLOC_LEN = 36, NODE_LEN = 40, NODE_OFF = 44 };
	const struct kmem_layout *l = o->setup->layout;
	const uint8_t *p = item->data.ptr;
	const size_t len = item->data.len;
	uint8_t own[IMPORT_COMMON_LEN + NODE_LEN], *payload = own;
	size_t body = FREE_LEN;
	unsigned int kind = KIND_FREE;

	/* Everything that changes bytes, or adds events, takes the long way. */
	if (!l->has_seq || !l->sized || o->opts.layout_6 || o->atrace || len < 4 || p[1] > 2)
		return false;
	if (p[0] == l->alloc_id && len == l->alloc_len) {
		kind = KIND_ALLOC_NODE;
		body = NODE_LEN;
		if (p[1] != 2 && tdat_load32(p + NODE_OFF, false) == UINT32_MAX) {
			/* -1 in either byte order. */
			kind = KIND_ALLOC;
			body = ALLOC_LEN;
		}
	} else if (p[0] != l->free_id || len != l->free_len) {
		return false;
	}
	if (o->events)
		payload = import_events_room(o->events, sizeof(own), st, err);
	if (!payload)
		return true;
	/* The fields of a record follow one another as those of the event do. */
	tdat_store64(payload, 0, false);
	tdat_store16(payload, o->event_ids[kind][p[1]], o->setup->big);
	if (kind == KIND_FREE)
		memcpy(payload + IMPORT_COMMON_LEN, p + CALL_OFF, FREE_LEN);
	/* A constant length; the bytes beyond body are not part of the record. */
	else
		memcpy(payload + IMPORT_COMMON_LEN, p + CALL_OFF, NODE_LEN);
	if (o->opts.ts_step)
		ts *= o->opts.ts_step;
	if (o->events) {
		import_events_add(o->events, item->cpu, ts, 0, IMPORT_COMMON_LEN + body);
		*st = TDAT_OK;
	} else {
		const struct tdat_emit_event event = {
			.cpu = item->cpu, .ts = ts, .record = {own, IMPORT_COMMON_LEN + body}};

		*st = tdat_emit_event(o->emit, &event, err);
	}
	o->records++;
	if (o->cpu_records)
		o->cpu_records[item->cpu]++;
	return true;
}

/* Emits the events of one record. ts: in ns, or sequence numbers. */
enum tdat_status kmem_output_record(struct kmem_output *o, const struct kmem_record *rec,
				    uint64_t ts, struct tdat_error *err)
{
	enum tdat_status st;

	if (o->opts.ts_step)
		ts *= o->opts.ts_step; /* fits: checked against the last number before */
	if (rec->unknown)
		build_unknown(o, rec);
	else
		build_call(o, rec);
	st = emit_payload(o, rec->cpu, ts, err);
	o->records++;
	if (o->cpu_records)
		o->cpu_records[rec->cpu]++;
	if (st == TDAT_OK && rec->tail.len)
		st = output_features(o, rec, ts, err);
	if (st == TDAT_OK && o->atrace)
		st = output_counter(o, rec, ts, err);
	return st;
}

/* Statistics of the whole capture; they are added to those of the last CPU. */
struct totals_ctx {
	const struct kmem_output *out;
	const struct kmem_totals *totals;
};

static void build_totals(const void *ctx, uint32_t cpu, struct tdat_build *b)
{
	const struct kmem_output *o = ((const struct totals_ctx *)ctx)->out;
	const struct kmem_totals *t = ((const struct totals_ctx *)ctx)->totals;

	if (cpu + 1 != o->cpu_count)
		return;
	if (t->has_overruns)
		tdat_build_printf(b, "kmemtrace total_overruns: %" PRIu64 "\n", t->total_overruns);
	if (o->setup->layout->has_seq)
		tdat_build_printf(b, "kmemtrace missing_seq: %" PRIu64 "\n", t->missing_seq);
	if (o->features && !o->opts.keep_features)
		tdat_build_printf(b, "kmemtrace features left out: %" PRIu64 "\n", o->features);
	if (o->opts.ts_step && o->setup->layout->has_seq)
		tdat_build_printf(
			b, "kmemtrace time: synthetic, %" PRIu64 " ns for each sequence number\n",
			o->opts.ts_step);
}

/* Emits the CPUSTAT options; the last CPU gets one even without records. */
static enum tdat_status emit_cpustat(struct kmem_output *o, const struct kmem_totals *t,
				     struct tdat_error *err)
{
	struct totals_ctx ctx = {o, t};
	struct import_cpustat s = {.emit = o->emit,
				   .what = "read events",
				   .records = o->cpu_records,
				   .cpu_count = o->cpu_count,
				   .always = (int64_t)o->cpu_count - 1,
				   .more = build_totals,
				   .ctx = &ctx};

	return import_cpustat_emit(&s, err);
}

/* Emits the facts that the command import prints when it is done. */
static enum tdat_status emit_facts(struct kmem_output *o, const struct kmem_totals *t,
				   struct tdat_error *err)
{
	const char *endian = o->setup->big ? "big" : "little";
	bool known = o->setup->known;
	enum tdat_status st;

	st = tdat_emit_factf(o->emit, "endian", err, "%s", known ? endian : "unknown");
	if (st == TDAT_OK)
		st = tdat_emit_factf(o->emit, "layout", err, "%s",
				     known ? o->setup->layout->name : "unknown");
	st = import_fact_u64(o->emit, "cpus", o->cpu_count, st, err);
	st = import_fact_u64(o->emit, "records", o->records, st, err);
	st = import_fact_u64(o->emit, "missing_seq", t->missing_seq, st, err);
	st = import_fact_u64(o->emit, "total_overruns", t->total_overruns, st, err);
	if (t->has_abi)
		st = import_fact_u64(o->emit, "abi_version", t->abi_version, st, err);
	if (t->reordered)
		st = import_fact_u64(o->emit, "reordered", t->reordered, st, err);
	if (o->features)
		st = import_fact_u64(o->emit,
				     o->opts.keep_features ? "features_kept" : "features_left_out",
				     o->features, st, err);
	return st;
}

/* Emits warnings, statistics and facts behind the last event. */
enum tdat_status kmem_output_end(struct kmem_output *o, const struct kmem_totals *t,
				 struct tdat_error *err)
{
	uint64_t untracked = o->atrace ? kmem_atrace_untracked(o->atrace) : 0;
	enum tdat_status st = TDAT_OK;

	if (untracked)
		st = tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " allocations are not in the counters: too many "
				     "were live at once",
				     untracked);
	if (st == TDAT_OK && o->features_cut)
		st = tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " features or unknown records are longer than an "
				     "event can hold and were cut",
				     o->features_cut);
	if (st == TDAT_OK)
		st = emit_cpustat(o, t, err);
	return st == TDAT_OK ? emit_facts(o, t, err) : st;
}
