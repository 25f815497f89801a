/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a large kmemtrace capture: one global counter dealt to the CPUs at random,
 * allocations and frees of a table of pointers, sizes of the kmalloc ladder.
 */
#include "make.h"

enum { SLOTS = 1 << 16 };

static size_t make_record(uint8_t *p, uint32_t seq)
{
	static const uint64_t ladder[] = {8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096};
	static uint64_t live[SLOTS];
	uint64_t x = make_random(), slot = x % SLOTS;
	uint64_t ptr = 0xffff880000000000 + slot * 8192;
	uint64_t call_site = 0xffffffff80200000 + (x >> 20) % 5000 * 16;
	uint16_t len = live[slot] ? 24 : 48;

	memset(p, 0, 48);
	p[0] = live[slot] != 0;
	p[1] = (uint8_t)(slot & 1);
	memcpy(p + 2, &len, 2);
	memcpy(p + 4, &seq, 4);
	memcpy(p + 8, &call_site, 8);
	memcpy(p + 16, &ptr, 8);
	if (live[slot]) {
		live[slot] = 0;
		return len;
	}
	live[slot] = ladder[(x >> 40) % 12];
	call_site = live[slot] - (x >> 50) % (live[slot] / 2);
	memcpy(p + 24, &call_site, 8);
	memcpy(p + 32, &live[slot], 8);
	p[40] = 0xd0;
	memset(p + 44, (x >> 57) % 33 ? 0xff : 0, 4);
	return len;
}

static void make(struct make *m)
{
	uint32_t seq = 1;

	make_cpu_files(m, "cpu", ".out");
	for (uint64_t left = m->len; left;) {
		uint8_t record[48];
		size_t len = make_record(record, seq++);

		make_write(m->files[make_random() % m->cpus], record, len);
		left -= len < left ? len : left;
	}
}
