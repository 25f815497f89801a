/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of system calls by their numbers, of 64-bit programs. */
#ifndef TDAT_MODEL_SYSCALL_NAMES_H
#define TDAT_MODEL_SYSCALL_NAMES_H

#include <stdint.h>

#include <tdat/base.h>

struct model_syscalls;

/* The system calls of a machine as uname(2) names it, such as "x86_64"; NULL: they are not known.
 */
const struct model_syscalls *model_syscalls_of(struct tdat_span machine);
/* The kernel's function of a number, such as "sys_read"; NULL: it has none, or calls is NULL. */
const char *model_syscall_name(const struct model_syscalls *calls, uint32_t number);

#endif
