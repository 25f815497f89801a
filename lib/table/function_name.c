/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the text of an address. Tables, stacks and derived tables show an address by the symbol
 * that the kernel's %pS would find.
 */
#include "function_name.h"

#include "core/number.h"

/*
 * Writes NAME+0xOFFSET [MODULE], or the name alone at the start of a function. number: writes the
 * address if there is no symbol; otherwise returns false then.
 */
static bool function_name(struct tdat_build *out, const struct model_symbols *symbols,
			  uint64_t addr, bool number)
{
	struct model_symbol symbol = {.name = {NULL, 0}, .start = addr};
	struct tdat_span name;

	if (symbols && !model_symbols_lookup(symbols, addr, &symbol))
		symbol.name = (struct tdat_span){NULL, 0};
	name = symbol.name;
	out->len = 0;
	if (!name.ptr && !number)
		return false;
	/* No kernel has longer names (KSYM_NAME_LEN): they come from damage or crafted files. */
	if (name.len > TABLE_FUNCTION_NAME_MAX) {
		tdat_build_bytes(out, name.ptr, TABLE_FUNCTION_NAME_MAX);
		tdat_build_str(out, "[CUT]");
	} else if (name.ptr) {
		tdat_build_bytes(out, name.ptr, name.len);
	}
	if (!name.ptr || addr != symbol.start) {
		tdat_build_str(out, name.ptr ? "+0x" : "0x");
		tdat_number_x64(out, name.ptr ? addr - symbol.start : addr, 1);
	}
	if (name.ptr && symbol.module.len) {
		tdat_build_bytes(out, " [", 2);
		tdat_build_bytes(out, symbol.module.ptr, symbol.module.len);
		tdat_build_u8(out, ']');
	}
	return true;
}

int32_t table_add_symbol(struct table_builder *b, struct tdat_build *text,
			 const struct model_symbols *symbols, uint64_t addr, bool number,
			 bool keyed)
{
	int32_t index = TABLE_DICT_NULL;

	if (function_name(text, symbols, addr, number))
		b->failed |= !table_dict_text(b->dict, text->ptr, text->len, &index);
	b->failed |= text->failed || (keyed && !table_dict_set_key(b->dict, addr, index));
	return index;
}

void table_put_symbols(struct table_builder *b, struct tdat_build *text,
		       const struct table_input *in, struct tdat_span addrs, uint8_t len, bool big,
		       bool keyed)
{
	const size_t most = table_names_most(in, addrs.len), before = b->names_len;

	for (size_t at = 0; at < addrs.len && !b->failed; at += len) {
		const uint64_t addr = tdat_load_uint(addrs.ptr + at, len, big);
		const bool named = b->names_len - before < most;
		const int32_t index = table_symbol_index(b, text, named ? in->symbols : NULL, addr,
							 true, keyed && named);

		b->failed = b->failed || !table_builder_put_name(b, index);
	}
}
