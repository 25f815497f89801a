/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the option of a new file for each option of the old one. If the old file repeats an option
 * that it should have once, readers use the last, or the sum (docs/file-format.md, "Options").
 */
#ifndef TDAT_COPY_COPY_ONCE_H
#define TDAT_COPY_COPY_ONCE_H

#include <tdat/file.h>

#include "core/build.h"

/*
 * Sets *out to what option number index of a file becomes: itself, or the sum. False: nothing,
 * because a later option takes its place, or it is one of time that no reader uses. The caller
 * makes *text and frees it; it has the payload of a sum until the next call, and text->failed says
 * that there was no memory for one.
 */
bool copy_option_once(const struct tdat_file *file, size_t index, struct tdat_build *text,
		      struct tdat_file_option *out);

/*
 * Fails with TDAT_E_DAMAGED for an option with bytes that nothing reads, unless the new file has it
 * byte by byte: those that are made anew lack them, and with another byte order all but texts.
 */
enum tdat_status copy_option_whole(const struct tdat_file *file,
				   const struct tdat_file_option *option, bool swaps,
				   struct tdat_error *err);

#endif
