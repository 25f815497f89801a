/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs the items that only the kernel's reading of print fmt has (K_ in print_prog.h). An item
 * first prints its whole text; finish() then applies precision and width, as the kernel does with
 * the string that a helper returned. Called by print_run.c; reads are bounded by the record.
 */
#include "print_prog.h"

#include <string.h>

/* Returns the facts that kprintf.h asks for; the cache of symbols is the thread's. */
static struct kprint_env env_of(const struct run *r, const struct item *it)
{
	return (struct kprint_env){.symbols = r->env->symbols,
				   .names = &r->scratch->names,
				   .long_size = r->env->word,
				   .big = it->big,
				   .kernel = r->env->kernel};
}

/*
 * Returns the conversion with the widths of this record. A record can ask for any width: 65536 is
 * enough for every text that is not hostile.
 */
static struct kconv conv_of(const struct run *r, const struct kitem *k)
{
	struct kconv conv = k->conv;

	if (k->width)
		kconv_star_width(&conv, (int32_t)expr_eval(r, k->width));
	if (k->prec)
		kconv_star_prec(&conv, (int32_t)expr_eval(r, k->prec));
	if (conv.spec.width > 1 << 16)
		conv.spec.width = 1 << 16;
	return conv;
}

/*
 * Cuts to the precision and pads to the width all that was printed since start. Widths of "%s"
 * count bytes, as in the kernel.
 */
static void finish(const struct run *r, const struct item *it, size_t start, struct tdat_build *out)
{
	struct kconv conv;

	if (it->k->plain)
		return;
	conv = conv_of(r, it->k);
	kprint_fit(out, start, conv.spec.left, conv.spec.width, conv.spec.prec);
}

/*
 * Returns the bytes from an offset on, up to the end of the array that it lies in, or of the
 * record. A pointer may leave its array: then only the record bounds it.
 */
static struct tdat_span bytes_at(const struct run *r, uint64_t off, const struct tdat_field *f)
{
	uint64_t start, len;

	if (f && (f->flags & (TDAT_FIELD_DYNAMIC | TDAT_FIELD_RELATIVE))) {
		run_dynamic(r, f, &start, &len);
	} else if (f && f->len) {
		start = f->off;
		len = f->len;
	} else {
		return run_bytes(r, off, UINT64_MAX);
	}
	if (off < start || off - start > len)
		return run_bytes(r, off, UINT64_MAX);
	return run_bytes(r, off, len - (off - start));
}

/* Returns the bytes that the item's argument points to. */
static struct tdat_span place_of(const struct run *r, const struct item *it)
{
	return bytes_at(r, run_value(r, it->value), it->field);
}

/* ---- tables ---- */

/*
 * Prints the names of a flag word, then the bits that no entry names (trace_print_flags_seq() of
 * kernel/trace/trace_output.c). An entry whose mask is 0 names any value but 0, as there.
 */
static void make_flags(const struct run *r, const struct item *it, uint64_t v,
		       struct tdat_build *out)
{
	const struct pairs *p = it->pairs;
	bool any = false;

	(void)r;
	for (uint32_t i = 0; i < p->count && v; i++) {
		const struct pair *pair = &p->list[i];

		if ((v & pair->value) != pair->value)
			continue;
		if (any)
			tdat_build_bytes(out, p->delim, p->delim_len);
		tdat_build_bytes(out, pair->text, pair->len);
		any = true;
		v &= ~pair->value;
	}
	if (!v)
		return;
	if (any)
		tdat_build_bytes(out, p->delim, p->delim_len);
	tdat_number_0x(out, v);
}

/* Prints the name of a number; trace_print_symbols_seq() of the kernel. */
static void print_symbol(const struct pairs *p, uint64_t v, struct tdat_build *out)
{
	const struct pair *pair = pairs_find(p, v);

	if (pair)
		tdat_build_bytes(out, pair->text, pair->len);
	else
		tdat_number_0x(out, v);
}

/* ---- arrays ---- */

/* True for Linux 5.4 to 6.3, which print 16 bytes at a time, without a blank between these rows. */
static bool lacks_blanks(uint32_t kernel)
{
	return kernel >= (5u << 16 | 4u << 8) && kernel < (6u << 16 | 4u << 8);
}

