/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes traces with all derived tables. */
#include "analysis.h"

static const struct table_derived *const tables[] = {
	/* clang-format off */
	&analysis_counter,
	&analysis_function,
	&analysis_irq,
	&analysis_kvm,
	&analysis_latency_sample,
	&analysis_migration,
	&analysis_page_fault,
	&analysis_sched,
	&analysis_slice,
	&analysis_softirq,
	&analysis_syscall,
	&analysis_thread_state,
	&analysis_timer,
	&analysis_wakeup,
	&analysis_workqueue,
	/* clang-format on */
};

enum tdat_status tdat_trace_new(struct tdat_trace **out, const struct tdat_iter_input *inputs,
				size_t input_count, const struct tdat_trace_opts *opts,
				struct tdat_error *err)
{
	const struct trace_extra extra = {.derived = tables,
					  .derived_count = sizeof(tables) / sizeof(tables[0])};

	return trace_new(out, inputs, input_count, opts, &extra, err);
}
