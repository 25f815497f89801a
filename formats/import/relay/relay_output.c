/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands events of relay channels over, then statistics and facts: docs/formats/gtsc.md §8. A
 * part is the output of one CPU on its own thread; parts are added up at the end. Statistics of
 * the whole channel are added to those of CPU 0.
 */
#include "relay.h"

#include <inttypes.h>
#include <stdlib.h>

#include "import/cpustat.h"
#include "import/embedded_format.h"
#include "import/record.h"

extern const struct import_format import_formats_relay[];

/* Prepares the output and emits the formats of the kind. */
enum tdat_status relay_output_init(struct relay_output *o, struct tdat_error *err)
{
	tdat_build_init(&o->payload, o->setup->big);
	o->cpu_records = calloc(o->cpu_count, sizeof(*o->cpu_records));
	if (!o->cpu_records)
		return tdat_error_no_memory(err, "counts by CPU");
	return o->setup->kind->begin(o, err);
}

/* Also for an output that was never initialized. */
void relay_output_fini(struct relay_output *o)
{
	if (!o->setup)
		return;
	tdat_build_fini(&o->payload);
	free(o->cpu_records);
	if (o->setup->kind->close_output)
		o->setup->kind->close_output(o);
}

/* Makes an output for one CPU's thread. It shares ids and options with o, but counts by itself. */
enum tdat_status relay_output_part_init(struct relay_output *part, const struct relay_output *o,
					const struct tdat_emit *emit, struct tdat_error *err)
{
	const struct relay_kind *kind = o->setup->kind;

	/* A copy: members that a thread writes are replaced below. */
	*part = *o;
	part->emit = emit;
	part->cpu_records = NULL;
	part->records = 0;
	part->events = NULL;
	tdat_build_init(&part->payload, o->setup->big);
	return kind->begin_part ? kind->begin_part(part, err) : TDAT_OK;
}

/* May be called twice: by the thread, and for parts that no thread began. */
void relay_output_part_fini(struct relay_output *part)
{
	if (!part->setup)
		return;
	free(part->events);
	part->events = NULL;
	tdat_build_fini(&part->payload);
	if (part->setup->kind->end_part)
		part->setup->kind->end_part(part);
	part->setup = NULL;
}

enum tdat_status relay_output_more(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err)
{
	struct tdat_emit_event event = {
		.cpu = rec->cpu, .ts = relay_output_time(o, rec), .lost_before = rec->lost_before};

	if (o->payload.failed)
		return tdat_error_no_memory(err, "an event");
	event.record = import_record_span(&o->payload);
	if (o->events)
		return import_events_copy(o->events, &event, err);
	return tdat_emit_event(o->emit, &event, err);
}

/* Emits the record in o->payload at the time of rec. */
enum tdat_status relay_output_send(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err)
{
	relay_output_count(o, rec->cpu);
	return relay_output_more(o, rec, err);
}

/* Room in the payload, for an event that does not go into a batch. */
uint8_t *relay_payload_room(struct relay_output *o, size_t len, enum tdat_status *st,
			    struct tdat_error *err)
{
	uint8_t *p;

	o->payload.len = 0;
	p = tdat_build_room(&o->payload, len);
	*st = p ? TDAT_OK : tdat_error_no_memory(err, "an event");
	return p;
}

enum tdat_status relay_format_print(const struct tdat_emit *emit, uint16_t *id,
				    struct tdat_error *err)
{
	return import_format_emit(import_formats_relay, "ftrace", "print", emit, id, err);
}

/*
 * Adds the first line of a sidecar as a comment of the statistics. Control bytes would break the
 * line.
 */
static void add_sidecar(struct tdat_build *b, const char *key, const struct tdat_import_input *in)
{
	char line[64];

	if (!in)
		return;
	relay_sidecar_line(in, line, sizeof(line));
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	tdat_build_printf(b, "# gtsc %s: %s\n", key, line);
}

/*
 * Adds the statistics of the whole channel to those of CPU 0. Lines with "#" are not from the
 * kernel's stats file.
 */
static void build_channel(const void *ctx, uint32_t cpu, struct tdat_build *b)
{
	const struct relay_output *o = ctx;

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

/* Emits statistics and facts behind the last event. */
enum tdat_status relay_output_end(struct relay_output *o, struct tdat_error *err)
{
	const struct relay_kind *kind = o->setup->kind;
	const struct import_cpustat stat = {.emit = o->emit,
					    .what = "read events",
					    .records = o->cpu_records,
					    .cpu_count = o->cpu_count,
					    .more = build_channel,
					    .ctx = o};
	enum tdat_status st = kind->end ? kind->end(o, err) : TDAT_OK;

	if (st != TDAT_OK || !o->setup->what)
		return st;
	st = import_cpustat_emit(&stat, err);
	if (st == TDAT_OK)
		st = tdat_emit_factf(o->emit, "kind", err, "%s", o->setup->what);
	if (st == TDAT_OK)
		st = tdat_emit_factf(o->emit, "endian", err, "%s",
				     !o->setup->order_known ? "-"
				     : o->setup->big	    ? "big"
							    : "little");
	st = import_fact_u64(o->emit, "cpus", o->cpu_count, st, err);
	st = import_fact_u64(o->emit, "records", o->range->records, st, err);
	st = import_fact_u64(o->emit, "dropped", o->dropped, st, err);
	if (o->range->late)
		st = import_fact_u64(o->emit, "reordered", o->range->late, st, err);
	if (o->shift)
		st = import_fact_u64(o->emit, "shift", o->shift, st, err);
	if (o->missing_seq)
		st = import_fact_u64(o->emit, "missing_seq", o->missing_seq, st, err);
	return st;
}
