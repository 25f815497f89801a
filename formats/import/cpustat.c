/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the CPUSTAT options and the number facts that importers end with. The text of the
 * option is that of the kernel's stats file, by which check compares the number of events.
 * Called at the end of an import.
 */
#include "cpustat.h"

#include <tdat/file.h>

#include <inttypes.h>

/* Emits one CPUSTAT option per CPU with records. always names a CPU that gets one without. */
enum tdat_status import_cpustat_emit(const struct import_cpustat *s, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_build b;

	tdat_build_init(&b, false);
	for (uint32_t cpu = 0; cpu < s->cpu_count && st == TDAT_OK; cpu++) {
		if (cpu != s->always && !s->records[cpu])
			continue;
		b.len = 0;
		tdat_build_printf(&b, "CPU: %u\n%s: %" PRIu64 "\n", cpu, s->what, s->records[cpu]);
		if (s->more)
			s->more(s->ctx, cpu, &b);
		/* The option is a C string in trace.dat. */
		tdat_build_u8(&b, 0);
		st = b.failed ? tdat_error_no_memory(err, "statistics")
			      : tdat_emit_option(s->emit, TDAT_OPTION_CPUSTAT, b.ptr, b.len, err);
	}
	tdat_build_fini(&b);
	return st;
}

/* Emits a number as a fact unless st is a failure, so that calls can be chained. */
enum tdat_status import_fact_u64(const struct tdat_emit *emit, const char *key, uint64_t v,
				 enum tdat_status st, struct tdat_error *err)
{
	return st == TDAT_OK ? tdat_emit_factf(emit, key, err, "%" PRIu64, v) : st;
}
