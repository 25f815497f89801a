/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out what the values of a field are. Whether a field is a number, a truth value, text,
 * bytes, a list, a mask, a stack or an address is decided here and nowhere else, by its C type,
 * its print fmt, and names that the kernel gives. Tables, cells, exporters and the view follow.
 * It looks at one field at a time and at no record.
 */
#include "field_kind.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/text.h"
#include "ctype.h"
#include "model/format.h"
#include "stable_types.h"

static bool is_number_len(uint32_t len)
{
	return len == 1 || len == 2 || len == 4 || len == 8;
}

/* ---- masks ---- */

/* Adds the field that the call names; a call without ')' is not one. */
static bool add_mask(struct table_masks *m, const char *name)
{
	const size_t len = strcspn(name, "()");

	if (name[len] != ')')
		return true;
	if (!TDAT_GROW(m->names, &m->cap, m->count + 1))
		return false;
	m->names[m->count++] = (struct tdat_span){(const uint8_t *)name, len};
	return true;
}

/*
 * Finds the fields that print fmt prints as masks, such as __get_bitmask(mask) or
 * __get_rel_cpumask(cpus). Their declared type may be only "unsigned long[]". False: no memory.
 */
bool table_masks_init(struct table_masks *m, const struct tdat_event_format *format)
{
	static const char *const calls[] = {"bitmask(", "rel_bitmask(", "cpumask(", "rel_cpumask("};
	static const char get[] = "__get_";
	const char *at = tdat_event_format_print_fmt(format);
	bool ok = true;

	*m = (struct table_masks){NULL, 0, 0};
	while (ok && (at = strstr(at, get))) {
		at += sizeof(get) - 1;
		for (size_t i = 0; ok && i < sizeof(calls) / sizeof(calls[0]); i++)
			if (!strncmp(at, calls[i], strlen(calls[i])))
				ok = add_mask(m, at + strlen(calls[i]));
	}
	if (m->count)
		qsort(m->names, m->count, sizeof(*m->names), tdat_by_bytes);
	return ok;
}

void table_masks_fini(struct table_masks *m)
{
	free(m->names);
}

/* True if print fmt prints the field as a mask. */
static bool printed_as_mask(const struct tdat_field *f, const struct table_masks *m)
{
	const struct tdat_span name = {(const uint8_t *)f->name, strlen(f->name)};

	return m->count && bsearch(&name, m->names, m->count, sizeof(name), tdat_by_bytes);
}

/* ---- types ---- */

static bool is_event(const struct tdat_field *f, const char *system, const char *name)
{
	return !strcmp(tdat_event_format_system(f->format), system) &&
	       !strcmp(tdat_event_format_name(f->format), name);
}

/*
 * kernel_stack says caller[8], but a stack is as long as its record, and since Linux 5.9 as
 * its field size says (Documentation/trace/ftrace.rst, kernel/trace/trace_entries.h).
 */
static bool is_stack(const struct tdat_field *f)
{
	return !strcmp(f->name, "caller") && is_event(f, "ftrace", "kernel_stack");
}

/* The number of entries of a stack, if the format has it before them. */
static const struct tdat_field *size_of_stack(const struct tdat_field *f)
{
	const struct tdat_field *size = tdat_event_format_field(f->format, "size");

	return size && size->len == 4 && size->off + 4 <= f->off ? size : NULL;
}

/*
 * Bytes of an array's element: by its count, its C type, or the format's own element size. 0: none
 * of these says it.
 */
static uint32_t elem_len(const struct tdat_field *f, const struct table_ctype *t)
{
	if (f->array_count && f->len % f->array_count == 0 &&
	    is_number_len(f->len / f->array_count))
		return f->len / f->array_count;
	if (is_number_len(t->len))
		return t->len;
	return is_number_len(f->elem_len) ? f->elem_len : 0;
}

/*
 * Arguments of system calls are as wide as a register, whatever type they have; the number of the
 * call is an int (kernel/trace/trace_syscalls.c).
 */
static bool is_syscall_arg(const struct tdat_field *f)
{
	return !strncmp(f->format->name, "sys_enter_", 10) &&
	       !strcmp(f->format->system, "syscalls") && strcmp(f->name, "__syscall_nr") != 0 &&
	       strcmp(f->name, "nr") != 0;
}

/*
 * Sets width and sign of a column of numbers of len bytes: those of the widest kernel, so that a
 * field has one type whatever kernel recorded it.
 */
static void set_number(struct table_column *c, const struct tdat_field *f,
		       const struct table_ctype *t, uint32_t len, bool is_signed)
{
	const uint32_t widest = is_syscall_arg(f) ? 8 : t->widest;

	c->len = (uint8_t)(len < widest ? widest : len);
	c->is_signed = is_signed;
	/* Plain char is signed or not by architecture and version. */
	if (t->is_char && c->len == 1) {
		c->len = 2;
		c->is_signed = true;
	}
	table_stable_type(f, c);
}

