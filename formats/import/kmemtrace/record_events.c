/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of kmemtrace records: docs/formats/kmemtrace.md §8. Allocation records become
 * the kernel's kmem events, in the form that kernels had until 6.0 or have since 6.1, so that
 * tools for either read them. With --atrace, counters of live bytes are added in the text form
 * of atrace. It is the writing half of the kind of relay channels, whose parts are of one CPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "import/embedded_format.h"
#include "import/record.h"
#include "import/text_lines.h"
#include "import/cpustat.h"
#include "kmemtrace.h"

extern const struct import_format import_formats_kmemtrace[];

/* Rows of event_ids: an event is chosen by kind and type of a record. */
enum { KIND_ALLOC, KIND_ALLOC_NODE, KIND_FREE };

enum { KALLSYMS_MAX = 64 * 1024 * 1024 };

/* State of the output. A part has a copy, whose counts go to the whole at its end. */
struct output {
	const struct kmem_setup *setup;
	struct output *whole;	  /* of a part; NULL: this is it */
	uint16_t event_ids[3][3]; /* [kind][type]: alloc, alloc with node, free */
	uint16_t feature_id;
	uint16_t unknown_id;
	uint16_t mark_id;
	struct kmem_atrace atrace; /* used with --atrace, and then without parts */
	struct kmem_seq_set *seqs; /* NULL: records come in order, or have no sequence numbers */
	struct kmem_seq_piece piece;
	uint64_t distinct;	     /* sequence numbers that came in order */
	int64_t last;		     /* of them */
	_Atomic uint64_t skipped;    /* records of unknown kinds */
	_Atomic int64_t skipped_key; /* of one of them */
	_Atomic uint64_t features;
	_Atomic uint64_t features_cut; /* data longer than a dynamic array can be */
};

static struct output *output_of(const struct relay_output *o)
{
	return o->own;
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
static enum tdat_status emit_formats(struct output *k, const struct tdat_emit *emit,
				     struct tdat_error *err)
{
	const struct kmem_opts *opts = &k->setup->opts;
	const struct import_format *f = import_formats_kmemtrace;
	enum tdat_status st = TDAT_OK;

	for (const struct format_row *row = opts->layout_6 ? formats_6 : formats_old;
	     row->name && st == TDAT_OK; row++)
		st = import_format_emit_as(f, row->folder, row->name, row->system, emit,
					   &k->event_ids[row->kind][row->type], err);
	if (st == TDAT_OK && opts->keep_features)
		st = import_format_emit(f, "kmemtrace", "feature", emit, &k->feature_id, err);
	if (st == TDAT_OK && opts->keep_unknown)
		st = import_format_emit(f, "kmemtrace", "unknown", emit, &k->unknown_id, err);
	if (st == TDAT_OK && opts->atrace)
		st = import_format_emit(f, "kmemtrace", "tracing_mark_write", emit, &k->mark_id,
					err);
	return st;
}

/* Emits the copied kallsyms as it is in the file. */
static enum tdat_status emit_kallsyms(const struct tdat_import_input *in,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	uint64_t len = in ? tdat_source_len(in->source) : 0;

	if (len > KALLSYMS_MAX)
		return tdat_emit_warnf(emit, in->name, 0, err,
				       "%" PRIu64 " bytes of symbols, more than %d, are omitted",
				       len, KALLSYMS_MAX);
	return len ? import_text_emit(in->source, emit->ops->kallsyms, emit, err) : TDAT_OK;
}

/* Checks that the last timestamp fits in 64 bits. 2^32 is added, as the shift may reach so far. */
static enum tdat_status check_step(const struct import_merge_range *s, uint64_t step,
				   struct tdat_error *err)
{
	uint64_t last = (uint64_t)s->max_key - (uint64_t)(s->min_key < 0 ? s->min_key : 0);

	if (tdat_add_u64(last, 1ull << 32, &last) && tdat_mul_u64(last, step, &last))
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "option \"ts-step\" %" PRIu64 " is too large for %" PRIu64
			      " sequence numbers",
			      step, (uint64_t)s->max_key);
}

/* The kind's begin: makes the state, and emits symbols and formats. */
static enum tdat_status begin(struct relay_output *o, struct tdat_error *err)
{
	const struct kmem_setup *s = o->setup->own;
	struct output *k = calloc(1, sizeof(*k));
	enum tdat_status st = TDAT_OK;

