/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks how the files are opened, and what is written to user_events_data, as the kernel does. */
#ifndef TDAT_PRELOAD_CHECK_H
#define TDAT_PRELOAD_CHECK_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout.h"

enum {
	UE_INDEX_LEN = 4, /* bytes of a write before its payload */
	/* The data that a field points to end before this. */
	UE_CHECKED_LEN = 256 * 1024
};

/*
 * Checks as the validators of the kernel do: only the end of the data that a field points to.
 */
static inline bool ue_are_locs_good(const struct ue_event *e, const uint8_t *payload, size_t len)
{
	for (uint32_t i = 0; i < e->loc_count; i++) {
		const struct ue_loc *loc = &e->locs[i];
		uint64_t end, base = 8; /* bytes of a record before its payload */
		uint32_t word;

		memcpy(&word, payload + loc->off, sizeof(word));
		end = (uint64_t)(word & 0xffff) + (word >> 16);
		if (loc->is_rel)
			end += base + loc->off + 4u;
		if (end > base + len)
			return false;
		if (loc->is_text && end > base && payload[end - base - 1])
			return false;
	}
	return true;
}

/* ue_check returns 0 and the event that was written to an open file, or the kernel's errno. */
static inline int ue_check(const struct ue_shared *s, uint32_t file_number, const void *data,
			   size_t len, uint32_t *event)
{
	const struct ue_file *file = &s->files[file_number];
	const uint8_t *payload = (const uint8_t *)data + UE_INDEX_LEN;
	const struct ue_event *e;
	int32_t index;

	if (__builtin_expect(len < sizeof(index), 0))
		return EFAULT;
	memcpy(&index, data, sizeof(index));
	if (__builtin_expect(index < 0, 0))
		return EINVAL;
	if (__builtin_expect(
		    (uint32_t)index >= atomic_load_explicit(&file->count, memory_order_acquire), 0))
		return ENOENT;
	*event = file->events[index];
	e = &s->events[*event];
	if (__builtin_expect(len - UE_INDEX_LEN < e->min_size, 0))
		return EINVAL;
	if (__builtin_expect(!atomic_load_explicit(&e->enabled, memory_order_relaxed), 0))
		return EBADF;
	if (__builtin_expect(e->loc_count, 0) && !ue_are_locs_good(e, payload, len - UE_INDEX_LEN))
		return EFAULT;
	return 0;
}

/* ue_check_open returns 0, or the errno of a file that is there and no directory. */
static inline int ue_check_open(int flags)
{
	if (flags & O_DIRECTORY)
		return ENOTDIR;
	return (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? EEXIST : 0;
}

/* Fills any of the structs of stat() and the like for one of the files. */
#define UE_FILL_STAT(sb)                                                                           \
	do {                                                                                       \
		memset((sb), 0, sizeof(*(sb)));                                                    \
		(sb)->st_mode = S_IFREG | 0640;                                                    \
		(sb)->st_nlink = 1;                                                                \
		(sb)->st_uid = geteuid();                                                          \
		(sb)->st_gid = getegid();                                                          \
		(sb)->st_blksize = 4096;                                                           \
	} while (0)

static inline void ue_fill_statx(struct statx *sx)
{
	struct stat sb;

	UE_FILL_STAT(&sb);
	memset(sx, 0, sizeof(*sx));
	sx->stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID | STATX_SIZE;
	sx->stx_mode = (uint16_t)sb.st_mode;
	sx->stx_nlink = (uint32_t)sb.st_nlink;
	sx->stx_uid = sb.st_uid;
	sx->stx_gid = sb.st_gid;
	sx->stx_blksize = (uint32_t)sb.st_blksize;
}

#endif
