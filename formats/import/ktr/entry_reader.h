/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads binary entries of all inputs: a survey first, then the pass that emits. */
#ifndef TDAT_IMPORT_KTR_ENTRY_READER_H
#define TDAT_IMPORT_KTR_ENTRY_READER_H

#include <tdat/emit.h>

#include "doubts.h"
#include "reorder.h"

struct ktr_files;
struct ktr_formats;
struct ktr_output;
struct ktr_setup;
struct ktr_stathz;
struct ktr_strings;

struct ktr_stream {
	const struct tdat_import_input *input;
	uint32_t cpu; /* of all entries, when fixed_cpu */
	bool fixed_cpu;
	bool ring; /* empty slots are to be expected */
	uint64_t slots;
	uint64_t first;		/* oldest slot */
	struct ktr_seen unused; /* counted by the survey */
	struct ktr_seen begun;	/* those of unused that have other bytes than zeros */
	uint64_t unused_behind; /* slots behind this one that lie in a hole: they are skipped */
};

struct ktr_survey {
	uint64_t entries;
	struct ktr_seen bad_cpu, backwards; /* earlier than the one before on its CPU */
	struct ktr_seen early;		    /* before 1970 */
	uint32_t cpu_count;		    /* highest + 1 */
	uint32_t cpus;			    /* different ones */
	bool ordered;			    /* as read */
	uint64_t image_votes;		    /* formats where an amd64 kernel would have them */
	struct ktr_blocks blocks;
};

struct ktr_reader {
	const struct ktr_setup *setup;
	struct ktr_stream *streams;
	size_t count;
};

/* Lays out the inputs, and warns of what is left over at their ends. */
enum tdat_status ktr_reader_init(struct ktr_reader *r, const struct ktr_setup *setup,
				 const struct ktr_files *files, const struct tdat_emit *emit,
				 struct tdat_error *err);
void ktr_reader_fini(struct ktr_reader *r);
/* The first pass. stathz and output->formats only when stathz is not NULL. */
enum tdat_status ktr_reader_survey(struct ktr_reader *r, struct ktr_survey *s,
				   struct ktr_stathz *stathz, struct ktr_formats *formats,
				   struct ktr_strings *strings, struct tdat_error *err);
void ktr_survey_fini(struct ktr_survey *s);
enum tdat_status ktr_survey_warn(const struct ktr_survey *s, const struct ktr_reader *r,
				 const struct tdat_emit *emit, struct tdat_error *err);
/*
 * The second pass: everything in order of time to output. threads as in a request: with more than
 * one, entries are read and events made on a thread of its own.
 */
enum tdat_status ktr_reader_emit(struct ktr_reader *r, const struct ktr_survey *s,
				 struct ktr_output *out, uint32_t threads, struct tdat_error *err);

#endif
