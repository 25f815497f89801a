/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gtsc.h"

#include <tdat/file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/importers.h"
#include "import/importer_options.h"

static const struct tdat_import_opt_desc option_descs[] = {
	{"kind", "KIND", "text, systemtap or blktrace (default: auto)"},
	{"record", "FIELDS", "binary records: 'fork u64 ts; u32 pid; char comm[16]'; may be repeated, "
			     "then as VALUE:NAME FIELDS"},
	{"discriminator", "FIELD", "several records: the field whose value tells which it is"},
	{"time-field", "FIELD", "of records (default: ts, time, timestamp or time_ns)"},
	{"pid-field", "FIELD", "of records (default: pid)"},
	{"ts-unit", "UNIT", "of stamps: ns (default), us, ms, s or tsc"},
	{"ts-hz", "HZ", "with ts-unit tsc: frequency, to turn ticks into nanoseconds"},
	{"system", "NAME", "system of the event (default: gtsc)"},
	{"event", "NAME", "name of the event (default: the capture's folder)"},
	{"as-print", NULL, "ftrace:print events instead of an event of their own"},
	{"atrace", NULL, "tracing_mark_write events, whose markup Perfetto reads"},
	{"pid-regex", "RE", "extended regular expression: its first group is the task's pid"},
	{"mark-dropped", NULL, "mark the end of each CPU's data when records were dropped"},
	{"uname", "TEXT", "of the traced machine, for the UNAME option of the file"},
	{"no-wall-clock", NULL, "blktrace: keep the trace's own times"},
	{"sub-size", "BYTES", "raw relay buffers: size of a sub-buffer"},
	{"padding", "KIND", "raw relay buffers: none, zero or count"},
	{"endian", "ORDER", "byte order where it matters: little, big or auto (default)"},
	{"subbufs-produced", "N", "raw relay buffers: sub-buffers ever begun, when rotated"},
	{NULL, NULL, NULL},
};

struct options {
	enum gtsc_kind kind; /* GTSC_KIND_COUNT: to be found */
	size_t order;	     /* 0 little, 1 big, 2 to be found */
	size_t unit;
	uint64_t hz;
	const char *uname; /* NULL: unknown */
	bool wall_clock;
	bool has_padding;
	struct gtsc_geometry geometry;
	struct gtsc_output_opts output;
	struct gtsc_record_types *types;
	regex_t regex;
	bool has_regex;
};

static enum tdat_status parse_regex(struct options *o, const char *text, struct tdat_error *err)
{
	char why[128];
	int e;

	if (!text)
		return TDAT_OK;
	e = regcomp(&o->regex, text, REG_EXTENDED);
	if (e) {
		regerror(e, &o->regex, why, sizeof(why));
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"pid-regex\" is \"%s\": %s", text, why);
	}
	o->has_regex = true;
	if (!o->regex.re_nsub)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option \"pid-regex\" is \"%s\", but needs a group: "
				      "\"child=([0-9]+)\"",
				      text);
	o->output.pid_regex = &o->regex;
	return TDAT_OK;
}

static enum tdat_status parse_choices(struct options *o, const struct tdat_import_request *request,
				      struct tdat_error *err)
{
	static const char *const kinds[] = {"text", "systemtap", "blktrace", "auto", NULL};
	static const char *const units[] = {"ns", "us", "ms", "s", "tsc", NULL};
	static const char *const paddings[] = {"none", "zero", "count", NULL};
	static const char *const orders[] = {"little", "big", "auto", NULL};
	size_t kind = o->kind, padding = 3;
	enum tdat_status st;

	st = import_option_choice(request, "kind", kinds, &kind, err);
	if (st == TDAT_OK)
		st = import_option_choice(request, "ts-unit", units, &o->unit, err);
	if (st == TDAT_OK)
		st = import_option_choice(request, "padding", paddings, &padding, err);
	if (st == TDAT_OK)
		st = import_option_choice(request, "endian", orders, &o->order, err);
	/* auto lies where the kind record has its number */
	o->kind = kind == 3 ? GTSC_KIND_COUNT : (enum gtsc_kind)kind;
	o->has_padding = padding < 3;
	if (o->has_padding)
		o->geometry.padding = (enum gtsc_padding)padding;
	if (st == TDAT_OK && import_option_find(request, "record")) {
		o->kind = GTSC_RECORD;
		st = gtsc_record_types_new(&o->types, request, err);
	}
	return st;
}

