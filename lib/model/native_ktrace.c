/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of the system ftrace as the kernel does: functions, stacks, trace_marker and
 * trace_puts(), latencies of hardware and timers, and what the older tracers recorded. Times and
 * names are all that the kernel adds to the fields; trace_printk() is in native_kbprint.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native_kbprint.h"
#include "native_kernel.h"

enum { FIELDS = 11, TRAMPOLINE = 0x7fffffff };

/* A handler of one event type: which one, run and the fields say. */
struct ktrace {
	struct model_native base;
	const struct model_env *env;
	struct native_field f[FIELDS]; /* those that kinds[] names, in that order */
};

/* run() gets the embedded struct, which is the first member. */
static const struct ktrace *of(const struct model_native *self)
{
	return (const struct ktrace *)self;
}

/* Returns the number of field i of the row in kinds[]. */
static uint64_t value(const struct ktrace *k, const struct model_event *event, size_t i)
{
	return native_load(event->record, k->f[i].off, k->f[i].len, k->f[i].big);
}

/* Prints the text of field i; a field of size 0 goes to the end of the record. */
static void put_text(const struct ktrace *k, const struct model_event *event, size_t i,
		     struct tdat_build *out)
{
	const uint32_t len = k->f[i].len;

	native_text(out, native_str(event->record, k->f[i].off, len ? len : SIZE_MAX));
}

/* Prints "function: ", the caller of trace_printk() or trace_puts(). */
static void put_caller(const struct ktrace *k, const struct model_event *event,
		       struct tdat_build *out)
{
	native_code(k->env, event, value(k, event, 0), false, out);
	native_lit(out, ": ");
}

/* Prints "function <-caller". */
static bool function_run(const struct model_native *self, const struct model_event *event,
			 struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const uint64_t parent = value(k, event, 1);

	native_code(k->env, event, value(k, event, 0), false, out);
	if (parent) {
		native_lit(out, " <-");
		native_code(k->env, event, parent, false, out);
	}
	return true;
}

static bool repeats_run(const struct model_native *self, const struct model_event *event,
			struct tdat_build *out)
{
	const struct ktrace *k = of(self);

	function_run(self, event, out);
	native_lit(out, " (repeats: ");
	tdat_number_u64(out, value(k, event, 2));
	native_lit(out, ", last_ts: ");
	native_time(event->ts - (value(k, event, 3) << 32 | value(k, event, 4)), k->env->time, out);
	tdat_build_u8(out, ')');
	return true;
}

/* Addresses of the record from a field on, until all bits of one are set. */
static bool stack_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const size_t step = k->env->long_size;
	const uint64_t last = step == 4 ? UINT32_MAX : UINT64_MAX;
	size_t off = k->f[0].off;

	native_lit(out, "<stack trace>");
	for (; off < event->record.len && event->record.len - off >= step; off += step) {
		const uint64_t addr = native_load(event->record, off, step, k->f[0].big);

		if (addr == last)
			break;
		native_lit(out, "\n => ");
		if (addr == TRAMPOLINE)
			native_lit(out, "[FTRACE TRAMPOLINE]");
		else
			native_code(k->env, event, addr, false, out);
	}
	tdat_build_u8(out, '\n');
	return true;
}

/* Prints a stack of a program as numbers: FTRACE_STACK_ENTRIES of them, 0 ends it early. */
static bool user_stack_run(const struct model_native *self, const struct model_event *event,
			   struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const size_t step = k->env->long_size, end = k->f[0].off + k->f[0].len;
	size_t off = k->f[0].off;

	native_lit(out, "<user stack trace>");
	for (; off + step <= end; off += step) {
		const uint64_t addr = native_load(event->record, off, step, k->f[0].big);

		if (!addr)
			break;
		native_lit(out, "\n =>  <");
		tdat_number_x64(out, addr, (unsigned)(2 * step));
		tdat_build_u8(out, '>');
	}
	tdat_build_u8(out, '\n');
	return true;
}

/* Prints text that a program wrote to trace_marker, or that trace_printk() formatted at once. */
static bool print_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct ktrace *k = of(self);

	put_caller(k, event, out);
	put_text(k, event, 1, out);
	return true;
}

/* Prints a constant string of trace_puts(), which was recorded as its address. */
static bool bputs_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct ktrace *k = of(self);

	put_caller(k, event, out);
	native_kputs(k->env, value(k, event, 1), out);
	return true;
}

/* Prints trace_printk(): the string's address and packed arguments were recorded. */
static bool bprint_run(const struct model_native *self, const struct model_event *event,
		       struct tdat_build *out)
{
	const struct ktrace *k = of(self);

	put_caller(k, event, out);
	native_kbprint(k->env, event, value(k, event, 1), k->f[2].off, out);
	return true;
}

/* Prints binary data of trace_marker_raw: an id and the bytes behind it. */
static bool raw_data_run(const struct model_native *self, const struct model_event *event,
			 struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	size_t i = k->f[1].off;

	native_lit(out, "# ");
	tdat_number_x64(out, value(k, event, 0), 0);
	native_lit(out, " buf:");
	for (; i < event->record.len; i++) {
		tdat_build_u8(out, ' ');
		tdat_number_x64(out, event->record.ptr[i], 2);
	}
	return true;
}

