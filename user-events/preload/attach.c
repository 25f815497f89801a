/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attaches a process to its recorder when it starts, and its children when it forks. It runs as
 * a constructor, before the program's main, and again after fork. Shared memory is found by the
 * environment; without it the library does nothing. A page with MADV_WIPEONFORK shows a child
 * that its rings are its parent's.
 */
#include <fcntl.h>
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

/* The one state of the process: threads share it, a child of fork() gets a copy. */
struct ue_state ue;

/*
 * Signals of this thread while it holds the registry's lock. initial-exec: no memory is allocated.
 */
static _Thread_local __attribute__((tls_model("initial-exec"))) sigset_t old_signals;

/*
 * Blocks all signals first: a handler that calls this library would wait for its own thread's lock.
 */
void ue_lock_registry(void)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ue_lock(&ue.shared->lock);
	old_signals = old;
}

void ue_unlock_registry(void)
{
	sigset_t old = old_signals;

	pthread_mutex_unlock(&ue.shared->lock);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* A futex call only if the recorder may sleep: wake is 1 while it has work. */
void ue_wake_recorder(void)
{
	if (!atomic_exchange(&ue.shared->wake, 1))
		syscall(SYS_futex, &ue.shared->wake, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Descriptors of the recorder are opened through /proc, as the program has none of them. */
int ue_open_of_recorder(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", ue.shared->recorder_pid, fd);
	return UE_NEXT(open)(path, flags);
}

/* The cookie lies in this process's own memory, so the recorder can check it there. */
void ue_identify(struct ue_process *p)
{
	p->pid = getpid();
	p->cookie_at = (uint64_t)(uintptr_t)&ue.wiped->cookie;
	p->cookie = ue.wiped->cookie;
}

/* Waits up to 200 ms. Without an answer the call fails as if nothing could be freed. */
void ue_ask_to_reap(void)
{
	uint32_t want = atomic_fetch_add(&ue.shared->reap_wanted, 1) + 1;

	for (int i = 0; i < 200; i++) {
		struct timespec wait = {0, 1000000};

		ue_wake_recorder();
		nanosleep(&wait, NULL);
		/* The difference is signed: both counters may wrap. */
		if ((int32_t)(atomic_load(&ue.shared->reap_done) - want) >= 0)
			return;
	}
}

/* To standard error: the program's own output stays unchanged. */
static void complain(const char *what)
{
	dprintf(2, "tdat: process %d is not recorded: %s\n", (int)getpid(), what);
}

/*
 * Maps a page that is zero in a new child. False: the kernel has no MADV_WIPEONFORK (Linux 4.14).
 */
static bool map_wiped(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	if (madvise(p, page, MADV_WIPEONFORK)) {
		munmap(p, page);
		return false;
	}
	ue.wiped = p;
	return true;
}

/*
 * Makes this process a new one for the recorder: new cookie, new generation, no place of its own
 * yet.
 */
static void renew(void)
{
	uint64_t cookie = 0;

	/*
	 * Early in boot there may be no random numbers; time then distinguishes processes well
	 * enough.
	 */
	if (getrandom(&cookie, sizeof(cookie), GRND_NONBLOCK) != sizeof(cookie)) {
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC, &now);
		cookie = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec;
	}
	ue.process = 0;
	atomic_store(&ue.pid, (int32_t)syscall(SYS_getpid));
	/* Never 0: that marks a wiped page. */
	ue.cookie = ue.wiped->cookie = cookie | 1;
	ue.wiped->generation = ++ue.generations;
}

/* After clone() or a fork that atfork handlers missed, the page is zero: the process is renewed. */
void ue_current(void)
{
	if (ue.shared && !ue.wiped->generation)
		renew();
}

/* Held over the fork, so that the child gets a registry that nobody is changing. */
static void before_fork(void)
{
	if (ue.shared)
		ue_lock_registry();
}

static void after_fork_in_parent(void)
{
	if (ue.shared)
		ue_unlock_registry();
}

/* The child renews itself. The lock belongs to the parent, which releases it. */
static void after_fork_in_child(void)
{
	sigset_t old = old_signals;
	const uint64_t cookie = ue.cookie;
	uint32_t parent;

	if (!ue.shared)
		return;
	parent = ue.process;
	renew();
	/*
	 * Bits that the parent registered are in the child's memory, too; they follow events there.
	 */
	if (parent)
		ue_follow_again(parent, cookie);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* All of the file is mapped; pages that nobody touches take no memory. */
static struct ue_shared *map_shared(int fd, size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (p == MAP_FAILED)
		return NULL;
	/*
	 * The pages of a ring are first touched one after the other, so that none should be made
	 * before it is needed.
	 */
	madvise(p, len, MADV_NOHUGEPAGE);
	return p;
}

/* Steps that fail leave ue.shared NULL: the program then runs as without this library. */
static void attach(void)
{
	const char *path = getenv(UE_VARIABLE), *preload = getenv("LD_PRELOAD");
	struct ue_shared *shared = NULL;
	struct stat sb;
	int fd;

	if (!path || !*path || strlen(path) >= sizeof(ue.path))
		return;
	fd = UE_NEXT(open)(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		complain("cannot open the recorder's memory");
		return;
	}
	/* Smaller than the tables: not a file of this recorder, so it is not mapped. */
	if (!fstat(fd, &sb) && (uint64_t)sb.st_size >= UE_DATA_OFF)
		shared = map_shared(fd, (size_t)sb.st_size);
	UE_NEXT(close)(fd);
	if (!shared) {
		complain("cannot map the recorder's memory");
		return;
	}
	/* Library and recorder may be of two installations. */
	if (shared->magic != UE_MAGIC || shared->size != sizeof(*shared)) {
		complain("the program and the recorder have different versions");
		return;
	}
	if (!map_wiped()) {
		complain("the kernel does not support MADV_WIPEONFORK");
		return;
	}
	snprintf(ue.path, sizeof(ue.path), "%s", path);
	if (preload && strlen(preload) < sizeof(ue.preload))
		strcpy(ue.preload, preload);
	ue.shared = shared;
	renew();
	/* Descriptors that the program inherited. */
	ue_adopt_all();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/*
 * 101 is the first priority that programs may use: the library is ready before their constructors.
 */
static __attribute__((constructor(101))) void begin(void)
{
	int old = errno;

	attach();
	errno = old;
}

/* Leaves the registry in order. A child of vfork() must not: the memory is its parent's. */
static __attribute__((destructor)) void end(void)
{
	if (ue.shared && !ue_is_borrowed() && ue.wiped->cookie)
		ue_detach();
}
