/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The body of a message of Arrow IPC: the buffers of a record batch, one behind the other, and
 * the lengths and nulls of its arrays. Arrays are written from their first row on, so that no
 * row that is not in the batch is written: bits are moved, offsets start at zero.
 */
#ifndef ARROW_IPC_BODY_H
#define ARROW_IPC_BODY_H

#include "export/columns/array_view.h"
#include "export/columns/scratch_pool.h"
#include "ipc_schema.h"

struct ipc_buffer {
	uint64_t off, len;
};

struct ipc_node {
	uint64_t len, nulls;
};

struct ipc_body {
	struct scratch head; /* its pool says whether buffers are compressed */
	size_t align;	     /* of each buffer, 8 or 64 */
	struct tdat_build bytes;
	struct ipc_buffer *buffers;
	size_t buffer_count, buffer_cap;
	struct ipc_node *nodes;
	size_t node_count, node_cap;
	struct tdat_build scratch; /* a buffer that is made anew */
};

void ipc_body_fini(void *body);
void ipc_body_clear(struct ipc_body *b);

/* A column of a batch. map: the entries that indices mean instead, with 32 bits, or NULL. */
enum tdat_status ipc_body_column(struct ipc_body *b, const struct column_type *t,
				 const struct array_view *v, const uint32_t *map,
				 struct tdat_error *err);
/* count texts, of which the offsets are those of an array. */
enum tdat_status ipc_body_texts(struct ipc_body *b, const int32_t *offsets, const uint8_t *bytes,
				size_t count, struct tdat_error *err);

/* The table RecordBatch for this body of rows rows. */
flat_ref ipc_record_batch(struct flat *f, const struct ipc_body *b, uint64_t rows);

#endif
