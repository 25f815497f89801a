/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the handler of an event that libtraceevent's plugins, trace-cmd or the kernel print by
 * code.
 */
#ifndef TDAT_MODEL_NATIVE_H
#define TDAT_MODEL_NATIVE_H

#include "native_handler.h"

/*
 * model_native_new makes the handler of a format, or NULL in *out when the
 * event has none in this style: MODEL_PRINT_FMT has those of trace-cmd and its plugins,
 * MODEL_PRINT_NO_PLUGINS those of the kernel (native_kernel.h) if env->kernel is set.
 */
enum tdat_status model_native_new(struct model_native **out, const struct tdat_event_format *format,
				  const struct model_env *env, enum model_print_style style,
				  struct tdat_error *err);
void model_native_free(struct model_native *n);

#endif
