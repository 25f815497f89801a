/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes an event type for each format of the capture, with fields arg1, arg2 ... as its
 * conversions see them, its text as print format. Names of types come from the file and text of
 * the format, and are made unique with a number that continues from the last one. The generic
 * event "ktr" is emitted as well.
 */
#include "ktr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean_text.h"
#include "core/build.h"
#include "core/common_fields.h"
#include "core/text.h"
#include "import/embedded_format.h"
#include "import/record.h"
#include "entry_layout.h"
#include "printf_format.h"

/* Event types; a trace.dat has 16-bit ids, which other events need too. */
enum { TYPED_MAX = 4096 };

/* True if the character may be in an identifier. */
static bool is_word(char c, bool first)
{
	return tdat_is_word((uint8_t)c) && !(first && tdat_is_dec((uint8_t)c));
}

/* Makes the base of an event's name: the first identifier in the literal text, or "format". */
static void base_name(const struct ktr_format *f, char name[KTR_TYPED_NAME_CAP])
{
	size_t len = 0;

	for (unsigned int i = 0; i < f->conv_count && !len; i++) {
		const char *p = f->text + f->convs[i].lit_off, *end = p + f->convs[i].lit_len;

		while (p < end && !is_word(*p, true))
			p++;
		/* 12 characters stay free for "_" and a number. */
		for (; p < end && is_word(*p, !len) && len < KTR_TYPED_NAME_CAP - 12; p++)
			name[len++] = *p;
	}
	name[len] = '\0';
	if (!len)
		strcpy(name, "format");
}

/* Index of a name, or TDAT_MAP_NONE. */
static uint32_t find_name(const struct ktr_output *o, const char *name)
{
	const uint64_t hash = tdat_hash_bytes(o->typed_map.seed, name, strlen(name));
	uint32_t i;

	TDAT_MAP_FIND(i, &o->typed_map, hash, !strcmp(o->typed_names[i].name, name));
	return i;
}

static bool add_name(struct ktr_output *o, const char *name)
{
	uint32_t i;

	if (!TDAT_MAP_GROW(&o->typed_map, o->typed_names, &o->typed_cap))
		return false;
	i = tdat_map_add(&o->typed_map, tdat_hash_bytes(o->typed_map.seed, name, strlen(name)));
	o->typed_names[i].last = 0;
	strcpy(o->typed_names[i].name, name);
	return true;
}

/*
 * Makes a unique event name. Numbers are counted per base name, so that thousands of equal ones
 * stay fast. False: no memory.
 */
static bool unique_name(struct ktr_output *o, const struct ktr_format *f,
			char name[KTR_TYPED_NAME_CAP])
{
	static const char *const own[] = {"ktr", "graph_state", "graph_counter", "graph_point",
					  "tracing_mark_write"};
	uint32_t first;
	size_t len;

	/* Names of this importer's own events are taken from the start. */
	for (size_t i = 0, had = o->typed_map.count; !had && i < sizeof(own) / sizeof(own[0]); i++)
		if (!add_name(o, own[i]))
			return false;
	base_name(f, name);
	len = strlen(name);
	first = find_name(o, name);
	for (uint32_t i = first; i != TDAT_MAP_NONE; i = find_name(o, name))
		snprintf(name + len, KTR_TYPED_NAME_CAP - len, "_%u",
			 ++o->typed_names[first].last + 1);
	return add_name(o, name);
}

/* True if the conversion becomes a field. */
static bool has_arg(const struct ktr_conv *c)
{
	return c->kind && c->kind != '%' && c->parm < KTR_PARMS;
}

/* True for fields of text: strings, and characters, as trace-cmd does not print %c. */
static bool is_text_arg(const struct ktr_conv *c)
{
	return c->kind == 's' || c->kind == 'c';
}

/*
 * Writes the field lines. Offsets follow the record that build_args() makes: strings have 4 bytes,
 * numbers 8, aligned.
 */
static void add_fields(const struct ktr_format *f, struct tdat_build *b)
{
	unsigned int off = IMPORT_COMMON_LEN, n = 0;

	for (unsigned int i = 0; i < f->conv_count; i++) {
		const struct ktr_conv *c = &f->convs[i];

		if (!has_arg(c))
			continue;
		n++;
		if (is_text_arg(c)) {
			tdat_build_printf(b,
					  "\tfield:__data_loc char[] arg%u;\toffset:%u;\tsize:4;"
					  "\tsigned:0;\n",
					  n, off);
			off += 4;
			continue;
		}
		off = (off + 7) & ~7u;
		tdat_build_printf(b, "\tfield:%s arg%u;\toffset:%u;\tsize:8;\tsigned:%d;\n",
				  ktr_conv_signed(c) ? "s64" : "u64", n, off, ktr_conv_signed(c));
		off += 8;
	}
}

/*
 * Writes literal text inside the print format's C string: quotes, backslashes and percents are
 * escaped.
 */
static void add_literal(struct tdat_build *b, const char *p, size_t len)
{
	size_t start = b->len;

	ktr_text_clean(b, (struct tdat_span){(const uint8_t *)p, len});
	/*
	 * ktr_text_clean() has escaped control bytes; its backslashes are doubled, so that the
	 * escapes are printed literally.
	 */
	for (size_t i = start; i < b->len && !b->failed; i++) {
		uint8_t c = b->ptr[i];

		if (c != '"' && c != '\\' && c != '%')
			continue;
		if (!tdat_build_room(b, 1))
			return;
		/* The result may only grow by one byte a turn, hence the insertion in place. */
		memmove(b->ptr + i + 1, b->ptr + i, b->len - i);
		b->ptr[i++] = c == '%' ? '%' : '\\';
		b->len++;
	}
}

