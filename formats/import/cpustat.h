/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Emits what an importer emits at the end: CPUSTAT options and facts. */
#ifndef TDAT_IMPORT_CPUSTAT_H
#define TDAT_IMPORT_CPUSTAT_H

#include <tdat/emit.h>

#include "core/build.h"

/* A CPUSTAT option, text as of per_cpu/cpuN/stats, for each CPU that has records. */
struct import_cpustat {
	const struct tdat_emit *emit;
	const char *what;	 /* what is counted: "read events" */
	const uint64_t *records; /* by CPU */
	uint32_t cpu_count;
	int64_t always; /* a CPU that gets an option also without records; -1: none */
	/* Appends further lines; NULL: none. */
	void (*more)(const void *ctx, uint32_t cpu, struct tdat_build *b);
	const void *ctx;
};

enum tdat_status import_cpustat_emit(const struct import_cpustat *s, struct tdat_error *err);

/* A fact that is a number, unless st failed already. */
enum tdat_status import_fact_u64(const struct tdat_emit *emit, const char *key, uint64_t v,
				 enum tdat_status st, struct tdat_error *err);

#endif
