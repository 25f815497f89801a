/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interposes writing, reading, mapping and ioctl. Calls on other files continue after a look at a
 * table of descriptors. Reads make texts anew at their start, writes go through write.c, ioctls
 * through ioctl.c, and the status page can be mapped.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "state.h"

/* Programs find the functions that are defined here. */
#pragma GCC visibility push(default)

#define LIKELY(x) __builtin_expect(!!(x), 1)

/*
 * The body of each writing call. If a write to a known descriptor fails, the program may have
 * closed it behind the library. An unknown descriptor whose write the kernel refuses may have come
 * from another process: all files of this library refuse writes.
 */
#define WRITE_ANY(fd, ours, theirs)                                                                \
	do {                                                                                       \
		uint32_t entry = ue_fd(fd);                                                        \
		ssize_t n;                                                                         \
		if (LIKELY(!entry)) {                                                              \
			n = theirs;                                                                \
			if (LIKELY(n >= 0) || errno != EPERM || !(entry = ue_adopt(fd)))           \
				return n;                                                          \
		}                                                                                  \
		n = ours;                                                                          \
		if (LIKELY(n >= 0) || ue_is_still_ours(fd))                                        \
			return n;                                                                  \
		return theirs;                                                                     \
	} while (0)

ssize_t write(int fd, const void *buf, size_t len)
{
	WRITE_ANY(fd, ue_write(entry, buf, len), UE_NEXT(write)(fd, buf, len));
}

ssize_t writev(int fd, const struct iovec *iov, int count)
{
	WRITE_ANY(fd, ue_writev(entry, iov, count), UE_NEXT(writev)(fd, iov, count));
}

/* The kernel accepts only writes at position 0. */
static ssize_t at_start(off64_t off, ssize_t n)
{
	return off ? ue_refuse(EFAULT) : n;
}

ssize_t pwrite(int fd, const void *buf, size_t len, off_t off)
{
	WRITE_ANY(fd, off ? at_start(off, 0) : ue_write(entry, buf, len),
		  UE_NEXT(pwrite)(fd, buf, len, off));
}

ssize_t pwrite64(int fd, const void *buf, size_t len, off64_t off)
{
	WRITE_ANY(fd, off ? at_start(off, 0) : ue_write(entry, buf, len),
		  UE_NEXT(pwrite64)(fd, buf, len, off));
}

ssize_t pwritev(int fd, const struct iovec *iov, int count, off_t off)
{
	WRITE_ANY(fd, ue_writev(entry, iov, count), UE_NEXT(pwritev)(fd, iov, count, off));
}

ssize_t pwritev64(int fd, const struct iovec *iov, int count, off64_t off)
{
	WRITE_ANY(fd, ue_writev(entry, iov, count), UE_NEXT(pwritev64)(fd, iov, count, off));
}

ssize_t pwritev2(int fd, const struct iovec *iov, int count, off_t off, int flags)
{
	WRITE_ANY(fd, ue_writev(entry, iov, count), UE_NEXT(pwritev2)(fd, iov, count, off, flags));
}

/* ---- reading ---- */

/* Makes the text anew when it is read from its start, as the kernel does. */
static void refresh(int fd, uint32_t entry)
{
	struct ue_target t = {UE_FD_KIND(entry), UE_FD_NUMBER(entry)};
	int old = errno;
	size_t len = 0;
	char *text = ue_text(t, &len);

	/*
	 * The file of a text is sealed if it was opened for writing; then it keeps its first text.
	 */
	if (text && !ftruncate(fd, 0))
		(void)!UE_NEXT(pwrite)(fd, text, len, 0);
	free(text);
	errno = old;
}

/* False: the file cannot be read, as errno says. */
static bool may_read(int fd, uint32_t entry, bool at_start_of_file)
{
	if (UE_FD_KIND(entry) == UE_DATA) {
		if (!ue_is_still_ours(fd))
			return true;
		errno = EINVAL;
		return false;
	}
	if (at_start_of_file && ue_is_still_ours(fd))
		refresh(fd, entry);
	return true;
}

