/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Judges which formats may be given to a parser that has no bounds of its own: libtraceevent's. */
#ifndef TDAT_MODEL_PRINT_SOUND_H
#define TDAT_MODEL_PRINT_SOUND_H

#include "format.h"

/* A function of a plugin: whether it is known and takes this many arguments. */
typedef bool (*print_knows_fn)(void *ctx, const char *name, unsigned int args);

/* Whether a name is one word, as libtraceevent expects it of events, and of fields in print fmt. */
bool print_sound_word(const char *name);

/*
 * print_sound_fields tells whether name and fields of a format could be read to their end,
 * lie within any record, and are in the first head_len bytes, at most 64 KiB.
 */
bool print_sound_fields(const struct tdat_event_format *format, size_t head_len);

/*
 * print_sound_fmt tells whether our parser takes print fmt as well, at most 64 levels
 * deep in a format of at most 64 KiB.
 * knows is asked for functions that the library does not know; *asked: it knew one.
 */
bool print_sound_fmt(const struct tdat_event_format *format, print_knows_fn knows, void *ctx,
		     bool *asked);

#endif
