/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the steps from the text of a trigger to a histogram. */
#ifndef TDAT_HIST_TRIGGER_H
#define TDAT_HIST_TRIGGER_H

#include "field.h"

/* text.c: takes the parts of "keys=...:vals=..." apart. All false: refused, or no memory. */
bool hist_text_parse(struct tdat_hist *h, struct hist_attrs *a, char *text);

/* fields.c: makes keys, values, variables, and what is sorted by. */
bool hist_fields_make(struct tdat_hist *h, struct hist_data *d);
bool hist_sorts_make(struct tdat_hist *h, struct hist_data *d);

/* action_text.c, and action.c, which finds what the actions name. */
bool hist_actions_parse(struct tdat_hist *h, struct hist_data *d);
bool hist_actions_make(struct tdat_hist *h, struct hist_data *d);

/* match.c: whether two triggers are the same to the kernel. */
bool hist_match(const struct hist_trigger *a, const struct hist_trigger *b,
		const struct hist_trigger *named, bool ignore_filter);

/* trigger.c; text is what follows "hist:" */
bool hist_trigger_add(struct tdat_hist *h, struct hist_event *e, const char *text, bool removes);
/* For a field of the onmatch event: a histogram that nobody wrote. */
bool hist_trigger_add_hidden(struct tdat_hist *h, struct hist_event *e, const char *text);
/* enable.c: enable_hist and disable_hist; text is what follows the word and its colon. */
bool hist_enable_add(struct tdat_hist *h, struct hist_event *e, bool enable, const char *text);
bool hist_trigger_append(struct tdat_hist *h, struct hist_event *e, struct hist_trigger *t);

/* plan.c: works out, once all is known, what is read of records. */
bool hist_plan(struct tdat_hist *h);

#endif
