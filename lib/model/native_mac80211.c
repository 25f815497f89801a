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
#define BSS_NUMBERS 11

/* A handler of drv_bss_info_changed. */
struct bss_info {
	struct model_native base;
	struct native_field wiphy_name, vif_name, vif_type;
	bool wiphy_loc, vif_loc; /* __data_loc */
	struct native_field numbers[BSS_NUMBERS];
};

/*
 * The numbers in the order of printing: names, which are hexadecimal, and behind which a blank or a
 * new line follows.
 */
static const struct bss_number {
	const char *name;
	bool hex, space, newline;
} bss_numbers[BSS_NUMBERS] = {
	{"assoc", false, true, false},
	{"aid", false, true, false},
	{"cts", false, true, false},
	{"shortpre", false, true, false},
	{"shortslot", false, true, false},
	{"dtimper", false, true, true},
	{"bcnint", false, true, false},
	{"assoc_cap", true, true, false},
	{"basic_rates", true, true, false},
	{"enable_beacon", false, false, true},
	{"ht_operation_mode", false, false, false},
};

/*
 * Prints a name that is an array in old formats and a __data_loc in newer ones. Complaints are the
 * plugin's texts.
 */
static void bss_string(const struct native_field *f, bool loc, struct tdat_span record,
		       struct tdat_build *out)
{
	size_t off = f->off, len = f->len;
	uint64_t v;

	if (!f->found) {
		native_lit(out, "NOTFOUND:");
		tdat_build_str(out, f->name);
		return;
	}
	if (loc) {
		if (!native_num(f, record, &v)) {
			native_lit(out, "invalid_data_loc");
			return;
		}
		off = v & 0xffff;
		len = (size_t)(v >> 16);
	}
	native_text(out, native_str(record, off, len));
}

static bool bss_run(const struct model_native *self, const struct model_event *event,
		    struct tdat_build *out)
{
	const struct bss_info *b = (const struct bss_info *)self;
	uint64_t v;
	size_t i;

	bss_string(&b->wiphy_name, b->wiphy_loc, event->record, out);
	native_lit(out, " vif:");
	bss_string(&b->vif_name, b->vif_loc, event->record, out);
	if (native_num(&b->vif_type, event->record, &v)) {
		tdat_build_u8(out, '(');
		tdat_number_i64(out, (int32_t)v);
		tdat_build_u8(out, ')');
	} else {
		native_no_field(&b->vif_type, out);
	}
	tdat_build_u8(out, '\n');
	tdat_build_fill(out, ' ', BSS_INDENT);
	for (i = 0; i < BSS_NUMBERS; i++) {
		const struct bss_number *n = &bss_numbers[i];

		if (native_num(&b->numbers[i], event->record, &v)) {
			tdat_build_str(out, n->name);
			tdat_build_u8(out, ':');
			if (n->hex && (uint32_t)v)
				native_lit(out, "0x");
			if (n->hex)
				tdat_number_x64(out, (uint32_t)v, 0);
			else
				tdat_number_i64(out, (int32_t)v);
		}
		/* The blank is printed even if the field is missing. */
		if (n->space)
			tdat_build_u8(out, ' ');
		if (n->newline) {
			tdat_build_u8(out, '\n');
			tdat_build_fill(out, ' ', BSS_INDENT);
		}
	}
	return true;
}

static bool is_data_loc(const struct tdat_event_format *format, const char *name)
{
	const struct tdat_field *f = tdat_event_format_field(format, name);

	return f && !strncmp(f->type, "__data_loc", 10);
}

static enum tdat_status bss_init(struct model_native **out, const struct tdat_event_format *format,
				 const struct model_env *env, struct tdat_error *err)
{
	struct bss_info *b = native_alloc(sizeof(*b), format, err);
	size_t i;

	(void)env;
	if (!b)
		return TDAT_E_NOMEM;
	b->base.run = bss_run;
	b->wiphy_name = native_field_find(format, "wiphy_name");
	b->vif_name = native_field_find(format, "vif_name");
	b->vif_type = native_field_find(format, "vif_type");
	b->wiphy_loc = is_data_loc(format, "wiphy_name");
	b->vif_loc = is_data_loc(format, "vif_name");
	for (i = 0; i < BSS_NUMBERS; i++)
		b->numbers[i] = native_field_find(format, bss_numbers[i].name);
	*out = &b->base;
	return TDAT_OK;
}

const struct model_native_entry native_mac80211[] = {
	{"mac80211", "drv_bss_info_changed", bss_init},
	{NULL, NULL, NULL},
};
