/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares a table from addresses to parts of a text. Entries are collected in file order; then
 * the table is built once and only read. Of entries with the same address it finds the one that
 * libtraceevent finds: libtraceevent takes the lines in reverse order, sorts them stably, and
 * takes the one that bsearch() of glibc hits.
 */
#ifndef TDAT_MODEL_ADDR_TABLE_H
#define TDAT_MODEL_ADDR_TABLE_H

#include <tdat/error.h>

struct model_addr_entry {
	uint64_t addr;
	uint32_t off; /* of the bytes, in the text */
	uint32_t len;
};

struct model_addr_list {
	struct model_addr_entry *v;
	size_t count;
	size_t cap;
};

struct model_addr_value {
	uint32_t off;
	uint32_t len;
};

struct model_addr_table {
	size_t total;  /* entries, those of the same address too */
	size_t count;  /* different addresses */
	uint64_t last; /* the highest address */
	/* Breadth-first order of a binary tree from index 1, for the cache. */
	uint64_t *keys;
	struct model_addr_value *exact;	 /* for the address itself */
	struct model_addr_value *inside; /* for one between it and the next */
	uint64_t *ends;			 /* the next address; for the last one, itself + 1 */
};

/* False: out of memory. */
bool model_addr_list_add(struct model_addr_list *list, uint64_t addr, size_t off, size_t len);
void model_addr_list_fini(struct model_addr_list *list);

/* Sorts list in place; *t is to be given to model_addr_table_fini in any case. */
bool model_addr_table_init(struct model_addr_table *t, struct model_addr_list *list);
void model_addr_table_fini(struct model_addr_table *t);

/* The index of the highest key <= addr, or 0. */
static inline size_t model_addr_table_below(const struct model_addr_table *t, uint64_t addr)
{
	size_t best = 0;
	size_t k = 1;

	while (k <= t->count) {
		bool right = t->keys[k] <= addr;

		best = right ? k : best;
		k = 2 * k + right;
	}
	return best;
}

#endif
