/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes what comes before the first event: trace uuid, the system of each input, where the trace
 * comes from, clocks, processes and threads with their names, and losses so far, which are none.
 *
 * The first packet is the host's: with a guest's as the first one, trace processor takes both
 * machines for one.
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/file_option.h>

#include "core/number.h"
#include "core/text.h"
#include "numbers.h"
#include "proto.h"
#include "state.h"

/* Processes and threads of one packet: long lists are split, so that no packet gets too large. */
enum { TREE_MOST = 1024 };

/* ---- the trace ---- */

/* Visitor of the TRACEID option. */
static void take_id(void *ctx, const char *key, uint64_t value, bool hex)
{
	(void)hex;
	if (key && !strcmp(key, "trace_id"))
		*(uint64_t *)ctx = value;
}

/* Writes the trace uuid, made of the trace id; without an id there is none. */
static void put_uuid(const struct pf_state *s, struct tdat_build *out)
{
	const struct tdat_file *file = s->inputs[0].file;
	const struct tdat_file_option *option = tdat_file_option_by_id(file, TDAT_OPTION_TRACEID);
	uint64_t id = 0;
	const struct tdat_file_option_visitor visitor = {
		.size = sizeof(visitor), .ctx = &id, .number = take_id};
	size_t packet, at;

	if (!option || tdat_file_option_decode(file, option, &visitor, NULL) != TDAT_OK || !id)
		return;
	packet = pf_packet_begin(out);
	at = proto_open(out, PF_PACKET_TRACE_UUID);
	proto_u64(out, PF_UUID_MSB, id);
	proto_u64(out, PF_UUID_LSB, 0);
	proto_close(out, at);
	pf_packet_end(out, packet, 0);
}

/* Begins an attribute; the caller writes its value and closes it. */
static size_t begin_attribute(const char *key, struct tdat_build *out)
{
	const size_t at = proto_open(out, PF_ATTRIBUTES_ATTRIBUTE);

	proto_cstr(out, PF_ATTRIBUTE_KEY, key);
	return at;
}

static void put_attribute(const char *key, const char *value, struct tdat_build *out)
{
	const size_t at = begin_attribute(key, out);

	proto_cstr(out, PF_ATTRIBUTE_STRING, value);
	proto_close(out, at);
}

/* Writes the names of buffer instances as attributes: bundles have no place for them. */
static void put_buffer_names(const struct pf_input *in, struct tdat_build *out)
{
	for (size_t i = 0; i < in->buffer_count; i++) {
		char key[48] = "tracedat.buffer.";
		char digits[TDAT_NUMBER_MAX];
		const char *start = tdat_number_dec(digits + sizeof(digits), i);

		memcpy(key + 16, start, (size_t)(digits + sizeof(digits) - start));
		if (*in->buffers[i].name)
			put_attribute(key, in->buffers[i].name, out);
	}
}

/* Writes where an input comes from: file name, version, clock, buffers. */
static void put_attributes(const struct pf_state *s, size_t input, struct tdat_build *out)
{
	const struct pf_input *in = &s->inputs[input];
	const struct tdat_file_info *info = tdat_file_info(in->file);
	const size_t packet = pf_packet_begin(out);
	size_t at, version;

	if (input) /* fields are in the order of their numbers */
		proto_u64(out, PF_PACKET_MACHINE_ID, input);
	at = proto_open(out, PF_PACKET_TRACE_ATTRIBUTES);
	put_attribute("tracedat.file", tdat_base_name(info->name), out);
	version = begin_attribute("tracedat.version", out);
	proto_u64(out, PF_ATTRIBUTE_LONG, info->version);
	proto_close(out, version);
	if (in->buffer_count && *in->buffers[0].clock)
		put_attribute("tracedat.clock", in->buffers[0].clock, out);
	put_buffer_names(in, out);
	proto_close(out, at);
	proto_close(out, packet);
}

/* ---- the system ---- */

/* Writes a word of uname's text, if it is there. */
static void put_word(uint32_t number, struct tdat_span word, struct tdat_build *out)
{
	if (word.len)
		proto_string(out, number, word.ptr, word.len);
}

/*
 * Writes uname's text, "Linux NAME RELEASE MACHINE" as trace-cmd records it. Trace processor reads
 * the states of sched_switch by the release: without one it assumes a kernel before 4.14, whose
 * numbers differ. Those kernels had no state I, so a file without a release whose print fmt has it
 * gets 4.14.
 */
