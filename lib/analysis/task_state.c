/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks the print fmt of sched_switch what a number of prev_state means. Letters of states moved
 * between kernels, so a number means nothing without its format. The print fmt of each format
 * is asked once for each number; the answer becomes one of the words that docs/analysis.md
 * lists, and is kept. Used by sched and thread_state.
 */
#include "core/text.h"
#include "task_state.h"

#include <stdlib.h>
#include <string.h>

/* The words of the column state. */
const char *task_state_name(enum task_state s)
{
	static const char *const names[] = {"unknown",	"running",	   "runnable", "preempted",
					    "sleeping", "uninterruptible", "stopped",  "traced",
					    "dead",	"parked",	   "idle",     "other"};

	return names[s];
}

/* TASK_STATE_SLOTS slots for each type; task_state_find() fills one when its number comes. */
enum tdat_status task_states_init(struct task_states *s, struct derived_out *out,
				  struct tdat_error *err)
{
	const size_t types = derived_type_count(out) + 1;

	s->known = calloc(types * TASK_STATE_SLOTS, sizeof(*s->known));
	if (!s->known)
		return tdat_error_no_memory(err, "states of tasks");
	return prints_init(&s->prints, out, err);
}

void task_states_fini(struct task_states *s)
{
	prints_fini(&s->prints);
	free(s->known);
	free(s->record);
}

/* The text behind "prev_state=" of a record that has nothing but this state. */
static struct tdat_span print_state(struct task_states *s, const struct derived_type *type,
				    const struct derived_field *f, uint64_t raw)
{
	const struct tdat_span none = {NULL, 0};
	const size_t len = type->format->fixed_len;
	struct model_event ev = {.record = {NULL, len}};
	uint8_t *grown = realloc(s->record, len + 1);

	if (!grown) {
		derived_fail(s->prints.out);
		return none;
	}
	s->record = grown;
	memset(grown, 0, len + 1);
	if (!f->len || (size_t)f->off + f->len > len)
		return none;
	for (size_t i = 0; i < f->len; i++)
		grown[f->off + i] = (uint8_t)(raw >> 8 * (f->big ? f->len - 1u - i : i));
	ev.record.ptr = grown;
	return prints_between(&s->prints, type, &ev, "prev_state=", " ==>");
}

/* Meaning of the bits since Linux 4.14, for a print fmt that cannot be evaluated. */
static struct tdat_span usual_state(uint64_t raw)
{
	static const char letters[] = "SDTtXZPI";
	const char *text = raw & 0x100 ? "R+" : "R";

	for (size_t i = 0; i < 8; i++)
		if (raw >> i & 1)
			return (struct tdat_span){(const uint8_t *)&letters[i], 1};
	return tdat_span_of(text);
}

/* A letter becomes a word. "R+" is a task that was preempted while it ran. */
static enum task_state state_of(struct tdat_span text)
{
	static const struct {
		char letter;
		enum task_state state;
	} states[] = {
		{'R', TASK_RUNNABLE}, {'S', TASK_SLEEPING}, {'D', TASK_UNINTERRUPTIBLE},
		{'T', TASK_STOPPED},  {'t', TASK_TRACED},   {'X', TASK_DEAD},
		{'x', TASK_DEAD},     {'Z', TASK_DEAD},	    {'P', TASK_PARKED},
		{'I', TASK_IDLE},
	};

	if (text.len && text.ptr[text.len - 1] == '+')
		return TASK_PREEMPTED;
	for (size_t i = 0; text.len && i < sizeof(states) / sizeof(states[0]); i++)
		if (text.ptr[0] == states[i].letter)
			return states[i].state;
	return TASK_OTHER;
}

/* Called when the slot has another number: prints it, and keeps the answer. */
const struct task_state_known *task_state_find(struct task_states *s,
					       const struct derived_type *type,
					       const struct derived_field *prev_state, uint64_t raw)
{
	struct task_state_known *k = &s->known[type->index * TASK_STATE_SLOTS +
					       ((raw ^ raw >> 6) & (TASK_STATE_SLOTS - 1))];
	struct tdat_span text = print_state(s, type, prev_state, raw);

	if (!text.len)
		text = usual_state(raw);
	k->raw = raw;
	k->state = state_of(text);
	k->text = derived_intern(s->prints.out, text);
	return k;
}
