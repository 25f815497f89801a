/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Searches a broken file for CPU data whose offset is lost. */
#ifndef TDAT_DAT_SCAN_H
#define TDAT_DAT_SCAN_H

#include "index.h"

struct dat_cpu_list {
	struct tdat_cpu *cpus; /* of the index's arena; numbers count from 0 */
	uint32_t count, cap;
};

/*
 * Sets *ts to the timestamp of the page at off. False: the bytes there are not a page header, or
 * that of an empty page.
 */
bool dat_scan_page(const struct dat_index *ix, uint32_t page_size, uint64_t off, uint64_t *ts);

/* True if [off, end) starts with a number of chunks and a chunk that fits. */
bool dat_scan_chunk(struct dat_index *ix, uint64_t off, uint64_t end);

/*
 * Finds CPUs in the plain pages of [off, end). Pages lie CPU behind CPU and in order of time
 * within each, so that a new CPU starts where time goes back; at most "most" CPUs are made.
 * (Two CPUs of which one ended before the other began are taken for one.)
 */
enum tdat_status dat_scan_plain(struct dat_index *ix, uint32_t page_size, uint64_t off,
				uint64_t end, uint32_t most, struct dat_cpu_list *l,
				struct tdat_error *err);

/*
 * Finds CPUs in compressed data. The count of chunks gives where the data of a CPU ends; that
 * of the next one starts at the next multiple of the page size.
 */
enum tdat_status dat_scan_chunked(struct dat_index *ix, uint32_t page_size, uint64_t off,
				  uint64_t end, uint32_t most, struct dat_cpu_list *l,
				  struct tdat_error *err);

/*
 * The offset of the first byte in [off, end) that is not zero. end: all are zero, or they cannot be
 * read.
 */
uint64_t dat_scan_nonzero(const struct dat_index *ix, uint64_t off, uint64_t end);

/* The offset, from off on, at which tag and its NUL are next in the file; UINT64_MAX: nowhere. */
uint64_t dat_scan_tag(const struct dat_index *ix, const char *tag, uint64_t off);

#endif
