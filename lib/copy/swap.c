/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Byte-swaps event payloads and options field by field. A plan is a list of places and lengths,
 * made once for each format; swapping a record is then a walk over it. Data that a __data_loc
 * field points to is swapped by the length of its elements. Options are swapped by the items of
 * their row in the option table.
 */
#include "swap.h"

#include "core/cursor.h"
#include "dat/option_table.h"
#include "model/kfmt.h"

/* Works for any width, since fields of 1, 2, 4 and 8 bytes are mixed. */
static void reverse(uint8_t *p, uint32_t len)
{
	for (uint32_t i = 0; i < len / 2; i++) {
		uint8_t t = p[i];

		p[i] = p[len - 1 - i];
		p[len - 1 - i] = t;
	}
}

/* Swaps count elements at off, or fewer if the record ends before. */
static void reverse_all(uint8_t *record, size_t len, size_t off, uint32_t elem, size_t count)
{
	if (elem < 2 || off > len)
		return;
	if (count > (len - off) / elem)
		count = (len - off) / elem;
	for (size_t i = 0; i < count; i++)
		reverse(record + off + i * elem, elem);
}

/* Family and scope are numbers of the machine; the rest is in the order of the network. */
static void reverse_sockaddr(uint8_t *record, size_t len, size_t off, size_t size, bool big)
{
	enum { INET6 = 10, SCOPE_AT = 24, INET6_SIZE = 28 };

	if (off > len)
		return;
	if (size > len - off)
		size = len - off;
	if (size >= INET6_SIZE && tdat_load16(record + off, big) == INET6)
		reverse(record + off + SCOPE_AT, 4);
	if (size >= 2)
		reverse(record + off, 2);
}

/* The place itself is swapped, then the elements it points to, if they lie in the record. */
static void reverse_loc(const struct swap_step *step, uint8_t *record, size_t len, bool big)
{
	/* The kernel fills the first 4 of 8 bytes in synthetic events (lib/model/field.c). */
	const uint32_t width = step->count, one = width == 8 ? 4 : width;
	uint64_t loc;
	size_t off;

	if (step->off > len || len - step->off < width)
		return;
	/* Read in the old order, before it is swapped. */
	loc = tdat_load_uint(record + step->off, one, big);
	reverse_all(record, len, step->off, one, width / one);
	off = loc & 0xffff;
	if (step->kind == SWAP_REL_LOC)
		off += step->off + width;
	if (step->sockaddr)
		reverse_sockaddr(record, len, off, loc >> 16 & 0xffff, big);
	else if (step->elem > 1)
		reverse_all(record, len, off, step->elem, (loc >> 16 & 0xffff) / step->elem);
}

/* Steps outside of a short record do nothing. */
void swap_record(const struct swap_plan *plan, uint8_t *record, size_t len, bool big)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct swap_step *step = &plan->steps[i];

		if (step->kind == SWAP_LOC || step->kind == SWAP_REL_LOC)
			reverse_loc(step, record, len, big);
		else if (step->sockaddr)
			reverse_sockaddr(record, len, step->off, step->count, big);
		else
			reverse_all(record, len, step->off, step->elem,
				    step->kind == SWAP_REST ? SIZE_MAX : step->count);
	}
}

/* ---- plans ---- */

/* True if the byte order is that of a network protocol or a file format, not of the machine. */
static bool wire_order(const char *type)
{
	return strstr(type, "__be16") || strstr(type, "__be32") || strstr(type, "__be64") ||
	       strstr(type, "__le16") || strstr(type, "__le32") || strstr(type, "__le64") ||
	       strstr(type, "in6_addr") || strstr(type, "in_addr") || strstr(type, "uuid") ||
	       strstr(type, "guid");
}

/*
 * Returns the element length of an array whose type has no number of elements ("u64[]", "char[N]"),
 * or 0 if its name does not say it.
 */
static uint32_t base_len(const char *type, uint8_t long_size)
{
	if (strstr(type, "char") || strstr(type, "u8") || strstr(type, "s8"))
		return 1;
	if (strstr(type, "16") || strstr(type, "short"))
		return 2;
	if (strstr(type, "64") || strstr(type, "long long"))
		return 8;
	if (strstr(type, "long") || strstr(type, "cpumask_t"))
		return long_size;
	if (strstr(type, "32") || strstr(type, "int"))
		return 4;
	return 0;
}

/* Returns how many bytes are swapped as one number; 0: unknown. */
static uint32_t elem_len(const struct tdat_event_format *format, const struct tdat_field *f,
			 uint8_t long_size)
{
	bool loc = model_field_is_loc(f);
	bool fits = f->elem_len && (loc || f->len % f->elem_len == 0);

	if (!strcmp(tdat_event_format_system(format), "ftrace") &&
	    !strcmp(tdat_event_format_name(format), "bprint") && !strcmp(f->name, "buf"))
		return 0; /* arguments packed as the format string has them */
	/* Bytes need no swap; types with an order of their own are copied as bytes. */
	if (wire_order(f->type) || (f->elem_len == 1 && !(f->flags & TDAT_FIELD_POINTER)))
		return 1;
	if (f->flags & TDAT_FIELD_POINTER)
		return long_size;
	/* The members of a structure are not in the format. */
	if (!strncmp(f->type, "struct ", 7) || strstr(f->type, " struct ") ||
	    strstr(f->type, "union "))
		return 0;
	if (fits && (f->elem_len == 2 || f->elem_len == 4 || f->elem_len == 8))
		return f->elem_len;
	return strchr(f->type, '[') || loc ? base_len(f->type, long_size) : 0;
}

