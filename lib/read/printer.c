/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the line of an event as trace-cmd report does. A printer belongs to one thread; what
 * is expensive is in the print_set, which printers share. A line is head (task, CPU, time,
 * event) and text (lib/model/print.c). Tasks and seconds repeat, so the head is copied from the
 * last one where it can be; the test "fast_paths" compares that with a printer without memory.
 */
#include <stdlib.h>
#include <string.h>

#include "core/wall.h"
#include "core/build.h"
#include "core/number.h"
#include "core/put.h"
#include "print_set.h"
#include "printer.h"

#include <tdat/sink.h>

/*
 * "comm-pid [cpu]" as it was last made for one pid and CPU, and " %5u." of the second
 * in which it last was.
 */
struct task_text {
	const uint8_t *comm; /* NULL: empty slot; names never move */
	uint64_t second_ns;  /* when that begins */
	int32_t pid;
	uint32_t cpu;
	uint32_t len;	   /* without the second */
	uint32_t head_len; /* with it; 0: no second is there, or lines are not usual */
	char text[48];
};

/* Tasks per printer: a CPU alternates between few; a slot that is shared is only made anew. */
enum { TASK_SLOTS = 256 };

struct tdat_printer {
	struct print_set *set;
	struct model_scratch *scratch;
	struct model_symbol_cache *names; /* of scratch */
	bool usual;		/* the head of a line is task, time in microseconds, event */
	struct tdat_build text; /* of the calls that lend it */
	uint64_t last_ts;	/* of --ts-diff */
	bool has_last;
	uint64_t last_sec; /* the second that sec_text shows */
	uint32_t sec_len;  /* 0: none yet */
	char sec_text[32]; /* " %5u." */
	struct task_text tasks[TASK_SLOTS];
};

/* Widths of the columns of report; FRACTION_LEN is six digits and a colon. */
enum { COMM_COLUMN = 16, LATENCY_COMM = 8, PID_COLUMN = 5, TIME_COLUMN = 12, FRACTION_LEN = 7 };
enum { SECOND_NS = 1000000000, ROUND_NS = 500 };

/* A pid, with blanks behind it up to its column. */
static void put_pid(struct tdat_build *out, int32_t pid)
{
	const size_t start = out->len;

	tdat_number_i64(out, pid);
	if (out->len - start < PID_COLUMN)
		tdat_build_fill(out, ' ', PID_COLUMN - (out->len - start));
}

/* An unsigned number, right-aligned with fill. */
static void put_udec(struct tdat_build *out, uint64_t v, int width, char fill)
{
	char buf[TDAT_NUMBER_MAX], *end = buf + sizeof(buf), *p = tdat_number_dec(end, v);
	int n = (int)(end - p);

	if (width > n)
		tdat_build_fill(out, (uint8_t)fill, (size_t)(width - n));
	tdat_build_bytes(out, p, (size_t)n);
}

static void put_lost(struct tdat_build *out, const struct tdat_event *ev)
{
	/* report prints lost events only at a record that starts its page. */
	if (!ev->lost_before || !(ev->flags & TDAT_EVENT_PAGE_START))
		return;
	tdat_build_str(out, "CPU:");
	tdat_number_i64(out, ev->cpu);
	if (ev->lost_before > 0) {
		tdat_build_str(out, " [");
		tdat_number_i64(out, ev->lost_before);
		tdat_build_str(out, " EVENTS DROPPED]\n");
	} else {
		tdat_build_str(out, " [EVENTS DROPPED]\n");
	}
}

/* A task's name, right-aligned. */
static void put_comm(struct tdat_build *out, struct tdat_span comm, size_t width)
{
	size_t n = comm.len;

	if (n < width)
		tdat_build_fill(out, ' ', width - n);
	tdat_build_bytes(out, comm.ptr, n);
}

/* comm-pid [cpu], or with -l comm-pid cpu. */
static void put_task(struct tdat_printer *p, const struct tdat_event *ev, struct tdat_build *out)
{
	struct tdat_span comm = ev->comm;

	if (p->set->opts.latency_format) {
		if (comm.len > LATENCY_COMM)
			comm.len = LATENCY_COMM;
		put_comm(out, comm, LATENCY_COMM);
		tdat_build_u8(out, '-');
		put_pid(out, ev->pid);
		tdat_build_u8(out, ' ');
		put_udec(out, ev->cpu, 3, ' ');
		return;
	}
	put_comm(out, comm, COMM_COLUMN);
	tdat_build_u8(out, '-');
	put_pid(out, ev->pid);
	tdat_build_bytes(out, " [", 2);
	put_udec(out, ev->cpu, 3, '0');
	tdat_build_u8(out, ']');
}

