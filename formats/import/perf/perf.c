/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of perf.data: files, recordings through a pipe, and folders of perf record
 * --threads. The records are read twice: first for the events of the recording, its formats, CPUs
 * and clock, then to be put in order of time and made into events (perf_events.c). perf writes them
 * CPU by CPU, in rounds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/importer_options.h"
#include "import/importers.h"
#include "import/left_out.h"
#include "perf.h"
#include "perf_order.h"

static const struct tdat_keyed_option_desc option_descs[] = {{NULL, NULL, NULL}};

/* One input with records. */
struct part {
	const struct tdat_import_input *input;
	struct perf_range range;
};

/* What the first pass learns. */
struct facts {
	uint64_t samples, timed, no_cpu, broken, lost, lost_samples;
	uint64_t unknown; /* records whose type perf 7.1 does not have */
	uint32_t cpus;
	uint32_t first_unknown;
	struct perf_rounds rounds;
};

struct import {
	struct perf_data data;
	struct part *parts;
	size_t part_count;
	struct facts facts;
	struct perf_out out;
	struct perf_order order;
	uint64_t arrived; /* the number of a record, where no time is known */
};

/* Time and CPU of a record that becomes something; false: it does not. */
static bool place(const struct import *m, const struct perf_record *r, struct perf_sample *s)
{
	switch (r->type) {
	case PERF_SAMPLE:
		return perf_sample_read(&m->data, r, s) && s->cpu < PERF_CPUS;
	case PERF_LOST:
	case PERF_COMM:
	case PERF_FORK:
	case PERF_EXIT:
		if (!perf_trailer_read(&m->data, r, s))
			*s = (struct perf_sample){0};
		return s->cpu < PERF_CPUS;
	default:
		return false;
	}
}

static void count_lost(struct import *m, const struct perf_record *r)
{
	struct tdat_cursor c = perf_body(&m->data, r);
	struct facts *f = &m->facts;

	if (r->type == PERF_LOST) {
		tdat_cursor_take(&c, 8);
		f->lost += tdat_cursor_u64(&c);
	} else {
		f->lost_samples += tdat_cursor_u64(&c);
	}
}

static enum tdat_status learn_sample(struct import *m, const struct perf_record *r,
				     struct tdat_error *err)
{
	struct facts *f = &m->facts;
	struct perf_sample s;

	if (!m->data.attr_count)
		return tdat_error_set(err, TDAT_E_DAMAGED, r->off,
				      "%s: a sample at offset %" PRIu64 " comes before any event",
				      m->data.path, r->off);
	if (!place(m, r, &s)) {
		if (!f->broken++)
			return tdat_emit_warnf(
				m->data.emit, m->data.path, r->off, err,
				"the sample at offset %" PRIu64
				" is shorter than its event requires: such samples are omitted",
				r->off);
		return TDAT_OK;
	}
	perf_rounds_add(&f->rounds, s.time, r->len);
	f->samples++;
	f->timed += s.has_time;
	f->no_cpu += !s.has_cpu;
	if (s.cpu >= f->cpus)
		f->cpus = s.cpu + 1;
	return TDAT_OK;
}

static enum tdat_status learn_other(struct import *m, const struct perf_record *r,
				    struct tdat_error *err)
{
	struct facts *f = &m->facts;
	struct perf_sample s = {0};

	if (r->type == PERF_FINISHED_ROUND)
		perf_rounds_end(&f->rounds);
	if (m->data.attr_count && place(m, r, &s)) {
		if (!s.time && r->type != PERF_LOST)
			return perf_tasks_record(&m->data, r, err); /* of what was there before */
		perf_rounds_add(&f->rounds, s.time, r->len);
	}
	if (r->type == PERF_LOST || r->type == PERF_LOST_SAMPLES) {
		count_lost(m, r);
	} else if (r->type > PERF_TYPE_LAST ||
		   (r->type > PERF_KERNEL_LAST && r->type < PERF_HEADER_ATTR)) {
		if (!f->unknown++)
			f->first_unknown = r->type;
	}
	return TDAT_OK;
}

static enum tdat_status learn_record(void *ctx, const struct perf_record *r, struct tdat_error *err)
{
	struct import *m = ctx;
	struct perf_data *d = &m->data;
	struct tdat_cursor c;
	uint64_t number;

	if (r->type == PERF_TRACING_DATA)
		return perf_feature(d, PERF_F_TRACING_DATA,
				    tdat_cursor_init(r->behind.ptr, r->behind.len, r->off, d->big),
				    err);
	c = perf_body(d, r);
	switch (r->type) {
	case PERF_SAMPLE:
		return learn_sample(m, r, err);
	case PERF_HEADER_ATTR:
		return perf_attr_record(d, c, err);
	case PERF_EVENT_UPDATE:
		perf_update_record(d, c);
		return TDAT_OK;
	case PERF_HEADER_FEATURE:
		number = tdat_cursor_u64(&c);
		return tdat_cursor_ok(&c) ? perf_feature(d, number, c, err) : TDAT_OK;
	default:
		return learn_other(m, r, err);
	}
}

