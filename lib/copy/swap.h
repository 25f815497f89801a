/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Brings event payloads and options from one byte order to the other, field by field. A field
 * whose parts are not known (a structure, packed arguments) is refused.
 */
#ifndef TDAT_COPY_SWAP_H
#define TDAT_COPY_SWAP_H

#include <tdat/event.h>

#include "core/arena.h"
#include "core/build.h"

enum swap_kind {
	SWAP_FIXED,  /* count elements at off */
	SWAP_REST,   /* elements from off to the end of the record */
	SWAP_LOC,    /* count bytes hold offset (from the record's start) and length of elements */
	SWAP_REL_LOC /* the same, from the end of these bytes */
};

struct swap_step {
	enum swap_kind kind;
	uint32_t off, elem, count;
	bool sockaddr; /* the elements are bytes of one */
};

/* The steps by which a record of one format is swapped. */
struct swap_plan {
	struct swap_step *steps; /* in an arena */
	size_t count;
};

enum tdat_status swap_plan_make(struct swap_plan *plan, const struct tdat_event_format *format,
				uint8_t long_size, struct tdat_arena *arena,
				struct tdat_error *err);

/* Swaps a record in place; big is the order that it is in before. */
void swap_record(const struct swap_plan *plan, uint8_t *record, size_t len, bool big);

/*
 * Appends the payload of an option to out, in the byte order of out; big is the order of data.
 * An option of unknown layout is TDAT_E_UNSUPPORTED.
 */
enum tdat_status swap_option(struct tdat_build *out, uint16_t id, struct tdat_span data, bool big,
			     struct tdat_error *err);

#endif
