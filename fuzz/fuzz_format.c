/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Format files: a byte of byte order and long size, the text, a NUL, a record.
 * Every field of what parses is read from the record.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/format.h"

static void read_field(const struct tdat_field *f, struct tdat_span record)
{
	struct tdat_span bytes = {NULL, 0};
	uint64_t u;
	int64_t i;

	tdat_field_u64(f, record, &u, NULL);
	tdat_field_i64(f, record, &i, NULL);
	if (tdat_field_bytes(f, record, &bytes, NULL) == TDAT_OK &&
	    (bytes.ptr < record.ptr || bytes.len > record.len ||
	     (size_t)(bytes.ptr - record.ptr) > record.len - bytes.len))
		abort();
	tdat_field_string(f, record, &bytes, NULL);
	tdat_field_elem(f, record, 0, &u, NULL);
	tdat_field_elem(f, record, 3, &u, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_event_format *format = NULL;
	struct tdat_span text, record;
	struct tdat_error err = TDAT_ERROR_INIT;
	const uint8_t *nul;
	uint8_t *copy;
	size_t i;

	if (!size)
		return 0;
	nul = memchr(data + 1, 0, size - 1);
	text.ptr = data + 1;
	text.len = nul ? (size_t)(nul - text.ptr) : size - 1;
	record.len = nul ? size - 2 - text.len : 0;
	copy = malloc(record.len + 1);
	if (!copy)
		return 0;
	if (record.len)
		memcpy(copy, nul + 1, record.len);
	record.ptr = copy;
	if (model_format_parse(&format, data[0] & 4 ? "ftrace" : "fuzz", text, 0, data[0] & 1,
			       data[0] & 2 ? 4 : 8, &err) == TDAT_OK) {
		for (i = 0; i < format->field_count; i++)
			read_field(&format->fields[i], record);
		model_format_free(format);
	} else if (!err.message[0]) {
		abort();
	}
	free(copy);
	return 0;
}
