/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Offers the names of an opened file to the search for the nearest one. */
#include "near.h"

void file_near_events(struct tdat_near *near, const struct tdat_file *file)
{
	const size_t count = tdat_file_format_count(file);
	const struct tdat_event_format *f;

	for (size_t i = 0; i < count; i++)
		if (tdat_file_format(file, i, &f, NULL) == TDAT_OK)
			tdat_near_event(near, tdat_event_format_system(f),
					tdat_event_format_name(f));
}

void file_near_fields(struct tdat_near *near, const struct tdat_event_format *format)
{
	size_t count;
	const struct tdat_field *fields = tdat_event_format_fields(format, &count);

	for (size_t i = 0; i < count; i++)
		tdat_near_try(near, fields[i].name);
}

void file_near_buffers(struct tdat_near *near, const struct tdat_file *file)
{
	for (size_t i = 0; i < file->ix.buffer_count; i++)
		tdat_near_try(near, *file->ix.buffers[i].name ? file->ix.buffers[i].name : "top");
}
