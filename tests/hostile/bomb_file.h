/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace.dat of any metadata and any bytes as CPU data, little-endian. */
#ifndef TDAT_HOSTILE_BOMB_FILE_H
#define TDAT_HOSTILE_BOMB_FILE_H

#include "core/build.h"
#include "core/codec.h"

enum { BOMB_PAGE = 4096, BOMB_ID = 300 };

struct bomb_cpu {
	uint64_t off, len; /* within data */
};

struct bomb_file {
	const struct tdat_codec *codec; /* NULL: version 6 */
	struct tdat_build systems;	/* the list of event systems, with its count */
	struct tdat_build kallsyms, printk, cmdlines;
	struct tdat_build options; /* further ones; in version 7 before that of the buffer */
	bool squeezed_options;	   /* version 7: the list of options is compressed */
	uint32_t section_count;	   /* version 7: sections of unknown ids, all of section */
	struct tdat_build section;
	struct tdat_build data;
	struct bomb_cpu *cpus; /* NULL: one with all of data */
	uint32_t cpu_count;
	uint32_t page; /* of the header; BOMB_PAGE unless set otherwise */
};

void bomb_file_init(struct bomb_file *f, const char *codec);
void bomb_file_fini(struct bomb_file *f);

/* The file; systems may be empty: then there is the one of bomb_system. */
void bomb_file_build(struct bomb_file *f, struct tdat_build *out);

/* The start of a list of one system, and a format of it with that print fmt. */
void bomb_system(struct tdat_build *b, const char *name, uint32_t formats);
void bomb_format(struct tdat_build *b, const char *name, unsigned int id, const char *fields,
		 const void *print, size_t print_len);

/* A page with as many bytes of records. */
void bomb_page(struct tdat_build *b, uint64_t ts, const void *records, size_t len);

/* A page full of events of 1 (the id), 2 (a process), 3 (a number) or more words (zeros). */
void bomb_full_page(struct tdat_build *b, unsigned int words);

/* The deflated bytes, with what a chunk has before them. */
void bomb_chunk(struct tdat_build *b, const struct tdat_codec *codec, const void *p, size_t len);

#endif
