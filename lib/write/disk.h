/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wraps the system calls on files that are written, and words their failures in whole sentences. */
#ifndef TDAT_WRITE_DISK_H
#define TDAT_WRITE_DISK_H

#include <tdat/error.h>

/*
 * Writes n bytes at off. The sentence of a full disk has the name and how many of the expected
 * bytes (0: of these n) did not fit.
 */
enum tdat_status write_disk_put(int fd, const char *name, uint64_t off, const void *p, size_t n,
				uint64_t expected, struct tdat_error *err);

/* The sentence for a failed write at off with left bytes at hand. */
enum tdat_status write_disk_put_error(int errnum, const char *name, uint64_t off, uint64_t left,
				      uint64_t expected, struct tdat_error *err);

/* Reads all bytes at off; fewer is an error. */
enum tdat_status write_disk_get(int fd, const char *name, uint64_t off, void *p, size_t n,
				struct tdat_error *err);

/* True if the file lies in memory (tmpfs): giving back parts of it is quick there. */
bool write_disk_in_memory(int fd);

/* Makes len bytes at off a hole, as far as the system can. */
void write_disk_give_back(int fd, uint64_t off, uint64_t len);

/* The folder part of path, allocated ("." without one); NULL without memory. */
char *write_disk_dir(const char *path);

#endif
