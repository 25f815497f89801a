/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes columns of names, each of which a dictionary has once. A value is found by a key: the
 * address of a task's name, an event id, a number with a view. The text is made and added to
 * the dictionary only if the key is new, so most rows cost one look-up. Called through the
 * table in decode.c.
 */
#include "decode_rows.h"
#include "function_name.h"

/* The index of a key that is new: of text, or null when that has no pointer. */
static int32_t add_key(struct table_rows *r, uint64_t key, struct tdat_span text)
{
	int32_t index = TABLE_DICT_NULL;

	if ((text.ptr && !table_dict_text(r->b->dict, text.ptr, text.len, &index)) ||
	    !table_dict_set_key(r->b->dict, key, index))
		rows_no_memory(r);
	return index;
}

/* ptr stays NULL for NULL, which add_key() takes as null. */
static struct tdat_span span_of(const char *text)
{
	return (struct tdat_span){(const uint8_t *)text, text ? strlen(text) : 0};
}

/* Names of tasks never move: their address is the key. */
void rows_decode_comm(struct table_rows *r)
{
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = rows_number_room(r, 4);
	const uint8_t *last = NULL;
	int32_t index = TABLE_DICT_NULL;

	for (size_t i = 0; at && i < count; i++) {
		const struct tdat_span comm = events[i]->comm;

		/* Runs of one task share the pointer, so most rows cost one comparison. */
		if (comm.ptr != last) {
			const uint64_t key = (uintptr_t)comm.ptr;

			last = comm.ptr;
			index = table_dict_key(r->b->dict, key);
			if (index == TABLE_DICT_NEW)
				index = add_key(r, key, comm);
		}
		rows_put_index(r, at, i, index);
	}
}

/* Texts that belong to the input, the buffer or the format of an event. */
static struct tdat_span text_of(const struct table_rows *r, const struct tdat_event *ev,
				const struct tdat_event_format *format)
{
	switch (r->source->decode) {
	case TABLE_D_FILE:
		return span_of(tdat_file_info(r->in->file)->name);
	case TABLE_D_BUFFER:
		return span_of(ev->buffer < r->in->buffer_count ? r->in->buffers[ev->buffer].name
								: "");
	case TABLE_D_SYSTEM:
		return span_of(format ? tdat_event_format_system(format) : NULL);
	default:
		return span_of(format ? tdat_event_format_name(format) : NULL);
	}
}

/* The index of the text that belongs to a key, of an event that has it. */
static int32_t text_index(struct table_rows *r, uint64_t key, const struct tdat_event *ev,
			  bool format)
{
	int32_t index = table_dict_key(r->b->dict, key);

	if (index == TABLE_DICT_NEW)
		index = add_key(
			r, key,
			text_of(r, ev,
				format ? tdat_file_format_by_id(r->in->file, ev->id) : NULL));
	return index;
}

/*
 * Names of inputs and buffers, mostly one for all events of a run. All events of a run are of one
 * input, so its name is looked up once.
 */
void rows_decode_place(struct table_rows *r)
{
	const bool buffer = r->source->decode == TABLE_D_BUFFER;
	const bool one = !buffer || r->run->one_buffer;
	/* The input in the high half makes keys unique among files that are read together. */
	const uint64_t input = (uint64_t)r->events[0]->input << 32;
	uint8_t *at = rows_number_room(r, 4);
	int32_t index = TABLE_DICT_NULL;

	for (size_t i = 0; at && i < r->count; i++) {
		if (!i || !one)
			index = text_index(r, buffer ? input | r->events[i]->buffer : input,
					   r->events[i], false);
		rows_put_index(r, at, i, index);
	}
}

/*
 * Systems and names of event types. Ids are per file: the same number may be another event in a
 * second input.
 */
void rows_decode_type(struct table_rows *r)
{
	const uint64_t input = (uint64_t)r->events[0]->input << 32;
	const struct tdat_event *const *events = r->events;
	const size_t count = r->count;
	uint8_t *at = rows_number_room(r, 4);

	for (size_t i = 0; at && i < count; i++)
		rows_put_index(r, at, i, text_index(r, input | events[i]->id, events[i], true));
}

/* An address of a field, such as the caller of kmalloc, as a name; null without one. */
void rows_decode_symbol(struct table_rows *r)
{
	uint8_t *at = rows_number_room(r, 4);
	uint64_t addr;

	for (size_t i = 0; at && i < r->count; i++) {
		int32_t index = TABLE_DICT_NULL;

		if (table_load(r->source->field, r->records[i], r->variant->big, &addr))
			index = table_symbol_index(r->b, &r->d->text, r->in->symbols, addr, false,
						   true);
		rows_put_index(r, at, i, index);
	}
}

/* Runs the view of the column on a record. The text is valid until the next run. */
struct tdat_span rows_run_view(struct table_rows *r, struct tdat_span rec)
{
	r->d->text.len = 0;
	model_view_run(r->variant->views, r->source->view, rec, r->d->scratch, &r->d->text);
	if (r->d->text.failed)
		rows_no_memory(r);
	return (struct tdat_span){r->d->text.ptr, r->d->text.len};
}

/* Decodes the text that print fmt prints for a number; null if it has none. */
void rows_decode_view_name(struct table_rows *r)
{
	uint8_t *at = rows_number_room(r, 4);
	uint64_t v;

	for (size_t i = 0; at && i < r->count; i++) {
		const struct tdat_span rec = r->records[i];
		int32_t index = TABLE_DICT_NULL;

		if (table_load(r->source->field, rec, r->variant->big, &v))
			index = table_dict_key(r->b->dict, v);
		if (index == TABLE_DICT_NEW) {
			struct tdat_span text = rows_run_view(r, rec);

			text.ptr = text.len ? text.ptr : NULL;
			index = add_key(r, v, text);
		}
		rows_put_index(r, at, i, index);
	}
}
