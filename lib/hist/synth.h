/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares synthetic events: their definition, and the records that actions make of them. */
#ifndef TDAT_HIST_SYNTH_H
#define TDAT_HIST_SYNTH_H

#include "event.h"

/* False: refused, or no memory. */
bool hist_synth_define(struct tdat_hist *h, const char *text);

/* The most bytes that a record may have. */
#define HIST_SYNTH_LEN_MOST (8u + HIST_PARAMS * (8u + HIST_STR))

/*
 * Writes a record of values to out, HIST_SYNTH_LEN_MOST bytes, and returns its length. from is
 * the record of the event that led to it.
 */
size_t hist_synth_record(const struct tdat_hist *h, const struct hist_event *e,
			 const struct hist_value *const *values, const struct hist_hit *from,
			 uint8_t *out);

#endif
