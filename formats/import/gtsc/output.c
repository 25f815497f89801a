/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records to events, statistics and facts: spec section 8. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gtsc.h"
#include "import/embedded_format.h"
#include "import/record.h"
#include "import/cpustat.h"

extern const struct import_format import_formats_gtsc[];

enum { NAME_CAP = 128 };

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* A name as events have them: other characters become '_', no digit first. */
static void sanitise(const char *s, size_t len, char *out)
{
	size_t n = 0;

	if (len && s[0] >= '0' && s[0] <= '9')
		out[n++] = '_';
	for (size_t i = 0; i < len && n < NAME_CAP - 1; i++)
		out[n++] = s[i];
	for (size_t i = 0; i < n; i++)
		if (!is_word(out[i]))
			out[i] = '_';
	out[n] = '\0';
}

/* The folder of the capture is the name of the trace. */
static void event_name(const struct gtsc_output *o, char *out)
{
	const char *path = o->files->files[0].path, *end = strrchr(path, '/'), *start;

	if (o->opts.event) {
		sanitise(o->opts.event, strlen(o->opts.event), out);
		return;
	}
	strcpy(out, "trace");
	while (end && end > path && end[-1] == '/')
		end--;
	if (!end || end == path)
		return;
	for (start = end; start > path && start[-1] != '/';)
		start--;
	if (start[0] != '.')
		sanitise(start, (size_t)(end - start), out);
}

/* The format of the text event under the name that the capture has. */
static enum tdat_status emit_named(struct gtsc_output *o, struct tdat_error *err)
{
	const struct import_format *f = import_format_find(import_formats_gtsc, "gtsc", "trace");
	char name[NAME_CAP], system[NAME_CAP];
	struct tdat_build b;
	enum tdat_status st;

	event_name(o, name);
	sanitise(o->opts.system, strlen(o->opts.system), system);
	tdat_build_init(&b, false);
	tdat_build_printf(&b, "name: %s\n", name);
	tdat_build_str(&b, strchr(f->text, '\n') + 1);
	if (b.failed)
		st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for a format");
	else
		st = o->emit->ops->format(o->emit->ctx, system, (const char *)b.ptr, b.len,
					  &o->event_id, err);
	tdat_build_fini(&b);
	return st;
}

static enum tdat_status emit_formats(struct gtsc_output *o, struct tdat_error *err)
{
	char system[NAME_CAP];

	if (o->setup->kind == GTSC_RECORD) {
		sanitise(o->opts.system, strlen(o->opts.system), system);
		return gtsc_record_formats(o, system, err);
	}
	if (o->opts.as_print)
		return import_format_emit(import_formats_gtsc, "ftrace", "print", o->emit,
					  &o->event_id, err);
	if (o->opts.atrace)
		return import_format_emit(import_formats_gtsc, "gtsc", "tracing_mark_write",
					  o->emit, &o->event_id, err);
	return emit_named(o, err);
}

enum tdat_status gtsc_output_init(struct gtsc_output *o, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	tdat_build_init(&o->payload, o->setup->big);
	o->cpu_records = calloc(o->cpu_count, sizeof(*o->cpu_records));
	if (!o->cpu_records)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for the state of %u CPUs", o->cpu_count);
	if (o->setup->kind == GTSC_BLK)
		o->blk = blk_output_new(o, &st, err);
	else
		st = emit_formats(o, err);
	return st;
}

void gtsc_output_fini(struct gtsc_output *o)
{
	tdat_build_fini(&o->payload);
	free(o->cpu_records);
	blk_output_free(o->blk);
}

enum tdat_status gtsc_output_payload(struct gtsc_output *o, uint32_t cpu, uint64_t ts,
				     int64_t lost, struct tdat_error *err)
{
	struct tdat_emit_event event = {.cpu = cpu, .ts = ts, .lost_before = lost};

	if (o->payload.failed)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for an event");
	event.record = import_record_span(&o->payload);
	o->cpu_records[cpu]++;
	return o->emit->ops->event(o->emit->ctx, &event, err);
}

/* What the first group of --pid-regex matches; 0 without a match. */
static int32_t pid_of(const regex_t *regex, struct tdat_span text)
{
	char buf[GTSC_TEXT_MAX + 1];
	regmatch_t m[2];
	int64_t pid = 0;

	if (!regex)
		return 0;
	memcpy(buf, text.ptr ? (const char *)text.ptr : "", text.len);
	buf[text.len] = '\0';
	if (regexec(regex, buf, 2, m, 0) || m[1].rm_so < 0)
		return 0;
	for (regoff_t i = m[1].rm_so; i < m[1].rm_eo; i++) {
		if (buf[i] < '0' || buf[i] > '9' || pid > INT32_MAX)
			return 0;
		pid = pid * 10 + (buf[i] - '0');
	}
	return pid > INT32_MAX ? 0 : (int32_t)pid;
}

