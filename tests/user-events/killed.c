/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes events from several threads, says after how many writes had returned in each, and kills
 * itself with SIGKILL while they go on.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "user-events/user_events.h"

enum { THREADS = 4, LEAST = 20000 };

static int fd;
static uint32_t word, write_index;
static _Atomic uint32_t done[THREADS];

static void *write_events(void *arg)
{
	uint32_t thread = (uint32_t)(uintptr_t)arg, e[3] = {write_index, thread, 0};

	for (;; e[2]++) {
		if (write(fd, e, sizeof(e)) != sizeof(e))
			return NULL;
		atomic_store(&done[thread], e[2] + 1);
	}
}

int main(void)
{
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};
	pthread_t id;

	fd = open(DATA_FILE, O_RDWR);
	reg.enable_addr = (uintptr_t)&word;
	reg.name_args = (uintptr_t) "killed u32 thread; u32 number";
	if (fd < 0 || ioctl(fd, REG, &reg))
		return 1;
	write_index = reg.write_index;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&id, NULL, write_events, (void *)i);
	for (int i = 0; i < THREADS; i++)
		while (atomic_load(&done[i]) < LEAST)
			usleep(100);
	for (int i = 0; i < THREADS; i++)
		printf("%d %u\n", i, (unsigned int)atomic_load(&done[i]));
	fflush(stdout);
	kill(getpid(), SIGKILL);
	return 1;
}
