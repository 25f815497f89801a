/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lays out the metadata parts, whose bytes are the same in versions 6 and 7. */
#ifndef TDAT_WRITE_PARTS_H
#define TDAT_WRITE_PARTS_H

#include "state.h"

/* Magic, version, byte order, long size, page size. */
void write_parts_head(const struct tdat_writer *w, struct tdat_build *b);

/*
 * Appends the body of a metadata part, whose id has the role DAT_ROLE_PART: that of the part
 * copied from a file if there is one, else one made of what was emitted.
 */
void write_parts_one(const struct write_meta *meta, uint16_t id, struct tdat_build *b);

/* Appends the part HEADER_INFO: both texts, each behind its name and its length. */
void write_parts_header_info(struct tdat_build *b, struct tdat_span page, struct tdat_span event);
/* Copies what was built as a part of the file, in place of one made of the lists, and frees b. */
enum tdat_status write_parts_add(struct write_meta *meta, uint16_t id, struct tdat_build *b,
				 struct tdat_error *err);
/* The same for kallsyms, printk formats and command lines, which are a text behind its length. */
enum tdat_status write_parts_add_text(struct write_meta *meta, uint16_t id, struct tdat_span text,
				      struct tdat_error *err);
/* Appends the options about the capture, those that were emitted included. */
void write_parts_facts(const struct write_meta *meta, struct tdat_build *b);

#endif
