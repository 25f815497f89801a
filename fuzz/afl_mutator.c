/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same for AFL++: AFL_CUSTOM_MUTATOR_LIBRARY names this module, and FUZZ_PREFIX in the
 * environment the number of bytes before the trace.dat that are the target's own. What changes
 * bytes without knowing them is here, since AFL++ lends none; its own stages go on
 * beside.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "mutate_dat.h"

struct mutator {
	uint8_t *buf;
	size_t cap;
	uint64_t seed;
	size_t prefix;
};

#pragma GCC visibility push(default)
void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *ctx);
size_t afl_custom_fuzz(void *ctx, uint8_t *in, size_t len, uint8_t **out, uint8_t *add,
		       size_t add_len, size_t max);
#pragma GCC visibility pop

void *afl_custom_init(void *afl, unsigned int seed)
{
	struct mutator *m = calloc(1, sizeof(*m));
	const char *prefix = getenv("FUZZ_PREFIX");

	(void)afl;
	if (!m)
		return NULL;
	m->seed = seed;
	m->prefix = prefix ? strtoul(prefix, NULL, 10) : 0;
	return m;
}

void afl_custom_deinit(void *ctx)
{
	struct mutator *m = ctx;

	free(m->buf);
	free(m);
}

static size_t change_bytes(uint8_t *data, size_t len, size_t max)
{
	size_t n = 1 + (size_t)rand() % 4, at, k;

	while (n--) {
		at = (size_t)rand() % len;
		k = 1 + (size_t)rand() % 8;
		switch (rand() % 4) {
		case 0: /* a gap of the same bytes */
			if (len + k <= max) {
				memmove(data + at + k, data + at, len - at);
				len += k;
			}
			break;
		case 1:
			if (k < len - at) {
				memmove(data + at, data + at + k, len - at - k);
				len -= k;
			}
			break;
		default:
			data[at] ^= (uint8_t)(1 + rand() % 255);
		}
	}
	return len;
}

size_t afl_custom_fuzz(void *ctx, uint8_t *in, size_t len, uint8_t **out, uint8_t *add,
		       size_t add_len, size_t max)
{
	struct mutator *m = ctx;
	const size_t own = m->prefix;

	(void)add, (void)add_len;
	if (m->cap < max) {
		uint8_t *p = realloc(m->buf, max);

		*out = in;
		if (!p)
			return len;
		m->buf = p;
		m->cap = max;
	}
	*out = m->buf;
	len = len < max ? len : max;
	memcpy(m->buf, in, len);
	if (len <= own || ++m->seed % 64 == 0)
		return len ? change_bytes(m->buf, len, max) : 0;
	return own +
	       fuzz_mutate_dat(m->buf + own, len - own, max - own, m->seed, FUZZ_ALL, change_bytes);
}