	o->own = k;
	if (!k)
		return tdat_error_no_memory(err, "events");
	k->setup = s;
	kmem_atrace_init(&k->atrace);
	if (s->opts.ts_step) {
		o->step = s->opts.ts_step;
		st = check_step(o->range, o->step, err);
	}
	if (st == TDAT_OK)
		st = emit_kallsyms(s->files->kallsyms, o->emit, err);
	return st == TDAT_OK ? emit_formats(k, o->emit, err) : st;
}

static void close_output(struct relay_output *o)
{
	struct output *k = o->own;

	if (k) {
		tdat_entries_fini(&k->atrace.pointers);
		kmem_seq_set_free(k->seqs);
	}
	free(k);
}

/*
 * Counters (--atrace) follow pointers across CPUs, so they need one order of all records. False
 * also where there is no memory for the set of sequence numbers: records in order are counted
 * without.
 */
static bool prepare(struct relay_output *o, const struct relay_reader *readers, size_t count,
		    enum tdat_status *st, struct tdat_error *err)
{
	struct output *k = output_of(o);

	(void)readers;
	(void)count;
	(void)st;
	(void)err;
	if (k->setup->opts.atrace)
		return false;
	if (k->setup->layout->has_seq)
		k->seqs = kmem_seq_set_new(o->range->min_key, o->range->max_key);
	return k->seqs || !k->setup->layout->has_seq;
}

static enum tdat_status begin_part(struct relay_output *part, struct tdat_error *err)
{
	struct output *whole = output_of(part), *k = malloc(sizeof(*k));

	part->own = k;
	if (!k)
		return tdat_error_no_memory(err, "CPUs");
	*k = *whole;
	k->whole = whole;
	if (k->seqs)
		kmem_seq_piece_init(&k->piece, k->seqs);
	return TDAT_OK;
}

/* On any thread, beside other parts. */
static void end_part(struct relay_output *part)
{
	struct output *k = output_of(part);

	if (!k)
		return;
	if (k->seqs)
		kmem_seq_piece_flush(&k->piece, k->piece.first);
	if (k->skipped) {
		k->whole->skipped_key = k->skipped_key;
		k->whole->skipped += k->skipped;
	}
	k->whole->features += k->features;
	k->whole->features_cut += k->features_cut;
	free(k);
}

