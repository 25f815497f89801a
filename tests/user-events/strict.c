/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes events after the thread has told the kernel that it will only read, write and end, by
 * strict seccomp or by a filter: any other call kills it. usage: strict strict | filter
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user-events/user_events.h"

static int confine(int strict)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	if (strict)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int main(int argc, char **argv)
{
	static uint32_t word;
	struct reg reg = {.size = sizeof(reg), .enable_size = 4};
	int fd = open(DATA_FILE, O_RDWR);
	uint32_t e[2];

	reg.enable_addr = (uintptr_t)&word;
	reg.name_args = (uintptr_t) "strict u32 a";
	if (argc < 2 || fd < 0 || ioctl(fd, REG, &reg) || confine(!strcmp(argv[1], "strict")))
		return 1;
	e[0] = reg.write_index;
	for (e[1] = 0; e[1] < 1000; e[1]++)
		if (write(fd, e, sizeof(e)) != sizeof(e))
			syscall(SYS_exit, 2);
	/* What fails is no reason for other calls either. */
	e[0] = 9999;
	syscall(SYS_exit, write(fd, e, sizeof(e)) == -1 ? 0 : 3);
}
