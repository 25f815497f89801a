/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declares tables from addresses to function names (kallsyms), from addresses to strings
 * (printk_formats), and from pids to names of tasks (saved_cmdlines). They are built from stored
 * text and do not change afterwards.
 */
#ifndef TDAT_MODEL_SYMBOLS_H
#define TDAT_MODEL_SYMBOLS_H

#include <tdat/error.h>

struct model_symbols;
struct model_printk;
struct model_tasks;

/*
 * text is borrowed, and parsed at the first look-up. The first line that cannot be understood
 * ends the table, as in libtraceevent.
 */
enum tdat_status model_symbols_new(struct model_symbols **out, struct tdat_span text,
				   struct tdat_error *err);
void model_symbols_free(struct model_symbols *s);
/* Whether the table goes on at this line; it ends at one of another shape. */
bool model_symbols_reads(struct tdat_span line);
/* Whether there was no memory to parse the text, so that no look-up finds anything. */
bool model_symbols_failed(const struct model_symbols *s);
/*
 * The function addr lies in, by libtraceevent's rules (tep_find_function): name
 * with " [module]" as stored there or not as it prints; empty span: none.
 */
struct tdat_span model_symbols_find(const struct model_symbols *s, uint64_t addr, uint64_t *start);

/* A function as the kernel itself finds it; name and module are parts of the text. */
struct model_symbol {
	struct tdat_span name, module; /* module: without brackets, empty for the kernel's own */
	uint64_t start;
	uint64_t size; /* up to the next symbol; 0: unknown */
};

/*
 * The symbol that the kernel's %pS finds for addr: of several at one address the first, none
 * outside of the kernel's image and its modules, and none in trampolines of ftrace and kprobes.
 */
bool model_symbols_lookup(const struct model_symbols *s, uint64_t addr, struct model_symbol *out);

/*
 * fn gets each address that is looked up from now on, and what was found: name as
 * model_symbols_find returns it and its start, which is addr when there is none; or,
 * by_name, a name that was looked up and its address. Call it before s is used, and only
 * where one thread uses s.
 */
typedef void (*model_symbols_lookup_fn)(void *ctx, uint64_t addr, struct tdat_span name,
					uint64_t start, bool by_name);
void model_symbols_on_lookup(struct model_symbols *s, model_symbols_lookup_fn fn, void *ctx);

/*
 * The address of the function of that name; false without one. Searches the
 * text: for compiling, not for printing. Of several the last one counts, as in
 * libtraceevent before it has sorted them.
 */
bool model_symbols_address(const struct model_symbols *s, const char *name, uint64_t *addr);

/* The highest address of a function, beyond which none is found; false without one. */
bool model_symbols_last(const struct model_symbols *s, uint64_t *addr);

/* All lines of the table, those that are no functions too, until fn returns false. */
typedef bool (*model_symbol_fn)(void *ctx, struct tdat_span name);
void model_symbols_each(const struct model_symbols *s, model_symbol_fn fn, void *ctx);

enum tdat_status model_printk_new(struct model_printk **out, struct tdat_span text,
				  struct tdat_error *err);
void model_printk_free(struct model_printk *p);
/* Whether a line gives a string. *ends: it gives none, and ends the table. */
bool model_printk_reads(struct tdat_span line, bool *ends);
size_t model_printk_count(const struct model_printk *p);
/*
 * A line of the text: where its address ends, or 0 for a line without a string.
 * *fmt is as model_printk_find returns it.
 */
size_t model_printk_line(struct tdat_span line, uint64_t *addr, struct tdat_span *fmt);
/* The string at exactly addr, as libtraceevent stores it; NULL ptr: none. */
struct tdat_span model_printk_find(const struct model_printk *p, uint64_t addr);

enum tdat_status model_tasks_new(struct model_tasks **out, struct tdat_span text,
				 struct tdat_error *err);
void model_tasks_free(struct model_tasks *t);
/* Reads a line; false for one of another shape, at which the table ends. */
bool model_tasks_line(struct tdat_span line, int32_t *pid, struct tdat_span *comm);
/*
 * For a table that changes: a copy, to be freed before from's text; a pid's name, which is copied,
 * in the place of the one it had; and the order by pid, to be made before others use it. False or
 * NULL: no memory.
 */
struct model_tasks *model_tasks_copy(const struct model_tasks *from);
bool model_tasks_set(struct model_tasks *t, int32_t pid, struct tdat_span comm);
bool model_tasks_sort(struct model_tasks *t);
/* Bytes of the longest name. */
uint32_t model_tasks_longest(const struct model_tasks *t);
/* Cuts names to most bytes; for its maker, before others use it. */
void model_tasks_cut(struct model_tasks *t, uint32_t most);
/* Lines of the text, of which several may name one pid. */
size_t model_tasks_lines(const struct model_tasks *t);
/* Pids that have a name; model_tasks_at() returns each below that, smallest first. */
size_t model_tasks_count(const struct model_tasks *t);
int32_t model_tasks_at(const struct model_tasks *t, size_t index, struct tdat_span *comm);
/* How many of them are smaller than pid. */
size_t model_tasks_before(const struct model_tasks *t, int32_t pid);
/* As tep_data_comm_from_pid: pid 0 is "<idle>", unknown "<...>". Never empty. */
struct tdat_span model_tasks_find(const struct model_tasks *t, int32_t pid);
/* NULL ptr when the pid is not in the table. */
struct tdat_span model_tasks_known(const struct model_tasks *t, int32_t pid);

#endif
