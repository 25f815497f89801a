/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out, once for each event type, how its records become payloads. A class is a list of
 * steps: which bytes of a record go where in a payload, in the order of fields. Fields that the
 * context has already are left out. A class is made by each thread and by metadata.c, from the
 * same format, so both agree.
 */
#include "ctf.h"

#include <stdlib.h>
#include <string.h>

/* True for fields that the header and context of every event have. */
static bool is_in_context(const struct tdat_field *f)
{
	static const char *const names[] = {"common_type", "common_flags", "common_preempt_count",
					    "common_pid"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(f->name, names[i]))
			return true;
	return false;
}

/* Adds a field's step. Fields that adjoin in the record become one copy. */
static void add_step(struct ctf_class *c, size_t field)
{
	const struct tdat_field *f = c->list[field].field;
	struct ctf_step *last = c->step_count ? &c->steps[c->step_count - 1] : NULL;
	const uint64_t end = (uint64_t)f->off + f->len;

	/* Dynamic fields, and masks, which become lists of bits, are converted one by one. */
	if (!c->list[field].fixed || c->list[field].kind == TDAT_VALUE_BITS) {
		c->steps[c->step_count++] = (struct ctf_step){.field = field};
		return;
	}
	/* Records shorter than need lack a field and take the slower way. */
	if (end > c->need)
		c->need = end > SIZE_MAX ? SIZE_MAX : (size_t)end;
	if (last && last->copy && last->off + last->len == f->off)
		last->len += f->len;
	else
		c->steps[c->step_count++] =
			(struct ctf_step){.copy = true, .off = f->off, .len = f->len};
}

/* Field of one byte, or NULL. */
static const struct tdat_field *byte_field(const struct tdat_event_format *format, const char *name)
{
	const struct tdat_field *f = tdat_event_format_field(format, name);

	return f && f->len == 1 ? f : NULL;
}

/* Id of a system call, by which LTTng's names need an event class of their own. */
static const struct tdat_field *call_field(const struct tdat_event_format *format)
{
	const char *name = tdat_event_format_name(format);
	const struct tdat_field *id = tdat_event_format_field(format, "id");

	if (strcmp(tdat_event_format_system(format), "raw_syscalls") != 0 || !id ||
	    (strcmp(name, "sys_enter") != 0 && strcmp(name, "sys_exit") != 0))
		return NULL;
	return id->len == 4 || id->len == 8 ? id : NULL;
}

/* Makes the class of an event id. *out NULL: the file does not describe it. */
enum tdat_status ctf_class_new(struct ctf_class **out, const struct ctf_state *state, size_t input,
			       uint32_t id, struct tdat_error *err)
{
	const struct tdat_file *file = state->inputs[input].file;
	const uint64_t failures = tdat_file_memory_failures(file);
	const struct tdat_event_format *format = tdat_file_format_by_id(file, id);
	struct ctf_class *c;
	size_t n;

	*out = NULL;
	if (!format && failures != tdat_file_memory_failures(file))
		return tdat_error_no_memory(err, "an event format");
	if (!format)
		return TDAT_OK;
	c = calloc(1, sizeof(*c));
	if (!c || tdat_field_types_new(&c->types, format, err) != TDAT_OK) {
		free(c);
		return tdat_error_no_memory(err, "an event type");
	}
	c->format = format;
	c->big = state->inputs[input].big;
	c->list = tdat_field_types_list(c->types, &n);
	c->fields = calloc(n + 1, sizeof(*c->fields));
	c->steps = calloc(n + 1, sizeof(*c->steps));
	if (!c->fields || !c->steps) {
		ctf_class_free(c);
		return tdat_error_no_memory(err, "an event type");
	}
	for (size_t i = 0; i < n; i++) {
		if (is_in_context(c->list[i].field))
			continue;
		c->fields[c->field_count++] = i;
		add_step(c, i);
	}
	c->flags = byte_field(format, "common_flags");
	c->preempt = byte_field(format, "common_preempt_count");
	c->call_id = state->names == CTF_NAMES_LTTNG ? call_field(format) : NULL;
	*out = c;
	return TDAT_OK;
}

void ctf_class_free(void *class)
{
	struct ctf_class *c = class;

	if (!c)
		return;
	tdat_field_types_free(c->types);
	free(c->fields);
	free(c->steps);
	free(c);
}
