/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the text of option CPUSTAT. The text is what the kernel shows in per_cpu/cpuN/stats:
 * lines of "name: number". Nothing else of the option is interpreted here. Callers compare
 * counts (lib/read/check_counts.c) and fill the table of buffers.
 */
#include "cpustat.h"

#include <string.h>

#include "model/lines.h"

/*
 * Finds the number behind name at the start of a line. A number that is too large stays at
 * CPUSTAT_LARGEST, and is refused.
 */
bool cpustat_number(struct tdat_span text, const char *name, uint64_t *v)
{
	struct model_lines lines = model_lines_init(text);
	const size_t len = strlen(name);
	struct tdat_span line;
	size_t i = len;

	*v = 0;
	do {
		if (!model_lines_next(&lines, &line))
			return false;
	} while (line.len <= len || memcmp(line.ptr, name, len) != 0);
	for (; i < line.len && line.ptr[i] >= '0' && line.ptr[i] <= '9'; i++)
		*v = *v > CPUSTAT_LARGEST / 10 ? CPUSTAT_LARGEST : *v * 10 + line.ptr[i] - '0';
	return i > len && *v < CPUSTAT_LARGEST;
}

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
