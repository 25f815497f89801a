/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a producer of relay channels, and what is known of a capture of it. */
#ifndef TDAT_IMPORT_RELAY_RELAY_KIND_H
#define TDAT_IMPORT_RELAY_RELAY_KIND_H

#include "import/record_merge.h"
#include "subbufs.h"

struct relay_reader;
struct relay_setup;
struct relay_output;

/* What a producer's records are. NULL functions do nothing. */
struct relay_kind {
	const char *importer; /* for the version text: "gtsc" */
	size_t own_len;	      /* bytes of a reader's own state, zeroed before open */
	bool keep_zeros;      /* zeros at the end of a sub-buffer may belong to a record */
	bool locked;	      /* a single file has no reason to be out of order */
	bool by_cpu;	     /* events of a CPU depend on no record of others, but see begin_part */
	uint64_t shift_unit; /* negative times are moved by a multiple of it; 0: by any */
	enum tdat_status (*open)(struct relay_reader *r, struct tdat_error *err);
	void (*close)(struct relay_reader *r);
	/* Gives the next record: key and data, and cpu and lost_before where they differ. */
	enum tdat_status (*next)(struct relay_reader *r, struct import_merge_record *out,
				 struct tdat_error *err);
	/*
	 * Gives the next records, max at most, as next would: whole, but the CPU of a record is
	 * that of the file. 0: next has to say what comes.
	 */
	size_t (*batch)(struct relay_reader *r, struct import_merge_record *out, size_t max);
	/* Sets the reader's own state back to the start. */
	void (*rewind)(struct relay_reader *r);
	/* Warns of what the first pass met. */
	enum tdat_status (*warn)(struct relay_reader *r, struct tdat_error *err);
	/* Name of the clock, once all readers are open. */
	const char *(*clock)(const struct relay_setup *s);
	/* Emits formats; may set out->own, which close_output frees. */
	enum tdat_status (*begin)(struct relay_output *out, struct tdat_error *err);
	enum tdat_status (*record)(struct relay_output *out, const struct import_merge_record *rec,
				   struct tdat_error *err);
	/* Warns, after the last record; without fact, it emits statistics and facts as well. */
	enum tdat_status (*end)(struct relay_output *out, struct tdat_error *err);
	void (*close_output)(struct relay_output *out);
	/*
	 * Readies the kind for records of one CPU apart from others, on threads. prepare comes
	 * first, once: false where that cannot be done. begin_part makes the part's own state, by
	 * which record() works, of the output's; end_part frees it.
	 */
	bool (*prepare)(struct relay_output *out, const struct relay_reader *readers, size_t count,
			enum tdat_status *st, struct tdat_error *err);
	enum tdat_status (*begin_part)(struct relay_output *part, struct tdat_error *err);
	void (*end_part)(struct relay_output *part);
	/* The fact "kind". */
	enum tdat_status (*fact)(const struct relay_output *out, struct tdat_error *err);
};

/* What is known of a capture before a record is read. */
struct relay_setup {
	const struct relay_kind *kind;
	void *own; /* of the kind */
	bool big;
	bool order_known; /* false: nothing depends on the byte order */
	bool own_cpus;	  /* records name their CPUs: the numbers of files say nothing */
	struct relay_geometry geometry;
};

#endif
