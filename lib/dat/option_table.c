/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of option ids. A new id is one row here and one name in <tdat/file.h>. A row has the
 * name of an option, the shape of its payload, and whether it leads to a section. It also says who
 * needs its NUL, and how a merge treats it. Reader, checker, repair, copy, byte swap and merge read
 * the row, so that a new id needs code only if no shape fits.
 */
#include "option_table.h"

#include <string.h>

#include "core/zero.h"

/* ---- payloads of numbers ---- */

static const struct dat_field end_fields[] = {{DAT_ITEM_U64, "next"}, {DAT_ITEM_END, NULL}};

static const struct dat_field trace_id_fields[] = {{DAT_ITEM_HEX64, "trace_id"},
						   {DAT_ITEM_END, NULL}};

static const struct dat_field tsc2nsec_fields[] = {{DAT_ITEM_U32, "mult"},
						   {DAT_ITEM_U32, "shift"},
						   {DAT_ITEM_U64, "offset"},
						   {DAT_ITEM_END, NULL}};

static const struct dat_field guest_fields[] = {
	{DAT_ITEM_STR, "name"}, {DAT_ITEM_HEX64, "trace_id"}, {DAT_ITEM_ROWS, "vcpus"},
	{DAT_ITEM_U32, "cpu"},	{DAT_ITEM_S32, "pid"},	      {DAT_ITEM_ROWS_END, NULL},
	{DAT_ITEM_END, NULL}};

/*
 * The samples of a CPU are three arrays: all times, then all offsets, then all scalings. For
 * swapping they are rows of three u64: only the number of u64 matters.
 */
static const struct dat_field time_shift_fields[] = {
	{DAT_ITEM_HEX64, "peer_trace_id"}, {DAT_ITEM_U32, "flags"},   {DAT_ITEM_ROWS, "cpus"},
	{DAT_ITEM_ROWS, "samples"},	   {DAT_ITEM_U64, "time"},    {DAT_ITEM_U64, "offset"},
	{DAT_ITEM_U64, "scaling"},	   {DAT_ITEM_ROWS_END, NULL}, {DAT_ITEM_ROWS_END, NULL},
	{DAT_ITEM_REST64, "fraction"},	   {DAT_ITEM_END, NULL}};

static const struct dat_field task_names_fields[] = {
	{DAT_ITEM_ROWS, "names"}, {DAT_ITEM_U64, "from"},    {DAT_ITEM_S32, "pid"},
	{DAT_ITEM_STR, "comm"},	  {DAT_ITEM_ROWS_END, NULL}, {DAT_ITEM_END, NULL}};

/* ---- the table ---- */

#define NEEDS_NUL .nul = DAT_NUL_NEEDED
#define MAY_NUL .nul = DAT_NUL_OPTIONAL
#define PART(name_, section_)                                                                      \
	.name = name_, .section = section_, .role = DAT_ROLE_PART, .shape = DAT_SHAPE_SECTION,     \
	.once = true

