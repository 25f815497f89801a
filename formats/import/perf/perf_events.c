/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of the records of a perf.data, which come in order of time. The raw data of a
 * tracepoint's sample is the event as ftrace would have written it; a sample of another event gets
 * a format of its own, with the values that it has. Call chains become the events kernel_stack and
 * user_stack behind the sample. Losses are counted for the CPU's next event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/define.h>

#include "core/common_fields.h"
#include "core/grow.h"
#include "core/text.h"
#include "import/record.h"
#include "perf.h"

enum { STACK_LEAST = 8 };

/* Marks in a call chain: whose addresses follow. */
#define CONTEXT_FIRST UINT64_C(0xfffffffffffff001)  /* -4095 */
#define CONTEXT_KERNEL UINT64_C(0xffffffffffffff80) /* -128 */
#define CONTEXT_USER UINT64_C(0xfffffffffffffe00)   /* -512 */

/* Fields of a sample without raw data, in the order in which they are written. */
static const struct {
	uint64_t bit;
	const char *name, *show;
} sample_fields[] = {
	{PERF_S_IP, "ip", "0x%llx"},
	{PERF_S_ADDR, "addr", "0x%llx"},
	{PERF_S_PERIOD, "period", "%llu"},
	{PERF_S_READ, "value", "%llu"},
};
enum { SAMPLE_FIELDS = sizeof(sample_fields) / sizeof(sample_fields[0]) };

static uint64_t field_value(const struct perf_sample *s, size_t i)
{
	return sample_fields[i].bit == PERF_S_IP     ? s->ip
	       : sample_fields[i].bit == PERF_S_ADDR ? s->addr
	       : sample_fields[i].bit == PERF_S_READ ? s->value
						     : s->period;
}

/* Names of perf's own events that no name came with. */
static const char *usual_name(const struct perf_attr *a)
{
	static const char *const hardware[] = {"cycles",       "instructions", "cache_references",
					       "cache_misses", "branches",     "branch_misses",
					       "bus_cycles"};
	static const char *const software[] = {
		"cpu_clock",	    "task_clock",   "page_faults",  "context_switches",
		"cpu_migrations",   "minor_faults", "major_faults", "alignment_faults",
		"emulation_faults", "dummy",	    "bpf_output",   "cgroup_switches"};

	if (a->type == 0 && a->config < sizeof(hardware) / sizeof(hardware[0]))
		return hardware[a->config];
	if (a->type == 1 && a->config < sizeof(software) / sizeof(software[0]))
		return software[a->config];
	return NULL;
}

/* A name of C: without "/freq=200/" and ":u", and of other characters '_'. */
static void event_name(const struct perf_attr *a, char *out, size_t cap)
{
	const char *usual = usual_name(a), *p = a->name[0] || !usual ? a->name : usual;
	const char *slash = strchr(p, '/');
	const bool terms = slash && (strchr(slash, '=') || !slash[1]);
	size_t n = 0;

	for (; *p && n + 1 < cap && !(terms && p == slash); p++) {
		const bool word = tdat_is_word((uint8_t)*p);

		if (*p == ':' && strspn(p + 1, "ukhGHpPSDIWebR") == strlen(p + 1))
			break;
		out[n++] = word ? *p : '_';
	}
	while (n && out[n - 1] == '_')
		n--;
	out[n] = 0;
	if (!n)
		snprintf(out, cap, "event_%u_%llx", a->type, (unsigned long long)a->config);
}

/* Another event of the same name gets its number behind it. */
static bool name_taken(const struct perf_data *d, const struct perf_attr *a, const char *name)
{
	char other[sizeof(a->name) + 16];

	for (const struct perf_attr *b = d->attrs; b < a; b++) {
		event_name(b, other, sizeof(other));
		if (b->has_format && !strcmp(name, other))
			return true;
	}
	return false;
}

static enum tdat_status sample_format(struct perf_out *o, struct perf_attr *a,
				      struct tdat_error *err)
{
	const struct perf_data *d = o->data;
	struct tdat_field_def fields[SAMPLE_FIELDS];
	struct tdat_build print, values;
	char name[sizeof(a->name) + 16];
	size_t count = 0;
	enum tdat_status st;

