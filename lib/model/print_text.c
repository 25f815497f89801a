/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints what %s takes: arrays, dynamic strings, flags, symbols, hex, masks, choices. Each item
 * prints from the record or from a constant; what leaves the record is cut. Width and precision
 * are applied as printf does. The reading is that of trace-cmd; kprint_run.c has the kernel's
 * and calls the parts that are alike.
 */
#include "core/search.h"
#include "print_prog.h"

#include <string.h>

/* Prints text with the width and precision of its item. */
static void put(const struct run *r, const struct item *it, const void *text, size_t len,
		struct tdat_build *out)
{
	struct tdat_num_spec spec;

	if (!it->star && !it->spec.width && it->spec.prec < 0) {
		tdat_build_bytes(out, text, len);
		return;
	}
	spec = item_spec(r, it);
	tdat_string_printf(out, text, len, spec.left, spec.width, spec.prec);
}

/* Prints a char array up to its NUL; I_REST goes to the end of the record. */
static void print_chars(const struct run *r, const struct item *it, struct tdat_build *out)
{
	struct tdat_span s = run_bytes(r, it->off, it->op == I_REST ? UINT64_MAX : it->len);

	put(r, it, s.ptr, s.len ? strnlen((const char *)s.ptr, s.len) : 0, out);
}

/* Prints the string at an address if printk_formats lists it, else the address without "0x". */
static void print_address(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t addr = tdat_load_uint(r->data + it->off, it->len == 8 ? 8 : 4, false);
	const struct tdat_span s = model_printk_find(r->env->printk, addr);

	if (s.ptr)
		tdat_build_bytes(out, s.ptr, s.len);
	else
		tdat_number_x64(out, addr, 0);
}

/* Prints a dynamic string. Its length only says whether there is one: the NUL ends it. */
static void print_dyn_str(const struct run *r, const struct item *it, struct tdat_build *out)
{
	struct tdat_span s;
	uint64_t off, len;

	run_dynamic(r, it->field, &off, &len);
	if (!len)
		return;
	s = run_cstr(r, off);
	put(r, it, s.ptr, s.len, out);
}

/*
 * Prints the names of a flag word as print_flags of libtraceevent does: 0 takes the name of a
 * negative entry, and unnamed bits follow in hexadecimal.
 */
static void make_flags(const struct run *r, const struct item *it, uint64_t v,
		       struct tdat_build *out)
{
	const struct pairs *p = it->pairs;
	bool any = false;
	uint32_t i;

	for (i = 0; i < p->count; i++) {
		const struct pair *pair = &p->list[i];
		int64_t flag = (int64_t)pair->value;

		if (!v) {
			if (!p->negative)
				break;
			if (flag < 0) {
				put(r, it, pair->text, pair->len, out);
				break;
			}
		} else if (flag > 0 && (v & pair->value) == pair->value) {
			if (any)
				tdat_build_bytes(out, p->delim, p->delim_len);
			put(r, it, pair->text, pair->len, out);
			any = true;
			v &= ~pair->value;
		}
	}
	if (!v)
		return;
	if (any)
		tdat_build_bytes(out, p->delim, p->delim_len);
	tdat_number_0x(out, v);
}

/*
 * Prints a flag word, and keeps the text: the same words come again and again. The text does not
 * depend on the record unless a width does (star).
 */
void flags_print(const struct run *r, const struct item *it, uint64_t v, flags_fn make,
		 struct tdat_build *out)
{
	uint64_t hash = (v ^ it->pairs->hash) * UINT64_C(0x9e3779b97f4a7c15);
	struct flags_slot *slot = &r->scratch->flags[hash >> 57];
	size_t start = out->len;

	_Static_assert(FLAGS_SLOTS == 128, "seven bits of the hash");
	if (slot->pairs == it->pairs && slot->hash == it->pairs->hash && slot->value == v) {
		tdat_build_bytes(out, slot->text, slot->len);
		return;
	}
	make(r, it, v, out);
	if (it->star || out->failed || out->len - start > FLAGS_TEXT)
		return;
	slot->pairs = it->pairs;
	slot->hash = it->pairs->hash;
	slot->value = v;
	slot->len = (uint32_t)(out->len - start);
	if (slot->len)
		memcpy(slot->text, out->ptr + start, slot->len);
}

/* first[] has bytes, so it serves tables of less than 255 pairs only. */
const struct pair *pairs_find(const struct pairs *p, uint64_t v)
{
	size_t i;

	if (v < sizeof(p->first) && p->count < 255)
		return p->first[v] ? &p->list[p->first[v] - 1u] : NULL;
	TDAT_SEARCH(i, p->count, p->list[i].value < v);
	return i < p->count && p->list[i].value == v ? &p->list[i] : NULL;
}

