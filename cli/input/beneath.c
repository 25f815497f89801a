/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files below a directory by openat2(2), or component by component on old kernels. A
 * capture's directory may contain links made by somebody else. RESOLVE_BENEATH keeps them inside;
 * without openat2 no link is followed at all. Nothing is opened that would block or that is a
 * device.
 */
#include "input/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* openat2(2) by its numbers, which are the same on every machine but alpha. */
enum { NR_OPENAT2 = 437, NO_MAGICLINKS = 0x02, BENEATH = 0x08, RACES = 8, NAME_CAP = 256 };

struct how {
	uint64_t flags, mode, resolve;
};

/*
 * The descriptor of the directory that all names are relative to. Links in its own path are the
 * user's.
 */
int cli_beneath_root(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Opens a name component by component and follows no link. ".." is refused, as it could leave the
 * directory. -1 with errno.
 */
static int open_steps(int root, const char *name, int flags)
{
	int at = root, next;

	for (;;) {
		size_t len = strcspn(name, "/");
		const bool last = !name[len];
		char part[NAME_CAP];
		int saved;

		if (len >= sizeof(part) || (len == 2 && !memcmp(name, "..", 2))) {
			errno = len >= sizeof(part) ? ENAMETOOLONG : EXDEV;
			next = -1;
		} else {
			memcpy(part, name, len);
			part[len] = '\0';
			/* An empty component, as of "a//b", is the directory itself. */
			next = openat(at, len ? part : ".",
				      (last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC) |
					      O_NOFOLLOW);
		}
		saved = errno;
		if (at != root)
			close(at);
		errno = saved;
		if (next < 0 || last)
			return next;
		at = next;
		name += len + 1;
	}
}

/* EPERM may come from a container's filter that does not know openat2. */
static int open_once(int root, const char *name, int flags)
{
	struct how how = {.flags = (uint64_t)flags, .resolve = BENEATH | NO_MAGICLINKS};
	int fd = -1;

	/* A rename meanwhile makes the kernel ask for another try. */
	for (int i = 0; i < RACES; i++) {
		fd = (int)syscall(NR_OPENAT2, root, name, &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_steps(root, name, flags);
	return fd;
}

/* A FIFO may be an input; O_NONBLOCK lets it open without a writer. */
static bool is_kind(int fd, bool directory)
{
	struct stat sb;

	if (fstat(fd, &sb))
		return false;
	if (directory ? S_ISDIR(sb.st_mode) : S_ISREG(sb.st_mode) || S_ISFIFO(sb.st_mode))
		return true;
	errno = S_ISLNK(sb.st_mode) ? ELOOP : EINVAL; /* open_steps found a link */
	return false;
}

/*
 * Opens a file or directory below root. -1 with errno: EXDEV or ELOOP for a link that is not
 * followed, EINVAL for a device or socket.
 */
int cli_beneath_open(int root, const char *name, bool directory)
{
	const int flags =
		O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (directory ? O_DIRECTORY : 0);
	int fd, saved;
	bool ok;

	/*
	 * Opening a device already has effects, hence the kind of the file is checked by O_PATH
	 * before. With O_PATH open_steps opens a link itself, which is_kind refuses.
	 */
	if (!directory) {
		fd = open_once(root, name, O_PATH | O_CLOEXEC);
		if (fd < 0)
			return -1;
		ok = is_kind(fd, false);
		saved = errno;
		close(fd);
		errno = saved;
		if (!ok)
			return -1;
	}
	fd = open_once(root, name, flags);
	if (fd >= 0 && !is_kind(fd, directory)) { /* another file was put there meanwhile */
		saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}
