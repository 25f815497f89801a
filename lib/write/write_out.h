/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the file that is being laid out: without a name or under a temporary one beside the
 * target until write_out_commit, so that a failure or a killed process leaves the target as it
 * was. Pipes and devices ("-": standard output) get a copy at the end.
 */
#ifndef TDAT_WRITE_WRITE_OUT_H
#define TDAT_WRITE_WRITE_OUT_H

#include <tdat/error.h>

struct write_out {
	int fd;
	int stream;	   /* descriptor to copy to, or -1 */
	char *name;	   /* the target's name in sentences */
	char *path;	   /* the target, symbolic links resolved; NULL for a stream */
	char *dir;	   /* folder of temporary files */
	char *temp;	   /* its temporary name, or NULL while it has none */
	bool force;	   /* an existing target is replaced */
	bool temporary;	   /* it gets no name */
	int mode;	   /* permissions of a replaced target, or -1 */
	uint64_t off;	   /* bytes handed to the system */
	uint64_t hole;	   /* end of the last gap */
	uint64_t expected; /* bytes the whole file will have; 0 unknown */
	uint8_t *buf;
	size_t used;
};

/* Prepares an output without a file; name is for sentences. write_out_fini is called in any case.
 */
enum tdat_status write_out_init(struct write_out *out, const char *name, struct tdat_error *err);
void write_out_fini(struct write_out *out);

static inline uint64_t write_out_pos(const struct write_out *out)
{
	return out->off + out->used;
}

enum tdat_status write_out_bytes(struct write_out *out, const void *p, size_t n,
				 struct tdat_error *err);

/* Hands all bytes to the system. */
enum tdat_status write_out_flush(struct write_out *out, struct tdat_error *err);

/* Overwrites n bytes already written at off. */
enum tdat_status write_out_patch(struct write_out *out, uint64_t off, const void *p, size_t n,
				 struct tdat_error *err);

/* Moves to the next multiple of unit, leaving zeros (a hole). */
enum tdat_status write_out_align(struct write_out *out, uint32_t unit, struct tdat_error *err);

/* Leaves n zeros, which need no room on the disk. */
enum tdat_status write_out_skip(struct write_out *out, uint64_t n, struct tdat_error *err);

/* Copies len bytes at off of another file, in the kernel where it can. */
enum tdat_status write_out_copy(struct write_out *out, int from, const char *from_name,
				uint64_t off, uint64_t len, struct tdat_error *err);

/* Hands all bytes to the system, and copies them to the stream if there is one. */
enum tdat_status write_out_finish(struct write_out *out, struct tdat_error *err);

#endif
