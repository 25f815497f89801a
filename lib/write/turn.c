/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "turn.h"

#include <stdlib.h>

enum { IDS = 65536 };

static enum tdat_status no_memory(const struct write_turn *t, struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to copy %s",
			      tdat_file_info(t->file)->name);
}

enum tdat_status write_turn_init(struct write_turn *t, const struct tdat_file *file,
				 struct tdat_arena *arena, struct tdat_error *err)
{
	*t = (struct write_turn){.file = file, .arena = arena};
	t->memory_failures = tdat_file_memory_failures(file);
	t->plans = calloc(IDS, sizeof(struct swap_plan *));
	return t->plans ? TDAT_OK : no_memory(t, err);
}

void write_turn_fini(struct write_turn *t)
{
	free(t->plans);
	free(t->record);
	*t = (struct write_turn){.file = NULL};
}

static enum tdat_status find_plan(struct write_turn *t, uint32_t id, const struct swap_plan **out,
				  struct tdat_error *err)
{
	const struct tdat_format *format;
	struct swap_plan *plan;
	enum tdat_status st;

	if (id < IDS && t->plans[id]) {
		*out = t->plans[id];
		return TDAT_OK;
	}
	format = tdat_file_format_by_id(t->file, id);
	if (tdat_file_memory_failures(t->file) != t->memory_failures)
		return no_memory(t, err);
	if (!format || id >= IDS)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "the byte order of event %u cannot be changed: it has no "
				      "format", id);
	plan = tdat_arena_alloc(t->arena, sizeof(*plan));
	if (!plan)
		return no_memory(t, err);
	st = write_swap_plan(plan, format, tdat_file_info(t->file)->kernel_long_size, t->arena,
			     err);
	if (st == TDAT_OK)
		*out = t->plans[id] = plan;
	return st;
}

enum tdat_status write_turn_record(struct write_turn *t, uint32_t id, struct tdat_span record,
				   struct tdat_span *out, struct tdat_error *err)
{
	const struct swap_plan *plan = NULL;
	enum tdat_status st = find_plan(t, id, &plan, err);

	if (st != TDAT_OK)
		return st;
	if (record.len > t->record_cap) {
		uint8_t *p = realloc(t->record, record.len * 2);

		if (!p)
			return no_memory(t, err);
		t->record = p;
		t->record_cap = record.len * 2;
	}
	if (record.len)
		memcpy(t->record, record.ptr, record.len);
	write_swap_record(plan, t->record, record.len, tdat_file_info(t->file)->big_endian);
	*out = (struct tdat_span){t->record, record.len};
	return TDAT_OK;
}
