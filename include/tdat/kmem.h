/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a file's allocation events say: bytes asked for and given,
 * what is wasted between them and where, frees that match no allocation.
 *
 * Counted are kmem:kmalloc, kmalloc_node, kmem_cache_alloc, kmem_cache_alloc_node,
 * kfree and kmem_cache_free of any kernel, and kmemtrace:pages_alloc and
 * pages_free, which the kmemtrace importer makes. Every pointer is followed from
 * its allocation to its free, in order of time, in a table of bounded size.
 */
#ifndef TDAT_KMEM_H
#define TDAT_KMEM_H

#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_kmem;

enum tdat_kmem_kind {
	TDAT_KMEM_KMALLOC,
	TDAT_KMEM_CACHE,
	TDAT_KMEM_PAGES,
	TDAT_KMEM_KINDS
};

struct tdat_kmem_opts {
	size_t size;                /* sizeof(struct tdat_kmem_opts) */
	struct tdat_iter_opts iter; /* CPUs, filter */
	uint64_t live_max;          /* pointers followed at once; 0: 1572864 (64 MiB) */
};

#define TDAT_KMEM_OPTS_INIT { sizeof(struct tdat_kmem_opts), TDAT_ITER_OPTS_INIT, 0 }

/* Allocations, and what became of them. */
struct tdat_kmem_sum {
	uint64_t allocs;
	uint64_t bytes_req, bytes_alloc; /* their difference is waste; it may be negative */
	uint64_t freed;             /* of them */
	uint64_t freed_elsewhere;   /* of those, on another CPU than the allocation's */
	uint64_t live_bytes;        /* given, and not freed by the end */
};

struct tdat_kmem_total {
	struct tdat_kmem_sum kinds[TDAT_KMEM_KINDS];
	uint64_t frees[TDAT_KMEM_KINDS];         /* by the event that told them */
	uint64_t frees_unmatched[TDAT_KMEM_KINDS]; /* of pointers whose allocation was not seen */
	uint64_t frees_of_nothing;  /* of NULL and of the address of no bytes */
	uint64_t failed;            /* allocations that gave NULL: nothing else counts them */
	uint64_t reused;            /* allocations of a pointer that was live: a free was lost */
	uint64_t not_followed;      /* allocations beyond live_max: their frees are unmatched */
	uint64_t unread;            /* events without the fields that are needed */
	uint64_t live_max;          /* as used */
};

/* The place that allocated, or a cache. */
struct tdat_kmem_row {
	uint64_t call_site;         /* 0 of a cache */
	const char *name;           /* of a cache; NULL of a place */
	enum tdat_kmem_kind kind;
	bool rest;                  /* all beyond the number of rows that is kept */
	struct tdat_kmem_sum sum;
};

/* tdat_kmem_new reads all events of a file; opts NULL: defaults. */
TDAT_API enum tdat_status tdat_kmem_new(struct tdat_kmem **out, struct tdat_file *file,
					const struct tdat_kmem_opts *opts, struct tdat_error *err);
TDAT_API void tdat_kmem_free(struct tdat_kmem *kmem);

TDAT_API const struct tdat_kmem_total *tdat_kmem_total(const struct tdat_kmem *kmem);
/* By call site and kind, the largest waste first. */
TDAT_API const struct tdat_kmem_row *tdat_kmem_sites(const struct tdat_kmem *kmem, size_t *count);
/* By cache, where the events that free tell its name (6.1 and later): those freed. */
TDAT_API const struct tdat_kmem_row *tdat_kmem_caches(const struct tdat_kmem *kmem,
						      size_t *count);

TDAT_END_DECLS
#endif
