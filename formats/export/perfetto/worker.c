/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the message of each event, on all threads, with what pack needs to know of it before
 * it. A slot for each event says what pack must do first: a descriptor, a symbol, a stack, a
 * slice. Each thread has its own plans and cells; nothing here depends on the events before.
 */
#include <stdlib.h>
#include <string.h>

#include "event_write.h"
#include "export/each.h"
#include "export/type_cache.h"
#include "markup.h"
#include "state.h"

/* State of one thread. */
struct worker {
	const struct pf_state *state;
	struct export_type_cache plans; /* of pf_plan */
	struct tdat_printer *printer;	/* NULL: not needed yet */
	struct tdat_cells *cells;
};

/* Also for a worker whose open failed. */
static void worker_close(void *worker)
{
	struct worker *w = worker;

	if (!w)
		return;
	export_type_cache_fini(&w->plans);
	tdat_printer_free(w->printer);
	tdat_cells_free(w->cells);
	free(w);
}

/* Opens a worker of the sink, once for each thread. */
static enum tdat_status worker_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct pf_state *s = ctx;
	struct worker *w = calloc(1, sizeof(*w));
	enum tdat_status st;

	*worker = NULL;
	if (!w)
		return tdat_error_no_memory(err, "an export");
	w->state = s;
	st = export_type_cache_init(&w->plans, s->input_count, pf_plan_free, err);
	if (st == TDAT_OK)
		st = tdat_cells_new(&w->cells, err);
	if (st == TDAT_OK)
		*worker = w;
	else
		worker_close(w);
	return st;
}

/*
 * Makes the plan of an id; *plan NULL: the file does not describe it. Plans of all threads are
 * equal, as they depend on the format only.
 */
enum tdat_status pf_plan_of(const struct pf_state *s, size_t input, uint32_t id,
			    struct pf_plan **plan, struct tdat_error *err)
{
	const struct tdat_file *file = s->inputs[input].file;
	/* A format that could not be parsed for lack of memory must not count as unknown. */
	const uint64_t failures = tdat_file_memory_failures(file);
	const struct tdat_event_format *format = tdat_file_format_by_id(file, id);

	*plan = NULL;
	if (format)
		return pf_plan_new(plan, format, pf_described_number(input, id), &s->choice, err);
	return failures == tdat_file_memory_failures(file) ? TDAT_OK
							   : tdat_error_no_memory(err, "an export");
}

/* Prints the event's info text, as dump does; the printer is made at the first use. */
static enum tdat_status text_of(struct worker *w, const struct tdat_event *ev,
				struct tdat_span *text, struct tdat_error *err)
{
	struct tdat_print_opts opts = TDAT_PRINT_OPTS_INIT;
	enum tdat_status st = TDAT_OK;

	if (!w->printer)
		st = tdat_printer_new(&w->printer, w->state->iter_inputs, w->state->input_count,
				      &opts, err);
	return st == TDAT_OK ? tdat_printer_info(w->printer, ev, text, err) : st;
}

/* Returns the text of bprint and bputs without the function name that dump prints before it. */
static struct tdat_span without_function(struct tdat_span text)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.ptr[i] == ':' && text.ptr[i + 1] == ' ')
			return (struct tdat_span){text.ptr + i + 2, text.len - i - 2};
	return text;
}

/*
 * Returns the event's text in *mark if slices and counters are made of it. False: it is an event as
 * others are.
 */
static bool mark_of(const struct pf_plan *plan, const struct tdat_event *ev, struct tdat_span text,
		    struct tdat_span *mark)
{
	if (!plan->marks)
		return false;
	*mark = without_function(text);
	if (plan->mark && tdat_field_string(plan->mark, ev->record, mark, NULL) != TDAT_OK)
		return false;
	return pf_is_markup(*mark);
}

/* Fails for an event that is_taken() refuses, with the reason. */
static enum tdat_status refuse(const struct worker *w, const struct tdat_event *ev,
			       struct tdat_error *err)
{
	if (ev->input >= w->state->input_count ||
	    ev->buffer >= w->state->inputs[ev->input].buffer_count || ev->id >= EXPORT_IDS)
		return export_type_foreign(err);
	return tdat_error_set(err, TDAT_E_LIMIT, ev->off,
			      "an event of CPU %u cannot be exported: Perfetto reads only CPUs 0 "
			      "to %d; omit this CPU with --cpu",
			      ev->cpu, PF_MOST_CPUS - 1);
}

/*
 * True if the event's numbers are within the tables; checked for each event, as callers may pass
 * any.
 */
static inline bool is_taken(const struct worker *w, const struct tdat_event *ev)
{
	return ev->input < w->state->input_count &&
	       ev->buffer < w->state->inputs[ev->input].buffer_count && ev->id < EXPORT_IDS &&
	       ev->cpu < PF_MOST_CPUS;
}

/*
 * Returns the number that a field has in a record; 0: no such field, or it is outside the record.
 */
static uint64_t number_in(const struct tdat_field *f, struct tdat_span record)
{
	uint64_t v;

	return f && tdat_field_u64(f, record, &v, NULL) == TDAT_OK ? v : 0;
}

/* Appends the piece of a call: its bytes are the function's name, where no address is known. */
static void put_call(const struct pf_plan *plan, const struct pf_piece *event,
		     struct tdat_span record, struct tdat_build *out)
{
	struct tdat_span name = {NULL, 0};
	struct pf_piece piece = *event;

