/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies a file in parts, for callers that change some of them, such as repair. */
#ifndef TDAT_COPY_COPY_H
#define TDAT_COPY_COPY_H

#include "write/state.h"

/*
 * Gives a fresh writer the byte order, long sizes, page size and CPU count of file. From then
 * on the writer takes no more from its tdat_emit.
 */
enum tdat_status copy_file_shape(struct tdat_writer *w, const struct tdat_file *file,
				 struct tdat_error *err);

/* The same for a writer that gets pages of file; in version 6 these must all have one size. */
enum tdat_status copy_file_begin(struct tdat_writer *w, const struct tdat_file *file,
				 struct tdat_error *err);

/*
 * Copies all metadata parts and further sections, inflated. Parts that the writer has already
 * (write_meta_add_raw) are not copied.
 */
enum tdat_status copy_file_sections(struct tdat_writer *w, const struct tdat_file *file,
				    struct tdat_error *err);

/*
 * Adds a buffer of the file to the writer, under the given name and without its CPU data.
 * Latency text is copied. *number is the writer's number of the buffer.
 */
enum tdat_status copy_file_buffer(struct tdat_writer *w, const struct tdat_file *file,
				  const struct tdat_buffer *from, const char *name,
				  uint32_t *number, struct tdat_error *err);

/* Copies all options that are kept as they are. Call it when CPUs and buffers are known. */
enum tdat_status copy_file_options(struct tdat_writer *w, const struct tdat_file *file,
				   struct tdat_error *err);

/*
 * Copies the section that an option holds the offset of, if the option does and the section is
 * none of the metadata parts (*is_section). Version 6 cannot hold such a section: there it is
 * left out with a warning.
 */
enum tdat_status copy_file_extra(struct tdat_writer *w, const struct tdat_file *file,
				 const struct tdat_file_option *opt, bool *is_section,
				 struct tdat_error *err);

/*
 * Marks the writer as broken, since what it holds is not complete: tdat_writer_finish fails with
 * err, or with a sentence of its own where err says nothing, and makes no file.
 */
void copy_file_break(struct tdat_writer *w, enum tdat_status status, const struct tdat_error *err);

/*
 * Ends a copy with its status st, which it returns. A failure breaks the writer, except for
 * TDAT_E_USAGE, with which the copy did not begin.
 */
enum tdat_status copy_file_end(struct tdat_writer *w, enum tdat_status st,
			       const struct tdat_error *err);

#endif
