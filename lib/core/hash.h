/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes keyed hashes for tables whose keys come from a file, so that no file can be made whose
 * keys all fall into one place. The key differs from process to process; what a program prints
 * must not depend on the order of a table's slots.
 */
#ifndef TDAT_CORE_HASH_H
#define TDAT_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "wide.h"

struct tdat_hash_seed {
	uint64_t add, mul;
};

/*
 * The key of this process, made of the random bytes that the kernel gives each program
 * it starts (AT_RANDOM, getauxval(3)). Where there are none the key is fixed.
 */
struct tdat_hash_seed tdat_hash_seed(void);

/* Hashes a number: the product with a number that nobody outside knows, its two halves combined. */
static inline uint64_t tdat_hash_u64(struct tdat_hash_seed seed, uint64_t v)
{
	struct tdat_u128 p = tdat_mul(v ^ seed.add, seed.mul);

	return p.hi ^ p.lo;
}

/* As tdat_hash_u64, for two numbers that make one key. */
static inline uint64_t tdat_hash_pair(struct tdat_hash_seed seed, uint64_t v, uint64_t w)
{
	return tdat_hash_u64(seed, tdat_hash_u64(seed, v) + w);
}

/* The hash of len bytes. */
uint64_t tdat_hash_bytes(struct tdat_hash_seed seed, const void *bytes, size_t len);

#endif
