/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells whether bytes are all zero. */
#ifndef TDAT_CORE_ZERO_H
#define TDAT_CORE_ZERO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* True also when there are none; p may be NULL then. */
static inline bool tdat_is_zero(const uint8_t *p, size_t len)
{
	/* The first is zero and each equals the one before it. */
	return !len || (!*p && !memcmp(p, p + 1, len - 1));
}

#endif
