/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hands the events of relay channels over, then their statistics and facts. */
#ifndef TDAT_IMPORT_RELAY_RELAY_OUTPUT_H
#define TDAT_IMPORT_RELAY_RELAY_OUTPUT_H

#include "core/build.h"
#include "import/event_batch.h"
#include "relay_kind.h"

enum { RELAY_PAYLOAD_MAX = 4000 }; /* longest text an event of a 4096-byte page gets */

struct relay_output {
	const struct tdat_emit *emit;
	const struct relay_setup *setup;
	const struct relay_files *files;
	struct tdat_build payload;
	uint64_t *cpu_records; /* by CPU; NULL in a part, which has one CPU */
	uint64_t records;      /* of a part */
	uint32_t cpu_count;
	uint64_t dropped;
	uint64_t shift;				/* added to every key */
	uint64_t step;				/* then multiplied by this */
	const struct import_merge_range *range; /* what the survey learnt */
	uint64_t missing_seq;
	struct import_events *events; /* of a part, while its records come; NULL: one by one */
	void *own;		      /* of the kind */
};

/* After setup, files, cpu_count and the rest are set. To be followed by fini, after a failure too.
 */
enum tdat_status relay_output_init(struct relay_output *o, struct tdat_error *err);
void relay_output_fini(struct relay_output *o);
/*
 * Makes part an output for the records of one CPU, which go to emit on any thread, and adds its
 * count to o when it is done.
 */
enum tdat_status relay_output_part_init(struct relay_output *part, const struct relay_output *o,
					const struct tdat_emit *emit, struct tdat_error *err);
/* On the thread that gives the part's records: before the first, and after the last. */
void relay_output_part_begin(struct relay_output *part);
enum tdat_status relay_output_part_end(struct relay_output *part, struct tdat_error *err);
void relay_output_part_add(struct relay_output *o, const struct relay_output *part, uint32_t cpu);
void relay_output_part_fini(struct relay_output *part);
/* The payload as an event, at the record's time; more: as a further one of the record. */
enum tdat_status relay_output_send(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err);
enum tdat_status relay_output_more(struct relay_output *o, const struct import_merge_record *rec,
				   struct tdat_error *err);
/*
 * Room for an event of len bytes, RELAY_PAYLOAD_MAX and a head at most, that is then given by
 * relay_output_give; NULL: *st says why.
 */
uint8_t *relay_payload_room(struct relay_output *o, size_t len, enum tdat_status *st,
			    struct tdat_error *err);
static inline uint8_t *relay_output_room(struct relay_output *o, size_t len, enum tdat_status *st,
					 struct tdat_error *err)
{
	return o->events ? import_events_room(o->events, len, st, err)
			 : relay_payload_room(o, len, st, err);
}

/* Parts have no counts by CPU: they have one CPU. */
static inline void relay_output_count(struct relay_output *o, uint32_t cpu)
{
	o->records++;
	if (o->cpu_records)
		o->cpu_records[cpu]++;
}

static inline uint64_t relay_output_time(const struct relay_output *o,
					 const struct import_merge_record *rec)
{
	return ((uint64_t)rec->key + o->shift) * o->step;
}

static inline enum tdat_status relay_output_give(struct relay_output *o,
						 const struct import_merge_record *rec, size_t len,
						 struct tdat_error *err)
{
	if (!o->events) {
		o->payload.len = len;
		return relay_output_send(o, rec, err);
	}
	relay_output_count(o, rec->cpu);
	import_events_add(o->events, rec->cpu, relay_output_time(o, rec), rec->lost_before, len);
	return TDAT_OK;
}

/* The format ftrace:print, which several kinds have. */
enum tdat_status relay_format_print(const struct tdat_emit *emit, uint16_t *id,
				    struct tdat_error *err);
/* Statistics of the CPUs and facts. */
enum tdat_status relay_output_end(struct relay_output *o, struct tdat_error *err);

#endif
