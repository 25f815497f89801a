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
 * The time stamp of the page at off. false: there is no page header, or an empty
 * page's.
 */
bool dat_scan_page(const struct dat_index *ix, uint32_t page_size, uint64_t off, uint64_t *ts);

/* Whether [off, end) starts with a number of chunks and a chunk that fits. */
bool dat_scan_chunk(struct dat_index *ix, uint64_t off, uint64_t end);

/*
 * Plain pages in [off, end) lie CPU behind CPU, in order of time within each: where
 * time goes back a new CPU starts, until there are most. (Two CPUs that did not
 * overlap look like one.)
 */
enum tdat_status dat_scan_plain(struct dat_index *ix, uint32_t page_size, uint64_t off,
				uint64_t end, uint32_t most, struct dat_cpu_list *l,
				struct tdat_error *err);

/* Compressed data tells its end: after all chunks, at the next page. */
enum tdat_status dat_scan_chunked(struct dat_index *ix, uint32_t page_size, uint64_t off,
				  uint64_t end, uint32_t most, struct dat_cpu_list *l,
				  struct tdat_error *err);

/* Where tag (with its NUL) is next in the file, from off on; UINT64_MAX: nowhere. */
uint64_t dat_scan_tag(const struct dat_index *ix, const char *tag, uint64_t off);

#endif
