/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out what the values of a field are, from its type, its name and its print fmt. */
#ifndef TDAT_TABLE_FIELD_KIND_H
#define TDAT_TABLE_FIELD_KIND_H

#include "column.h"

/* The fields that print fmt prints as masks, "__get_bitmask(cpus)": names in it, sorted. */
struct table_masks {
	struct tdat_span *names;
	size_t count, cap;
};

/* One pass over print fmt. False: no memory; table_masks_fini is needed even so. */
bool table_masks_init(struct table_masks *m, const struct tdat_event_format *format);
void table_masks_fini(struct table_masks *m);

/*
 * What a field's values are, without looking at other fields. masks are the fields that print fmt
 * prints as masks.
 */
struct table_source table_field_source(const struct tdat_field *f, const struct table_masks *masks,
				       struct table_column *column);

/*
 * Whether a field's numbers are addresses of kernel code: print fmt says so (view is not NULL),
 * or they are as wide as a pointer and have a name that the kernel gives to such fields.
 */
bool table_field_is_address(const struct tdat_field *f, const struct table_source *source,
			    const struct model_view *view);

#endif
