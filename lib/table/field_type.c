/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells callers what the values of fields are, and finds their bytes in records. It is the
 * public view of field_kind.c (include/tdat/field_type.h), for exporters that write values by
 * type, such as CTF and Chrome. Names of numbers come from the print fmt of the format.
 */
#include <tdat/field_type.h>

#include <stdlib.h>
#include <string.h>

#include "core/endian.h"
#include "core/map.h"
#include "field_bytes.h"
#include "field_kind.h"
#include "model/format.h"
#include "model/kfmt.h"
#include "model/kprintf.h"

/* The types of all fields of one format. */
struct tdat_field_types {
	struct tdat_arena arena; /* of names */
	const struct tdat_event_format *format;
	struct tdat_field_type *list;
	struct table_source *sources;
	size_t count;
};

/* ---- what print fmt makes of fields ---- */

/* The field that an argument is, without casts; NULL where it is anything else. */
static const struct tdat_field *plain_field(const struct kn *n)
{
	while (n && n->kind == KN_CAST)
		n = n->a;
	return n && n->kind == KN_FIELD ? n->field : NULL;
}

/* Only plain numbers have names and bases; NULL for all others. */
static struct tdat_field_type *type_of(struct tdat_field_types *t, const struct tdat_field *f)
{
	struct tdat_field_type *type = f ? &t->list[f - t->format->fields] : NULL;

	return type && type->kind == TDAT_VALUE_INT ? type : NULL;
}

/* Whether none of the names has the value yet; it is put into the map then, which has room. */
static bool is_new(struct tdat_map *map, const struct tdat_value_name *names)
{
	const uint64_t value = names[map->count].value, hash = tdat_hash_u64(map->seed, value);
	uint32_t i;

	TDAT_MAP_FIND(i, map, hash, names[i].value == value);
	if (i == TDAT_MAP_NONE)
		tdat_map_put(map, hash, map->count);
	return i == TDAT_MAP_NONE;
}

/* The number of a table's entry { number, "name" }; false: it is not a plain number. */
static bool entry_of(const struct kn *n, uint64_t *value, const struct kn **text)
{
	const struct kn *v = n->args;
	bool negative = false;

	if (n->kind != KN_LIST || !v || !v->next || v->next->kind != KN_STR)
		return false;
	*text = v->next;
	for (; v->kind == KN_CAST || (v->kind == KN_UNARY && v->op == '-'); v = v->a)
		negative ^= v->kind == KN_UNARY;
	*value = negative ? 0 - v->num : v->num;
	return v->kind == KN_NUM;
}

/*
 * Takes the names of a __print_symbolic table. The first name of a value counts, as in the
 * kernel's trace_print_symbols_seq(). False: no memory.
 */
static bool take_names(struct tdat_field_types *t, struct tdat_field_type *type,
		       const struct kn *list)
{
	struct tdat_value_name *names;
	struct tdat_map map = {.count = 0};
	size_t count = 0, n = 0;
	bool ok;

	for (const struct kn *e = list; e; e = e->next)
		count++;
	names = tdat_arena_array(&t->arena, count + 1, sizeof(*names));
	ok = names && tdat_map_grow(&map, count);
	for (const struct kn *e = list; ok && e; e = e->next) {
		const struct kn *text;

		if (!entry_of(e, &names[n].value, &text) || !is_new(&map, names))
			continue;
		names[n].text = tdat_arena_strndup(&t->arena, text->text, text->len);
		ok = names[n++].text;
	}
	tdat_map_fini(&map);
	type->names = names;
	type->name_count = n;
	return ok;
}

/* Tables of flags (__print_flags) are not taken: a value may be several names there. */
static bool is_table(const struct kn *n)
{
	return n->kind == KN_CALL && n->args &&
	       (!strcmp(n->text, "__print_symbolic") || !strcmp(n->text, "__print_symbolic_u64"));
}

/* Takes the facts that one conversion says about its argument's field. */
static bool take_conversion(struct tdat_field_types *t, const struct kconv *conv,
			    const struct kn *arg)
{
	struct tdat_field_type *type;

	if (is_table(arg)) {
		type = type_of(t, plain_field(arg->args));
		return !type || type->name_count || take_names(t, type, arg->args->next);
	}
	type = type_of(t, plain_field(arg));
	if (type && strchr("pxX", conv->spec.conv))
		type->hex = true;
	return true;
}

