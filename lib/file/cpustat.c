/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the text of option CPUSTAT. The text is what the kernel shows in per_cpu/cpuN/stats:
 * lines of "name: number". Nothing else of the option is interpreted here. Callers compare
 * counts (lib/read/check_counts.c) and fill the table of buffers.
 */
#include "cpustat.h"

#include <string.h>

#include "core/text.h"

/* True if the text is that of a buffer instance; *name: the instance. Its head is trace-cmd's. */
bool cpustat_instance(struct tdat_span text, struct tdat_span *name)
{
	static const char head[] = "\nBuffer: ";
	const size_t len = sizeof(head) - 1;
	const uint8_t *end;

	if (text.len <= len || memcmp(text.ptr, head, len) != 0)
		return false;
	end = memchr(text.ptr + len, '\n', text.len - len);
	*name = (struct tdat_span){text.ptr + len,
				   (end ? (size_t)(end - text.ptr) : text.len) - len};
	return true;
}
