/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of perf script's text. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"script.txt", NULL};
	static const struct tdat_keyed_option options[] = {{"uname", "Linux host 6.1.0"}};
	static const struct fuzz_import target = {
		.importer = "perf-text",
		.names = names,
		.options = options,
		.option_count = sizeof(options) / sizeof(options[0]),
	};

	fuzz_import(&target, data, size);
	return 0;
}
