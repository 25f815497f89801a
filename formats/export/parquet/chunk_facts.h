/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the footer says of a column chunk that is written. It is kept in few bytes until then,
 * without offsets: these follow from the lengths, because a row group is the chunks of its columns
 * one behind the other, then their column indexes, then their offset indexes.
 */
#ifndef PARQUET_CHUNK_FACTS_H
#define PARQUET_CHUNK_FACTS_H

#include "column.h"
#include "thrift.h"

struct chunk_facts {
	uint32_t
		encodings; /* a bit for each enum parquet_encoding, also of levels and dictionary */
	enum parquet_codec codec;
	uint64_t slots, nulls;
	uint64_t raw_len;		     /* of its pages with their heads, not compressed */
	uint64_t dictionary_len, data_len;   /* as they are written */
	uint32_t column_index, offset_index; /* their lengths */
	struct value_range range;	     /* has no bounds where there is no value */
};

/* Where the parts of a chunk are in the file. */
struct chunk_place {
	uint64_t start, column_index, offset_index;
};

/* Facts of a chunk whose column has its finished pages still. */
void chunk_facts_of(struct chunk_facts *f, const struct column *c);

/* Appends the facts. */
void chunk_facts_keep(struct tdat_build *out, const struct chunk_facts *f);
/* Reads what chunk_facts_keep wrote; returns where the next begins. */
const uint8_t *chunk_facts_read(struct chunk_facts *f, const uint8_t *p);

/* A number that varint_put wrote; *p goes behind it. */
uint64_t varint_read(const uint8_t **p);

/* The struct ColumnChunk of the footer, as an element of a list. */
void chunk_facts_put(struct thrift *t, const struct column *c, const struct chunk_facts *f,
		     const struct chunk_place *at);

#endif
