/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares how the text of a key, a value or a variable becomes a field. */
#ifndef TDAT_HIST_FIELD_H
#define TDAT_HIST_FIELD_H

#include "event.h"
#include "refuse.h"

/* NULL where the kernel fails without a text (or there is no memory). */
struct hist_field *hist_field_new(struct tdat_hist *h, struct hist_data *d,
				  const struct hist_efield *ef, uint32_t flags,
				  const char *var_name);
struct hist_field *hist_field_atom(struct tdat_hist *h, struct hist_data *d, char *text,
				   uint32_t *flags, const char *var_name);
/* text is changed. *depth counts operators and begins with 0. */
struct hist_field *hist_field_expr(struct tdat_hist *h, struct hist_data *d, char *text,
				   uint32_t flags, const char *var_name, uint32_t *depth);

/* The name of a field in the lines that the kernel prints; never NULL. */
const char *hist_field_name(struct tdat_hist *h, const struct hist_field *f);
/* "hex" and so on; NULL: it has no modifier. */
const char *hist_field_modifier(const struct hist_field *f);
/* True if it is, or has as an operand, a variable or a reference. */
bool hist_field_has_vars(const struct hist_field *f, uint32_t level);

/* ---- variables (vars.c) ---- */

struct hist_field *hist_var_of(const struct hist_data *d, const char *name);
/* Searches this histogram, then the others of its event. */
struct hist_field *hist_var_on(const struct hist_data *d, const char *name);
/* For "$name" or "system.event.$name" in the text of d; NULL: none, or refused. */
struct hist_field *hist_var_find(struct tdat_hist *h, struct hist_data *d, const char *system,
				 const char *event, const char *name);
/* The reference to a variable, made once for each variable; NULL: there are too many. */
struct hist_field *hist_var_ref(struct tdat_hist *h, struct hist_data *d, struct hist_field *var,
				const char *system, const char *event);
/* A number for one more variable of d's entries; false: there are too many. */
bool hist_var_index(struct hist_data *d, uint32_t *idx);
/* Makes f refer to var. */
void hist_var_init_ref(struct hist_field *f, const struct hist_field *var, const char *system,
		       const char *event);

#endif
