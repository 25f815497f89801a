/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the body of a message of Arrow IPC. A body is the buffers of all columns, each aligned
 * and perhaps compressed by zstd, with a list of nodes and buffers for the message. Bitmaps
 * that do not begin at a byte are moved, and indices of a file's collected dictionary replace
 * those of the batch.
 */
#include "ipc_body.h"

#include <stdlib.h>

#include "core/grow.h"

void ipc_body_fini(void *body)
{
	struct ipc_body *b = body;

	tdat_build_fini(&b->bytes);
	tdat_build_fini(&b->scratch);
	free(b->buffers);
	free(b->nodes);
}

/* Empties a body for the next message; its memory stays. */
void ipc_body_clear(struct ipc_body *b)
{
	b->bytes.len = 0;
	b->buffer_count = b->node_count = 0;
}

/* ---- buffers and nodes ---- */

/* Adds the node of an array: its length and number of nulls. */
static enum tdat_status put_node(struct ipc_body *b, uint64_t len, uint64_t nulls,
				 struct tdat_error *err)
{
	if (!TDAT_GROW(b->nodes, &b->node_cap, b->node_count + 1))
		return tdat_error_no_memory(err, "a record batch");
	b->nodes[b->node_count++] = (struct ipc_node){len, nulls};
	return TDAT_OK;
}

/*
 * Adds a compressed buffer, which begins with its length. -1 instead: it would not get shorter and
 * is stored as it was.
 */
static enum tdat_status put_compressed(struct ipc_body *b, const void *p, size_t len,
				       struct tdat_error *err)
{
	const size_t start = b->bytes.len;
	enum tdat_status st;

	tdat_build_u64(&b->bytes, len);
	st = scratch_compress(&b->head, p, len, &b->bytes, err);
	if (st != TDAT_OK || b->bytes.len - start - 8 < len)
		return st;
	b->bytes.len = start;
	tdat_build_u64(&b->bytes, UINT64_MAX);
	tdat_build_bytes(&b->bytes, p, len);
	return TDAT_OK;
}

/* Adds a buffer, filled up to the alignment. A buffer without bytes stays one in the list. */
static enum tdat_status put_buffer(struct ipc_body *b, const void *p, size_t len,
				   struct tdat_error *err)
{
	const uint64_t start = b->bytes.len;
	enum tdat_status st = TDAT_OK;

	if (!TDAT_GROW(b->buffers, &b->buffer_cap, b->buffer_count + 1))
		return tdat_error_no_memory(err, "a record batch");
	if (b->head.pool->compress && len)
		st = put_compressed(b, p, len, err);
	else
		tdat_build_bytes(&b->bytes, p, len);
	b->buffers[b->buffer_count++] = (struct ipc_buffer){start, b->bytes.len - start};
	tdat_build_fill(&b->bytes, 0, (b->align - b->bytes.len % b->align) % b->align);
	if (st == TDAT_OK && (b->bytes.failed || b->scratch.failed))
		return tdat_error_no_memory(err, "a record batch");
	return st;
}

/* ---- arrays ---- */

/* Adds n bits from bit off on, shifted to begin at a byte. */
static enum tdat_status put_bits(struct ipc_body *b, const uint8_t *bits, size_t off, size_t n,
				 struct tdat_error *err)
{
	const size_t len = (n + 7) / 8;
	const unsigned int shift = off % 8;
	uint8_t *to;

	b->scratch.len = 0;
	to = tdat_build_room(&b->scratch, len + 1);
	if (!to)
		return tdat_error_no_memory(err, "a record batch");
	for (size_t i = 0; i < len; i++) {
		unsigned int v = bits[off / 8 + i];

		/*
		 * The next byte is read only if bits of it are needed: it may be outside the array.
		 */
		if (shift && i * 8 + 8 - shift < n)
			v |= (unsigned int)bits[off / 8 + i + 1] << 8;
		to[i] = (uint8_t)(v >> shift);
	}
	/* Bits behind the last one are 0, so output does not depend on memory. */
	if (n % 8)
		to[len - 1] &= (uint8_t)((1u << n % 8) - 1);
	return put_buffer(b, to, len, err);
}

/* Adds the node and validity of n elements. Without nulls the buffer is empty. */
static enum tdat_status put_validity(struct ipc_body *b, const uint8_t *valid, size_t off, size_t n,
				     struct tdat_error *err)
{
	const size_t nulls = valid ? array_zeros(valid, off, n) : 0;
	enum tdat_status st = put_node(b, n, nulls, err);