/* A print fmt that cannot be understood says nothing of fields. */
static bool take_print_fmt(struct tdat_field_types *t)
{
	struct tdat_arena arena = {NULL, 0, 0};
	bool nomem, ok = true;
	struct kconv conv;
	struct kfmt fmt;
	const struct kn *arg;

	if (!kfmt_parse(&fmt, t->format, &arena, &nomem)) {
		tdat_arena_fini(&arena);
		return !nomem;
	}
	arg = fmt.args;
	for (size_t i = 0, len; i < fmt.len && arg && ok; i += len) {
		len = 1;
		if (fmt.text[i] != '%')
			continue;
		/* 8 is the size of a long for "%ld": only the number of arguments matters here. */
		len = kconv_parse(&conv, fmt.text + i, fmt.len - i, 8);
		/* '*' takes an argument of its own for width or precision. */
		for (int stars = conv.star_width + conv.star_prec; stars-- && arg;)
			arg = arg->next;
		if (!conv.spec.conv || conv.spec.conv == '%' || !arg)
			continue;
		ok = take_conversion(t, &conv, arg);
		arg = arg->next;
	}
	tdat_arena_fini(&arena);
	return ok;
}

/* ---- types ---- */

/* Kinds of the public view; columns that only tables make do not occur here. */
static enum tdat_value_kind kind_of(const struct table_source *s)
{
	switch (s->decode) {
	case TABLE_D_NUMBER:
		return TDAT_VALUE_INT;
	case TABLE_D_TRUTH:
		return TDAT_VALUE_BOOL;
	case TABLE_D_STRING:
		return TDAT_VALUE_TEXT;
	case TABLE_D_ARRAY:
		return TDAT_VALUE_INTS;
	case TABLE_D_BITS:
		return TDAT_VALUE_BITS;
	default:
		return TDAT_VALUE_BYTES;
	}
}

/*
 * Fills the public facts of a field. fixed is true if all records have the same number of
 * elements.
 */
static void set_type(struct tdat_field_type *type, const struct tdat_field *f,
		     const struct table_source *s)
{
	type->field = f;
	type->kind = kind_of(s);
	type->len = s->elem_len ? s->elem_len : 1;
	if (type->kind == TDAT_VALUE_INT)
		type->len = (uint8_t)f->len;
	type->is_signed = s->is_signed;
	type->fixed = f->len && f->len % type->len == 0 && !s->to_end &&
		      type->kind != TDAT_VALUE_TEXT &&
		      !(f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE));
	/* Addresses and pointers are printed in hexadecimal even if print fmt does not say so. */
	type->hex = (f->flags & TDAT_FIELD_POINTER) || table_field_is_address(f, s, NULL);
}

/* Makes the types of a format's fields. *out lives on its own, but borrows the format. */
enum tdat_status tdat_field_types_new(struct tdat_field_types **out,
				      const struct tdat_event_format *format,
				      struct tdat_error *err)
{
	struct tdat_field_types *t = calloc(1, sizeof(*t));
	struct table_masks masks;
	bool ok = table_masks_init(&masks, format) && t;

	*out = NULL;
	if (ok) {
		t->format = format;
		t->count = format->field_count;
		t->list = calloc(t->count + 1, sizeof(*t->list));
		t->sources = calloc(t->count + 1, sizeof(*t->sources));
		ok = t->list && t->sources;
	}
	for (size_t i = 0; ok && i < t->count; i++) {
		struct table_column column = {.name = NULL};

		t->sources[i] = table_field_source(&format->fields[i], &masks, &column);
		set_type(&t->list[i], &format->fields[i], &t->sources[i]);
	}
	table_masks_fini(&masks);
	ok = ok && take_print_fmt(t);
	if (!ok) {
		tdat_field_types_free(t);
		return tdat_error_no_memory(err, tdat_event_format_name(format));
	}
	*out = t;
	return TDAT_OK;
}

void tdat_field_types_free(struct tdat_field_types *t)
{
	if (!t)
		return;
	tdat_arena_fini(&t->arena);
	free(t->list);
	free(t->sources);
	free(t);
}

const struct tdat_field_type *tdat_field_types_list(const struct tdat_field_types *t, size_t *count)
{
	*count = t->count;
	return t->list;
}

/* Returns the bytes of a value: text without its NUL, arrays without an incomplete last element. */
enum tdat_status tdat_field_types_bytes(const struct tdat_field_types *t, size_t index,
					struct tdat_span record, struct tdat_span *out,
					struct tdat_error *err)
{
	const struct table_source *s;
	const struct tdat_field *f;

	if (index >= t->count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "event %s has %zu fields",
				      tdat_event_format_name(t->format), t->count);
	s = &t->sources[index];
	if (s->elem_len ? table_array_bytes(s, t->format->big, record, out)
			: table_field_bytes(s, record, out)) {
		if (t->list[index].kind == TDAT_VALUE_TEXT && out->len)
			out->len = strnlen((const char *)out->ptr, out->len);
		return TDAT_OK;
	}
	f = s->field;
	if (!s->to_end && f->len)
		return tdat_field_bytes(f, record, out, err);
	return tdat_error_set(err, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
			      "field %s of event %s lies at %u, the record has %zu bytes", f->name,
			      tdat_event_format_name(f->format), f->off, record.len);
}
