/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The structs of the Arrow C data interface and C stream interface.
 *
 * Producer and consumer share only these structs. The consumer calls a struct's release when it no
 * longer needs it, or moves the struct and sets release to NULL in the old place. Source: "The
 * Arrow C data interface" and "The Arrow C stream interface" of the Apache Arrow specification,
 * https://arrow.apache.org/docs/format/CDataInterface.html. It fixes every member, and requires the
 * guards below so that a program may contain several copies.
 *
 * Threads: several threads may read an array or a schema at the same time; a stream belongs to one
 * thread at a time.
 */
#ifndef TDAT_ARROW_H
#define TDAT_ARROW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *);
	void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
	int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
	const char *(*get_last_error)(struct ArrowArrayStream *);
	void (*release)(struct ArrowArrayStream *);
	void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

#ifdef __cplusplus
}
#endif
#endif
