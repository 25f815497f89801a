/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts records of a capture in order of time with bounded memory: runs are
 * sorted in memory and merged from unlinked temporary files (in TMPDIR) when
 * they do not fit. Stable: equal keys come in the order (cpu, insertion).
 */
#ifndef TDAT_IMPORT_SORT_H
#define TDAT_IMPORT_SORT_H

#include <tdat/error.h>

struct import_sort;

/* memory_len: bytes of records kept in memory; 0: 16 MiB. */
enum tdat_status import_sort_new(struct import_sort **out, size_t memory_len,
				 struct tdat_error *err);
void import_sort_free(struct import_sort *s);

/* Copies len bytes of data under the key (ts, cpu). */
enum tdat_status import_sort_add(struct import_sort *s, uint64_t ts, uint32_t cpu, const void *data,
				 size_t len, struct tdat_error *err);

typedef enum tdat_status (*import_sort_fn)(void *ctx, uint64_t ts, uint32_t cpu,
					   struct tdat_span data, struct tdat_error *err);

/* Calls fn for every record in order; once, after the last add. */
enum tdat_status import_sort_each(struct import_sort *s, import_sort_fn fn, void *ctx,
				  struct tdat_error *err);

/*
 * The same, pulled: the next record in order, data valid until the next call.
 * TDAT_E_NOT_FOUND, without a sentence, after the last. No add after the first
 * next.
 */
enum tdat_status import_sort_next(struct import_sort *s, uint64_t *ts, uint32_t *cpu,
				  struct tdat_span *data, struct tdat_error *err);

#endif
