/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds where that ends which the fields of a record describe. */
#ifndef TDAT_MODEL_RECORD_END_H
#define TDAT_MODEL_RECORD_END_H

#include "format.h"
#include "symbols.h"

/* Sets the member end of a format whose other members are set. */
void model_end_init(struct tdat_format *format);

/*
 * The offset behind what the fields describe in a record of len bytes, which may be beyond the
 * record; 0: it is not known. printk may be NULL unless the format's end is MODEL_END_BPRINT, whose
 * end is not known then.
 */
uint32_t model_record_end(const struct tdat_format *format, const struct model_printk *printk,
			  const uint8_t *record, uint32_t len);

#endif
