/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table counter: values that change with time, of programs, CPUs and the allocators.
 * Sources are the "C" marks of atrace in trace_marker, power events (frequency and idle state
 * of a CPU), and the kmem events, which add up to kmem_live_bytes of each recording. A row is
 * one change: the value holds until the next row of its name. A free whose allocation was not
 * seen changes nothing and is counted.
 */
#include <stdlib.h>

#include "core/text.h"
#include "analysis.h"
#include "map.h"
#include "marker.h"

enum { POINTERS_MAX = 1 << 20 };

enum kind { MARK, POWER, ALLOC, FREE };
static const char *const mark_fields[] = {"buf", NULL};
enum { STATE, CPU_ID };
static const char *const power_fields[] = {"state", "cpu_id", NULL};
enum { PTR, BYTES };
static const char *const kmem_fields[] = {"ptr", "bytes_alloc", NULL};

static const struct derived_event events[] = {
	{"ftrace/print", MARK, mark_fields},
	{"power/cpu_frequency", POWER, power_fields},
	{"power/cpu_idle", POWER, power_fields},
	{"kmem/kmalloc", ALLOC, kmem_fields},
	{"kmem/kmalloc_node", ALLOC, kmem_fields},
	{"kmem/kmem_cache_alloc", ALLOC, kmem_fields},
	{"kmem/kmem_cache_alloc_node", ALLOC, kmem_fields},
	{"kmem/kfree", FREE, kmem_fields},
	{"kmem/kmem_cache_free", FREE, kmem_fields},
};

static const struct meta_column columns[] = {
	{"name", TABLE_NAME, 0, false},
	{"value", TABLE_INT, 8, true},
	{"tgid", TABLE_INT, 4, true},
	{NULL, TABLE_INT, 0, false},
};

struct pointer {
	struct map_key key; /* recording, address */
	int64_t bytes;
};

struct counters {
	struct derived_out *out;
	struct map pointers;
	int64_t *live; /* bytes by recording */
};

static void put(struct counters *c, const struct tdat_event *ev, uint32_t rec, uint32_t cpu,
		const char *name, int64_t value, const struct marker *m)
{
	const struct derived_row row = {
		.rec = rec, .cpu = cpu, .ts = ev->ts, .dur = DERIVED_NO_DUR, .pid = ev->pid};

	if (!derived_row_begin(c->out, &row))
		return;
	derived_put_name(c->out, name);
	derived_put_int(c->out, value);
	if (m)
		derived_put_int(c->out, m->tgid);
	else
		derived_put_null(c->out);
	derived_row_end(c->out);
}

static void take_mark(struct counters *c, const struct derived_type *type,
		      const struct tdat_event *ev, uint32_t rec)
{
	struct marker m;
	int64_t value;

	if (marker_parse(&m, derived_text(&type->fields[0], ev->record)) && m.kind == 'C' &&
	    tdat_whole_i64(m.last, &value))
		put(c, ev, rec, ev->cpu, derived_intern(c->out, m.name), value, &m);
}

/* The state of a CPU; the idle state 2^32 - 1 says that it is not idle: -1. */
static void take_power(struct counters *c, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const uint64_t value = derived_u64(&f[STATE], ev->record);
	const uint32_t cpu = derived_has(&f[CPU_ID], ev->record)
				     ? (uint32_t)derived_u64(&f[CPU_ID], ev->record)
				     : ev->cpu;

	put(c, ev, rec, cpu, tdat_format_name(type->format),
	    value == UINT32_MAX ? -1 : (int64_t)value, NULL);
}

static void take_alloc(struct counters *c, const struct derived_field *f,
		       const struct tdat_event *ev, uint32_t rec)
{
	const uint64_t ptr = derived_u64(&f[PTR], ev->record);
	const int64_t bytes = derived_int(&f[BYTES], ev->record);
	struct pointer *p = ptr ? map_get(&c->pointers, rec, ptr) : NULL;

	if (!p || bytes < 0 || bytes > INT64_MAX / 2 - c->live[rec]) {
		if (ptr)
			derived_note(c->out, ANALYSIS_FULL);
		return;
	}
	/* Its free was not recorded: what was there is no longer. */
	c->live[rec] += bytes - p->bytes;
	p->bytes = bytes;
	put(c, ev, rec, ev->cpu, "kmem_live_bytes", c->live[rec], NULL);
}

static void take_free(struct counters *c, const struct derived_field *f,
		      const struct tdat_event *ev, uint32_t rec)
{
	const uint64_t ptr = derived_u64(&f[PTR], ev->record);
	struct pointer *p = ptr ? map_find(&c->pointers, rec, ptr) : NULL;

	if (!p) {
		if (ptr)
			derived_note(c->out, "free of what was allocated before, or not seen");
		return;
	}
	c->live[rec] -= p->bytes;
	map_remove(&c->pointers, p);
	put(c, ev, rec, ev->cpu, "kmem_live_bytes", c->live[rec], NULL);
}

static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	switch (type->kind) {
	case MARK:
		take_mark(state, type, ev, rec);
		break;
	case POWER:
		take_power(state, type, ev, rec);
		break;
	case ALLOC:
		take_alloc(state, type->fields, ev, rec);
		break;
	default:
		take_free(state, type->fields, ev, rec);
	}
}

static void end(void *state)
{
	struct counters *c = state;

	if (c->pointers.failed)
		derived_fail(c->out);
}

static void free_state(void *state)
{
	struct counters *c = state;

	map_fini(&c->pointers);
	free(c->live);
	free(c);
}

static enum tdat_status begin(void **state, const struct table_derived *def,
			      struct derived_out *out, struct tdat_error *err)
{
	struct counters *c = calloc(1, sizeof(*c));

	*state = c;
	if (!c)
		return tdat_error_no_memory(err, def->name);
	c->out = out;
	map_init(&c->pointers, sizeof(struct pointer), POINTERS_MAX);
	c->live = calloc((size_t)derived_rec_count(out) + 1, sizeof(*c->live));
	return c->live ? TDAT_OK : tdat_error_no_memory(err, def->name);
}

const struct table_derived analysis_counter = {
	.name = "counter",
	.columns = columns,
	.events = events,
	.event_count = sizeof(events) / sizeof(events[0]),
	.begin = begin,
	.event = take_event,
	.end = end,
	.free = free_state,
};
