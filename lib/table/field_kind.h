/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out what the values of a field are, from its type, its name and its print fmt. */
#ifndef TDAT_TABLE_FIELD_KIND_H
#define TDAT_TABLE_FIELD_KIND_H

#include "schema.h"

/*
 * Whether a field's numbers are addresses of kernel code: print fmt says so (view is not NULL),
 * or they are as wide as a pointer and have a name that the kernel gives to such fields.
 */
bool table_field_is_address(const struct tdat_field *f, const struct table_source *source,
			    const struct model_view *view);

#endif
