/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an importer emits, checked as it comes; handed on to a writer if there is
 * one, whose file then has the same events.
 */
#ifndef TDAT_FUZZ_EMITTED_H
#define TDAT_FUZZ_EMITTED_H

#include <tdat/emit.h>

#include "events.h"

enum { FUZZ_FORMAT_MAX = 1024, FUZZ_BUFFER_MAX = 64 };

struct fuzz_emitted {
	bool foreign_formats;	    /* they are the capture's own text */
	struct tdat_writer *writer; /* NULL: nothing is written */
	bool refused;		    /* the writer failed */
	bool informed, has_pages;
	bool big;
	uint32_t cpu_count;
	uint32_t buffer_count;
	uint16_t format_count;
	struct {
		uint16_t id;
		uint32_t fixed_len;
	} formats[FUZZ_FORMAT_MAX];
	uint64_t last_ts[FUZZ_BUFFER_MAX];
	char *names[FUZZ_BUFFER_MAX]; /* of buffers; NULL: the top one, or not known */
	uint64_t events, warnings;
	struct fuzz_list written;
};

/* How an importer speaks to it. */
struct tdat_emit fuzz_emitted_emit(struct fuzz_emitted *e);

/* Finishes the writer and compares its file with what was emitted. */
void fuzz_emitted_compare(struct fuzz_emitted *e);

void fuzz_emitted_fini(struct fuzz_emitted *e);

#endif
