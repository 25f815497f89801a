/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how several events are counted at once, where their triggers allow it. */
#ifndef TDAT_HIST_BATCH_H
#define TDAT_HIST_BATCH_H

#include "eval.h"

enum { HIST_BATCH = 64 };

/* The key of an event whose one histogram needs nothing but the event itself. */
struct hist_plain_hit {
	struct hist_data *data; /* NULL: the event is not one of these */
	uint32_t hash;
	uint64_t key[HIST_PLAIN_KEY / 8];
};

/* True if hits on an event can be counted this way; called when all triggers are known. */
bool hist_is_plain(const struct tdat_hist *h, const struct hist_event *e);

/* Computes the key, and begins to load the place of the table where it belongs. */
void hist_plain_key(const struct tdat_hist *h, struct hist_data *d, const struct hist_hit *hit,
		    struct hist_plain_hit *out);
/* Begins to load the entry. */
void hist_plain_fetch(const struct hist_plain_hit *p);
/* Counts it. */
enum tdat_status hist_plain_count(struct tdat_hist *h, const struct hist_plain_hit *p,
				  const struct tdat_event *event);

#endif
