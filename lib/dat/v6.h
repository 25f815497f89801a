/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the files that read version 6 share with each other. */
#ifndef TDAT_DAT_V6_H
#define TDAT_DAT_V6_H

#include "index.h"

/* Reads small things at a moving offset through a buffer, never past the file. */
struct v6_walker {
	struct dat_index *ix;
	uint64_t off;
	uint64_t part;	    /* where the part being read starts */
	bool in_data;	    /* that part is options and CPU tables */
	bool lost_instance; /* an option gave a wrong offset for a buffer */
	uint64_t buf_off;
	size_t buf_len;
	uint8_t buf[4096];
};

/* Gives n (at most sizeof(buf)) bytes at w->off, which stays; what names them in an error. */
enum tdat_status v6_peek(struct v6_walker *w, size_t n, const char *what, const uint8_t **out,
			 struct tdat_error *err);
enum tdat_status v6_uint(struct v6_walker *w, size_t n, const char *what, uint64_t *v,
			 struct tdat_error *err);
/* Skips n bytes, which must be there. */
enum tdat_status v6_skip(struct v6_walker *w, uint64_t n, const char *what, struct tdat_error *err);
/* Skips a text with its NUL. */
enum tdat_status v6_cstr(struct v6_walker *w, const char *what, struct tdat_error *err);
/* Skips a size of size_len bytes and the bytes that it counts. */
enum tdat_status v6_blob(struct v6_walker *w, size_t size_len, const char *what,
			 struct tdat_error *err);

/* Lists a part as a section, as those of version 7 are. */
enum tdat_status v6_note_section(struct dat_index *ix, uint16_t id, uint64_t off, uint64_t len,
				 const char *description, struct tdat_error *err);

/* Reads the file from the CPU count on: tag, options, tag, tables. */
enum tdat_status v6_read_data(struct v6_walker *w, struct tdat_error *err);

/* Reads the table at w->off of the buffer whose tag is at tag_off. */
enum tdat_status v6_read_flyrecord(struct v6_walker *w, const char *name, uint64_t tag_off,
				   struct tdat_error *err);

/* Reads latency text from w->off to the end of the file. */
enum tdat_status v6_read_latency(struct v6_walker *w, struct tdat_error *err);

/* ---- when something makes no sense ---- */

/* True if the bytes at w->off look like an event format, or a system's name. */
bool v6_at_format(struct v6_walker *w);
bool v6_at_system(struct v6_walker *w);

/* Finds header_event where header_page's size does not lead to it. */
enum tdat_status v6_salvage_headers(struct v6_walker *w, struct tdat_error *err);

/* How many sound entries the table at w->off has. */
uint32_t v6_guess_cpus(struct v6_walker *w);

/* Finds what lies behind the part that is broken: options and tables by their tags, else pages. */
enum tdat_status v6_salvage(struct v6_walker *w, struct tdat_error *err);

#endif