/* Writes one conversion for the print format. Values are 64-bit fields, hence "ll". */
static void add_conv(struct tdat_build *b, const struct ktr_conv *c)
{
	if (c->kind == '%') {
		tdat_build_str(b, "%%");
		return;
	}
	if (!has_arg(c)) {
		tdat_build_str(b, "<no arg>");
		return;
	}
	if (c->kind == 'p') {
		tdat_build_str(b, "0x%llx");
		return;
	}
	tdat_build_u8(b, '%');
	if (c->left)
		tdat_build_u8(b, '-');
	if (c->zero)
		tdat_build_u8(b, '0');
	/* The flags + and blank, which trace-cmd does not know, are left out. */
	if (c->alt)
		tdat_build_u8(b, '#');
	if (c->width)
		tdat_build_printf(b, "%u", c->width);
	if (c->prec >= 0)
		tdat_build_printf(b, ".%d", c->prec);
	if (is_text_arg(c)) {
		tdat_build_u8(b, 's');
		return;
	}
	tdat_build_str(b, "ll");
	tdat_build_u8(b, (uint8_t)c->kind);
}

/* Writes the print format: the text with its conversions, then one argument per field. */
static void add_print(const struct ktr_format *f, struct tdat_build *b)
{
	unsigned int n = 0;

	tdat_build_str(b, "\nprint fmt: \"");
	for (unsigned int i = 0; i < f->conv_count; i++) {
		add_literal(b, f->text + f->convs[i].lit_off, f->convs[i].lit_len);
		if (f->convs[i].kind)
			add_conv(b, &f->convs[i]);
	}
	tdat_build_u8(b, '"');
	for (unsigned int i = 0; i < f->conv_count; i++) {
		if (!has_arg(&f->convs[i]))
			continue;
		n++;
		tdat_build_printf(
			b, is_text_arg(&f->convs[i]) ? ", __get_str(arg%u)" : ", REC->arg%u", n);
	}
	tdat_build_u8(b, '\n');
}

/*
 * Makes the event type of a format when it is met first. typed_id stays 0 if there is to be none.
 */
static enum tdat_status make_event(struct ktr_output *o, struct ktr_format *f,
				   struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	char name[KTR_TYPED_NAME_CAP];
	struct tdat_build b;

	f->typed_known = true;
	if (!f->resolved || f->unsupported)
		return TDAT_OK;
	/* A spare format is made anew for each entry, so it would be given an event each time. */
	if (o->typed_count == TYPED_MAX || f == o->formats.spare) {
		o->typed_refused++;
		return TDAT_OK;
	}
	o->typed_count++;
	if (!unique_name(o, f, name))
		return tdat_error_no_memory(err, "names of event formats");
	tdat_build_init(&b, o->setup->big);
	tdat_build_printf(&b, "name: %s\nID: 0\n" TDAT_COMMON_FIELDS, name);
	add_fields(f, &b);
	add_print(f, &b);
	if (b.failed)
		st = tdat_error_no_memory(err, "an event format");
	else
		st = tdat_emit_format(o->emit, "ktr", (const char *)b.ptr, b.len, &f->typed_id,
				      err);
	tdat_build_fini(&b);
	return st;
}

/* Appends a text argument as a dynamic array, and patches its __data_loc word at loc. */
static void build_text_arg(struct ktr_output *o, const struct ktr_conv *c, uint64_t parm,
			   size_t loc)
{
	uint8_t byte = (uint8_t)parm;

	o->arg.len = 0;
	if (c->kind == 's')
		ktr_string_print(o->strings, parm, &o->arg);
	else
		ktr_text_clean(&o->arg, (struct tdat_span){&byte, 1});
	import_record_string(&o->payload, loc, o->arg.ptr, o->arg.len);
}

/* Appends the fields, all fixed parts first: dynamic arrays follow the last of them. */
static void build_args(struct ktr_output *o, const struct ktr_format *f, const struct ktr_entry *e)
{
	struct tdat_build *b = &o->payload;
	size_t locs[KTR_PARMS] = {0};

	for (unsigned int i = 0; i < f->conv_count; i++) {
		const struct ktr_conv *c = &f->convs[i];

		if (!has_arg(c))
			continue;
		if (is_text_arg(c)) {
			locs[c->parm] = import_record_loc(b);
			continue;
		}
		import_record_align(b, 8);
		tdat_build_u64(b, ktr_conv_value(c, e->parms[c->parm], o->word));
	}
	for (unsigned int i = 0; i < f->conv_count; i++) {
		const struct ktr_conv *c = &f->convs[i];

		if (has_arg(c) && is_text_arg(c))
			build_text_arg(o, c, e->parms[c->parm], locs[c->parm]);
	}
}

/* Emits the typed event of an entry, if its format has one. */
enum tdat_status ktr_typed(struct ktr_output *o, struct ktr_format *f, const struct ktr_entry *e,
			   int32_t pid, uint64_t ts, struct tdat_error *err)
{
	enum tdat_status st = f->typed_known ? TDAT_OK : make_event(o, f, err);

	if (st != TDAT_OK || !f->typed_id)
		return st;
	import_record_begin(&o->payload, f->typed_id, pid);
	build_args(o, f, e);
	return ktr_output_send(o, e->cpu, ts, err);
}
