/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds FlatBuffers from their end to their start. An object is complete before another refers
 * to it, so offsets are known when they are written. A failure of memory is a flag, asked in
 * the end. The header has the layout; ipc_schema.c, ipc_body.c and arrow_table.c are the users.
 */
#include "flatbuffer.h"

#include <stdlib.h>

#include "core/checked.h"

/* Bytes of the first buffer, which doubles. */
enum { FIRST_CAP = 1024 };

void flat_init(struct flat *f)
{
	memset(f, 0, sizeof(*f));
	f->align = 4;
}

void flat_fini(struct flat *f)
{
	free(f->ptr);
	f->ptr = NULL;
}

/*
 * Makes room for n more bytes in front; NULL: no memory, or more than 2^31 - 1 bytes. The content
 * stays at the buffer's end.
 */
static uint8_t *room(struct flat *f, size_t n)
{
	size_t cap = f->cap ? f->cap : FIRST_CAP, need;
	uint8_t *p;

	if (f->failed || !tdat_add_size(f->len, n, &need) || need > INT32_MAX) {
		f->failed = true;
		return NULL;
	}
	while (cap < need)
		cap *= 2;
	if (cap > f->cap) {
		p = malloc(cap);
		if (!p) {
			f->failed = true;
			return NULL;
		}
		if (f->len)
			memcpy(p + cap - f->len, f->ptr + f->cap - f->len, f->len);
		free(f->ptr);
		f->ptr = p;
		f->cap = cap;
	}
	f->len = need;
	return f->ptr + f->cap - f->len;
}

/* Adds zeros in front, so that the object is aligned when len further bytes are before it. */
static void pad(struct flat *f, size_t len, size_t align)
{
	const size_t n = (align - (f->len + len) % align) % align;
	uint8_t *p = n ? room(f, n) : NULL;

	if (align > f->align)
		f->align = align;
	if (p)
		memset(p, 0, n);
}

/* Adds a number of len bytes, aligned by its length. */
static void put(struct flat *f, uint64_t v, size_t len)
{
	uint8_t bytes[8], *p;

	pad(f, len, len);
	p = room(f, len);
	tdat_store64(bytes, v, false);
	if (p)
		memcpy(p, bytes, len);
}

void flat_i64(struct flat *f, int64_t v)
{
	put(f, (uint64_t)v, 8);
}

void flat_i32(struct flat *f, int32_t v)
{
	put(f, (uint32_t)v, 4);
}

/* Adds a reference: the distance to an object that is behind it. A flat_ref counts from the end. */
static void put_ref(struct flat *f, flat_ref ref)
{
	pad(f, 4, 4);
	put(f, f->len + 4 - ref, 4);
}

/* Adds a string with its length and a NUL; returns its reference. */
flat_ref flat_text(struct flat *f, const void *text, size_t len)
{
	uint8_t *p;

	if (len >= INT32_MAX) {
		f->failed = true;
		return 0;
	}
	pad(f, len + 1, 4);
	p = room(f, len + 1);
	if (p) {
		memcpy(p, len ? text : "", len);
		p[len] = 0;
	}
	put(f, len, 4);
	return f->len;
}

/* Adds a vector of references. */
flat_ref flat_vector(struct flat *f, const flat_ref *v, size_t count)
{
	for (size_t i = count; i-- > 0;)
		put_ref(f, v[i]);
	put(f, count, 4);
	return f->len;
}

/* Begins a vector of structs of len bytes together; their members follow, the last one first. */
void flat_structs_begin(struct flat *f, size_t len, size_t align)
{
	pad(f, len, 4);
	pad(f, len, align);
}

flat_ref flat_structs_end(struct flat *f, size_t count)
{
	put(f, count, 4);
	return f->len;
}

/* ---- tables ---- */

/* Begins a table. Objects that it refers to must be complete. */
void flat_table(struct flat *f)
{
	memset(f->fields, 0, sizeof(f->fields));
	f->field_count = 0;
	f->table_end = f->len;
}

/* Notes the place of a field, for the vtable. */
static void field(struct flat *f, unsigned int id)
{
	f->fields[id] = f->len;
	if (id >= f->field_count)
		f->field_count = id + 1;
}

void flat_field_u8(struct flat *f, unsigned int id, uint8_t v)
{
	put(f, v, 1);
	field(f, id);
}

void flat_field_i16(struct flat *f, unsigned int id, int16_t v)
{
	put(f, (uint16_t)v, 2);
	field(f, id);
}

void flat_field_i32(struct flat *f, unsigned int id, int32_t v)
{
	put(f, (uint32_t)v, 4);
	field(f, id);
}

void flat_field_i64(struct flat *f, unsigned int id, int64_t v)
{
	put(f, (uint64_t)v, 8);
	field(f, id);
}

/* A reference of 0 leaves the field out. */
void flat_field_ref(struct flat *f, unsigned int id, flat_ref ref)
{
	if (!ref)
		return;
	put_ref(f, ref);
	field(f, id);
}

/*
 * Ends a table and writes its vtable in front of it; the table begins with the distance of the
 * vtable.
 */
flat_ref flat_table_end(struct flat *f)
{
	size_t table, start;

	put(f, 0, 4);
	table = f->len;
	for (size_t i = f->field_count; i-- > 0;)
		put(f, f->fields[i] ? table - f->fields[i] : 0, 2);
	put(f, table - f->table_end, 2);
	put(f, 4 + 2 * f->field_count, 2);
	/* Known only now: the vtable is complete. */
	start = f->len;
	if (!f->failed)
		tdat_store32(f->ptr + f->cap - table, (uint32_t)(start - table), false);
	return table;
}

/* Ends the buffer with the reference to its root, and appends it to out. */
void flat_finish(struct flat *f, flat_ref root, struct tdat_build *out)
{
	pad(f, 4, f->align);
	put_ref(f, root);
	if (f->failed) {
		out->failed = true;
		return;
	}
	tdat_build_bytes(out, f->ptr + f->cap - f->len, f->len);
}
