/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes values of fields as JSON and CSV. It is the one place where a value of <tdat/cells.h>
 * becomes text for JSON and CSV of events: numbers, names beside numbers, symbols, lists,
 * hexadecimal bytes.
 */
#include "put_cell.h"

#include "core/json_text.h"
#include "core/number.h"
#include "put_text.h"

/* Writes text in the style's quotes. */
static void put_str(struct tdat_build *out, const struct export_style *style, struct tdat_span s)
{
	if (style->csv)
		export_csv_str(out, s.ptr, s.len);
	else
		tdat_json_quoted(out, s.ptr, s.len);
}

/* Writes a 64-bit number as a string if the style says so. False: it is written as a number. */
static bool put_quoted(struct tdat_build *out, const struct export_style *style, uint64_t v,
		       bool is_signed)
{
	if (style->hex && !is_signed) {
		tdat_build_str(out, "\"0x");
		tdat_number_x64(out, v, 1);
	} else if (style->strings) {
		tdat_build_u8(out, '"');
		tdat_number_int(out, v, is_signed);
	} else {
		return false;
	}
	tdat_build_u8(out, '"');
	return true;
}

/* Writes a number; only those of 64 bits can be strings. */
static inline void put_int(struct tdat_build *out, const struct export_style *style, uint64_t v,
			   bool is_signed, uint8_t len)
{
	if (len == 8 && (style->hex || style->strings) && put_quoted(out, style, v, is_signed))
		return;
	tdat_number_int(out, v, is_signed);
}

/* Writes the numbers of an array: commas between for JSON, blanks for CSV. */
static void put_ints(struct tdat_build *out, const struct export_style *style,
		     const struct tdat_cell *cell)
{
	const struct tdat_span s = cell->bytes;
	const uint32_t unused = 64 - 8 * (uint32_t)cell->len;

	for (size_t at = 0; s.len - at >= cell->len; at += cell->len) {
		uint64_t v = tdat_load_uint(s.ptr + at, cell->len, cell->big);

		/* Extend the sign of the element. */
		if (cell->is_signed)
			v = (uint64_t)((int64_t)(v << unused) >> unused);
		if (at)
			tdat_build_u8(out, style->csv ? ' ' : ',');
		put_int(out, style, v, cell->is_signed, cell->len);
	}
}

/* Writes the numbers of the bits that are set, as in cpumasks. */
static void put_bits(struct tdat_build *out, const struct export_style *style,
		     const struct tdat_cell *cell)
{
	const struct tdat_span s = cell->bytes;
	bool first = true;

	for (size_t at = 0; s.len - at >= cell->len; at += cell->len) {
		uint64_t word = tdat_load_uint(s.ptr + at, cell->len, cell->big);

		for (; word; word &= word - 1) {
			if (!first)
				tdat_build_u8(out, style->csv ? ' ' : ',');
			first = false;
			tdat_number_u64(out, at * 8 + (uint64_t)__builtin_ctzll(word));
		}
	}
}

void export_items(struct tdat_build *out, const struct export_style *style,
		  const struct tdat_cell *cell)
{
	if (cell->kind == TDAT_CELL_INTS)
		put_ints(out, style, cell);
	else
		put_bits(out, style, cell);
}

/* Writes the offset into a function; none for its start. */
static void put_offset(struct tdat_build *out, uint64_t off)
{
	if (!off)
		return;
	tdat_build_bytes(out, "+0x", 3);
	tdat_number_x64(out, off, 1);
}

/* Writes name+0x10 without quotes, escaped for JSON. */
static void put_symbol(struct tdat_build *out, struct tdat_span name, uint64_t off)
{
	tdat_json_inside(out, name);
	put_offset(out, off);
}

/* Writes "name+0x10" by a cache of recent texts: stacks and callers repeat. */
static void put_json_symbol(struct tdat_build *out, struct export_symbols *symbols,
			    struct tdat_span name, uint64_t off)
{
	/* Names are compared by pointer: a symbol table has each name once. */
	const uint64_t hash = ((uintptr_t)name.ptr + off) * UINT64_C(0x9e3779b97f4a7c15);
	struct export_symbol *slot = &symbols->slots[hash >> (64 - EXPORT_SYMBOL_BITS)];
	const size_t start = out->len;
	uint8_t *room;

