/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes temporary files that have no name, and writes and reads files whole. */
#ifndef TDAT_CORE_TEMP_FILE_H
#define TDAT_CORE_TEMP_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the folder that TMPDIR names, or /tmp. */
const char *tdat_temp_dir(void);

/*
 * Makes a file without a name in dir, which only its owner reads, and which ceases to exist when it
 * is closed or the process is killed. Returns its descriptor, or -1 with errno.
 */
int tdat_temp_open(const char *dir);

/*
 * Write n bytes, at the place of fd or at off, and go on after signals and short writes. Return how
 * many were written: fewer with errno.
 */
size_t tdat_fd_write(int fd, const void *p, size_t n);
size_t tdat_fd_write_at(int fd, uint64_t off, const void *p, size_t n);
/* Reads n bytes at off; fewer with errno, which is 0 at the end of the file. */
size_t tdat_fd_read(int fd, uint64_t off, void *p, size_t n);

#endif