	if (st != TDAT_OK)
		return st;
	return nulls ? put_bits(b, valid, off, n, err) : put_buffer(b, NULL, 0, err);
}

/* Adds n + 1 offsets, reduced so that the first one is 0. */
static enum tdat_status put_offsets(struct ipc_body *b, const int32_t *offsets, size_t n,
				    struct tdat_error *err)
{
	int32_t *to;

	b->scratch.len = 0;
	to = (int32_t *)(void *)tdat_build_room(&b->scratch, (n + 1) * sizeof(*to));
	if (!to)
		return tdat_error_no_memory(err, "a record batch");
	for (size_t i = 0; i <= n; i++)
		to[i] = offsets[i] - offsets[0];
	return put_buffer(b, to, (n + 1) * sizeof(*to), err);
}

/* Returns the offsets of an array; an empty one may have none at all. */
static const int32_t *offsets_at(const struct ArrowArray *a, size_t off, size_t n)
{
	static const int32_t none[1];

	return n ? array_offsets(a) + off : none;
}

/* Adds n elements from element off on, of a type without items and dictionary. */
static enum tdat_status put_elements(struct ipc_body *b, const struct column_type *t,
				     const struct ArrowArray *a, const uint8_t *valid, size_t off,
				     size_t n, struct tdat_error *err)
{
	enum tdat_status st = put_validity(b, valid, off, n, err);
	const int32_t *offsets;

	if (st != TDAT_OK)
		return st;
	if (t->kind == COLUMN_BOOL)
		return put_bits(b, a->buffers[1], off, n, err);
	if (t->width)
		return put_buffer(b, n ? (const uint8_t *)a->buffers[1] + off * t->width : NULL,
				  n * t->width, err);
	offsets = offsets_at(a, off, n);
	st = put_offsets(b, offsets, n, err);
	if (st != TDAT_OK)
		return st;
	return put_buffer(b, n ? (const uint8_t *)a->buffers[2] + offsets[0] : NULL,
			  (size_t)(offsets[n] - offsets[0]), err);
}

/* Adds a list: its own buffers, then those of the items in use. */
static enum tdat_status put_list(struct ipc_body *b, const struct column_type *t,
				 const struct array_view *v, struct tdat_error *err)
{
	const int32_t *offsets = offsets_at(v->array, v->off, v->len);
	enum tdat_status st = put_validity(b, v->valid, v->off, v->len, err);

	if (st == TDAT_OK)
		st = put_offsets(b, offsets, v->len, err);
	if (st != TDAT_OK)
		return st;
	return put_elements(b, t, v->items, array_validity(v->items),
			    (size_t)(v->items->offset + offsets[0]),
			    (size_t)(offsets[v->len] - offsets[0]), err);
}

/* ---- indices ---- */

/*
 * Finds the rows that are not null, neither by themselves nor by their entry, as a bitmap in
 * scratch. *nulls counts the others. Checks each index.
 */
static enum tdat_status find_nulls(struct ipc_body *b, const struct column_type *t,
				   const struct array_view *v, size_t *nulls,
				   struct tdat_error *err)
{
	const struct ArrowArray *d = v->dictionary;
	const uint8_t *entries = array_validity(d);

	*nulls = 0;
	b->scratch.len = 0;
	tdat_build_fill(&b->scratch, 0xff, v->len / 8 + 1);
	if (b->scratch.failed)
		return tdat_error_no_memory(err, "a record batch");
	for (size_t i = 0; i < v->len; i++) {
		const uint64_t index = array_index(v->array->buffers[1], v->off + i, t->index_width,
						   t->index_signed);
		bool set = !v->valid || array_bit(v->valid, v->off + i);

		if (set && index >= (uint64_t)d->length)
			return array_bad_index(t, index, d, err);
		if (set && entries && !array_bit(entries, (size_t)(d->offset) + (size_t)index)) {
			if (!t->nullable)
				return array_bad_index(t, index, d, err);
			set = false;
		}
		if (set)
			continue;
		b->scratch.ptr[i / 8] &= (uint8_t) ~(1u << (i % 8));
		++*nulls;
	}
	if (v->len % 8)
		b->scratch.ptr[v->len / 8] &= (uint8_t)((1u << v->len % 8) - 1);
	return TDAT_OK;
}

