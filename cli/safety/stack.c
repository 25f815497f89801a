/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the program on a thread with a stack of its own if the limit of the stack is small. The
 * limit itself cannot be raised: whoever sets it usually sets the hard one, too.
 */
#include "safety/stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "core/thread.h"
#include "terminal/message.h"

/* The function, and where its result goes. */
struct run {
	int (*fn)(int argc, char **argv);
	int argc, status;
	char **argv;
};

static void *run(void *arg)
{
	struct run *r = arg;

	r->status = r->fn(r->argc, r->argv);
	return NULL;
}

/* The main thread only waits. */
static int run_on_thread(struct run *r)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t all;
	int rc = pthread_attr_init(&attr);

	if (!rc) {
		rc = pthread_attr_setstacksize(&attr, TDAT_STACK_LEN);
		rc = rc ? rc : pthread_create(&thread, &attr, run, r);
		pthread_attr_destroy(&attr);
	}
	if (rc)
		return cli_nomem();
	/* Signals interrupt what the program waits for, so they go to its thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_join(thread, NULL);
	return r->status;
}

/* TDAT_STACK_LEN is what the deepest parser needs; the usual limit of 8 MiB is more. */
int cli_stack_run(int (*fn)(int argc, char **argv), int argc, char **argv)
{
	struct run r = {.fn = fn, .argc = argc, .argv = argv};
	struct rlimit lim;

	if (getrlimit(RLIMIT_STACK, &lim) || lim.rlim_cur >= TDAT_STACK_LEN)
		return fn(argc, argv);
	return run_on_thread(&r);
}
