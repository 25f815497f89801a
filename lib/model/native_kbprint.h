/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the text of trace_printk() and trace_puts(), whose strings printk_formats holds. */
#ifndef TDAT_MODEL_NATIVE_KBPRINT_H
#define TDAT_MODEL_NATIVE_KBPRINT_H

#include "print_env.h"

/* The string at addr, or that there is none. */
void native_kputs(const struct model_env *env, uint64_t addr, struct tdat_build *out);
/* The string at addr with the arguments that the record has from off on. */
void native_kbprint(const struct model_env *env, const struct model_event *event, uint64_t addr,
		    size_t off, struct tdat_build *out);

#endif
