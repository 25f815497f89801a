/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the CPUs of a trace whose data ends in damage: what they did afterwards is not known. */
#ifndef TDAT_TABLE_LOST_ENDS_H
#define TDAT_TABLE_LOST_ENDS_H

#include <tdat/table.h>

/* The end of a CPU's data of which later records are lost. */
struct lost_end {
	uint64_t ts; /* of its last record, as an iterator gives it; 0: it has none */
	uint32_t input, buffer;
	uint32_t cpu; /* UINT32_MAX: of the CPUs whose data was not found */
};

/*
 * Lists these ends in order of time. The first call for a trace reads the first and last page of
 * each CPU. The trace owns the list, and its threads share it.
 */
enum tdat_status trace_lost_ends(const struct tdat_trace *trace, const struct lost_end **ends,
				 size_t *count, struct tdat_error *err);

#endif