/* Prints __print_hex() and __print_hex_str(): two digits a byte, bounded by the record. */
static void print_hex(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const int64_t len = (int32_t)expr_eval(r, it->value2);
	const bool rows = lacks_blanks(r->env->kernel);
	struct tdat_span s = place_of(r, it);

	for (size_t i = 0; i < s.len && (int64_t)i < len && !out->full; i++) {
		if (it->flag && i && (!rows || i % 16))
			tdat_build_u8(out, ' ');
		tdat_number_x64(out, s.ptr[i], 2);
	}
}

/*
 * Prints __print_array(): "{0x1,0x2}". Elements of a size that is not a number's are marked by "BAD
 * SIZE" and read as bytes, as in the kernel.
 */
static void print_ints(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const int64_t count = (int64_t)(int32_t)expr_eval(r, it->value2);
	const uint64_t size = expr_eval(r, it->k->value3);
	const bool good = model_is_number_len(size);
	const size_t len = good ? (size_t)size : 1;
	const uint64_t off = run_value(r, it->value);

	tdat_build_u8(out, '{');
	for (int64_t i = 0; i < count && !out->full; i++) {
		const struct tdat_span s = run_bytes(r, off + (uint64_t)i * len, len);

		if (s.len < len)
			break;
		if (i)
			tdat_build_u8(out, ',');
		if (!good)
			tdat_build_printf(out, "BAD SIZE:%llu ", (unsigned long long)size);
		tdat_number_0x(out, tdat_load_uint(s.ptr, len, it->big));
	}
	tdat_build_u8(out, '}');
}

/*
 * Prints one row: groups of bytes as numbers of the machine's order, and their characters
 * (hex_dump_to_buffer() of lib/hexdump.c).
 */
static void dump_row(const struct item *it, struct tdat_span row, size_t row_len, size_t group,
		     struct tdat_build *out)
{
	const size_t start = out->len;

	for (size_t i = 0; i < row.len; i += group) {
		if (i)
			tdat_build_u8(out, ' ');
		tdat_number_x64(out, tdat_load_uint(row.ptr + i, group, it->big),
				(unsigned)(2 * group));
	}
	if (!it->flag)
		return;
	/* Characters begin in the same column in all rows, also behind a short one. */
	while (!out->full && !out->failed && out->len - start < row_len * 2 + row_len / group + 1)
		tdat_build_u8(out, ' ');
	for (size_t i = 0; i < row.len; i++)
		tdat_build_u8(out, row.ptr[i] >= 0x20 && row.ptr[i] <= 0x7e ? row.ptr[i] : '.');
}

/*
 * Prints __print_hex_dump(). Rows have 16 or 32 bytes; a group size that the kernel does not know
 * means single bytes.
 */
static void print_dump(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const size_t row_len = expr_eval(r, it->k->value3) == 32 ? 32 : 16;
	size_t group = (size_t)expr_eval(r, it->k->value4), i;
	const uint32_t len = (uint32_t)expr_eval(r, it->value2);
	struct tdat_span s = place_of(r, it);

	if (s.len > len)
		s.len = len;
	if (group != 2 && group != 4 && group != 8)
		group = 1;
	for (i = 0; i < s.len && !out->full; i += row_len) {
		const size_t left = s.len - i, n = left < row_len ? left : row_len;
		const struct tdat_span row = {s.ptr + i, n};

		tdat_build_u8(out, '\n');
		tdat_build_bytes(out, it->str, it->len);
		if (it->letter == 'o')
			tdat_build_printf(out, "%.8x: ", (unsigned)i);
		/* A last row that groups do not divide is printed by bytes. */
		dump_row(it, row, row_len, n % group ? 1 : group, out);
	}
	tdat_build_u8(out, '\n');
}

/* Prints a bitmask field: the recorded bytes say how many bits it has. */
static void print_mask(const struct run *r, const struct item *it, struct tdat_build *out)
{
	uint64_t off, len;
	struct tdat_span s;

	run_dynamic(r, it->field, &off, &len);
	s = run_bytes(r, off, len);
	kprint_mask(out, s, (uint32_t)s.len * 8, it->big, r->env->word);
}