/* Kind of event: without a node (-1) the plain form. */
static unsigned int kind_of(const struct output *k, const struct kmem_record *rec)
{
	if (rec->is_free)
		return KIND_FREE;
	/* Pages have only the form with a node, and so has all since 6.1. */
	if (rec->node == -1 && rec->head.type_id != 2 && !k->setup->opts.layout_6)
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
static void build_short_call(struct relay_output *o, const struct kmem_record *rec,
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
	tdat_store16(p, output_of(o)->event_ids[kind][rec->head.type_id], big);
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
static void build_call(struct relay_output *o, const struct kmem_record *rec)
{
	struct tdat_build *b = &o->payload;
	unsigned int kind = kind_of(output_of(o), rec);
	bool is_6 = output_of(o)->setup->opts.layout_6 && rec->head.type_id != 2;

	if (!is_6) {
		build_short_call(o, rec, kind);
		return;
	}
	import_record_begin(b, output_of(o)->event_ids[kind][rec->head.type_id], 0);
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
static void build_unknown(struct relay_output *o, const struct kmem_record *rec)
{
	struct tdat_build *b = &o->payload;
	size_t at;

	import_record_begin(b, output_of(o)->unknown_id, 0);
	tdat_build_u32(b, rec->seq);
	tdat_build_u16(b, rec->head.event_id);
	tdat_build_u16(b, rec->head.type_id);
	at = import_record_loc(b);
	if (!import_record_dynamic(b, at, rec->bytes.ptr, rec->bytes.len))
		output_of(o)->features_cut++;
}

/* Counts the features behind a record and, with --keep-features, emits an event for each. */
static enum tdat_status output_features(struct relay_output *o, const struct kmem_record *rec,
					const struct import_merge_record *in,
					struct tdat_error *err)
{
	struct tdat_span tail = rec->tail;
	struct output *k = output_of(o);
	struct tdat_build *b = &o->payload;
	struct kmem_feature f = {0, {NULL, 0}};
	enum tdat_status st = TDAT_OK;
	uint16_t size;

	while (st == TDAT_OK &&
	       kmem_next_feature(&tail, o->setup->big, &f, &size) == KMEM_FEATURE_OK) {
		size_t at;

		k->features++;
		if (!k->setup->opts.keep_features)
			continue;
		import_record_begin(b, k->feature_id, 0);
		tdat_build_u32(b, rec->seq);
		tdat_build_u8(b, f.id);
		at = import_record_loc(b);
		if (!import_record_dynamic(b, at, f.data.ptr, f.data.len))
			k->features_cut++;
		st = relay_output_more(o, in, err);
	}
	return st;
}

/* Emits the counter's new value as an atrace mark, "C|pid|name|value", which Perfetto draws. */
static enum tdat_status output_counter(struct relay_output *o, const struct kmem_record *rec,
				       const struct import_merge_record *in, struct tdat_error *err)
{
	struct tdat_build *b = &o->payload;
	const char *name;
	uint64_t bytes;
	char text[80];
	bool failed;
	size_t at;

	if (!kmem_atrace_record(&output_of(o)->atrace, rec, &name, &bytes, &failed))
		return failed ? tdat_error_no_memory(err, "allocations") : TDAT_OK;
	snprintf(text, sizeof(text), "C|0|%s|%" PRIu64, name, bytes);
	import_record_begin(b, output_of(o)->mark_id, 0);
	at = import_record_loc(b);
	import_record_string(b, at, text, strlen(text));
	return relay_output_more(o, in, err);
}

/*
 * Short cut for records of the usual layout and shape: the event is a copy of the record's bytes.
 * False: nothing was done, record() must do it. It must match that function.
 */
static bool give_usual(struct relay_output *o, const struct import_merge_record *in,
		       enum tdat_status *st, struct tdat_error *err)
{
	enum { CALL_OFF = 8, FREE_LEN = 16, ALLOC_LEN = 36, NODE_LEN = 40, NODE_OFF = 44 };
	const struct output *k = output_of(o);
	const struct kmem_layout *l = k->setup->layout;
	const uint8_t *p = in->data.ptr;
	const size_t len = in->data.len;
	size_t body = FREE_LEN;
	unsigned int kind = KIND_FREE;
	uint8_t *payload;

	/* Everything that changes bytes, or adds events, takes the long way. */
	if (!l->has_seq || !l->sized || k->setup->opts.layout_6 || k->setup->opts.atrace ||
	    len < 4 || p[1] > 2)
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
	payload = relay_output_room(o, IMPORT_COMMON_LEN + NODE_LEN, st, err);
	if (!payload)
		return true;
	/* The fields of a record follow one another as those of the event do. */
	tdat_store64(payload, 0, false);
	tdat_store16(payload, k->event_ids[kind][p[1]], o->setup->big);
	if (kind == KIND_FREE)
		memcpy(payload + IMPORT_COMMON_LEN, p + CALL_OFF, FREE_LEN);
	/* A constant length; the bytes beyond body are not part of the record. */
	else
		memcpy(payload + IMPORT_COMMON_LEN, p + CALL_OFF, NODE_LEN);
	*st = relay_output_give(o, in, IMPORT_COMMON_LEN + body, err);
	return true;
}

/* Emits the events of one record. */
static enum tdat_status record(struct relay_output *o, const struct import_merge_record *in,
			       struct tdat_error *err)
{
	struct output *k = output_of(o);
	struct kmem_record rec;
	enum tdat_status st;

	if (k->seqs) {
		kmem_seq_piece_add(&k->piece, in->key);
	} else {
		/* In order of time, equal sequence numbers are neighbors. */
		k->distinct += !k->distinct || in->key != k->last;
		k->last = in->key;
	}
	if (give_usual(o, in, &st, err))
		return st;
	kmem_decode(k->setup->layout, o->setup->big, in->data, &rec);
	if (rec.unknown && !k->setup->opts.keep_unknown) {
		k->skipped++;
		k->skipped_key = in->key;
		return TDAT_OK;
	}
	if (rec.unknown)
		build_unknown(o, &rec);
	else
		build_call(o, &rec);
	st = relay_output_send(o, in, err);
	if (st == TDAT_OK && rec.tail.len)
		st = output_features(o, &rec, in, err);
	if (st == TDAT_OK && k->setup->opts.atrace)
		st = output_counter(o, &rec, in, err);
	return st;
}

/* ---- the end ---- */

/*
 * Sequence numbers without a record, lost in the kernel or with a file. ABI 1 has no further ids: a
 * lone one is damage, and the number of the record that was there is missing.
 */
static uint64_t missing_seq(const struct relay_output *o)
{
	const struct output *k = output_of(o);
	const struct import_merge_range *r = o->range;
	const bool lone = k->skipped == 1 && k->setup->abi_version <= 1 &&
			  k->skipped_key != r->min_key && k->skipped_key != r->max_key;

	if (!k->setup->layout->has_seq || !r->records)
		return 0;
	return (uint64_t)r->max_key - (uint64_t)r->min_key + 1 + lone -
	       (k->seqs ? kmem_seq_set_count(k->seqs) : k->distinct);
}

/* Adds the statistics of the whole capture to those of the last CPU. */
static void build_totals(const void *ctx, uint32_t cpu, struct tdat_build *b)
{
	const struct relay_output *o = ctx;
	const struct output *k = output_of(o);
	const struct kmem_setup *s = k->setup;

	if (cpu + 1 != o->cpu_count)
		return;
	if (s->files->total_overruns)
		tdat_build_printf(b, "kmemtrace total_overruns: %" PRIu64 "\n", s->total_overruns);
	if (s->layout->has_seq)
		tdat_build_printf(b, "kmemtrace missing_seq: %" PRIu64 "\n", missing_seq(o));
	if (k->features && !s->opts.keep_features)
		tdat_build_printf(b, "kmemtrace features left out: %" PRIu64 "\n", k->features);
	if (s->opts.ts_step)
		tdat_build_printf(
			b, "kmemtrace time: synthetic, %" PRIu64 " ns for each sequence number\n",
			s->opts.ts_step);
}

/* Emits the facts that the command import prints when it is done. */
static enum tdat_status fact(const struct relay_output *o, struct tdat_error *err)
{
	const struct output *k = output_of(o);
	const struct kmem_setup *s = k->setup;
	const char *endian = s->big ? "big" : "little";
	enum tdat_status st =
		tdat_emit_factf(o->emit, "endian", err, "%s", s->known ? endian : "unknown");

	if (st == TDAT_OK)
		st = tdat_emit_factf(o->emit, "layout", err, "%s",
				     s->known ? s->layout->name : "unknown");
	st = import_fact_u64(o->emit, "cpus", o->cpu_count, st, err);
	st = import_fact_u64(o->emit, "records", o->range->records - k->skipped, st, err);
	st = import_fact_u64(o->emit, "missing_seq", missing_seq(o), st, err);
	st = import_fact_u64(o->emit, "total_overruns", s->total_overruns, st, err);
	if (s->files->abi_version)
		st = import_fact_u64(o->emit, "abi_version", s->abi_version, st, err);
	if (o->range->late)
		st = import_fact_u64(o->emit, "reordered", o->range->late, st, err);
	if (k->features)
		st = import_fact_u64(o->emit,
				     s->opts.keep_features ? "features_kept" : "features_left_out",
				     k->features, st, err);
	return st;
}

/* Emits warnings, statistics and facts behind the last event. */
static enum tdat_status end(struct relay_output *o, struct tdat_error *err)
{
	const struct output *k = output_of(o);
	const struct import_cpustat s = {.emit = o->emit,
					 .what = "read events",
					 .records = o->cpu_records,
					 .cpu_count = o->cpu_count,
					 .always = (int64_t)o->cpu_count - 1,
					 .more = build_totals,
					 .ctx = o};
	enum tdat_status st = TDAT_OK;

	if (k->atrace.untracked)
		st = tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " allocations are missing in the counters, because "
				     "too many were live at once",
				     k->atrace.untracked);
	if (st == TDAT_OK && k->features_cut)
		st = tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " features or unknown records were truncated, "
				     "because an event cannot hold them",
				     k->features_cut);
	if (st == TDAT_OK)
		st = import_cpustat_emit(&s, err);
	return st == TDAT_OK ? fact(o, err) : st;
}

/* Sequence numbers are not time. */
static const char *clock_name(const struct relay_setup *setup)
{
	const struct kmem_setup *s = setup->own;

	return s->layout->has_seq && !s->opts.ts_step ? "counter" : "local";
}

const struct relay_kind kmem_kind = {
	.importer = "kmemtrace",
	.own_len = sizeof(struct kmem_reader),
	.keep_zeros = true,
	.by_cpu = true,
	.shift_unit = 1ull << 32,
	.open = kmem_reader_open,
	.next = kmem_reader_next,
	.batch = kmem_reader_batch,
	.rewind = kmem_reader_rewind,
	.warn = kmem_reader_warn,
	.clock = clock_name,
	.begin = begin,
	.record = record,
	.end = end,
	.close_output = close_output,
	.prepare = prepare,
	.begin_part = begin_part,
	.end_part = end_part,
};
