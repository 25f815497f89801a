/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mutates a trace.dat and keeps its structure: bodies of sections, options,
 * formats, chunks and pages are changed or resized, and the sizes, offsets, tables
 * and commits that tell of them are mended; or one of those numbers is changed.
 * For libFuzzer and AFL++ alike.
 */
#ifndef TDAT_FUZZ_MUTATE_DAT_H
#define TDAT_FUZZ_MUTATE_DAT_H

#include <stddef.h>
#include <stdint.h>

/* Changes len bytes in place, to at most max; returns the new length. */
typedef size_t (*fuzz_blind_fn)(uint8_t *data, size_t len, size_t max);

/* Which mutations are wanted. */
enum { FUZZ_NUMBERS = 1, FUZZ_BODIES = 2, FUZZ_ALL = 3 };

/* blind: what changes bytes without knowing them. Returns the new length, at most max. */
size_t fuzz_mutate_dat(uint8_t *data, size_t len, size_t max, uint64_t seed, int wanted,
		       fuzz_blind_fn blind);

#endif
