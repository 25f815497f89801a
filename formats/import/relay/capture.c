/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the two passes over a capture: a survey, then all records in order of time. It is the
 * importer of everything in a relay channel: blktrace, gtsc and kmemtrace give it a kind with
 * functions to read and to emit records. Files are surveyed on threads (crew.h), then emitted CPU
 * by CPU or merged.
 */
#include "relay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/file.h>

#include "import/crew.h"

enum { PARTS_MAX = 1024 }; /* CPUs that are emitted separately, at most: each takes memory */

/* State of one import. */
struct run {
	const struct relay_setup *setup;
	const struct relay_files *files;
	const struct relay_options *opts;
	const struct tdat_emit *emit;
	struct relay_reader *readers;
	/* Readers that were opened so far, for run_fini(). */
	size_t reader_count;
	struct import_merge *merge;
	struct relay_output out;
	/* Records that the channel had no room for, by the sidecar "dropped". */
	uint64_t dropped;
	uint32_t threads; /* 0: one per CPU */
	/* The survey found damage in a file. */
	bool damaged;
	struct relay_wall wall;
	uint64_t *cpu_left; /* records still to come, by CPU; for mark_dropped */
};

/*
 * Settles byte order and sub-buffers: options and meta first, then a guess from the files' heads.
 * kind_needs: records of the kind depend on the byte order.
 */
void relay_setup_order(struct relay_setup *s, const struct relay_options *o,
		       const struct relay_files *f, bool kind_needs,
		       int (*guess)(struct tdat_span head))
{
	bool counts;
	int found = -1;

	s->geometry = o->geometry;
	counts = s->geometry.padding == RELAY_PAD_COUNT;
	s->big = o->order == 1;
	s->order_known = kind_needs || counts;
	if (o->order < RELAY_ORDER_UNKNOWN || !s->order_known)
		return;
	/* The first file that shows the order decides. */
	for (size_t i = 0; i < f->count && found < 0; i++) {
		uint8_t buf[4096];

		if (s->geometry.sub_len && counts)
			found = relay_subbufs_guess_big(&s->geometry, f->files[i].source);
		else if (guess)
			found = guess(import_look(f->files[i].source, buf, sizeof(buf)));
	}
	s->big = found > 0;
}

/* Makes a reader for each file, and the merge of all of them. */
static enum tdat_status open_readers(struct run *r, struct tdat_error *err)
{
	size_t count = r->files->count, window = import_window_share(count);
	struct import_merge_stream *streams = calloc(count, sizeof(*streams));
	enum tdat_status st = TDAT_OK;

	r->readers = calloc(count, sizeof(*r->readers));
	if (!r->readers || !streams) {
		free(streams);
		return tdat_error_no_memory(err, "files to read");
	}
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		st = relay_reader_init(&r->readers[i], r->setup, &r->files->files[i], window,
				       r->emit, err);
		/* A reader whose open failed holds memory, too. */
		r->reader_count += st == TDAT_OK || r->readers[i].setup;
		if (st == TDAT_OK)
			streams[i] = relay_reader_stream(&r->readers[i]);
	}
	if (st == TDAT_OK)
		st = import_merge_new(&r->merge, streams, count, err);
	free(streams);
	return st;
}

/*
 * Warns of records out of order in a global channel. It is written under a lock, so they should not
 * be; per-CPU channels are merged anyway.
 */
static enum tdat_status warn_order(struct run *r, const struct relay_reader *reader, uint64_t late,
				   struct tdat_error *err)
{
	if (!late || !r->setup->kind->locked || r->files->count > 1)
		return TDAT_OK;
	return tdat_emit_warnf(reader->emit, reader->file->name, TDAT_NO_OFFSET, err,
			       "%" PRIu64 " records earlier than one before them, sorted", late);
}

/*
 * Surveys one file, on any thread. Warns of what its reader counted, since rewinding resets the
 * counts.
 */
static enum tdat_status survey_file(void *ctx, size_t i, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	struct run *r = ctx;
	struct relay_reader *reader = &r->readers[i];
	enum tdat_status st;
	uint64_t late;

	reader->emit = reader->subbufs.emit = emit;
	st = import_merge_survey(r->merge, i, &late, err);
	if (st == TDAT_OK)
		st = relay_reader_warn(reader, err);
	if (st == TDAT_OK)
		st = warn_order(r, reader, late, err);
	reader->surveyed = (struct relay_surveyed){reader->missing_seq, reader->stopped};
	import_merge_rewind(r->merge, i);
	return st;
}

/* First pass over all files. The results are added up in the order of the files. */
static enum tdat_status survey(struct run *r, struct tdat_error *err)
{
	enum tdat_status st =
		import_crew_run(r->threads, r->files->count, survey_file, r, r->emit, err);

