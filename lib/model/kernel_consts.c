/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks up names that kernels leave in print fmts. The rows lie in kernel_consts_table_*.c; see
 * docs/print-formats.md for how they were found. A name is valid within the range of its row
 * only: outside of it the caller prints a number, never a wrong name. Rows are sorted by name,
 * so that a look-up goes by halves.
 */
#include "kernel_consts.h"
#include "core/search.h"

#include <string.h>

/* Orders a name of len bytes against the NUL-terminated name of a row. */
static int compare(const char *name, size_t len, const char *row)
{
	int order = strncmp(name, row, len);

	return order || !row[len] ? order : -1;
}

/* True if the row holds for that kernel; kernel 0, unknown, takes what never changed. */
static bool valid(const struct model_kernel_const *c, uint32_t kernel)
{
	return kernel ? kernel >= c->since && kernel <= c->until : !c->changed;
}

bool model_kernel_const(const char *name, size_t len, uint32_t kernel, int64_t *value)
{
	size_t low;

	/* No row is as long, and compare() relies on the row's end. */
	if (!len || len >= MODEL_KERNEL_CONST_NAME)
		return false;
	TDAT_SEARCH(low, model_kernel_const_count,
		    compare(name, len, model_kernel_consts[low].name) > 0);
	for (; low < model_kernel_const_count; low++) {
		const struct model_kernel_const *c = &model_kernel_consts[low];

		if (compare(name, len, c->name))
			return false;
		if (valid(c, kernel)) {
			*value = c->value;
			return true;
		}
	}
	return false;
}
