/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Base64 (RFC 4648), in which a footer has the Arrow schema of its table. */
#ifndef PARQUET_BASE64_H
#define PARQUET_BASE64_H

#include "core/build.h"

/* The key of the Arrow schema among the pairs of a footer. */
#define PARQUET_ARROW_KEY "ARROW:schema"

/* Appends bytes as text, with padding. */
void base64_put(struct tdat_build *out, const uint8_t *p, size_t len);
/* Appends the bytes of a text. False: it is not base64. */
bool base64_get(struct tdat_build *out, struct tdat_span text);

#endif