	import_merge_surveyed(r->merge);
	for (size_t i = 0; i < r->files->count; i++) {
		const struct relay_reader *reader = &r->readers[i];

		r->out.missing_seq += reader->surveyed.missing_seq;
		r->damaged = r->damaged || reader->surveyed.damaged;
		if (!r->wall.set)
			r->wall = reader->wall;
	}
	return st;
}

/* Emits the fixed facts. The offset of the wall clock is the one of the first file that has it. */
static enum tdat_status emit_info(struct run *r, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	enum tdat_status st;
	char text[64];

	snprintf(text, sizeof(text), "tdat %s (%s)", tdat_version(), r->setup->kind->importer);
	info.big_endian = r->setup->big;
	info.long_size = 8;
	info.cpu_count = r->out.cpu_count;
	info.clock = r->setup->kind->clock ? r->setup->kind->clock(r->setup) : "local";
	info.version = text;
	info.uname = r->opts->uname;
	st = tdat_emit_info(r->emit, &info, err);
	if (st != TDAT_OK || !r->wall.set || !r->opts->wall_clock)
		return st;
	/* Emitted times have the shift added, so the offset must take it off. */
	snprintf(text, sizeof(text), "%" PRId64, r->wall.offset_ns - (int64_t)r->out.shift);
	return tdat_emit_option(r->emit, TDAT_OPTION_OFFSET, text, strlen(text) + 1, err);
}

/*
 * Events lost before a record. If dropped records are to be marked, the last record of each CPU
 * carries them: exactly for a single file, else as "unknown" (-1).
 */
static int64_t lost_before(struct run *r, const struct import_merge_record *rec)
{
	if (!r->cpu_left || --r->cpu_left[rec->cpu])
		return rec->lost_before;
	return r->files->count == 1 ? (int64_t)(r->dropped & INT64_MAX) : -1;
}

/*
 * Prepares --mark-dropped: counts the records of each CPU, so that its last one is known when it
 * comes. With produced, readers know better where records were lost.
 */
static enum tdat_status count_cpus(struct run *r, struct tdat_error *err)
{
	if (!r->opts->mark_dropped || !r->dropped || r->setup->geometry.produced)
		return TDAT_OK;
	r->cpu_left = calloc(r->out.cpu_count, sizeof(*r->cpu_left));
	if (!r->cpu_left)
		return tdat_error_no_memory(err, "counts by CPU");
	for (uint32_t cpu = 0; cpu < r->out.cpu_count; cpu++)
		r->cpu_left[cpu] = import_merge_cpu_records(r->merge, cpu);
	return TDAT_OK;
}

/* ---- CPU by CPU ---- */

/* State of emission by CPU. */
struct parts {
	struct run *run;
	struct relay_output *outs; /* by part */
};

/* Emits the records of one CPU; other threads emit other CPUs at the same time. */
static enum tdat_status emit_part(void *ctx, size_t i, const struct tdat_emit *emit,
				  struct tdat_error *err)
{
	const struct parts *p = ctx;
	struct relay_output *out = &p->outs[i];
	struct import_merge *merge;
	enum tdat_status st = import_merge_part_new(&merge, p->run->merge, i, err);

	(void)emit;
	/* Made on the part's own thread, since it is used by it alone. */
	out->events = import_events_new(out->emit);
	while (st == TDAT_OK) {
		const struct import_merge_record *recs;
		size_t count;

		st = import_merge_next(merge, &recs, &count, err);
		for (size_t k = 0; st == TDAT_OK && k < count; k++)
			st = out->setup->kind->record(out, &recs[k], err);
	}
	import_merge_free(merge);
	if (st == TDAT_E_NOT_FOUND)
		st = out->events ? import_events_flush(out->events, err) : TDAT_OK;
	if (st == TDAT_OK)
		st = tdat_emit_cpu_end(out->emit, err);
	relay_output_part_fini(out); /* there may be many CPUs: their state goes one by one */
	return st;
}

/*
 * Opens the emit and the output of each part. Sinks number CPUs by these calls, so they come in
 * order.
 */
static enum tdat_status open_parts(struct run *r, struct parts *p, size_t count,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count && st == TDAT_OK; i++) {
		const struct tdat_emit *cpu_emit;

		st = tdat_emit_cpu_emit(r->emit, 0, import_merge_part_cpu(r->merge, i), &cpu_emit,
					err);
		if (st == TDAT_OK)
			st = relay_output_part_init(&p->outs[i], &r->out, cpu_emit, err);
	}
	return st;
}

/*
 * Emits all records by CPU if possible; *done says whether it was. All conditions that need one
 * order of records rule it out.
 */
static enum tdat_status emit_parts(struct run *r, bool *done, struct tdat_error *err)
{
	const size_t count = import_merge_parts(r->merge);
	const struct relay_kind *kind = r->setup->kind;
	struct parts p = {.run = r};
	enum tdat_status st = TDAT_OK;