/* Returns a field as printf() wants it for %llu. */
static unsigned long long number(const struct ktrace *k, const struct model_event *event, size_t i)
{
	return (unsigned long long)value(k, event, i);
}

/* Prints what the hardware latency detector found (trace_hwlat_print() of trace_output.c). */
static bool hwlat_run(const struct model_native *self, const struct model_event *event,
		      struct tdat_build *out)
{
	const struct ktrace *k = of(self);

	tdat_build_printf(out, "#%-5llu inner/outer(us): %4llu/%-5llu ts:%lld.%09llu count:%d",
			  number(k, event, 0), number(k, event, 1), number(k, event, 2),
			  (long long)number(k, event, 3), number(k, event, 4),
			  (int)number(k, event, 5));
	if (!value(k, event, 6))
		return true;
	/* Machines whose clock must not be read in an NMI count no time, and print none. */
	if (value(k, event, 7))
		tdat_build_printf(out, " nmi-total:%llu", number(k, event, 7));
	tdat_build_printf(out, " nmi-count:%llu", number(k, event, 6));
	return true;
}

/*
 * Prints a period of the osnoise tracer: the share of CPU time that a thread got, in percent with
 * five digits, and interference by kind.
 */
static bool osnoise_run(const struct model_native *self, const struct model_event *event,
			struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const unsigned long long runtime = number(k, event, 1), noise = number(k, event, 0);
	/* Percent with five digits, computed in whole numbers as the kernel must. */
	const unsigned long long ratio = runtime ? (runtime - noise) * 10000000 / runtime : 0;

	tdat_build_printf(out, "%llu %10llu %3llu.%05llu %7llu", runtime, noise, ratio / 100000,
			  ratio % 100000, number(k, event, 2));
	for (size_t i = 3; i < 8; i++)
		tdat_build_printf(out, " %6llu", number(k, event, i));
	return true;
}

/*
 * Prints a timer latency, measured in the interrupt, in the thread or at the return to user space.
 */
static bool timerlat_run(const struct model_native *self, const struct model_event *event,
			 struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const uint64_t context = value(k, event, 1);

	tdat_build_printf(out, "#%-5llu context %6s timer_latency %9llu ns", number(k, event, 0),
			  context == 2 ? "user-ret"
			  : context    ? "thread"
				       : "irq",
			  number(k, event, 2));
	return true;
}

/* Returns the letter of a task state, by the number of its bit. */
static char state(uint64_t index)
{
	static const char letters[] = "RSDTtXZPI";

	return index < sizeof(letters) - 1 ? letters[index] : '?';
}

/* Prints an event of the old sched_switch and wakeup tracers. */
static void put_switch(const struct ktrace *k, const struct model_event *event, const char *arrow,
		       struct tdat_build *out)
{
	tdat_build_printf(out, " %7d:%3d:%c %s [%03d] %7d:%3d:%c ", (int)number(k, event, 0),
			  (int)number(k, event, 3), state(value(k, event, 4)), arrow,
			  (int)number(k, event, 2), (int)number(k, event, 1),
			  (int)number(k, event, 5), state(value(k, event, 6)));
	native_text(out, k->env->name(k->env->ctx, (int32_t)value(k, event, 1)));
}

/* Prints a context switch of the old tracer. */
static bool switch_run(const struct model_native *self, const struct model_event *event,
		       struct tdat_build *out)
{
	put_switch(of(self), event, "==>", out);
	return true;
}

/* Prints a wakeup of the old tracer: "+" in place of "==>". */
static bool wakeup_run(const struct model_native *self, const struct model_event *event,
		       struct tdat_build *out)
{
	put_switch(of(self), event, "  +", out);
	return true;
}

/* Prints whether a likely() or unlikely() was right (kernel/trace/trace_branch.c). */
static bool branch_run(const struct model_native *self, const struct model_event *event,
		       struct tdat_build *out)
{
	const struct ktrace *k = of(self);

	tdat_build_str(out, value(k, event, 3) ? "[  ok  ] " : "[ MISS ] ");
	put_text(k, event, 1, out);
	tdat_build_u8(out, ':');
	put_text(k, event, 2, out);
	tdat_build_u8(out, ':');
	tdat_number_i64(out, (int32_t)value(k, event, 0));
	return true;
}

/*
 * Prints kind and time: these events were read by tools of their own
 * (kernel/trace/trace_mmiotrace.c), which want the time in the line.
 */
static void put_mmio_head(const struct model_event *event, const char *what, struct tdat_build *out)
{
	const uint64_t us = (event->ts + 500) / 1000;

	tdat_build_printf(out, "%s %llu.%06llu", what, (unsigned long long)(us / 1000000),
			  (unsigned long long)(us % 1000000));
}

/* enum mm_io_opcode of include/linux/mmiotrace.h. */
enum { MMIO_READ = 1, MMIO_WRITE, MMIO_PROBE, MMIO_UNPROBE, MMIO_UNKNOWN };

