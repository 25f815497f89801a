/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events of the system ftrace as the kernel does: functions, stacks, trace_marker and
 * trace_puts(), latencies of hardware and timers, and what the older tracers recorded. Times and
 * names are all that the kernel adds to the fields; trace_printk() is in native_kbprint.c.
 */
#include <stdio.h>
#include <string.h>

#include "native_kbprint.h"
#include "native_kernel.h"

enum { TRAMPOLINE = 0x7fffffff };

/* Returns the number of field i of the row in kinds[]. */
static uint64_t value(const struct model_native *n, const struct model_event *event, size_t i)
{
	return native_load(event->record, n->f[i].off, n->f[i].len, n->f[i].big);
}

/* Prints the text of field i; a field of size 0 goes to the end of the record. */
static void put_text(const struct model_native *n, const struct model_event *event, size_t i,
		     struct tdat_build *out)
{
	const uint32_t len = n->f[i].len;

	native_text(out, native_str(event->record, n->f[i].off, len ? len : SIZE_MAX));
}

/* Prints "function: ", the caller of trace_printk() or trace_puts(). */
static void put_caller(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	native_code(n->env, event, value(n, event, 0), false, out);
	native_lit(out, ": ");
}

/* Prints "function <-caller". */
static bool function_run(const struct model_native *n, const struct model_event *event,
			 struct tdat_build *out)
{
	const uint64_t parent = value(n, event, 1);

	native_code(n->env, event, value(n, event, 0), false, out);
	if (parent) {
		native_lit(out, " <-");
		native_code(n->env, event, parent, false, out);
	}
	return true;
}

static bool repeats_run(const struct model_native *n, const struct model_event *event,
			struct tdat_build *out)
{
	function_run(n, event, out);
	native_lit(out, " (repeats: ");
	tdat_number_u64(out, value(n, event, 2));
	native_lit(out, ", last_ts: ");
	native_time(event->ts - (value(n, event, 3) << 32 | value(n, event, 4)), n->env->time, out);
	tdat_build_u8(out, ')');
	return true;
}

/* Addresses of the record from a field on, until all bits of one are set. */
static bool stack_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	const size_t step = n->env->long_size;
	const uint64_t last = step == 4 ? UINT32_MAX : UINT64_MAX;
	size_t off = n->f[0].off;

	native_lit(out, "<stack trace>");
	for (; off < event->record.len && event->record.len - off >= step; off += step) {
		const uint64_t addr = native_load(event->record, off, step, n->f[0].big);

		if (addr == last)
			break;
		native_lit(out, "\n => ");
		if (addr == TRAMPOLINE)
			native_lit(out, "[FTRACE TRAMPOLINE]");
		else
			native_code(n->env, event, addr, false, out);
	}
	tdat_build_u8(out, '\n');
	return true;
}

/*
 * Prints a stack of a program as numbers: FTRACE_STACK_ENTRIES of them, or of perf as many as the
 * record has; 0 ends it early.
 */
static bool user_stack_run(const struct model_native *n, const struct model_event *event,
			   struct tdat_build *out)
{
	const size_t step = n->env->long_size;
	const size_t end = n->f[0].len ? n->f[0].off + n->f[0].len : event->record.len;
	size_t off = n->f[0].off;

	native_lit(out, "<user stack trace>");
	for (; off + step <= end; off += step) {
		const uint64_t addr = native_load(event->record, off, step, n->f[0].big);

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
static bool print_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	put_caller(n, event, out);
	put_text(n, event, 1, out);
	return true;
}

/* Prints a constant string of trace_puts(), which was recorded as its address. */
static bool bputs_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	put_caller(n, event, out);
	native_kputs(n->env, value(n, event, 1), out);
	return true;
}

/* Prints trace_printk(): the string's address and packed arguments were recorded. */
static bool bprint_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	put_caller(n, event, out);
	native_kbprint(n->env, event, value(n, event, 1), n->f[2].off, out);
	return true;
}

/* Prints binary data of trace_marker_raw: an id and the bytes behind it. */
static bool raw_data_run(const struct model_native *n, const struct model_event *event,
			 struct tdat_build *out)
{
	size_t i = n->f[1].off;

	native_lit(out, "# ");
	tdat_number_x64(out, value(n, event, 0), 0);
	native_lit(out, " buf:");
	for (; i < event->record.len; i++) {
		tdat_build_u8(out, ' ');
		tdat_number_x64(out, event->record.ptr[i], 2);
	}
	return true;
}

