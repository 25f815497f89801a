/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the index of a trace.dat: the contents of the file and their offsets, in the same form
 * for versions 6 and 7. dat_index_read creates it, and it never changes afterwards. It does not
 * contain the meaning of formats and events.
 */
#ifndef TDAT_DAT_INDEX_H
#define TDAT_DAT_INDEX_H

#include <tdat/file.h>

#include "core/arena.h"
#include "core/codec.h"
#include "core/cursor.h"
#include "option_table.h"

/* The stored text of one event format. */
struct dat_format_text {
	const char *system;
	struct tdat_span text;
	uint64_t off;
};

struct dat_index {
	const struct tdat_source *src;
	struct tdat_limits limits;
	struct tdat_arena arena;
	bool tolerate;

	uint32_t version;
	bool big;
	uint8_t long_size;	  /* header byte */
	uint8_t kernel_long_size; /* commit field of header_page */
	uint32_t page_size;
	uint32_t header_page_size; /* as header_page has it; 0: it has none */
	bool page_size_lost;	   /* that of the head makes no sense: header_page's is used */
	const char *compression, *compression_version;
	const struct tdat_codec *codec; /* NULL: none, or one we do not have */
	uint32_t cpu_count;
	uint32_t header_data_off; /* bytes before the data of a ring-buffer page */
	bool old_ring_buffer;	  /* no header_page: the 2.6.30 page layout */

	uint64_t inflated_len; /* bytes of metadata that were compressed, so far */
	size_t chunked_count;  /* CPUs that have compressed data */

	struct tdat_span header_page, header_event;
	struct tdat_span kallsyms, printk, cmdlines, tgids, latency;

	struct dat_format_text *formats; /* ftrace first */
	size_t format_count, format_cap;
	uint32_t ftrace_format_count, system_count, event_format_count;

	struct tdat_file_option *options;
	size_t option_count, option_cap;
	uint64_t *option_sections; /* offsets of the v7 options sections that were read */
	size_t option_section_count, option_section_cap;
	struct tdat_section *sections;
	size_t section_count, section_cap;
	struct tdat_buffer *buffers;
	size_t buffer_count, buffer_cap;

	/*
	 * Version 7: the sections that metadata was taken from, DAT_PART_FIRST first; 0: none.
	 * Where options are lost they are others than options lead to.
	 */
	uint64_t part_offs[DAT_PART_COUNT];
	bool part_broken[DAT_PART_COUNT]; /* its body is not as long as what it lists */
	bool mixed_order;  /* version 7: some numbers are in the other byte order (§4.7) */
	bool strings_lost; /* sections have descriptions, and no section holds them */

	/* Findings of a tolerant read. */
	struct tdat_error *damage;
	size_t damage_count, damage_cap;
	size_t cut_cpu_count; /* CPUs whose data reaches past the end of the file */
	uint64_t missing_len; /* bytes of them that are not there */
	uint64_t outside_len; /* of those, of CPUs that start behind the end */
	size_t cut_finding;   /* index + 1 of the finding about these CPUs; 0: none */
};

/* Reads everything but CPU data. Call dat_index_fini also after a failure. */
enum tdat_status dat_index_read(struct dat_index *ix, const struct tdat_source *src,
				const struct tdat_limits *limits, bool tolerate,
				struct tdat_error *err);
void dat_index_fini(struct dat_index *ix);

/* ---- for the files of this layer ---- */

/* len bytes at off: borrowed from the source, or copied into the arena. */
enum tdat_status dat_index_bytes(struct dat_index *ix, uint64_t off, uint64_t len, const char *what,
				 struct tdat_span *out, struct tdat_error *err);

/*
 * Counts len more bytes of metadata that are going to be inflated; TDAT_E_LIMIT when they are
 * more than a file of this length may have. what and off name the part in the sentence.
 */
enum tdat_status dat_index_inflate(struct dat_index *ix, const char *what, uint64_t off,
				   uint64_t len, struct tdat_error *err);

