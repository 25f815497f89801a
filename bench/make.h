/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makers of large captures share. Each includes this once and has
 *	void make(const struct make *m);
 * usage: make_X DIR MIB CPUS [KIND]
 */
#ifndef BENCH_MAKE_H
#define BENCH_MAKE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAKE_CPUS_MAX = 64 };

struct make {
	const char *dir;
	uint64_t len; /* bytes wanted, all files together */
	uint32_t cpus;
	const char *kind; /* "" without one */
	FILE *files[MAKE_CPUS_MAX];
};

static uint64_t make_state = 88172645463325252ull;

/* The same numbers in every run. */
static uint64_t make_random(void)
{
	make_state ^= make_state << 13;
	make_state ^= make_state >> 7;
	make_state ^= make_state << 17;
	return make_state;
}

static FILE *make_file(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(1);
	}
	setvbuf(f, NULL, _IOFBF, 1 << 18);
	return f;
}

/* One file a CPU: name has a %u for its number. */
__attribute__((unused)) static void make_cpu_files(struct make *m, const char *before,
						   const char *after)
{
	for (uint32_t i = 0; i < m->cpus; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s%u%s", before, i, after);
		m->files[i] = make_file(m->dir, name);
	}
}

static void make_write(FILE *f, const void *p, size_t len)
{
	if (fwrite(p, len, 1, f) != 1) {
		perror("write");
		exit(1);
	}
}

static void make(struct make *m);

int main(int argc, char **argv)
{
	struct make m = {0};

	if (argc >= 4) {
		m.dir = argv[1];
		m.len = strtoull(argv[2], NULL, 10) << 20;
		m.cpus = (uint32_t)strtoul(argv[3], NULL, 10);
		m.kind = argc > 4 ? argv[4] : "";
	}
	if (!m.cpus || m.cpus > MAKE_CPUS_MAX) {
		fprintf(stderr, "usage: %s DIR MIB CPUS [KIND], 1 to %d CPUS\n", argv[0],
			MAKE_CPUS_MAX);
		return 2;
	}
	make(&m);
	for (uint32_t i = 0; i < m.cpus; i++)
		if (m.files[i] && fclose(m.files[i])) {
			perror("close");
			return 1;
		}
	return 0;
}

#endif
