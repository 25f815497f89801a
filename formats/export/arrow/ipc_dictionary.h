/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dictionaries of a column in Arrow IPC. The entries of batches may differ, normally they
 * grow.
 *
 * In a stream a dictionary is written before the first batch that needs it: the entries of a
 * batch's dictionary as they are; where those of the one before are its first entries, only
 * the new ones if the reader takes deltas; else all of them again.
 *
 * A file must not replace a dictionary, and some readers of files take no deltas. There one
 * dictionary collects the entries of all batches, indices of batches are changed to its
 * numbers, and it is written behind the last batch, once: readers find dictionaries by the
 * footer, wherever they are.
 *
 * Source: "Arrow Columnar Format", "Dictionary Messages" and "IPC File Format"
 */
#ifndef ARROW_IPC_DICTIONARY_H
#define ARROW_IPC_DICTIONARY_H

#include "export/columns/dictionary.h"
#include "ipc_body.h"

struct ipc_dictionary {
	/* A stream: the entries that the reader has, and those of the batch. */
	bool sent;
	struct tdat_build offsets, bytes, new_offsets, new_bytes;
	/* A file: all entries, and those of a batch by their number there. */
	struct dictionary all;
	uint32_t *map;
	size_t map_cap;
};

/* What a stream must tell before a batch. */
enum ipc_dictionary_news { DICTIONARY_SAME, DICTIONARY_GREW, DICTIONARY_NEW };

void ipc_dictionary_init(struct ipc_dictionary *d);
void ipc_dictionary_fini(struct ipc_dictionary *d);

/* Takes the dictionary of a batch. *first is the first entry that the reader does not have. */
enum tdat_status ipc_dictionary_stream(struct ipc_dictionary *d, const struct array_view *v,
				       enum ipc_dictionary_news *news, size_t *first,
				       struct tdat_error *err);
/* Entries from first on, as a body. */
enum tdat_status ipc_dictionary_body(const struct ipc_dictionary *d, size_t first,
				     struct ipc_body *b, size_t *count, struct tdat_error *err);

/* Collects the entries that the rows of a batch mean, and makes map. */
enum tdat_status ipc_dictionary_collect(struct ipc_dictionary *d, const struct column_type *t,
					const struct array_view *v, struct tdat_error *err);
/* All entries of a file, as a body. */
enum tdat_status ipc_dictionary_all(const struct ipc_dictionary *d, struct ipc_body *b,
				    size_t *count, struct tdat_error *err);

/* The table DictionaryBatch for this body. */
flat_ref ipc_dictionary_batch(struct flat *f, const struct ipc_body *b, size_t column, size_t count,
			      bool delta);

#endif