static enum tdat_status parse_options(struct options *o, const struct tdat_import_request *request,
				      const struct tdat_import_opt_desc *descs,
				      const char *importer, struct tdat_error *err)
{
	enum tdat_status st = import_options_check(request, descs, importer, err);

	if (st == TDAT_OK)
		st = parse_choices(o, request, err);
	if (st == TDAT_OK)
		st = import_option_u64(request, "ts-hz", 1, 10000000000, &o->hz, err);
	if (st == TDAT_OK)
		st = import_option_u64(request, "sub-size", 8, GTSC_SUB_MAX, &o->geometry.sub_len,
				       err);
	if (st == TDAT_OK)
		st = import_option_u64(request, "subbufs-produced", 1, UINT64_MAX,
				       &o->geometry.produced, err);
	if (st == TDAT_OK)
		st = parse_regex(o, import_option_find(request, "pid-regex"), err);
	if (st == TDAT_OK && o->hz && o->unit != GTSC_TSC)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "option \"ts-hz\" needs ts-unit tsc");
	o->output.system = import_option_find(request, "system");
	if (!o->output.system)
		o->output.system = "gtsc";
	o->output.event = import_option_find(request, "event");
	o->output.as_print = import_option_flag(request, "as-print");
	o->output.atrace = import_option_flag(request, "atrace");
	o->output.mark_dropped = import_option_flag(request, "mark-dropped");
	o->uname = import_option_find(request, "uname");
	o->wall_clock = !import_option_flag(request, "no-wall-clock");
	if (st == TDAT_OK && o->output.as_print && o->output.atrace)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "options \"as-print\" and \"atrace\" exclude each other");
	return st;
}

static enum tdat_status meta_u64(const struct tdat_import_input *meta, const char *key,
				 uint64_t min, uint64_t max, uint64_t *out,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	char value[64];
	uint64_t v;

	if (!gtsc_meta_value(meta, key, value, sizeof(value)))
		return TDAT_OK;
	if (import_parse_u64(value, &v) && v >= min && v <= max) {
		*out = v;
		return TDAT_OK;
	}
	return tdat_emit_warnf(emit, meta->name, TDAT_NO_OFFSET, err,
			       "%s is \"%s\", not a number of %" PRIu64 " to %" PRIu64
			       ", and left out",
			       key, value, min, max);
}

/* "key=name" of meta: the name's index, or *out as it is. */
static enum tdat_status meta_choice(const struct tdat_import_input *meta, const char *key,
				    const char *const *names, size_t *out,
				    const struct tdat_emit *emit, struct tdat_error *err)
{
	char value[64];

	if (!gtsc_meta_value(meta, key, value, sizeof(value)))
		return TDAT_OK;
	for (size_t i = 0; names[i]; i++)
		if (!strcmp(names[i], value)) {
			*out = i;
			return TDAT_OK;
		}
	return tdat_emit_warnf(emit, meta->name, TDAT_NO_OFFSET, err,
			       "%s is \"%s\", which is unknown, and left out", key, value);
}

/* What the user gave goes before what the meta file says. */
static enum tdat_status read_meta(struct options *o, const struct tdat_import_input *meta,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	static const char *const paddings[] = {"none", "zero", "count", NULL};
	static const char *const orders[] = {"little", "big", NULL};
	size_t padding = o->geometry.padding;
	enum tdat_status st = TDAT_OK;

	if (!meta)
		return TDAT_OK;
	if (!o->geometry.sub_len)
		st = meta_u64(meta, "sub_size", 8, GTSC_SUB_MAX, &o->geometry.sub_len, emit, err);
	if (st == TDAT_OK && !o->geometry.produced)
		st = meta_u64(meta, "subbufs_produced", 0, UINT64_MAX, &o->geometry.produced, emit,
			      err);
	if (st == TDAT_OK && !o->has_padding)
		st = meta_choice(meta, "padding", paddings, &padding, emit, err);
	if (st == TDAT_OK && o->order == 2)
		st = meta_choice(meta, "endian", orders, &o->order, emit, err);
	o->geometry.padding = (enum gtsc_padding)padding;
	return st;
}