/* The slot of a task on a CPU. Others may share it: task_is() decides. */
static inline struct task_text *task_slot(struct tdat_printer *p, const struct tdat_event *ev)
{
	return &p->tasks[((uint32_t)ev->pid * 31 + ev->cpu) % TASK_SLOTS];
}

static inline bool task_is(const struct task_text *t, const struct tdat_event *ev)
{
	return t->comm == ev->comm.ptr && t->pid == ev->pid && t->cpu == ev->cpu && t->comm;
}

/*
 * put_task through a small cache: a CPU runs one task for many events. The test
 * "fast_paths" (same_lines) compares it with lines of a new printer, whose cache is empty.
 */
static void put_task_cached(struct tdat_printer *p, const struct tdat_event *ev,
			    struct tdat_build *out)
{
	struct task_text *t = task_slot(p, ev);
	size_t start = out->len;
	uint8_t *room;

	if (task_is(t, ev)) {
		room = tdat_build_room(out, sizeof(t->text));
		if (!room)
			return;
		memcpy(room, t->text, sizeof(t->text));
		out->len += t->len;
		return;
	}
	put_task(p, ev, out);
	if (out->len - start > sizeof(t->text) || out->failed)
		return;
	t->comm = ev->comm.ptr;
	t->pid = ev->pid;
	t->cpu = ev->cpu;
	t->len = (uint32_t)(out->len - start);
	t->head_len = 0;
	memcpy(t->text, out->ptr + start, t->len);
}

/* Stores the text of task and second, which starts at from, in the slot. */
static void keep_second(struct tdat_printer *p, const struct tdat_event *ev, size_t from,
			const struct tdat_build *out)
{
	struct task_text *t = task_slot(p, ev);
	const size_t len = out->len - from - FRACTION_LEN;

	/* Times of the last second of 64 bits would be taken for those from 0 on. */
	if (out->failed || !task_is(t, ev) || len > sizeof(t->text) ||
	    p->last_sec == UINT64_MAX / SECOND_NS)
		return;
	memcpy(t->text, out->ptr + from, len);
	t->head_len = (uint32_t)len;
	t->second_ns = p->last_sec * SECOND_NS;
}

/* Reads a common field; *v is 0 if the record does not have it. */
static bool common_uint(const struct tdat_field *field, struct tdat_span rec, bool big, uint64_t *v)
{
	*v = 0;
	if (!field || field->off > rec.len || field->len > rec.len - field->off)
		return false;
	*v = tdat_load_uint(rec.ptr + field->off, field->len, big);
	return true;
}

/* Bits of common_flags (kernel's enum trace_flag_type). */
enum {
	FLAG_IRQS_OFF = 0x01,
	FLAG_IRQS_NOSUPPORT = 0x02,
	FLAG_NEED_RESCHED = 0x04,
	FLAG_HARDIRQ = 0x08,
	FLAG_SOFTIRQ = 0x10
};

/* A digit of the preempt count; a dot for 0. */
static uint8_t nibble(uint64_t v)
{
	return (uint8_t)(v & 15 ? "0123456789abcdef"[v & 15] : '.');
}

/* A count of the common fields that newer kernels have; '.' is one below 0. */
static void put_depth(const struct tdat_field *field, struct tdat_span rec, bool big,
		      struct tdat_build *out)
{
	uint64_t v;

	if (!common_uint(field, rec, big, &v))
		return;
	if ((int32_t)v < 0)
		tdat_build_u8(out, '.');
	else
		tdat_number_i64(out, (int32_t)v);
}

/*
 * The latency columns, as libtraceevent prints them: irqs-off, need-resched, context, preempt
 * depth, migrate-disable, lock depth.
 */