static void build_text(struct gtsc_output *o, struct tdat_span text)
{
	struct tdat_build *b = &o->payload;
	size_t at;

	import_record_begin(b, o->event_id, pid_of(o->opts.pid_regex, text));
	if (o->opts.as_print) {
		tdat_build_u64(b, 0);
		tdat_build_bytes(b, text.ptr, text.len);
		tdat_build_u8(b, 0);
		return;
	}
	at = import_record_loc(b);
	import_record_string(b, at, text.ptr, text.len);
}

enum tdat_status gtsc_output_record(struct gtsc_output *o, const struct import_merge_record *rec,
				    struct tdat_error *err)
{
	uint64_t ts = (uint64_t)rec->key + o->shift;

	if (o->setup->kind == GTSC_BLK)
		return blk_output_record(o, rec, err);
	if (o->setup->kind == GTSC_RECORD)
		gtsc_record_build(o, rec->data);
	else
		build_text(o, rec->data);
	return gtsc_output_payload(o, rec->cpu, ts, rec->lost_before, err);
}

static void add_sidecar(struct tdat_build *b, const char *key, const struct tdat_import_input *in)
{
	char line[64];

	if (!in)
		return;
	gtsc_sidecar_line(in, line, sizeof(line));
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	tdat_build_printf(b, "# gtsc %s: %s\n", key, line);
}

/* CPU 0 carries what belongs to the whole channel. */
static void build_channel(const void *ctx, uint32_t cpu, struct tdat_build *b)
{
	const struct gtsc_output *o = ctx;

	if (cpu)
		return;
	add_sidecar(b, "nr_sub", o->files->nr_sub);
	add_sidecar(b, "sub_size", o->files->sub_size);
	add_sidecar(b, "state", o->files->state);
	if (o->files->dropped)
		tdat_build_printf(b, "gtsc dropped: %" PRIu64 "\n", o->dropped);
	if (o->shift)
		tdat_build_printf(b, "# gtsc time shift: %" PRIu64 " added\n", o->shift);
}

static enum tdat_status emit_cpustat(struct gtsc_output *o, struct tdat_error *err)
{
	struct import_cpustat s = {.emit = o->emit,
				   .what = "read events",
				   .records = o->cpu_records,
				   .cpu_count = o->cpu_count,
				   .more = build_channel,
				   .ctx = o};

	return import_cpustat_emit(&s, err);
}

static enum tdat_status emit_kind(struct gtsc_output *o, struct tdat_error *err)
{
	switch (o->setup->kind) {
	case GTSC_BLK:
		return tdat_emit_factf(o->emit, "kind", err, "blktrace-v%u",
				       o->setup->blk_version);
	case GTSC_STAP:
		return tdat_emit_factf(o->emit, "kind", err, "systemtap-bulk");
	case GTSC_RECORD:
		return tdat_emit_factf(o->emit, "kind", err, "record");
	default:
		return tdat_emit_factf(o->emit, "kind", err, "text");
	}
}

enum tdat_status gtsc_output_end(struct gtsc_output *o, const struct import_merge_range *range,
				 uint64_t missing_seq, struct tdat_error *err)
{
	uint64_t unnamed = o->blk ? blk_output_unnamed(o->blk) : 0;
	enum tdat_status st = TDAT_OK;

	if (unnamed)
		st = tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
				     "%" PRIu64 " tasks are not named: too many", unnamed);
	if (st == TDAT_OK)
		st = emit_cpustat(o, err);
	if (st == TDAT_OK)
		st = emit_kind(o, err);
	if (st == TDAT_OK)
		st = tdat_emit_factf(o->emit, "endian", err, "%s",
				     !o->setup->order_known ? "-"
				     : o->setup->big	    ? "big"
							    : "little");
	st = import_fact_u64(o->emit, "cpus", o->cpu_count, st, err);
	st = import_fact_u64(o->emit, "records", range->records, st, err);
	st = import_fact_u64(o->emit, "dropped", o->dropped, st, err);
	if (range->late)
		st = import_fact_u64(o->emit, "reordered", range->late, st, err);
	if (o->shift)
		st = import_fact_u64(o->emit, "shift", o->shift, st, err);
	if (missing_seq)
		st = import_fact_u64(o->emit, "missing_seq", missing_seq, st, err);
	return st;
}