static enum tdat_status read_dropped(const struct gtsc_files *f, const struct tdat_emit *emit,
				     uint64_t *out, struct tdat_error *err)
{
	char line[64];

	if (!f->dropped)
		return TDAT_OK;
	gtsc_sidecar_line(f->dropped, line, sizeof(line));
	if (import_parse_u64(line, out))
		return TDAT_OK;
	*out = 0;
	return tdat_emit_warnf(emit, f->dropped->name, 0, err, "does not hold a number");
}

/* ---- what the capture is ---- */

static void settle_order(struct gtsc_setup *s, const struct options *o,
			 const struct gtsc_files *f)
{
	int guess = -1;

	s->big = o->order == 1;
	s->order_known = s->kind == GTSC_STAP || s->kind == GTSC_RECORD ||
			 s->geometry.padding == GTSC_PAD_COUNT;
	if (o->order < 2 || !s->order_known)
		return;
	for (size_t i = 0; i < f->count && guess < 0; i++) {
		uint8_t buf[4096];
		struct tdat_span head = gtsc_look(f->files[i].source, buf, sizeof(buf));
		size_t little, big, n;

		if (s->geometry.sub_len && s->geometry.padding == GTSC_PAD_COUNT) {
			guess = gtsc_relay_guess_big(&s->geometry, f->files[i].source);
		} else if (s->kind == GTSC_STAP) {
			little = gtsc_stap_score(head, false, &n);
			big = gtsc_stap_score(head, true, &n);
			guess = little == big ? -1 : big > little;
		}
	}
	s->big = guess > 0;
}

/* Bytes no text has in the first file: rather something else than text. */
static enum tdat_status refuse_binary(const struct gtsc_setup *s, const struct gtsc_files *f,
				      struct tdat_error *err)
{
	uint8_t buf[4096];
	struct tdat_span head = gtsc_look(f->files[0].source, buf, sizeof(buf));
	unsigned int percent;

	/* Zeros are padding, not a doubt. */
	while (head.len && !head.ptr[head.len - 1])
		head.len--;
	percent = gtsc_binary_percent(head);
	if (s->kind != GTSC_TEXT || s->geometry.sub_len || percent <= 30)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_FORMAT, 0,
			      "%s: %u of 100 bytes are no text: a block trace needs --from "
			      "blktrace, a raw relay buffer a meta file",
			      f->files[0].name, percent);
}

static enum tdat_status settle(struct gtsc_setup *s, struct options *o, struct gtsc_files *f,
			       const struct tdat_emit *emit, struct tdat_error *err)
{
	bool guessed = o->kind == GTSC_KIND_COUNT;
	enum tdat_status st = read_meta(o, f->meta, emit, err);

	if (st != TDAT_OK)
		return st;
	s->kind = guessed ? gtsc_detect_kind(f) : o->kind;
	s->unit = (enum gtsc_unit)o->unit;
	s->hz = o->hz;
	s->geometry = o->geometry;
	s->types = o->types;
	settle_order(s, o, f);
	if (s->kind == GTSC_BLK)
		return blk_settle(s, f, emit, err);
	return guessed ? refuse_binary(s, f, err) : TDAT_OK;
}

static const char *clock_of(const struct gtsc_setup *s)
{
	if (s->kind == GTSC_STAP || (s->kind == GTSC_TEXT && !s->stamped))
		return "counter";
	if (s->kind == GTSC_RECORD && !gtsc_record_timed(s->types))
		return "counter";
	return s->kind != GTSC_BLK && s->unit == GTSC_TSC && !s->hz ? "x86-tsc" : "local";
}

/* ---- two passes ---- */

