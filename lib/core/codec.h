/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares compression algorithms of trace.dat version 7. One chunk is one independent zlib
 * stream or zstd frame. A chunk that does not inflate to exactly the size that its header gives
 * is damaged.
 */
#ifndef TDAT_CORE_CODEC_H
#define TDAT_CORE_CODEC_H

#include <tdat/error.h>

struct tdat_codec {
	const char *name;	      /* "zlib", "zstd" */
	const char *(*version)(void); /* of the linked library */
	int default_level;
	size_t (*bound)(size_t len); /* most bytes that len can compress to */
	/*
	 * inflate and deflate return 0, or another number and in *why a static text that says
	 * what failed. inflate fails unless in is one stream that gives exactly out_len bytes,
	 * with nothing behind it. state is NULL or
	 * memory that is kept from call to call, made by inflate_new or deflate_new, which may
	 * return NULL: it saves time and changes no byte. One thread at a time may use it.
	 */
	int (*inflate)(void *state, const void *in, size_t in_len, void *out, size_t out_len,
		       const char **why);
	void *(*inflate_new)(void);
	void (*inflate_free)(void *state);
	/*
	 * Inflates as much as it can, up to out_len bytes, of data that is cut, that inflates to
	 * more or that has other bytes behind it; returns how many bytes it gave, 0 for data that
	 * is not of this algorithm. *end is how many bytes of in the stream has; 0: it does not
	 * end there, or not with the last byte of out.
	 */
	size_t (*inflate_part)(const void *in, size_t in_len, void *out, size_t out_len,
			       size_t *end);
	/* *out_len is the room in out before the call, and the bytes used after it. */
	int (*deflate)(void *state, const void *in, size_t in_len, void *out, size_t *out_len,
		       int level, const char **why);
	/* Makes a stream that holds the bytes uncompressed; it has at most bound(in_len) bytes. */
	int (*store)(const void *in, size_t in_len, void *out, size_t *out_len);
	void *(*deflate_new)(void);
	void (*deflate_free)(void *state);
};

extern const struct tdat_codec tdat_codec_zlib;
extern const struct tdat_codec tdat_codec_zstd;

/* The codec of that name, or NULL ("none" and "" have none). */
const struct tdat_codec *tdat_codec_find(const char *name);

/*
 * The state for inflating of one thread. It starts as all zeros; the codec's state is made when
 * it is first used.
 */
struct tdat_inflater {
	const struct tdat_codec *codec; /* the codec whose state it is */
	void *state;
};

void tdat_inflater_fini(struct tdat_inflater *inflater);

/* codec->inflate with the state that is kept for it. */
int tdat_inflater_run(struct tdat_inflater *inflater, const struct tdat_codec *codec,
		      const void *in, size_t in_len, void *out, size_t out_len, const char **why);

#endif
