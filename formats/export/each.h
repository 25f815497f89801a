/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks a batch of events for exporters that make the bytes of each event by itself. */
#ifndef EXPORT_EACH_H
#define EXPORT_EACH_H

#include <tdat/sink.h>

#include "core/build.h"

/* Puts the events of a batch, from *done on, until its bytes are as many as wanted. */
static inline enum tdat_status
export_each(enum tdat_status (*put)(void *worker, const struct tdat_event *ev,
				    struct tdat_build *out, struct tdat_error *err),
	    void *worker, const struct tdat_batch *batch, size_t *done, struct tdat_build *out,
	    struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	while (st == TDAT_OK && *done < batch->count && out->len < batch->text_most) {
		st = put(worker, &batch->events[*done], out, err);
		*done += st == TDAT_OK;
	}
	return st;
}

#endif
