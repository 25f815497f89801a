/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells text from binary data. */
#ifndef TDAT_IMPORT_GTSC_PLAIN_TEXT_H
#define TDAT_IMPORT_GTSC_PLAIN_TEXT_H

#include <tdat/base.h>

/* Percent of bytes that no text has. */
unsigned int gtsc_binary_percent(struct tdat_span head);

#endif
