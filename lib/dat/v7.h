/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the files that read version 7 share with each other. */
#ifndef TDAT_DAT_V7_H
#define TDAT_DAT_V7_H

#include "index.h"

struct v7_head {
	struct tdat_section s;
	uint32_t string_id; /* offset of the section's name in all STRINGS */
};

enum tdat_status v7_read_head(struct dat_index *ix, uint64_t off, struct v7_head *h,
			      struct tdat_error *err);

/* Reads the body of the section at off, inflated; the section must have that id. */
enum tdat_status v7_read_body(struct dat_index *ix, uint64_t off, uint16_t id, const char *what,
			      struct v7_head *h, struct tdat_span *out, struct tdat_error *err);

/*
 * Reports bytes that a section has behind its contents: then the number of its items is wrong,
 * or something else.
 */
enum tdat_status v7_all_read(struct dat_index *ix, const struct tdat_section *s, const char *what,
			     const struct tdat_cursor *c, struct tdat_error *err);

/* Reads one options section; *next is the offset of the next one, 0 if there is none. */
enum tdat_status v7_read_options(struct dat_index *ix, uint64_t off, uint64_t *next,
				 struct tdat_error *err);
/* True if the options section at off was read before. */
bool v7_options_seen(const struct dat_index *ix, uint64_t off);

/* Reads what option number index points to. */
enum tdat_status v7_follow_option(struct dat_index *ix, size_t index, struct tdat_error *err);

/* Adds the buffer of an option BUFFER. */
enum tdat_status v7_read_buffer(struct dat_index *ix, const struct tdat_file_option *opt,
				struct tdat_error *err);

/* Reads the text of a latency buffer's section. */
enum tdat_status v7_read_latency(struct dat_index *ix, const struct tdat_section *s,
				 struct tdat_error *err);

/* Reads a section with one of the ids HEADER_INFO to CMDLINES. */
enum tdat_status v7_read_metadata(struct dat_index *ix, uint16_t id, uint64_t off,
				  struct tdat_error *err);

/* Lists all sections one behind the other, with their names; only callers of the library see it. */
enum tdat_status v7_walk(struct dat_index *ix, uint64_t off, struct tdat_error *err);

/* Reads the sections that no option leads to any more, found by the walk. */
enum tdat_status v7_salvage(struct dat_index *ix, struct tdat_error *err);

/* Puts the top buffer first, and finds the number of CPUs. */
void v7_order_buffers(struct dat_index *ix);

#endif
