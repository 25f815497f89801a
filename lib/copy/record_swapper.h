/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Byte-swaps the records of one file, with a plan for each event type. */
#ifndef TDAT_COPY_RECORD_SWAPPER_H
#define TDAT_COPY_RECORD_SWAPPER_H

#include <tdat/file.h>

#include "swap.h"

struct record_swapper {
	const struct tdat_file *file;
	struct tdat_arena *arena; /* holds the plans */
	struct swap_plan **plans; /* by event id */
	uint8_t *record;	  /* the last record, swapped */
	size_t record_cap;
	uint64_t memory_failures;    /* of the file, before */
	uint32_t type_off, type_len; /* where readers look for the id of an event */
};

/* file and arena are borrowed until record_swapper_fini. */
enum tdat_status record_swapper_init(struct record_swapper *t, const struct tdat_file *file,
				     struct tdat_arena *arena, struct tdat_error *err);
void record_swapper_fini(struct record_swapper *t);

/*
 * Sets *out to the record in the other byte order, valid until the next call. An event type
 * whose fields are not all known is TDAT_E_UNSUPPORTED.
 */
enum tdat_status record_swapper_run(struct record_swapper *t, uint32_t id, struct tdat_span record,
				    struct tdat_span *out, struct tdat_error *err);

#endif
