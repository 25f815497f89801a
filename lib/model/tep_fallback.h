/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Printing by libtraceevent, for events that users' own plugins handle or define
 * functions for; no other format of a file gets there. Slow and one at a time: libtraceevent keeps
 * process-wide state. It sees one record, copied into a padded buffer.
 */
#ifndef TDAT_MODEL_TEP_FALLBACK_H
#define TDAT_MODEL_TEP_FALLBACK_H

#include "print.h"

struct model_tep_opts {
	bool big;
	uint8_t long_size;              /* header byte */
	struct tdat_span kallsyms;      /* stored texts, borrowed */
	struct tdat_span printk;
	struct tdat_span cmdlines;
	const char *const *plugin_dirs; /* of users, ended by NULL; may be NULL */
	const char *const *plugin_options; /* "name" or "name=value", ended by NULL; or NULL */
};

/* Nothing is loaded before the first event that needs it. */
enum tdat_status model_tep_new(struct model_tep **out, const struct model_tep_opts *opts,
			       struct tdat_error *err);
void model_tep_free(struct model_tep *tep);

/*
 * Whether a plugin from plugin_dirs prints this event; false at once without
 * plugin_dirs. No other plugin is ever loaded: what the ecosystem's own ones do
 * is native here.
 */
bool model_tep_has_plugin(struct model_tep *tep, const struct tdat_format *format);

/*
 * Whether a print fmt that we cannot parse can be with the functions that such
 * a plugin brought.
 */
bool model_tep_has_function(struct model_tep *tep, const struct tdat_format *format);

/* Appends the event's text; false (and nothing) when libtraceevent cannot. */
bool model_tep_print(struct model_tep *tep, const struct tdat_format *format,
		     enum model_print_style style, const struct model_event *event,
		     struct tdat_build *out);

#endif
