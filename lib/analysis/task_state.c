/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks the print fmt of sched_switch what a number of prev_state means. Letters of states moved
 * between kernels, so a number means nothing without its format. The print fmt of each format
 * is asked once for each number; the answer becomes one of the words that docs/analysis.md
 * lists, and is kept. Used by sched and thread_state.
 */
#include "task_state.h"

#include <stdlib.h>
#include <string.h>

#include "model/print.h"

const char *task_state_name(enum task_state s)
{
	static const char *const names[] = {"unknown",	"running",	   "runnable", "preempted",
					    "sleeping", "uninterruptible", "stopped",  "traced",
					    "dead",	"parked",	   "idle",     "other"};

	return names[s];
}

enum tdat_status task_states_init(struct task_states *s, struct derived_out *out,
				  struct tdat_error *err)
{
	const size_t types = derived_type_count(out) + 1;

	s->out = out;
	tdat_build_init(&s->text, false);
	s->prints = calloc(types, sizeof(struct model_print *));
	s->known = calloc(types * TASK_STATE_SLOTS, sizeof(*s->known));
	if (!s->prints || !s->known)
		return tdat_error_no_memory(err, "states of tasks");
	return model_scratch_new(&s->scratch, err);
}

void task_states_fini(struct task_states *s)
{
	for (size_t i = 0; s->prints && i < derived_type_count(s->out); i++)
		model_print_free(s->prints[i]);
	free(s->prints);
	free(s->known);
	free(s->record);
	model_scratch_free(s->scratch);
	tdat_build_fini(&s->text);
}

/* The text behind "prev_state=" of a record that has nothing but this state. */
static struct tdat_span print_state(struct task_states *s, const struct derived_type *type,
				    const struct derived_field *f, uint64_t raw)
{
	static const char before[] = "prev_state=", behind[] = " ==>";
	const struct tdat_span none = {NULL, 0};
	const size_t len = type->format->fixed_len;
	struct model_event ev = {.record = {NULL, len}};
	uint8_t *grown = realloc(s->record, len + 1);
	const char *start, *end;

	if (!grown) {
		derived_fail(s->out);
		return none;
	}
	s->record = grown;
	memset(grown, 0, len + 1);
	if (!f->len || (size_t)f->off + f->len > len)
		return none;
	for (size_t i = 0; i < f->len; i++)
		grown[f->off + i] = (uint8_t)(raw >> 8 * (f->big ? f->len - 1u - i : i));
	if (!s->prints[type->index] &&
	    model_print_new(&s->prints[type->index], type->format, type->env,
			    MODEL_PRINT_NO_PLUGINS, NULL) != TDAT_OK) {
		derived_fail(s->out);
		return none;
	}
	ev.record.ptr = grown;
	s->text.len = 0;
	model_print_run(s->prints[type->index], &ev, s->scratch, &s->text);
	tdat_build_u8(&s->text, '\0');
	if (s->text.failed) {
		derived_fail(s->out);
		return none;
	}
	start = strstr((const char *)s->text.ptr, before);
	end = start ? strstr(start, behind) : NULL;
	if (!end)
		return none;
	start += sizeof(before) - 1;
	return (struct tdat_span){(const uint8_t *)start, (size_t)(end - start)};
}

/* Meaning of the bits since Linux 4.14, for a print fmt that cannot be evaluated. */
static struct tdat_span usual_state(uint64_t raw)
{
	static const char letters[] = "SDTtXZPI";
	const char *text = raw & 0x100 ? "R+" : "R";

	for (size_t i = 0; i < 8; i++)
		if (raw >> i & 1)
			return (struct tdat_span){(const uint8_t *)&letters[i], 1};
	return (struct tdat_span){(const uint8_t *)text, strlen(text)};
}

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
	k->text = derived_intern(s->out, text);
	return k;
}
