/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the "meta" file beside a copy of the ring: lines of key=value. */
#ifndef TDAT_IMPORT_KTR_RING_META_H
#define TDAT_IMPORT_KTR_RING_META_H

#include <tdat/emit.h>

struct ktr_meta {
	const struct tdat_import_input *input; /* NULL: there is none */
	char layout[32];		       /* "" when the file has none; likewise the rest */
	char endian[8];
	char clock[8];
	uint64_t word;
	bool has_idx;
	uint64_t idx;
	uint64_t entries;
	uint64_t version;
	uint64_t ring_len; /* BSD/OS: ktr_size */
	bool has_alq_failed;
	uint64_t alq_failed;
};

enum tdat_status ktr_meta_read(struct ktr_meta *m, const struct tdat_import_input *in,
			       const struct tdat_emit *emit, struct tdat_error *err);
/* "idx<N>=" of BSD/OS; false without it. */
bool ktr_meta_ring_idx(const struct ktr_meta *m, uint32_t cpu, uint64_t *idx);
/* Warns of each "idx<N>=" below cpus for whose CPU there is no ring. */
enum tdat_status ktr_meta_warn_absent(const struct ktr_meta *m, const bool *has_ring, uint32_t cpus,
				      const struct tdat_emit *emit, struct tdat_error *err);

#endif
