/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Warns of doubtful entries, of binary captures and of listings alike. Each kind of doubt is
 * one warning with a count and an example.
 */
#include "ktr.h"

#include <inttypes.h>

#include "entry_layout.h"

/* Warns of entries whose cpu is out of range, with the offset of the first. */
enum tdat_status ktr_warn_bad_cpu(const struct ktr_seen *s, const struct tdat_emit *emit,
				  struct tdat_error *err)
{
	if (!s->count)
		return TDAT_OK;
	return tdat_emit_warnf(emit, NULL, s->off, err,
			       "%" PRIu64 " entr%s with a cpu outside 0..%d put on cpu 0", s->count,
			       s->count == 1 ? "y" : "ies", KTR_CPU_MAX - 1);
}

/*
 * Warns of timestamps that run backwards on one CPU: the entries are sorted, but their order may be
 * wrong.
 */
enum tdat_status ktr_warn_backwards(const struct ktr_seen *s, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	if (!s->count)
		return TDAT_OK;
	return tdat_emit_warnf(emit, NULL, s->off, err,
			       "%" PRIu64
			       " timestamp%s earlier than the one before it on the same cpu",
			       s->count, s->count == 1 ? "" : "s");
}