/* Prints the addresses of a stack, a line each. 0, or all bits set, ends them. */
static void print_stack(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const struct kprint_env env = env_of(r, it);
	const uint8_t word = r->env->word;
	uint64_t off, len;
	struct tdat_span s;

	run_dynamic(r, it->field, &off, &len);
	s = run_bytes(r, off, len);
	for (size_t i = 0; s.len - i >= word && !out->full; i += word) {
		const uint64_t addr = tdat_load_uint(s.ptr + i, word, it->big);

		if (!addr || addr == (word == 4 ? UINT32_MAX : UINT64_MAX))
			break;
		tdat_build_str(out, "=> ");
		kprint_symbol(out, &env, addr, KPRINT_OFFSET);
		tdat_build_u8(out, '\n');
	}
}

/* ---- calls ---- */

/* Returns the bytes of an argument, which num is the place of. */
static struct tdat_span arg_bytes(const struct run *r, const struct prog_arg *a, uint64_t num)
{
	uint64_t off, len;

	if (!a->rest)
		return bytes_at(r, num, a->field);
	run_dynamic(r, a->field, &off, &len);
	return run_bytes(r, off, UINT64_MAX);
}

/*
 * Calls a function with arguments from the record. Texts of string arguments are collected in a
 * buffer that may move, so spans into it are made last.
 */
uint64_t call_run(const struct run *r, const struct prog_call *call, struct tdat_build *out)
{
	struct func_args args = {.func = call->func, .kernel = r->env->kernel};
	struct tdat_build text = {.cap = 0};
	size_t starts[FUNC_ARGS + 1] = {0};
	uint64_t v;
	unsigned i;

	for (i = 0; i < FUNC_ARGS; i++) {
		const struct prog_arg *a = &call->args[i];

		if (a->num)
			args.v[i].num = expr_eval(r, a->num);
		if (a->bytes)
			args.v[i].bytes = arg_bytes(r, a, args.v[i].num);
		starts[i] = text.len;
		if (!a->text)
			continue;
		/* The text in the making must not grow beyond the limit of the whole. */
		if (!text.held)
			tdat_build_hold(&text, r->most + 1);
		item_print(r, a->text, &text);
	}
	starts[i] = text.len;
	for (i = 0; i < FUNC_ARGS; i++)
		if (call->args[i].text && text.ptr)
			args.v[i].bytes =
				(struct tdat_span){text.ptr + starts[i], starts[i + 1] - starts[i]};
	if (out && call->func->run)
		call->func->run(&args, out);
	v = call->func->value ? call->func->value(&args) : 0;
	tdat_build_fini(&text);
	return v;
}

/* Prints the string at an offset of the record. */
static void print_at(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const uint64_t off = run_value(r, it->value);
	struct tdat_span s;

	if (!off) { /* nothing lies there: a choice gave NULL */
		tdat_build_bytes(out, "(null)", 6);
		return;
	}
	/* A dynamic string ends with its NUL, which may lie behind a wrong length. */
	s = it->field && it->field->array_count ? bytes_at(r, off, it->field)
						: run_bytes(r, off, UINT64_MAX);
	if (s.len)
		s.len = strnlen((const char *)s.ptr, s.len);
	tdat_build_bytes(out, s.ptr, s.len);
}

/* Prints {field=value ...} in place of an argument that cannot be evaluated. */
static void print_braces(const struct run *r, const struct item *it, struct tdat_build *out)
{
	tdat_build_u8(out, '{');
	for (uint32_t i = 0; i < it->k->field_count; i++) {
		const struct item *f = &it->k->fields[i];

		tdat_build_bytes(out, f->text, f->text_len);
		item_print_raw(r, f, out);
	}
	tdat_build_u8(out, '}');
}

/* Prints the string at an address of the kernel if printk_formats lists it, else the address. */
static void print_address(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const uint64_t addr = run_value(r, it->value);
	const struct tdat_span s = model_printk_find(r->env->printk, addr);

	if (!addr) {
		tdat_build_bytes(out, "(null)", 6);
		return;
	}
	if (s.ptr) {
		tdat_build_bytes(out, s.ptr, s.len);
		return;
	}
	tdat_number_0x(out, addr);
}

