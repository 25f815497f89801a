/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the bytes of one section of an opened file, inflated where they are compressed. Callers
 * get a copy that they free; nothing is kept. Used by info and by the checks of sections.
 */
#include <stdlib.h>
#include <string.h>

#include "dat/v7.h"
#include "file.h"

/* Works on a copy of the index, as an opened file never changes. */
enum tdat_status tdat_file_section_read(const struct tdat_file *file,
					const struct tdat_section *section, uint8_t **out,
					size_t *len, struct tdat_error *err)
{
	const char *what = *section->description ? section->description : "a section";
	struct dat_index ix = file->ix;
	struct tdat_span body = {NULL, 0};
	struct v7_head head;
	enum tdat_status st;

	/* A view of the index that has memory of its own, also for what opening the file found. */
	memset(&ix.arena, 0, sizeof(ix.arena));
	ix.damage = NULL;
	ix.damage_count = ix.damage_cap = 0;
	if (ix.version < 7)
		st = dat_index_bytes(&ix, section->body_off, section->body_len, what, &body, err);
	else
		st = v7_read_body(&ix, section->off, section->id, what, &head, &body, err);
	*out = st == TDAT_OK ? malloc(body.len + 1) : NULL;
	*len = 0;
	if (st == TDAT_OK && !*out)
		st = tdat_error_set(err, TDAT_E_NOMEM, section->off, "no memory for %s", what);
	if (st == TDAT_OK) {
		if (body.len)
			memcpy(*out, body.ptr, body.len);
		(*out)[body.len] = 0;
		*len = body.len;
	}
	free(ix.damage);
	tdat_arena_fini(&ix.arena);
	return st;
}