	if (plan->name && tdat_field_string(plan->name, record, &name, NULL) != TDAT_OK)
		return;
	piece.kind = PF_PIECE_CALL;
	piece.len = (uint32_t)name.len;
	piece.exit = plan->exit;
	tdat_build_bytes(out, &piece, sizeof(piece));
	tdat_build_bytes(out, name.ptr, name.len);
}

/* Appends the piece of a stack with its addresses; an empty stack has none. */
static void put_stack(const struct pf_plan *plan, const struct pf_piece *event,
		      struct tdat_span record, bool big, struct tdat_build *out)
{
	const size_t start = out->len;
	struct pf_piece piece = *event;

	piece.kind = PF_PIECE_STACK;
	piece.user = plan->user;
	piece.number =
		plan->user ? number_in(tdat_event_format_field(plan->format, "tgid"), record) : 0;
	tdat_build_bytes(out, &piece, sizeof(piece));
	pf_stack_write(plan, record, big, out);
	if (out->failed)
		return;
	piece.len = (uint32_t)(out->len - start - sizeof(piece));
	if (!piece.len)
		out->len = start;
	else
		memcpy(out->ptr + start, &piece, sizeof(piece));
}

/* Finds the plan for events of an id, once per thread; *plan NULL: no file describes them. */
static enum tdat_status make_plan(struct worker *w, const struct tdat_event *ev,
				  struct pf_plan **plan, struct tdat_error *err)
{
	struct tdat_file *file = w->state->inputs[ev->input].file;
	const struct tdat_cell_type *cells;
	enum tdat_status st = pf_plan_of(w->state, ev->input, ev->id, plan, err);

	if (st != TDAT_OK || !*plan)
		return st;
	st = tdat_cells_type(w->cells, file, (*plan)->format, &cells, err);
	if (st == TDAT_OK)
		pf_plan_columns(*plan, cells);
	return st;
}

/* Appends the pieces of one event: its message, then its stack and its call if it has them. */
static enum tdat_status put_event(void *worker, const struct tdat_event *ev, struct tdat_build *out,
				  struct tdat_error *err)
{
	struct worker *w = worker;
	struct pf_piece piece = {.input = ev->input,
				 .buffer = ev->buffer,
				 .cpu = ev->cpu,
				 .id = ev->id,
				 .pid = ev->pid,
				 .ts = ev->ts,
				 .lost = ev->lost_before,
				 .kind = PF_PIECE_EVENT};
	const struct pf_state *s = w->state;
	struct pf_reader reader = {.cells = w->cells, .status = TDAT_OK, .err = err};
	struct tdat_span text = {NULL, 0}, mark;
	const size_t start = out->len;
	struct pf_plan *plan;
	enum tdat_status st;
	void **slot;

	if (!is_taken(w, ev))
		return refuse(w, ev, err);
	st = export_type_slot(&w->plans, ev, &slot, err);
	plan = *slot;
	if (!plan)
		st = make_plan(w, ev, &plan, err);
	*slot = plan;
	if (st == TDAT_OK && plan && plan->text)
		st = text_of(w, ev, &text, err);
	if (st != TDAT_OK)
		return st;
	/* Limit of texts, as tdat's printer has it for this file. */
	reader.big = s->inputs[ev->input].big;
	reader.text_most =
		s->inputs[ev->input].text_max + s->inputs[ev->input].per_byte * ev->record.len;
	reader.type = plan ? plan->cells : NULL;
	/* The piece is written again below, when its length is known. */
	tdat_build_bytes(out, &piece, sizeof(piece));
	if (plan && mark_of(plan, ev, text, &mark)) {
		pf_mark_write(plan, ev, reader.big, mark, out);
	} else if (plan) {
		pf_event_write(plan, ev, &reader, text, out);
		piece.described = plan->form == PF_DESCRIBED;
	} else {
		pf_unknown_write(ev, pf_described_number(ev->input, ev->id), s->choice.pairs, out);
		piece.described = !s->choice.pairs;
	}
	if (reader.status != TDAT_OK)
		return reader.status;
	if (plan) {
		piece.number = number_in(plan->function, ev->record);
		piece.left_out = plan->left_out;
	}
	/* A failure of memory is the buffer's flag, which the caller checks. */
	if (out->failed)
		return TDAT_OK;
	if (out->len - start > UINT32_MAX / 2)
		return tdat_error_set(err, TDAT_E_LIMIT, ev->off,
				      "an event of %zu bytes is too long", ev->record.len);
	piece.len = (uint32_t)(out->len - start - sizeof(piece));
	memcpy(out->ptr + start, &piece, sizeof(piece));
	if (plan && plan->stack)
		put_stack(plan, &piece, ev->record, s->inputs[ev->input].big, out);
	if (plan && plan->call && s->choice.tracks)
		put_call(plan, &piece, ev->record, out);
	return TDAT_OK;
}

static enum tdat_status put_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				  struct tdat_build *out, struct tdat_error *err)
{
	return export_each(put_event, worker, batch, done, out, err);
}

const struct tdat_sink_ops pf_events = {
	.size = sizeof(struct tdat_sink_ops),
	.open = worker_open,
	.close = worker_close,
	.batch = put_batch,
};