/* Prints the text of an item; finish() applies precision and width to it. */
static void print_text(const struct run *r, const struct item *it, struct tdat_build *out)
{
	struct tdat_span s;

	switch (it->op) {
	case I_TEXT:
	case K_TEXT:
		tdat_build_bytes(out, it->str, it->len);
		break;
	case I_NAME:
	case I_NAME16:
		s = run_bytes(r, it->off, it->len);
		tdat_build_bytes(out, s.ptr, s.len ? strnlen((const char *)s.ptr, s.len) : 0);
		break;
	case K_AT:
		print_at(r, it, out);
		break;
	case K_ADDRESS:
		print_address(r, it, out);
		break;
	case K_FLAGS:
		flags_print(r, it, run_value(r, it->value), make_flags, out);
		break;
	case K_SYMBOL:
		print_symbol(it->pairs, run_value(r, it->value), out);
		break;
	case K_HEX:
		print_hex(r, it, out);
		break;
	case K_INTS:
		print_ints(r, it, out);
		break;
	case K_DUMP:
		print_dump(r, it, out);
		break;
	case K_MASK:
		print_mask(r, it, out);
		break;
	case K_STACK:
		print_stack(r, it, out);
		break;
	case K_CALL:
		call_run(r, it->call, out);
		break;
	case K_CHOICE:
		print_text(r, run_value(r, it->value) ? it->yes : it->no, out);
		break;
	default:
		break;
	}
}

/*
 * A number of jiffies without --hz is marked by a "j": it is not in the unit that print fmt meant.
 */
static void print_number(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const struct kconv conv = conv_of(r, it->k);

	kprint_number(out, &conv, run_value(r, it->value));
	if (it->k->jiffies)
		tdat_build_u8(out, 'j');
}

/* The "%p" family applies its width itself, since for some of them it counts bytes. */
static void print_pointer(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const struct kprint_env env = env_of(r, it);
	const struct kconv conv = conv_of(r, it->k);

	if (it->op == K_POINTER)
		kprint_address(out, &env, &conv, run_value(r, it->value));
	else
		kprint_bytes(out, &env, &conv, place_of(r, it));
}

/*
 * Prints an address as a symbol, and keeps the text by address: the same call sites come again and
 * again. Addresses without a name are kept, too.
 */
static void print_function(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const uint64_t addr = run_value(r, it->value);
	const uint64_t hash = (addr + it->bits) * UINT64_C(0x9e3779b97f4a7c15);
	struct address_slot *slot = &r->scratch->addresses[hash >> (64 - ADDRESS_SLOT_BITS)];
	const size_t start = out->len;
	struct kprint_env env;

	if (slot->addr == addr && slot->kind == it->bits && slot->symbols == r->env->symbols &&
	    slot->len) {
		tdat_build_bytes(out, slot->text, slot->len);
		return;
	}
	env = env_of(r, it);
	kprint_symbol(out, &env, addr, (enum kprint_symbol_kind)it->bits);
	if (out->failed || out->full || out->len - start > ADDRESS_TEXT)
		return;
	*slot = (struct address_slot){.symbols = r->env->symbols,
				      .addr = addr,
				      .kind = it->bits,
				      .len = (uint8_t)(out->len - start)};
	memcpy(slot->text, out->ptr + start, slot->len);
}

/* Prints one item of the kernel's reading; called by print_run.c. */
void item_print_kernel(const struct run *r, const struct item *it, struct tdat_build *out)
{
	const size_t start = out->len;

	switch (it->op) {
	case K_NUM:
		print_number(r, it, out);
		break;
	case K_FUNCTION:
		print_function(r, it, out);
		break;
	case K_POINTER:
	case K_BYTES:
		print_pointer(r, it, out);
		break;
	case K_BRACES:
		print_braces(r, it, out);
		break;
	default:
		print_text(r, it, out);
		finish(r, it, start, out);
	}
}
