/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares handlers for the text that code of the kernel, and no print fmt, makes of events: what
 * the tracefs file "trace" shows of them. dump -N prints it where no trace-cmd is imitated.
 */
#ifndef TDAT_MODEL_NATIVE_KERNEL_H
#define TDAT_MODEL_NATIVE_KERNEL_H

#include "native_util.h"

/* *out NULL with TDAT_OK: the kernel, too, prints the event by its print fmt. */
enum tdat_status native_kernel_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err);

/* Those of one kind each; *out stays NULL for events of others. */
enum tdat_status native_ktrace_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err);
enum tdat_status native_ksyscall_new(struct model_native **out,
				     const struct tdat_event_format *format,
				     const struct model_env *env, struct tdat_error *err);
enum tdat_status native_ksynth_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err);
enum tdat_status native_kprobe_new(struct model_native **out,
				   const struct tdat_event_format *format,
				   const struct model_env *env, struct tdat_error *err);

/* An address as %pS prints it: name+0xoff/0xsize [module], or a number. */
void native_symbol(const struct model_env *env, const struct model_event *event, uint64_t addr,
		   struct tdat_build *out);
/* An address of code, with its offset and size or as the function's name alone. */
void native_code(const struct model_env *env, const struct model_event *event, uint64_t addr,
		 bool offset, struct tdat_build *out);

/* Where a dynamic array at off lies: the offset in its low half, the length in its high one. */
struct tdat_span native_loc(struct tdat_span record, uint32_t off, bool big);
/* The C string at p, which ends at the record's end at the latest. */
struct tdat_span native_cstr(struct tdat_span record, size_t off);

#endif