static const struct dat_option_def table[] = {
	[TDAT_OPTION_DONE] = {.name = "DONE",
			      .role = DAT_ROLE_END,
			      .shape = DAT_SHAPE_FIELDS,
			      .fields = end_fields},
	[TDAT_OPTION_DATE] = {.name = "DATE",
			      .shape = DAT_SHAPE_MICROSECONDS,
			      NEEDS_NUL,
			      .merge = DAT_MERGE_TIME,
			      .once = true,
			      .summed = true},
	[TDAT_OPTION_CPUSTAT] = {.name = "CPUSTAT",
				 .shape = DAT_SHAPE_TEXT,
				 NEEDS_NUL,
				 .merge = DAT_MERGE_STATS},
	[TDAT_OPTION_BUFFER] = {.name = "BUFFER", .role = DAT_ROLE_DATA, .shape = DAT_SHAPE_BUFFER},
	[TDAT_OPTION_TRACECLOCK] = {.name = "TRACECLOCK",
				    .shape = DAT_SHAPE_CLOCK,
				    MAY_NUL,
				    .merge = DAT_MERGE_NEVER,
				    .of_machine = true,
				    .once = true},
	[TDAT_OPTION_UNAME] = {.name = "UNAME",
			       .shape = DAT_SHAPE_TEXT,
			       NEEDS_NUL,
			       .of_machine = true},
	[TDAT_OPTION_HOOK] = {.name = "HOOK", .shape = DAT_SHAPE_HOOK, NEEDS_NUL},
	[TDAT_OPTION_OFFSET] = {.name = "OFFSET",
				.shape = DAT_SHAPE_NANOSECONDS,
				NEEDS_NUL,
				.merge = DAT_MERGE_TIME,
				.once = true,
				.summed = true},
	[TDAT_OPTION_CPUCOUNT] = {.name = "CPUCOUNT", .shape = DAT_SHAPE_CPU_COUNT, MAY_NUL},
	[TDAT_OPTION_VERSION] = {.name = "VERSION", .shape = DAT_SHAPE_TEXT, NEEDS_NUL},
	[TDAT_OPTION_PROCMAPS] = {.name = "PROCMAPS",
				  .shape = DAT_SHAPE_PROCMAPS,
				  NEEDS_NUL,
				  .merge = DAT_MERGE_MAPS},
	[TDAT_OPTION_TRACEID] = {.name = "TRACEID",
				 .shape = DAT_SHAPE_FIELDS,
				 .fields = trace_id_fields,
				 .merge = DAT_MERGE_EQUAL,
				 .once = true},
	[TDAT_OPTION_TIME_SHIFT] = {.name = "TIME_SHIFT",
				    .shape = DAT_SHAPE_TIME_SHIFT,
				    .fields = time_shift_fields,
				    .merge = DAT_MERGE_NEVER,
				    .once = true},
	[TDAT_OPTION_GUEST] = {.name = "GUEST", .shape = DAT_SHAPE_FIELDS, .fields = guest_fields},
	[TDAT_OPTION_TSC2NSEC] = {.name = "TSC2NSEC",
				  .shape = DAT_SHAPE_FIELDS,
				  .fields = tsc2nsec_fields,
				  .merge = DAT_MERGE_TIME,
				  .of_machine = true,
				  .once = true},
	[TDAT_OPTION_STRINGS] = {.name = "STRINGS",
				 .role = DAT_ROLE_STRINGS,
				 .shape = DAT_SHAPE_SECTION},
	[TDAT_OPTION_HEADER_INFO] = {PART("HEADER_INFO", "headers")},
	[TDAT_OPTION_FTRACE_EVENTS] = {PART("FTRACE_EVENTS", "ftrace events")},
	[TDAT_OPTION_EVENT_FORMATS] = {PART("EVENT_FORMATS", "events format")},
	[TDAT_OPTION_KALLSYMS] = {PART("KALLSYMS", "kallsyms")},
	[TDAT_OPTION_PRINTK] = {PART("PRINTK", "printk")},
	[TDAT_OPTION_CMDLINES] = {PART("CMDLINES", "command lines")},
	[TDAT_OPTION_BUFFER_TEXT] = {.name = "BUFFER_TEXT",
				     .role = DAT_ROLE_DATA,
				     .shape = DAT_SHAPE_BUFFER_TEXT},
	[TDAT_OPTION_BTF_FILE] = {.name = "BTF_FILE",
				  .role = DAT_ROLE_EXTRA,
				  .shape = DAT_SHAPE_SECTION,
				  .of_machine = true,
				  .once = true},
	[TDAT_OPTION_LAST_BOOT_INFO] = {.name = "LAST_BOOT_INFO",
					.shape = DAT_SHAPE_LAST_BOOT,
					NEEDS_NUL},
	[TDAT_OPTION_MODULES_FILE] = {.name = "MODULES_FILE",
				      .role = DAT_ROLE_EXTRA,
				      .shape = DAT_SHAPE_SECTION,
				      .of_machine = true,
				      .text_section = true,
				      .once = true},
	[TDAT_OPTION_SAVED_TGIDS] = {.name = "SAVED_TGIDS", .shape = DAT_SHAPE_TGIDS, MAY_NUL},
	[TDAT_OPTION_TASK_NAMES] = {.name = "TASK_NAMES",
				    .shape = DAT_SHAPE_FIELDS,
				    .fields = task_names_fields,
				    .merge = DAT_MERGE_NEVER,
				    .once = true},
};

const struct dat_option_def *dat_option_def(uint16_t id)
{
	static const struct dat_option_def unknown = {.name = NULL};

	_Static_assert(sizeof(table) / sizeof(table[0]) == DAT_OPTION_IDS, "a new last id");

	return id < DAT_OPTION_IDS && table[id].name ? &table[id] : &unknown;
}

struct tdat_span dat_option_behind_nul(const struct tdat_file_option *o)
{
	const bool is_text = dat_option_def(o->id)->nul != DAT_NUL_NONE &&
			     !dat_option_is_cpu_count(o) && !dat_option_is_tgids(o);
	const uint8_t *nul = is_text && o->data.len ? memchr(o->data.ptr, 0, o->data.len) : NULL;
	const size_t rest_len = nul ? o->data.len - (size_t)(nul - o->data.ptr) : 0;

	if (tdat_is_zero(nul, rest_len))
		return (struct tdat_span){NULL, 0};
	return (struct tdat_span){nul + 1, rest_len - 1};
}

/*
 * Returns the end of the rows that begin at f. Rows nest; the tables are constants, so each begin
 * has its end.
 */
const struct dat_field *dat_fields_after_rows(const struct dat_field *f)
{
	unsigned depth = 0;

	for (;; f++) {
		if (f->item == DAT_ITEM_ROWS)
			depth++;
		else if (f->item == DAT_ITEM_ROWS_END && !--depth)
			return f;
	}
}

const char *tdat_file_option_name(uint16_t id)
{
	return dat_option_def(id)->name;
}
