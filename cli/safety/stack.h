/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack for the program that does not depend on the limit it was started with. */
#ifndef CLI_STACK_H
#define CLI_STACK_H

/*
 * cli_stack_run returns what fn returns. Under a small limit of the stack (ulimit -s) fn runs on a
 * thread that has a stack of its own, because running into the limit ends a process by SIGSEGV.
 */
int cli_stack_run(int (*fn)(int argc, char **argv), int argc, char **argv);

#endif
