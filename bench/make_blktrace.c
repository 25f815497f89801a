/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a large block trace, version 7: the life of requests, now and then a task's name. */
#include "make.h"

enum { MAGIC = 0x65617407, NOTIFY = 0x0400, DEVICE = 8 << 20 };

static void put32(uint8_t *p, uint64_t v)
{
	uint32_t word = (uint32_t)v;

	memcpy(p, &word, 4);
}

static size_t make_record(uint8_t *p, uint32_t seq, uint64_t now, uint64_t x, uint32_t cpu)
{
	/* Q, G, P, I, U, D, C with their categories, write and sync among them */
	static const uint32_t actions[] = {1 | 0x001a << 16,  4 | 0x001a << 16,	 9 | 0x0010 << 16,
					   12 | 0x001a << 16, 10 | 0x0010 << 16, 7 | 0x004a << 16,
					   8 | 0x008a << 16,  6 | 0x0022 << 16};
	bool note = x % 1000 == 0;
	uint64_t sector = x >> 30 & ~7ull;
	uint16_t pdu_len = note ? 16 : 0;

	memset(p, 0, 64);
	put32(p, MAGIC);
	put32(p + 4, seq);
	memcpy(p + 8, &now, 8);
	memcpy(p + 16, &sector, 8);
	put32(p + 24, 4096);
	put32(p + 28, note ? (uint64_t)NOTIFY << 16 : actions[x % 8]);
	put32(p + 32, 1000 + x / 1000 % 500);
	put32(p + 36, DEVICE);
	put32(p + 40, cpu);
	memcpy(p + 46, &pdu_len, 2);
	if (note)
		snprintf((char *)p + 48, 16, "kworker/%u", (unsigned int)(x / 1000 % 500));
	return 48 + pdu_len;
}

static void make(struct make *m)
{
	uint32_t seqs[MAKE_CPUS_MAX] = {0};
	uint64_t now = 0;

	make_cpu_files(m, "sda.blktrace.", "");
	for (uint64_t left = m->len; left;) {
		uint64_t x = make_random();
		uint32_t cpu = (uint32_t)(x >> 50) % m->cpus;
		uint8_t record[64];
		size_t len = make_record(record, ++seqs[cpu], now, x, cpu);

		now += x % 2000;
		make_write(m->files[cpu], record, len);
		left -= len < left ? len : left;
	}
}
