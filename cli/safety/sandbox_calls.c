/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter of system calls, a program of classic BPF that seccomp runs at each call. The lists
 * below are all that a reader or writer needs after files are opened; calls that are newer than the
 * list fail with ENOSYS, as on an older kernel. Why not libseccomp:
 * docs/decisions/001-own-system-call-filter.md.
 */
#include "safety/sandbox_calls.h"

#if CLI_SANDBOX_BUILT

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers of calls depend on the machine: a call by another machine's numbers is refused. */
#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define OWN_ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && !defined(__ARMEB__)
#define OWN_ARCH AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define OWN_ARCH AUDIT_ARCH_S390X
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define OWN_ARCH AUDIT_ARCH_PPC64LE
#elif defined(__powerpc64__)
#define OWN_ARCH AUDIT_ARCH_PPC64
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_ARCH AUDIT_ARCH_RISCV64
#endif

#ifdef OWN_ARCH

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4
#endif

/* Calls that are always allowed; the filter compares in this order, so frequent ones come first. */
static const uint32_t always[] = {
	__NR_read,
	__NR_write,
	__NR_pread64,
	__NR_pwrite64,
	__NR_futex,
	__NR_munmap,
	__NR_madvise,
	__NR_brk,
	__NR_mremap,
	__NR_close,
	__NR_readv,
	__NR_writev,
	__NR_lseek,
	__NR_fcntl,
	__NR_dup,
	__NR_dup3,
	__NR_fsync,
	__NR_fdatasync,
	__NR_ftruncate,
	__NR_fallocate,
	/* These tell facts of an open file; of a name they tell only that it exists. */
	__NR_fstat,
	__NR_fstatfs,
	__NR_statx,
	__NR_exit,
	__NR_exit_group,
	__NR_set_robust_list,
	__NR_sched_yield,
	__NR_sched_getaffinity,
	__NR_getpid,
	__NR_gettid,
	__NR_rt_sigaction,
	__NR_rt_sigprocmask,
	__NR_rt_sigreturn,
	__NR_sigaltstack,
	__NR_restart_syscall,
	__NR_clock_gettime,
	__NR_clock_nanosleep,
	__NR_nanosleep,
	__NR_gettimeofday,
	__NR_sysinfo,
#ifdef __NR_newfstatat
	__NR_newfstatat,
#endif
#ifdef __NR_copy_file_range
	__NR_copy_file_range,
#endif
#ifdef __NR_getrandom
	__NR_getrandom,
#endif
#ifdef __NR_rseq
	__NR_rseq,
#endif
#ifdef __NR_membarrier
	__NR_membarrier,
#endif
#ifdef __NR_dup2
	__NR_dup2,
#endif
#ifdef __NR_poll
	__NR_poll,
#endif
#ifdef __NR_ppoll
	__NR_ppoll,
#endif
/* Only machines of 32 bits have these calls. */
#ifdef __NR__llseek
	__NR__llseek,
#endif
#ifdef __NR_fcntl64
	__NR_fcntl64,
#endif
#ifdef __NR_fstat64
	__NR_fstat64,
#endif
#ifdef __NR_fstatat64
	__NR_fstatat64,
#endif
#ifdef __NR_ftruncate64
	__NR_ftruncate64,
#endif
#ifdef __NR_clock_gettime64
	__NR_clock_gettime64,
#endif
#ifdef __NR_clock_nanosleep_time64
	__NR_clock_nanosleep_time64,
#endif
#ifdef __NR_futex_time64
	__NR_futex_time64,
#endif
#ifdef __NR_set_thread_area
	__NR_set_thread_area,
#endif
#ifdef __NR_sigreturn
	__NR_sigreturn,
#endif
};

