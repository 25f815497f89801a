/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares a function of the kernel that print fmts call: its arguments, its range, its text. */
#ifndef TDAT_MODEL_KERNEL_CALL_H
#define TDAT_MODEL_KERNEL_CALL_H

#include "core/build.h"

enum { KERNEL_CALL_ARGS = 8 };

enum kernel_arg_kind {
	/*
	 * The trace_seq p, or a buffer that the function fills and its size (__get_buf(500),
	 * __get_str(str)): not evaluated.
	 */
	KERNEL_ARG_SEQ,
	KERNEL_ARG_NUM,	  /* kernel_arg.num, sign extended where the argument is signed */
	KERNEL_ARG_BYTES, /* a pointer: the bytes from there to the end of the array or record */
	KERNEL_ARG_TEXT	  /* a string: its bytes without the NUL */
};

struct kernel_arg {
	uint64_t num;
	struct tdat_span bytes;
};

struct kernel_call {
	const char *name;
	uint8_t arg_count;
	uint8_t args[KERNEL_CALL_ARGS]; /* enum kernel_arg_kind */
	bool text;			/* the result is the text in out, else the number */
	uint8_t bits;			/* of a number */
	bool is_signed;			/* of a number */
	uint32_t since;			/* MODEL_KERNEL(), both ends included */
	uint32_t until;
	/* big: byte order of the file. kernel: MODEL_KERNEL() of the recording, 0 if unknown. */
	uint64_t (*run)(const struct kernel_arg *args, bool big, uint32_t kernel,
			struct tdat_build *out);
};

#endif
