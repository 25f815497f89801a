/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PLAIN numbers in little-endian order. On a little-endian host it is one copy.
 */
#include "core/checked.h"
#include "encode.h"

void encode_plain32(struct tdat_build *out, const uint32_t *v, size_t count)
{
	size_t len;
	uint8_t *p = tdat_mul_size(count, sizeof(*v), &len) ? tdat_build_room(out, len) : NULL;

	if (!p || !count)
		return;
	out->len += len;
	if (!TDAT_HOST_BIG) {
		memcpy(p, v, len);
		return;
	}
	for (size_t i = 0; i < count; i++)
		tdat_store32(p + i * sizeof(*v), v[i], false);
}

void encode_plain64(struct tdat_build *out, const uint64_t *v, size_t count)
{
	size_t len;
	uint8_t *p = tdat_mul_size(count, sizeof(*v), &len) ? tdat_build_room(out, len) : NULL;

	if (!p || !count)
		return;
	out->len += len;
	if (!TDAT_HOST_BIG) {
		memcpy(p, v, len);
		return;
	}
	for (size_t i = 0; i < count; i++)
		tdat_store64(p + i * sizeof(*v), v[i], false);
}
