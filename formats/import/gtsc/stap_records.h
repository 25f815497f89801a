/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the kind SystemTap: records of its bulk mode. */
#ifndef TDAT_IMPORT_GTSC_STAP_RECORDS_H
#define TDAT_IMPORT_GTSC_STAP_RECORDS_H

#include "import/relay/capture.h"

extern const struct relay_kind gtsc_stap_kind;

/* Bytes of a chain of records from the start of head. */
size_t gtsc_stap_score(struct tdat_span head, bool big, size_t *records);
/* The byte order that explains more of head; -1 when both are alike. */
int gtsc_stap_guess_big(struct tdat_span head);

#endif
