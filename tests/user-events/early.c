/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface of Linux 5.18 to 6.3: a status page that is mapped, by byte and by bit, and the
 * short struct. Prints the numbers that it got; exits 1 with what is wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user-events/user_events.h"

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

int main(void)
{
	struct reg_early reg = {.size = sizeof(reg)};
	int data = open(DATA_FILE, O_RDWR), status = open(STATUS_FILE, O_RDONLY), enable;
	uint32_t e[2];
	volatile const char *page;
	char text[4096] = "";

	need(data >= 0 && status >= 0, "open");
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, status, 0);
	need(page != MAP_FAILED, "mmap");
	reg.name_args = (uintptr_t) "early u32 count";
	need(!ioctl(data, REG, &reg), "register");
	need(reg.status && page[reg.status], "byte of 5.18");
	need(page[reg.status / 8] & 1 << reg.status % 8, "bit of 6.0");
	e[0] = reg.write_index;
	e[1] = 7;
	need(write(data, e, sizeof(e)) == sizeof(e), "write");
	enable = open("/sys/kernel/tracing/events/user_events/early/enable", O_WRONLY);
	need(write(enable, "0\n", 2) == 2, "disable");
	need(!page[reg.status] && !(page[reg.status / 8] & 1 << reg.status % 8), "disabled page");
	need(write(enable, "1\n", 2) == 2, "enable");
	need(page[reg.status], "enabled page");
	need(pread(status, text, sizeof(text) - 1, 0) > 0, "text");
	need(strstr(text, ":early # Used by ftrace\n") && strstr(text, "Max: "), "text of status");
	/* The event stays behind the last close, and goes by its name, by any file. */
	need(!close(data), "close");
	data = open(DATA_FILE, O_RDWR);
	need(data >= 0 && pread(status, text, sizeof(text) - 1, 0) > 0, "open again");
	need(strstr(text, ":early") != NULL, "event of the first ABI without a file");
	need(!ioctl(data, DEL, "early"), "delete by name");
	need(ioctl(data, DEL, "early") && errno == ENOENT, "deleted");
	reg.name_args = (uintptr_t) "early u64 other";
	need(!ioctl(data, REG, &reg), "register with other fields");
	need(ioctl(data, DEL, "early") && errno == EBUSY, "delete while a file has it");
	puts("early as it should be");
	return 0;
}
