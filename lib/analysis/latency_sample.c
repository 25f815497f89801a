/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table latency_sample: latencies that the kernel measured itself. Sources are the tracers
 * timerlat, osnoise and hwlat, and every synthetic event: of these each integer field whose
 * name contains "lat", "delta" or "dur" gives a row. A row needs its event alone, so there is
 * no state.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

/* Tracers of the kernel, and synthetic events of users. */
enum kind { TIMERLAT, OSNOISE, HWLAT, SYNTHETIC };
/* Places in fields; SECOND is the second value of an event that has two. */
enum { FIRST, SECOND, CONTEXT };
static const char *const timerlat_fields[] = {"timer_latency", "", "context", NULL};
static const char *const osnoise_fields[] = {"noise", "max_sample", NULL};
static const char *const hwlat_fields[] = {"duration", "outer_duration", NULL};

static const struct derived_event events[] = {
	{"ftrace/timerlat", TIMERLAT, timerlat_fields},
	{"ftrace/osnoise", OSNOISE, osnoise_fields},
	{"ftrace/hwlat", HWLAT, hwlat_fields},
	{"synthetic/*", SYNTHETIC, NULL},
};

static const struct meta_column columns[] = {
	{"source", TABLE_NAME, 0, false},  {"metric", TABLE_NAME, 0, false},
	{"context", TABLE_NAME, 0, false}, {"value", TABLE_INT, 8, true},
	{NULL, TABLE_INT, 0, false},
};

/* A row of one value. words: source, metric, context. */
static void put(struct derived_out *o, const struct tdat_event *ev, uint32_t rec,
		const char *const words[3], int64_t value)
{
	const struct derived_row row = derived_moment(ev, rec);

	if (!derived_row_begin(o, &row))
		return;
	for (size_t i = 0; i < 3; i++)
		derived_put_name(o, words[i]);
	derived_put_int(o, value);
	derived_row_end(o);
}

/* Where timerlat measured: kernel/trace/trace_osnoise.c. */
static const char *context_of(const struct derived_type *type, struct tdat_span rec)
{
	static const char *const names[] = {"irq", "thread", "user"};
	const uint64_t v = derived_u64(&type->fields[CONTEXT], rec);

	return v < 3 ? names[v] : NULL;
}

/* Whether a field's name says that it is a latency or a difference of times. */
static bool is_latency(const struct tdat_field *f)
{
	return !(f->flags & (TDAT_FIELD_COMMON | TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC |
			     TDAT_FIELD_RELATIVE | TDAT_FIELD_STRING)) &&
	       f->len <= 8 &&
	       (strstr(f->name, "lat") || strstr(f->name, "delta") || strstr(f->name, "dur"));
}

/* A synthetic event may have several latencies: one row each. */
static void take_synthetic(struct derived_out *o, const struct derived_type *type,
			   const struct tdat_event *ev, uint32_t rec)
{
	size_t count;
	const struct tdat_field *fields = tdat_event_format_fields(type->format, &count);

	for (size_t i = 0; i < count; i++) {
		const char *const words[] = {tdat_event_format_name(type->format), fields[i].name,
					     NULL};
		int64_t value;

		if (is_latency(&fields[i]) &&
		    tdat_field_i64(&fields[i], ev->record, &value, NULL) == TDAT_OK)
			put(o, ev, rec, words, value);
	}
}

/* timerlat has one value, the others two. */
static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const char *context = NULL;

	if (type->kind == SYNTHETIC) {
		take_synthetic(o, type, ev, rec);
		return;
	}
	if (type->kind == TIMERLAT)
		context = context_of(type, ev->record);
	for (size_t i = 0; i < (type->kind == TIMERLAT ? 1 : 2); i++) {
		const struct derived_field *f = &type->fields[i];

		if (derived_has(f, ev->record))
			put(o, ev, rec,
			    (const char *const[]){tdat_event_format_name(type->format),
						  f->field->name, context},
			    derived_int(f, ev->record));
	}
}

const struct table_derived analysis_latency_sample = {
	ANALYSIS_TABLE(latency_sample),
	.about = {"samples of latency tracers",
		  "ftrace/timerlat|ftrace/osnoise|ftrace/hwlat|synthetic/*", "-p timerlat"},

	.event = take_event,
	.fresh = true,
	.per_cpu = true,
	.per_task = true,
};
