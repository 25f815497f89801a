/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compression algorithms of trace.dat version 7. One chunk is one independent
 * zlib stream or zstd frame. The promised size is the law: a chunk that
 * inflates to more or to less is damaged.
 */
#ifndef TDAT_CORE_CODEC_H
#define TDAT_CORE_CODEC_H

#include <tdat/error.h>

struct tdat_codec {
	const char *name;                 /* "zlib", "zstd" */
	const char *(*version)(void);     /* of the linked library */
	int default_level;
	size_t (*bound)(size_t len);      /* most bytes that len can compress to */
	/*
	 * Inflate and deflate return 0, or say why not with a static text in *why.
	 * state is memory kept from call to call, of inflate_new or deflate_new (which
	 * may give NULL: none then), or NULL; not for two threads at once. It does not
	 * change the bytes that come out. Inflating must give exactly out_len.
	 */
	int (*inflate)(void *state, const void *in, size_t in_len, void *out, size_t out_len,
		       const char **why);
	void *(*inflate_new)(void);
	void (*inflate_free)(void *state);
	/*
	 * As much as there is of cut or longer data, up to out_len bytes: their
	 * number. Garbled data gives 0.
	 */
	size_t (*inflate_part)(const void *in, size_t in_len, void *out, size_t out_len);
	/* *out_len: room in, used out. */
	int (*deflate)(void *state, const void *in, size_t in_len, void *out, size_t *out_len,
		       int level, const char **why);
	void *(*deflate_new)(void);
	void (*deflate_free)(void *state);
};

extern const struct tdat_codec tdat_codec_zlib;
extern const struct tdat_codec tdat_codec_zstd;

/* The codec of that name, or NULL ("none" and "" have none). */
const struct tdat_codec *tdat_codec_find(const char *name);

/* A state for inflating, made when it is first used; all zero: none yet. One thread. */
struct tdat_inflater {
	const struct tdat_codec *codec; /* that state is of */
	void *state;
};

void tdat_inflater_fini(struct tdat_inflater *inflater);

/* codec->inflate with the state that is kept for it. */
int tdat_inflater_run(struct tdat_inflater *inflater, const struct tdat_codec *codec,
		      const void *in, size_t in_len, void *out, size_t out_len, const char **why);

#endif
