/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table page_fault: where which task faulted. A fault is one event
 * (exceptions/page_fault_user or page_fault_kernel), so each event gives a row and no state is
 * kept.
 */
#include "analysis.h"

enum kind { USER, KERNEL };
enum { ADDRESS, IP, ERROR_CODE };
static const char *const fields[] = {"address", "ip", "error_code", NULL};

static const struct derived_event events[] = {
	{"exceptions/page_fault_user", USER, fields},
	{"exceptions/page_fault_kernel", KERNEL, fields},
};

static const struct meta_column columns[] = {
	{"mode", TABLE_NAME, 0, false},	     {"address", TABLE_INT, 8, false},
	{"ip", TABLE_INT, 8, false},	     {"function", TABLE_NAME, 0, false},
	{"error_code", TABLE_INT, 8, false}, {NULL, TABLE_INT, 0, false},
};

/* Only kernel addresses have functions in kallsyms. */
static void take_event(void *state, const struct derived_type *type, const struct tdat_event *ev,
		       uint32_t rec)
{
	struct derived_out *o = ((struct derived_state *)state)->out;
	const struct derived_field *f = type->fields;
	const struct derived_row row = derived_moment(ev, rec);

	if (!derived_row_begin(o, &row))
		return;
	derived_put_name(o, type->kind == USER ? "user" : "kernel");
	derived_put_int(o, (int64_t)derived_u64(&f[ADDRESS], ev->record));
	derived_put_int(o, (int64_t)derived_u64(&f[IP], ev->record));
	if (type->kind == KERNEL)
		derived_put_symbol(o, type->in, derived_u64(&f[IP], ev->record));
	else
		derived_put_null(o);
	derived_put_int(o, (int64_t)derived_u64(&f[ERROR_CODE], ev->record));
	derived_row_end(o);
}

const struct table_derived analysis_page_fault = {
	ANALYSIS_TABLE(page_fault),
	.about = {"page faults", "exceptions/page_fault_user|exceptions/page_fault_kernel",
		  "-e exceptions"},
	.event = take_event,
	.fresh = true,
	.per_cpu = true,
	.per_task = true,
};
