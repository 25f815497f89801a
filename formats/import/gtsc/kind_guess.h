/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses which kind of records the files of a relay channel hold, by their names and first
 * bytes.
 */
#ifndef TDAT_IMPORT_GTSC_KIND_GUESS_H
#define TDAT_IMPORT_GTSC_KIND_GUESS_H

#include "import/relay/capture.h"

const struct relay_kind *gtsc_guess_kind(const struct relay_files *files);
uint32_t gtsc_probe(const struct tdat_import_input *inputs, size_t input_count);

#endif
