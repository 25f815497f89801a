/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the names of a system call by the machine and its number. */
#include "syscalls.h"

#include <string.h>

struct tdat_syscalls {
	const char *machine;
	const struct tdat_syscall *v;
	const size_t *count;
};

const struct tdat_syscalls *tdat_syscalls_of(struct tdat_span machine)
{
#define CALLS(name) tdat_syscalls_##name, &tdat_syscalls_##name##_count
	static const struct tdat_syscalls machines[] = {
		{"x86_64", CALLS(x86_64)},	 {"s390x", CALLS(s390x)},
		{"i386", CALLS(i386)},		 {"i486", CALLS(i386)},
		{"i586", CALLS(i386)},		 {"i686", CALLS(i386)},
		{"aarch64", CALLS(generic)},	 {"riscv64", CALLS(generic)},
		{"loongarch64", CALLS(generic)},
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (strlen(machines[i].machine) == machine.len &&
		    !memcmp(machines[i].machine, machine.ptr, machine.len))
			return &machines[i];
	return NULL;
}

const char *tdat_syscall_name(const struct tdat_syscalls *calls, uint32_t number)
{
	return calls && number < *calls->count ? calls->v[number].name : NULL;
}

const char *tdat_syscall_function(const struct tdat_syscalls *calls, uint32_t number)
{
	if (!calls || number >= *calls->count)
		return NULL;
	if (number == 92 && !strcmp(calls->machine, "aarch64"))
		return "sys_arm64_personality";
	return calls->v[number].function;
}