	event_name(a, name, sizeof(name) - 12);
	if (name_taken(d, a, name))
		snprintf(name + strlen(name), 12, "_%u", (unsigned)(a - d->attrs));
	tdat_build_init(&print, false);
	tdat_build_init(&values, false);
	tdat_build_u8(&print, '"');
	for (size_t i = 0; i < SAMPLE_FIELDS; i++) {
		const char *field = sample_fields[i].name;

		if (!(a->sample_type & sample_fields[i].bit))
			continue;
		tdat_build_printf(&print, "%s%s=%s", count ? " " : "", field,
				  sample_fields[i].show);
		tdat_build_printf(&values, ", REC->%s", field);
		fields[count++] = (struct tdat_field_def){"u64", field, 0, 0, 0, false};
	}
	tdat_build_u8(&print, '"');
	tdat_build_bytes(&print, values.ptr, values.len);
	tdat_build_u8(&print, 0);
	st = print.failed || values.failed
		     ? tdat_error_no_memory(err, "a format")
		     : tdat_emit_define(d->emit, "perf", name, fields, count,
					(const char *)print.ptr, &a->format, err);
	a->has_format = st == TDAT_OK;
	tdat_build_fini(&print);
	tdat_build_fini(&values);
	return st;
}

/* The kernel's format of a stack; the addresses of programs have the same one here. */
static enum tdat_status stack_format(struct perf_out *o, const char *name, uint16_t *id, bool *has,
				     struct tdat_error *err)
{
	const unsigned step = o->data->long_size == 4 ? 4 : 8, off = step == 4 ? 12 : 16;
	struct tdat_build text;
	enum tdat_status st;

	if (*has)
		return TDAT_OK;
	tdat_build_init(&text, false);
	tdat_build_printf(&text,
			  "name: %s\nID: 0\n" TDAT_COMMON_FIELDS
			  "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
			  "\tfield:unsigned long caller[];\toffset:%u;\tsize:0;\tsigned:0;\n\n"
			  "print fmt: \"",
			  name, off);
	for (int i = 0; i < STACK_LEAST; i++)
		tdat_build_str(&text, "\\t=> %ps\\n");
	tdat_build_u8(&text, '"');
	for (int i = 0; i < STACK_LEAST; i++)
		tdat_build_printf(&text, ", (void *)REC->caller[%d]", i);
	tdat_build_u8(&text, '\n');
	st = text.failed ? tdat_error_no_memory(err, "a format")
			 : tdat_emit_format(o->data->emit, "ftrace", (const char *)text.ptr,
					    text.len, id, err);
	*has = st == TDAT_OK;
	tdat_build_fini(&text);
	return st;
}

static enum tdat_status give(struct perf_out *o, uint64_t ts, uint32_t cpu, struct tdat_error *err)
{
	struct tdat_emit_event e = {.cpu = cpu,
				    .ts = o->ranks ? ++o->rank : ts,
				    .record = import_record_span(&o->record)};

	if (o->record.failed)
		return tdat_error_no_memory(err, "an event");
	if (cpu < o->lost_cap) {
		e.lost_before = (int64_t)o->lost[cpu];
		o->lost[cpu] = 0;
	}
	o->events++;
	return tdat_emit_event(o->data->emit, &e, err);
}

static void put_long(struct perf_out *o, uint64_t v)
{
	if (o->data->long_size == 4)
		tdat_build_u32(&o->record, (uint32_t)v);
	else
		tdat_build_u64(&o->record, v);
}

/* Writes the addresses of one context, kernel or user, of a chain. Returns how many there were. */
static uint32_t put_chain(struct perf_out *o, const struct perf_sample *s, uint64_t context)
{
	uint64_t now = CONTEXT_KERNEL;
	uint32_t n = 0;

	for (size_t i = 0; i < s->chain.len; i += 8) {
		const uint64_t ip = tdat_load64(s->chain.ptr + i, o->data->big);

		if (ip >= CONTEXT_FIRST) {
			now = ip;
		} else if (now == context) {
			put_long(o, ip);
			n++;
		}
	}
	return n;
}

static enum tdat_status stack(struct perf_out *o, const struct perf_sample *s, uint64_t context,
			      uint64_t ts, uint32_t cpu, struct tdat_error *err)
{
	const bool user = context == CONTEXT_USER;
	const size_t size_at = IMPORT_COMMON_LEN;
	uint32_t n;
	enum tdat_status st;

	import_record_begin(&o->record, 0, (int32_t)s->tid);
	tdat_build_u32(&o->record, 0);
	if (o->data->long_size != 4)
		tdat_build_u32(&o->record, 0);
	n = put_chain(o, s, context);
	if (!n)
		return TDAT_OK;
	st = user ? stack_format(o, "user_stack", &o->user_stack, &o->has_user_stack, err)
		  : stack_format(o, "kernel_stack", &o->kernel_stack, &o->has_kernel_stack, err);
	if (st != TDAT_OK)
		return st;
	/* Readers of the print fmt find as many as it names; a stack ends before these. */
	for (uint32_t i = n; i < STACK_LEAST; i++)
		put_long(o, user ? 0 : UINT64_MAX);
	if (!o->record.failed) {
		tdat_store16(o->record.ptr, user ? o->user_stack : o->kernel_stack, o->record.big);
		tdat_store32(o->record.ptr + size_at, n, o->record.big);
	}
	return give(o, ts, cpu, err);
}

