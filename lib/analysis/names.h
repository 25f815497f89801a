/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of fields: what a field holds, or what print fmt prints for its number. */
#ifndef TDAT_ANALYSIS_NAMES_H
#define TDAT_ANALYSIS_NAMES_H

#include "prints.h"

struct names {
	struct prints prints;
	struct model_views **views; /* by type; NULL: not made yet */
	struct tdat_entries known;  /* by type, field and number: the text */
};

enum tdat_status names_init(struct names *n, struct derived_out *out, struct tdat_error *err);
void names_fini(struct names *n);

/*
 * The name of a number where print fmt asks another field which names there are: what the event's
 * text has between two words. Both fields by their places among type->fields.
 */
struct names_printed {
	uint32_t field, with;
	const char *before, *behind;
};

/*
 * The text of a field of a type, by its place among type->fields: its own if it is a text; what
 * print fmt prints for its number, or with printed (may be NULL) what that says; NULL where it
 * prints none. It is one of derived_intern.
 */
const char *names_of(struct names *n, const struct derived_type *type, uint32_t field,
		     const struct names_printed *printed, const struct tdat_event *ev);

#endif
