/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program and writes a trace of the user_events that it and its children write. It makes
 * the shared memory (user-events/recorder/session.c), starts the program, drains rings or answers
 * notified calls until the last process ends, and finishes the file. A signal ends the
 * recording, not the program; what was recorded until then is kept.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user_record.h"
#include "recorder/recorder.h"
#include "safety/own_input.h"
#include "terminal/message.h"

/* How long the recorder sleeps without events; rings wake it when they are half full. */
enum { SLEEP_MIN_NS = 500 * 1000, SLEEP_MAX_NS = 10 * 1000 * 1000, SERVE_NS = SLEEP_MAX_NS };

/* Signals so far. The loops below read the counters, as handlers can do no more. */
static volatile sig_atomic_t interrupts, terminations;

static void on_interrupt(int number)
{
	if (number == SIGTERM)
		terminations++;
	else
		interrupts++;
}

/* Without SA_RESTART, so that a signal ends the sleep or the wait for a call. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_interrupt};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGQUIT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* One run of the command. The session and the notifications end with it. */
struct run {
	struct record_session session;
	struct record_notify *notify; /* NULL: by the library */
	const struct user_record_args *args;
	int control;
	pid_t pid;
	int status; /* of the program, as wait() gives it; -1: not ended */
};

/*
 * Collects the ended children, among them orphans of the program: the recorder is their subreaper.
 * False: no process is left.
 */
static bool reap(struct run *run)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == run->pid)
			run->status = status;
	return pid == 0 || errno != ECHILD;
}

/*
 * Sleeps until a program wakes the recorder or ns have passed. 0 is what wake has while nobody did.
 */
static void sleep_until_rung(struct ue_shared *shared, uint64_t ns)
{
	struct timespec t = {0, (long)ns};

	syscall(SYS_futex, &shared->wake, FUTEX_WAIT, 0, &t, NULL, 0);
}

/*
 * The terminal sent the first interrupt to the program as well, which may end by it. A second one,
 * or a second request to terminate, ends the recording while the program continues.
 */
static bool is_stopped(struct run *run)
{
	static int forwarded;

	if (terminations && !forwarded) {
		forwarded = 1;
		if (run->status < 0)
			kill(run->pid, SIGTERM);
	}
	return interrupts + terminations > 1;
}

/*
 * Drains the rings, or answers calls, until no process is left or a signal ends the recording.
 * *alive: some process is left. The names of tasks and the last losses close the trace.
 */
static int record_all(struct run *run, bool *alive)
{
	struct record_session *s = &run->session;
	uint64_t count = 0, sleep_ns = SLEEP_MIN_NS;
	int rc = CLI_OK;

	while (*alive && rc == CLI_OK && !is_stopped(run)) {
		/* Before the rings are read: a wake that comes later ends the sleep at once. */
		atomic_store(&s->shared->wake, 0);
		*alive = reap(run);
		if (!run->notify)
			rc = record_drain(s, false, &count);
		record_upkeep(s);
		record_control_serve(s, run->control);
		/* Each drain without a record doubles the sleep. */
		sleep_ns = count ? SLEEP_MIN_NS : sleep_ns < SLEEP_MAX_NS ? 2 * sleep_ns : sleep_ns;
		if (sleep_ns > SLEEP_MAX_NS)
			sleep_ns = SLEEP_MAX_NS;
		if (*alive && rc == CLI_OK && run->notify)
			rc = record_notify_serve(run->notify, SERVE_NS);
		else if (*alive && rc == CLI_OK)
			sleep_until_rung(s->shared, sleep_ns);
	}
	/* Programs that outlive the recording then stop writing. */
	if (*alive)
		record_disable_all(s);
	record_upkeep(s);
	if (run->notify)
		record_notify_stop(run->notify);
	/* Records that were being written at the last look come now. */
	for (count = !run->notify; rc == CLI_OK && count;)
		rc = record_drain(s, true, &count);
	return rc == CLI_OK ? record_emit_end(s) : rc;
}

/*
 * Calls of programs would fail without the recorder, so it still answers them after the trace was
 * written, up to one more signal.
 */
static void stay(struct run *run)
{
	const int before = interrupts + terminations;
	bool alive = reap(run);

	if (alive)
		cli_error(run->args->out.path,
			  "the recording has ended; the recorder runs until its programs end, "
			  "because it handles their system calls");
	while (alive && interrupts + terminations == before) {
		record_notify_serve(run->notify, SERVE_NS);
		record_upkeep(&run->session);
		alive = reap(run);
	}
	if (alive)
		cli_error(run->args->out.path,
			  "the recorder ends: open() and fork() in its programs now fail");
}