/* Calls that name files; Landlock decides which files. */
static const uint32_t naming[] = {
	__NR_openat,	 __NR_unlinkat,	 __NR_linkat,  __NR_renameat2,
	__NR_readlinkat, __NR_faccessat, __NR_getcwd,  __NR_getdents64,
	__NR_fchmod,	 __NR_umask,	 __NR_mkdirat,
#ifdef __NR_mkdir
	__NR_mkdir,
#endif
#ifdef __NR_open
	__NR_open,
#endif
#ifdef __NR_stat
	__NR_stat,
#endif
#ifdef __NR_lstat
	__NR_lstat,
#endif
#ifdef __NR_stat64
	__NR_stat64,
#endif
#ifdef __NR_lstat64
	__NR_lstat64,
#endif
#ifdef __NR_access
	__NR_access,
#endif
#ifdef __NR_faccessat2
	__NR_faccessat2,
#endif
#ifdef __NR_readlink
	__NR_readlink,
#endif
#ifdef __NR_unlink
	__NR_unlink,
#endif
#ifdef __NR_link
	__NR_link,
#endif
#ifdef __NR_rename
	__NR_rename,
#endif
#ifdef __NR_renameat
	__NR_renameat,
#endif
};

/* The ioctls TCGETS, TCGETS2 and TIOCGWINSZ, as the machines number them. */
static const uint32_t terminal[] = {0x5401, 0x802c542a, 0x5413, 0x402c7413, 0x40087468};

/*
 * TCSETS, TCSETSW, TCSETSF and those with a 2 at the end of the name; not TIOCSTI, which puts
 * characters into the input of the terminal.
 */
static const uint32_t set_terminal[] = {
	0x5402,	    0x5403,	0x5404,	    0x402c542b, 0x402c542c,
	0x402c542d, 0x802c7414, 0x802c7415, 0x802c7416,
};

/* Calls that wait for what is typed. */
static const uint32_t waiting[] = {
#ifdef __NR_select
	__NR_select,
#endif
#ifdef __NR__newselect
	__NR__newselect,
#endif
#ifdef __NR_pselect6
	__NR_pselect6,
#endif
#ifdef __NR_pselect6_time64
	__NR_pselect6_time64,
#endif
};

/* Calls of a server on a socket that listens already: it cannot make another one, or connect. */
static const uint32_t serving_calls[] = {
#ifdef __NR_accept
	__NR_accept,
#endif
	__NR_accept4,
	__NR_recvfrom,
	__NR_recvmsg,
	__NR_sendto,
	__NR_sendmsg,
	__NR_shutdown,
	__NR_getsockopt,
	__NR_setsockopt,
	__NR_getsockname,
	__NR_getpeername,
	__NR_eventfd2,
	__NR_pipe2,
	__NR_epoll_create1,
	__NR_epoll_ctl,
	__NR_epoll_pwait,
	__NR_rt_sigtimedwait,
#ifdef __NR_epoll_wait
	__NR_epoll_wait,
#endif
#ifdef __NR_sendfile
	__NR_sendfile,
#endif
#ifdef __NR_sendfile64
	__NR_sendfile64,
#endif
#ifdef __NR_rt_sigtimedwait_time64
	__NR_rt_sigtimedwait_time64,
#endif
};

enum {
	PROG_MAX = 512,
	NEWEST_KNOWN = 462 /* mseal; later calls fail with ENOSYS as on an older kernel */
};

/* The program is built once for each process; a program that does not fit is not entered. */
struct prog {
	struct sock_filter code[PROG_MAX];
	unsigned short len;
};

/* Appends an instruction; yes and no are the instructions to skip if a test holds or fails. */
static void add(struct prog *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	if (p->len < PROG_MAX)
		p->code[p->len++] = (struct sock_filter){code, yes, no, k};
}

/* Loads a word of struct seccomp_data, the input of the filter. */
static void load(struct prog *p, size_t off)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)off, 0, 0);
}

/* Loads the low half of an argument, where all flags are. */
static void load_arg(struct prog *p, unsigned arg)
{
	size_t off = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	off += sizeof(uint32_t);
#endif
	load(p, off);
}

static void add_return(struct prog *p, uint32_t action)
{
	add(p, BPF_RET | BPF_K, action, 0, 0);
}

/* A refused call fails with an error number: the program can report it and continue. */
static void add_refusal(struct prog *p, int errnum)
{
	add_return(p, SECCOMP_RET_ERRNO | (uint32_t)errnum);
}

