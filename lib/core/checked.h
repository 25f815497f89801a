/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes sums and products of sizes that a file gave: true means it did not overflow. */
#ifndef TDAT_CORE_CHECKED_H
#define TDAT_CORE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool tdat_add_u64(uint64_t a, uint64_t b, uint64_t *sum)
{
	return !__builtin_add_overflow(a, b, sum);
}

static inline bool tdat_mul_u64(uint64_t a, uint64_t b, uint64_t *product)
{
	return !__builtin_mul_overflow(a, b, product);
}

static inline bool tdat_add_size(size_t a, size_t b, size_t *sum)
{
	return !__builtin_add_overflow(a, b, sum);
}

static inline bool tdat_mul_size(size_t a, size_t b, size_t *product)
{
	return !__builtin_mul_overflow(a, b, product);
}

/* True when [off, off+len) lies in [0, total). */
static inline bool tdat_range_ok(uint64_t off, uint64_t len, uint64_t total)
{
	return off <= total && len <= total - off;
}

/* v rounded up to a multiple of unit (unit > 0); false on overflow. */
static inline bool tdat_align_u64(uint64_t v, uint64_t unit, uint64_t *out)
{
	uint64_t rest = v % unit;

	if (!rest) {
		*out = v;
		return true;
	}
	return tdat_add_u64(v, unit - rest, out);
}

#endif
