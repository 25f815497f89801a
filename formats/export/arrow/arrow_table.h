/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One table as Arrow IPC, a stream or a file, while it is written.
 *
 * Source: "Arrow Columnar Format", "IPC Streaming Format" and "IPC File Format", and
 * apache/arrow, format/File.fbs
 */
#ifndef ARROW_TABLE_H
#define ARROW_TABLE_H

#include <tdat/sink.h>

#include "export/columns/table_columns.h"
#include "ipc_dictionary.h"

/* What all tables of an export share. */
struct arrow_export {
	struct scratch_pool bodies; /* of ipc_body */
	bool is_file, deltas;
};

/* Where a message is in a file. */
struct ipc_block {
	uint64_t off, body_len;
	uint32_t meta_len;
};

struct ipc_blocks {
	struct ipc_block *v;
	size_t count, cap;
};

struct arrow_table {
	struct arrow_export *export;
	struct table_columns columns;
	struct ipc_dictionary *dictionaries; /* of each column, also of those that have none */
	tdat_write_fn write;
	void *write_ctx;
	uint64_t off; /* bytes written */
	struct ipc_blocks batches, dictionary_batches;
};

/* The start of the table. After a failure only arrow_table_fini. */
enum tdat_status arrow_table_start(struct arrow_table *t, struct tdat_error *err);
enum tdat_status arrow_table_batch(struct arrow_table *t, const struct ArrowArray *rows,
				   struct ipc_body *body, struct tdat_error *err);
enum tdat_status arrow_table_finish(struct arrow_table *t, struct ipc_body *body,
				    struct tdat_error *err);

/* Buffers of a stream lie at multiples of 8 bytes, those of a file, which may be mapped, of 64. */
static inline size_t arrow_align(const struct arrow_export *x)
{
	return x->is_file ? 64 : 8;
}

#endif
