/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tables that are derived from events of several types, such as the intervals in which tasks ran.
 * What they mean is not known here: each is a struct table_derived of another room, which gets
 * the events that it asks for in order of time, with the places of their fields found once, and
 * puts rows.
 *
 * All such tables begin with the columns ts, dur, cpu, file (with several inputs), buffer, pid,
 * comm and open; their own columns follow.
 */
#ifndef TDAT_TABLE_DERIVED_H
#define TDAT_TABLE_DERIVED_H

#include <tdat/table.h>

#include "core/endian.h"
#include "core/entries.h"
#include "decode_run.h"
#include "row.h"

/* A field of an event type in one input. */
struct derived_field {
	const struct tdat_field *field; /* NULL: the format has none of that name */
	uint32_t off;
	uint8_t len; /* of an integer; 0: it is none */
	bool is_signed, big;
};

/* An event type that a table takes; kinds are the table's own numbers. */
struct derived_event {
	const char *name; /* "sched/sched_switch"; "syscalls/sys_enter_*": all that begin so */
	uint32_t kind;
	const char *const *fields; /* NULL ends; "" where there is none */
};

/* Such a type in one input. */
struct derived_type {
	uint32_t kind;
	uint32_t index; /* among all types of the table */
	const struct derived_event *event;
	const struct tdat_event_format *format;
	const struct table_input *in;
	const struct model_env *env;
	const struct derived_field *fields; /* in the order of derived_event.fields */
};

struct derived_out;
struct derived_open;
struct derived_end;

/*
 * One table: its columns, its state machine and the values of its rows. Buffers of inputs are
 * recordings, numbered from 0: what is known of one says nothing of another. derived_state.h has
 * what the machines share: entries by key, open intervals and losses.
 */
struct table_derived {
	const char *name;
	struct tdat_table_about about;
	bool is_dear;
	const struct meta_column *columns; /* its own */
	const struct derived_event *events;
	size_t event_count;
	const void *own; /* of the table's maker */
	const char
		*on_demand; /* a column that is given out only when its name is asked for; NULL */

	/* Of the state, which begins with struct derived_state; 0: it has nothing else. */
	size_t state_len;
	/* Of an entry, which begins with struct derived_entry; 0: there are none. */
	size_t entry_len;
	/* Of an interval on the stack of an entry, from struct derived_open on; 0: an entry has
	 * one interval. */
	size_t interval_len;
	size_t most;	     /* entries, and intervals on all stacks */
	uint32_t depth_most; /* intervals on one stack */

	/* Makes what the state has beside it, for free(), also after a failure. NULL: nothing. */
	enum tdat_status (*begin)(void *state, struct tdat_error *err);
	void (*event)(void *state, const struct derived_type *type, const struct tdat_event *ev,
		      uint32_t rec);
	/* A gap of a CPU begins or ends; for what derived_knows does not know. NULL: nothing. */
	void (*lost)(void *state, uint32_t rec, uint32_t cpu);
	/* Puts the values of the columns of an interval's row. */
	void (*put)(void *state, const void *entry, const void *interval,
		    const struct derived_end *end);
	/* Whether losses left an interval known; NULL: as derived_knows and its member stays say.
	 */
	bool (*knows)(void *state, const void *entry, const void *interval);
	/* All events were given: before rows of open intervals are put; or NULL. */
	void (*last)(void *state);
	/* All events were given; NULL: only rows of open intervals are to be put. */
	void (*end)(void *state);
	void (*free_entry)(void *entry); /* what an entry has; NULL: nothing */
	void (*free)(void *state);	 /* what begin() made; NULL: nothing */

	/*
	 * What need not be read when only some rows are wanted. fresh: a row needs no event
	 * before its ts. per_cpu: a row needs only events of the CPU in its column cpu. per_task:
	 * only events of the task in its column pid.
	 */
	bool fresh, per_cpu, per_task;
	bool late;   /* a row may come of which no open interval says that it will */
	bool by_cpu; /* keys are recording and CPU: a loss ends the intervals of its CPU at once */
};

/* All columns of a table, in memory of malloc; NULL: none. */
struct table_column *derived_columns(const struct table_derived *def, bool with_file, bool wall,
				     size_t *count);

/* ---- fields ---- */

/* The field of that name. */
struct derived_field derived_field_of(const struct tdat_event_format *format, const char *name);

/* Whether a record has the field as an integer. */
static inline bool derived_has(const struct derived_field *f, struct tdat_span rec)
{
	return f->len && rec.len >= (size_t)f->off + f->len;
}

/* The bits of an integer; 0 where the record does not have it. */
static inline uint64_t derived_u64(const struct derived_field *f, struct tdat_span rec)
{
	return derived_has(f, rec) ? tdat_load_uint(rec.ptr + f->off, f->len, f->big) : 0;
}