static void put_utsname(const struct pf_input *in, struct tdat_build *out)
{
	const struct tdat_file_option *option = tdat_file_option_by_id(in->file, TDAT_OPTION_UNAME);
	const struct tdat_event_format *format;
	const struct tdat_span text = option ? option->data : (struct tdat_span){NULL, 0};
	const struct tdat_span machine = tdat_word(text, 3);
	struct tdat_span system = tdat_word(text, 0), release = tdat_word(text, 2);
	size_t at;

	if (!release.len) {
		format = tdat_file_format_by_name(in->file, "sched", "sched_switch");
		if (!format || !strstr(tdat_event_format_print_fmt(format), "\"I\" }"))
			return;
		system = (struct tdat_span){(const uint8_t *)"Linux", 5};
		release = (struct tdat_span){(const uint8_t *)"4.14", 4};
	}
	at = proto_open(out, PF_SYSTEM_UTSNAME);
	put_word(PF_UTS_SYSNAME, system, out);
	put_word(PF_UTS_RELEASE, release, out);
	put_word(PF_UTS_MACHINE, machine, out);
	proto_close(out, at);
}

/* Writes SystemInfo of an input. */
static void put_system(const struct pf_state *s, size_t input, struct tdat_build *out)
{
	const struct pf_input *in = &s->inputs[input];
	const struct tdat_file_info *info = tdat_file_info(in->file);
	const size_t packet = pf_packet_begin(out);
	const size_t at = proto_open(out, PF_PACKET_SYSTEM_INFO);

	put_utsname(in, out);
	if (info->page_size)
		proto_u64(out, PF_SYSTEM_PAGE_SIZE, info->page_size);
	if (info->cpu_count)
		proto_u64(out, PF_SYSTEM_CPUS, info->cpu_count);
	proto_close(out, at);
	pf_packet_end(out, packet, input);
}

/* ---- processes ---- */

/* Writes a process; its command line is the comm, as trace.dat has no more. */
static void put_process(int32_t pid, struct tdat_span comm, struct tdat_build *out)
{
	const size_t at = proto_open(out, PF_TREE_PROCESS);

	proto_i64(out, PF_PROCESS_PID, pid);
	proto_string(out, PF_PROCESS_CMDLINE, comm.ptr, comm.len);
	proto_u64(out, PF_PROCESS_IS_COMM, 1);
	proto_close(out, at);
}

static void put_thread(int32_t tid, int32_t tgid, struct tdat_span comm, struct tdat_build *out)
{
	const size_t at = proto_open(out, PF_TREE_THREAD);

	proto_i64(out, PF_THREAD_TID, tid);
	proto_string(out, PF_THREAD_NAME, comm.ptr, comm.len);
	proto_i64(out, PF_THREAD_TGID, tgid);
	proto_close(out, at);
}

/*
 * Writes the processes, or the threads, among the tasks of one packet. Processes come before
 * threads.
 */
static void put_tasks(const struct pf_input *in, size_t first, bool threads, struct tdat_build *out)
{
	struct tdat_span comm;
	int32_t tid;

	for (size_t i = first; i < first + TREE_MOST && tdat_file_task(in->file, i, &tid, &comm);
	     i++) {
		const int32_t tgid = tdat_task_groups_of(&in->groups, tid);

		if (tid <= 0) /* pid 0 is the idle task of each CPU */
			continue;
		if (threads)
			put_thread(tid, tgid, comm, out);
		else if (tgid == tid)
			put_process(tid, comm, out);
	}
}

/* Writes all tasks of an input, in packets of TREE_MOST. */
static void put_tree(const struct pf_input *in, size_t input, struct tdat_build *out)
{
	struct tdat_span comm;
	int32_t tid;

	for (size_t i = 0; tdat_file_task(in->file, i, &tid, &comm); i += TREE_MOST) {
		const size_t packet = pf_packet_begin(out);
		const size_t at = proto_open(out, PF_PACKET_PROCESS_TREE);

		put_tasks(in, i, false, out);
		put_tasks(in, i, true, out);
		proto_close(out, at);
		pf_packet_end(out, packet, input);
	}
}

/* Writes everything before the first event; ts is its time. Later calls do nothing. */
enum tdat_status pf_head_write(struct pf_state *s, uint64_t ts, struct tdat_build *out,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (s->started || !s->input_count)
		return TDAT_OK;
	s->started = true;
	pf_clocks_write(s, ts, out);
	put_uuid(s, out);
	for (size_t i = 0; i < s->input_count; i++) {
		put_system(s, i, out);
		put_attributes(s, i, out);
	}
	/* Thread groups come from the recorded tgids; stacks and threads need them later, too. */
	for (size_t i = 0; i < s->input_count && st == TDAT_OK; i++)
		if (!tdat_task_groups_init(&s->inputs[i].groups,
					   tdat_file_part(s->inputs[i].file, TDAT_PART_TGIDS)))
			st = tdat_error_no_memory(err, "an export");
	for (size_t i = 0; i < s->input_count; i++)
		put_tree(&s->inputs[i], i, out);
	pf_stats_write(s, false, out);
	return st;
}
