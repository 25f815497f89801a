/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds out what the fields of an event type are, and reads their values from records. */
#include "core/number.h"
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "put_text.h"

static bool is_number_len(uint32_t len)
{
	return len == 1 || len == 2 || len == 4 || len == 8;
}

/* Whether print fmt prints the field as a mask: "__get_bitmask(cpus)". */
static bool printed_as_mask(const struct tdat_format *format, const char *name)
{
	static const char *const calls[] = {"__get_bitmask(", "__get_rel_bitmask(",
					    "__get_cpumask(", "__get_rel_cpumask("};
	const char *fmt = tdat_format_print_fmt(format);
	size_t i, n = strlen(name);

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const char *at = fmt;

		while ((at = strstr(at, calls[i]))) {
			at += strlen(calls[i]);
			if (!strncmp(at, name, n) && at[n] == ')')
				return true;
		}
	}
	return false;
}

/* Arrays of char are text; those of u8 and unsigned char are numbers. */
static bool is_text(const struct tdat_field *f)
{
	return (f->flags & TDAT_FIELD_STRING) && strstr(f->type, "char") &&
	       !strstr(f->type, "unsigned");
}

static void classify(struct export_field *x, const struct tdat_format *format)
{
	const struct tdat_field *f = x->field;
	const bool array = f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE);

	x->is_signed = f->flags & TDAT_FIELD_SIGNED;
	x->elem_len = f->elem_len;
	if (strstr(f->type, "cpumask") || printed_as_mask(format, f->name)) {
		x->kind = EXPORT_BITMASK;
		if (x->elem_len != 4 && x->elem_len != 8)
			x->elem_len = 8;
	} else if (is_text(f)) {
		x->kind = EXPORT_STRING;
	} else if (array) {
		x->kind = is_number_len(f->elem_len) ? EXPORT_ARRAY : EXPORT_BYTES;
	} else {
		x->kind = is_number_len(f->len) ? EXPORT_NUMBER : EXPORT_BYTES;
	}
}

/* Takes the bytes out of b; NULL without memory. */
static char *take(struct tdat_build *b, size_t *len)
{
	char *p = NULL;

	tdat_build_u8(b, '\0');
	if (!b->failed) {
		p = (char *)b->ptr;
		*len = b->len - 1;
		b->ptr = NULL;
	}
	tdat_build_fini(b);
	return p;
}

static bool make_key(struct export_field *x, bool first)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	if (!first)
		tdat_build_u8(&b, ',');
	export_json_str(&b, x->field->name, strlen(x->field->name));
	tdat_build_u8(&b, ':');
	x->key = take(&b, &x->key_len);
	return x->key;
}

static bool make_head(struct export_plan *p, const struct tdat_format *format)
{
	const char *system = tdat_format_system(format), *name = tdat_format_name(format);
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_build_str(&b, ",\"system\":");
	export_json_str(&b, system, strlen(system));
	tdat_build_str(&b, ",\"event\":");
	export_json_str(&b, name, strlen(name));
	p->head = take(&b, &p->head_len);
	return p->head;
}

enum tdat_status export_plan_new(struct export_plan **out, const struct tdat_format *format,
				 struct tdat_error *err)
{
	size_t i, n;
	const struct tdat_field *fields = tdat_format_fields(format, &n);
	struct export_plan *p = calloc(1, sizeof(*p));
	bool ok = p;

	if (ok)
		p->fields = calloc(n + 1, sizeof(*p->fields));
	ok = ok && p->fields && make_head(p, format);
	for (i = 0; ok && i < n; i++) {
		struct export_field *x;

		if (fields[i].flags & TDAT_FIELD_COMMON)
			continue;
		x = &p->fields[p->count++];
		x->field = &fields[i];
		classify(x, format);
		ok = make_key(x, p->count == 1);
	}
	if (!ok) {
		export_plan_free(p);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for an event");
	}
	*out = p;
	return TDAT_OK;
}

