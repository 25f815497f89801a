/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a large GTSC capture: a file a CPU, stamps that rise; text, or with the KIND
 * "record" binary records "u64 ts; u32 pid; u32 child; char comm[16]".
 */
#include "make.h"

static size_t make_text(char *p, uint64_t now, uint64_t x)
{
	return (size_t)sprintf(p, "[%" PRIu64 "] do_fork: pid %u parent %u flags %08x\n", now,
			       (unsigned int)(x % 32768), (unsigned int)(x >> 15) % 32768,
			       (unsigned int)(x >> 30));
}

static size_t make_record(char *p, uint64_t now, uint64_t x)
{
	static const char comms[4][16] = {"bash", "make", "cc1", "sshd"};
	uint32_t pids[2] = {(uint32_t)(x % 32768), (uint32_t)(x >> 15) % 32768};

	memcpy(p, &now, 8);
	memcpy(p + 8, pids, 8);
	memcpy(p + 16, comms[x >> 62], 16);
	return 32;
}

static void make(struct make *m)
{
	bool binary = !strcmp(m->kind, "record");
	uint64_t now = 1000000000;

	make_cpu_files(m, "trace", "");
	for (uint64_t left = m->len; left;) {
		uint64_t x = make_random();
		char buf[128];
		size_t len = binary ? make_record(buf, now, x) : make_text(buf, now, x);

		now += x % 1000;
		make_write(m->files[(x >> 40) % m->cpus], buf, len);
		left -= len < left ? len : left;
	}
}
