/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts doubts about entries: how many of each kind, and where the first one is. */
#ifndef TDAT_IMPORT_KTR_DOUBTS_H
#define TDAT_IMPORT_KTR_DOUBTS_H

#include <tdat/emit.h>

/* How often something doubtful was met, and where first. */
struct ktr_seen {
	uint64_t count;
	uint64_t off;
};

static inline void ktr_see(struct ktr_seen *s, uint64_t off)
{
	if (!s->count++)
		s->off = off;
}

/* Warn of such entries, if there are any. */
enum tdat_status ktr_warn_bad_cpu(const struct ktr_seen *s, const struct tdat_emit *emit,
				  struct tdat_error *err);
enum tdat_status ktr_warn_backwards(const struct ktr_seen *s, const struct tdat_emit *emit,
				    struct tdat_error *err);

#endif
