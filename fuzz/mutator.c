/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutates an input for libFuzzer: FUZZ_PREFIX bytes that are the target's own, then a trace.dat. */
#include "fuzz.h"
#include "mutate_dat.h"

/* AFL++ lends none, and does not call this. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	if (size <= FUZZ_PREFIX || max <= FUZZ_PREFIX || seed % 64 == 0)
		return LLVMFuzzerMutate(data, size, max);
	return FUZZ_PREFIX + fuzz_mutate_dat(data + FUZZ_PREFIX, size - FUZZ_PREFIX,
					     max - FUZZ_PREFIX, seed, FUZZ_ALL, LLVMFuzzerMutate);
}
