/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out whether pointers of the program can be used: the kernel answers EFAULT where a library
 * would crash. MADV_POPULATE_READ and _WRITE (Linux 5.14) show it. Older kernels do not have them,
 * and pointers are then used without a check.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/* True if the kernel has the advice. EINVAL alone means missing permissions or an older kernel. */
static bool can_tell(void)
{
	return !madvise(ue.wiped, (size_t)sysconf(_SC_PAGESIZE), MADV_POPULATE_WRITE);
}

/* Pages are made present with the wanted right; that fails where an access would fault. */
static bool populate(const void *p, size_t len, int advice)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)p;
	uintptr_t from = at & ~(page - 1);
	size_t span;
	int old = errno;
	bool good;

	if (!len)
		return true;
	/* Pointers into the first page are invalid; a range must not wrap. */
	if (at + len < at || at < 4096)
		return false;
	span = (at + len - from + page - 1) & ~(page - 1);
	good = !madvise((void *)from, span, advice) || !can_tell();
	errno = old;
	return good;
}

bool ue_readable(const void *p, size_t len)
{
	return populate(p, len, MADV_POPULATE_READ);
}

bool ue_writable(void *p, size_t len)
{
	return populate(p, len, MADV_POPULATE_WRITE);
}

bool ue_get(void *out, const void *from, size_t len)
{
	if (!ue_readable(from, len))
		return false;
	memcpy(out, from, len);
	return true;
}

bool ue_put(void *to, const void *from, size_t len)
{
	if (!ue_writable(to, len))
		return false;
	memcpy(to, from, len);
	return true;
}

/* Checked page by page: the string may end before an unmapped page. */
int ue_string(char *out, size_t cap, const char *from)
{
	for (size_t i = 0; i < cap; i++) {
		if ((!i || !((uintptr_t)(from + i) & 4095)) && !ue_readable(from + i, 1))
			return EFAULT;
		out[i] = from[i];
		if (!out[i])
			return 0;
	}
	return EINVAL;
}

/* Other threads of the program may change other bits of the word at the same time. */
void ue_set_bit(uint64_t addr, uint8_t bit, uint8_t size, bool on)
{
	if (size == 8) {
		_Atomic uint64_t *word = (_Atomic uint64_t *)(uintptr_t)addr;

		on ? atomic_fetch_or(word, 1ull << bit) : atomic_fetch_and(word, ~(1ull << bit));
	} else {
		_Atomic uint32_t *word = (_Atomic uint32_t *)(uintptr_t)addr;

		on ? atomic_fetch_or(word, 1u << bit) : atomic_fetch_and(word, ~(1u << bit));
	}
}
