/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the state of a reader, for the files that make one and that read with it. */
#ifndef TDAT_TABLE_READER_STATE_H
#define TDAT_TABLE_READER_STATE_H

#include "decode.h"
#include "read/iter.h"
#include "reader_table.h"

/*
 * Where events of one format go: a table, and how it decodes them. All formats of a table, of
 * several inputs or of one, have one list of events, that of the table's first route, so that its
 * rows stay in order.
 */
struct reader_route {
	struct reader_table *table;
	uint32_t input, id;
	const struct table_variant *variant; /* NULL: no event came yet, or the format is broken */
	uint32_t list;			     /* the route that has the list */
	bool has_others;	     /* of the one with the list: the table has further formats */
	uint32_t first, last, count; /* the events that were taken: a list */
};

/* Ids whose formats were asked for lately. */
enum { READER_ASKED = 64 };

struct reader {
	const struct tdat_trace *trace;
	const struct tdat_table_opts *opts;
	struct reader_table *tables;
	size_t table_count;
	struct tdat_iter *iter;
	struct table_decoder decoder;
	size_t take, batch_rows;
	_Atomic(uint32_t) *expected; /* as in struct reader_span, as is holds */
	void (*holds)(void *ctx, size_t size);
	void *holds_ctx;

	struct reader_route *routes;
	size_t route_count;
	uint32_t **by_id; /* by input and id: index of the route + 1; NULL: of no input */
	int32_t *pids;	  /* those of the options, in rising order */
	struct model_pid_set pid_set;
	uint8_t **ids; /* the same as bits, for the iterator; NULL: all ids are wanted */
	uint64_t asked[READER_ASKED];	    /* input and id + 1, by the id's last bits */
	struct reader_table *events, *lost; /* NULL: not wanted */
	struct derived_pass *derived;	    /* NULL: no derived table is wanted */

	struct tdat_event *taken;
	const struct tdat_event **rows;
	uint32_t *next;	   /* of the lists of routes */
	uint32_t *touched; /* routes that got events */
	struct read_block *released;
	size_t released_len;

	size_t flush_at; /* tables up to here were given out of those that are to be */
	bool any_full;	 /* a table may have a batch */
	size_t rows_len; /* bytes of the rows of all tables */
	size_t size;	 /* bytes of memory of all tables */
	bool flushing, ended;
	struct reader_table *given; /* its rows are cleared at the next call */
	size_t next_meta;
	struct tdat_stream_damage *damage; /* that tables of facts met */
	size_t damage_count, damage_cap;
	bool metas, only_derived;
	bool names; /* of tasks are needed */
};

/* Takes a block of pages that the iterator of ctx, a reader, has no more use for. */
void reader_take_released(void *ctx, struct read_block *b);
/* Puts back the blocks that were taken. */
void reader_put_released(struct reader *r);

#endif
