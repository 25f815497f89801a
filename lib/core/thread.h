/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts the library's threads, and says how many there are to be. */
#ifndef TDAT_CORE_THREAD_H
#define TDAT_CORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes of a stack that are enough for any thread. */
enum { TDAT_STACK_LEN = 1 << 20 };

/*
 * Starts a thread with signals blocked where the C library can do that: those sent to the process
 * go to the threads of the program. What the thread's own work raises (SIGPIPE, SIGBUS, ...) is not
 * blocked, so that it does what it does in any thread. Its stack has TDAT_STACK_LEN or more, as by
 * default it is as small as the limit of the process. False where no thread is to be had.
 */
bool tdat_thread_start(pthread_t *thread, void *(*fn)(void *), void *arg);

/*
 * Runs fn on the calling thread and count - 1 others, or on those of them that can be had, and
 * waits for all. Thread i gets arg + i * step.
 */
void tdat_thread_team(uint32_t count, void *(*fn)(void *), void *arg, size_t step);

/* How many threads a request's number stands for, 1 to most of them; 0: one per CPU. */
uint32_t tdat_thread_count(uint32_t wanted, uint32_t most);

#endif
