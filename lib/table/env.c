/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes what print formats of a file may look up. Symbols, tasks, printk formats, clock and
 * machine of a file are joined in a struct model_env, by which lib/model prints without knowing
 * files.
 */
#include "env.h"

#include "read/names.h"

/* Adapters: lib/model calls back with the file as its context. */
static const struct model_graph_exits *graph_exits(void *ctx)
{
	return file_graph_exits(ctx);
}

static struct tdat_span name(const void *ctx, int32_t pid)
{
	return read_name(ctx, pid);
}

/*
 * Joins what print formats of a file may look up. Everything is borrowed from the file. Without
 * symbols or printk formats memory ran out while they were read.
 */
enum tdat_status table_env_init(struct model_env *env, struct tdat_file *file,
				struct tdat_error *err)
{
	*env = (struct model_env){.big = file->ix.big,
				  .long_size = file->ix.long_size,
				  .kernel_long_size = file->ix.kernel_long_size,
				  .kernel = true,
				  .kernel_version = file_kernel_version(file),
				  .symbols = file_symbols(file),
				  .printk = file_printk(file),
				  .name = name,
				  .graph_exits = graph_exits,
				  .ctx = file,
				  .limits = &file->ix.limits,
				  .inflates_much = file_inflates_much(file)};
	if (!env->symbols || !env->printk)
		return tdat_error_no_memory(err, "tables of names");
	return TDAT_OK;
}
