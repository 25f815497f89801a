/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starts threads that signals do not go to, and counts CPUs. Every thread of the library starts
 * here: a handler of the program must not run in a thread that the program does not know. The
 * count of a request, 0 for one per CPU, is bounded by the caller.
 */
#include "thread.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* A small limit of the stack (ulimit -s) must not be that of threads: parsing recurses. */
bool tdat_thread_start(pthread_t *thread, void *(*fn)(void *), void *arg)
{
	pthread_attr_t attr;
	size_t stack;
	bool started;

	if (pthread_attr_init(&attr))
		return false;
	if (!pthread_attr_getstacksize(&attr, &stack) && stack < TDAT_STACK_LEN)
		pthread_attr_setstacksize(&attr, TDAT_STACK_LEN);
#if defined(__GLIBC_PREREQ) /* not with musl */
#if __GLIBC_PREREQ(2, 32)
	{
		static const int own[] = {SIGPIPE, SIGBUS,  SIGSEGV, SIGFPE,
					  SIGILL,  SIGTRAP, SIGSYS};
		sigset_t blocked;

		/*
		 * Since glibc 2.32 the mask is set before the thread runs. Signals of faults stay
		 * open: they belong to the thread that caused them.
		 */
		sigfillset(&blocked);
		for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
			sigdelset(&blocked, own[i]);
		pthread_attr_setsigmask_np(&attr, &blocked);
	}
#endif
#endif
	started = !pthread_create(thread, &attr, fn, arg);
	pthread_attr_destroy(&attr);
	return started;
}

/*
 * Runs fn count times: once here, the others on threads, and waits for all. If threads cannot be
 * started fewer run, so fn must share the work.
 */
void tdat_thread_team(uint32_t count, void *(*fn)(void *), void *arg, size_t step)
{
	pthread_t *threads = count > 1 ? calloc(count, sizeof(*threads)) : NULL;
	uint32_t started = 0;

	for (uint32_t i = 1; threads && i < count; i++)
		if (tdat_thread_start(&threads[started], fn, (char *)arg + i * step))
			started++;
	fn(arg);
	while (started)
		pthread_join(threads[--started], NULL);
	free(threads);
}

/* The number of threads for a request; 0 asks for one per CPU that is online. */
uint32_t tdat_thread_count(uint32_t wanted, uint32_t most)
{
	if (!wanted) {
		const long online = sysconf(_SC_NPROCESSORS_ONLN);

		wanted = online < 1 ? 1 : (uint32_t)online;
	}
	return wanted < most ? wanted : most;
}
