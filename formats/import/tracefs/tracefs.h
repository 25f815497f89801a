/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a copy of tracefs, or a mounted one: its files, its pages, its texts. */
#ifndef TDAT_IMPORT_TRACEFS_TRACEFS_H
#define TDAT_IMPORT_TRACEFS_TRACEFS_H

#include <tdat/emit.h>

enum {
	TRACEFS_CPU_MAX = 65535,
	TRACEFS_PAGE_MIN = 256,
	TRACEFS_PAGE_MAX = 1 << 20, /* the kernel's largest sub-buffer */
	TRACEFS_TEXT_MAX = 4 << 20  /* of a file held in memory whole */
};

/* ---- tree_files.c: which input is what ---- */

struct tracefs_cpu {
	uint32_t cpu;
	const struct tdat_import_input *raw;	  /* trace_pipe_raw */
	const struct tdat_import_input *snapshot; /* snapshot_raw */
	const struct tdat_import_input *stats;
	/* What stats tells of the buffer's events, and of those overwritten; 0 without it. */
	uint64_t entries, overrun;
};

struct tracefs_buffer {
	char *name; /* "" is the top buffer */
	const struct tdat_import_input *header_page, *trace_clock;
	struct tracefs_cpu *cpus; /* by number */
	size_t cpu_count, cpu_cap;
	uint32_t page_size; /* of a sub-buffer */
};

struct tracefs_list {
	const struct tdat_import_input **v;
	size_t count, cap;
};

struct tracefs_files {
	struct tracefs_buffer *buffers; /* [0] is the top one */
	size_t buffer_count, buffer_cap;
	struct tracefs_list formats; /* events/SYSTEM/EVENT/format */
	const char *root;	     /* root_len bytes of it stand before "events/" in every name */
	size_t root_len;
	struct tracefs_list strays; /* CPU data whose name is of no CPU of its own */
	const struct tdat_import_input *printk, *cmdlines, *tgids, *kallsyms, *uname;
};

enum tdat_status tracefs_files_find(struct tracefs_files *f,
				    const struct tdat_import_request *request,
				    struct tdat_error *err);
void tracefs_files_fini(struct tracefs_files *f);

/* Bytes of CPU data under a name, "per_cpu/cpu3/trace_pipe_raw" behind any folders. */
bool tracefs_is_raw(const char *name);
/* Length of what stands before the last "events/header_page"; -1: another name. */
long tracefs_header_page_root(const char *name);
bool tracefs_wants(const struct tdat_import_request *request, const char *name, bool live);

/* The data of a CPU that is converted; NULL without any. */
const struct tdat_import_input *tracefs_cpu_data(const struct tracefs_cpu *cpu, bool snapshot);

/* ---- ring_page.c: one sub-buffer ---- */

/* Ids of events, a bit for each. */
struct tracefs_ids {
	uint8_t bits[65536 / 8];
};

static inline void tracefs_ids_add(struct tracefs_ids *ids, uint16_t id)
{
	ids->bits[id / 8] |= (uint8_t)(1u << (id % 8));
}

static inline bool tracefs_ids_has(const struct tracefs_ids *ids, uint16_t id)
{
	return ids->bits[id / 8] >> (id % 8) & 1;
}

struct tracefs_layout {
	bool big;
	uint8_t long_size; /* width of the commit word */
	uint32_t page_size;
};

struct tracefs_page {
	uint64_t commit;  /* the word as it stands */
	uint32_t len;	  /* bytes of data by that word */
	uint32_t good;	  /* bytes of data that are whole records */
	uint32_t records; /* events in them */
	uint64_t lost;	  /* events lost before it; UINT64_MAX: some */
	bool sane;	  /* the commit word can be one */
	bool whole;	  /* all its data are records */
	bool rest;	  /* there are bytes behind its data: set by tracefs_page_find_rest */
	bool zero;	  /* so is this: it is nothing but zeros */
};

static inline uint32_t tracefs_page_head(const struct tracefs_layout *l)
{
	return 8u + l->long_size;
}

/*
 * Looks at a page of which len bytes are there; len at least tracefs_page_head. The ids of its
 * events are added to ids, which may be NULL.
 */
void tracefs_page_look(const struct tracefs_layout *l, const uint8_t *p, size_t len,
		       struct tracefs_page *out, struct tracefs_ids *ids);

/* Looks at what is behind a sane page's data and its count of lost events: zeros should be. */
void tracefs_page_find_rest(const struct tracefs_layout *l, struct tracefs_page *page,
			    const uint8_t *p, size_t len);

/* Makes of len bytes at from a whole page at to that holds the good records only. */
void tracefs_page_repair(const struct tracefs_layout *l, const struct tracefs_page *page,
			 const uint8_t *from, size_t len, uint8_t *to);

/* ---- page_guess.c ---- */

struct tracefs_detected {
	struct tracefs_layout layout;
	uint32_t pages; /* that prove it; 0: nothing does */
};

/* Reads header_page; false when the file cannot be one. */
bool tracefs_header_page(const struct tdat_source *source, uint8_t *long_size, uint32_t *page_size);

/* Finds byte order, and what is 0 in known, by the pages of a buffer; order -1: any. */
enum tdat_status tracefs_detect(const struct tracefs_buffer *b, bool snapshot,
				const struct tracefs_layout *known, int order,
				struct tracefs_detected *out, struct tdat_error *err);

uint32_t tracefs_probe(const struct tdat_import_input *inputs, size_t input_count);

/* ---- tree_meta.c, cpu_pages.c: handing over ---- */

/* A text file as a NUL-terminated string of malloc, without the last newline. */
enum tdat_status tracefs_text(const struct tdat_import_input *in, char **out, size_t *len,
			      struct tdat_error *err);
/* The clock in brackets of a trace_clock file, in place; all of it without brackets. */
char *tracefs_active_clock(char *text);

/* Adds the ids of the formats that it hands over to described. */
enum tdat_status tracefs_meta(const struct tracefs_files *f, const struct tdat_emit *emit,
			      bool tgids, const char *formats_from, struct tracefs_ids *described,
			      struct tdat_error *err);
enum tdat_status tracefs_stats(struct tracefs_files *f, const struct tdat_emit *emit,
			       struct tdat_error *err);
/*
 * Warns of a CPU of whose trace_pipe_raw fewer events came than its stats count, with those lost
 * on its pages: UINT64_MAX when not all pages tell how many.
 */
enum tdat_status tracefs_warn_missing(const struct tracefs_cpu *cpu, uint64_t events, uint64_t lost,
				      const struct tdat_emit *emit, struct tdat_error *err);

struct tracefs_totals {
	uint64_t events, pages, lost_pages;
	uint64_t lost; /* on this CPU; UINT64_MAX: some that no page counts are among them */
	struct tracefs_ids seen;
};

enum tdat_status tracefs_data(const struct tdat_import_input *in, uint32_t buffer, uint32_t cpu,
			      const struct tracefs_layout *l, const struct tdat_emit *emit,
			      struct tracefs_totals *t, struct tdat_error *err);

#endif
