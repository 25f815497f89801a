/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds events by name and describes their fields as the kernel's filters and triggers see
 * them. The fields are those of the event's format, typed by the text of their C type as the
 * kernel does it, and those that every event has, such as cpu and comm. Each event is described
 * once and kept by the session.
 */
#include "event.h"

#include <stdio.h>

/*
 * Fields of every event (trace_define_generic_fields() in kernel/trace/trace_events.c). Length 0:
 * they are not in the record.
 */
static const struct hist_efield every_event[] = {
	{"cpu", "int", 0, 0, true, HIST_TYPE_CPU},
	{"CPU", "int", 0, 0, true, HIST_TYPE_CPU},
	{"common_cpu", "int", 0, 0, true, HIST_TYPE_CPU},
	{"comm", "char *", 0, 0, false, HIST_TYPE_COMM},
	{"COMM", "char *", 0, 0, false, HIST_TYPE_COMM},
};

/* The kernel's filter_assign_type(), which searches the text of the type. */
static enum hist_field_type kind_of(const char *type, bool synthetic)
{
	const bool chars = strstr(type, "char");

	if (strstr(type, "__data_loc") && chars)
		return HIST_TYPE_DYN;
	if (strstr(type, "__rel_loc") && chars)
		return HIST_TYPE_REL;
	if (strchr(type, '[') && chars)
		return HIST_TYPE_STATIC;
	if (!strcmp(type, "char *") || !strcmp(type, "const char *"))
		return HIST_TYPE_POINTER;
	if (synthetic && strstr(type, "long[]"))
		return HIST_TYPE_STACK;
	return HIST_TYPE_NUMBER;
}

/* Copies a field of a format. The type has its length, "char[16]", as kernel types have it. */
static bool fill_field(struct tdat_hist *h, struct hist_efield *out, const struct tdat_field *f,
		       bool synthetic)
{
	const uint32_t elem = f->elem_len ? f->elem_len : 1;

	out->name = hist_strdup(h, f->name);
	if ((f->flags & TDAT_FIELD_ARRAY) && !model_field_is_loc(f))
		out->type = hist_text(h, "%s[%u]", f->type, f->len / elem);
	else
		out->type = hist_strdup(h, f->type);
	out->off = f->off;
	out->len = f->len;
	out->is_signed = f->flags & TDAT_FIELD_SIGNED;
	if (!out->name || !out->type)
		return false;
	out->kind = kind_of(out->type, synthetic);
	return true;
}

/* Events are kept in the arena until the session ends, so that fields may point to them. */
struct hist_event *hist_event_new(struct tdat_hist *h, const char *system, const char *name,
				  uint32_t id, const struct tdat_event_format *format)
{
	struct hist_event *e = hist_alloc(h, 1, sizeof(*e));
	struct hist_efield *fields;
	const struct tdat_field *from;
	size_t count;

	if (!e)
		return NULL;
	e->system = hist_strdup(h, system);
	e->name = hist_strdup(h, name);
	e->id = id;
	e->format = format;
	from = tdat_event_format_fields(format, &count);
	e->fields = fields = hist_alloc(h, count, sizeof(*fields));
	if (!e->system || !e->name || !fields)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (!fill_field(h, &fields[i], &from[i], !strcmp(system, "synthetic")))
			return NULL;
	e->field_count = count;
	e->next = h->events;
	h->events = e;
	return e;
}

struct hist_event *hist_event_find(struct tdat_hist *h, const char *system, const char *name)
{
	const struct tdat_event_format *format;
	struct hist_event *e;

	/* A linear search: texts of triggers name few events. */
	for (e = h->events; e; e = e->next)
		if (!strcmp(e->system, system) && !strcmp(e->name, name))
			return e;
	format = tdat_file_format_by_name(h->file, system, name);
	if (!format)
		return NULL;
	return hist_event_new(h, system, name, tdat_event_format_id(format), format);
}

/* The event's own fields hide those of every event, as in the kernel. */
const struct hist_efield *hist_event_field(const struct hist_event *e, const char *name)
{
	/* The kernel compares names exactly; "CPU" and "cpu" are two entries above. */
	for (size_t i = 0; i < e->field_count; i++)
		if (!strcmp(e->fields[i].name, name))
			return &e->fields[i];
	for (size_t i = 0; i < sizeof(every_event) / sizeof(every_event[0]); i++)
		if (!strcmp(every_event[i].name, name))
			return &every_event[i];
	return NULL;
}
