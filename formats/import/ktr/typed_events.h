/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes an event type for each format string, beside the generic one. */
#ifndef TDAT_IMPORT_KTR_TYPED_EVENTS_H
#define TDAT_IMPORT_KTR_TYPED_EVENTS_H

#include <tdat/source.h>

struct ktr_entry;
struct ktr_format;
struct ktr_output;

/* The event of the entry's own format, after the generic one. */
enum tdat_status ktr_typed(struct ktr_output *o, struct ktr_format *f, const struct ktr_entry *e,
			   int32_t pid, uint64_t ts, struct tdat_error *err);

#endif
