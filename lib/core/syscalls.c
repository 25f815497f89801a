/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the names of a system call by the machine and its number. The tables are generated from
 * the kernel's (syscall_table.c). Used by histograms, the table syscall and exporters.
 */
#include "syscalls.h"

#include <string.h>

/* The calls of one machine, by number; shared tables have several names. */
struct tdat_syscalls {
	const char *machine;
	const struct tdat_syscall *v;
	const size_t *count;
};

/*
 * Finds the list for a machine as uname names it; NULL: it is not known. aarch64, riscv64 and
 * loongarch64 use the kernel's generic table.
 */
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

/* The name as programs know it, such as "read"; NULL: no such number. */
const char *tdat_syscall_name(const struct tdat_syscalls *calls, uint32_t number)
{
	const bool known = calls && number < *calls->count && *calls->v[number].name;

	return known ? calls->v[number].name : NULL;
}

/* The kernel's function, such as "sys_newstat", by which events are named. */
const char *tdat_syscall_function(const struct tdat_syscalls *calls, uint32_t number)
{
	if (!calls || number >= *calls->count || !*calls->v[number].function)
		return NULL;
	/* arm64 has its own function for personality (arch/arm64/kernel/sys.c). */
	if (number == 92 && !strcmp(calls->machine, "aarch64"))
		return "sys_arm64_personality";
	return calls->v[number].function;
}