/*
 * Adds indices into the file's collected dictionary. Those of null rows may be anything that the
 * dictionary has: they become 0.
 */
static enum tdat_status put_mapped(struct ipc_body *b, const struct column_type *t,
				   const struct array_view *v, const uint32_t *map,
				   struct tdat_error *err)
{
	uint32_t *to;

	b->scratch.len = 0;
	to = (uint32_t *)(void *)tdat_build_room(&b->scratch, v->len * sizeof(*to));
	if (!to)
		return tdat_error_no_memory(err, "a record batch");
	for (size_t i = 0; i < v->len; i++) {
		const uint64_t index = array_index(v->array->buffers[1], v->off + i, t->index_width,
						   t->index_signed);

		to[i] = index < (uint64_t)v->dictionary->length && map[index] != UINT32_MAX
				? map[index]
				: 0;
	}
	return put_buffer(b, to, v->len * sizeof(*to), err);
}

/*
 * Adds the indices of a column with a dictionary. map: from the batch's entries to those of a file;
 * NULL: indices stay.
 */
static enum tdat_status put_indices(struct ipc_body *b, const struct column_type *t,
				    const struct array_view *v, const uint32_t *map,
				    struct tdat_error *err)
{
	size_t nulls;
	enum tdat_status st = find_nulls(b, t, v, &nulls, err);

	if (st == TDAT_OK)
		st = put_node(b, v->len, nulls, err);
	if (st == TDAT_OK)
		st = put_buffer(b, b->scratch.ptr, nulls ? (v->len + 7) / 8 : 0, err);
	if (st != TDAT_OK)
		return st;
	if (map)
		return put_mapped(b, t, v, map, err);
	return put_buffer(
		b, v->len ? (const uint8_t *)v->array->buffers[1] + v->off * t->index_width : NULL,
		v->len * t->index_width, err);
}

/* Adds all buffers of a column. */
enum tdat_status ipc_body_column(struct ipc_body *b, const struct column_type *t,
				 const struct array_view *v, const uint32_t *map,
				 struct tdat_error *err)
{
	if (v->items)
		return put_list(b, t, v, err);
	if (v->dictionary)
		return put_indices(b, t, v, map, err);
	return put_elements(b, t, v->array, v->valid, v->off, v->len, err);
}

/* Adds the entries of a dictionary, none of them null. */
enum tdat_status ipc_body_texts(struct ipc_body *b, const int32_t *offsets, const uint8_t *bytes,
				size_t count, struct tdat_error *err)
{
	enum tdat_status st = put_validity(b, NULL, 0, count, err);

	if (st == TDAT_OK)
		st = put_offsets(b, offsets, count, err);
	if (st != TDAT_OK)
		return st;
	return put_buffer(b, bytes ? bytes + offsets[0] : NULL,
			  (size_t)(offsets[count] - offsets[0]), err);
}

/* ---- the message ---- */

/* Header of a record batch: rows, nodes, buffers, compression. */
flat_ref ipc_record_batch(struct flat *f, const struct ipc_body *b, uint64_t rows)
{
	flat_ref nodes, buffers, compression = 0;

	flat_structs_begin(f, b->buffer_count * 16, 8);
	for (size_t i = b->buffer_count; i-- > 0;) {
		flat_i64(f, (int64_t)b->buffers[i].len);
		flat_i64(f, (int64_t)b->buffers[i].off);
	}
	buffers = flat_structs_end(f, b->buffer_count);
	flat_structs_begin(f, b->node_count * 16, 8);
	for (size_t i = b->node_count; i-- > 0;) {
		flat_i64(f, (int64_t)b->nodes[i].nulls);
		flat_i64(f, (int64_t)b->nodes[i].len);
	}
	nodes = flat_structs_end(f, b->node_count);
	if (b->head.pool->compress) {
		flat_table(f);
		flat_field_u8(f, 0, 1); /* zstd */
		flat_field_u8(f, 1, 0); /* each buffer by itself */
		compression = flat_table_end(f);
	}
	flat_table(f);
	flat_field_i64(f, 0, (int64_t)rows);
	flat_field_ref(f, 1, nodes);
	flat_field_ref(f, 2, buffers);
	flat_field_ref(f, 3, compression);
	return flat_table_end(f);
}