	*done = false;
	if (!count || count > PARTS_MAX || !kind->by_cpu || r->cpu_left ||
	    !TDAT_HAS(r->emit->ops, cpu_emit))
		return TDAT_OK;
	/* Kinds with state across CPUs prepare it here, or refuse. */
	if (kind->prepare && !kind->prepare(&r->out, r->readers, r->files->count, &st, err))
		return st;
	p.outs = calloc(count, sizeof(*p.outs));
	if (!p.outs)
		return tdat_error_no_memory(err, "CPUs");
	*done = true;
	st = open_parts(r, &p, count, err);
	if (st == TDAT_OK)
		st = import_crew_run(r->threads, count, emit_part, &p, r->emit, err);
	for (size_t i = 0; i < count; i++) {
		r->out.cpu_records[import_merge_part_cpu(r->merge, i)] += p.outs[i].records;
		relay_output_part_fini(&p.outs[i]);
	}
	free(p.outs);
	return st;
}

/* Emits all records in order of time; TDAT_E_NOT_FOUND is the regular end. */
static enum tdat_status emit_merged(struct run *r, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK) {
		const struct import_merge_record *recs;
		size_t count;

		st = import_merge_next(r->merge, &recs, &count, err);
		for (size_t k = 0; st == TDAT_OK && k < count; k++) {
			struct import_merge_record rec = recs[k];

			rec.lost_before = lost_before(r, &rec);
			st = r->setup->kind->record(&r->out, &rec, err);
		}
	}
	return st;
}

/* Everything behind the survey: facts, events, statistics. */
static enum tdat_status convert(struct run *r, struct tdat_error *err)
{
	const struct import_merge_range *range = import_merge_range(r->merge);
	const struct relay_files *f = r->files;
	const uint64_t unit = r->setup->kind->shift_unit;
	enum tdat_status st;
	bool done = false;

	/*
	 * Files are sorted by CPU, so the last one has the highest. An empty file's CPU counts,
	 * too.
	 */
	r->out = (struct relay_output){.emit = r->emit,
				       .setup = r->setup,
				       .files = f,
				       .dropped = r->dropped,
				       .range = range,
				       .missing_seq = r->out.missing_seq,
				       .step = 1,
				       .cpu_count = 1};
	if (!r->setup->own_cpus)
		r->out.cpu_count = f->files[f->count - 1].cpu + 1;
	if (range->cpu_count > r->out.cpu_count)
		r->out.cpu_count = range->cpu_count;
	/* Times must not be negative: the earliest becomes 0. */
	if (range->records && range->min_key < 0)
		r->out.shift = 0 - (uint64_t)range->min_key;
	if (unit)
		r->out.shift = (r->out.shift + unit - 1) / unit * unit;
	st = emit_info(r, err);
	if (st == TDAT_OK)
		st = relay_output_init(&r->out, err);
	if (st == TDAT_OK)
		st = count_cpus(r, err);
	if (st == TDAT_OK)
		st = emit_parts(r, &done, err);
	if (st == TDAT_OK && !done)
		st = emit_merged(r, err);
	if (st == (done ? TDAT_OK : TDAT_E_NOT_FOUND))
		st = relay_output_end(&r->out, err);
	return st;
}

static void run_fini(struct run *r)
{
	for (size_t i = 0; i < r->reader_count; i++)
		relay_reader_fini(&r->readers[i]);
	free(r->readers);
	free(r->cpu_left);
	import_merge_free(r->merge);
	relay_output_fini(&r->out);
}

/* Imports a channel whose setup is settled; called by the importers. */
enum tdat_status relay_convert(struct relay_setup *setup, const struct relay_files *files,
			       const struct relay_options *opts, const struct tdat_emit *emit,
			       struct tdat_error *err)
{
	struct run r = {.setup = setup,
			.files = files,
			.opts = opts,
			.emit = emit,
			.threads = opts->threads};
	enum tdat_status st = setup->own_cpus ? TDAT_OK : relay_warn_absent(files, emit, err);

	if (st == TDAT_OK)
		st = relay_sidecar_u64(files->dropped, emit, &r.dropped, err);
	if (st == TDAT_OK)
		st = open_readers(&r, err);
	if (st == TDAT_OK)
		st = survey(&r, err);
	if (st == TDAT_OK)
		st = convert(&r, err);
	/* Damage alone is not a capture. */
	if (st == TDAT_OK && r.damaged && !import_merge_range(r.merge)->records)
		st = tdat_error_set(err, TDAT_E_FORMAT, 0, "%s%s no record", files->files[0].name,
				    files->count > 1 ? " and the other files contain"
						     : " contains");
	run_fini(&r);
	return st;
}