/* The raw data of a tracepoint, with the number that its format got and the sample's thread. */
static enum tdat_status tracepoint(struct perf_out *o, const struct perf_sample *s, uint64_t ts,
				   uint32_t cpu, struct tdat_error *err)
{
	const bool big = o->data->big;
	const uint16_t id = o->ids[tdat_load16(s->raw.ptr, big)];

	if (!id) {
		o->unknown_format++;
		return TDAT_OK;
	}
	if (s->raw.len > PERF_RECORD_MOST) {
		o->too_long++;
		return TDAT_OK;
	}
	o->record.len = 0;
	tdat_build_bytes(&o->record, s->raw.ptr, s->raw.len);
	if (!o->record.failed) {
		tdat_store16(o->record.ptr, id, big);
		if (s->has_tid)
			tdat_store32(o->record.ptr + 4, s->tid, big);
	}
	return give(o, ts, cpu, err);
}

static enum tdat_status plain_sample(struct perf_out *o, const struct perf_sample *s, uint64_t ts,
				     uint32_t cpu, struct tdat_error *err)
{
	struct perf_attr *a = &o->data->attrs[s->attr - o->data->attrs];

	if (!a->has_format) {
		enum tdat_status st = sample_format(o, a, err);

		if (st != TDAT_OK)
			return st;
	}
	import_record_begin(&o->record, a->format, (int32_t)s->tid);
	for (size_t i = 0; i < SAMPLE_FIELDS; i++)
		if (a->sample_type & sample_fields[i].bit)
			tdat_build_u64(&o->record, field_value(s, i));
	return give(o, ts, cpu, err);
}

static enum tdat_status sample(struct perf_out *o, uint64_t ts, uint32_t cpu,
			       const struct perf_record *r, struct tdat_error *err)
{
	struct perf_sample s;
	enum tdat_status st;
	uint64_t before = o->events;

	if (!perf_sample_read(o->data, r, &s))
		return TDAT_OK; /* warned of when it was put in order */
	if (s.has_tid)
		perf_tasks_sampled(&o->data->tasks, s.tid);
	if (s.attr->type == PERF_EVENT_TRACEPOINT && s.raw.len >= IMPORT_COMMON_LEN)
		st = tracepoint(o, &s, ts, cpu, err);
	else
		st = plain_sample(o, &s, ts, cpu, err);
	if (st != TDAT_OK || !s.chain.len || o->events == before)
		return st;
	st = stack(o, &s, CONTEXT_KERNEL, ts, cpu, err);
	return st == TDAT_OK ? stack(o, &s, CONTEXT_USER, ts, cpu, err) : st;
}

static enum tdat_status lost(struct perf_out *o, uint32_t cpu, const struct perf_record *r,
			     struct tdat_error *err)
{
	struct tdat_cursor c = perf_body(o->data, r);
	uint64_t count;

	tdat_cursor_take(&c, 8);
	count = tdat_cursor_u64(&c);
	if (count > INT32_MAX - 1)
		count = INT32_MAX - 1;
	if (!TDAT_GROW_ZERO(o->lost, &o->lost_cap, (size_t)cpu + 1))
		return tdat_error_no_memory(err, "losses");
	o->lost[cpu] = count < INT32_MAX - o->lost[cpu] ? count + o->lost[cpu] : INT32_MAX;
	return TDAT_OK;
}

enum tdat_status perf_out_record(struct perf_out *o, uint64_t ts, uint32_t cpu,
				 const struct perf_record *r, struct tdat_error *err)
{
	if (r->type == PERF_SAMPLE)
		return sample(o, ts, cpu, r, err);
	if (r->type == PERF_LOST)
		return lost(o, cpu, r, err);
	return perf_tasks_record(o->data, r, err);
}

void perf_out_fini(struct perf_out *o)
{
	tdat_build_fini(&o->record);
	free(o->lost);
	free(o->ids);
}
