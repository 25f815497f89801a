/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace of any number of CPUs with the library's writer, for the tests of tdat view.
 * Each CPU switches between tasks of its own and idle; CPU 0 of each 16 is busier than the others.
 * usage: many_cpus FILE CPUS EVENTS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

static const char format[] =
	"name: sched_switch\nID: 0\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[4];\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_state;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:char next_comm[4];\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:32;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"%d to %d\", REC->prev_pid, REC->next_pid\n";

static void ok(enum tdat_status st, const struct tdat_error *err)
{
	if (st == TDAT_OK)
		return;
	fprintf(stderr, "many_cpus: %s\n", err->message);
	exit(1);
}

/* What runs behind the switch number `turn` of a CPU: idle each second time, on CPU 16 n never. */
static uint32_t task_of(unsigned cpu, unsigned turn)
{
	return turn % 2 && cpu % 16 ? 0 : 1 + cpu * 3 + turn % 3;
}

int main(int argc, char **argv)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_emit *e;
	struct tdat_writer *w;
	const unsigned cpus = argc == 4 ? (unsigned)atoi(argv[2]) : 0;
	const unsigned events = argc == 4 ? (unsigned)atoi(argv[3]) : 0;
	const uint16_t one = 1;
	uint32_t words[9];
	uint16_t id;

	if (!cpus || !events)
		return 2;
	opts.compression = "none";
	opts.force = true;
	info.cpu_count = cpus;
	info.big_endian = !*(const char *)&one;
	ok(tdat_writer_new(&w, argv[1], &opts, &err), &err);
	e = tdat_writer_emit(w);
	ok(tdat_emit_info(e, &info, &err), &err);
	ok(tdat_emit_format(e, "sched", format, strlen(format), &id, &err), &err);
	words[0] = 0;
	memcpy(words, &id, sizeof(id));
	memcpy(&words[2], "tas", 4);
	memcpy(&words[6], "tas", 4);
	words[4] = words[5] = words[8] = 120;
	words[5] = 1;
	for (unsigned i = 0; i < events; i++) {
		const unsigned cpu = i % cpus, turn = i / cpus;
		/* Idle for a third of the time, so that a CPU is busy for two thirds. */
		const uint64_t ts = 1000 * (uint64_t)i + (turn % 2 ? 333 * (uint64_t)cpus : 0);
		struct tdat_emit_event ev = {0, cpu, ts, 0, {(uint8_t *)words, sizeof(words)}};

		words[1] = words[3] = task_of(cpu, turn);
		words[7] = task_of(cpu, turn + 1);
		ok(tdat_emit_event(e, &ev, &err), &err);
	}
	ok(tdat_writer_finish(w, &err), &err);
	tdat_writer_free(w);
	return 0;
}
