/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Warns of inputs that are no part of the capture that is converted. A folder of a capture
 * often has notes beside it: texts are left out in silence unless they look like data, all
 * others with a warning.
 */
#include "import/left_out.h"

#include <inttypes.h>

#include "window.h"

/* Bytes of a file that decide if it is prose. */
enum { HEAD_LEN = 512 };

/* True if a file begins as plain text, as notes beside a capture do. Empty files are not prose. */
bool import_is_prose(const struct tdat_source *source)
{
	uint8_t buf[HEAD_LEN];
	const struct tdat_span head = import_look(source, buf, sizeof(buf));

	for (size_t i = 0; i < head.len; i++)
		if (head.ptr[i] < 0x20 && head.ptr[i] != '\n' && head.ptr[i] != '\t' &&
		    head.ptr[i] != '\r')
			return false;
	return head.len > 0;
}

/*
 * Warns that an input is ignored and why, unless it is empty or notes. like_data: warn even of
 * text.
 */
enum tdat_status import_warn_left_out(const struct tdat_emit *emit,
				      const struct tdat_import_input *in, bool like_data,
				      const char *why, struct tdat_error *err)
{
	uint64_t len = tdat_source_len(in->source);

	if (!len || (!like_data && import_is_prose(in->source)))
		return TDAT_OK;
	return tdat_emit_warnf(emit, in->path, TDAT_NO_OFFSET, err,
			       "%" PRIu64 " bytes are omitted: %s", len, why);
}

/* Keeps the first input of a kind in *slot; warns of each further one. */
enum tdat_status import_take_once(const struct tdat_import_input **slot,
				  const struct tdat_import_input *in, const struct tdat_emit *emit,
				  struct tdat_error *err)
{
	if (*slot)
		return import_warn_left_out(emit, in, true, "another input has this file name",
					    err);
	*slot = in;
	return TDAT_OK;
}
