/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of perf.data, with a file of a thread beside it. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"data", "data.0", NULL};
	static const struct fuzz_import target = {
		.importer = "perf", .names = names, .foreign_formats = true};

	fuzz_import(&target, data, size);
	return 0;
}
