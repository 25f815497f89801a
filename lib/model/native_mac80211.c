/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints drv_bss_info_changed as the plugin mac80211 of libtraceevent does. Numbers follow in
 * the order of the table below, which also says which are hexadecimal and where a line ends:
 * the plugin prints several lines for one event.
 */
#include "native_tables.h"

#include <string.h>

#include "native_util.h"

/* Columns before the continuation lines of the plugin. */
#define BSS_INDENT 65

/* Fields of the event; the numbers follow in the order of their table. */
enum { WIPHY_NAME, VIF_NAME, VIF_TYPE, NUMBERS, BSS_NUMBERS = 11 };

/*
 * The numbers in the order of printing: which are hexadecimal, and behind which a blank or a
 * new line follows.
 */
static const struct bss_number {
	bool hex, space, newline;
} bss_numbers[BSS_NUMBERS] = {
	{false, true, false},  /* assoc */
	{false, true, false},  /* aid */
	{false, true, false},  /* cts */
	{false, true, false},  /* shortpre */
	{false, true, false},  /* shortslot */
	{false, true, true},   /* dtimper */
	{false, true, false},  /* bcnint */
	{true, true, false},   /* assoc_cap */
	{true, true, false},   /* basic_rates */
	{false, false, true},  /* enable_beacon */
	{false, false, false}, /* ht_operation_mode */
};

/*
 * Prints a name that is an array in old formats and a __data_loc in newer ones. Complaints are the
 * plugin's texts.
 */
static void bss_string(const struct model_native *n, size_t i, struct tdat_span record,
		       struct tdat_build *out)
{
	const struct native_field *f = &n->f[i];
	const struct tdat_field *field = tdat_event_format_field(n->format, f->name);
	size_t off = f->off, len = f->len;
	uint64_t v;

	if (!f->found) {
		native_lit(out, "NOTFOUND:");
		tdat_build_str(out, f->name);
		return;
	}
	if (!strncmp(field->type, "__data_loc", 10)) {
		if (!native_num(f, record, &v)) {
			native_lit(out, "invalid_data_loc");
			return;
		}
		off = v & 0xffff;
		len = (size_t)(v >> 16);
	}
	native_text(out, native_str(record, off, len));
}

static bool bss_run(const struct model_native *n, const struct model_event *event,
		    struct tdat_build *out)
{
	uint64_t v;
	size_t i;

	bss_string(n, WIPHY_NAME, event->record, out);
	native_lit(out, " vif:");
	bss_string(n, VIF_NAME, event->record, out);
	if (native_num(&n->f[VIF_TYPE], event->record, &v)) {
		tdat_build_u8(out, '(');
		tdat_number_i64(out, (int32_t)v);
		tdat_build_u8(out, ')');
	} else {
		native_no_field(&n->f[VIF_TYPE], out);
	}
	tdat_build_u8(out, '\n');
	tdat_build_fill(out, ' ', BSS_INDENT);
	for (i = 0; i < BSS_NUMBERS; i++) {
		const struct bss_number *number = &bss_numbers[i];

		if (native_num(&n->f[NUMBERS + i], event->record, &v)) {
			tdat_build_str(out, n->f[NUMBERS + i].name);
			tdat_build_u8(out, ':');
			if (number->hex && (uint32_t)v)
				native_lit(out, "0x");
			if (number->hex)
				tdat_number_x64(out, (uint32_t)v, 0);
			else
				tdat_number_i64(out, (int32_t)v);
		}
		/* The blank is printed even if the field is missing. */
		if (number->space)
			tdat_build_u8(out, ' ');
		if (number->newline) {
			tdat_build_u8(out, '\n');
			tdat_build_fill(out, ' ', BSS_INDENT);
		}
	}
	return true;
}

const struct model_native_entry native_mac80211[] = {
	{"mac80211", "drv_bss_info_changed", bss_run,
	 .fields = {"wiphy_name", "vif_name", "vif_type", "assoc", "aid", "cts", "shortpre",
		    "shortslot", "dtimper", "bcnint", "assoc_cap", "basic_rates", "enable_beacon",
		    "ht_operation_mode"}},
	{.name = NULL},
};
