/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that programs get instead of those of user_events: nameless files of memory. A call
 * that the recorder does not see, as a write to a descriptor with another number, fails or finds
 * the text that the file had when it was last read here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "notify_state.h"
#include "there.h"
#include "terminal/message.h"

/*
 * Makes an empty file of memory. Its device is that of all others, so one comparison tells them
 * from files of the program.
 */
static int make_memory(struct record_notify *n, uint64_t *inode)
{
	/* The C library has had a function for it since glibc 2.27. */
	int fd =
		(int)syscall(SYS_memfd_create, "tdat_user_events", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct stat sb;

	if (fd >= 0 && fstat(fd, &sb)) {
		close(fd);
		fd = -1;
	}
	if (fd >= 0) {
		*inode = sb.st_ino;
		n->dev = sb.st_dev;
	}
	return fd;
}

/* Opens again what a descriptor refers to: position, flags and lock are then its own. */
static int open_again(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags | O_CLOEXEC);
}

int notify_files_init(struct record_notify *n)
{
	void *page = MAP_FAILED;

	n->page_fd = make_memory(n, &n->page_inode);
	n->slots_fd = open_again(n->session->lock_fd, O_RDWR);
	/* The recorder writes to the page by its mapping; programs map the same file. */
	if (n->page_fd >= 0 && !ftruncate(n->page_fd, UE_STATUS_LEN))
		page = mmap(NULL, UE_STATUS_LEN, PROT_READ | PROT_WRITE, MAP_SHARED, n->page_fd, 0);
	if (page != MAP_FAILED)
		n->page = page;
	if (n->page && n->slots_fd >= 0)
		return CLI_OK;
	cli_error("user-events record", "cannot create a file in memory: %s", strerror(errno));
	return CLI_FAILED;
}

void notify_files_fini(struct record_notify *n)
{
	for (uint32_t i = 0; i < UE_FILES_MAX; i++)
		if (n->files[i].inode)
			close(n->files[i].fd);
	if (n->page)
		munmap(n->page, UE_STATUS_LEN);
	if (n->page_fd >= 0)
		close(n->page_fd);
	if (n->slots_fd >= 0)
		close(n->slots_fd);
}

/* Copies only a page that changed. The original lies in the memory shared by all. */
void notify_page_update(struct record_notify *n)
{
	if (memcmp(n->page, n->session->shared->status, UE_STATUS_LEN) != 0)
		memcpy(n->page, n->session->shared->status, UE_STATUS_LEN);
}

/* ---- opening ---- */

/* Makes the text of a file anew, as tracefs does at each read from the start. */
static bool write_text(int fd, struct ue_target target)
{
	size_t len = 0;
	char *text = ue_text(target, &len);
	bool good = text && !ftruncate(fd, 0) && pwrite(fd, text, len, 0) == (ssize_t)len;

	free(text);
	return good;
}

