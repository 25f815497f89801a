/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the kind text: lines of "[stamp] words". */
#ifndef TDAT_IMPORT_GTSC_TEXT_RECORDS_H
#define TDAT_IMPORT_GTSC_TEXT_RECORDS_H

#include "import/relay/capture.h"

extern const struct relay_kind gtsc_text_kind;

/* Parses "[stamp] "; *len is its length. */
bool gtsc_parse_stamp(struct tdat_span line, int64_t *stamp, size_t *len);

#endif
