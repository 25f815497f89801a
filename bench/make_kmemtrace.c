/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a large kmemtrace capture: one global counter dealt to the CPUs at random,
 * allocations and frees of a table of pointers, sizes of the kmalloc ladder.
 * usage: make_kmemtrace DIR MIB CPUS
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS_MAX = 64, SLOTS = 1 << 16 };

static uint64_t state = 88172645463325252ull;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static size_t make_record(uint8_t *p, uint32_t seq)
{
	static const uint64_t ladder[] = {8,   16,  32,	 64,   96,   128,
					  192, 256, 512, 1024, 2048, 4096};
	static uint64_t live[SLOTS];
	uint64_t x = next_random(), slot = x % SLOTS;
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

int main(int argc, char **argv)
{
	FILE *files[CPUS_MAX];
	uint64_t left = argc == 4 ? strtoull(argv[2], NULL, 10) << 20 : 0;
	unsigned int cpus = argc == 4 ? (unsigned int)atoi(argv[3]) : 0;
	uint32_t seq = 1;

	if (!cpus || cpus > CPUS_MAX) {
		fprintf(stderr, "usage: make_kmemtrace DIR MIB CPUS (1 to %d)\n", CPUS_MAX);
		return 2;
	}
	for (unsigned int i = 0; i < cpus; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/cpu%u.out", argv[1], i);
		files[i] = fopen(path, "wb");
		if (!files[i]) {
			perror(path);
			return 1;
		}
	}
	while (left) {
		uint8_t record[48];
		size_t len = make_record(record, seq++);

		if (fwrite(record, len, 1, files[next_random() % cpus]) != 1)
			return 1;
		left -= len < left ? len : left;
	}
	for (unsigned int i = 0; i < cpus; i++)
		if (fclose(files[i]))
			return 1;
	return 0;
}
