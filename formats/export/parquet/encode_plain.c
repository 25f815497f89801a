/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PLAIN numbers in little-endian order. On a little-endian host it is one copy.
 */
#include "core/checked.h"
#include "encode.h"

/* Makes room for count numbers of so many bytes; NULL: it is all done, or there is no memory. */
static uint8_t *begin(struct tdat_build *out, const void *v, size_t count, size_t each)
{
	size_t len;
	uint8_t *p = tdat_mul_size(count, each, &len) ? tdat_build_room(out, len) : NULL;

	if (!p || !count)
		return NULL;
	out->len += len;
	if (TDAT_HOST_BIG)
		return p;
	memcpy(p, v, len);
	return NULL;
}

void encode_plain32(struct tdat_build *out, const uint32_t *v, size_t count)
{
	uint8_t *p = begin(out, v, count, sizeof(*v));

	for (size_t i = 0; p && i < count; i++)
		tdat_store32(p + i * sizeof(*v), v[i], false);
}

void encode_plain64(struct tdat_build *out, const uint64_t *v, size_t count)
{
	uint8_t *p = begin(out, v, count, sizeof(*v));

	for (size_t i = 0; p && i < count; i++)
		tdat_store64(p + i * sizeof(*v), v[i], false);
}
