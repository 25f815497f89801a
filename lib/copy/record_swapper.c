/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps a plan for each event type by which its records are byte-swapped. The plan of an event
 * type is made from its format at its first record (swap.c) and kept by id. Users are
 * copy_endian.c and merge, where the inputs have different byte orders.
 */
#include "record_swapper.h"

#include <stdlib.h>

#include "core/grow.h"
#include "model/format.h"

/* Event ids have 16 bits. */
enum { IDS = 65536 };

/* Finds common_type as readers do, in the first format that has the common fields. */
static void find_type(struct record_swapper *t)
{
	t->type_len = 2;
	for (size_t i = 0; i < tdat_file_format_count(t->file); i++) {
		const struct tdat_event_format *format;
		const struct tdat_field *type, *pid;

		if (tdat_file_format(t->file, i, &format, NULL) != TDAT_OK)
			continue;
		type = tdat_event_format_field(format, "common_type");
		pid = tdat_event_format_field(format, "common_pid");
		if (!type || !pid || type->len > 8 || pid->len > 8)
			continue;
		t->type_off = type->off;
		t->type_len = type->len;
		return;
	}
}

/* Fails if the swap left the event id unchanged: common_type is elsewhere, or in no field. */
static enum tdat_status check_id(const struct record_swapper *t, uint32_t id, size_t len,
				 struct tdat_error *err)
{
	bool big = !tdat_file_info(t->file)->big_endian;

	if (len < t->type_off + t->type_len ||
	    tdat_load_uint(t->record + t->type_off, t->type_len, big) == id)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "the byte order of event %u cannot be changed: its format has no "
			      "common_type at offset %u",
			      id, t->type_off);
}

enum tdat_status record_swapper_init(struct record_swapper *t, const struct tdat_file *file,
				     struct tdat_arena *arena, struct tdat_error *err)
{
	*t = (struct record_swapper){.file = file, .arena = arena};
	t->memory_failures = tdat_file_memory_failures(file);
	find_type(t);
	t->plans = calloc(IDS, sizeof(struct swap_plan *));
	return t->plans ? TDAT_OK : tdat_error_no_memory(err, tdat_file_info(t->file)->name);
}

void record_swapper_fini(struct record_swapper *t)
{
	free(t->plans);
	free(t->record);
	*t = (struct record_swapper){.file = NULL};
}

/* Made at an id's first record; a format with unread bytes leaves bytes unexplained. */
static enum tdat_status find_plan(struct record_swapper *t, uint32_t id,
				  const struct swap_plan **out, struct tdat_error *err)
{
	const struct tdat_event_format *format;
	struct swap_plan *plan;
	enum tdat_status st;

	if (id < IDS && t->plans[id]) {
		*out = t->plans[id];
		return TDAT_OK;
	}
	/* NULL for lack of memory is not NULL for lack of a format: the file counts failures. */
	format = tdat_file_format_by_id(t->file, id);
	if (tdat_file_memory_failures(t->file) != t->memory_failures)
		return tdat_error_no_memory(err, tdat_file_info(t->file)->name);
	if (!format || id >= IDS || format->unread_off)
		return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				      "the byte order of event %u cannot be changed: %s", id,
				      format ? "its format cannot be read to its end"
					     : "it has no format");
	plan = tdat_arena_alloc(t->arena, sizeof(*plan));
	if (!plan)
		return tdat_error_no_memory(err, tdat_file_info(t->file)->name);
	st = swap_plan_make(plan, format, tdat_file_info(t->file)->kernel_long_size, t->arena, err);
	if (st == TDAT_OK)
		*out = t->plans[id] = plan;
	return st;
}

/* One buffer for all records: the result holds until the next call. */
enum tdat_status record_swapper_run(struct record_swapper *t, uint32_t id, struct tdat_span record,
				    struct tdat_span *out, struct tdat_error *err)
{
	const struct swap_plan *plan = NULL;
	enum tdat_status st = find_plan(t, id, &plan, err);

	if (st != TDAT_OK)
		return st;
	if (!TDAT_GROW(t->record, &t->record_cap, record.len))
		return tdat_error_no_memory(err, tdat_file_info(t->file)->name);
	if (record.len)
		memcpy(t->record, record.ptr, record.len);
	swap_record(plan, t->record, record.len, tdat_file_info(t->file)->big_endian);
	*out = (struct tdat_span){t->record, record.len};
	return check_id(t, id, record.len, err);
}
