/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the lines of a stored text that something refers to, each once. */
#ifndef TDAT_SPLIT_REFS_H
#define TDAT_SPLIT_REFS_H

#include <tdat/error.h>

#include "core/build.h"
#include "core/map.h"

struct split_ref {
	uint64_t key;	 /* what refers to it: an address, a pid */
	uint64_t start;	 /* symbols: where the function starts */
	uint32_t off;	 /* of a byte of its line, in the text */
	uint32_t copies; /* of the line; see shrink_symbols.c */
	bool exact;	 /* symbols: key is the start itself */
	bool named;	 /* referred to by name: key and start are off then, not an address */
};

struct split_refs {
	struct split_ref *v;
	size_t count, cap;
	struct tdat_map map; /* by start and both flags */
};

void split_refs_fini(struct split_refs *refs);

/* Adds one unless there is one with the same start and flags. False without memory. */
bool split_refs_add(struct split_refs *refs, const struct split_ref *ref);

/* Appends the lines of all refs in the order of text, each as often as its copies says. */
void split_refs_lines(struct split_refs *refs, struct tdat_span text, struct tdat_build *out);

#endif
