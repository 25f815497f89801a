/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the text of an address. */
#include "function_name.h"

#include "core/number.h"

bool table_function_name(struct tdat_build *out, const struct model_symbols *symbols, uint64_t addr,
			 bool number)
{
	uint64_t start = 0;
	const struct tdat_span name =
		symbols ? model_symbols_find(symbols, addr, &start) : (struct tdat_span){NULL, 0};

	out->len = 0;
	if (!name.ptr && !number)
		return false;
	if (name.len > TABLE_FUNCTION_NAME_MAX) {
		tdat_build_bytes(out, name.ptr, TABLE_FUNCTION_NAME_MAX);
		tdat_build_str(out, "[CUT]");
	} else if (name.ptr) {
		tdat_build_bytes(out, name.ptr, name.len);
	}
	if (!name.ptr || addr != start) {
		tdat_build_str(out, name.ptr ? "+0x" : "0x");
		tdat_number_x64(out, name.ptr ? addr - start : addr, 1);
	}
	return true;
}
