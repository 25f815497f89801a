/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a file may be mapped: its disk is a local one, and nobody seems to write to it. */
#ifndef CLI_SETTLED_H
#define CLI_SETTLED_H

#include <stdbool.h>
#include <sys/stat.h>

/* So many seconds before now the bytes and the length of a file must have changed last. */
#define CLI_SETTLED_S 10

/*
 * cli_settled is true for an open regular file, whose fstat(2) is in sb, of a file system that
 * is known to be local, with changes all at least CLI_SETTLED_S seconds old. A recorder that
 * still runs changes its file more often than that; network and FUSE file systems may lose a page
 * at any time, or change it without a new time stamp.
 */
bool cli_settled(int fd, const struct stat *sb);

#endif
