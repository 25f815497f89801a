/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Joins the tables of events and functions that are printed without a print format. A handler
 * is a row of a table in one of native_*.c: system, event and the function that makes it.
 * model_native_new() is asked once for each event type, when its print is made (print.c). Text
 * of --compat and default text come from these tables; the kernel's own text (dump -N) comes
 * from native_kernel.c.
 */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "event_header.h"
#include "native_kernel.h"
#include "native_tables.h"

/* Tables of native_*.c, each ended by an entry without a name. */
static const struct model_native_entry *const tables[] = {
	native_sched, native_function, native_graph,  native_kmem,     native_hrtimer, native_tlb,
	native_futex, native_kvm,      native_kvmmmu, native_mac80211, NULL,
};

/* Returns the row of the event, or NULL. Linear: it is asked once for each event type. */
static const struct model_native_entry *find(const struct tdat_event_format *format)
{
	const struct model_native_entry *const *table;
	const struct model_native_entry *e;

	for (table = tables; *table; table++) {
		for (e = *table; e->name; e++) {
			if (!strcmp(e->name, format->name) && !strcmp(e->system, format->system))
				return e;
		}
	}
	return NULL;
}

/* True for trace_marker and trace_printk(): trace-cmd prints them as the kernel does. */
static bool is_message(const struct tdat_event_format *format)
{
	static const char *const names[] = {"print", "bprint", "bputs"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(format->name, names[i]) && !strcmp(format->system, "ftrace"))
			return true;
	return false;
}

enum tdat_status model_native_new(struct model_native **out, const struct tdat_event_format *format,
				  const struct model_env *env, enum model_print_style style,
				  struct tdat_error *err)
{
	const struct model_native_entry *e = NULL;

	*out = NULL;
	/* Without plugins the default text is that of the tracefs file "trace". */
	if (style == MODEL_PRINT_NO_PLUGINS && env->kernel)
		return native_kernel_new(out, format, env, err);
	if (style == MODEL_PRINT_FMT && env->kernel && event_header_is(format))
		return native_make(out, &native_event_header, format, env, err);
	/*
	 * EventHeader events above are decoded in default text only: trace-cmd does not know them.
	 */
	if (style == MODEL_PRINT_FMT) {
		e = find(format);
		if (!e && env->kernel && is_message(format))
			return native_ktrace_new(out, format, env, err);
	}
	return e ? native_make(out, e, format, env, err) : TDAT_OK;
}

void model_native_free(struct model_native *n)
{
	free(n);
}
