/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the escapes of untrusted text. */
#ifndef TDAT_IMPORT_KTR_CLEAN_TEXT_H
#define TDAT_IMPORT_KTR_CLEAN_TEXT_H

#include "core/build.h"

/* Appends untrusted text: control bytes become C escapes. */
void ktr_text_clean(struct tdat_build *out, struct tdat_span text);
/* Whether ktr_text_clean changes nothing. */
bool ktr_text_is_clean(struct tdat_span text);

#endif
