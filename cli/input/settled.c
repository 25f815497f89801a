/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells files at rest on local disks from those that may change under a mapping. File systems are
 * known by their magic numbers; one that is not listed counts as remote. The answer decides only
 * between mapping and reading.
 */
#include "input/settled.h"

#include <linux/magic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/vfs.h>
#include <time.h>

/* File systems that <linux/magic.h> does not list everywhere. */
#define BCACHEFS_MAGIC 0xca451a4e
#define ZFS_MAGIC 0x2fc12fc1

/* File systems of this machine's own disks and memory; ext2 and ext3 have ext4's number. */
static const uint32_t local[] = {
	EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,	 BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
	OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, ZFS_MAGIC,	    BCACHEFS_MAGIC,
	EROFS_SUPER_MAGIC_V1,  SQUASHFS_MAGIC,	 ISOFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC,
};

static bool is_local(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof(local) / sizeof(local[0]); i++)
		if ((uint32_t)fs.f_type == local[i])
			return true;
	return false;
}

/*
 * True if a time is CLI_SETTLED_S seconds back. A time in the future proves nothing, hence it
 * counts as new.
 */
static bool is_old(const struct timespec *changed, const struct timespec *now)
{
	return changed->tv_sec < now->tv_sec - CLI_SETTLED_S;
}

/* Both times count: mtime can be set to any value, ctime cannot. */
bool cli_settled(int fd, const struct stat *sb)
{
	struct timespec now;

	return !clock_gettime(CLOCK_REALTIME, &now) && S_ISREG(sb->st_mode) &&
	       is_old(&sb->st_mtim, &now) && is_old(&sb->st_ctim, &now) && is_local(fd);
}
