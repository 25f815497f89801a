/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of kmemtrace captures, with a choice of its options. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"cpu0.out",	 "cpu1.out",	"cpu4.out",
					    "trace.bin", "meta",	"total_overruns",
					    "kallsyms",	 "abi_version", NULL};
	static const struct tdat_keyed_option options[] = {
		{"keep-features", ""},	{"keep-unknown", ""}, {"atrace", ""},
		{"subbuf-size", "128"}, {"ts-step", "1000"},  {"layout", "relay"},
		{"layout", "rfc1"},	{"layout", "rfc2"},   {"layout", "ftrace64"},
		{"layout", "ftrace32"}, {"endian", "big"},    {"endian", "little"},
		{"cpu", "9=cpu1.out"},
	};
	static const struct fuzz_import target = {
		.importer = "kmemtrace",
		.names = names,
		.options = options,
		.option_count = sizeof(options) / sizeof(options[0]),
	};

	fuzz_import(&target, data, size);
	return 0;
}
