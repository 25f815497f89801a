/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec.h"

#include <string.h>

const struct tdat_codec *tdat_codec_find(const char *name)
{
	if (!strcmp(name, "zstd"))
		return &tdat_codec_zstd;
	if (!strcmp(name, "zlib"))
		return &tdat_codec_zlib;
	return NULL;
}
