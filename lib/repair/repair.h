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

struct repair {
	struct tdat_writer *w;
	const struct tdat_file *file;
	struct tdat_repair_opts opts;
	struct read_findings out; /* its status is the first failure, after which repair stops */
	struct tdat_repair_result result;
	bool begun; /* the writer holds a part of the new file */
	/* By id, the formats of the new file, which tell the lengths of records as when it is read.
	 */
	const struct tdat_event_format *formats[FILE_ID_COUNT];
	struct dat_record_lens lens;
	struct dat_page_layout layout;
	struct tdat_event_format *
		*mended; /* of those formats, the ones that are not of an open file */
	size_t mended_count, mended_cap;
	bool missed[FILE_ID_COUNT]; /* events of that id are kept, and no format describes it */
	struct tdat_build ftrace, events; /* the parts of formats, until all events are known */
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
			struct tdat_event_format **out);

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

/*
 * Writes all pages of one CPU into a buffer of the writer. source is what plain pages are read
 * from; NULL: the file.
 */
void repair_cpu(struct repair *r, uint32_t number, const struct tdat_buffer *buffer,
		const struct tdat_cpu *cpu, const struct tdat_source *source);

#endif
