/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is particular to recording by notifications: signals that come while a call is answered,
 * descriptors with numbers of the program's choice, more files than there are numbers, programs
 * that go on with a descriptor after exec, and events too long for a page. Exits 1 with the first
 * line that fails.
 * usage: notify [PROGRAM]   (PROGRAM: record_forks, started with an inherited descriptor)
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user-events/check.h"
#include "user-events/user_events.h"

enum { SIGNALLED = 20000 };

static int fd;
static volatile sig_atomic_t alarms;

static uint32_t reg_event(int to, uint32_t *word, const char *text)
{
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};

	reg.enable_addr = (uintptr_t)word;
	reg.name_args = (uintptr_t)text;
	CHECK(!ioctl(to, REG, &reg));
	return reg.write_index;
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

/* Each call is made once, however often a signal comes. */
static void signalled(void)
{
	static uint32_t word;
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 200}, {0, 200}};
	uint32_t e[2] = {reg_event(fd, &word, "signalled u32 number"), 0};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (; e[1] < SIGNALLED; e[1]++)
		CHECK(write(fd, e, sizeof(e)) == sizeof(e));
	timer = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &timer, NULL);
	CHECK(alarms > 10);
}

static void numbers(void)
{
	static uint32_t word;
	uint32_t e[2] = {reg_event(fd, &word, "numbers u32 how"), 0};
	int low = dup2(fd, 30), again, file, count = 0, all[200];
	char text[4096] = "";

	/* A number of the program's choice is not seen: it fails, and is not lost silently. */
	CHECK(low == 30);
	errno = 0;
	CHECK(write(low, e, sizeof(e)) == -1 && errno == EPERM);
	/* Duplicates of it are the same file. */
	again = dup2(low, fd);
	CHECK(again == fd && write(fd, e, sizeof(e)) == sizeof(e));
	CHECK(!close(low));
	while (count < 200 && (all[count] = open(DATA_FILE, O_RDWR | O_CLOEXEC)) >= 0)
		count++;
	CHECK(errno == EMFILE && count > 32 && count < 200);
	CHECK(dup(fd) == -1 && errno == EMFILE);
	for (int i = 0; i < count; i++)
		CHECK(!close(all[i]));
	/* What stands in the place of a closed one is a plain file again. */
	file = open("/dev/null", O_RDWR);
	CHECK(dup2(file, all[0]) == all[0] && write(all[0], e, 3) == 3);
	CHECK(read(all[0], text, 1) == 0 && !close(all[0]) && !close(file));
	/* The text is there also for who reads it by another number. */
	file = open(STATUS_FILE, O_RDONLY);
	CHECK(dup2(file, 30) == 30);
	CHECK(read(30, text, sizeof(text) - 1) > 0 && strstr(text, "numbers # Used by ftrace\n"));
	CHECK(!close(30) && !close(file));
	CHECK(read(fd, text, 1) == -1 && errno == EINVAL);
	/* A file of the text cannot be written to that way. */
	file = open("/sys/kernel/tracing/dynamic_events", O_WRONLY);
	CHECK(dup2(file, 30) == 30 && write(30, "u:silent\n", 9) == -1 && errno == EPERM);
	CHECK(!close(30) && !close(file));
}

/* Behind exec the number is known, and the bits of the former program are forgotten. */
static void executed(const char *program)
{
	uint32_t index;
	static uint32_t word;
	char fd_text[16], index_text[16];
	int status;
	pid_t pid;

	index = reg_event(fd, &word, "fork u32 pid; u32 number");
	snprintf(fd_text, sizeof(fd_text), "%d", fd);
	snprintf(index_text, sizeof(index_text), "%u", (unsigned int)index);
	fflush(NULL);
	pid = vfork();
	if (!pid) {
		execl(program, program, "child", fd_text, index_text, "100", (char *)NULL);
		_exit(127);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

static void too_long(void)
{
	static uint32_t word, e[2048];

	e[0] = reg_event(fd, &word, "long u32 number");
	CHECK(write(fd, e, sizeof(e)) == sizeof(e));
	CHECK(write(fd, e, 8) == 8);
}

int main(int argc, char **argv)
{
	fd = open(DATA_FILE, O_RDWR);
	CHECK(fd >= 0);
	signalled();
	numbers();
	if (argc > 1)
		executed(argv[1]);
	too_long();
	puts("all as it should be");
	return 0;
}
