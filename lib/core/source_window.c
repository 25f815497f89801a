/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Maps windows of a regular file, one at a time so that little stays resident. Only CPU data
 * that is not compressed is mapped, only on request, and all its pages are asked for at once so
 * that what cannot be read is a refusal instead of SIGBUS. Why windows, and what remains:
 * docs/decisions/013-reading-and-mapping.md. Called by lib/read/stream.c.
 */
#include "source_window.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checked.h"
#include "source_fd.h"

/*
 * Whether the file has the length that it was opened with. One that grew is still written to,
 * one that shrank has lost bytes: both are read instead of mapped.
 */
static bool same_len(const struct tdat_source *src)
{
	struct stat sb;

	return !fstat(tdat_source_fd(src), &sb) && (uint64_t)sb.st_size == tdat_source_len(src);
}

/*
 * Fills the page tables at once. A page that the file no longer has, or that its disk
 * does not give, is a failure here and would be SIGBUS later. Kernels before 5.14 do
 * not know the call: there each page comes when it is touched.
 */
static bool populate(void *base, size_t len)
{
#ifdef MADV_POPULATE_READ
	return !madvise(base, len, MADV_POPULATE_READ) || errno == EINVAL || errno == ENOSYS;
#else
	(void)base;
	(void)len;
	return true;
#endif
}

/* The mapping begins at a page of the system, before off; any failure means: read instead. */
const uint8_t *tdat_window_map(struct tdat_window *w, const struct tdat_source *src, uint64_t off,
			       size_t len)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const size_t before = (size_t)(off % page);

	*w = (struct tdat_window){NULL, 0};
	if (!tdat_source_maps(src) || !len || len > SIZE_MAX - before ||
	    !tdat_range_ok(off, len, tdat_source_len(src)) || !same_len(src))
		return NULL;
	/* MAP_PRIVATE: nothing is written, and other processes' writes may or may not appear. */
	w->base = mmap(NULL, before + len, PROT_READ, MAP_PRIVATE, tdat_source_fd(src),
		       (off_t)(off - before));
	if (w->base == MAP_FAILED) {
		w->base = NULL;
		return NULL;
	}
	w->len = before + len;
	if (!populate(w->base, w->len)) {
		tdat_window_unmap(w);
		return NULL;
	}
	return (const uint8_t *)w->base + before;
}

/* True if bytes of the mapping may be zeros by now: the file was cut while it was mapped. */
bool tdat_window_lost(const struct tdat_window *w, const struct tdat_source *src)
{
	struct stat sb;

	return w->base &&
	       (fstat(tdat_source_fd(src), &sb) || (uint64_t)sb.st_size < tdat_source_len(src));
}

/* May be called for a window that was never mapped. */
void tdat_window_unmap(struct tdat_window *w)
{
	if (w->base)
		munmap(w->base, w->len);
	*w = (struct tdat_window){NULL, 0};
}
