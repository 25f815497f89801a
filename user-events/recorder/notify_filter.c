/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the kernel for notifications of system calls, in the process that is recorded. The
 * filter is classic BPF that notifies of calls on files of user_events and lets all others
 * pass. It is installed between fork and exec; only async-signal-safe calls are made there.
 */
#include <errno.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "notify_filter.h"
#include "terminal/message.h"

/*
 * The machine whose call numbers these headers have. The kernel reports that of each call, because
 * one process can use several.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define OWN_ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ARCH AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define OWN_ARCH AUDIT_ARCH_S390X
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OWN_ARCH AUDIT_ARCH_PPC64LE
#else
#define OWN_ARCH 0 /* nothing is ever notified, and notify_install refuses */
#endif

/* The argument of clone() with the flags: s390 has the stack first. */
#ifdef __s390x__
enum { CLONE_FLAGS_ARG = 1 };
#else
enum { CLONE_FLAGS_ARG = 0 };
#endif

/* Newer than the headers of some systems that tdat is built on. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5) /* Linux 5.19 */
#endif
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64) /* Linux 6.6 */
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/*
 * The calls in which a program can name a file of user_events or use its descriptor. Not every
 * machine has each of them.
 */
static const struct notify_rule rules[] = {
#ifdef SYS_open
	{SYS_open, NOTIFY_OPEN},
#endif
	{SYS_openat, NOTIFY_OPENAT},
#ifdef SYS_openat2
	{SYS_openat2, NOTIFY_OPENAT2},
#endif
#ifdef SYS_access
	{SYS_access, NOTIFY_ACCESS},
#endif
	{SYS_faccessat, NOTIFY_ACCESSAT},
#ifdef SYS_faccessat2
	{SYS_faccessat2, NOTIFY_ACCESSAT},
#endif
/* With longs of 32 bits, statx() alone: see notify_stat.c. */
#if LONG_MAX > INT32_MAX
#ifdef SYS_stat
	{SYS_stat, NOTIFY_STAT},
	{SYS_lstat, NOTIFY_STAT},
#endif
#ifdef SYS_newfstatat
	{SYS_newfstatat, NOTIFY_STATAT},
#endif
#endif
#ifdef SYS_statx
	{SYS_statx, NOTIFY_STATX},
#endif
#ifdef SYS_fork
	{SYS_fork, NOTIFY_FORK},
#endif
	{SYS_clone, NOTIFY_FORK},
	{SYS_write, NOTIFY_WRITE},
	{SYS_writev, NOTIFY_WRITEV},
	{SYS_pwrite64, NOTIFY_PWRITE},
	{SYS_pwritev, NOTIFY_WRITEV},
#ifdef SYS_pwritev2
	{SYS_pwritev2, NOTIFY_WRITEV},
#endif
	{SYS_ioctl, NOTIFY_IOCTL},
	{SYS_read, NOTIFY_READ},
	{SYS_readv, NOTIFY_READ},
	{SYS_pread64, NOTIFY_PREAD},
	{SYS_preadv, NOTIFY_PREAD},
#ifdef SYS_preadv2
	{SYS_preadv2, NOTIFY_PREAD},
#endif
	{SYS_dup, NOTIFY_DUP},
#ifdef SYS_fcntl
	{SYS_fcntl, NOTIFY_FCNTL},
#endif
#ifdef SYS_fcntl64
	{SYS_fcntl64, NOTIFY_FCNTL},
#endif
#ifdef SYS_mmap
	{SYS_mmap, NOTIFY_MMAP},
#endif
#ifdef SYS_mmap2
	{SYS_mmap2, NOTIFY_MMAP},
#endif
};

/* A rule has at most six steps; the steps around all rules are five. */
enum { RULES = sizeof(rules) / sizeof(rules[0]), STEPS_MAX = 6 * RULES + 8 };

/* The kernel reports only calls that the filter chose, so NULL is not expected. */
const struct notify_rule *notify_rule_of(int number)
{
	for (size_t i = 0; i < RULES; i++)
		if (rules[i].number == number)
			return &rules[i];
	return NULL;
}

/* ---- the filter ---- */

/* A filter of classic BPF that is being built. */
struct program {
	struct sock_filter steps[STEPS_MAX];
	unsigned short count;
};

/* Adds a step. A jump skips if_true or if_false steps. */
static void add(struct program *p, unsigned int code, unsigned int k, int if_true, int if_false)
{
	p->steps[p->count++] = (struct sock_filter){(unsigned short)code, (unsigned char)if_true,
						    (unsigned char)if_false, k};
}

/* Loads the lower half of an argument. */
static void load_arg(struct program *p, unsigned int arg)
{
	unsigned int at = (unsigned int)offsetof(struct seccomp_data, args) + 8 * arg;

	/*
	 * Classic BPF loads words of 32 bits, and the upper half of an argument comes first here.
	 */
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		at += 4;
	add(p, BPF_LD | BPF_W | BPF_ABS, at, 0, 0);
}

