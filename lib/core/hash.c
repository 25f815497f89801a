/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the key of a process, and the hash of bytes. The reason for the key, and what may not
 * depend on it: docs/decisions/005-seeded-hash.md.
 */
#include "hash.h"

#include <string.h>
#include <sys/auxv.h>

/*
 * Two rounds mix the bytes with constants of their own, so that the key does not give
 * AT_RANDOM away. The factor is odd: multiplying by it loses no bit.
 */
struct tdat_hash_seed tdat_hash_seed(void)
{
	/* Digits of pi, for a system without AT_RANDOM. */
	struct tdat_hash_seed seed = {0x243f6a8885a308d3u, 0x13198a2e03707344u}, folded;
	const unsigned long at = getauxval(AT_RANDOM);

	if (at)
		memcpy(&seed, (const void *)(uintptr_t)at, sizeof(seed));
	/* The C library uses the same bytes for its stack protector: they are not kept as they are.
	 */
	folded.add =
		tdat_hash_u64((struct tdat_hash_seed){seed.add, 0x9e3779b97f4a7c15u}, seed.mul);
	folded.mul =
		tdat_hash_u64((struct tdat_hash_seed){seed.mul, 0xbf58476d1ce4e5b9u}, seed.add);
	folded.mul |= 1;
	return folded;
}

/* The length comes first, so that texts with zeros at their end differ. */
uint64_t tdat_hash_bytes(struct tdat_hash_seed seed, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t hash = len, word;

	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		hash = tdat_hash_pair(seed, hash, word);
	}
	/* The rest is padded with zeros to a word. */
	word = 0;
	if (len)
		memcpy(&word, p, len);
	return tdat_hash_pair(seed, hash, word);
}
