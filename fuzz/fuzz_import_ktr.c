/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzzes the importer of KTR captures, with a choice of its options. */
#include "fuzz.h"
#include "import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"ktr.out",	  "meta",     "strings.txt",
					    "kernel.elf", "ktr0.bin", "ktr1.bin",
					    "list.txt",	  "if_em.ko", NULL};
	static const struct tdat_keyed_option options[] = {
		{"typed", ""},
		{"graph", ""},
		{"sched", ""},
		{"atrace", ""},
		{"cpu-hz", "auto"},
		{"cpu-hz", "1000000"},
		{"module", "if_em.ko@ffffffff82000000"},
		{"endian", "little"},
		{"endian", "big"},
		{"layout", "freebsd-v2-64"},
		{"layout", "freebsd-v2-32"},
		{"layout", "bsdos"},
		{"clock", "timeval"},
		{"layout", "freebsd-2000-64"},
		{"layout", "freebsd-2000x"},
		{"layout", "freebsd-2001x"},
	};
	static const struct fuzz_import target = {
		.importer = "ktr",
		.names = names,
		.options = options,
		.option_count = sizeof(options) / sizeof(options[0]),
	};

	fuzz_import(&target, data, size);
	return 0;
}