/* Two instructions for each call of the list. */
static void allow_equal(struct prog *p, const uint32_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, list[i], 0, 1);
		add_return(p, SECCOMP_RET_ALLOW);
	}
}

/* Allows call nr only if a bit of `bits` is set in an argument, or with set false if none is. */
static void allow_bits(struct prog *p, uint32_t nr, unsigned arg, uint32_t bits, bool set)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4);
	load_arg(p, arg);
	add(p, BPF_JMP | BPF_JSET | BPF_K, bits, set ? 0 : 1, set ? 1 : 0);
	add_return(p, SECCOMP_RET_ALLOW);
	add_refusal(p, EPERM);
}

/*
 * The order: machine, calls of the lists, calls with conditions, new calls, ioctl. Calls behind
 * that are refused with EPERM.
 */
static void build(struct prog *p, bool open, bool typing, bool serving)
{
#ifdef __s390x__
	const unsigned clone_flags = 1;
#else
	const unsigned clone_flags = 0;
#endif

	load(p, offsetof(struct seccomp_data, arch));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0);
	add_refusal(p, EPERM);
	load(p, offsetof(struct seccomp_data, nr));
	allow_equal(p, always, sizeof(always) / sizeof(always[0]));
	if (open)
		allow_equal(p, naming, sizeof(naming) / sizeof(naming[0]));
	if (typing)
		allow_equal(p, waiting, sizeof(waiting) / sizeof(waiting[0]));
	if (serving)
		allow_equal(p, serving_calls, sizeof(serving_calls) / sizeof(serving_calls[0]));
	/*
	 * clone may make threads, but no processes. The filter cannot see the flags of
	 * clone3, so that fails with ENOSYS and libc uses clone instead.
	 */
	allow_bits(p, __NR_clone, clone_flags, CLONE_THREAD, true);
#ifdef __NR_clone3
	add(p, BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1);
	add_refusal(p, ENOSYS);
#endif
	/* Only the loader of plugins maps code. */
#if defined(__s390x__)
	/* s390x passes the arguments of mmap in memory, which a filter cannot read. */
	allow_equal(p, &(const uint32_t){__NR_mmap}, 1);
#elif defined(__NR_mmap2)
	allow_bits(p, __NR_mmap2, 2, open ? 0 : PROT_EXEC, false);
#else
	allow_bits(p, __NR_mmap, 2, open ? 0 : PROT_EXEC, false);
#endif
	allow_bits(p, __NR_mprotect, 2, open ? 0 : PROT_EXEC, false);
	/* abort() sends a signal to the own process. */
	add(p, BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4);
	load_arg(p, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1);
	add_return(p, SECCOMP_RET_ALLOW);
	add_refusal(p, EPERM);
	add(p, BPF_JMP | BPF_JGT | BPF_K, NEWEST_KNOWN, 0, 1);
	add_refusal(p, ENOSYS);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 1, 0);
	add_refusal(p, EPERM);
	load_arg(p, 1);
	allow_equal(p, terminal, sizeof(terminal) / sizeof(terminal[0]));
	if (typing)
		allow_equal(p, set_terminal, sizeof(set_terminal) / sizeof(set_terminal[0]));
	add_refusal(p, EPERM);
}

/*
 * TSYNC applies the filter to all threads of the process. False: the kernel has no seccomp, or
 * refuses.
 */
bool cli_sandbox_calls(bool open, bool typing, bool serving)
{
	const unsigned threads = SECCOMP_FILTER_FLAG_TSYNC;
	struct prog p = {.len = 0};
	struct sock_fprog fprog;

	build(&p, open, typing, serving);
	if (p.len == PROG_MAX)
		return false;
	fprog = (struct sock_fprog){p.len, p.code};
	/* Without SPEC_ALLOW, older kernels slow the process down against speculation attacks. */
	return !syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
			threads | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &fprog) ||
	       (errno == EINVAL &&
		!syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, threads, &fprog));
}

#else

bool cli_sandbox_calls(bool open, bool typing, bool serving)
{
	(void)open;
	(void)typing;
	(void)serving;
	return false;
}

#endif
#endif
