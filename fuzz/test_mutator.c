/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mutator keeps structure: of mutations of a sound file at least a third can
 * still be opened strictly, and hardly any leaves the file as it was.
 * usage: test_mutator FILE...
 */
#include <string.h>

#include "mutate_dat.h"
#include "trace.h"

enum { LEN_MOST = 1 << 20, ROUNDS = 400 };

static size_t flip(uint8_t *data, size_t len, size_t max)
{
	if (len < max && rand() % 3 == 0)
		data[len++] = (uint8_t)rand();
	data[(size_t)rand() % len] ^= (uint8_t)(1 + rand() % 255);
	return len;
}

static size_t load(const char *path, uint8_t *data)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	FUZZ_ASSERT(f);
	n = fread(data, 1, LEN_MOST / 2, f);
	fclose(f);
	return n;
}

static bool opens(const uint8_t *data, size_t len)
{
	struct tdat_open_opts opts = fuzz_open_opts(false);
	struct tdat_file *file;

	if (tdat_file_open_memory(&file, data, len, "mutated", &opts, NULL) != TDAT_OK)
		return false;
	tdat_file_close(file);
	return true;
}

int main(int argc, char **argv)
{
	static uint8_t data[LEN_MOST], copy[LEN_MOST];
	unsigned int tried = 0, opened = 0, same = 0;
	uint64_t seed;
	int i;

	for (i = 1; i < argc; i++) {
		size_t len = load(argv[i], data), n;

		FUZZ_ASSERT(opens(data, len));
		for (seed = 0; seed < ROUNDS; seed++, tried++) {
			memcpy(copy, data, len);
			n = fuzz_mutate_dat(copy, len, LEN_MOST, seed, FUZZ_ALL, flip);
			FUZZ_ASSERT(n <= LEN_MOST);
			opened += opens(copy, n);
			same += n == len && !memcmp(copy, data, len);
		}
	}
	printf("%u mutations: %u open, %u change nothing\n", tried, opened, same);
	return tried && opened >= tried / 3 && same <= tried / 20 ? 0 : 1;
}
