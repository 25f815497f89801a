/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes format files for those who write events (<tdat/define.h>): lays fields out as a C compiler
 * does, writes one line for each, and a print fmt that shows them all. The text goes to the
 * tdat_emit, which checks it as any other format.
 */
#include <tdat/define.h>

#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "common_fields.h"

/* The types that fields may have without a length; "long" is that of this machine. */
static const struct type {
	const char *name;
	uint8_t len;
	bool is_signed;
} types[] = {
	{"char", 1, (char)-1 < 0},
	{"signed char", 1, true},
	{"unsigned char", 1, false},
	{"bool", 1, false},
	{"short", 2, true},
	{"unsigned short", 2, false},
	{"int", 4, true},
	{"unsigned int", 4, false},
	{"long", sizeof(long), true},
	{"unsigned long", sizeof(long), false},
	{"long long", 8, true},
	{"unsigned long long", 8, false},
	{"s8", 1, true},
	{"u8", 1, false},
	{"s16", 2, true},
	{"u16", 2, false},
	{"s32", 4, true},
	{"u32", 4, false},
	{"s64", 8, true},
	{"u64", 8, false},
	{"int8_t", 1, true},
	{"uint8_t", 1, false},
	{"int16_t", 2, true},
	{"uint16_t", 2, false},
	{"int32_t", 4, true},
	{"uint32_t", 4, false},
	{"int64_t", 8, true},
	{"uint64_t", 8, false},
	{"__data_loc char", 4, false},
};

/* The type of a name that ends at len; NULL: it is not in the list. */
static const struct type *type_of(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].name) == len && !strncmp(types[i].name, name, len))
			return &types[i];
	return NULL;
}

/* __data_loc: the field holds offset and length of its bytes, four bytes together. */
static bool is_dynamic(const struct tdat_field_def *f)
{
	return !strncmp(f->type, "__data_loc ", 11);
}

/* Completes a field that only has a type and a name; *end is where the field before ends. */
static bool lay_out(struct tdat_field_def *f, uint32_t *end)
{
	const size_t len = strcspn(f->type, "[");
	const struct type *type = type_of(f->type, len);
	unsigned long count = f->type[len] ? strtoul(f->type + len + 1, NULL, 10) : 1;

	if (!f->len) {
		count = is_dynamic(f) ? 1 : count;
		if (!type || !count || count > UINT16_MAX)
			return false;
		f->elem_len = type->len;
		f->len = (uint32_t)count * type->len;
		/* Aligned to its size, as a C compiler aligns members. */
		f->off = (*end + type->len - 1) / type->len * type->len;
		f->is_signed = type->is_signed;
	}
	*end = f->off + f->len;
	return f->elem_len && f->len % f->elem_len == 0;
}

/* A line as tracefs has it in events/SYSTEM/EVENT/format. */
static void put_field(struct tdat_build *b, const struct tdat_field_def *f)
{
	const int len = is_dynamic(f) ? (int)strlen(f->type) : (int)strcspn(f->type, "[");

	tdat_build_printf(b, "\tfield:%.*s %s", len, f->type, f->name);
	if (f->len != f->elem_len)
		tdat_build_printf(b, "[%u]", f->len / f->elem_len);
	tdat_build_printf(b, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", f->off, f->len, f->is_signed);
}

/* Arrays of char are text. */
static bool is_text(const struct tdat_field_def *f)
{
	return !strncmp(f->type, "char", 4) && f->len != f->elem_len;
}

/* The printf conversion of a field; arrays and text are "%s". */
static void put_conversion(struct tdat_build *b, const struct tdat_field_def *f)
{
	const char *wide = f->len < 8 ? "" : strstr(f->type, "long") ? "l" : "ll";

	if (is_text(f) || is_dynamic(f) || f->len != f->elem_len)
		tdat_build_str(b, "%s");
	else
		tdat_build_printf(b, "%%%s%c", strstr(f->type, "long long") ? "ll" : wide,
				  f->is_signed ? 'd' : 'u');
}

/* The argument of a conversion: text by __get_str(), arrays by __print_array(). */
static void put_argument(struct tdat_build *b, const struct tdat_field_def *f)
{
	if (is_dynamic(f))
		tdat_build_printf(b, ", __get_str(%s)", f->name);
	else if (!is_text(f) && f->len != f->elem_len)
		tdat_build_printf(b, ", __print_array(REC->%s, %u, %u)", f->name,
				  f->len / f->elem_len, f->elem_len);
	else
		tdat_build_printf(b, ", REC->%s", f->name);
}

/* Fields and print fmt; a field that cannot be laid out is *bad. */
static void put_fields(struct tdat_build *b, const struct tdat_field_def *fields, size_t count,
		       const char *print_fmt, const struct tdat_field_def **bad)
{
	struct tdat_build words, values;
	/* Fields follow the common fields of each record. */
	uint32_t end = sizeof(struct tdat_record_head);

	tdat_build_init(&words, false);
	tdat_build_init(&values, false);
	*bad = NULL;
	for (size_t i = 0; i < count && !*bad; i++) {
		struct tdat_field_def f = fields[i];

		*bad = lay_out(&f, &end) ? NULL : &fields[i];
		put_field(b, &f);
		tdat_build_printf(&words, "%s%s=", i ? " " : "", f.name);
		put_conversion(&words, &f);
		put_argument(&values, &f);
	}
	tdat_build_str(b, "\nprint fmt: ");
	if (print_fmt) {
		tdat_build_str(b, print_fmt);
	} else {
		tdat_build_printf(b, "\"%.*s\"", (int)words.len, (const char *)words.ptr);
		tdat_build_bytes(b, values.ptr, values.len);
	}
	tdat_build_str(b, "\n");
	b->failed |= words.failed || values.failed;
	tdat_build_fini(&words);
	tdat_build_fini(&values);
}

/*
 * Defines an event type. The id is chosen by the emit; fields without a known length are usage
 * errors.
 */
enum tdat_status tdat_emit_define(const struct tdat_emit *emit, const char *system,
				  const char *name, const struct tdat_field_def *fields,
				  size_t field_count, const char *print_fmt, uint16_t *id,
				  struct tdat_error *err)
{
	const struct tdat_field_def *bad;
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	/* TDAT_COMMON_FIELDS are the kernel's four common fields. */
	tdat_build_printf(&b, "name: %s\nID: 0\n" TDAT_COMMON_FIELDS, name);
	put_fields(&b, fields, field_count, print_fmt, &bad);
	if (bad)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "field %s of %s: the type \"%s\" has an unknown length, or its "
				    "length is not a multiple of the element length",
				    bad->name, name, bad->type);
	else if (b.failed)
		st = tdat_error_no_memory(err, "an event format");
	else
		st = tdat_emit_format(emit, system, (const char *)b.ptr, b.len, id, err);
	tdat_build_fini(&b);
	return st;
}
