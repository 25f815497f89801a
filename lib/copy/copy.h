/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies a file in parts, for callers that change some of them, such as repair. */
#ifndef TDAT_WRITE_COPY_H
#define TDAT_WRITE_COPY_H

#include "write/writer.h"

/* The writer becomes one that holds what file has: its shape, and nothing else yet. */
enum tdat_status copy_file_shape(struct tdat_writer *w, const struct tdat_file *file,
				  struct tdat_error *err);

/* The same for all pages of file, too: version 6 has one size for them. */
enum tdat_status copy_file_begin(struct tdat_writer *w, const struct tdat_file *file,
				  struct tdat_error *err);

/*
 * All parts and further sections, inflated; but parts that the writer has already
 * (write_meta_add_raw) go before those of the file.
 */
enum tdat_status copy_file_sections(struct tdat_writer *w, const struct tdat_file *file,
				     struct tdat_error *err);

/*
 * A buffer of the file, called name in the new one, without its CPU data (latency
 * text comes along). *number is the writer's.
 */
enum tdat_status copy_file_buffer(struct tdat_writer *w, const struct tdat_file *file,
				   const struct tdat_buffer *from, const char *name,
				   uint32_t *number, struct tdat_error *err);

/* All options that are copied as they are; when CPUs and buffers are known. */
enum tdat_status copy_file_options(struct tdat_writer *w, const struct tdat_file *file,
				    struct tdat_error *err);

/*
 * An option that tells the place of a section which is none of the metadata
 * parts: the section is copied, or told and left out in version 6.
 */
enum tdat_status copy_file_extra(struct tdat_writer *w, const struct tdat_file *file,
				  const struct tdat_option *opt, bool *is_section,
				  struct tdat_error *err);

#endif
