/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces malloc, calloc, realloc, aligned allocation and mmap by ones that fail on demand. */
#include "alloc_fail.h"

#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <stdio.h>

static atomic_long seen, failed, live, fail_at;
static atomic_bool armed, fail_all;

enum { FRAMES_MOST = 24 };
static void *frames[FRAMES_MOST];
static int frame_count;

void alloc_fail_arm(long n, bool all)
{
	/* The first call allocates. */
	if (!frame_count)
		frame_count = backtrace(frames, FRAMES_MOST);
	seen = failed = 0;
	fail_at = n;
	fail_all = all;
	armed = true;
}

long alloc_fail_disarm(void)
{
	armed = false;
	return seen;
}

long alloc_fail_failed(void)
{
	return failed;
}

long alloc_fail_live(void)
{
	return live;
}

void alloc_fail_where(void)
{
	int i;

	for (i = 2; i < frame_count; i++)
		printf(" %#lx", (unsigned long)frames[i] - (unsigned long)_r_debug.r_map->l_addr);
	putchar('\n');
}

static bool fails(void)
{
	long n;

	if (!armed)
		return false;
	n = ++seen;
	if (!fail_at || (fail_all ? n < fail_at : n != fail_at))
		return false;
	if (!failed++) {
		armed = false;
		frame_count = backtrace(frames, FRAMES_MOST);
		armed = true;
	}
	errno = ENOMEM;
	return true;
}

/* ---- mmap: our own calls ---- */

void *__real_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off);

void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	return fails() ? MAP_FAILED : __real_mmap(addr, len, prot, flags, fd, off);
}

#ifdef ALLOC_FAIL_WRAP

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n)
{
	return fails() ? NULL : __real_strndup(s, n);
}

#else

/* glibc's own, under the names it keeps for this. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);
void *aligned_alloc(size_t align, size_t n);
int posix_memalign(void **out, size_t align, size_t n);
void free(void *p);

static void *given(void *p)
{
	live += p != NULL;
	return p;
}

void *malloc(size_t n)
{
	return fails() ? NULL : given(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : given(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
	void *q;

	if (fails())
		return NULL;
	q = __libc_realloc(p, n);
	live += (!p && q) - (p && !n && !q);
	return q;
}

void *aligned_alloc(size_t align, size_t n)
{
	return fails() ? NULL : given(__libc_memalign(align, n));
}

int posix_memalign(void **out, size_t align, size_t n)
{
	void *p = fails() ? NULL : given(__libc_memalign(align, n));

	if (!p)
		return ENOMEM;
	*out = p;
	return 0;
}

void free(void *p)
{
	live -= p != NULL;
	__libc_free(p);
}

#endif
