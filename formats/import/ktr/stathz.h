/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Estimates the frequency of the cycle counter from ticks of the statistics clock. */
#ifndef TDAT_IMPORT_KTR_STATHZ_H
#define TDAT_IMPORT_KTR_STATHZ_H

#include <tdat/source.h>

enum { KTR_STATHZ_SAMPLES = 4096 };

struct ktr_stathz {
	uint64_t *last;	   /* by CPU; of KTR_CPU_MAX */
	uint64_t *samples; /* cycles per second */
	size_t sample_count;
};

enum tdat_status ktr_stathz_init(struct ktr_stathz *s, struct tdat_error *err);
void ktr_stathz_fini(struct ktr_stathz *s);
void ktr_stathz_add(struct ktr_stathz *s, uint32_t cpu, uint64_t ts, struct tdat_span message);
/* Cycles per second, or 0 when no two ticks of a CPU were seen. */
uint64_t ktr_stathz_hz(struct ktr_stathz *s);

#endif
