/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of user_events logs, with a choice of its options. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"dynamic_events", "writes.cpu1", "writes.txt",
					    "saved_cmdlines", NULL};
	static const struct tdat_keyed_option options[] = {
		{"endian", "big"}, {"log", "raw"},	 {"log", "raw-ts"},
		{"log", "text"},   {"multi-format", ""}, {"pid", "7"},
	};
	static const struct fuzz_import target = {
		.importer = "user_events",
		.names = names,
		.options = options,
		.option_count = sizeof(options) / sizeof(options[0]),
	};

	fuzz_import(&target, data, size);
	return 0;
}
