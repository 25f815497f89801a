/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interposes the calls that ask whether files are there. Programs test whether user_events_data
 * exists before they open it; here it exists.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "state.h"

/* Programs find the functions that are defined here. */
#pragma GCC visibility push(default)

/* The path decides. The files of an event exist while the event does. */
static bool is_ours(int dirfd, const char *path)
{
	return ue_path(dirfd, path).kind != UE_NONE;
}

/* Each name of the family has its own struct, so the bodies are made by a macro. */
#define STAT_OF(name, type)                                                                        \
	int name(const char *restrict path, type *restrict sb)                                     \
	{                                                                                          \
		if (!is_ours(AT_FDCWD, path))                                                      \
			return UE_NEXT(name)(path, sb);                                            \
		UE_FILL_STAT(sb);                                                                  \
		return 0;                                                                          \
	}

STAT_OF(stat, struct stat)
STAT_OF(stat64, struct stat64)
STAT_OF(lstat, struct stat)
STAT_OF(lstat64, struct stat64)

#define STATAT_OF(name, type)                                                                      \
	int name(int dirfd, const char *restrict path, type *restrict sb, int flags)               \
	{                                                                                          \
		if (!is_ours(dirfd, path))                                                         \
			return UE_NEXT(name)(dirfd, path, sb, flags);                              \
		UE_FILL_STAT(sb);                                                                  \
		return 0;                                                                          \
	}

STATAT_OF(fstatat, struct stat)
STATAT_OF(fstatat64, struct stat64)

/* The mask says which members are set; times are not. */
int statx(int dirfd, const char *restrict path, int flags, unsigned int mask,
	  struct statx *restrict sx)
{
	if (!is_ours(dirfd, path))
		return UE_NEXT(statx)(dirfd, path, flags, mask, sx);
	ue_fill_statx(sx);
	return 0;
}

/* X_OK goes to the kernel, as nobody may execute these files. */
#define ACCESS_OF(name)                                                                            \
	int name(const char *path, int mode)                                                       \
	{                                                                                          \
		return is_ours(AT_FDCWD, path) && !(mode & X_OK) ? 0 : UE_NEXT(name)(path, mode);  \
	}

ACCESS_OF(access)
ACCESS_OF(eaccess)
ACCESS_OF(euidaccess)

int faccessat(int dirfd, const char *path, int mode, int flags)
{
	return is_ours(dirfd, path) && !(mode & X_OK)
		       ? 0
		       : UE_NEXT(faccessat)(dirfd, path, mode, flags);
}
