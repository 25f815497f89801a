/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program and measures what it took. */
#include "outcome.h"

#include "steps.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void die(const char *what)
{
	perror(what);
	exit(2);
}

/* Where programs count: a number that they share with us, behind a descriptor. */
static volatile uint64_t *steps;

static void share_steps(void)
{
	char text[32];
	int fd;

	if (steps)
		return;
	fd = memfd_create("steps", 0);
	if (fd < 0 || ftruncate(fd, sizeof(*steps)))
		die("memfd_create");
	steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (steps == MAP_FAILED)
		die("mmap");
	snprintf(text, sizeof(text), "%d", fd);
	setenv(STEPS_FD, text, 1);
}

void limit_steps(uint64_t most)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)most);
	setenv(STEPS_MOST, text, 1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static pid_t start(char **args, const char *err, int *out)
{
	int pipes[2], null;
	pid_t pid;

	if (pipe(pipes))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 0);
		dup2(pipes[1], 1);
		dup2(err ? open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600) : null, 2);
		close(pipes[0]);
		close(pipes[1]);
		execvp(args[0], args);
		_exit(127);
	}
	close(pipes[1]);
	*out = pipes[0];
	return pid;
}

/* Counts lines till the end of the output; false: it took too long. */
static bool count_lines(int fd, double until, uint64_t *lines)
{
	static char buf[65536];
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (;;) {
		double left = until - now();
		ssize_t i, n;

		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)(left * 1000) + 1) <= 0)
			continue;
		n = read(fd, buf, sizeof(buf));
		if (n <= 0)
			return true;
		for (i = 0; i < n; i++)
			*lines += buf[i] == '\n';
	}
}

struct outcome run_program(char **args, const char *err, double seconds_most)
{
	struct outcome o = {0};
	double until = now() + seconds_most;
	struct rusage usage;
	pid_t pid;
	int fd;

	share_steps();
	*steps = 0;
	pid = start(args, err, &fd);
	if (!count_lines(fd, until, &o.lines)) {
		o.hung = true;
		kill(pid, SIGKILL);
	}
	close(fd);
	if (wait4(pid, &o.status, 0, &usage) != pid)
		die("wait4");
	o.memory_kb = usage.ru_maxrss;
	o.steps = *steps;
	o.seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	return o;
}
