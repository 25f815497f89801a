/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a large ktr.out of an amd64 FreeBSD with its strings.txt: CPUs in turn at
 * random, each with its own rising clock, a little behind or ahead of the others.
 */
#include "make.h"

enum { ENTRY_LEN = 88 };

static const uint64_t base = 0xffffffff80e00000;

static const char *const formats[] = {
	"mi_switch: old thread %ld (td_sched %p, pid %ld, %s)",
	"KTRGRAPH group:\\\"thread\\\", id:\\\"%s\\\", state:\\\"%s\\\", attributes: prio:%d",
	"KTRGRAPH group:\\\"load\\\", id:\\\"%s\\\", counter:%d, attributes: none",
	"LOCK (%s) %s %p r = %d at %s:%d",
	"ast: flags 0x%08x",
	"em_intr: icr=%#x",
	"callout_reset %p func %p arg %p to %d",
	"uma_zalloc_arg thread %x zone %s(%p) flags %d",
};
static const char *const texts[] = {
	"sshd tid 100057", "idle: cpu1 tid 100004", "running",	 "sleep", "sleep mutex",
	"Giant",	   "kern/kern_mutex.c",	    "CPU 1 load"};

static void make_entry(uint8_t *p, uint64_t ts, uint32_t cpu)
{
	uint64_t x = make_random(), parms[6];
	uint64_t file = base + 256 * (8 + 6), desc = base + 256 * (x % 8);
	uint64_t thread = 0xfffff80003000000 + (x >> 8) % 500 * 0x500;
	uint32_t line = (uint32_t)(x >> 20) % 4000;

	for (int i = 0; i < 6; i++)
		parms[i] = (x >> i) & 0xffff;
	switch (x % 8) {
	case 0:
		parms[3] = base + 256 * 13;
		break;
	case 1:
		parms[0] = base + 256 * (8 + (x >> 30) % 2);
		parms[1] = base + 256 * (8 + 2 + (x >> 31) % 2);
		break;
	case 2:
		parms[0] = base + 256 * 15;
		break;
	case 3:
		parms[0] = base + 256 * 12;
		parms[1] = base + 256 * 13;
		parms[4] = base + 256 * 14;
		break;
	case 7:
		parms[1] = base + 256 * 13;
	}
	memcpy(p, &ts, 8);
	memcpy(p + 8, &cpu, 4);
	memcpy(p + 12, &line, 4);
	memcpy(p + 16, &file, 8);
	memcpy(p + 24, &desc, 8);
	memcpy(p + 32, &thread, 8);
	memcpy(p + 40, parms, sizeof(parms));
}

static void make(struct make *m)
{
	uint64_t count = m->len / ENTRY_LEN, now = 1000000000000, last[MAKE_CPUS_MAX] = {0};
	uint8_t entry[ENTRY_LEN];
	FILE *f = make_file(m->dir, "strings.txt");

	for (uint64_t i = 0; i < 16; i++)
		fprintf(f, "0x%" PRIx64 "\t\"%s\"\n", base + 256 * i,
			i < 8 ? formats[i] : texts[i - 8]);
	fclose(f);
	m->files[0] = make_file(m->dir, "ktr.out");
	for (uint64_t i = 0; i < count; i++) {
		uint64_t x = make_random();
		uint32_t cpu = (uint32_t)(x % m->cpus);
		uint64_t ts = now + (cpu & 1 ? 700 : 0);

		now += (x >> 32) % 1000;
		if (ts < last[cpu])
			ts = last[cpu];
		last[cpu] = ts;
		make_entry(entry, ts, cpu);
		make_write(m->files[0], entry, sizeof(entry));
	}
}
