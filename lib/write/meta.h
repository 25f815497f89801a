/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares all that a trace.dat holds beside CPU data, collected until the file is laid out. */
#ifndef TDAT_WRITE_META_H
#define TDAT_WRITE_META_H

#include <tdat/emit.h>

#include "comms.h"
#include "core/arena.h"
#include "core/build.h"

struct write_format {
	const char *system;
	const char *text;
	size_t len;
};

struct write_option {
	uint16_t id;
	const uint8_t *data;
	size_t len;
};

/* A metadata part copied from a file: its bytes as versions 6 and 7 hold them. */
struct write_raw {
	uint16_t id;
	const char *description;
	struct tdat_span body;
};

struct write_meta {
	struct tdat_arena arena;
	bool big;
	uint8_t long_size;   /* 4 or 8: of the commit word */
	uint8_t header_long; /* 0: long_size; the header's byte of a copied file */
	uint32_t page_size;
	uint32_t cpu_count;	     /* as emitted; CPU data may have higher CPU numbers */
	const char *clock;	     /* active clock's name */
	const char *clock_text;	     /* as TRACECLOCK has it; NULL unknown */
	const char *uname, *version; /* NULL unknown */
	struct write_format *formats;
	size_t format_count, format_cap;
	uint8_t ids[65536 / 8]; /* format ids in use */
	uint32_t id_up;		/* all ids from the first candidate up to this one are in use */
	struct write_option *options;
	size_t option_count, option_cap;
	struct write_raw *raws; /* copied parts, used instead of the members below and formats */
	size_t raw_count, raw_cap;
	struct write_comms comms;
	struct tdat_build kallsyms, printk;
	const struct tdat_file *inflated_of; /* the file whose sections were inflated last */
	uint64_t inflated_len;		     /* bytes that they inflated to */
};

void write_meta_init(struct write_meta *meta);
void write_meta_fini(struct write_meta *meta);

/* Checks and takes over info (its strings are copied). */
enum tdat_status write_meta_info(struct write_meta *meta, const struct tdat_emit_info *info,
				 struct tdat_error *err);

/* Fails if pages cannot have that size. */
enum tdat_status write_meta_page_size(uint32_t page, struct tdat_error *err);

/* How many CPUs the traced machine has. */
enum tdat_status write_meta_cpus(struct write_meta *meta, uint32_t count, struct tdat_error *err);

/*
 * As tdat_emit_ops.format; with give_way an id that is in use is replaced by an unused one, as id 0
 * is.
 */
enum tdat_status write_meta_format(struct write_meta *meta, const char *system, const char *text,
				   size_t len, bool give_way, uint16_t *id, struct tdat_error *err);
/* Reserves an id for events without a format: the wanted one, or else an unused one. */
enum tdat_status write_meta_take_id(struct write_meta *meta, uint32_t wanted, uint16_t *id,
				    struct tdat_error *err);
/* The digits of the "ID:" line of a format, [*from, *to), and their number. */
bool write_meta_parse_id(const char *text, size_t len, size_t *from, size_t *to, uint32_t *id);
/* Adds a format unchanged, whatever its id. */
enum tdat_status write_meta_add_format(struct write_meta *meta, const char *system,
				       const char *text, size_t len, struct tdat_error *err);
enum tdat_status write_meta_option(struct write_meta *meta, uint16_t id, const void *data,
				   size_t len, struct tdat_error *err);

/* Takes over a part; body is borrowed, description copied. */
enum tdat_status write_meta_add_raw(struct write_meta *meta, uint16_t id, const char *description,
				    struct tdat_span body, struct tdat_error *err);

/* The copied part of that id, or NULL. */
const struct write_raw *write_meta_raw(const struct write_meta *meta, uint16_t id);

/*
 * Names the clock. TRACECLOCK is the kernel's trace_clock file: all clocks, the
 * active one in brackets. A name alone is put in the usual list; a whole text
 * stays. False without memory.
 */
bool write_meta_clock(struct write_meta *meta, const char *clock);

/* True if an option of that id was added. */
bool write_meta_has_option(const struct write_meta *meta, uint16_t id);

#endif