/* The same without an index; *sum counts the bytes inflated so far. */
enum tdat_status dat_inflate_text(const struct tdat_limits *limits, uint64_t file_len,
				  uint64_t *sum, const char *what, uint64_t off, uint64_t len,
				  struct tdat_error *err);

/*
 * Takes a failure. A tolerant read keeps it as a finding and continues: the result is TDAT_OK.
 * Any other read, and one that has no memory for the finding, gets the failure back.
 */
enum tdat_status dat_index_tolerate(struct dat_index *ix, enum tdat_status status,
				    struct tdat_error *err);

/*
 * Clips the data of a CPU to the end of the file. All bytes cut off a file are one finding, or
 * an error where the read is not tolerant. at is the file offset of the numbers that give the
 * extent.
 */
enum tdat_status dat_index_clip_cpu(struct dat_index *ix, struct tdat_cpu *cpu, const char *buffer,
				    uint64_t at, struct tdat_error *err);

/* Puts the number of CPUs that are cut by the same end of the file into its one finding. */
void dat_index_count_cut(struct dat_index *ix);

/*
 * Called when all buffers are known. Extents of CPU data that overlap are cut, with a finding,
 * and the data of CPUs whose offset is lost is searched for.
 */
enum tdat_status dat_index_settle(struct dat_index *ix, struct tdat_error *err);

enum tdat_status dat_index_add_section(struct dat_index *ix, const struct tdat_section *section,
				       struct tdat_error *err);
/*
 * The section that starts at off, or NULL. The list is that of a file of version 7, whose
 * sections are in rising order because they were found by a walk from the file's start.
 */
const struct tdat_section *dat_section_at(const struct tdat_section *list, size_t count,
					  uint64_t off);
enum tdat_status dat_index_note_options(struct dat_index *ix, uint64_t off, struct tdat_error *err);
enum tdat_status dat_index_add_option(struct dat_index *ix, uint16_t id, uint64_t off,
				      struct tdat_span data, struct tdat_error *err);
enum tdat_status dat_index_add_buffer(struct dat_index *ix, const struct tdat_buffer *buffer,
				      struct tdat_error *err);
enum tdat_status dat_index_add_format(struct dat_index *ix, const char *system,
				      struct tdat_span text, uint64_t off, struct tdat_error *err);

/* Parsers of metadata bodies, the same in both versions (v6 bodies in §3). */
enum tdat_status dat_read_header_pages(struct dat_index *ix, struct tdat_cursor *c,
				       struct tdat_error *err);
enum tdat_status dat_read_ftrace_formats(struct dat_index *ix, struct tdat_cursor *c,
					 struct tdat_error *err);
enum tdat_status dat_read_event_formats(struct dat_index *ix, struct tdat_cursor *c,
					struct tdat_error *err);
enum tdat_status dat_read_text(struct tdat_cursor *c, unsigned size_len, const char *what,
			       struct tdat_span *out, struct tdat_error *err);

/*
 * Whether header_page lists timestamp, commit, overwrite (which old kernels leave out) and data
 * in this order and nothing else: libtraceevent takes the fields one by one, wherever they are.
 */
bool dat_header_page_usual(struct tdat_span text);

/* Fills in the layout of pages that header_page describes. */
void dat_note_page_layout(struct dat_index *ix);

/*
 * The number in an option CPUCOUNT. In files of mixed byte order it may be in either order: the
 * one that gives a sensible number is used.
 */
uint32_t dat_cpu_count(const struct dat_index *ix, struct tdat_span data);

/* The active clock of a trace_clock text as a string of the index; "" without one. */
const char *dat_clock_name(struct dat_index *ix, struct tdat_span text);

enum tdat_status dat_read_v6(struct dat_index *ix, uint64_t off, struct tdat_error *err);
enum tdat_status dat_read_v7(struct dat_index *ix, uint64_t off, struct tdat_error *err);

#endif
