/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names system calls by their numbers. */
#ifndef TDAT_CORE_SYSCALLS_H
#define TDAT_CORE_SYSCALLS_H

#include <tdat/base.h>

/* "": it has none. Arrays, as thousands of pointers would cost time whenever a program starts. */
struct tdat_syscall {
	char name[32];	   /* that of programs: "uname" */
	char function[36]; /* that of the kernel: "sys_newuname" */
};

struct tdat_syscalls;

/* The system calls of a machine as uname(2) names it, such as "x86_64"; NULL: not known. */
const struct tdat_syscalls *tdat_syscalls_of(struct tdat_span machine);
/* NULL, also for a number without a name, or where calls is NULL. */
const char *tdat_syscall_name(const struct tdat_syscalls *calls, uint32_t number);
const char *tdat_syscall_function(const struct tdat_syscalls *calls, uint32_t number);

/* syscall_table.c */
extern const struct tdat_syscall tdat_syscalls_x86_64[], tdat_syscalls_i386[],
	tdat_syscalls_s390x[], tdat_syscalls_generic[];
extern const size_t tdat_syscalls_x86_64_count, tdat_syscalls_i386_count, tdat_syscalls_s390x_count,
	tdat_syscalls_generic_count;

#endif
