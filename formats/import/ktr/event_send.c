/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Emits formats of KTR's events, and events with the time that the output has. Times are cycles
 * until their rate is known; ktr_stamp() converts them. Used by all files that make events of
 * this importer.
 */
#include "ktr.h"

#include "import/embedded_format.h"
#include "import/record.h"

extern const struct import_format import_formats_ktr[];

/* Emits an embedded format of this importer and returns the event's id in *id. */
enum tdat_status ktr_output_format(struct ktr_output *o, const char *system, const char *name,
				   uint16_t *id, struct tdat_error *err)
{
	return import_format_emit(import_formats_ktr, system, name, o->emit, id, err);
}

/* Emits the record in o->payload as an event; checks first that no buffer failed to grow. */
enum tdat_status ktr_output_send(struct ktr_output *o, uint32_t cpu, uint64_t ts,
				 struct tdat_error *err)
{
	struct tdat_emit_event event = {.cpu = cpu, .ts = ts};

	if (o->payload.failed || o->message.failed || o->file.failed || o->arg.failed)
		return tdat_error_no_memory(err, "an event");
	event.record = import_record_span(&o->payload);
	return tdat_emit_event(o->emit, &event, err);
}

/* Cycles to ns; hz is at most KTR_HZ_MAX, so that the remainder's product fits. */
uint64_t ktr_stamp(const struct ktr_output *o, uint64_t ts)
{
	uint64_t hz = o->opts.hz, ns;

	if (!hz || o->opts.ns)
		return ts;
	/* Whole seconds first, so that the product does not overflow for times of centuries. */
	if (__builtin_mul_overflow(ts / hz, 1000000000ull, &ns) ||
	    __builtin_add_overflow(ns, ts % hz * 1000000000ull / hz, &ns))
		return UINT64_MAX;
	return ns;
}
