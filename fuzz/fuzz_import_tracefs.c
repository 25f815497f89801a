/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of copied tracefs trees, with a choice of its options. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"events/header_page",
					    "events/sched/sched_switch/format",
					    "per_cpu/cpu0/stats",
					    "saved_cmdlines",
					    "trace_clock",
					    "instances/i/per_cpu/cpu1/trace_pipe_raw",
					    "per_cpu/cpu0/snapshot_raw",
					    "per_cpu/cpu0/trace_pipe_raw",
					    NULL};
	static const struct tdat_keyed_option options[] = {
		{"endian", "big"},  {"endian", "little"}, {"long-size", "4"},
		{"long-size", "8"}, {"page-size", "256"}, {"page-size", "4096"},
		{"snapshot", ""},   {"saved-tgids", ""},
	};
	static const struct fuzz_import target = {
		.importer = "tracefs",
		.foreign_formats = true,
		.names = names,
		.options = options,
		.option_count = sizeof(options) / sizeof(options[0]),
	};

	fuzz_import(&target, data, size);
	return 0;
}
