/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of GTSC captures, with a choice of its options. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"trace0",  "trace1", "stpd_cpu0", "trace4", "meta",
					    "dropped", "nr_sub", "state",     NULL};
	static const struct tdat_keyed_option options[] = {
		{"kind", "systemtap"},
		{"kind", "blktrace"},
		{"kind", "text"},
		{"as-print", ""},
		{"ts-unit", "s"},
		{"mark-dropped", ""},
		{"sub-size", "64"},
		{"padding", "count"},
		{"padding", "zero"},
		{"endian", "big"},
		{"subbufs-produced", "7"},
		{"pid-regex", "=([0-9]+)"},
		{"record", "1:a u8 kind; u64 ts; u32 pid"},
		{"record", "2:b u8 kind; char x[3]"},
		{"discriminator", "kind"},
	};
	static const struct fuzz_import target = {
		.importer = "gtsc",
		.names = names,
		.options = options,
		.option_count = sizeof(options) / sizeof(options[0]),
	};

	fuzz_import(&target, data, size);
	return 0;
}
