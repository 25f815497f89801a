/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits until its event is enabled by somebody else, and writes it: as parent, as child, and as a
 * child of that whose parent has ended.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user-events/user_events.h"

static volatile uint32_t word = 0xf0;

int main(void)
{
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};
	int fd = open(DATA_FILE, O_RDWR), status = 0;
	uint32_t e[2] = {0, 1};
	pid_t pid;

	reg.enable_addr = (uintptr_t)&word;
	reg.name_args = (uintptr_t) "waits u32 parent";
	if (fd < 0 || ioctl(fd, REG, &reg) || word != 0xf0)
		return 1;
	e[0] = reg.write_index;
	pid = fork();
	if (!pid) {
		pid_t lost = fork();

		if (lost > 0 && fork() > 0)
			_exit(0);
		e[1] = lost ? 0 : 2;
	}
	if (pid) {
		puts("ready");
		fflush(stdout);
	}
	for (int i = 0; i < 5000 && word != 0xf1; i++)
		usleep(1000);
	if (word != 0xf1 || write(fd, e, sizeof(e)) != sizeof(e))
		return 2;
	return pid && (waitpid(pid, &status, 0) != pid || status) ? 3 : 0;
}
