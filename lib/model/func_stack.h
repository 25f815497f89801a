/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The call depth of function tracer events, guessed from parents as the plugin
 * function of libtraceevent guesses it: a list of names for each CPU; an event
 * whose parent is in it stands one deeper and replaces what stood there. The
 * state is one for everything that is printed together, buffers and files, and
 * events must come in the order they are printed. One thread.
 */
#ifndef TDAT_MODEL_FUNC_STACK_H
#define TDAT_MODEL_FUNC_STACK_H

#include <stdatomic.h>

#include "print_env.h"

struct func_stack_cpu;
struct func_ids;

struct func_stack {
	struct func_stack_cpu *cpus;
	uint32_t cpu_count;
	struct func_ids *ids; /* made with the first name */
	atomic_bool failed;   /* there was no memory: depths are too small since */
};

void func_stack_init(struct func_stack *s);
void func_stack_fini(struct func_stack *s);

/*
 * What model_event.depth is for a record of this format: 0 unless it is one of
 * ftrace:function or ftrace:func_repeats with the fields they need.
 */
struct func_stack_format {
	bool has_depth;
	uint32_t ip_off, ip_len;
	uint32_t parent_off, parent_len;
	bool big;
};

void func_stack_format_init(struct func_stack_format *ff, const struct tdat_event_format *format);

/* The names of symbols are borrowed until fini. */
uint32_t func_stack_record(struct func_stack *s, const struct func_stack_format *ff,
			   const struct model_symbols *symbols, uint32_t cpu,
			   struct tdat_span record);

#endif