static void put_latency_flags(struct tdat_printer *p, const struct print_file *f,
			      const struct tdat_event *ev, struct tdat_build *out)
{
	const bool big = f->env.big;
	uint64_t flags, pc;
	uint8_t *room;

	common_uint(f->flags, ev->record, big, &flags);
	common_uint(f->preempt, ev->record, big, &pc);
	if (p->set->opts.raw_fields) {
		tdat_build_bytes(out, "-0x", 3);
		tdat_number_x64(out, flags, 1);
		return;
	}
	room = tdat_build_room(out, 5);
	if (!room)
		return;
	room[0] = flags & FLAG_IRQS_OFF ? 'd' : flags & FLAG_IRQS_NOSUPPORT ? 'X' : '.';
	room[1] = flags & FLAG_NEED_RESCHED ? 'N' : '.';
	room[2] = (flags & FLAG_HARDIRQ) && (flags & FLAG_SOFTIRQ) ? 'H'
		  : flags & FLAG_HARDIRQ			   ? 'h'
		  : flags & FLAG_SOFTIRQ			   ? 's'
								   : '.';
	room[3] = nibble(pc);
	room[4] = nibble(pc >> 4); /* migrate disable, since 5.13 */
	out->len += 5;
	put_depth(f->migrate, ev->record, big, out);
	put_depth(f->lock_depth, ev->record, big, out);
}

/* The six digits behind the dot, and a colon. */
static inline uint8_t *put_fraction(uint8_t *room, uint32_t us)
{
	memcpy(room, tdat_digit_triples + us / 1000 * 4, 4);
	memcpy(room + 3, tdat_digit_triples + us % 1000 * 4, 4);
	room[6] = ':';
	return room + FRACTION_LEN;
}

/* " %5u.%06u:" of microseconds; the seconds' text is kept. */
static void put_usecs(struct tdat_printer *p, uint64_t us, struct tdat_build *out)
{
	uint64_t sec = us / 1000000;
	uint32_t rest = (uint32_t)(us - sec * 1000000);
	uint8_t *room;

	if (sec != p->last_sec || !p->sec_len) {
		struct tdat_build b = {.ptr = (uint8_t *)p->sec_text, .cap = sizeof(p->sec_text)};

		tdat_build_u8(&b, ' ');
		put_udec(&b, sec, 5, ' ');
		tdat_build_u8(&b, '.');
		p->last_sec = sec;
		p->sec_len = (uint32_t)b.len;
	}
	room = tdat_build_room(out, sizeof(p->sec_text) + FRACTION_LEN);
	if (!room)
		return;
	memcpy(room, p->sec_text, sizeof(p->sec_text));
	room += p->sec_len;
	put_fraction(room, rest);
	out->len += p->sec_len + FRACTION_LEN;
}

/* Seconds with six (nine with -t) digits when the clock counts ns, else ticks. */
static void put_time(struct tdat_printer *p, const struct print_file *f, uint64_t ts,
		     struct tdat_build *out)
{
	if (p->set->opts.wall) {
		tdat_build_u8(out, ' ');
		tdat_wall_put(out, p->set->opts.nanoseconds ? ts : ts + ROUND_NS,
			      p->set->opts.nanoseconds);
		tdat_build_u8(out, ':');
		return;
	}
	if (!f->usecs) {
		put_udec(out, ts, TIME_COLUMN, ' ');
		tdat_build_u8(out, ':');
		return;
	}
	if (!p->set->opts.nanoseconds) {
		put_usecs(p, (ts + ROUND_NS) / 1000, out);
		return;
	}
	tdat_build_u8(out, ' ');
	put_udec(out, ts / SECOND_NS, 5, ' ');
	tdat_build_u8(out, '.');
	put_udec(out, ts % SECOND_NS, 9, '0');
	tdat_build_u8(out, ':');
}

/* The time --ts-diff subtracts: rounded as report rounds it. */
static uint64_t diff_time(const struct tdat_printer *p, const struct print_file *f, uint64_t ts)
{
	return f->use_trace_clock && !p->set->opts.nanoseconds ? (ts + ROUND_NS) / 1000 : ts;
}

/* " (+n)" since the event before, in a column of eight. */
static void put_diff(struct tdat_printer *p, const struct print_file *f, uint64_t ts,
		     struct tdat_build *out)
{
	size_t start;

