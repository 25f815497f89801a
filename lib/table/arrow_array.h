/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes and frees the structs of the Arrow C data interface (tdat/arrow.h). */
#ifndef TDAT_TABLE_ARROW_ARRAY_H
#define TDAT_TABLE_ARROW_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include <tdat/arrow.h>

/*
 * table_array_init makes an empty array whose buffers are NULL, with children and a dictionary
 * that are not made yet (their release is NULL). Its release frees those buffers that it owns,
 * and releases its children and its dictionary. False: no memory, and release is NULL.
 */
bool table_array_init(struct ArrowArray *a, int buffers, int64_t children, bool dictionary);
/* Buffer i is memory of malloc, and the array's from now on; or stays the caller's. */
void table_array_own(struct ArrowArray *a, int i, void *buffer);
void table_array_borrow(struct ArrowArray *a, int i, const void *buffer);

/* The same for schemas; name, format and metadata (metadata_len bytes, or NULL) are copied. */
bool table_schema_struct(struct ArrowSchema *s, const char *format, const char *name,
			 const void *metadata, size_t metadata_len, int64_t children,
			 bool dictionary);

#endif
