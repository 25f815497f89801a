/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../dat/chunk.h"
#include "file.h"

/* LONGEST: what takes long to look at may take long to print. */
enum { MIB = 1 << 20, LONGEST = 64 * MIB, DENSE_LEN = 16 * MIB, DENSE_RATIO = 16 };

static void add_cpu(const struct tdat_file *file, const struct tdat_cpu *cpu, uint64_t *sum,
		    uint64_t most)
{
	struct dat_chunks c;
	bool more = cpu->len && dat_chunks_init(&c, &file->ix, cpu->off, cpu->len, NULL) == TDAT_OK;

	while (more && *sum <= most && dat_chunks_next(&c, &more, NULL) == TDAT_OK && more)
		*sum += c.out_len;
}

bool read_file_dense(const struct tdat_file *file)
{
	const uint64_t len = tdat_source_len(file->src);
	const uint64_t most = len * DENSE_RATIO > DENSE_LEN ? len * DENSE_RATIO : DENSE_LEN;
	uint64_t sum = 0;
	size_t i;
	uint32_t k;

	if (len > LONGEST)
		return false;
	for (i = 0; i < file->ix.buffer_count; i++)
		for (k = 0; file->ix.buffers[i].compressed && k < file->ix.buffers[i].cpu_count; k++)
			add_cpu(file, &file->ix.buffers[i].cpus[k], &sum, most);
	return sum > most;
}