	ts = diff_time(p, f, ts);
	tdat_build_u8(out, ' ');
	start = out->len;
	/* trace-cmd takes an event at time 0 for none. */
	if (p->has_last && (p->last_ts || p->set->opts.compat == TDAT_COMPAT_KERNEL)) {
		tdat_build_bytes(out, "(+", 2);
		tdat_number_i64(out, (int64_t)(ts - p->last_ts));
		tdat_build_u8(out, ')');
	}
	if (out->len - start < 8)
		tdat_build_fill(out, ' ', 8 - (out->len - start));
	p->last_ts = ts;
	p->has_last = true;
}

/* Prints the text of an event: the compiled print fmt or its fallback. */
static void put_info(struct tdat_printer *p, const struct print_event *e,
		     const struct tdat_event *ev, struct tdat_build *out)
{
	const struct model_event m = {.record = ev->record,
				      .leaf = ev->leaf,
				      .cpu = ev->cpu,
				      .depth = ev->depth,
				      .ts = ev->ts,
				      .names = p->names};

	if (e->print)
		model_print_run(e->print, &m, p->scratch, out);
}

/* report prints a line as a C string: a NUL byte (a "%c" of 0) ends it. */
static void cut_at_nul(struct tdat_build *out, size_t from)
{
	const uint8_t *nul = out->len > from ? memchr(out->ptr + from, 0, out->len - from) : NULL;

	if (nul)
		out->len = (size_t)(nul - out->ptr);
}

/* Lends the text until the next call, unless memory ran out. */
static enum tdat_status finish(struct tdat_printer *p, struct tdat_span *text,
			       struct tdat_error *err)
{
	if (p->text.failed)
		return tdat_error_no_memory(err, "text");
	*text = (struct tdat_span){p->text.ptr, p->text.len};
	return print_set_memory(p->set, err);
}

/* Events of other inputs would index beyond the lists. */
static enum tdat_status check_event(const struct tdat_printer *p, const struct tdat_event *ev,
				    struct tdat_error *err)
{
	if (ev->input >= p->set->file_count ||
	    ev->buffer >= p->set->files[ev->input].file->ix.buffer_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the event does not belong to an input of this printer");
	return TDAT_OK;
}

/* Heads are stored in PRINT_HEAD_ROOM bytes at least: one fixed copy does. */
static void put_name(const struct print_event *e, struct tdat_build *out)
{
	uint8_t *room;

	if (e->head_len > PRINT_HEAD_ROOM) {
		tdat_build_bytes(out, e->head, e->head_len);
		return;
	}
	room = tdat_build_room(out, PRINT_HEAD_ROOM);
	if (!room)
		return;
	memcpy(room, e->head, PRINT_HEAD_ROOM);
	out->len += e->head_len;
}

/*
 * put_head for most lines: of a task that was printed lately in the same second. All of
 * it is fixed copies into room that is asked for once. False: nothing was done.
 *
 * Its bytes equal those of put_head: the test "fast_paths" (same_lines in
 * tests/unit/read/test_fast_paths.c) compares each line with that of a new printer.
 */
static inline bool put_usual_head(struct tdat_printer *p, const struct print_file *f,
				  const struct print_event *e, const struct tdat_event *ev,
				  struct tdat_build *out)
{
	const struct task_text *t = task_slot(p, ev);
	const uint64_t ns = ev->ts + ROUND_NS - t->second_ns;
	uint8_t *room;

	if (!f->usecs || ev->lost_before || !task_is(t, ev) || !t->head_len || ns >= SECOND_NS ||
	    e->head_len > PRINT_HEAD_ROOM)
		return false;
	room = tdat_build_room(out, sizeof(t->text) + FRACTION_LEN + PRINT_HEAD_ROOM);
	if (!room)
		return false;
	memcpy(room, t->text, sizeof(t->text));
	room = put_fraction(room + t->head_len, (uint32_t)ns / 1000);
	memcpy(room, e->head, PRINT_HEAD_ROOM);
	out->len = (size_t)(room - out->ptr) + e->head_len;
	return true;
}

/* The slow way of put_usual_head: see there for the test that compares them. */
static void put_head(struct tdat_printer *p, const struct print_file *f,
		     const struct print_event *e, const struct tdat_event *ev,
		     struct tdat_build *out)
{
	size_t from;

