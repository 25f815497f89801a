/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many short processes, each of which writes events: by fork(), by fork() and exec(), and by
 * vfork() and exec() of this program with an inherited descriptor.
 * usage: forks PROCESSES EVENTS, or forks child FD INDEX EVENTS
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user-events/user_events.h"

static void write_events(int fd, uint32_t index, uint32_t count)
{
	uint32_t e[3] = {index, (uint32_t)getpid(), 0};

	for (e[2] = 0; e[2] < count; e[2]++)
		if (write(fd, e, sizeof(e)) != sizeof(e)) {
			perror("write");
			_exit(1);
		}
}

int main(int argc, char **argv)
{
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};
	static uint32_t word;
	int fd, status;
	static int bad;
	char fd_text[16], index_text[16];

	if (argc > 4) {
		write_events(atoi(argv[2]), (uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]));
		return 0;
	}
	fd = open(DATA_FILE, O_RDWR);
	reg.enable_addr = (uintptr_t)&word;
	reg.name_args = (uintptr_t) "fork u32 pid; u32 number";
	if (argc < 3 || fd < 0 || ioctl(fd, REG, &reg)) {
		perror("register");
		return 1;
	}
	snprintf(fd_text, sizeof(fd_text), "%d", fd);
	snprintf(index_text, sizeof(index_text), "%u", (unsigned int)reg.write_index);
	for (int i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = i % 4 == 3 ? vfork() : fork();

		if (!pid && i % 4 < 2) {
			write_events(fd, reg.write_index, (uint32_t)atoi(argv[2]));
			_exit(0);
		}
		if (!pid) {
			char *args[] = {argv[0], "child", fd_text, index_text, argv[2], NULL},
			     *none[] = {NULL};

			/* Without an environment, every other time. */
			if (i % 8 > 3)
				execve("/proc/self/exe", args, none);
			else
				execv("/proc/self/exe", args);
			_exit(127);
		}
	}
	while (wait(&status) > 0)
		bad |= status;
	return bad ? 1 : 0;
}
