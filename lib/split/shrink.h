/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects what the events of a piece refer to: formats by their ids, tasks by pids, and symbols
 * and printk formats by any number in a record that is the address of one, so that the result
 * does not depend on how the piece is printed. Addresses that print formats calculate are found
 * by printing each event.
 */
#ifndef TDAT_SPLIT_SHRINK_H
#define TDAT_SPLIT_SHRINK_H

#include <tdat/iter.h>

#include "model/symbols.h"
#include "file/file.h"
#include "write/state.h"
#include "refs.h"

struct split_shrink;

enum tdat_status split_shrink_new(struct split_shrink **out, struct tdat_file *file,
				  struct tdat_error *err);
void split_shrink_free(struct split_shrink *sh);

/* Notes an event of the piece; only buffer, cpu, ts and record of ev are used. */
enum tdat_status split_shrink_note(struct split_shrink *sh, const struct tdat_event *ev,
				   struct tdat_error *err);

/* Gives the writer the parts that hold only what the piece refers to. */
enum tdat_status split_shrink_parts(struct split_shrink *sh, struct tdat_writer *w,
				    struct tdat_error *err);

/* ---- shrink_symbols.c ---- */

/*
 * Appends the lines of text that are needed for all of refs to be found as in the whole table.
 * If no choice of lines does that, all of text is appended.
 */
enum tdat_status split_shrink_symbols(struct split_refs *refs, const struct model_symbols *whole,
				      struct tdat_span text, struct tdat_build *out,
				      struct tdat_error *err);

/* Words of print formats, any of which may name a function. */
struct split_words {
	struct tdat_span *v; /* borrowed */
	size_t count, cap;
};

void split_words_fini(struct split_words *words);
/* The words of a print format, not those in quotes. False without memory. */
bool split_words_add(struct split_words *words, const char *print_fmt);
/* Adds the lines of all functions named by words, which are sorted. */
bool split_words_find(struct split_words *words, const struct model_symbols *whole,
		      struct tdat_span text, struct split_refs *refs);

#endif