struct run {
	struct gtsc_setup setup;
	struct gtsc_files *files;
	const struct options *opts;
	const struct tdat_emit *emit;
	struct gtsc_reader *readers;
	struct import_merge *merge;
	struct gtsc_output out;
	uint64_t dropped;
	uint64_t missing_seq;
	bool damaged;
	struct gtsc_blk_wall wall;
	uint64_t *cpu_left; /* records still to come, by CPU; for mark-dropped */
};

static enum tdat_status open_readers(struct run *r, struct tdat_error *err)
{
	size_t count = r->files->count, window = import_window_share(count);
	struct import_merge_stream *streams = calloc(count, sizeof(*streams));
	enum tdat_status st = TDAT_OK;

	r->readers = calloc(count, sizeof(*r->readers));
	if (!r->readers || !streams) {
		free(streams);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to read %zu files", count);
	}
	for (size_t i = 0; i < count; i++) {
		gtsc_reader_init(&r->readers[i], &r->setup, &r->files->files[i], window, r->emit);
		streams[i] = gtsc_reader_stream(&r->readers[i]);
		if (r->setup.kind == GTSC_TEXT && st == TDAT_OK)
			st = gtsc_text_scan(&r->readers[i], err);
		r->setup.stamped = r->setup.stamped || r->readers[i].has_stamp;
	}
	if (st == TDAT_OK)
		st = import_merge_new(&r->merge, streams, count, err);
	free(streams);
	return st;
}

/* A global channel is written under a lock and has no reason to be out of order. */
static enum tdat_status tell_order(struct run *r, const struct gtsc_reader *reader, uint64_t late,
				   struct tdat_error *err)
{
	if (!late || r->setup.kind != GTSC_TEXT || r->files->count > 1)
		return TDAT_OK;
	return tdat_emit_warnf(r->emit, reader->file->name, TDAT_NO_OFFSET, err,
			       "%" PRIu64 " records earlier than one before them, sorted", late);
}

/* What a reader counted is told before it is rewound and forgets. */
static enum tdat_status survey(struct run *r, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < r->files->count && st == TDAT_OK; i++) {
		struct gtsc_reader *reader = &r->readers[i];
		uint64_t late;

		st = import_merge_survey(r->merge, i, &late, err);
		if (st == TDAT_OK)
			st = gtsc_reader_tell(reader, err);
		if (st == TDAT_OK)
			st = tell_order(r, reader, late, err);
		r->missing_seq += reader->missing_seq;
		r->damaged = r->damaged || reader->stopped;
		if (!r->wall.set)
			r->wall = reader->wall;
		import_merge_rewind(r->merge, i);
	}
	return st;
}

static enum tdat_status emit_info(struct run *r, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	const char *name = r->setup.kind == GTSC_BLK ? "blktrace" : "gtsc";
	enum tdat_status st;
	char text[64];

	snprintf(text, sizeof(text), "tdat %s (%s)", tdat_version(), name);
	info.big_endian = r->setup.big;
	info.long_size = 8;
	info.cpu_count = r->out.cpu_count;
	info.clock = clock_of(&r->setup);
	info.version = text;
	info.uname = r->opts->uname;
	st = r->emit->ops->info(r->emit->ctx, &info, err);
	if (st != TDAT_OK || !r->wall.set || !r->opts->wall_clock)
		return st;
	snprintf(text, sizeof(text), "%" PRId64, r->wall.offset_ns - (int64_t)r->out.shift);
	return r->emit->ops->option(r->emit->ctx, TDAT_OPTION_OFFSET, text, strlen(text) + 1, err);
}

/* What is lost before this record, and the mark for what the channel dropped. */
static int64_t lost_before(struct run *r, const struct import_merge_record *rec)
{
	if (!r->cpu_left || --r->cpu_left[rec->cpu])
		return rec->lost_before;
	return r->files->count == 1 ? (int64_t)(r->dropped & INT64_MAX) : -1;
}

