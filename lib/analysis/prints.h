/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What print fmt prints for events, by the type of the event. */
#ifndef TDAT_ANALYSIS_PRINTS_H
#define TDAT_ANALYSIS_PRINTS_H

#include "model/print.h"
#include "table/derived.h"

/* It belongs to one thread. */
struct prints {
	struct derived_out *out;
	struct model_print **by_type; /* NULL: not made yet */
	struct model_scratch *scratch;
	struct tdat_build text;
};

enum tdat_status prints_init(struct prints *p, struct derived_out *out, struct tdat_error *err);
void prints_fini(struct prints *p);

/* The text of an event, with a NUL behind it, until the next call; len is 0 after a failure. */
struct tdat_span prints_run(struct prints *p, const struct derived_type *type,
			    const struct model_event *ev);
/* What of it stands between two words; ptr is NULL where they are not there. */
struct tdat_span prints_between(struct prints *p, const struct derived_type *type,
				const struct model_event *ev, const char *before,
				const char *behind);

/* A device as "MAJOR,MINOR", from the kernel's own dev_t. */
void prints_dev(struct derived_out *o, uint64_t dev);

#endif
