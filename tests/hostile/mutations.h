/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files, and how they are mutated: by a seed alone. */
#ifndef TDAT_HOSTILE_MUTATIONS_H
#define TDAT_HOSTILE_MUTATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "outcome.h"

/*
 * Bytes anywhere; numbers where the structure is (section headers, options, page
 * headers, chunks); a size, an offset or a count exactly; bodies changed and what
 * tells of them mended; blocks moved, removed or doubled; the file cut.
 */
enum kind { BLIND, STRUCTURE, NUMBERS, MENDED, BLOCKS, CUT, KIND_COUNT };

struct spot {
	size_t off, len;
};

struct original {
	const char *path;
	uint8_t *ptr;
	size_t len;
	bool big;
	struct spot *spots;
	size_t spot_count, spot_cap;
	uint64_t lines; /* of the program's output for the file as it is */
	double seconds; /* of CPU that it took */
};

const char *kind_name(enum kind kind);

/* splitmix64, and a number below n. */
uint64_t next_random(uint64_t *state);
size_t below(uint64_t *state, size_t n);

void original_load(struct original *o, const char *path);
void original_free(struct original *o);

/* Room that a mutated file may need. */
size_t mutation_room(const struct original *o);

/* Puts the mutation into p; returns its length. */
size_t mutate(const struct original *o, uint8_t *p, enum kind kind, uint64_t *r);

#endif
