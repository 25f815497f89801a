/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PLAIN numbers in little-endian order, on a little-endian host one copy, and decimals.
 */
#include "core/checked.h"
#include "encode.h"

/* Appends numbers of 4 or 8 bytes in little-endian order. */
void encode_plain(struct tdat_build *out, const void *v, size_t count, size_t size)
{
	size_t len;
	uint8_t *p = tdat_mul_size(count, size, &len) ? tdat_build_room(out, len) : NULL;

	if (!p || !count)
		return;
	out->len += len;
	memcpy(p, v, len);
	if (!TDAT_HOST_BIG)
		return;
	for (size_t i = 0; i < len; i += size) {
		if (size == 4)
			tdat_store32(p + i, tdat_load32(p + i, true), false);
		else
			tdat_store64(p + i, tdat_load64(p + i, true), false);
	}
}

void encode_decimal(struct tdat_build *out, const void *v, size_t count)
{
	size_t len;
	uint8_t *p = tdat_mul_size(count, DECIMAL_LEN, &len) ? tdat_build_room(out, len) : NULL;

	if (!p)
		return;
	out->len += len;
	for (size_t i = 0; i < count; i++)
		decimal_store(p + i * DECIMAL_LEN, ((const uint64_t *)v)[i]);
}
