/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a perf.data of sched_switch on several CPUs, in rounds of some records of each CPU, as perf
 * record -a writes it. usage: make_perf DIR MIB CPUS
 */
#include "make.h"

enum { ROUND = 256, HEAD = 104, ATTR = 128, RAW = 68, TASKS = 97 };

static const char format[] =
	"name: sched_switch\nID: 310\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%ld ==> next_comm=%s "
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	"REC->prev_state, REC->next_comm, REC->next_pid, REC->next_prio\n";

static void put(FILE *f, uint64_t v, size_t len)
{
	fwrite(&v, len, 1, f); /* hosts of the benchmarks are little-endian */
}

static void put_text(FILE *f, const char *text, size_t len)
{
	fwrite(text, len, 1, f);
}

static void record(FILE *f, uint64_t n, uint32_t cpu)
{
	const uint32_t pid = 100 + (uint32_t)(n % TASKS), next = 100 + (uint32_t)(n * 7 % TASKS);
	static const char comm[16] = "worker";

	put(f, 9, 4);
	put(f, 1, 2);
	put(f, 8 + 8 * 5 + 4 + RAW, 2);
	put(f, 1 + cpu, 8);		  /* identifier */
	put(f, 0xffffffff81000000ull, 8); /* ip */
	put(f, pid, 4);
	put(f, pid, 4);
	put(f, 1000000000ull + n * 500, 8); /* time */
	put(f, cpu, 8);
	put(f, RAW, 4);
	put(f, 310, 4);
	put(f, pid, 4);
	put_text(f, comm, 16);
	put(f, pid, 4);
	put(f, 120, 4);
	put(f, 1, 8);
	put_text(f, comm, 16);
	put(f, next, 4);
	put(f, 120, 4);
	put(f, 0, RAW - 64);
}

static void tracing(FILE *f)
{
	put_text(f, "\x17\x08\x44tracing0.6\0", 14);
	put(f, 0x0800, 2); /* little-endian, 8 bytes */
	put(f, 4096, 4);
	put_text(f, "header_page", 12);
	put(f, 0, 8);
	put_text(f, "header_event", 13);
	put(f, 0, 8);
	put(f, 0, 4);
	put(f, 1, 4);
	put_text(f, "sched", 6);
	put(f, 1, 4);
	put(f, sizeof(format) - 1, 8);
	put_text(f, format, sizeof(format) - 1);
	put(f, 0, 8); /* no symbols, no printk formats */
	put(f, 0, 8); /* no names */
}

static void head(FILE *f, uint32_t cpus, uint64_t data_len)
{
	const uint64_t ids = HEAD + ATTR + 16;

	put_text(f, "PERFILE2", 8);
	put(f, HEAD, 8);
	put(f, ATTR + 16, 8);
	put(f, HEAD, 8);
	put(f, ATTR + 16, 8);
	put(f, ids + 8 * cpus, 8);
	put(f, data_len, 8);
	put(f, 0, 8);
	put(f, 0, 8);
	put(f, 1 << 1, 8); /* tracing data */
	for (int i = 0; i < 3; i++)
		put(f, 0, 8);
	put(f, 2, 4);
	put(f, ATTR, 4);
	put(f, 310, 8);
	put(f, 1, 8);
	put(f, 0x10000 | 0x400 | 0x80 | 4 | 2 | 1, 8);
	put(f, 0, 8);
	put(f, 1 << 18, 8);
	for (int i = 48; i < ATTR; i += 8)
		put(f, 0, 8);
	put(f, ids, 8);
	put(f, 8 * cpus, 8);
	for (uint32_t i = 0; i < cpus; i++)
		put(f, 1 + i, 8);
}

static void make(struct make *m)
{
	const uint64_t round_len = (uint64_t)m->cpus * ROUND * (8 + 8 * 5 + 4 + RAW) + 8;
	const uint64_t rounds = m->len / round_len;
	FILE *f = make_file(m->dir, "perf.data");
	uint64_t n = 0;
	long end;

	head(f, m->cpus, rounds * round_len);
	for (uint64_t i = 0; i < rounds; i++, n += (uint64_t)ROUND * m->cpus) {
		for (uint32_t cpu = 0; cpu < m->cpus; cpu++)
			for (uint64_t k = 0; k < ROUND; k++)
				record(f, n + k * m->cpus + cpu, cpu);
		put(f, 68, 4);
		put(f, 8 << 16, 4);
	}
	end = ftell(f);
	put(f, (uint64_t)end + 16, 8);
	put(f, sizeof(format) - 1 + 14 + 2 + 4 + 12 + 8 + 13 + 8 + 8 + 6 + 4 + 8 + 16, 8);
	tracing(f);
	fclose(f);
}