/* Reports what a user must know of the trace, and returns the exit status. */
static int conclude(const struct run *run)
{
	const struct record_session *s = &run->session;
	const struct ue_shared *shared = s->shared;
	uint32_t unreached = atomic_load(&shared->unreached);
	const char *path = run->args->out.path;
	int rc = CLI_OK;

	if (s->lost) {
		cli_error(path, "%" PRIu64 " event%s lost: %s", s->lost,
			  s->lost == 1 ? " was" : "s were",
			  run->notify ? "too long for a page" : "raise --ring-size or --wait");
		rc = CLI_FAILED;
	}
	if (unreached)
		cli_error(path,
			  "%" PRIu32 " program%s started that cannot be recorded: %.255s: %.63s",
			  unreached, unreached == 1 ? " was" : "s were", shared->unreached_path,
			  shared->unreached_why);
	if (s->unfollowed)
		cli_error(path, "%" PRIu64 " bits of other processes could not be set",
			  s->unfollowed);
	if (!run->args->out.quiet)
		cli_error(path, "%" PRIu64 " event%s of %zu thread%s, %" PRIu64 " lost", s->events,
			  s->events == 1 ? "" : "s", s->comm_count, s->comm_count == 1 ? "" : "s",
			  s->lost);
	if (rc || run->status < 0)
		return rc;
	return WIFSIGNALED(run->status) ? 128 + WTERMSIG(run->status) : WEXITSTATUS(run->status);
}

/* Completes the file, and returns the status of the command. */
static int finish(const struct run *run, struct tdat_writer *writer, int rc)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	if (rc)
		return rc;
	if (tdat_writer_finish(writer, &err))
		return cli_fail(run->args->out.path, &err);
	return conclude(run);
}

/* The writer exists before the program does, so that a full disk or a wrong name fails early. */
static int write_trace(struct run *run, struct tdat_writer *writer, const char *library,
		       const char *program, char *const *words)
{
	bool alive = true;
	int rc;

	run->session.emit = tdat_writer_emit(writer);
	/* The facts of the machine come before the first event. */
	rc = record_emit_info(&run->session);
	if (rc)
		return rc;
	catch_signals();
	rc = record_program_start(&run->session, library, program, words, &run->pid);
	if (rc)
		return rc;
	rc = finish(run, writer, record_all(run, &alive));
	if (run->notify && alive)
		stay(run);
	return rc;
}

/* Notifications reach the program and all of its children, so that no library is needed then. */
static int choose_way(struct run *run, bool is_static, char *library, size_t cap)
{
	if (!is_static && !run->args->notify)
		return record_library(library, cap);
	return record_notify_new(&run->notify, &run->session);
}

/* Makes all that a run needs, the output last, and removes the socket at the end. */
static int open_and_write(struct run *run, char *const *words)
{
	struct tdat_writer_opts opts = TDAT_WRITER_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	const char *control = run->args->control;
	char library[4096] = "", program[4096];
	struct tdat_writer *writer;
	bool is_static = false;
	/* The program is found first: whether it is static decides on the way. */
	int rc = record_program_find(words[0], program, sizeof(program), &is_static);

	if (!rc)
		rc = choose_way(run, is_static, library, sizeof(library));
	if (!rc && control)
		rc = record_control_open(control, &run->control);
	if (rc)
		return rc;
	cli_output_opts(&run->args->out, &opts);
	if (tdat_writer_new(&writer, run->args->out.path, &opts, &err)) {
		rc = cli_output_refused(&run->args->out, &err);
	} else {
		rc = write_trace(run, writer, library, program, words);
		tdat_writer_free(writer);
	}
	if (control)
		unlink(control);
	return rc;
}

int cli_user_record(const struct user_record_args *args, char *const *words, int count)
{
	struct record_opts opts = {args->ring_len, args->wait_ms,
				   (const char *const *)args->globs.v, args->globs.count};
	struct run run = {.args = args, .control = -1, .status = -1};
	char **list;
	int rc;

#ifndef TDAT_RECORDS
	cli_error(NULL, "this tdat was built without user-events record (TDAT_RECORD=OFF)");
	return CLI_FAILED;
#endif
	if (!count) {
		cli_error(NULL, "user-events record needs a program: record -- PROGRAM ARGS");
		return CLI_USAGE;
	}
	if (opts.ring_len & (opts.ring_len - 1)) {
		cli_error(NULL, "--ring-size must be a power of two");
		return CLI_USAGE;
	}
	rc = cli_output_check("user-events record", args->out.path, args->out.force, NULL, 0);
	if (rc)
		return rc;
	/* execv() takes a list that ends with NULL. */
	list = calloc((size_t)count + 1, sizeof(*list));
	if (!list)
		return cli_nomem();
	memcpy(list, words, (size_t)count * sizeof(*list));
	rc = record_session_init(&run.session, &opts);
	if (!rc)
		rc = open_and_write(&run, list);
	record_notify_free(run.notify);
	record_session_fini(&run.session);
	free(list);
	if (run.control >= 0)
		close(run.control);
	return rc;
}

/* Needs no session: the recorder of another process answers. */
int cli_user_enable(const struct user_record_args *args, const char *verb, char *const *globs,
		    int count)
{
	int rc = CLI_OK;

	if (!args->control || !count) {
		cli_error(NULL, "user-events %s needs --control PATH and a glob", verb);
		return CLI_USAGE;
	}
	for (int i = 0; i < count && rc == CLI_OK; i++)
		rc = record_control_ask(args->control, verb, globs[i]);
	return rc;
}