/*
 * The position decides whether the text is read from its start; the call costs only for our files.
 */
ssize_t read(int fd, void *buf, size_t len)
{
	uint32_t entry = ue_fd(fd);

	if (!LIKELY(!entry) && !may_read(fd, entry, !lseek(fd, 0, SEEK_CUR)))
		return -1;
	return UE_NEXT(read)(fd, buf, len);
}

ssize_t readv(int fd, const struct iovec *iov, int count)
{
	uint32_t entry = ue_fd(fd);

	if (!LIKELY(!entry) && !may_read(fd, entry, !lseek(fd, 0, SEEK_CUR)))
		return -1;
	return UE_NEXT(readv)(fd, iov, count);
}

#define PREAD_OF(name, off_type)                                                                   \
	ssize_t name(int fd, void *buf, size_t len, off_type off)                                  \
	{                                                                                          \
		uint32_t entry = ue_fd(fd);                                                        \
		if (!LIKELY(!entry) && !may_read(fd, entry, !off))                                 \
			return -1;                                                                 \
		return UE_NEXT(name)(fd, buf, len, off);                                           \
	}

PREAD_OF(pread, off_t)
PREAD_OF(pread64, off64_t)

/* Programs compiled with _FORTIFY_SOURCE call this one instead of read(). */
ssize_t __read_chk(int fd, void *buf, size_t len, size_t size);
ssize_t __read_chk(int fd, void *buf, size_t len, size_t size)
{
	if (len > size)
		abort();
	return read(fd, buf, len);
}

/* ---- the status page ---- */

/* Maps the status page of the shared memory in place of the descriptor's file. */
static void *map_status(void *addr, size_t len, int prot, int flags, off64_t off)
{
	size_t at = offsetof(struct ue_shared, status);
	void *p;
	int fd;

	/* The kernel maps one page, read-only, from offset 0. */
	if (off || !len || len > UE_STATUS_LEN || prot & PROT_WRITE) {
		errno = prot & PROT_WRITE ? EPERM : EINVAL;
		return MAP_FAILED;
	}
	fd = UE_NEXT(open)(ue.path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return MAP_FAILED;
	p = UE_NEXT(mmap64)(addr, len, prot, flags, fd, (off64_t)at);
	UE_NEXT(close)(fd);
	return p;
}

/* Only the status page is mapped from elsewhere: other files are their own memory. */
static bool is_status(int fd, int flags)
{
	uint32_t entry = flags & MAP_ANONYMOUS ? 0 : ue_fd(fd);

	return entry && UE_FD_KIND(entry) == UE_STATUS && ue_is_still_ours(fd);
}

#define MMAP_OF(name, off_type)                                                                    \
	void *name(void *addr, size_t len, int prot, int flags, int fd, off_type off)              \
	{                                                                                          \
		if (is_status(fd, flags))                                                          \
			return map_status(addr, len, prot, flags, off);                            \
		return UE_NEXT(name)(addr, len, prot, flags, fd, off);                             \
	}

MMAP_OF(mmap, off_t)
MMAP_OF(mmap64, off64_t)

/* ---- ioctl ---- */

/* Unknown requests with another letter go to libc at once. */
int ioctl(int fd, unsigned long request, ...)
{
	uint32_t entry = ue_fd(fd);
	va_list args;
	void *arg;
	int rc;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	/*
	 * All ioctls of user_events have the letter '*', and only for these it is asked what the
	 * file is.
	 */
	if (LIKELY(!entry) && (request >> 8 & 0xff) == '*')
		entry = ue_adopt(fd);
	if (LIKELY(!entry) || UE_FD_KIND(entry) != UE_DATA)
		return UE_NEXT(ioctl)(fd, request, arg);
	rc = ue_ioctl(entry, request, arg);
	if (rc < 0 && !ue_is_still_ours(fd))
		return UE_NEXT(ioctl)(fd, request, arg);
	return rc;
}