/* Returns a field as printf() wants it for %llu. */
static unsigned long long number(const struct model_native *n, const struct model_event *event,
				 size_t i)
{
	return (unsigned long long)value(n, event, i);
}

/* Prints what the hardware latency detector found (trace_hwlat_print() of trace_output.c). */
static bool hwlat_run(const struct model_native *n, const struct model_event *event,
		      struct tdat_build *out)
{
	tdat_build_printf(out, "#%-5llu inner/outer(us): %4llu/%-5llu ts:%lld.%09llu count:%d",
			  number(n, event, 0), number(n, event, 1), number(n, event, 2),
			  (long long)number(n, event, 3), number(n, event, 4),
			  (int)number(n, event, 5));
	if (!value(n, event, 6))
		return true;
	/* Machines whose clock must not be read in an NMI count no time, and print none. */
	if (value(n, event, 7))
		tdat_build_printf(out, " nmi-total:%llu", number(n, event, 7));
	tdat_build_printf(out, " nmi-count:%llu", number(n, event, 6));
	return true;
}

/*
 * Prints a period of the osnoise tracer: the share of CPU time that a thread got, in percent with
 * five digits, and interference by kind.
 */
static bool osnoise_run(const struct model_native *n, const struct model_event *event,
			struct tdat_build *out)
{
	const unsigned long long runtime = number(n, event, 1), noise = number(n, event, 0);
	/* Percent with five digits, computed in whole numbers as the kernel must. */
	const unsigned long long ratio = runtime ? (runtime - noise) * 10000000 / runtime : 0;

	tdat_build_printf(out, "%llu %10llu %3llu.%05llu %7llu", runtime, noise, ratio / 100000,
			  ratio % 100000, number(n, event, 2));
	for (size_t i = 3; i < 8; i++)
		tdat_build_printf(out, " %6llu", number(n, event, i));
	return true;
}

/*
 * Prints a timer latency, measured in the interrupt, in the thread or at the return to user space.
 */
static bool timerlat_run(const struct model_native *n, const struct model_event *event,
			 struct tdat_build *out)
{
	const uint64_t context = value(n, event, 1);

	tdat_build_printf(out, "#%-5llu context %6s timer_latency %9llu ns", number(n, event, 0),
			  context == 2 ? "user-ret"
			  : context    ? "thread"
				       : "irq",
			  number(n, event, 2));
	return true;
}

/* Returns the letter of a task state, by the number of its bit. */
static char state(uint64_t index)
{
	static const char letters[] = "RSDTtXZPI";

	return index < sizeof(letters) - 1 ? letters[index] : '?';
}

/* Prints an event of the old sched_switch and wakeup tracers. */
static void put_switch(const struct model_native *n, const struct model_event *event,
		       const char *arrow, struct tdat_build *out)
{
	tdat_build_printf(out, " %7d:%3d:%c %s [%03d] %7d:%3d:%c ", (int)number(n, event, 0),
			  (int)number(n, event, 3), state(value(n, event, 4)), arrow,
			  (int)number(n, event, 2), (int)number(n, event, 1),
			  (int)number(n, event, 5), state(value(n, event, 6)));
	native_text(out, n->env->name(n->env->ctx, (int32_t)value(n, event, 1)));
}

/* Prints a context switch of the old tracer. */
static bool switch_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	put_switch(n, event, "==>", out);
	return true;
}

/* Prints a wakeup of the old tracer: "+" in place of "==>". */
static bool wakeup_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	put_switch(n, event, "  +", out);
	return true;
}

/* Prints whether a likely() or unlikely() was right (kernel/trace/trace_branch.c). */
static bool branch_run(const struct model_native *n, const struct model_event *event,
		       struct tdat_build *out)
{
	tdat_build_str(out, value(n, event, 3) ? "[  ok  ] " : "[ MISS ] ");
	put_text(n, event, 1, out);
	tdat_build_u8(out, ':');
	put_text(n, event, 2, out);
	tdat_build_u8(out, ':');
	tdat_number_i64(out, (int32_t)value(n, event, 0));
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
static bool mmio_rw_run(const struct model_native *n, const struct model_event *event,
			struct tdat_build *out)
{
	const uint64_t opcode = value(n, event, 4), v = value(n, event, 1);
	char what[8];

