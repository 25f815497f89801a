/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes many events from many threads, and prints what one of them took: the load of the tests
 * and of bench/user_events.sh.
 * usage: load THREADS EVENTS [PATH]   (PATH: where to write; /dev/null without registering)
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "user-events/user_events.h"

struct event {
	uint32_t index;
	uint32_t thread;
	uint64_t number;
};

static int fd;
static uint32_t write_index, enabled;
static unsigned long events;
static double cpu_ns[256];

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *write_events(void *arg)
{
	struct event e = {write_index, (uint32_t)(uintptr_t)arg, 0};
	double from = now(CLOCK_THREAD_CPUTIME_ID);

	for (e.number = 0; e.number < events; e.number++)
		if (write(fd, &e, sizeof(e)) != (ssize_t)sizeof(e)) {
			perror("write");
			exit(1);
		}
	cpu_ns[e.thread % 256] = now(CLOCK_THREAD_CPUTIME_ID) - from;
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long threads = argc > 2 ? strtoul(argv[1], NULL, 10) : 1;
	const char *path = argc > 3 ? argv[3] : DATA_FILE;
	struct reg reg = {.size = sizeof(reg), .enable_bit = 0, .enable_size = 4};
	pthread_t ids[256];
	double from, cpu = 0;

	events = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	fd = open(path, O_RDWR);
	reg.enable_addr = (uintptr_t)&enabled;
	reg.name_args = (uintptr_t) "load u32 thread; u64 number";
	if (fd < 0 || threads > 256 || (argc < 4 && ioctl(fd, REG, &reg))) {
		perror(path);
		return 1;
	}
	write_index = reg.write_index;
	from = now(CLOCK_MONOTONIC);
	for (unsigned long i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, write_events, (void *)i);
	for (unsigned long i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		cpu += cpu_ns[i];
	}
	printf("wall %.1f ns, cpu %.1f ns for each event\n",
	       (now(CLOCK_MONOTONIC) - from) / (double)(threads * events),
	       cpu / (double)(threads * events));
	return 0;
}
