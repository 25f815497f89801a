/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations that fail on demand: malloc, calloc, realloc, aligned ones and mmap.
 * Without a sanitizer this program's malloc is that of all libraries, zstd, zlib
 * and libtraceevent included; with one, only calls of our own code are seen.
 */
#ifndef TDAT_HOSTILE_ALLOC_FAIL_H
#define TDAT_HOSTILE_ALLOC_FAIL_H

#include <stdbool.h>

/* Allocation number n from now on fails (1: the next; 0: none), with all: each later one, too. */
void alloc_fail_arm(long n, bool all);

/* No more failures; how many allocations there were. */
long alloc_fail_disarm(void);

/* How many failed. */
long alloc_fail_failed(void);

/* Prints where the first failure was: addresses for addr2line. */
void alloc_fail_where(void);

/* Blocks not freed yet; always 0 with a sanitizer, which looks itself. */
long alloc_fail_live(void);

#endif
