/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lays out the metadata parts, whose bytes are the same in versions 6 and 7. */
#ifndef TDAT_WRITE_BODY_H
#define TDAT_WRITE_BODY_H

#include "writer.h"

/* Magic, version, byte order, long size, page size. */
void write_parts_head(const struct tdat_writer *w, struct tdat_build *b);

/*
 * The body of a metadata part: an id whose role is DAT_ROLE_PART.
 * A copied one goes before what was told.
 */
void write_parts_one(const struct write_meta *meta, uint16_t id, struct tdat_build *b);

/* One option: id, size, payload. */
void write_parts_option(struct tdat_build *b, uint16_t id, const void *data, size_t len);

/* The options that tell of the capture, the caller's among them. */
void write_parts_facts(const struct write_meta *meta, struct tdat_build *b);

#endif
