/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filter of system calls, one of the two parts of the sandbox. */
#ifndef CLI_SANDBOX_CALLS_H
#define CLI_SANDBOX_CALLS_H

#include <stdbool.h>

/* A sanitizer opens files, starts processes and traces its own process at the end. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define CLI_SANDBOX_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLI_SANDBOX_SANITIZER 1
#endif

#if defined(__linux__) && !defined(CLI_SANDBOX_SANITIZER) && !defined(TDAT_NO_SANDBOX)
#define CLI_SANDBOX_BUILT 1
#else
#define CLI_SANDBOX_BUILT 0
#endif

/*
 * cli_sandbox_calls allows the calls that reading and writing of descriptors,
 * memory and threads need, with open those that name files, with typing those
 * that edit lines on a terminal, with serving those that answer on a socket that listens already,
 * and refuses all others. False: this system has no seccomp.
 * PR_SET_NO_NEW_PRIVS must be set before.
 */
bool cli_sandbox_calls(bool open, bool typing, bool serving);

#endif
