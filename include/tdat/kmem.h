/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sums of a file's allocation events: bytes that were asked for and bytes that were given,
 * which call sites waste the difference, and frees that match no allocation.
 *
 * Counted are kmem:kmalloc, kmalloc_node, kmem_cache_alloc, kmem_cache_alloc_node,
 * kfree and kmem_cache_free of any kernel, and kmemtrace:pages_alloc and
 * pages_free, which the kmemtrace importer makes. Every pointer is followed from
 * its allocation to its free, in order of time, in a table of bounded size.
 *
 * Threads: tdat_kmem_new reads all events on the calling thread; the file may be used by
 * other threads meanwhile. Afterwards a tdat_kmem never changes and may be read by several
 * threads at once.
 *
 * Owners: a tdat_kmem is the caller's to free. What its getters return, names included, is
 * borrowed and lives until tdat_kmem_free, also when the file is closed before.
 */
#ifndef TDAT_KMEM_H
#define TDAT_KMEM_H

#include <tdat/iter.h>

TDAT_BEGIN_DECLS

struct tdat_kmem;

enum tdat_kmem_kind { TDAT_KMEM_KMALLOC, TDAT_KMEM_CACHE, TDAT_KMEM_PAGES, TDAT_KMEM_KINDS };

struct tdat_kmem_opts {
	size_t size;			   /* sizeof(struct tdat_kmem_opts) */
	const struct tdat_iter_opts *iter; /* CPUs, filter; NULL: all */
	uint64_t live_max;		   /* pointers followed at once; 0: 1572864 (96 MiB) */
};

#define TDAT_KMEM_OPTS_INIT TDAT_SIZED(struct tdat_kmem_opts)

/* Allocations, and what became of them. */
struct tdat_kmem_sum {
	uint64_t allocs;
	uint64_t bytes_req, bytes_alloc; /* their difference is waste; it may be negative */
	uint64_t freed;			 /* of these allocations, those that were freed */
	uint64_t freed_elsewhere;	 /* of the freed ones, those freed on another CPU */
	uint64_t live_bytes;		 /* bytes given and not freed by the end */
};

struct tdat_kmem_total {
	struct tdat_kmem_sum kinds[TDAT_KMEM_KINDS];
	uint64_t frees[TDAT_KMEM_KINDS];	   /* by the event that freed */
	uint64_t frees_unmatched[TDAT_KMEM_KINDS]; /* of pointers whose allocation was not seen */
	uint64_t frees_of_nothing;		   /* of NULL and of the address of no bytes */
	uint64_t failed;       /* allocations that gave NULL; no other count has them */
	uint64_t reused;       /* allocations of a pointer that was live: a free was lost */
	uint64_t not_followed; /* allocations beyond live_max: their frees are unmatched */
	uint64_t unread;       /* events without the fields that are needed */
	uint64_t live_max;     /* as used */
};

/* The sums of a call site, or of a cache. */
struct tdat_kmem_row {
	uint64_t call_site; /* address of the code that allocated; 0 for a cache */
	const char *name;   /* name of the cache; NULL for a call site */
	enum tdat_kmem_kind kind;
	bool rest; /* the sum of all rows beyond the 131071 that are kept */
	struct tdat_kmem_sum sum;
};

/*
 * tdat_kmem_new reads all events of a file. opts may be NULL; the file and the arrays and
 * filter of opts are needed only during the call. Damaged pages are left out. It fails as
 * tdat_iter_new and tdat_iter_next do, and with TDAT_E_NOMEM.
 */
TDAT_API enum tdat_status tdat_kmem_new(struct tdat_kmem **out, struct tdat_file *file,
					const struct tdat_kmem_opts *opts, struct tdat_error *err);

/* tdat_kmem_free frees the sums and all that their getters returned. NULL is allowed. */
TDAT_API void tdat_kmem_free(struct tdat_kmem *kmem);

/* tdat_kmem_total gives the sums over the whole file. */
TDAT_API const struct tdat_kmem_total *tdat_kmem_total(const struct tdat_kmem *kmem);
/* tdat_kmem_sites gives *count sums, one for each call site and kind, the largest waste first. */
TDAT_API const struct tdat_kmem_row *tdat_kmem_sites(const struct tdat_kmem *kmem, size_t *count);
/*
 * tdat_kmem_caches gives *count sums, one for each cache. Only the events that free name a
 * cache, from Linux 6.1 on: allocations that are not freed in the file belong to none.
 */
TDAT_API const struct tdat_kmem_row *tdat_kmem_caches(const struct tdat_kmem *kmem, size_t *count);

TDAT_END_DECLS
#endif
