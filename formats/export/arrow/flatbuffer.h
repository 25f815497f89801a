/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds FlatBuffers, which the messages of Arrow IPC are in.
 *
 * This is code of our own and not flatcc: Arrow needs six kinds of tables, flatcc's runtime and
 * its generated headers are some ten thousand lines and one more library to depend on, and
 * what is read with them is written here only.
 *
 * A buffer grows from its end to its start, so that an object is complete before another refers
 * to it. A reference is the distance from the end of the buffer. Numbers are little-endian,
 * and each lies at a multiple of its size from the start of the finished buffer.
 *
 * Source: FlatBuffers, "FlatBuffer internals", https://flatbuffers.dev/internals/
 */
#ifndef ARROW_FLATBUFFER_H
#define ARROW_FLATBUFFER_H

#include "core/build.h"

enum { FLAT_FIELDS = 8 }; /* most fields of a table of Arrow */

struct flat {
	uint8_t *ptr;
	size_t cap, len; /* the last len bytes of cap are used */
	size_t align;	 /* the largest number so far */
	bool failed;
	/* The table that is open: where each field is, or 0. */
	size_t fields[FLAT_FIELDS], field_count, table_end;
};

typedef size_t flat_ref; /* 0: no object */

void flat_init(struct flat *f);
void flat_fini(struct flat *f);

flat_ref flat_text(struct flat *f, const void *p, size_t len);
/* Of references. */
flat_ref flat_vector(struct flat *f, const flat_ref *v, size_t count);
/* Of structs: count of them, which flat_i64 and flat_i32 have put, the last one first. */
void flat_structs_begin(struct flat *f, size_t len, size_t align);
flat_ref flat_structs_end(struct flat *f, size_t count);

/* A number in front of what is there; for structs. */
void flat_i64(struct flat *f, int64_t v);
void flat_i32(struct flat *f, int32_t v);

/*
 * A table: fields by their ids, one after the other. Those that are equal to their default may
 * be left out. No other object may be made before flat_table_end.
 */
void flat_table(struct flat *f);
void flat_field_u8(struct flat *f, unsigned int id, uint8_t v);
void flat_field_i16(struct flat *f, unsigned int id, int16_t v);
void flat_field_i32(struct flat *f, unsigned int id, int32_t v);
void flat_field_i64(struct flat *f, unsigned int id, int64_t v);
/* Nothing when there is no object. */
void flat_field_ref(struct flat *f, unsigned int id, flat_ref ref);
flat_ref flat_table_end(struct flat *f);

/* The finished buffer with this root, appended to out. Also when it failed: out fails then. */
void flat_finish(struct flat *f, flat_ref root, struct tdat_build *out);

#endif