/* A list of numbers, or bytes if the size of an element is unknown. */
static struct table_source array_source(const struct tdat_field *f, const struct table_ctype *t,
					bool is_signed, struct table_column *c)
{
	struct table_source s = {.decode = TABLE_D_ARRAY, .field = f};

	s.elem_len = (uint8_t)elem_len(f, t);
	s.is_signed = is_signed;
	if (!s.elem_len) {
		c->type = TABLE_BYTES;
		s.decode = TABLE_D_BYTES;
		return s;
	}
	s.to_end = is_stack(f);
	s.size_field = s.to_end ? size_of_stack(f) : NULL;
	c->type = TABLE_LIST;
	set_number(c, f, t, s.elem_len, is_signed);
	return s;
}

/* Bits of a mask become a list of their numbers; words are longs unless the format says 4 or 8. */
static struct table_source bits_source(const struct tdat_field *f, struct table_column *c)
{
	struct table_source s = {.decode = TABLE_D_BITS, .field = f};

	s.elem_len =
		f->elem_len == 4 || f->elem_len == 8 ? (uint8_t)f->elem_len : f->format->long_size;
	c->type = TABLE_LIST;
	c->len = 4;
	return s;
}

/* One number or truth value; odd lengths, such as a struct by value, are bytes. */
static struct table_source scalar_source(const struct tdat_field *f, const struct table_ctype *t,
					 struct table_column *c)
{
	struct table_source s = {.field = f};

	if (!is_number_len(f->len)) {
		c->type = TABLE_BYTES;
		s.decode = TABLE_D_BYTES;
	} else if (t->is_bool && f->len == 1) {
		c->type = TABLE_BOOL;
		s.decode = TABLE_D_TRUTH;
	} else {
		c->type = TABLE_INT;
		s.decode = TABLE_D_NUMBER;
		s.is_signed = f->flags & TDAT_FIELD_SIGNED;
		set_number(c, f, t, f->len, s.is_signed);
	}
	return s;
}

/* Arrays of char are text, but for raw data of programs; those of u8 are numbers. */
static bool is_text(const struct tdat_field *f, const struct table_ctype *t, bool array)
{
	return t->is_char && array && !is_event(f, "ftrace", "raw_data");
}

/* Decides the kind of a field, and returns how its value is read. Sets type, len and sign of *c. */
struct table_source table_field_source(const struct tdat_field *f, const struct table_masks *masks,
				       struct table_column *c)
{
	const uint32_t long_size = f->format->long_size;
	const struct table_ctype t = table_ctype(f->type, long_size);
	/* A length of 0 is an array without a fixed size, such as "char buf[]". */
	const bool array =
		(f->flags & (TDAT_FIELD_ARRAY | TDAT_FIELD_DYNAMIC | TDAT_FIELD_FLEXIBLE)) ||
		!f->len;
	const bool is_signed = t.len ? t.is_signed : f->flags & TDAT_FIELD_SIGNED;

	if (is_text(f, &t, array)) {
		c->type = TABLE_TEXT;
		return (struct table_source){.decode = TABLE_D_STRING, .field = f};
	}
	/* Raw data of programs: char, but not text. */
	if (t.is_char && array) {
		c->type = TABLE_BYTES;
		return (struct table_source){.decode = TABLE_D_BYTES, .field = f};
	}
	/* A mask is checked before an array: masks may be declared as arrays of longs. */
	if (t.is_cpumask || printed_as_mask(f, masks))
		return bits_source(f, c);
	return array ? array_source(f, &t, is_signed, c) : scalar_source(f, &t, c);
}

/*
 * True if a number is the address of a kernel function: print fmt prints it as one, or it has a
 * name that the kernel uses for one. User addresses cannot be looked up in kallsyms.
 */
bool table_field_is_address(const struct tdat_field *f, const struct table_source *source,
			    const struct model_view *view)
{
	static const char *const names[] = {"ip",	   "parent_ip", "func",	    "retaddr",
					    "ret_ip",	   "call_site", "caller",   "caller_ip",
					    "caller_addr", "callsite",	"function", "addr_ip"};
	const bool list = source->decode == TABLE_D_ARRAY;

	if (!list && source->decode != TABLE_D_NUMBER)
		return false;
	if (!list && view)
		return true;
	if ((list ? source->elem_len : f->len) != f->format->long_size)
		return false;
	if (view)
		return true;
	if (source->is_signed || is_event(f, "ftrace", "user_stack"))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(f->name, names[i]))
			return true;
	return false;
}