/* Records of each CPU, so that its last is known when it comes. */
static enum tdat_status count_cpus(struct run *r, struct tdat_error *err)
{
	if (!r->opts->output.mark_dropped || !r->dropped || r->setup.geometry.produced)
		return TDAT_OK;
	r->cpu_left = calloc(r->out.cpu_count, sizeof(*r->cpu_left));
	if (!r->cpu_left)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory to count records of %u CPUs", r->out.cpu_count);
	for (uint32_t cpu = 0; cpu < r->out.cpu_count; cpu++)
		r->cpu_left[cpu] = import_merge_cpu_records(r->merge, cpu);
	return TDAT_OK;
}

static enum tdat_status convert(struct run *r, struct tdat_error *err)
{
	const struct import_merge_range *range = import_merge_range(r->merge);
	const struct gtsc_files *f = r->files;
	enum tdat_status st;

	r->out = (struct gtsc_output){.emit = r->emit,
				      .setup = &r->setup,
				      .files = f,
				      .opts = r->opts->output,
				      .dropped = r->dropped,
				      .cpu_count = f->files[f->count - 1].cpu + 1};
	if (range->cpu_count > r->out.cpu_count)
		r->out.cpu_count = range->cpu_count;
	if (range->records && range->min_key < 0)
		r->out.shift = 0 - (uint64_t)range->min_key;
	st = emit_info(r, err);
	if (st == TDAT_OK)
		st = gtsc_output_init(&r->out, err);
	if (st == TDAT_OK)
		st = count_cpus(r, err);
	while (st == TDAT_OK) {
		struct import_merge_record rec;

		st = import_merge_next(r->merge, &rec, err);
		if (st == TDAT_OK) {
			rec.lost_before = lost_before(r, &rec);
			st = gtsc_output_record(&r->out, &rec, err);
		}
	}
	if (st == TDAT_E_NOT_FOUND)
		st = gtsc_output_end(&r->out, range, r->missing_seq, err);
	return st;
}

static void run_fini(struct run *r)
{
	for (size_t i = 0; r->readers && i < r->files->count; i++)
		gtsc_reader_fini(&r->readers[i]);
	free(r->readers);
	free(r->cpu_left);
	import_merge_free(r->merge);
	gtsc_output_fini(&r->out);
}

static enum tdat_status run_files(struct gtsc_files *files, struct options *o,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	struct run r = {.files = files, .opts = o, .emit = emit};
	enum tdat_status st = settle(&r.setup, o, files, emit, err);

	if (st != TDAT_OK)
		return st;
	st = gtsc_warn_absent(files, emit, err);
	if (st == TDAT_OK)
		st = read_dropped(files, emit, &r.dropped, err);
	if (st == TDAT_OK)
		st = open_readers(&r, err);
	if (st == TDAT_OK)
		st = survey(&r, err);
	if (st == TDAT_OK)
		st = convert(&r, err);
	if (st == TDAT_OK && r.damaged && !import_merge_range(r.merge)->records)
		st = tdat_error_set(err, TDAT_E_FORMAT, 0, "%s%s no record", files->files[0].name,
				    files->count > 1 ? " and the other files hold" : " holds");
	run_fini(&r);
	return st;
}

enum tdat_status gtsc_import(const struct tdat_import_request *request,
			     const struct tdat_import_opt_desc *descs, const char *importer,
			     enum gtsc_kind kind, const struct tdat_emit *emit,
			     struct tdat_error *err)
{
	struct options o = {.kind = kind, .order = 2};
	struct gtsc_files files = {0};
	enum tdat_status st = parse_options(&o, request, descs, importer, err);

	if (st == TDAT_OK)
		st = gtsc_files_init(&files, request, err);
	if (st == TDAT_OK)
		st = run_files(&files, &o, emit, err);
	gtsc_files_fini(&files);
	gtsc_record_types_free(o.types);
	if (o.has_regex)
		regfree(&o.regex);
	return st;
}

static enum tdat_status gtsc_run(const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	return gtsc_import(request, option_descs, "gtsc", GTSC_KIND_COUNT, emit, err);
}

const struct tdat_importer import_gtsc = {
	.name = "gtsc",
	.summary = "relay channels under GTSC: stamped text per CPU or global, raw buffers, "
		   "SystemTap bulk mode",
	.options = option_descs,
	.probe = gtsc_probe,
	.run = gtsc_run,
};
