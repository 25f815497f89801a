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
#include "core/atrace.h"

/* Pointers that are followed at once, in all recordings. */
enum { POINTERS_MAX = 1 << 20 };

/* MARK: a "C" mark of atrace. POWER: a state of a CPU. ALLOC and FREE: kernel memory. */
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

/* A live allocation, whose bytes count. */
struct pointer {
	struct tdat_entry head;
	uint64_t key[2]; /* recording, address */
	int64_t bytes;
};

struct counters {
	struct derived_state state;
	struct tdat_entries pointers;
	int64_t *live; /* bytes by recording */
};

/* Puts the row of a change. m is NULL for counters that are not of a program. */
static void put(struct counters *c, const struct tdat_event *ev, uint32_t rec, uint32_t cpu,
		const char *name, int64_t value, const struct tdat_mark *m)
{
	struct derived_out *o = c->state.out;
	struct derived_row row = derived_moment(ev, rec);

	row.cpu = cpu;
	if (!derived_row_begin(o, &row))
		return;
	derived_put_name(o, name);
	derived_put_int(o, value);
	derived_put_known(o, m, m ? (uint64_t)m->tgid : 0);
	derived_row_end(o);
}

/* Marks of other kinds are rows of the table slice. */
static void take_mark(struct counters *c, const struct derived_type *type,
		      const struct tdat_event *ev, uint32_t rec)
{
	struct tdat_mark m;
	int64_t value;

	if (tdat_mark_parse(&m, derived_text(&type->fields[0], ev->record)) && m.kind == 'C' &&
	    tdat_whole_i64(m.last, &value))
		put(c, ev, rec, ev->cpu, derived_intern(c->state.out, m.name), value, &m);
}

/*
 * Takes the state of a CPU. The idle state 2^32 - 1 (PWR_EVENT_EXIT) says that the CPU is not
 * idle; the value is then -1.
 */
static void take_power(struct counters *c, const struct derived_type *type,
		       const struct tdat_event *ev, uint32_t rec)
{
	const struct derived_field *f = type->fields;
	const uint64_t value = derived_u64(&f[STATE], ev->record);
	const uint32_t cpu = derived_has(&f[CPU_ID], ev->record)
				     ? (uint32_t)derived_u64(&f[CPU_ID], ev->record)
				     : ev->cpu;

	put(c, ev, rec, cpu, tdat_event_format_name(type->format),
	    value == UINT32_MAX ? -1 : (int64_t)value, NULL);
}

/* Adds an allocation. Without room, or with a size that cannot be, it is only counted. */
static void take_alloc(struct counters *c, const struct derived_field *f,
		       const struct tdat_event *ev, uint32_t rec)
{
	const uint64_t ptr = derived_u64(&f[PTR], ev->record);
	const int64_t bytes = derived_int(&f[BYTES], ev->record);
	struct pointer *p =
		ptr ? derived_entry_get(&c->state, &c->pointers, (const uint64_t[]){rec, ptr})
		    : NULL;

	if (!p || bytes < 0 || bytes > INT64_MAX / 2 - c->live[rec]) {
		if (p)
			derived_note(c->state.out, DERIVED_FULL);
		return;
	}
	/* The pointer was live: its free was not recorded, so its old bytes no longer count. */
	c->live[rec] += bytes - p->bytes;
	p->bytes = bytes;
	put(c, ev, rec, ev->cpu, "kmem_live_bytes", c->live[rec], NULL);
}

/* A pointer that is not live was allocated before the trace, or its event was lost. */
static void take_free(struct counters *c, const struct derived_field *f,
		      const struct tdat_event *ev, uint32_t rec)
{
	const uint64_t ptr = derived_u64(&f[PTR], ev->record);
	struct pointer *p =
		ptr ? tdat_entry_find(&c->pointers, (const uint64_t[]){rec, ptr}) : NULL;

	if (!p) {
		if (ptr)
			derived_note(
				c->state.out,
				"free of memory that was allocated before the trace or not seen");
		return;
	}
	c->live[rec] -= p->bytes;
	tdat_entry_remove(&c->pointers, p);
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

static void free_state(void *state)
{
	struct counters *c = state;

	tdat_entries_fini(&c->pointers);
	free(c->live);
}

static enum tdat_status begin(void *state, struct tdat_error *err)
{
	struct counters *c = state;

	tdat_entries_init(&c->pointers, sizeof(struct pointer), 2, POINTERS_MAX);
	c->live = calloc((size_t)derived_rec_count(c->state.out) + 1, sizeof(*c->live));
	return c->live ? TDAT_OK : tdat_error_no_memory(err, "live bytes");
}

const struct table_derived analysis_counter = {
	ANALYSIS_TABLE(counter),
	.about = {"frequencies, idle states and marked numbers",
		  "ftrace/print|power/cpu_frequency|power/cpu_idle|kmem/kmalloc|kmem/"
		  "kmalloc_node|kmem/kmem_cache_alloc|kmem/kmem_cache_alloc_node|kmem/kfree|kmem/"
		  "kmem_cache_free",
		  "-e power -e kmem"},
	.state_len = sizeof(struct counters),
	.begin = begin,
	.event = take_event,
	.free = free_state,
};