static void print_symbol(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t v = expr_eval(r, it->value);
	const struct pair *pair = pairs_find(it->pairs, v);

	if (pair) {
		put(r, it, pair->text, pair->len, out);
		return;
	}
	tdat_number_0x(out, v);
}

/* Returns where an array of __print_hex() and __print_array() begins. */
static uint64_t array_off(const struct run *r, const struct item *it)
{
	uint64_t off = it->field->off, len;

	if (it->flag2)
		run_dynamic(r, it->field, &off, &len);
	return off;
}

/* Prints __print_hex(): two digits a byte, with blanks between them if flag. */
static void print_bytes(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint32_t len = (uint32_t)expr_eval(r, it->value);
	struct tdat_span s = run_bytes(r, array_off(r, it), len);
	char *p = (char *)tdat_build_room(out, s.len * 3);
	size_t i;

	if (!p || !s.len)
		return;
	for (i = 0; i < s.len; i++) {
		if (i && it->flag)
			*p++ = ' ';
		*p++ = "0123456789abcdef"[s.ptr[i] >> 4];
		*p++ = "0123456789abcdef"[s.ptr[i] & 15];
	}
	out->len = (size_t)(p - (char *)out->ptr);
}

/*
 * Prints __print_array(). libtraceevent 1.7 prints "1 2 3", later ones "{0x1,0x2,0x3}" as kernels
 * do.
 */
static void print_ints(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint32_t count = (uint32_t)expr_eval(r, it->value), i;
	int32_t size = (int32_t)expr_eval(r, it->value2);
	uint64_t off = array_off(r, it);
	bool plain = r->env->tep17;
	struct tdat_span s;
	size_t len;

	if (!plain)
		tdat_build_u8(out, '{');
	/* The count may come from the record, so the record's end stops the loop, too. */
	for (i = 0; i < count; i++) {
		bool good = model_is_number_len((uint32_t)size);

		len = good ? (size_t)size : 1;
		s = run_bytes(r, off, len);
		if (s.len < len)
			break;
		if (i)
			tdat_build_u8(out, plain ? ' ' : ',');
		if (!good) {
			tdat_build_bytes(out, "BAD SIZE:", 9);
			tdat_number_i64(out, size);
			tdat_build_u8(out, ' ');
			size = 1;
		}
		if (plain && good) {
			tdat_number_u64(out, tdat_load_uint(s.ptr, len, false));
		} else {
			tdat_number_0x(out, tdat_load_uint(s.ptr, len, false));
		}
		off += len;
	}
	if (!plain)
		tdat_build_u8(out, '}');
}

/*
 * Prints a mask: groups of 32 bits, or CPUs as ranges. libtraceevent takes it for one word of all
 * its bytes.
 */
static void print_mask(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const struct tdat_num_spec spec = item_spec(r, it);
	const size_t start = out->len;
	struct tdat_span s;
	uint64_t off, len;

	run_dynamic(r, it->field, &off, &len);
	s = run_bytes(r, off, len);
	if (it->op == I_BITMASK)
		kprint_mask(out, s, (uint32_t)s.len * 8, it->big, s.len);
	else
		kprint_mask_list(out, s, (uint32_t)s.len * 8, it->big, s.len);
	kprint_fit(out, start, spec.left, spec.width, spec.prec);
}

/* Prints the items of trace-cmd's reading that are text. */
void item_print_string(const struct run *r, const struct item *it, struct tdat_build *out)
{
	switch (it->op) {
	case I_TEXT:
		put(r, it, it->str, it->len, out);
		break;
	case I_NAME:
	case I_NAME16:
	case I_CHARS:
	case I_REST:
		print_chars(r, it, out);
		break;
	case I_ADDRESS:
		print_address(r, it, out);
		break;
	case I_DYN_STR:
		print_dyn_str(r, it, out);
		break;
	case I_FLAGS:
		flags_print(r, it, expr_eval(r, it->value), make_flags, out);
		break;
	case I_SYMBOL:
		print_symbol(r, it, out);
		break;
	case I_BYTES:
		print_bytes(r, it, out);
		break;
	case I_INTS:
		print_ints(r, it, out);
		break;
	case I_BITMASK:
	case I_CPUMASK:
		print_mask(r, it, out);
		break;
	case I_CHOICE:
		item_print_string(r, expr_eval(r, it->value) ? it->yes : it->no, out);
		break;
	case I_CALL:
		call_run(r, it->call, out);
		break;
	default:
		break;
	}
}
