/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares what the files of tdat_split share; they read with lib/read and write with lib/write. */
#ifndef TDAT_SPLIT_SPLIT_H
#define TDAT_SPLIT_SPLIT_H

#include <tdat/split.h>

#include "core/heap.h"
#include "read/cpu_list.h"
#include "read/select.h"
#include "read/stream.h"
#include "write/emit_ops.h"
#include "shrink.h"

struct split_buffer;

/* One CPU of a buffer. */
struct split_stream {
	struct read_stream s; /* its head, if there is one, is a wanted record */
	struct split_buffer *buffer;
	int64_t lost;		  /* events lost before the next one that is written */
	struct tdat_span page;	  /* bytes of the page that the head is on */
	uint64_t page_off;	  /* file offset of that page, if it is plain data */
	struct read_block *block; /* the block with that page, with a reference */
	int64_t page_lost;	  /* events lost before that page, as its header says */
	uint64_t bad_pages;	  /* of the stream, when that page was opened */
	/*
	 * All records of the page before the head belong to this piece and none is written yet:
	 * the page may be copied unchanged.
	 */
	bool whole;
	uint64_t held;		   /* events of the page that are not written yet because of that */
	uint64_t run_off, run_len; /* whole pages one after the other in the file, to be written */
	uint64_t pages, events;	   /* of this piece */
	bool page_counted;
	uint64_t stored_len;	 /* bytes to be read, as stored */
	uint64_t start, end;	 /* where reading started and where it ends: bytes, or chunks */
	struct write_stream *to; /* in the writer of this piece */
};

struct split_buffer {
	const struct tdat_buffer *from;
	char *as; /* its name in the pieces */
	struct read_clock clock;
	struct split_stream *streams;
	size_t stream_count;
	uint32_t number; /* in the writer of this piece */
};

struct tdat_split {
	struct tdat_file *file;
	struct tdat_split_opts opts;
	struct read_cpus cpus; /* that are asked for */
	struct file_common common;
	struct read_select *select; /* NULL: all events */
	struct split_buffer *buffers;
	size_t buffer_count;
	uint64_t pieces;	     /* begun */
	uint64_t memory_failures;    /* of the file, before */
	struct tdat_writer *w;	     /* of this piece */
	struct split_shrink *shrink; /* of this piece; NULL: not asked for */
	struct tdat_stream_damage *damage;
	tdat_progress_fn progress;
	void *progress_ctx;
	uint64_t progress_pages;
	int fd;	      /* of the file; -1: none */
	uint8_t *run; /* room for a short run of pages */
	size_t run_cap;
};

/* Puts the first wanted record at the head. */
enum tdat_status split_stream_start(struct tdat_split *sp, struct split_stream *ss,
				    struct tdat_error *err);

/* Takes the head into the piece, and moves to the next wanted record. */
enum tdat_status split_stream_take(struct tdat_split *sp, struct split_stream *ss,
				   struct tdat_error *err);

/* Ends the piece before the head, and writes what was held back. */
enum tdat_status split_stream_end(struct tdat_split *sp, struct split_stream *ss,
				  struct tdat_error *err);

void split_stream_fini(struct split_stream *ss);

/* Writes all events of a piece; its buffers must be in the writer. */
enum tdat_status split_piece(struct tdat_split *sp, struct tdat_error *err);

#endif
