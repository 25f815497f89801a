/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a print format says of single fields: that it prints a field as a name
 * (__print_symbolic, __print_flags, a choice between strings), as the function at an address
 * (%pS), or as text that its bytes stand for (%pM, %pI4, %pU ...). Each of these conversions
 * that depends on one field only is a view, and can be run by itself.
 */
#ifndef TDAT_MODEL_FIELD_VIEW_H
#define TDAT_MODEL_FIELD_VIEW_H

#include "print_env.h"

enum model_view_kind {
	MODEL_VIEW_NAME,    /* a name beside the number */
	MODEL_VIEW_ADDRESS, /* the number is the address of a function */
	MODEL_VIEW_TEXT	    /* text in place of the bytes */
};

enum { MODEL_VIEW_KINDS = MODEL_VIEW_TEXT + 1 };

struct model_view {
	enum model_view_kind kind;
	const struct tdat_field *field;
	uint32_t item, count; /* of the program */
};

struct model_views;

/*
 * model_views_new finds the views of a format, at most one of a kind for each field, in the
 * order of print fmt. One that cannot be compiled has none, which is no failure. env is copied;
 * what it points to must outlive the views. They never change and are shared by threads.
 */
enum tdat_status model_views_new(struct model_views **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err);
void model_views_free(struct model_views *v);
/* The view of a kind that a field of the format has, or NULL. */
const struct model_view *model_views_find(const struct model_views *v, const struct tdat_field *f,
					  enum model_view_kind kind);

/*
 * Appends what the conversion prints for a record; what is beyond the limit print_len of the
 * event's text is cut off.
 */
void model_view_run(const struct model_views *v, const struct model_view *view,
		    struct tdat_span record, struct model_scratch *scratch, struct tdat_build *out);

struct record_part;
/* Appends a part of a record (record_part.h); false: the record has none. */
bool model_views_part(const struct model_views *v, const struct record_part *part,
		      struct tdat_span record, struct model_scratch *scratch,
		      struct tdat_build *out);

#endif
