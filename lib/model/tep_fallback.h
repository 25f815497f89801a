/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints events by libtraceevent: those that plugins of users handle or add functions for, and
 * no others. It is slow, and prints one event at a time, since libtraceevent has state for the
 * whole process. libtraceevent gets a copy of the record with zeros behind it.
 */
#ifndef TDAT_MODEL_TEP_FALLBACK_H
#define TDAT_MODEL_TEP_FALLBACK_H

#include "print_env.h"

struct model_tep_opts {
	bool big;
	uint8_t long_size;	   /* header byte */
	struct tdat_span kallsyms; /* stored texts, borrowed */
	struct tdat_span printk;
	struct tdat_span cmdlines;
	const char *const *plugin_dirs;	   /* of users, ended by NULL; may be NULL */
	const char *const *plugin_options; /* "name" or "name=value", ended by NULL; or NULL */
	/*
	 * Gives libtraceevent also the formats of events that no plugin handles, sound or not.
	 * This is for tests, whose oracle it is, and never for a file that is not trusted.
	 */
	bool every_event;
};

/* model_tep_new loads no plugin: that is done for the first event that needs one. */
enum tdat_status model_tep_new(struct model_tep **out, const struct model_tep_opts *opts,
			       struct tdat_error *err);
void model_tep_free(struct model_tep *tep);

/*
 * Whether a plugin from plugin_dirs prints this event; always false without plugin_dirs. The
 * plugins that come with libtraceevent are never loaded: native handlers do what they do.
 */
bool model_tep_has_plugin(struct model_tep *tep, const struct tdat_event_format *format);

/*
 * Whether libtraceevent can parse this print format, which ast_parse cannot, with the functions
 * that such a plugin adds.
 */
bool model_tep_has_function(struct model_tep *tep, const struct tdat_event_format *format);

/* Appends the event's text; false (and nothing) when libtraceevent cannot. */
bool model_tep_print(struct model_tep *tep, const struct tdat_event_format *format,
		     enum model_print_style style, const struct model_event *event,
		     struct tdat_build *out);

#endif
