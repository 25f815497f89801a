/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Warns of inputs that are no part of the capture that is converted. */
#ifndef TDAT_IMPORT_LEFT_OUT_H
#define TDAT_IMPORT_LEFT_OUT_H

#include <tdat/emit.h>

/* Whether a file starts with nothing but text, as a note or a list beside a capture does. */
bool import_is_prose(const struct tdat_source *source);

/*
 * Warns of an input that is not converted, and says why: "its name has no number of a CPU". Empty
 * files are not told of, nor texts unless they are like data.
 */
enum tdat_status import_warn_left_out(const struct tdat_emit *emit,
				      const struct tdat_import_input *in, bool like_data,
				      const char *why, struct tdat_error *err);

/* Sets *slot to an input of which a capture has one; warns of a second, which is left out. */
enum tdat_status import_take_once(const struct tdat_import_input **slot,
				  const struct tdat_import_input *in, const struct tdat_emit *emit,
				  struct tdat_error *err);

#endif
