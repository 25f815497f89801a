/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares what the files of tdat_repair share; they read with lib/read and write with lib/write.
 */
#ifndef TDAT_REPAIR_REPAIR_H
#define TDAT_REPAIR_REPAIR_H

#include <tdat/repair.h>

#include "read/stream.h"
#include "read/findings.h"
#include "copy/copy.h"
#include "write/emit_ops.h"

/* An event that repair makes of records of another one that end before its fields. */
struct repair_short {
	uint32_t id;   /* of the event whose records they are */
	uint32_t len;  /* of the records */
	uint32_t next; /* number of another one with that id, from 1; 0: none */
	uint32_t new_id;
};

struct repair {
	struct tdat_writer *w;
	const struct tdat_file *file;
	struct tdat_repair_opts opts;
	struct read_findings out; /* its status is the first failure, after which repair stops */
	struct tdat_repair_result result;
	bool begun; /* the writer holds a part of the new file */
	/*
	 * By id, the formats of the new file, which records are read with: what their fields tell
	 * of the length of a record must be the same when it is read again.
	 */
	const struct tdat_format *formats[FILE_ID_COUNT];
	struct model_printk *printk; /* the new file's, which lengths of records depend on, too */
	struct dat_record_ends ends;
	struct dat_page_layout layout;
	struct tdat_format **mended; /* of those formats, the ones that are not of an open file */
	size_t mended_count, mended_cap;
	bool missed[FILE_ID_COUNT];  /* events of that id are kept, and no format describes it */
	bool unknown[FILE_ID_COUNT]; /* the file has such events, kept or not: repair_unknown_ids()
				      */
	bool unknown_filled;
	uint64_t short_pages; /* pages with records that end before their fields */
	struct repair_short *shorts;
	size_t short_count, short_cap;
	uint32_t first_short[FILE_ID_COUNT]; /* by id, the number of one of them, from 1 */
	uint32_t next_free_id;		     /* no higher one is free */
	struct tdat_build ftrace, events;    /* the parts of formats, until all events are known */
	uint32_t system_count;
	struct file_common common; /* of the new file's formats */
	uint8_t *page;		   /* room for one mended page */
	size_t page_cap;
	size_t last_number; /* of the names made for buffers: rising, so that each is tried once */
};

/* Keeps the first failure. */
static inline void repair_fail(struct repair *r, enum tdat_status status,
			       const struct tdat_error *err)
{
	if (status == TDAT_OK || r->out.status != TDAT_OK)
		return;
	r->out.status = status;
	r->out.err = *err;
}

/* Writes header pages, formats, and the tables of names. */
void repair_parts(struct repair *r);

/*
 * Makes *text, a format that is not read to its end, one that is: with what is read of it, and
 * other bytes for NULs before its fields. *out is that format, for model_format_free(); NULL when
 * none is left. The new text lives as long as the writer. False: no memory.
 */
bool repair_format_text(struct repair *r, const char *system, struct tdat_span *text,
			struct tdat_format **out);

/* Whether a field ends within the first len bytes of a record. */
static inline bool repair_field_fits(const struct tdat_field *f, uint32_t len)
{
	return f->off <= len && f->len <= len - f->off;
}

/* Puts a print fmt that shows the fields of a format that end within len bytes. */
void repair_put_print_fmt(struct tdat_build *b, const struct tdat_format *format, uint32_t len);

/*
 * The id that a record of len bytes gets, which ends before the fields of the event of that id; 0:
 * all ids are in use, or there is no memory.
 */
uint32_t repair_short_id(struct repair *r, uint32_t id, uint32_t len);

/* Puts the formats of all events that repair_short_id() made. */
void repair_short_formats(struct repair *r);

/* Frees what repair_parts() kept to read records with. */
void repair_parts_fini(struct repair *r);

/* Writes the formats, with one made for each id that lacks its own; called after all events. */
void repair_formats(struct repair *r);

/*
 * Whether pages of the file have something between commit and data, as header_page says: the
 * repaired file has the usual layout, since trace-cmd knows no other.
 */
bool repair_moves_data(const struct repair *r);

/* Writes the options that make sense, and the sections they lead to. */
void repair_options(struct repair *r);

/* Fills r->unknown by reading the records of all CPUs, of damaged pages as far as that goes. */
void repair_unknown_ids(struct repair *r);

/* Does that with the records of one CPU; source as for repair_cpu(). */
void repair_cpu_ids(struct repair *r, const struct tdat_buffer *buffer, const struct tdat_cpu *cpu,
		    const struct tdat_source *source);

/*
 * Writes all pages of one CPU into a buffer of the writer. source is what plain pages are read
 * from; NULL: the file.
 */
void repair_cpu(struct repair *r, uint32_t number, const struct tdat_buffer *buffer,
		const struct tdat_cpu *cpu, const struct tdat_source *source);

#endif
