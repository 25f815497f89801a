/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives the records of several files in order of time, with bounded memory. Each file is read
 * twice: the survey puts records that are behind a later one of their own file into the external
 * sort and learns the range of times; then files are merged as they are, the sorted ones being a
 * stream more. Order: key, CPU, the order of the streams. Where each file has one CPU, and no
 * record had to be sorted, the files of each CPU can be merged apart from the others (parts), on
 * threads.
 */
#ifndef TDAT_IMPORT_RECORD_MERGE_H
#define TDAT_IMPORT_RECORD_MERGE_H

#include <tdat/emit.h>

struct import_merge_record {
	int64_t key; /* time, or what orders */
	uint32_t cpu;
	int64_t lost_before;   /* as in tdat_emit_event; given for late records as 0 */
	struct tdat_span data; /* valid until the stream's next call */
};

struct import_merge_stream {
	void *ctx;
	/* The next record; TDAT_E_NOT_FOUND, without a sentence, at the end. */
	enum tdat_status (*next)(void *ctx, struct import_merge_record *out,
				 struct tdat_error *err);
	/* Back to the first record, for the second pass. */
	void (*rewind)(void *ctx);
	/*
	 * The next records, max at most, as next would give them one by one, all valid until the
	 * stream's next call; 0: next has to say what comes. May be NULL.
	 */
	size_t (*batch)(void *ctx, struct import_merge_record *out, size_t max);
};

struct import_merge;

/* The streams are copied, their contexts borrowed. */
enum tdat_status import_merge_new(struct import_merge **out,
				  const struct import_merge_stream *streams, size_t count,
				  struct tdat_error *err);
void import_merge_free(struct import_merge *m);

struct import_merge_range {
	uint64_t records;
	uint64_t late; /* behind a later one of their stream */
	int64_t min_key;
	int64_t max_key;
	uint32_t cpu_count; /* highest CPU + 1; 0 without a record */
};

/*
 * The first pass over stream i, each once; several threads may survey different streams at once.
 * *late counts those of this stream. import_merge_surveyed ends it for all, on one thread.
 */
enum tdat_status import_merge_survey(struct import_merge *m, size_t i, uint64_t *late,
				     struct tdat_error *err);

void import_merge_surveyed(struct import_merge *m);

/* Between survey and the first next: readies stream i for the second pass. */
void import_merge_rewind(struct import_merge *m, size_t i);

/* Records of a CPU, as surveyed. */
uint64_t import_merge_cpu_records(const struct import_merge *m, uint32_t cpu);

/* What the survey learnt of all streams; all zero before import_merge_surveyed. */
const struct import_merge_range *import_merge_range(const struct import_merge *m);

/*
 * How many parts there are, each with the records of one CPU; 0: the records can only be merged as
 * a whole. After import_merge_surveyed.
 */
size_t import_merge_parts(const struct import_merge *m);
/* A merge of part i for import_merge_next, on any thread, while m exists. */
enum tdat_status import_merge_part_new(struct import_merge **out, const struct import_merge *m,
				       size_t i, struct tdat_error *err);
/* The CPU of part i. */
uint32_t import_merge_part_cpu(const struct import_merge *m, size_t i);

/*
 * The next records of all, *count of them, valid until the next call: more than one where a single
 * stream is left that gives batches. TDAT_E_NOT_FOUND, without a sentence, at the end.
 */
enum tdat_status import_merge_next(struct import_merge *m, const struct import_merge_record **out,
				   size_t *count, struct tdat_error *err);

#endif
