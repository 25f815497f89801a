/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Estimates the frequency of the cycle counter. Two ticks of the statistics clock of one CPU
 * are 1/stathz seconds apart; the median over all pairs gives the cycles of a second.
 */
#include "ktr.h"
#include "core/search.h"

#include <stdlib.h>

#include "entry_layout.h"
#include "ktrgraph.h"

/* Takes a message: two ticks of one CPU give a sample in Hz. Other messages change nothing. */
void ktr_stathz_add(struct ktr_stathz *s, uint32_t cpu, uint64_t ts, struct tdat_span message)
{
	struct ktr_graph g;
	int64_t rate;
	uint64_t last, hz;

	if (cpu >= KTR_CPU_MAX || !ktr_graph_parse(message, &g) ||
	    !ktr_graph_number(&g, "stathz", &rate) || rate <= 0)
		return;
	last = s->last[cpu];
	s->last[cpu] = ts;
	/*
	 * A sample is missing for the first tick of a CPU; listings may run backwards, hence the
	 * absolute value.
	 */
	if (!last || ts == last || s->sample_count == KTR_STATHZ_SAMPLES ||
	    __builtin_mul_overflow(ts > last ? ts - last : last - ts, (uint64_t)rate, &hz))
		return; /* listings go backwards */
	s->samples[s->sample_count++] = hz;
}

/* Median of the samples in Hz; 0: there are none. A mean would suffer from lost ticks. */
uint64_t ktr_stathz_hz(struct ktr_stathz *s)
{
	if (!s->sample_count)
		return 0;
	qsort(s->samples, s->sample_count, sizeof(*s->samples), tdat_by_u64);
	return s->samples[s->sample_count / 2];
}
