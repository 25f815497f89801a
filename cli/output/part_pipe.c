/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the command of export --part-pipe. Processes that are made before the sandbox is entered run
 * it, one command at a time each: they read a path and a name, and answer with the status of the
 * command. They end when the pipe to them closes, so also if tdat is killed. The command is the
 * user's; names of parts come from traces, and reach it by its environment only.
 */
#include "output/part_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/temp_file.h"

/* A process that runs commands; who uses its pipes holds the lock. */
struct runner {
	pthread_mutex_t lock;
	pid_t pid; /* 0: there is none */
	int to, from;
};

struct cli_part_pipe {
	uint32_t count;
	atomic_uint turn;
	struct runner runners[];
};

/* ---- in a runner ---- */

/* Returns the status of wait(2), or -1 if the file cannot be read or no process made. */
static int run(const char *command, const char *path, const char *name)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int status = -1;
	pid_t pid;

	if (fd < 0)
		return -1;
	pid = fork();
	if (!pid) {
		if (dup2(fd, STDIN_FILENO) == STDIN_FILENO && !setenv("TDAT_PART", name, 1))
			execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(fd);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static void serve(const char *command, int from, int to)
{
	FILE *in = fdopen(from, "r");
	char *path = NULL, *name = NULL;
	size_t path_cap = 0, name_cap = 0;

	while (in && getdelim(&path, &path_cap, '\0', in) > 0 &&
	       getdelim(&name, &name_cap, '\0', in) > 0) {
		const int status = run(command, path, name);

		if (tdat_fd_write(to, &status, sizeof(status)) != sizeof(status))
			break;
	}
	_exit(0);
}

/* ---- in tdat ---- */

static bool start(struct runner *r, const char *command)
{
	int to[2] = {-1, -1}, from[2] = {-1, -1};

	if (!pipe2(to, O_CLOEXEC) && !pipe2(from, O_CLOEXEC)) {
		r->pid = fork();
		if (!r->pid) {
			close(to[1]);
			close(from[0]);
			serve(command, to[0], from[1]);
		}
	}
	close(to[0]);
	close(from[1]);
	r->to = to[1];
	r->from = from[0];
	return r->pid > 0;
}

enum tdat_status cli_part_pipe_start(struct cli_part_pipe **out, const char *command,
				     uint32_t count, struct tdat_error *err)
{
	struct cli_part_pipe *p = calloc(1, sizeof(*p) + count * sizeof(p->runners[0]));

	*out = p;
	if (!p)
		return tdat_error_no_memory(err, "processes");
	for (; p->count < count; p->count++) {
		struct runner *r = &p->runners[p->count];

		pthread_mutex_init(&r->lock, NULL);
		if (!start(r, command))
			return tdat_error_set_errno(err, errno,
						    "cannot run the command of --part-pipe");
	}
	return TDAT_OK;
}

/* Takes a runner that is free, or waits for one. */
static struct runner *take(struct cli_part_pipe *p)
{
	struct runner *r;

	for (uint32_t i = 0; i < p->count; i++)
		if (!pthread_mutex_trylock(&p->runners[i].lock))
			return &p->runners[i];
	r = &p->runners[atomic_fetch_add(&p->turn, 1) % p->count];
	pthread_mutex_lock(&r->lock);
	return r;
}

enum tdat_status cli_part_pipe_give(struct cli_part_pipe *p, const char *path, const char *name,
				    struct tdat_error *err)
{
	struct runner *r = take(p);
	const size_t path_len = strlen(path) + 1, name_len = strlen(name) + 1;
	int status = -1;
	const bool ran = tdat_fd_write(r->to, path, path_len) == path_len &&
			 tdat_fd_write(r->to, name, name_len) == name_len &&
			 read(r->from, &status, sizeof(status)) == sizeof(status);

	pthread_mutex_unlock(&r->lock);
	if (ran && !status)
		return TDAT_OK;
	if (!ran || status < 0)
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "could not run the command of --part-pipe for %s", name);
	if (WIFSIGNALED(status))
		return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
				      "the command of --part-pipe was killed by signal %d for %s",
				      WTERMSIG(status), name);
	return tdat_error_set(err, TDAT_E_SYSTEM, TDAT_NO_OFFSET,
			      "the command of --part-pipe ended with status %d for %s",
			      WEXITSTATUS(status), name);
}

void cli_part_pipe_stop(struct cli_part_pipe *p)
{
	for (uint32_t i = p ? p->count : 0; i-- > 0;) {
		struct runner *r = &p->runners[i];

		close(r->to);
		close(r->from);
	}
	free(p);
}