	if (ev->lost_before)
		put_lost(out, ev);
	from = out->len;
	put_task_cached(p, ev, out);
	if (p->set->opts.latency_format) {
		put_latency_flags(p, f, ev, out);
	} else if (p->set->opts.compat == TDAT_COMPAT_3_3) {
		tdat_build_u8(out, ' ');
		put_latency_flags(p, f, ev, out);
	}
	put_time(p, f, ev->ts, out);
	if (p->usual && f->usecs)
		keep_second(p, ev, from, out);
	if (p->set->opts.ts_diff)
		put_diff(p, f, ev->ts, out);
	put_name(e, out);
}

/* Appends a line: prefix of the buffer, head, text, one newline. */
static inline enum tdat_status append(struct tdat_printer *p, const struct tdat_event *ev,
				      struct tdat_build *out, struct tdat_error *err)
{
	const struct print_event *e;
	struct print_file *f;
	size_t info;
	enum tdat_status st = check_event(p, ev, err);

	if (st != TDAT_OK)
		return st;
	f = &p->set->files[ev->input];
	e = print_set_event(p->set, f, ev->id);
	if (!e)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for event %u",
				      ev->id);
	if (f->buffers[ev->buffer].prefix_len)
		tdat_build_bytes(out, f->buffers[ev->buffer].prefix,
				 f->buffers[ev->buffer].prefix_len);
	if (!put_usual_head(p, f, e, ev, out))
		put_head(p, f, e, ev, out);
	info = out->len;
	put_info(p, e, ev, out);
	/* Text of print fmt may end with a newline of its own (trace_printk). */
	if (out->len && out->ptr[out->len - 1] == '\n')
		out->len--;
	if (e->may_nul)
		cut_at_nul(out, info);
	tdat_build_u8(out, '\n');
	return TDAT_OK;
}

enum tdat_status read_printer_append(struct tdat_printer *p, const struct tdat_event *ev,
				     struct tdat_build *out, struct tdat_error *err)
{
	return append(p, ev, out, err);
}

enum tdat_status tdat_printer_line(struct tdat_printer *p, const struct tdat_event *ev,
				   struct tdat_span *text, struct tdat_error *err)
{
	enum tdat_status st;

	p->text.len = 0;
	st = read_printer_append(p, ev, &p->text, err);
	return st != TDAT_OK ? st : finish(p, text, err);
}

/* Returns only the text of an event, as exporters need it. */
enum tdat_status tdat_printer_info(struct tdat_printer *p, const struct tdat_event *ev,
				   struct tdat_span *text, struct tdat_error *err)
{
	enum tdat_status st = check_event(p, ev, err);
	const struct print_event *e;

	if (st != TDAT_OK)
		return st;
	e = print_set_event(p->set, &p->set->files[ev->input], ev->id);
	if (!e)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for event %u",
				      ev->id);
	p->text.len = 0;
	put_info(p, e, ev, &p->text);
	return finish(p, text, err);
}

/* Returns only the latency columns. */
enum tdat_status tdat_printer_flags(struct tdat_printer *p, const struct tdat_event *ev,
				    struct tdat_span *text, struct tdat_error *err)
{
	enum tdat_status st = check_event(p, ev, err);

	if (st != TDAT_OK)
		return st;
	p->text.len = 0;
	put_latency_flags(p, &p->set->files[ev->input], ev, &p->text);
	return finish(p, text, err);
}

enum tdat_status tdat_printer_header(struct tdat_printer *p, size_t input, struct tdat_span *text,
				     struct tdat_error *err)
{
	struct print_set *s = p->set;

	if (input >= s->file_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "there is no input %zu",
				      input);
	p->text.len = 0;
	print_set_file_name(s, input, &p->text);
	tdat_build_str(&p->text, "cpus=");
	tdat_number_i64(&p->text, s->files[input].file->info.cpu_count);
	tdat_build_u8(&p->text, '\n');
	return finish(p, text, err);
}

/* Makes a printer over a set, which threads share. */
enum tdat_status read_printer_new(struct tdat_printer **out, struct print_set *set,
				  struct tdat_error *err)
{
	struct tdat_printer *p = calloc(1, sizeof(*p));
	enum tdat_status st;

