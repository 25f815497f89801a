/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the writer's own state, shared by the parts that lay the file out. */
#ifndef TDAT_WRITE_STATE_H
#define TDAT_WRITE_STATE_H

#include <tdat/writer.h>

#include "core/codec.h"
#include "meta.h"
#include "write_out.h"
#include "write_stream.h"

struct write_cpu_emit;

struct write_buffer {
	const char *name;  /* "" is the top buffer */
	const char *clock; /* NULL: the file's */
	struct write_page_shape shape;
	struct write_stream **streams; /* by CPU number; NULL: no data */
	size_t stream_cap;
	bool absent;		      /* the top buffer is left out, as in the copied file (v7) */
	struct tdat_span clock_block; /* v6: text of the clock, if it is to be kept */
	bool has_latency;	      /* text instead of pages: */
	struct write_extents latency;
	struct write_borrow latency_from;
	uint64_t off; /* v6: of its table; v7: of its section */
};

/* Threads that write to one file wait for each other. */
enum { WRITE_CPU_SPOOLS = 8 };

struct tdat_writer {
	struct tdat_emit emit;
	uint32_t version;
	const struct tdat_codec *codec; /* NULL: none */
	int level;
	uint32_t threads;
	struct write_out out;
	struct write_spool spool;
	struct write_spool cpu_spools[WRITE_CPU_SPOOLS]; /* of cpu_emits, by turns */
	struct write_packer *packer;	   /* NULL: nothing is compressed, or no event came yet */
	struct write_store store;	   /* of all streams without an emit of their own */
	struct write_cpu_emit **cpu_emits; /* streams that other threads fill */
	size_t cpu_emit_count, cpu_emit_cap;
	struct write_meta meta;
	struct write_buffer **buffers; /* [0] is the top buffer */
	uint32_t buffer_count;
	bool informed, begun, finished;
	bool copied;		  /* it holds a copy: nothing more can be emitted */
	struct tdat_error broken; /* an I/O failure ends the writer */
	uint64_t event_count, warn_count;
	tdat_warn_fn warn, note;
	void *warn_ctx, *note_ctx;
	tdat_fact_fn fact;
	void *fact_ctx;
	tdat_progress_fn events, progress;
	void *events_ctx, *progress_ctx;
	_Atomic uint64_t cpu_emit_events; /* told to events by cpu_emits, in steps of theirs */
	uint64_t progress_done, progress_total; /* bytes of CPU data and text, as stored */
};

/* One more than the highest CPU number that was emitted or has data. */
uint32_t write_cpu_count(const struct tdat_writer *w);

/* Reports that len more of the bytes of progress_total are laid out. */
void write_progress(struct tdat_writer *w, uint64_t len);

/* Lay the file out from first to last byte; all streams must have been flushed. */
enum tdat_status write_v6(struct tdat_writer *w, struct tdat_error *err);
enum tdat_status write_v7(struct tdat_writer *w, struct tdat_error *err);

#endif