/* Whether %pIS prints the field: its type says bytes only. */
static bool is_sockaddr(const struct kfmt *fmt, const struct tdat_field *f)
{
	for (size_t i = 0; i + 3 < fmt->len; i++) {
		const struct kn *arg = fmt->args;

		if (memcmp(fmt->text + i, "%pIS", 4) != 0 && memcmp(fmt->text + i, "%piS", 4) != 0)
			continue;
		for (uint32_t n = kfmt_conversions(fmt->text, i); n && arg; n--)
			arg = arg->next;
		while (arg && (arg->kind == KN_CAST || arg->kind == KN_UNARY))
			arg = arg->a;
		if (arg && arg->kind == KN_CALL) /* __get_sockaddr() */
			arg = arg->args;
		if (arg && (arg->kind == KN_FIELD || arg->kind == KN_NAME) &&
		    !strcmp(arg->text, f->name))
			return true;
	}
	return false;
}

/* A stack may be longer than its field: its step goes to the end of the record. */
static struct swap_step plan_step(const struct tdat_field *f, uint32_t elem, bool last)
{
	struct swap_step step = {SWAP_FIXED, f->off, elem, f->len / elem, false};

	if (model_field_is_loc(f))
		step.count = f->len;
	if (f->flags & TDAT_FIELD_RELATIVE)
		step.kind = SWAP_REL_LOC;
	else if (f->flags & TDAT_FIELD_DYNAMIC)
		step.kind = SWAP_LOC;
	else if (f->flags & TDAT_FIELD_FLEXIBLE || (last && f->flags & TDAT_FIELD_ARRAY))
		step.kind = SWAP_REST; /* stacks are longer than their format says */
	return step;
}

/* Every byte must belong to a field: an event with a gap is refused by name. */
enum tdat_status swap_plan_make(struct swap_plan *plan, const struct tdat_event_format *format,
				uint8_t long_size, struct tdat_arena *arena, struct tdat_error *err)
{
	const struct tdat_field *fields;
	struct kfmt fmt = {.len = 0};
	bool locs = false; /* data lies behind the fields */
	bool nomem = false;
	uint32_t done = 0;
	size_t count;

	fields = tdat_event_format_fields(format, &count);
	plan->count = 0;
	plan->steps = tdat_arena_array(arena, count + 1, sizeof(*plan->steps));
	if (!plan->steps || (!kfmt_parse(&fmt, format, arena, &nomem) && nomem))
		return tdat_error_no_memory(err, "the fields of an event");
	for (size_t i = 0; i < count; i++)
		locs |= model_field_is_loc(&fields[i]);
	for (size_t i = 0; i < count; i++) {
		const struct tdat_field *f = &fields[i];

		uint32_t elem = elem_len(format, f, long_size);

		if (!elem)
			return tdat_error_set(
				err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				"the byte order of %s:%s cannot be changed: the layout of field %s "
				"of type %s and %u bytes is not known",
				tdat_event_format_system(format), tdat_event_format_name(format),
				f->name, f->type, f->len);
		/* Unions list several fields at one place: the first one decides. */
		if (f->off < done && f->len)
			continue; /* lies over another field */
		plan->steps[plan->count] = plan_step(f, elem, i + 1 == count && !locs);
		plan->steps[plan->count++].sockaddr = elem == 1 && is_sockaddr(&fmt, f);
		if (f->len)
			done = f->off + f->len;
	}
	return TDAT_OK;
}

/* ---- options ---- */

static uint32_t swap32(struct tdat_build *out, struct tdat_cursor *c)
{
	uint32_t v = tdat_cursor_u32(c);

	tdat_build_u32(out, v);
	return v;
}

static void swap64(struct tdat_build *out, struct tdat_cursor *c)
{
	tdat_build_u64(out, tdat_cursor_u64(c));
}

static void swap_str(struct tdat_build *out, struct tdat_cursor *c)
{
	struct tdat_span text = tdat_cursor_cstr(c);

	tdat_build_bytes(out, text.ptr, text.len);
	tdat_build_u8(out, 0);
}

/* Swaps the items from f on. Rows nest only as deep as in the table. */
static void swap_fields(const struct dat_field *f, struct tdat_build *out, struct tdat_cursor *c)
{
	for (; f->item != DAT_ITEM_END && f->item != DAT_ITEM_ROWS_END; f++) {
		uint32_t count;

		switch (f->item) {
		case DAT_ITEM_STR:
			swap_str(out, c);
			break;
		case DAT_ITEM_U32:
		case DAT_ITEM_S32:
			swap32(out, c);
			break;
		case DAT_ITEM_ROWS:
			count = swap32(out, c);
			for (uint32_t i = 0; i < count && tdat_cursor_ok(c); i++)
				swap_fields(f + 1, out, c);
			f = dat_fields_after_rows(f);
			break;
		case DAT_ITEM_REST64:
			while (tdat_cursor_left(c) && tdat_cursor_ok(c))
				swap64(out, c);
			break;
		default:
			swap64(out, c);
		}
	}
}

/* Texts stay; payloads of fields are swapped item by item of their row. */
enum tdat_status swap_option(struct tdat_build *out, uint16_t id, struct tdat_span data, bool big,
			     struct tdat_error *err)
{
	struct tdat_cursor c = tdat_cursor_init(data.ptr, data.len, 0, big);
	const struct dat_option_def *def = dat_option_def(id);

	if (def->nul != DAT_NUL_NONE)
		tdat_build_bytes(out, data.ptr, data.len);
	else if (def->role == DAT_ROLE_FACT && def->fields)
		swap_fields(def->fields, out, &c);
	else
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "the byte order of option %u of %zu bytes cannot be changed, "
				      "because its layout is not known",
				      id, data.len);
	if (!tdat_cursor_ok(&c))
		return tdat_cursor_error(&c, err, def->name);
	if (out->failed)
		return tdat_error_no_memory(err, "options");
	return TDAT_OK;
}
