/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the decoding of EventHeader events. An input is a record behind its common fields. The
 * fields are one JSON object, the same twice; what is left of the values are their last bytes. Of
 * a record that has a shape each field can be taken alone, also where there is little room.
 */
#include <string.h>

#include "core/build.h"
#include "fuzz.h"
#include "model/event_header.h"
#include "syntax.h"

enum { COMMON = 8, MOST = 1 << 14 };

static const char format_text[] =
	"name: fuzz\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"
	"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"
	"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"
	"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

static void decode(const struct event_header *h)
{
	struct tdat_span rest, again;
	struct tdat_build a, b;

	tdat_build_init(&a, false);
	tdat_build_init(&b, false);
	rest = event_header_put_fields(h, MOST, &a);
	again = event_header_put_fields(h, MOST, &b);
	FUZZ_ASSERT(a.len == b.len && !memcmp(a.ptr, b.ptr, a.len) && rest.len == again.len);
	FUZZ_ASSERT(fuzz_is_json_object((const char *)a.ptr, a.len));
	FUZZ_ASSERT(!rest.len || rest.ptr + rest.len == h->values.ptr + h->values.len);
	tdat_build_fini(&a);
	tdat_build_fini(&b);
}

static void decode_alone(const struct event_header *h)
{
	struct event_header_shape shape = {.name = h->name, .definitions = h->definitions};
	struct tdat_build text;

	tdat_build_init(&text, false);
	if (event_header_shape_read(&shape, h->big, &text)) {
		FUZZ_ASSERT(!h->described || event_header_has_shape(h, &shape));
		for (size_t i = 0; i < shape.count; i++) {
			const size_t before = text.len;

			event_header_put_one(h, &shape, i, &text);
			text.len = before;
			FUZZ_ASSERT(tdat_build_hold(&text, i));
			event_header_put_one(h, &shape, i, &text);
			FUZZ_ASSERT(text.len >= before && text.len <= before + i);
			tdat_build_let_go(&text);
		}
	}
	tdat_build_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tdat_span text = {(const uint8_t *)format_text, sizeof(format_text) - 1};
	uint8_t *record = calloc(1, COMMON + size);
	struct tdat_event_format *format = NULL;
	struct event_header h;

	FUZZ_ASSERT(record);
	FUZZ_ASSERT(model_format_parse(&format, "user_events", text, 0, false, 8, NULL) == TDAT_OK);
	FUZZ_ASSERT(event_header_is(format));
	if (size)
		memcpy(record + COMMON, data, size);
	if (event_header_read(format, (struct tdat_span){record, COMMON + size}, &h)) {
		decode(&h);
		decode_alone(&h);
	}
	model_format_free(format);
	free(record);
	return 0;
}