/*
 * The numbers of calls are compared one after the other: the kernel does that once, and remembers
 * of which numbers it knows without a look at arguments that they are allowed.
 */
static void add_rule(struct program *p, const struct notify_rule *rule, unsigned int first_fd)
{
	const unsigned int equal = BPF_JMP | BPF_JEQ | BPF_K, ret = BPF_RET | BPF_K;

	if (rule->call < NOTIFY_FORK || (rule->call == NOTIFY_FORK && rule->number != SYS_clone)) {
		/* An equal number reaches the last step; another one skips it. */
		add(p, equal, (unsigned int)rule->number, 0, 1);
	} else if (rule->call == NOTIFY_FORK) {
		/* A child with the memory of its parent is a thread, or is about to exec. */
		add(p, equal, (unsigned int)rule->number, 0, 4);
		load_arg(p, CLONE_FLAGS_ARG);
		add(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 0, 1);
		add(p, ret, SECCOMP_RET_ALLOW, 0, 0);
	} else {
		add(p, equal, (unsigned int)rule->number, 0, 5);
		/* The descriptor: the first argument of all but mmap(). */
		load_arg(p, rule->call == NOTIFY_MMAP ? 4 : 0);
		/*
		 * One unsigned comparison for both bounds: numbers below first_fd become large
		 * ones.
		 */
		add(p, BPF_ALU | BPF_SUB | BPF_K, first_fd, 0, 0);
		add(p, BPF_JMP | BPF_JGE | BPF_K, NOTIFY_FDS, 0, 1);
		add(p, ret, SECCOMP_RET_ALLOW, 0, 0);
	}
	add(p, ret, SECCOMP_RET_USER_NOTIF, 0, 0);
}

/* Calls with another machine's numbers, as of 32-bit programs, are left to the kernel. */
static void make_filter(struct program *p, unsigned int first_fd)
{
	p->count = 0;
	add(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0);
	add(p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	add(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	for (size_t i = 0; i < RULES; i++)
		add_rule(p, &rules[i], first_fd);
	add(p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/*
 * With WAIT_KILLABLE_RECV a call whose notification was received is not interrupted by a signal, so
 * that none is made, and recorded, twice.
 */
static int ask_kernel(unsigned int first_fd, int *listener)
{
	struct program p;
	struct sock_fprog prog = {.filter = p.steps};

	if (!OWN_ARCH)
		return ENOSYS;
	make_filter(&p, first_fd);
	prog.len = p.count;
	/*
	 * Without privileges the kernel accepts a filter only from a process that cannot gain any
	 * by exec.
	 */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return errno;
	*listener = (int)syscall(
		SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &prog);
	return *listener < 0 ? errno : 0;
}

/* ---- handing the listener over ---- */

/* Room for the control message with one descriptor, with the alignment that it needs. */
union one_fd {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

/* The errno goes as data. The listener goes beside it, as SCM_RIGHTS, if there is one. */
void notify_install(uint32_t first_fd, int socket)
{
	union one_fd control = {{0}};
	int errnum, listener = -1;
	struct iovec iov = {&errnum, sizeof(errnum)};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	struct cmsghdr *head;

	errnum = ask_kernel(first_fd, &listener);
	if (!errnum) {
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		head = CMSG_FIRSTHDR(&msg);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(head), &listener, sizeof(int));
	}
	/* The program does not start if the recorder cannot answer its calls. */
	if (sendmsg(socket, &msg, MSG_NOSIGNAL) != (ssize_t)sizeof(errnum) || errnum)
		_exit(127);
	close(listener);
	close(socket);
}

/* Explains a failure: errno values of seccomp(2) mean little to a user. */
static void tell_why(const char *program, int errnum)
{
	const char *why = strerror(errnum);

	if (errnum == EINVAL || errnum == ENOSYS)
		why = "the kernel lacks the seccomp notifications of Linux 5.19";
	else if (errnum == EBUSY)
		why = "another process already handles its system calls with seccomp";
	cli_error(program, "cannot be recorded through seccomp notifications: %s", why);
}

/* Waits until the new process has asked the kernel, or has ended. */
int notify_receive(int socket, const char *program, int *listener)
{
	union one_fd control = {{0}};
	int errnum = EPROTO;
	struct iovec iov = {&errnum, sizeof(errnum)};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control.buf,
			     .msg_controllen = sizeof(control.buf)};
	const struct cmsghdr *head;
	ssize_t len;
	__u64 flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;

	do {
		len = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);
	} while (len < 0 && errno == EINTR);
	head = CMSG_FIRSTHDR(&msg);
	if (len == (ssize_t)sizeof(errnum) && !errnum && head && head->cmsg_type == SCM_RIGHTS) {
		memcpy(listener, CMSG_DATA(head), sizeof(int));
		/* Faster where the kernel knows it, as only one of the two ever runs. */
		ioctl(*listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags);
		return CLI_OK;
	}
	tell_why(program, errnum ? errnum : EPROTO);
	return CLI_FAILED;
}
