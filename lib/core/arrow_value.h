/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads single values of arrays of the Arrow C data interface. i counts elements of the buffers:
 * those who read arrays of others add the offset of the array to the row.
 */
#ifndef TDAT_CORE_ARROW_VALUE_H
#define TDAT_CORE_ARROW_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <tdat/arrow.h>
#include <tdat/base.h>

static inline bool tdat_arrow_is_null(const struct ArrowArray *a, int64_t i)
{
	const uint8_t *valid = a->null_count && a->n_buffers ? a->buffers[0] : NULL;

	return valid && !(valid[i / 8] >> (i & 7) & 1);
}

/*
 * A number, time or truth value of a buffer, by the first letter of the format; 0 for others.
 * Unsigned numbers of 64 bits become negative where they are large.
 */
static inline int64_t tdat_arrow_number(char kind, const void *p, int64_t i)
{
	switch (kind) {
	case 'l':
	case 'L':
	case 't':
		return ((const int64_t *)p)[i];
	case 'i':
		return ((const int32_t *)p)[i];
	case 'I':
		return ((const uint32_t *)p)[i];
	case 's':
		return ((const int16_t *)p)[i];
	case 'S':
		return ((const uint16_t *)p)[i];
	case 'c':
		return ((const int8_t *)p)[i];
	case 'C':
		return ((const uint8_t *)p)[i];
	case 'b':
		return ((const uint8_t *)p)[i / 8] >> (i & 7) & 1;
	default:
		return 0;
	}
}

/* A text, or bytes, with offsets of 32 bits. */
static inline struct tdat_span tdat_arrow_text(const struct ArrowArray *a, int64_t i)
{
	const int32_t *ends = a->buffers[1];
	const uint8_t *chars = a->buffers[2];

	return (struct tdat_span){chars + ends[i], (size_t)(ends[i + 1] - ends[i])};
}

#endif