	if (slot->name != name.ptr || slot->off != off) {
		tdat_build_u8(out, '"');
		put_symbol(out, name, off);
		tdat_build_u8(out, '"');
		if (out->failed || out->len - start > EXPORT_SYMBOL_TEXT)
			return;
		*slot = (struct export_symbol){
			.name = name.ptr, .off = off, .len = out->len - start};
		memcpy(slot->text, out->ptr + start, slot->len);
		return;
	}
	/*
	 * A copy of constant length is faster; the next write overwrites what is behind the text.
	 */
	room = tdat_build_room(out, EXPORT_SYMBOL_TEXT);
	if (!room)
		return;
	memcpy(room, slot->text, EXPORT_SYMBOL_TEXT);
	out->len += slot->len;
}

/* Writes the symbols of addresses as a JSON array. False: it became longer than most. */
static bool put_symbols(struct tdat_build *out, struct tdat_cells *cells,
			const struct tdat_cell_type *type, const struct tdat_cell *cell,
			size_t most)
{
	const struct tdat_span s = cell->bytes;

	tdat_build_u8(out, '[');
	for (size_t at = 0; s.len - at >= cell->len; at += cell->len) {
		const uint64_t addr = tdat_load_uint(s.ptr + at, cell->len, cell->big);
		uint64_t off;
		const struct tdat_span name = tdat_cells_symbol(cells, type, addr, &off);

		if (out->len >= most || name.len > most - out->len)
			return false;
		tdat_build_str(out, at ? ",\"" : "\"");
		if (name.ptr) {
			put_symbol(out, name, off);
		} else {
			tdat_build_str(out, "0x");
			tdat_number_x64(out, addr, 1);
		}
		tdat_build_u8(out, '"');
	}
	tdat_build_u8(out, ']');
	return true;
}

/* Writes a text that was made apart, with the quotes that CSV needs for it. */
static void put_made(struct tdat_build *out, struct tdat_build *made)
{
	out->failed |= made->failed;
	if (!made->failed)
		export_csv_str(out, made->ptr, made->len);
}

/* Writes a symbol or symbols. False, with nothing written: they exceed the limit most. */
static bool put_names(struct tdat_build *out, const struct export_style *style,
		      const struct export_names *names, const struct tdat_cell *cell, size_t most)
{
	struct tdat_build *to = style->csv ? names->text : out;
	const size_t start = out->len;
	bool ok = true;

	/* CSV makes the text apart first, as quotes depend on all of it. */
	if (style->csv) {
		to->len = 0;
		most -= out->len < most ? out->len : most;
	}
	if (cell->kind == TDAT_CELL_SYMBOLS) {
		ok = put_symbols(to, names->cells, names->type, cell, most);
	} else if (to->len >= most || cell->bytes.len > most - to->len) {
		ok = false;
	} else if (style->csv) {
		tdat_build_bytes(to, cell->bytes.ptr, cell->bytes.len);
		put_offset(to, cell->number);
	} else {
		put_json_symbol(to, names->symbols, cell->bytes, cell->number);
	}
	if (!ok)
		out->len = start;
	else if (style->csv)
		put_made(out, to);
	return ok;
}

/*
 * Writes a value in the style of JSON or CSV. False: it exceeds the limit most, which only symbols
 * can; other values are checked after the write.
 */
bool export_cell(struct tdat_build *out, const struct export_style *style,
		 const struct export_names *names, const struct tdat_cell *cell, size_t most)
{
	switch (cell->kind) {
	case TDAT_CELL_NULL:
		tdat_build_str(out, style->csv ? "" : "null");
		break;
	case TDAT_CELL_BOOL:
		tdat_build_str(out, cell->number ? "true" : "false");
		break;
	case TDAT_CELL_INT:
		put_int(out, style, cell->number, cell->is_signed, cell->len);
		break;
	case TDAT_CELL_TEXT:
		put_str(out, style, cell->bytes);
		break;
	case TDAT_CELL_JSON:
		if (style->csv)
			export_csv_str(out, cell->bytes.ptr, cell->bytes.len);
		else
			tdat_build_bytes(out, cell->bytes.ptr, cell->bytes.len);
		break;
	case TDAT_CELL_BYTES:
		tdat_build_str(out, style->csv ? "" : "\"");
		tdat_build_hex(out, cell->bytes.ptr, cell->bytes.len);
		tdat_build_str(out, style->csv ? "" : "\"");
		break;
	case TDAT_CELL_INTS:
	case TDAT_CELL_BITS:
		tdat_build_str(out, style->csv ? "" : "[");
		export_items(out, style, cell);
		tdat_build_str(out, style->csv ? "" : "]");
		break;
	case TDAT_CELL_SYMBOL:
	case TDAT_CELL_SYMBOLS:
		return put_names(out, style, names, cell, most);
	}
	return true;
}
