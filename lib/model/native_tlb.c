/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints tlb_flush as the plugin tlb of libtraceevent does. Reasons are named by the event's
 * own print fmt in default text, and by the plugin's four words in --compat.
 */
#include "native_tables.h"

#include <stdlib.h>
#include <string.h>

#include "native_util.h"

/* A handler of tlb_flush. */
struct tlb_flush {
	struct model_native base;
	struct native_field pages, reason;
	const char
		*names; /* the reasons in print fmt, which are the kernel's; NULL: the plugin's */
};

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
static bool tlb_run(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out)
{
	static const char *const reasons[] = {"flush on task switch", "remote shootdown",
					      "local shootdown", "local mm shootdown"};
	const struct tlb_flush *t = (const struct tlb_flush *)self;
	uint64_t v;

	native_lit(out, "pages=");
	if (native_num(&t->pages, event->record, &v))
		tdat_number_i64(out, native_signed(&t->pages, v));
	else
		native_no_field(&t->pages, out);
	if (!native_get(&t->reason, event->record, &v, out))
		return false;
	native_lit(out, " reason=");
	if (t->names)
		put_named(t->names, v, out);
	else if (v < sizeof(reasons) / sizeof(reasons[0]))
		tdat_build_str(out, reasons[v]);
	native_lit(out, " (");
	tdat_number_i64(out, (int64_t)v);
	tdat_build_u8(out, ')');
	return true;
}

static enum tdat_status tlb_init(struct model_native **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err)
{
	struct tlb_flush *t = native_alloc(sizeof(*t), format, err);

	if (!t)
		return TDAT_E_NOMEM;
	t->base.run = tlb_run;
	t->pages = native_field_find(format, "pages");
	t->reason = native_field_find(format, "reason");
	/* The kernel's own names and sign, in place of the plugin's. */
	if (env->kernel) {
		t->names = format->print_fmt;
		if (t->pages.number) /* all of them are -1, though the field has no sign */
			t->pages.spare = (uint8_t)(64 - 8 * t->pages.len);
	}
	*out = &t->base;
	return TDAT_OK;
}

const struct model_native_entry native_tlb[] = {
	{"tlb", "tlb_flush", tlb_init},
	{NULL, NULL, NULL},
};
