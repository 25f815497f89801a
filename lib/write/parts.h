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

/* Appends the options about the capture, those that were emitted included. */
void write_parts_facts(const struct write_meta *meta, struct tdat_build *b);

#endif
