/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares how many events a file has with how many the kernel counted when recording ended: option
 * CPUSTAT, which trace-cmd and importers of tracefs write from per_cpu/cpuN/stats. Nothing else in
 * a file tells of pages that are missing.
 */
#ifndef TDAT_READ_CHECK_COUNTS_H
#define TDAT_READ_CHECK_COUNTS_H

#include "check_parts.h"

/* What one option counts. */
struct check_count {
	struct tdat_span buffer; /* its name, empty for the top one */
	uint32_t cpu;
	uint64_t off;	  /* of the option */
	uint64_t counted; /* events read and still to be read */
	uint64_t events;  /* that the file has */
};

struct check_counts {
	struct check_count *list; /* by buffer and CPU */
	size_t count, cap;
};

/* Reads the options of a file. False: no memory. */
bool check_counts_init(struct check_counts *counts, const struct tdat_file *file);
void check_counts_fini(struct check_counts *counts);

/* Adds the events that were found of a CPU. */
void check_counts_add(struct check_counts *counts, const struct tdat_buffer *buffer, uint32_t cpu,
		      uint64_t events);

/* Notes each CPU of which the file has fewer events than were counted. */
void check_counts_tell(const struct check_counts *counts, struct read_findings *out);

#endif
