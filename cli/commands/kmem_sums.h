/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums of the table kmem of a file: bytes that were asked for and bytes that were given, which call
 * sites waste the difference, and frees that match no allocation.
 */
#ifndef CLI_KMEM_SUMS_H
#define CLI_KMEM_SUMS_H

#include <tdat/iter.h>

#include "commands/kmem_rows.h"

void kmem_sum_add(struct kmem_sum *to, const struct kmem_sum *s);

struct kmem_total {
	struct kmem_sum kinds[KMEM_KINDS];
	uint64_t frees[KMEM_KINDS];	      /* by the event that freed */
	uint64_t frees_unmatched[KMEM_KINDS]; /* of pointers whose allocation was not seen */
	uint64_t frees_of_nothing;	      /* of NULL and of the address of no bytes */
	uint64_t failed;       /* allocations that gave NULL; no other count has them */
	uint64_t reused;       /* allocations of a pointer that was live: a free was lost */
	uint64_t not_followed; /* allocations of more pointers than are followed */
	uint64_t unread;       /* events without the fields that are needed */
};

struct kmem_sums {
	struct kmem_total total;
	struct kmem_rows sites, caches;
	bool failed; /* memory ran out */
	bool lacks;  /* the file has no allocation: that was said */
};

/*
 * Reads the events of a file that filter and CPUs choose, and follows at most live_most pointers at
 * once; 0: as many as the table does. kmem_sums_fini is needed also after a failure.
 */
enum tdat_status kmem_sums_init(struct kmem_sums *s, struct tdat_file *file,
				const struct tdat_iter_opts *opts, uint64_t live_most,
				struct tdat_error *err);
void kmem_sums_fini(struct kmem_sums *s);

#endif
