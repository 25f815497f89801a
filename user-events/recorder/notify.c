/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for the system calls that the kernel notifies of, for a given time. It waits
 * with poll(2) on the listener, serves calls through notify_calls.c, and does upkeep in
 * between. After the recording has ended, calls are still answered as long as a process could
 * make one.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "recorder.h"
#include "notify_state.h"
#include "terminal/message.h"

/*
 * A call that was interrupted is noticed after WATCH_US. The program needs FDS_LEAST descriptors:
 * NOTIFY_FDS for the recorder's files, the others for itself.
 */
enum { WATCH_US = 200 * 1000, FDS_LEAST = 128 };

/* ---- making and freeing ---- */

/*
 * Chooses the numbers of descriptors of the recorder's files: the last ones below the limit of the
 * program and below NOTIFY_FDS_BELOW.
 */
static int choose_fds(struct record_notify *n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur < FDS_LEAST) {
		cli_error("user-events record", "fewer than %d open files are allowed", FDS_LEAST);
		return CLI_FAILED;
	}
	n->session->first_fd =
		(uint32_t)(limit.rlim_cur < NOTIFY_FDS_BELOW ? limit.rlim_cur : NOTIFY_FDS_BELOW) -
		NOTIFY_FDS;
	return CLI_OK;
}

/*
 * Makes the buffers for a call and its answer. The kernel's structs may be longer than those of the
 * headers.
 */
static int make_buffers(struct record_notify *n)
{
	struct seccomp_notif_sizes sizes = {0};

	/* If the kernel does not say, the sizes of the headers are used. */
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
		sizes = (struct seccomp_notif_sizes){0};
	n->req_len = sizes.seccomp_notif > sizeof(*n->req) ? sizes.seccomp_notif : sizeof(*n->req);
	n->resp_len = sizes.seccomp_notif_resp > sizeof(*n->resp) ? sizes.seccomp_notif_resp
								  : sizeof(*n->resp);
	n->req = calloc(1, n->req_len);
	n->resp = calloc(1, n->resp_len);
	return n->req && n->resp ? CLI_OK : cli_nomem();
}

/* Finds closed files, and the children of processes whose bits follow events. */
static void upkeep(struct record_notify *n)
{
	notify_files_reap(n);
	notify_adopt_all(n);
}

/* Done before the program starts. After a failure *out is to be freed, too. */
int record_notify_new(struct record_notify **out, struct record_session *s)
{
	struct record_notify *n = calloc(1, sizeof(*n));
	int rc;

	*out = n;
	if (!n)
		return cli_nomem();
	n->session = s;
	n->page_fd = n->slots_fd = -1;
	rc = choose_fds(n);
	if (!rc)
		rc = make_buffers(n);
	if (!rc)
		rc = notify_files_init(n);
	s->notify = n;
	s->before_upkeep = upkeep;
	return rc;
}

void record_notify_free(struct record_notify *n)
{
	if (!n)
		return;
	n->session->notify = NULL;
	n->session->before_upkeep = NULL;
	if (n->session->listener >= 0)
		close(n->session->listener);
	notify_files_fini(n);
	notify_threads_fini(n);
	free(n->req);
	free(n->resp);
	free(n);
}

/* From now on writes fail with EBADF, as of a disabled event. */
void record_notify_stop(struct record_notify *n)
{
	n->is_over = true;
}

/* ---- serving ---- */

/* Does nothing: the signal only ends a system call that waits. */
static void on_alarm(int number)
{
	(void)number;
}

/*
 * A call may end by a signal between poll() and its receipt, which then waits for another one: the
 * alarm ends that.
 */
static void watch(bool on)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	const struct itimerval timer = {.it_interval = {0, on ? WATCH_US : 0},
					.it_value = {0, on ? WATCH_US : 0}};

	if (on)
		sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* Returns after ns, or earlier if a signal comes or no process is left. */
int record_notify_serve(struct record_notify *n, uint64_t ns)
{
	struct pollfd wait = {n->session->listener, POLLIN, 0};
	uint64_t until = record_now_ns() + ns;
	int rc = CLI_OK;

	/* An event may have been enabled by the socket of control.c since the last call. */
	notify_page_update(n);
	watch(true);
	for (n->now_ns = until - ns; rc == CLI_OK && n->now_ns < until;) {
		/* Here ns is less than a second (SERVE_NS), so tv_sec is zero. */
		struct timespec rest = {0, (long)(until - n->now_ns)};

		if (ppoll(&wait, 1, &rest, NULL) <= 0)
			break;
		if (wait.revents & POLLIN) {
			rc = notify_answer_call(n);
			n->now_ns = record_now_ns();
			continue;
		}
		/* No process is left that could make a call, but the last one still ends. */
		nanosleep(&(struct timespec){0, 1000000}, NULL);
		break;
	}
	watch(false);
	return rc;
}
