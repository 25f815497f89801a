/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which event type "tdat dump --csv" is of. */
#ifndef CLI_DUMP_CSV_H
#define CLI_DUMP_CSV_H

#include <tdat/tdat.h>

/* What will be dumped. */
struct dump_csv {
	const struct tdat_iter_input *inputs;
	size_t input_count;
	const struct tdat_iter_opts *iter;
	uint64_t limit; /* events; 0: all */
	uint32_t threads;
};

/*
 * dump_csv_type finds the type of the first event, and makes sure that there is no other
 * before a byte is written. *format is NULL when there is no event. CLI_OK, or an exit status
 * after a complaint.
 */
int dump_csv_type(const struct dump_csv *csv, const struct tdat_event_format **format);

#endif
