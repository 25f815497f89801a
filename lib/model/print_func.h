/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares the functions that print fmts call, and finds them: the kernel's own
 * (libata_trace_parse_status, nvme_trace_parse_nvm_cmd), each written anew from what the kernel
 * prints, and those that libtraceevent's plugins add, with the plugins' texts.
 */
#ifndef TDAT_MODEL_PRINT_FUNC_H
#define TDAT_MODEL_PRINT_FUNC_H

#include "core/build.h"

enum { FUNC_ARGS = 8 };

struct func_arg {
	uint64_t num; /* sign extended where the argument is signed */
	struct tdat_span bytes;
};

struct func_args {
	const struct print_func *func;
	uint32_t kernel;	      /* MODEL_KERNEL() of the recording, 0 if unknown */
	struct func_arg v[FUNC_ARGS]; /* without those that are '.' in func->args */
};

struct print_func {
	const char *name;
	/*
	 * A letter for each argument. n: a number. b: a pointer, bytes from there to the end of the
	 * array or record. s: a string, its bytes without the NUL. '.': the trace_seq p, a buffer
	 * that the function fills and its size (__get_buf(500), __get_str(str)), or one that
	 * changes nothing; it is not evaluated.
	 */
	const char *args;
	uint32_t since, until; /* MODEL_KERNEL(), both ends included */
	/* Appends the text. NULL: it has none. */
	void (*run)(const struct func_args *a, struct tdat_build *out);
	/* Its value in a number's place; NULL: 0. Only plugins' functions have one. */
	uint64_t (*value)(const struct func_args *a);
	/* For run: the names of numbers, their count, the text of others; which of its cases. */
	const char *const *names;
	size_t count;
	const char *other;
	uint8_t variant;
};

/* The kernel's function of that name; NULL: none is known for this kernel. 0 gets the newest. */
const struct print_func *kernel_func_find(const char *name, size_t len, uint32_t kernel);
/* The plugins' function of that name, or NULL. name is not NUL-terminated. */
const struct print_func *plugin_func_find(const char *name, size_t len);

#endif
