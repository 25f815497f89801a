/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers the system calls that ask whether a file of user_events is there. Where longs have 32
 * bits, of those that ask for its size and rights only statx is answered, which C libraries try
 * first.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "notify_state.h"

static bool put_statx(uint64_t to)
{
	struct statx sx;

	ue_fill_statx(&sx);
	return ue_put((void *)(uintptr_t)to, &sx, sizeof(sx));
}

/* The kernel's structure is that of the C library where longs have 64 bits. */
static bool put_stat(uint64_t to)
{
	struct stat sb;

	UE_FILL_STAT(&sb);
	return ue_put((void *)(uintptr_t)to, &sb, sizeof(sb));
}

/* True if the path, as the thread sees it, names a file of user_events. */
static bool is_ours(int32_t tid, int dirfd, uint64_t path_at)
{
	char path[PATH_MAX], process[16];

	if (ue_string(path, sizeof(path), (const char *)(uintptr_t)path_at))
		return false;
	snprintf(process, sizeof(process), "%d", (int)tid);
	return ue_path_of(process, dirfd, path).kind != UE_NONE;
}

bool notify_stat(const struct seccomp_notif *req, enum notify_call call, int *errnum)
{
	const __u64 *args = req->data.args;
	const bool by_path = call == NOTIFY_ACCESS || call == NOTIFY_STAT;
	const __u64 *rest = by_path ? args + 1 : args + 2;
	bool good;

	if (!is_ours((int32_t)req->pid, by_path ? AT_FDCWD : (int)args[0],
		     by_path ? args[0] : args[1]))
		return false;
	if (call == NOTIFY_ACCESS || call == NOTIFY_ACCESSAT) {
		/* The files cannot be executed: the kernel refuses that. */
		*errnum = 0;
		return !(rest[0] & X_OK);
	}
	/* The struct of statx() is the fifth argument; that of the others follows the path. */
	good = call == NOTIFY_STATX ? put_statx(args[4]) : put_stat(rest[0]);
	*errnum = good ? 0 : EFAULT;
	return true;
}
