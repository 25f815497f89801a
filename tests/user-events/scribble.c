/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes events, and random numbers over what it shares with the recorder: rings and their heads,
 * counters, the registry, but not the locks, without which no recorder could go on.
 * usage: scribble SEED | definition
 * With "definition" only those of two events are written over, one not to be understood and one
 * with another name, before the events are written.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/layout.h"
#include "user-events/user_events.h"

static uint32_t word;
static uint64_t state;

static uint64_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void write_spoiled(struct ue_shared *s)
{
	static const char *const names[] = {"none u32 a", "other u32 a", "sound u32 a"};
	static uint32_t words[3];
	int fd = open(DATA_FILE, O_RDWR);
	uint32_t e[2];

	for (uint32_t i = 0; i < 3; i++) {
		struct reg reg = {.size = sizeof(reg), .enable_size = 4};

		reg.enable_addr = (uintptr_t)&words[i];
		reg.name_args = (uintptr_t)names[i];
		if (fd < 0 || ioctl(fd, REG, &reg))
			exit(1);
	}
	strcpy(s->events[0].command, "none float");
	memset(s->events[1].name, '\xff', 8);
	for (uint32_t i = 0; i < 9; i++) {
		e[0] = i % 3;
		e[1] = i;
		if (write(fd, e, sizeof(e)) < 0)
			exit(1);
	}
}

static void write_events(void)
{
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};
	int fd = open(DATA_FILE, O_RDWR);
	uint32_t e[3] = {0, 1, 2};

	reg.enable_addr = (uintptr_t)&word;
	reg.name_args = (uintptr_t) "scribble u32 a; u32 b";
	if (fd < 0 || ioctl(fd, REG, &reg)) {
		puts("not written");
		exit(1);
	}
	for (int i = 0; i < 2000; i++)
		if (write(fd, e, sizeof(e)) < 0)
			break;
}

static void scribble(uint8_t *from, size_t len)
{
	for (int i = 0; i < 200; i++) {
		uint64_t v = random_number(), at = random_number() % (len / 8) * 8;

		if (v % 3 == 0)
			v &= 0xff;
		else if (v % 3 == 1)
			v &= 0x8000ffff;
		memcpy(from + at, &v, sizeof(v));
	}
}

int main(int argc, char **argv)
{
	const char *path = getenv(UE_VARIABLE);
	int fd = path ? open(path, O_RDWR) : -1;
	struct ue_shared *s;
	struct stat sb;

	state = argc > 1 ? strtoul(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u : 88172645463325252u;
	if (fd < 0 || fstat(fd, &sb))
		return 1;
	s = mmap(NULL, (size_t)sb.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED)
		return 1;
	if (argc > 1 && !strcmp(argv[1], "definition")) {
		write_spoiled(s);
		return 0;
	}
	write_events();
	for (uint32_t i = 0; i < s->ring_count; i++) {
		struct ue_ring *r = &s->rings[i];

		if (atomic_load(&r->state) != UE_RING_LIVE)
			continue;
		scribble(ue_ring_data(s, i, s->ring_len), 65536);
		if (random_number() % 2)
			atomic_store(&r->head, random_number() % 3 ? random_number() & ~7ull
								   : atomic_load(&r->head) + 4096);
		if (random_number() % 2)
			atomic_store(&r->lost, (uint32_t)random_number());
	}
	scribble((uint8_t *)&s->events[0], 4 * sizeof(s->events[0]));
	scribble((uint8_t *)&s->processes[0], 4 * sizeof(s->processes[0]));
	scribble((uint8_t *)&s->followers[0], 4 * sizeof(s->followers[0]));
	scribble((uint8_t *)&s->files[0], 4096);
	scribble((uint8_t *)s->rules, sizeof(s->rules));
	atomic_store(&s->event_count, (uint32_t)random_number());
	s->ring_len = (uint32_t)random_number();
	s->ring_count = (uint32_t)random_number();
	s->rules_len = (uint32_t)random_number();
	s->status_next = (uint32_t)random_number();
	atomic_fetch_add(&s->enable_changes, 1);
	atomic_fetch_add(&s->reap_wanted, 1);
	usleep(20000);
	_exit(0);
}