void export_plan_free(struct export_plan *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; p->fields && i < p->count; i++)
		free(p->fields[i].key);
	free(p->fields);
	free(p->columns);
	free(p->head);
	free(p);
}

static int by_name(const void *a, const void *b)
{
	const struct export_field *const *x = a, *const *y = b;
	const int order = strcmp((*x)->field->name, (*y)->field->name);

	return order ? order : (*x > *y) - (*x < *y);
}

/* The first field of that name. */
static const struct export_field *find(const struct export_field *const *sorted, size_t count,
				       const char *name)
{
	size_t lo = 0, hi = count;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (strcmp(sorted[mid]->field->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < count && !strcmp(sorted[lo]->field->name, name) ? sorted[lo] : NULL;
}

enum tdat_status export_plan_match(struct export_plan *p, const struct export_plan *columns,
				   struct tdat_error *err)
{
	const struct export_field **sorted = calloc(p->count + 1, sizeof(*sorted));
	size_t i;

	p->columns = calloc(columns->count + 1, sizeof(*p->columns));
	if (!sorted || !p->columns) {
		free(sorted);
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for an event");
	}
	for (i = 0; i < p->count; i++)
		sorted[i] = &p->fields[i];
	qsort(sorted, p->count, sizeof(*sorted), by_name);
	for (i = 0; i < columns->count; i++) {
		const char *name = columns->fields[i].field->name;

		if (i < p->count && !strcmp(p->fields[i].field->name, name))
			p->columns[i] = &p->fields[i];
		else
			p->columns[i] = find(sorted, p->count, name);
	}
	free(sorted);
	return TDAT_OK;
}

static void put_elem(struct tdat_build *out, const struct export_field *f, const uint8_t *p,
		     bool big)
{
	uint64_t v = tdat_load_uint(p, f->elem_len, big);
	const uint32_t unused = 64 - 8 * f->elem_len;

	if (f->is_signed)
		tdat_number_i64(out, (int64_t)(v << unused) >> unused);
	else
		tdat_number_u64(out, v);
}

static void put_bits(struct tdat_build *out, const struct export_field *f, struct tdat_span bytes,
		     bool big, char separator)
{
	size_t at;
	bool first = true;

	for (at = 0; bytes.len - at >= f->elem_len; at += f->elem_len) {
		uint64_t word = tdat_load_uint(bytes.ptr + at, f->elem_len, big);

		for (; word; word &= word - 1) {
			if (!first)
				tdat_build_u8(out, (uint8_t)separator);
			first = false;
			tdat_number_u64(out, at * 8 + (uint64_t)__builtin_ctzll(word));
		}
	}
}

void export_array(struct tdat_build *out, const struct export_field *f, struct tdat_span bytes,
		  bool big, char separator)
{
	size_t at;

	if (f->kind == EXPORT_BITMASK) {
		put_bits(out, f, bytes, big, separator);
		return;
	}
	for (at = 0; bytes.len - at >= f->elem_len; at += f->elem_len) {
		if (at)
			tdat_build_u8(out, (uint8_t)separator);
		put_elem(out, f, bytes.ptr + at, big);
	}
}

enum export_got export_read(const struct export_field *f, struct tdat_span record,
			    struct export_value *v)
{
	enum export_got got;
	enum tdat_status st;

	if (f->kind == EXPORT_NUMBER && f->is_signed) {
		st = tdat_field_i64(f->field, record, &v->i64, NULL);
		got = EXPORT_GOT_I64;
	} else if (f->kind == EXPORT_NUMBER) {
		st = tdat_field_u64(f->field, record, &v->u64, NULL);
		got = EXPORT_GOT_U64;
	} else if (f->kind == EXPORT_STRING) {
		st = tdat_field_string(f->field, record, &v->span, NULL);
		got = EXPORT_GOT_STRING;
	} else {
		st = tdat_field_bytes(f->field, record, &v->span, NULL);
		got = f->kind == EXPORT_BYTES ? EXPORT_GOT_BYTES : EXPORT_GOT_ARRAY;
	}
	return st == TDAT_OK ? got : EXPORT_GOT_NOTHING;
}
