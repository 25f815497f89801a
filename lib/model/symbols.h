/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Address -> function name (kallsyms), address -> string (printk_formats),
 * pid -> command name (saved_cmdlines). Built from stored text; immutable.
 */
#ifndef TDAT_MODEL_SYMBOLS_H
#define TDAT_MODEL_SYMBOLS_H

#include <tdat/error.h>

struct model_symbols;
struct model_printk;
struct model_tasks;

/*
 * text is borrowed; lines that cannot be understood are skipped. It is parsed when
 * something is looked up first.
 */
enum tdat_status model_symbols_new(struct model_symbols **out, struct tdat_span text,
				   struct tdat_error *err);
void model_symbols_free(struct model_symbols *s);
/* There was no memory to parse the text: nothing is found. */
bool model_symbols_failed(const struct model_symbols *s);
size_t model_symbols_count(const struct model_symbols *s);
/*
 * The function addr lies in, by libtraceevent's rules (tep_find_function): name
 * with " [module]" as stored there or not as it prints; empty span: none.
 */
struct tdat_span model_symbols_find(const struct model_symbols *s, uint64_t addr,
				    uint64_t *start);

/*
 * The address of the function of that name; false without one. Searches the
 * text: for compiling, not for printing. Of several the last one counts, as in
 * libtraceevent before it has sorted them.
 */
bool model_symbols_address(const struct model_symbols *s, const char *name, uint64_t *addr);

enum tdat_status model_printk_new(struct model_printk **out, struct tdat_span text,
				  struct tdat_error *err);
void model_printk_free(struct model_printk *p);
size_t model_printk_count(const struct model_printk *p);
/* The string at exactly addr, as libtraceevent stores it; NULL ptr: none. */
struct tdat_span model_printk_find(const struct model_printk *p, uint64_t addr);

enum tdat_status model_tasks_new(struct model_tasks **out, struct tdat_span text,
				 struct tdat_error *err);
void model_tasks_free(struct model_tasks *t);
size_t model_tasks_count(const struct model_tasks *t);
/* All of them: false for a slot below model_tasks_slots() that is empty. */
size_t model_tasks_slots(const struct model_tasks *t);
bool model_tasks_slot(const struct model_tasks *t, size_t slot, int32_t *pid,
		      struct tdat_span *comm);
/* As tep_data_comm_from_pid: pid 0 is "<idle>", unknown "<...>". Never empty. */
struct tdat_span model_tasks_find(const struct model_tasks *t, int32_t pid);
/* NULL ptr when the pid is not in the table. */
struct tdat_span model_tasks_known(const struct model_tasks *t, int32_t pid);

#endif
