/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An unlinked temporary file that holds the CPU data of streams until the new file is laid out. A
 * stream owns extents of one such file, growing with the stream, so that neither many CPUs nor long
 * streams cost memory.
 */
#ifndef TDAT_WRITE_SPOOL_H
#define TDAT_WRITE_SPOOL_H

#include <pthread.h>

#include <tdat/source.h>

struct write_spool {
	int fd; /* -1 until the first byte */
	char *dir;
	char *name;   /* for sentences */
	uint64_t end; /* first byte no extent owns; guarded by lock: streams may be on threads */
	pthread_mutex_t lock;
	bool locks;	/* lock was made */
	bool in_memory; /* the file system is memory: what was read can be given back */
};

struct write_extent {
	uint64_t off;		       /* in the spool, or in src */
	uint64_t start;		       /* in the stream */
	const struct tdat_source *src; /* bytes that stay in an opened file; NULL: spooled */
};

struct write_extents {
	struct write_spool *spool; /* NULL: none of the bytes are in one */
	struct write_extent *list;
	size_t count, cap;
	uint64_t room; /* bytes all extents hold */
	uint64_t used; /* bytes of the stream */
};

/* dir is the folder of the file, which is made with the first byte. */
enum tdat_status write_spool_init(struct write_spool *spool, const char *dir,
				  struct tdat_error *err);
/* Makes the file. Without this call the first byte does, which only one thread may put then. */
enum tdat_status write_spool_open(struct write_spool *spool, struct tdat_error *err);
void write_spool_fini(struct write_spool *spool);
void write_extents_fini(struct write_extents *ext);

/*
 * The spool offset of the stream's next unit bytes, which no extent boundary
 * cuts when a stream always uses one unit. Does not count them as used.
 */
enum tdat_status write_spool_next(struct write_spool *spool, struct write_extents *ext,
				  uint32_t unit, uint64_t *off, struct tdat_error *err);

/* Appends n bytes, a multiple of unit. */
enum tdat_status write_spool_append(struct write_spool *spool, struct write_extents *ext,
				    uint32_t unit, const void *p, size_t n, struct tdat_error *err);

/*
 * Appends len bytes at off of src to the stream. They stay in src, and are read when the file
 * is laid out.
 */
enum tdat_status write_spool_borrow(struct write_spool *spool, struct write_extents *ext,
				    const struct tdat_source *src, uint64_t off, uint64_t len,
				    struct tdat_error *err);

/*
 * Finds byte pos (< used) of the stream: *src (NULL: the spool) and *off say where it is, and
 * *len how many bytes of the stream lie there one after the other.
 */
void write_extents_find(const struct write_extents *ext, uint64_t pos,
			const struct tdat_source **src, uint64_t *off, uint64_t *len);

/*
 * Copies n used stream bytes at pos. give_back: nobody reads them again. A spool in memory then
 * gives them to the system, so that spool and new file together take the memory of one of them.
 */
enum tdat_status write_spool_read(const struct write_extents *ext, uint64_t pos, void *p, size_t n,
				  bool give_back, struct tdat_error *err);

#endif
