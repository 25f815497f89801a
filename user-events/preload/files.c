/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens the files of tracefs that this library provides instead of the kernel, and knows which
 * descriptors of the program are these files. A user_events_data is an open file of the recorder's
 * lock file. Position and lock of an open file are shared by its duplicates, also in other
 * processes, as the kernel shares the indexes of user_events_data. The position is the number of
 * its struct ue_file; the lock shows that it is in use. All other files are nameless ones with
 * their text, whose name shows their kind.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "state.h"

#define TEXT_NAME "tdat_user_events"

/* ---- descriptors ---- */

/* Descriptors above the table are never ours: opening fails then. */
void ue_fd_set(int fd, uint32_t entry)
{
	if ((unsigned int)fd >= UE_FD_MAX || ue.fds[fd] == entry)
		return;
	atomic_store_explicit(&ue.fds[fd], entry, memory_order_relaxed);
	ue.uses_data |= UE_FD_KIND(entry) == UE_DATA;
}

/* True in a child of vfork(), which must not change what its parent knows. */
bool ue_is_borrowed(void)
{
	/* A child of fork() or clone() has state of its own, one of vfork() that of its parent. */
	ue_current();
	return atomic_load(&ue.pid) != (int32_t)syscall(SYS_getpid);
}

/* Returns a descriptor of a new user_events_data, or -1 and errno. */
static int open_data(int flags)
{
	int fd = ue_open_of_recorder(ue.shared->lock_file, O_RDWR | (flags & O_CLOEXEC));
	int slot;

	if (fd < 0)
		return -1;
	ue_lock_registry();
	slot = ue_take_slot(fd);
	ue_unlock_registry();
	if (slot < 0 || fd >= UE_FD_MAX || lseek(fd, slot, SEEK_SET) != slot) {
		UE_NEXT(close)(fd);
		return ue_refuse(EMFILE);
	}
	ue_fd_set(fd, (uint32_t)UE_DATA << 24 | (uint32_t)slot);
	return fd;
}

/*
 * Opens a file of text. One that was opened for writing refuses writes itself: those of the program
 * go through write() of this library. Others then fail instead of being lost silently.
 */
static int open_text(struct ue_target t, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	char name[64], *text;
	size_t len = 0;
	int fd;

	snprintf(name, sizeof(name), TEXT_NAME ":%d:%u", (int)t.kind, (unsigned int)t.number);
	text = ue_text(t, &len);
	if (!text)
		return ue_refuse(ENOMEM);
	fd = memfd_create(name, MFD_ALLOW_SEALING | (flags & O_CLOEXEC ? MFD_CLOEXEC : 0));
	/* A number beyond the table could not be remembered. */
	if (fd >= UE_FD_MAX || (fd >= 0 && UE_NEXT(pwrite)(fd, text, len, 0) != (ssize_t)len)) {
		UE_NEXT(close)(fd);
		errno = EMFILE;
		fd = -1;
	}
	free(text);
	if (fd >= 0 && writes)
		UE_NEXT(fcntl)(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
	if (fd >= 0)
		ue_fd_set(fd, (uint32_t)t.kind << 24 | (t.number & UE_ALL));
	return fd;
}

bool ue_open_path(int dirfd, const char *path, int flags, int *fd)
{
	struct ue_target t = ue_path(dirfd, path);

	if (t.kind == UE_NONE || flags & O_PATH)
		return false;
	*fd = ue_open(t, flags);
	return true;
}

int ue_open(struct ue_target target, int flags)
{
	const int errnum = ue_check_open(flags);

	if (errnum)
		return ue_refuse(errnum);
	ue_opening(target, flags);
	return target.kind == UE_DATA ? open_data(flags) : open_text(target, flags);
}

/* Compared by device and inode, which are read once: the recorder keeps the file open. */
static bool is_lock_file(int fd)
{
	static _Atomic uint64_t dev, ino;
	struct stat sb;

	if (!atomic_load(&ino)) {
		int own = ue_open_of_recorder(ue.shared->lock_file, O_RDONLY | O_CLOEXEC);

		if (own < 0)
			return false;
		if (!fstat(own, &sb)) {
			atomic_store(&dev, sb.st_dev);
			atomic_store(&ino, sb.st_ino);
		}
		UE_NEXT(close)(own);
	}
	return !fstat(fd, &sb) && sb.st_ino == atomic_load(&ino) && sb.st_dev == atomic_load(&dev);
}

/* Returns what a descriptor is, by the file that it refers to; 0: none of ours. */
static uint32_t recognise(int fd)
{
	char link[64], name[128];
	unsigned int number;
	ssize_t len;
	int kind;

	if (is_lock_file(fd)) {
		off_t slot = lseek(fd, 0, SEEK_CUR);

		return slot >= 0 && slot < UE_FILES_MAX ? (uint32_t)UE_DATA << 24 | (uint32_t)slot
							: 0;
	}
	/* The kernel shows the name of a memfd in its link. */
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, name, sizeof(name) - 1);
	if (len <= 0)
		return 0;
	name[len] = '\0';
	if (sscanf(name, "/memfd:" TEXT_NAME ":%d:%u", &kind, &number) != 2 || kind <= UE_DATA ||
	    kind > UE_ID)
		return 0;
	return (uint32_t)kind << 24 | (number & UE_ALL);
}

/* errno stays: the caller continues with the program's own call. */
uint32_t ue_adopt(int fd)
{
	int old = errno;
	uint32_t entry = ue.shared && (unsigned int)fd < UE_FD_MAX ? recognise(fd) : 0;

	if (entry && !ue_is_borrowed())
		ue_fd_set(fd, entry);
	errno = old;
	return entry;
}

/* A confined thread must not make system calls, so it trusts the table. */
bool ue_is_still_ours(int fd)
{
	int old = errno;
	uint32_t entry = ue_is_confined() ? ue_fd(fd) : recognise(fd);

	if (entry != ue_fd(fd))
		ue_fd_set(fd, entry);
	errno = old;
	return entry != 0;
}

/* Finds out which descriptors the program inherited from the one that started it. */
void ue_adopt_all(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *d;

	if (!dir)
		return;
	while ((d = readdir(dir))) {
		int fd = atoi(d->d_name);

		/* The descriptor of the folder itself is closed below. */
		if (d->d_name[0] != '.' && fd != dirfd(dir))
			ue_adopt(fd);
	}
	closedir(dir);
}