/* The second pass: what becomes something goes to the sort. */
static enum tdat_status order_record(void *ctx, const struct perf_record *r, struct tdat_error *err)
{
	struct import *m = ctx;
	struct perf_sample s;
	uint64_t key;

	if (r->type == PERF_FINISHED_ROUND)
		return perf_order_round(&m->order, err);
	if (r->type == PERF_TRACING_DATA || !place(m, r, &s))
		return TDAT_OK;
	if (r->type != PERF_SAMPLE && r->type != PERF_LOST && !s.time)
		return TDAT_OK; /* read in the first pass */
	if (!m->facts.timed)
		key = m->arrived++;
	else if (!s.has_time)
		return TDAT_OK; /* counted: a warning says so */
	else
		key = s.time;
	if (r->type == PERF_LOST && !s.has_cpu && !m->facts.no_cpu)
		return TDAT_OK;
	return perf_order_add(&m->order, key, s.cpu, r->bytes, r->len, err);
}

static enum tdat_status ordered(void *ctx, uint64_t ts, uint32_t cpu, struct tdat_span bytes,
				struct tdat_error *err)
{
	struct import *m = ctx;
	const bool big = m->data.big;
	const struct perf_record r = {
		.type = tdat_load32(bytes.ptr, big), .bytes = bytes.ptr, .len = bytes.len};

	return perf_out_record(&m->out, ts, cpu, &r, err);
}

static enum tdat_status walk_all(struct import *m, bool warns, perf_record_fn fn,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < m->part_count && st == TDAT_OK; i++) {
		m->data.path = m->parts[i].input->path;
		st = perf_walk(&m->data, m->parts[i].input->source, m->parts[i].range, warns, fn, m,
			       err);
	}
	return st;
}

static bool is_header(const char *name)
{
	return !strcmp(name, "data");
}

/* Files "data.0", "data.1" ... of a folder have records only. */
static bool is_thread(const char *name)
{
	return !strncmp(name, "data.", 5) && name[5] &&
	       strspn(name + 5, "0123456789") == strlen(name + 5);
}

static enum tdat_status find_parts(struct import *m, struct tdat_error *err)
{
	const struct tdat_import_request *q = m->data.request;
	enum tdat_status st = TDAT_OK;
	bool found = false;

	m->parts = calloc(q->input_count + 1, sizeof(*m->parts));
	if (!m->parts)
		return tdat_error_no_memory(err, "inputs");
	for (size_t i = 0; i < q->input_count && st == TDAT_OK; i++) {
		struct part *p = &m->parts[m->part_count];
		bool big;

		if (!perf_magic(q->inputs[i].source, &big))
			continue;
		if (found) {
			st = import_warn_left_out(m->data.emit, &q->inputs[i], true,
						  "only one recording can be converted at a time",
						  err);
			continue;
		}
		found = true;
		p->input = &q->inputs[i];
		m->data.path = p->input->path;
		m->data.big = big;
		st = perf_header_read(&m->data, p->input->source, &p->range, err);
		m->part_count++;
	}
	for (size_t i = 0; i < q->input_count && st == TDAT_OK; i++) {
		bool big;

		if (perf_magic(q->inputs[i].source, &big))
			continue;
		if (is_thread(q->inputs[i].name))
			m->parts[m->part_count++] = (struct part){
				&q->inputs[i], {0, tdat_source_len(q->inputs[i].source), false}};
		else
			st = import_warn_left_out(m->data.emit, &q->inputs[i], false,
						  "it does not belong to a recording of perf", err);
	}
	if (st == TDAT_OK && !found)
		return tdat_error_set(err, TDAT_E_FORMAT, 0,
				      "no input starts like a perf.data (PERFILE2)");
	return st;
}