/* The descriptor is to be handed over. Its lock ends with the last duplicate of it. */
int notify_file_again(struct record_notify *n, const struct notify_file *file)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
	int fd = file ? open_again(file->fd, file->writes ? O_RDWR : O_RDONLY)
		      : open_again(n->page_fd, O_RDONLY);

	if (fd >= 0 && fcntl(fd, F_OFD_SETLK, &lock)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Also ends an attempt to make a file: an fd of -1 does no harm. */
static void drop(struct record_notify *n, struct notify_file *file)
{
	close(file->fd);
	file->inode = 0;
	if (UE_FD_KIND(file->entry) == UE_DATA)
		ue_lock_slot(n->slots_fd, UE_FD_NUMBER(file->entry), F_UNLCK);
}

/* Makes a file and its entry. NULL, and EMFILE: the table is full or memory is short. */
static struct notify_file *make_file(struct record_notify *n, struct ue_target target, bool writes)
{
	struct notify_file *file = n->files;
	uint64_t inode = 0;
	int slot = 0;

	/* A linear search suffices, as files are seldom opened. */
	while (file < n->files + UE_FILES_MAX && file->inode)
		file++;
	/* slots_fd is a description of its own: upkeep finds the locks by lock_fd. */
	if (file < n->files + UE_FILES_MAX && target.kind == UE_DATA)
		target.number = (uint32_t)(slot = ue_take_slot(n->slots_fd));
	if (file == n->files + UE_FILES_MAX || slot < 0) {
		errno = EMFILE;
		return NULL;
	}
	*file = (struct notify_file){.fd = make_memory(n, &inode), .writes = writes};
	file->entry = (uint32_t)target.kind << 24 | (target.number & UE_ALL);
	file->inode = inode;
	/*
	 * A file that is written to is sealed: a write that the filter misses fails, and is not
	 * lost silently.
	 */
	if (file->fd >= 0 && (target.kind == UE_DATA || write_text(file->fd, target)) &&
	    (!writes || !fcntl(file->fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)))
		return file;
	drop(n, file);
	errno = EMFILE;
	return NULL;
}

int notify_file_open(struct record_notify *n, struct ue_target target, int flags)
{
	const int errnum = ue_check_open(flags);
	struct notify_file *file;

	if (errnum)
		return ue_refuse(errnum);
	ue_opening(target, flags);
	/* A data file is sealed however it is opened. */
	file = make_file(n, target, target.kind == UE_DATA || (flags & O_ACCMODE) != O_RDONLY);
	return file ? notify_file_again(n, file) : -1;
}

void notify_file_refresh(const struct notify_file *file)
{
	struct ue_target target = {UE_FD_KIND(file->entry), UE_FD_NUMBER(file->entry)};

	if (!file->writes)
		write_text(file->fd, target);
}

/*
 * F_OFD_GETLK finds the locks of all other open file descriptions: those of the programs'
 * descriptors.
 */
void notify_files_reap(struct record_notify *n)
{
	for (uint32_t i = 0; i < UE_FILES_MAX; i++) {
		struct flock lock = {
			.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};

		if (n->files[i].inode && !fcntl(n->files[i].fd, F_OFD_GETLK, &lock) &&
		    lock.l_type == F_UNLCK)
			drop(n, &n->files[i]);
	}
}

/* ---- descriptors of programs ---- */

/*
 * The program may have closed the file and opened another with this number, so the inode decides.
 */
bool notify_file_of(struct record_notify *n, int32_t tid, int fd, struct notify_file **file)
{
	struct stat sb;
	char path[64];

	*file = NULL;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)tid, fd);
	if (stat(path, &sb) || sb.st_dev != n->dev)
		return false;
	/* Mostly it is the file of the call before. */
	if (n->files[n->last_file].inode != sb.st_ino)
		for (n->last_file = 0;
		     n->last_file + 1 < UE_FILES_MAX && n->files[n->last_file].inode != sb.st_ino;)
			n->last_file++;
	if (n->files[n->last_file].inode == sb.st_ino)
		*file = &n->files[n->last_file];
	return *file || sb.st_ino == n->page_inode;
}

/* The kernel gives programs the least free number, so the highest ones are mostly free. */
int notify_free_fd(const struct record_notify *n, int32_t tid, int least)
{
	struct stat sb;
	char path[64];

	for (int fd = (int)n->session->first_fd + NOTIFY_FDS - 1;
	     fd >= (int)n->session->first_fd && fd >= least; fd--) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)tid, fd);
		if (lstat(path, &sb) && errno == ENOENT)
			return fd;
	}
	return ue_refuse(EMFILE);
}

/* Position and flags by /proc/PID/fdinfo, see proc(5). */
bool notify_fd_info(int32_t tid, int fd, long long *position, unsigned int *flags)
{
	char name[32], text[256];

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	there_text(tid, name, text, sizeof(text));
	return sscanf(text, "pos: %lld flags: %o", position, flags) == 2;
}