	/* An instruction that the kernel could not decode: its first bytes are in value. */
	if (opcode == MMIO_UNKNOWN) {
		put_mmio_head(event, "UNKNOWN", out);
		tdat_build_printf(out, " %d 0x%llx %02x,%02x,%02x", (int)number(n, event, 3),
				  number(n, event, 0), (unsigned)(v >> 16 & 0xff),
				  (unsigned)(v >> 8 & 0xff), (unsigned)(v & 0xff));
	} else if (opcode == MMIO_READ || opcode == MMIO_WRITE) {
		snprintf(what, sizeof(what), "%c %u", opcode == MMIO_READ ? 'R' : 'W',
			 (unsigned)(value(n, event, 5) & 0xff));
		put_mmio_head(event, what, out);
		tdat_build_printf(out, " %d 0x%llx 0x%llx", (int)number(n, event, 3),
				  number(n, event, 0), number(n, event, 1));
	} else {
		native_lit(out, "rw what?");
		return true;
	}
	tdat_build_printf(out, " 0x%llx 0", number(n, event, 2));
	return true;
}

/* Prints that a driver mapped or unmapped memory of a device. */
static bool mmio_map_run(const struct model_native *n, const struct model_event *event,
			 struct tdat_build *out)
{
	const uint64_t opcode = value(n, event, 4);

	if (opcode != MMIO_PROBE && opcode != MMIO_UNPROBE) {
		native_lit(out, "map what?");
		return true;
	}
	put_mmio_head(event, opcode == MMIO_PROBE ? "MAP" : "UNMAP", out);
	tdat_build_printf(out, " %d", (int)number(n, event, 3));
	if (opcode == MMIO_PROBE)
		tdat_build_printf(out, " 0x%llx 0x%llx 0x%llx", number(n, event, 0),
				  number(n, event, 1), number(n, event, 2));
	native_lit(out, " 0x0 0");
	return true;
}

#define SWITCH_FIELDS                                                                              \
	.fields = {"prev_pid",	 "next_pid",  "next_cpu",  "prev_prio",                            \
		   "prev_state", "next_prio", "next_state"}

/* One row for each event type: its handler, and the fields that it reads by index. */
static const struct model_native_entry kinds[] = {
	{"ftrace", "function", function_run, .fields = {"ip", "parent_ip"}},
	{"ftrace", "func_repeats", repeats_run,
	 .fields = {"ip", "parent_ip", "count", "top_delta_ts", "bottom_delta_ts"}},
	{"ftrace", "kernel_stack", stack_run, .fields = {"caller"}},
	{"ftrace", "user_stack", user_stack_run, .fields = {"caller"}},
	{"ftrace", "print", print_run, .fields = {"ip", "buf"}},
	{"ftrace", "bputs", bputs_run, .fields = {"ip", "str"}},
	{"ftrace", "bprint", bprint_run, .fields = {"ip", "fmt", "buf"}},
	{"ftrace", "raw_data", raw_data_run, .fields = {"id", "buf"}},
	{"ftrace", "hwlat", hwlat_run,
	 .fields = {"seqnum", "duration", "outer_duration", "tv_sec", "tv_nsec", "count",
		    "nmi_count", "nmi_total_ts"}},
	{"ftrace", "osnoise", osnoise_run,
	 .fields = {"noise", "runtime", "max_sample", "hw_count", "nmi_count", "irq_count",
		    "softirq_count", "thread_count"}},
	{"ftrace", "timerlat", timerlat_run, .fields = {"seqnum", "context", "timer_latency"}},
	{"ftrace", "context_switch", switch_run, SWITCH_FIELDS},
	{"ftrace", "wakeup", wakeup_run, SWITCH_FIELDS},
	{"ftrace", "branch", branch_run, .fields = {"line", "func", "file", "correct"}},
	{"ftrace", "mmiotrace_rw", mmio_rw_run,
	 .fields = {"phys", "value", "pc", "map_id", "opcode", "width"}},
	{"ftrace", "mmiotrace_map", mmio_map_run,
	 .fields = {"phys", "virt", "len", "map_id", "opcode"}},
	{.name = NULL},
};

enum tdat_status native_ktrace_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err)
{
	size_t i = 0;

	/* Asked once for each event type. */
	while (kinds[i].name && strcmp(kinds[i].name, format->name) != 0)
		i++;
	if (!kinds[i].name || (env->long_size != 4 && env->long_size != 8))
		return TDAT_OK;
	/* Other fields than expected: print fmt is used. */
	for (size_t f = 0; f < NATIVE_FIELDS && kinds[i].fields[f]; f++)
		if (!native_field_find(format, kinds[i].fields[f]).found)
			return TDAT_OK;
	return native_make(out, &kinds[i], format, env, err);
}
