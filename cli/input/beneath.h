/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens what lies in a directory, and nothing that links, mounts of links or ".." lead to outside.
 */
#ifndef CLI_BENEATH_H
#define CLI_BENEATH_H

#include <stdbool.h>

/* cli_beneath_root opens the directory that the user named, links to it included. -1: errno. */
int cli_beneath_root(const char *path);

/*
 * cli_beneath_open opens name, which may have directories before "/", below the directory
 * root, for reading and without waiting: a regular file or a FIFO, or with directory set a
 * directory. Links are followed only as far as they stay below root, whatever anybody changes
 * meanwhile; on kernels before Linux 5.6 none is followed. -1: errno says why, EXDEV that a
 * link leaves root, EINVAL that it is of another kind.
 */
int cli_beneath_open(int root, const char *name, bool directory);

#endif
