/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes the place of tep_fallback.c in a library without TDAT_PLUGINS: no plugin handles any
 * event.
 */
#include "tep_fallback.h"

/* Without plugins asked for there is nothing to refuse: *out NULL means that no plugin prints. */
enum tdat_status model_tep_new(struct model_tep **out, const struct model_tep_opts *opts,
			       struct tdat_error *err)
{
	*out = NULL;
	if (!opts->plugin_dirs)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "cannot load plugins of libtraceevent: this libtdat was built "
			      "without them (TDAT_PLUGINS=OFF)");
}

void model_tep_free(struct model_tep *tep)
{
	(void)tep;
}

bool model_tep_has_plugin(struct model_tep *tep, const struct tdat_event_format *format)
{
	(void)tep;
	(void)format;
	return false;
}

bool model_tep_has_function(struct model_tep *tep, const struct tdat_event_format *format)
{
	(void)tep;
	(void)format;
	return false;
}

bool model_tep_print(struct model_tep *tep, const struct tdat_event_format *format,
		     enum model_print_style style, const struct model_event *event,
		     struct tdat_build *out)
{
	(void)tep;
	(void)format;
	(void)style;
	(void)event;
	(void)out;
	return false;
}
