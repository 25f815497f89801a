/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the steps of the program it is linked into: see steps.h. */
#include "steps.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef TDAT_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#include <zlib.h>
#include <zstd.h>

/* A thread adds to the sum when it has this many; the last ones of a thread are not counted. */
enum { BATCH = 4096 };
/* Steps of a call into the C library and for its bytes, as they take time on x86-64. */
enum { BYTES_PER_STEP = 16, MALLOC_STEPS = 20, CALL_STEPS = 300 };

static _Atomic uint64_t own_sum, *sum = &own_sum;
static uint64_t most;
static __thread uint64_t mine;

static void flush(void)
{
	uint64_t all = atomic_fetch_add_explicit(sum, mine, memory_order_relaxed) + mine;

	mine = 0;
	if (most && all > most)
		_exit(STEPS_EXIT);
}

static void count(uint64_t steps)
{
	mine += steps;
	if (mine >= BATCH)
		flush();
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	if (++mine >= BATCH)
		flush();
}

/* Before main: afterwards tdat opens no more files. */
__attribute__((constructor)) static void steps_init(void)
{
	const char *fd = getenv(STEPS_FD), *limit = getenv(STEPS_MOST);
	void *p;

	most = limit ? strtoull(limit, NULL, 10) : 0;
	p = fd ? mmap(NULL, sizeof(*sum), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd), 0)
	       : MAP_FAILED;
	if (p != MAP_FAILED)
		sum = p;
}

__attribute__((destructor)) static void steps_fini(void)
{
	most = 0;
	flush();
}

/* WRAP(RESULT, NAME, (PARAMETERS), (ARGUMENTS), STEPS): linked with --wrap=NAME. */
#define WRAP(type, name, params, args, steps)                                                      \
	type __real_##name params;                                                                 \
	type __wrap_##name params;                                                                 \
	type __wrap_##name params                                                                  \
	{                                                                                          \
		count(steps);                                                                      \
		return __real_##name args;                                                         \
	}

WRAP(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n), n / BYTES_PER_STEP)
WRAP(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), n / BYTES_PER_STEP)
WRAP(void *, memset, (void *to, int c, size_t n), (to, c, n), n / BYTES_PER_STEP)
WRAP(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), n / BYTES_PER_STEP)

WRAP(void *, malloc, (size_t n), (n), MALLOC_STEPS)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), MALLOC_STEPS + n * size / BYTES_PER_STEP)
WRAP(void *, realloc, (void *p, size_t n), (p, n), MALLOC_STEPS + n / BYTES_PER_STEP)

WRAP(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), CALL_STEPS + n / BYTES_PER_STEP)
WRAP(ssize_t, pread64, (int fd, void *p, size_t n, off_t off), (fd, p, n, off),
     CALL_STEPS + n / BYTES_PER_STEP)
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), CALL_STEPS + n / BYTES_PER_STEP)
WRAP(ssize_t, pwrite64, (int fd, const void *p, size_t n, off_t off), (fd, p, n, off),
     CALL_STEPS + n / BYTES_PER_STEP)

/* Searches cost by where they end. */
void *__real_memchr(const void *p, int c, size_t n);
void *__wrap_memchr(const void *p, int c, size_t n);
void *__wrap_memchr(const void *p, int c, size_t n)
{
	void *hit = __real_memchr(p, c, n);

	count((hit ? (size_t)((char *)hit - (const char *)p) : n) / BYTES_PER_STEP);
	return hit;
}

void *__real_memmem(const void *p, size_t n, const void *q, size_t m);
void *__wrap_memmem(const void *p, size_t n, const void *q, size_t m);
void *__wrap_memmem(const void *p, size_t n, const void *q, size_t m)
{
	void *hit = __real_memmem(p, n, q, m);

	count((hit ? (size_t)((char *)hit - (const char *)p) : n) / 4 + m);
	return hit;
}

size_t __real_strlen(const char *s);
size_t __wrap_strlen(const char *s);
size_t __wrap_strlen(const char *s)
{
	size_t n = __real_strlen(s);

	count(n / BYTES_PER_STEP);
	return n;
}

/* Inflating costs by the room it gets, which our code never makes larger than was promised. */
WRAP(size_t, ZSTD_decompressDCtx,
     (ZSTD_DCtx * ctx, void *to, size_t room, const void *from, size_t n), (ctx, to, room, from, n),
     CALL_STEPS + room / 2)
WRAP(size_t, ZSTD_decompress, (void *to, size_t room, const void *from, size_t n),
     (to, room, from, n), CALL_STEPS + room / 2)
WRAP(size_t, ZSTD_decompressStream, (ZSTD_DStream * ctx, ZSTD_outBuffer *to, ZSTD_inBuffer *from),
     (ctx, to, from), CALL_STEPS + (from->size - from->pos) * 4)
WRAP(size_t, ZSTD_compress2, (ZSTD_CCtx * ctx, void *to, size_t room, const void *from, size_t n),
     (ctx, to, room, from, n), CALL_STEPS + n * 2)
WRAP(size_t, ZSTD_compressCCtx,
     (ZSTD_CCtx * ctx, void *to, size_t room, const void *from, size_t n, int level),
     (ctx, to, room, from, n, level), CALL_STEPS + n * 2)
WRAP(int, inflate, (z_streamp z, int how), (z, how), CALL_STEPS + z->avail_out * 2)
WRAP(int, deflate, (z_streamp z, int how), (z, how), CALL_STEPS + z->avail_in * 16)
#ifdef TDAT_HAVE_LIBDEFLATE
WRAP(enum libdeflate_result, libdeflate_zlib_decompress,
     (struct libdeflate_decompressor * d, const void *from, size_t n, void *to, size_t room,
      size_t *got),
     (d, from, n, to, room, got), CALL_STEPS + room)
#endif
