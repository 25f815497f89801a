/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the kernel's own functions that print fmts call (libata_trace_parse_status,
 * nvme_trace_parse_nvm_cmd): each is written anew from what the kernel prints. Those that
 * libtraceevent's plugins know, with the plugins' texts, are in native_func.c.
 */
#ifndef TDAT_MODEL_KERNEL_CALLS_H
#define TDAT_MODEL_KERNEL_CALLS_H

#include "kernel_call.h"

/* NULL: no such function is known for this kernel. Kernel 0 gets the newest. */
const struct kernel_call *model_kernel_call_find(const char *name, size_t len, uint32_t kernel);

#endif
