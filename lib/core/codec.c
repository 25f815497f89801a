/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the compression algorithms, and finds one by its name. Each codec is a const struct of
 * functions in a file of its own, zlib and zstd. The name is the one that a file of version 7
 * stores. State of an inflater is kept by its owner, since making one for each chunk costs more
 * than a small chunk.
 */
#include "codec.h"

#include <string.h>

/* NULL: the name is of an algorithm that this build does not have. */
const struct tdat_codec *tdat_codec_find(const char *name)
{
	if (!strcmp(name, "zstd"))
		return &tdat_codec_zstd;
	if (!strcmp(name, "zlib"))
		return &tdat_codec_zlib;
	return NULL;
}

void tdat_inflater_fini(struct tdat_inflater *inflater)
{
	if (inflater->state)
		inflater->codec->inflate_free(inflater->state);
	*inflater = (struct tdat_inflater){NULL, NULL};
}

/* The state is made for the first chunk and kept, as most files have one codec. */
int tdat_inflater_run(struct tdat_inflater *inflater, const struct tdat_codec *codec,
		      const void *in, size_t in_len, void *out, size_t out_len, const char **why)
{
	if (inflater->codec != codec) {
		tdat_inflater_fini(inflater);
		inflater->codec = codec;
		inflater->state = codec->inflate_new();
	}
	return codec->inflate(inflater->state, in, in_len, out, out_len, why);
}
