/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hands out memory from growing blocks that are freed all at once. Everything that lives
 * exactly as long as its owner (an index, a format, a filter) lies in an arena: no single
 * frees, no leaks on error paths. Blocks double up to a limit; memory is zeroed. An arena
 * belongs to one thread at a time.
 */
#include "arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"

struct arena_block {
	struct arena_block *next;
	alignas(max_align_t) unsigned char data[];
};

/* Blocks double: a file may have tens of thousands of small arenas. */
enum { ARENA_FIRST = 1024, ARENA_BLOCK = 16 * 1024 };

/*
 * Every allocation is aligned for any type. A request that is larger than a block gets one of
 * its own; the rest of the block before it is not used any more.
 */
void *tdat_arena_alloc(struct tdat_arena *a, size_t n)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *b;
	size_t room, total;
	void *p;

	if (!tdat_add_size(n, align - 1, &n))
		return NULL;
	n &= ~(align - 1);
	if (!a->blocks || n > a->cap - a->used) {
		room = a->cap < ARENA_FIRST / 2 ? ARENA_FIRST : a->cap * 2;
		if (room > ARENA_BLOCK)
			room = ARENA_BLOCK;
		if (room < n)
			room = n;
		if (!tdat_add_size(sizeof(*b), room, &total))
			return NULL;
		b = calloc(1, total);
		if (!b)
			return NULL;
		b->next = a->blocks;
		a->blocks = b;
		a->used = 0;
		a->cap = room;
	}
	p = a->blocks->data + a->used;
	a->used += n;
	return p;
}

/* Room for count elements of size bytes; NULL: no memory, or the product overflows. */
void *tdat_arena_array(struct tdat_arena *a, size_t count, size_t size)
{
	size_t n;

	if (!tdat_mul_size(count, size, &n))
		return NULL;
	return tdat_arena_alloc(a, n);
}

/* A copy with a NUL behind it, which zeroed memory already has. */
char *tdat_arena_strndup(struct tdat_arena *a, const void *s, size_t len)
{
	size_t n;
	char *p;

	if (!tdat_add_size(len, 1, &n))
		return NULL;
	p = tdat_arena_alloc(a, n);
	if (p && len)
		memcpy(p, s, len);
	return p;
}

/* Formatted twice: the first time only counts. */
char *tdat_arena_vprintf(struct tdat_arena *a, const char *fmt, va_list args)
{
	va_list again;
	char *p = NULL;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	if (n >= 0)
		p = tdat_arena_alloc(a, (size_t)n + 1);
	if (p)
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

char *tdat_arena_printf(struct tdat_arena *a, const char *fmt, ...)
{
	va_list args;
	char *p;

	va_start(args, fmt);
	p = tdat_arena_vprintf(a, fmt, args);
	va_end(args);
	return p;
}

/* The arena can be used again afterwards: it is as if it had never been used. */
void tdat_arena_fini(struct tdat_arena *a)
{
	struct arena_block *b, *next;

	for (b = a->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	memset(a, 0, sizeof(*a));
}
