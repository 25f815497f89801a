/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Converts a capture of relay channels: files -> sub-buffers without padding -> records of each
 * file -> merged by time -> events. All of it but the records themselves is the same for every
 * producer; a relay_kind is what differs.
 */
#ifndef TDAT_IMPORT_RELAY_CAPTURE_H
#define TDAT_IMPORT_RELAY_CAPTURE_H

#include "channel_reader.h"
#include "relay_options.h"

struct relay_output;

/* What a producer's records are. NULL functions do nothing. */
struct relay_kind {
	const char *importer; /* for the version text: "gtsc" */
	size_t own_len;	      /* bytes of a reader's own state, zeroed before open */
	bool keep_zeros;      /* zeros at the end of a sub-buffer may belong to a record */
	bool locked;	      /* a single file has no reason to be out of order */
	bool by_cpu; /* events of a CPU depend on no record of others, but see begin_part */
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
	/* Warns, after the last record. */
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
	struct relay_geometry geometry;
};

/*
 * Takes over the geometry, and the byte order that was given or that padding counts show.
 * kind_needs: records depend on the order. guess: the kind's own, where there are no counts;
 * -1 for both are alike; may be NULL.
 */
void relay_setup_order(struct relay_setup *s, const struct relay_options *o,
		       const struct relay_files *f, bool kind_needs,
		       int (*guess)(struct tdat_span head));

/* Converts the capture, from the warnings of absent CPUs to the last fact. */
enum tdat_status relay_convert(struct relay_setup *setup, const struct relay_files *files,
			       const struct relay_options *opts, const struct tdat_emit *emit,
			       struct tdat_error *err);

#endif
