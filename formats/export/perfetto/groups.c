/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads which thread group each task is of. The text is the file's saved_tgids; entries are
 * sorted by task and found by halves.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "state.h"

static int by_tid(const void *a, const void *b)
{
	const struct pf_group *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static bool take_number(struct tdat_span *line, int32_t *out)
{
	uint64_t v = 0;
	bool any = false;

	while (line->len && (*line->ptr == ' ' || *line->ptr == '\t')) {
		line->ptr++;
		line->len--;
	}
	while (line->len && *line->ptr >= '0' && *line->ptr <= '9' && v <= INT32_MAX) {
		v = v * 10 + (uint64_t)(*line->ptr++ - '0');
		line->len--;
		any = true;
	}
	*out = (int32_t)v;
	return any && v <= INT32_MAX;
}

/* Lines "TID TGID" of saved_tgids (kernel/trace/trace.c: saved_tgids_show). */
enum tdat_status pf_groups_read(struct pf_input *in, struct tdat_error *err)
{
	struct tdat_span text = tdat_file_part(in->file, TDAT_PART_TGIDS);
	size_t cap = 0;

	while (text.len) {
		const uint8_t *end = memchr(text.ptr, '\n', text.len);
		struct tdat_span line = {text.ptr, end ? (size_t)(end - text.ptr) : text.len};
		const size_t taken = line.len + (end != NULL);
		struct pf_group one, *grown;

		text.ptr += taken;
		text.len -= taken;
		if (!take_number(&line, &one.tid) || !take_number(&line, &one.tgid))
			continue;
		grown = tdat_grown(in->groups, &cap, in->group_count + 1, sizeof(*grown));
		if (!grown)
			return tdat_error_no_memory(err, "an export");
		in->groups = grown;
		grown[in->group_count++] = one;
	}
	if (in->group_count)
		qsort(in->groups, in->group_count, sizeof(*in->groups), by_tid);
	return TDAT_OK;
}

int32_t pf_group_of(const struct pf_input *in, int32_t tid)
{
	const struct pf_group key = {tid, 0};
	const struct pf_group *found = NULL;

	if (in->group_count)
		found = bsearch(&key, in->groups, in->group_count, sizeof(key), by_tid);
	return found && found->tgid ? found->tgid : tid;
}
