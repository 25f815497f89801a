/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands out memory that is freed all at once. Blocks never move. An arena belongs to one thread
 * at a time.
 */
#ifndef TDAT_CORE_ARENA_H
#define TDAT_CORE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

#include <tdat/base.h>

struct tdat_arena {
	struct arena_block *blocks;
	size_t used; /* bytes used of the newest block */
	size_t cap;  /* bytes of the newest block */
};

/* Zeroed memory for any type, or NULL. */
void *tdat_arena_alloc(struct tdat_arena *a, size_t n);
/* Zeroed memory for count elements of size bytes, or NULL, also when the product overflows. */
void *tdat_arena_array(struct tdat_arena *a, size_t count, size_t size);
/* A NUL-terminated copy of len bytes, or NULL. */
char *tdat_arena_strndup(struct tdat_arena *a, const void *s, size_t len);
/* A text in the arena, as printf makes it; NULL: no memory. */
char *tdat_arena_printf(struct tdat_arena *a, const char *fmt, ...) TDAT_PRINTF(2, 3);
char *tdat_arena_vprintf(struct tdat_arena *a, const char *fmt, va_list args);
void tdat_arena_fini(struct tdat_arena *a);

#endif
