/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints tlb_flush as the plugin tlb of libtraceevent does. Reasons are named by the event's
 * own print fmt in default text, and by the plugin's four words in --compat.
 */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "native_util.h"

enum { PAGES, REASON };

/* Appends NAME of { v, "NAME" } in a print fmt. */
static void put_named(const char *fmt, uint64_t v, struct tdat_build *out)
{
	const char *p = fmt, *end;

	while ((p = strchr(p, '{'))) {
		char *after;
		const uint64_t n = strtoull(++p, &after, 0);

		p = after + strspn(after, " ,");
		end = *p == '"' ? strchr(p + 1, '"') : NULL;
		/* The number is followed by its name, as in a table of __print_symbolic(). */
		if (end && n == v) {
			tdat_build_bytes(out, p + 1, (size_t)(end - p - 1));
			return;
		}
	}
}

/* Prints "pages=N reason=NAME (n)". A reason without a name prints its number only. */
static bool tlb_run(const struct model_native *n, const struct model_event *event,
		    struct tdat_build *out)
{
	static const char *const reasons[] = {"flush on task switch", "remote shootdown",
					      "local shootdown", "local mm shootdown"};
	uint64_t v;

	native_lit(out, "pages=");
	if (native_num(&n->f[PAGES], event->record, &v))
		tdat_number_i64(out, native_signed(&n->f[PAGES], v));
	else
		native_no_field(&n->f[PAGES], out);
	if (!native_get(&n->f[REASON], event->record, &v, out))
		return false;
	native_lit(out, " reason=");
	/* In the kernel's text by its own names. */
	if (n->env->kernel)
		put_named(n->format->print_fmt, v, out);
	else if (v < sizeof(reasons) / sizeof(reasons[0]))
		tdat_build_str(out, reasons[v]);
	native_lit(out, " (");
	tdat_number_i64(out, (int64_t)v);
	tdat_build_u8(out, ')');
	return true;
}

static bool tlb_init(struct model_native *n)
{
	struct native_field *pages = &n->f[PAGES];

	if (n->env->kernel && pages->number) /* all of them are -1, though the field has no sign */
		pages->spare = (uint8_t)(64 - 8 * pages->len);
	return true;
}

const struct model_native_entry native_tlb[] = {
	{"tlb", "tlb_flush", tlb_run, .fields = {"pages", "reason"}, .init = tlb_init},
	{.name = NULL},
};