/* Prints an access to memory of a device. */
static bool mmio_rw_run(const struct model_native *self, const struct model_event *event,
			struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const uint64_t opcode = value(k, event, 4), v = value(k, event, 1);
	char what[8];

	/* An instruction that the kernel could not decode: its first bytes are in value. */
	if (opcode == MMIO_UNKNOWN) {
		put_mmio_head(event, "UNKNOWN", out);
		tdat_build_printf(out, " %d 0x%llx %02x,%02x,%02x", (int)number(k, event, 3),
				  number(k, event, 0), (unsigned)(v >> 16 & 0xff),
				  (unsigned)(v >> 8 & 0xff), (unsigned)(v & 0xff));
	} else if (opcode == MMIO_READ || opcode == MMIO_WRITE) {
		snprintf(what, sizeof(what), "%c %u", opcode == MMIO_READ ? 'R' : 'W',
			 (unsigned)(value(k, event, 5) & 0xff));
		put_mmio_head(event, what, out);
		tdat_build_printf(out, " %d 0x%llx 0x%llx", (int)number(k, event, 3),
				  number(k, event, 0), number(k, event, 1));
	} else {
		native_lit(out, "rw what?");
		return true;
	}
	tdat_build_printf(out, " 0x%llx 0", number(k, event, 2));
	return true;
}

/* Prints that a driver mapped or unmapped memory of a device. */
static bool mmio_map_run(const struct model_native *self, const struct model_event *event,
			 struct tdat_build *out)
{
	const struct ktrace *k = of(self);
	const uint64_t opcode = value(k, event, 4);

	if (opcode != MMIO_PROBE && opcode != MMIO_UNPROBE) {
		native_lit(out, "map what?");
		return true;
	}
	put_mmio_head(event, opcode == MMIO_PROBE ? "MAP" : "UNMAP", out);
	tdat_build_printf(out, " %d", (int)number(k, event, 3));
	if (opcode == MMIO_PROBE)
		tdat_build_printf(out, " 0x%llx 0x%llx 0x%llx", number(k, event, 0),
				  number(k, event, 1), number(k, event, 2));
	native_lit(out, " 0x0 0");
	return true;
}

#define SWITCH_FIELDS                                                                              \
	{                                                                                          \
		"prev_pid", "next_pid", "next_cpu", "prev_prio", "prev_state", "next_prio",        \
			"next_state"                                                               \
	}

/* One row for each event type: its handler, and the fields that it reads by index. */
static const struct {
	const char *name;
	bool (*run)(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out);
	const char *fields[FIELDS];
} kinds[] = {
	{"function", function_run, {"ip", "parent_ip"}},
	{"func_repeats",
	 repeats_run,
	 {"ip", "parent_ip", "count", "top_delta_ts", "bottom_delta_ts"}},
	{"kernel_stack", stack_run, {"caller"}},
	{"user_stack", user_stack_run, {"caller"}},
	{"print", print_run, {"ip", "buf"}},
	{"bputs", bputs_run, {"ip", "str"}},
	{"bprint", bprint_run, {"ip", "fmt", "buf"}},
	{"raw_data", raw_data_run, {"id", "buf"}},
	{"hwlat",
	 hwlat_run,
	 {"seqnum", "duration", "outer_duration", "tv_sec", "tv_nsec", "count", "nmi_count",
	  "nmi_total_ts"}},
	{"osnoise",
	 osnoise_run,
	 {"noise", "runtime", "max_sample", "hw_count", "nmi_count", "irq_count", "softirq_count",
	  "thread_count"}},
	{"timerlat", timerlat_run, {"seqnum", "context", "timer_latency"}},
	{"context_switch", switch_run, SWITCH_FIELDS},
	{"wakeup", wakeup_run, SWITCH_FIELDS},
	{"branch", branch_run, {"line", "func", "file", "correct"}},
	{"mmiotrace_rw", mmio_rw_run, {"phys", "value", "pc", "map_id", "opcode", "width"}},
	{"mmiotrace_map", mmio_map_run, {"phys", "virt", "len", "map_id", "opcode"}},
};

enum tdat_status native_ktrace_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	const size_t count = sizeof(kinds) / sizeof(kinds[0]);
	struct ktrace *k;
	size_t i = 0, f;

	/* Asked once for each event type. */
	while (i < count && strcmp(kinds[i].name, format->name) != 0)
		i++;
	if (i == count || (env->long_size != 4 && env->long_size != 8))
		return TDAT_OK;
	k = native_alloc(sizeof(*k), format, err);
	if (!k)
		return TDAT_E_NOMEM;
	k->base.run = kinds[i].run;
	k->env = env;
	for (f = 0; f < FIELDS && kinds[i].fields[f]; f++) {
		k->f[f] = native_field_find(format, kinds[i].fields[f]);
		/* Other fields than expected: print fmt is used. */
		if (!k->f[f].found) {
			free(k);
			return TDAT_OK;
		}
	}
	*out = &k->base;
	return TDAT_OK;
}