/* The same with the field's sign. */
static inline int64_t derived_int(const struct derived_field *f, struct tdat_span rec)
{
	const uint64_t v = derived_u64(f, rec);
	const uint32_t unused = 64 - 8u * f->len;

	return f->len && f->is_signed ? (int64_t)(v << unused) >> unused : (int64_t)v;
}

/* A text up to its NUL; ptr is NULL where the record does not have it. */
struct tdat_span derived_text(const struct derived_field *f, struct tdat_span rec);

/* ---- rows ---- */

/* What all rows have. */
struct derived_row {
	uint32_t rec;
	uint32_t cpu; /* DERIVED_NO_CPU: null */
	uint64_t ts;
	uint64_t dur;	  /* DERIVED_NO_DUR: null */
	int64_t pid;	  /* DERIVED_NO_PID: null */
	const char *open; /* why dur is null, a literal */
};
#define DERIVED_NO_CPU UINT32_MAX
#define DERIVED_NO_DUR UINT64_MAX

/* Whether time goes back between two events, or so far ahead that no column can say it. */
static inline bool derived_goes_back(uint64_t from, uint64_t to)
{
	return to - from > INT64_MAX;
}
#define DERIVED_NO_PID INT64_MIN

/* The row of an event alone. */
static inline struct derived_row derived_moment(const struct tdat_event *ev, uint32_t rec)
{
	return (struct derived_row){
		.rec = rec, .cpu = ev->cpu, .ts = ev->ts, .dur = DERIVED_NO_DUR, .pid = ev->pid};
}

/*
 * Begins a row. False: it is not wanted, or memory ran out; then no value is put and
 * derived_row_end is not called. Values follow for each column of the table, in order.
 */
bool derived_row_begin(struct derived_out *o, const struct derived_row *row);
/* The same of a row that is wanted; and whether a row is. */
bool derived_row_begin_any(struct derived_out *o, const struct derived_row *row);
bool derived_wants_row(const struct derived_out *o, const struct derived_row *row);

/* The first member of struct derived_out. */
static inline struct table_row *derived_values(struct derived_out *o)
{
	return (struct table_row *)(void *)o;
}

static inline void derived_put_int(struct derived_out *o, int64_t v)
{
	row_put_int(derived_values(o), v);
}

/* Any column. */
static inline void derived_put_null(struct derived_out *o)
{
	row_put_null(derived_values(o));
}

/* A number that may not be there. */
static inline void derived_put_known(struct derived_out *o, bool known, uint64_t v)
{
	row_put_known(derived_values(o), known, v);
}

/* The name that the task of a recording has; null where there is no pid. */
void derived_put_task(struct derived_out *o, uint32_t rec, int64_t pid);
void derived_add_name(struct derived_out *o, const char *name);
/* A name that keeps its address: of derived_intern or a literal; NULL is null. */
static inline void derived_put_name(struct derived_out *o, const char *name)
{
	if (!row_skip(derived_values(o)))
		derived_add_name(o, name);
}
/* A name of any bytes; ptr NULL is null. */
static inline void derived_put_text(struct derived_out *o, struct tdat_span text)
{
	row_put_text(derived_values(o), text);
}

/* The function at an address, as columns NAME_sym have it. */
void derived_put_symbol(struct derived_out *o, const struct table_input *in, uint64_t addr);
/* Functions of a list of addresses. */
void derived_put_stack(struct derived_out *o, const struct table_input *in, const uint64_t *addrs,
		       size_t count);
void derived_row_end(struct derived_out *o);

/*
 * A text that stays, the same address for the same bytes; "" when memory ran out, which ends the
 * pass, or when there are too many, which is noted.
 */
const char *derived_intern(struct derived_out *o, struct tdat_span text);

/* Counts what had to be left out; what is a literal. */
void derived_note(struct derived_out *o, const char *what);
/* Memory ran out: the pass fails. */
void derived_fail(struct derived_out *o);
/* Whether values of a column, by its number among the table's own, are wanted. */
bool derived_wants(const struct derived_out *o, size_t column);
/* What is to be explained; NULL: all. With worst, rows that derived_row_begin begins are not
 * wanted. */
const struct tdat_explain *derived_explain(const struct derived_out *o);
/* The options of the trace. */
const struct tdat_trace_opts *derived_trace_opts(const struct derived_out *o);
/* Whether times of an input are nanoseconds. */
bool derived_counts_ns(const struct derived_out *o, const struct table_input *in);
/*
 * Whether a row that begins at ts, of a task and a CPU, may be wanted when its end comes;
 * DERIVED_NO_PID, DERIVED_NO_CPU: that is not known yet.
 */
bool derived_awaits(const struct derived_out *o, uint64_t ts, int64_t pid, uint32_t cpu);
/* The input of a recording; those of one input are consecutive. */
const struct table_input *derived_rec_input(const struct derived_out *o, uint32_t rec);
/* The number of recordings, and of types of the table. */
uint32_t derived_rec_count(const struct derived_out *o);
uint32_t derived_type_count(const struct derived_out *o);

#endif
