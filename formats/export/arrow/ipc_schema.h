/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The schema of a table as Arrow IPC has it: as a message, and in the footer of a file.
 *
 * Source: "Arrow Columnar Format", "Serialization and Interprocess Communication", and
 * apache/arrow, format/Schema.fbs and format/Message.fbs
 */
#ifndef ARROW_IPC_SCHEMA_H
#define ARROW_IPC_SCHEMA_H

#include "export/columns/column_type.h"
#include "flatbuffer.h"

enum { IPC_METADATA_V5 = 4 };

/* Kinds of messages. */
enum ipc_header { IPC_SCHEMA = 1, IPC_DICTIONARY_BATCH = 2, IPC_RECORD_BATCH = 3 };

/*
 * The table Schema. wide_indices: indices of dictionaries have 32 bits, whatever they have in
 * batches. The column of a dictionary is its id.
 */
flat_ref ipc_schema(struct flat *f, const struct column_types *types, bool wide_indices);

/* Ends a message whose header is made: its bytes, with their length, a multiple of align. */
void ipc_message(struct flat *f, enum ipc_header type, flat_ref header, uint64_t body_len,
		 size_t align, struct tdat_build *out);

/* The schema as a message. */
void ipc_schema_message(struct tdat_build *out, const struct column_types *types, bool wide_indices,
			size_t align);

#endif
