/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Offers the names of an opened file to the search for the nearest one. */
#ifndef TDAT_FILE_NEAR_H
#define TDAT_FILE_NEAR_H

#include "core/nearest.h"
#include "file.h"

void file_near_events(struct tdat_near *near, const struct tdat_file *file);
void file_near_fields(struct tdat_near *near, const struct tdat_event_format *format);
/* The top buffer is called "top". */
void file_near_buffers(struct tdat_near *near, const struct tdat_file *file);

#endif
