/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells from its first bytes how a file is packed: the library refuses it, the program reads it. */
#ifndef TDAT_CORE_PACKED_H
#define TDAT_CORE_PACKED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum tdat_packing {
	TDAT_PACKING_NONE,
	TDAT_PACKING_GZIP,
	TDAT_PACKING_XZ,
	TDAT_PACKING_ZSTD,
	TDAT_PACKING_BZIP2,
	TDAT_PACKING_ZIP, /* this and tar are archives */
	TDAT_PACKING_TAR
};

enum { TDAT_PACKING_LOOK = 262 }; /* bytes that tell */

static inline enum tdat_packing tdat_packing(const uint8_t *head, size_t len)
{
	static const struct {
		size_t at, len;
		const char *magic;
	} kinds[] = {{0, 0, NULL},
		     {0, 3, "\x1f\x8b\x08"},
		     {0, 6, "\xfd\x37zXZ\0"},
		     {0, 4, "\x28\xb5\x2f\xfd"},
		     {0, 3, "BZh"},
		     {0, 4, "PK\3\4"},
		     {257, 5, "ustar"}};

	for (size_t i = TDAT_PACKING_GZIP; i <= TDAT_PACKING_TAR; i++)
		if (len >= kinds[i].at + kinds[i].len &&
		    !memcmp(head + kinds[i].at, kinds[i].magic, kinds[i].len))
			return (enum tdat_packing)i;
	return TDAT_PACKING_NONE;
}

#endif
