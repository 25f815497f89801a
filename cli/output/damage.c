/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Complains of what is broken in a file that is read all the same. */
#include "output/damage.h"

#include "terminal/message.h"

int cli_file_damage(const char *path, const struct tdat_file *file)
{
	size_t count;
	const struct tdat_error *found = tdat_file_damage(file, &count);

	for (size_t i = 0; i < count; i++)
		cli_fail(path, &found[i]);
	return count ? CLI_FAILED : CLI_OK;
}

void cli_damage(const char *path, const struct tdat_file *file,
		const struct tdat_stream_damage *damage)
{
	size_t count;
	const struct tdat_buffer *b = &tdat_file_buffers(file, &count)[damage->buffer];

	cli_error(path,
		  "CPU %u%s%s: %llu damaged page%s skipped from where they break; the first at "
		  "offset %llu: %s",
		  damage->cpu, *b->name ? " of buffer " : "", b->name,
		  (unsigned long long)damage->bad_pages, damage->bad_pages == 1 ? "" : "s",
		  (unsigned long long)damage->off, damage->message);
}