	*out = NULL;
	if (!p)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	tdat_build_init(&p->text, false);
	st = model_scratch_new(&p->scratch, err);
	if (st != TDAT_OK) {
		free(p);
		return st;
	}
	print_set_ref(set);
	p->set = set;
	p->names = model_scratch_names(p->scratch);
	/* Lines of the usual form can use put_usual_head(). */
	p->usual = !set->opts.latency_format && set->opts.compat != TDAT_COMPAT_3_3 &&
		   !set->opts.nanoseconds && !set->opts.ts_diff && !set->opts.wall;
	*out = p;
	return TDAT_OK;
}

enum tdat_status tdat_printer_new(struct tdat_printer **out, const struct tdat_iter_input *inputs,
				  size_t input_count, const struct tdat_print_opts *opts,
				  struct tdat_error *err)
{
	struct print_set *set;
	enum tdat_status st = print_set_new(&set, inputs, input_count, opts, err);

	*out = NULL;
	if (st != TDAT_OK)
		return st;
	st = read_printer_new(out, set, err);
	print_set_put(set);
	return st;
}

void tdat_printer_free(struct tdat_printer *p)
{
	if (!p)
		return;
	print_set_put(p->set);
	model_scratch_free(p->scratch);
	tdat_build_fini(&p->text);
	free(p);
}

/* Says how the events of an id are printed, for commands that list print formats. */
enum tdat_status tdat_printer_kind(struct tdat_printer *p, size_t input, uint32_t id,
				   enum tdat_print_kind *kind, const char **reason,
				   struct tdat_error *err)
{
	static const enum tdat_print_kind kinds[] = {
		[MODEL_PRINT_COMPILED] = TDAT_PRINT_COMPILED,
		[MODEL_PRINT_NATIVE] = TDAT_PRINT_NATIVE,
		[MODEL_PRINT_FALLBACK] = TDAT_PRINT_FALLBACK,
		[MODEL_PRINT_FIELDS] = TDAT_PRINT_FIELDS,
		[MODEL_PRINT_PARTLY] = TDAT_PRINT_PARTLY,
	};
	const struct print_event *e;

	if (input >= p->set->file_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "there is no input %zu",
				      input);
	if (id >= FILE_ID_COUNT || !tdat_file_format_by_id(p->set->files[input].file, id))
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "no format describes event %u", id);
	e = print_set_event(p->set, &p->set->files[input], id);
	if (!e || !e->print)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for event %u",
				      id);
	*kind = kinds[model_print_kind(e->print)];
	if (reason)
		*reason = model_print_reason(e->print);
	return TDAT_OK;
}

/*
 * Counts the printed types with an argument that cannot be evaluated; *format is the one of the
 * first input with the least id, so that the message is the same for any thread order.
 */
size_t tdat_printer_partly(struct tdat_printer *p, const struct tdat_event_format **format,
			   const char **reason)
{
	struct print_set *s = p->set;
	size_t count = 0;

	*format = NULL;
	*reason = "";
	pthread_mutex_lock(&s->lock);
	for (size_t i = s->file_count; i-- > 0;) {
		const struct print_event *least = NULL;

		for (const struct print_event *e = s->files[i].made; e; e = e->next) {
			if (!e->print || model_print_kind(e->print) != MODEL_PRINT_PARTLY)
				continue;
			count++;
			if (!least || e->format->id < least->format->id)
				least = e;
		}
		if (least) {
			*format = least->format;
			*reason = model_print_reason(least->print);
		}
	}
	pthread_mutex_unlock(&s->lock);
	return count;
}

/* ---- for sinks ---- */

/* A printer for another thread, over the same set. */
enum tdat_status tdat_printer_share(struct tdat_printer **out, const struct tdat_printer *printer,
				    struct tdat_error *err)
{
	return read_printer_new(out, printer->set, err);
}

/* Prints events of a batch until its text is full; *done counts them. */
enum tdat_status tdat_printer_batch(struct tdat_printer *p, const struct tdat_batch *batch,
				    size_t *done, struct tdat_build *out, struct tdat_error *err)
{
	const struct tdat_event *before = batch->before;

	/* --ts-diff counts from the last event of the batch before. */
	p->has_last = before;
	p->last_ts = before ? diff_time(p, &p->set->files[before->input], before->ts) : 0;
	while (*done < batch->count && out->len < batch->text_most) {
		enum tdat_status st = append(p, &batch->events[*done], out, err);

		if (st != TDAT_OK)
			return st;
		++*done;
	}
	return TDAT_OK;
}