static const char *clock_name(const struct perf_data *d)
{
	/* Numbers of clock_gettime(2) with the names that ftrace has for them. */
	static const struct {
		int32_t clock;
		const char *name;
	} clocks[] = {{1, "mono"}, {4, "mono_raw"}, {7, "boot"}, {11, "tai"}};

	for (size_t i = 0;
	     d->attr_count && d->attrs[0].has_clock && i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (d->attrs[0].clock == clocks[i].clock)
			return clocks[i].name;
	return "perf";
}

static enum tdat_status emit_info(struct import *m, struct tdat_error *err)
{
	const struct perf_data *d = &m->data;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	char version[64], uname[256];

	snprintf(version, sizeof(version), "tdat %s (perf)", tdat_version());
	snprintf(uname, sizeof(uname), "Linux %s %s %s", d->text.host, d->text.release,
		 d->text.arch);
	info.big_endian = d->big;
	info.long_size = d->long_size ? d->long_size : 8;
	info.page_size = PERF_PAGE;
	info.cpu_count = m->facts.cpus;
	info.clock = m->facts.timed || !m->facts.samples ? clock_name(d) : "counter";
	info.version = version;
	info.uname = d->text.release[0] ? uname : NULL;
	return tdat_emit_info(d->emit, &info, err);
}

static enum tdat_status emit_events(struct import *m, struct tdat_error *err)
{
	struct perf_data *d = &m->data;
	enum tdat_status st;

	m->out.data = d;
	m->out.ranks = !m->facts.timed;
	m->out.record.big = d->big;
	m->out.ids = calloc(UINT16_MAX + 1, sizeof(*m->out.ids));
	if (!m->out.ids)
		return tdat_error_no_memory(err, "numbers of formats");
	st = perf_tracing_emit(d, m->out.ids, err);
	if (st == TDAT_OK)
		st = perf_order_init(&m->order, &m->facts.rounds,
				     m->part_count > 1 || m->facts.timed < m->facts.samples,
				     ordered, m, err);
	if (st == TDAT_OK)
		st = walk_all(m, false, order_record, err);
	if (st == TDAT_OK)
		st = perf_order_end(&m->order, err);
	return st == TDAT_OK ? perf_tasks_emit(&d->tasks, d->emit, err) : st;
}

static enum tdat_status emit_doubts(struct import *m, struct tdat_error *err)
{
	const struct facts *f = &m->facts;
	const struct tdat_emit *emit = m->data.emit;
	enum tdat_status st = TDAT_OK;

	if (f->timed && f->timed < f->samples)
		st = tdat_emit_warnf(emit, m->data.path, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " samples are omitted, because they have no time",
				     f->samples - f->timed);
	if (st == TDAT_OK && m->out.unknown_format)
		st = tdat_emit_warnf(emit, m->data.path, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " samples are omitted, because the file lacks the "
				     "formats of their tracepoints",
				     m->out.unknown_format);
	if (st == TDAT_OK && m->out.too_long)
		st = tdat_emit_warnf(emit, m->data.path, TDAT_NO_OFFSET, err,
				     "%" PRIu64
				     " samples are omitted, because they are longer than a page",
				     m->out.too_long);
	if (st == TDAT_OK && f->unknown)
		st = tdat_emit_notef(emit, m->data.path, TDAT_NO_OFFSET, err,
				     "%" PRIu64
				     " records of unknown types (the first is %u) are skipped",
				     f->unknown, f->first_unknown);
	return st;
}

static enum tdat_status emit_facts(struct import *m, struct tdat_error *err)
{
	const struct facts *f = &m->facts;
	const struct perf_text *t = &m->data.text;
	const struct tdat_emit *emit = m->data.emit;
	const uint64_t lost = f->lost > f->lost_samples ? f->lost : f->lost_samples;
	enum tdat_status st = TDAT_OK;

	if (t->version[0])
		st = tdat_emit_factf(emit, "perf", err, "%s", t->version);
	if (st == TDAT_OK && m->parts[0].range.pipe)
		st = tdat_emit_factf(emit, "layout", err, "pipe");
	if (st == TDAT_OK && m->part_count > 1)
		st = tdat_emit_factf(emit, "layout", err, "folder of %zu files", m->part_count);
	if (st == TDAT_OK && !f->timed && f->samples)
		st = tdat_emit_factf(emit, "times", err, "none: events have the ranks 1, 2, 3 ...");
	if (st == TDAT_OK && f->no_cpu == f->samples && f->samples)
		st = tdat_emit_factf(emit, "CPUs", err, "not in the file: all events are of CPU 0");
	if (st == TDAT_OK && lost)
		st = tdat_emit_factf(emit, "lost", err, "%" PRIu64, lost);
	return st == TDAT_OK ? emit_doubts(m, err) : st;
}

static enum tdat_status run(const struct tdat_import_request *request, const struct tdat_emit *emit,
			    struct tdat_error *err)
{
	struct import m = {.data = {.request = request, .emit = emit}};
	enum tdat_status st = import_options_check(request, option_descs, "perf", err);

	if (st == TDAT_OK)
		st = find_parts(&m, err);
	if (st == TDAT_OK)
		st = walk_all(&m, true, learn_record, err);
	if (st == TDAT_OK)
		st = perf_tracing_look(&m.data, err);
	if (st == TDAT_OK)
		st = emit_info(&m, err);
	if (st == TDAT_OK)
		st = emit_events(&m, err);
	if (st == TDAT_OK)
		st = emit_facts(&m, err);
	perf_order_fini(&m.order);
	perf_out_fini(&m.out);
	perf_tasks_fini(&m.data.tasks);
	tdat_build_fini(&m.data.tracing);
	tdat_map_fini(&m.data.id_map);
	free(m.data.ids);
	free(m.data.attrs);
	free(m.parts);
	return st;
}

static uint32_t probe(const struct tdat_import_input *inputs, size_t input_count)
{
	bool big;

	for (size_t i = 0; i < input_count; i++)
		if ((input_count == 1 || is_header(inputs[i].name)) &&
		    perf_magic(inputs[i].source, &big))
			return UINT32_MAX; /* whatever guesses make of its content */
	return 0;
}

const struct tdat_importer import_perf = {
	.name = "perf",
	.summary = "perf.data: files, pipes and folders of perf record, with tracepoints or "
		   "other events",
	.options = option_descs,
	.probe = probe,
	.run = run,
};
