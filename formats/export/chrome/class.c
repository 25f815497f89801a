/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out, once for each event type, whether its events begin or end slices. Names of events
 * that begin or end a slice are listed here: sched_switch, interrupts, system calls,
 * function_graph, marks of atrace. Keys of arguments are written once as JSON. A class belongs
 * to one thread (event.c).
 */
#include <stdlib.h>
#include <string.h>

#include "core/json_text.h"
#include "chrome.h"

/*
 * Events that begin or end slices, and the fields for it. If one is missing, the event becomes an
 * instant.
 */
static const struct known {
	const char *system, *name;
	enum chrome_kind kind;
	const char *key, *next, *text;
} known[] = {
	{"sched", "sched_switch", CHROME_SWITCH, "prev_pid", "next_pid", "next_comm"},
	{"irq", "irq_handler_entry", CHROME_IRQ_IN, "irq", NULL, "name"},
	{"irq", "irq_handler_exit", CHROME_IRQ_OUT, "irq", NULL, NULL},
	{"irq", "softirq_entry", CHROME_SOFTIRQ_IN, "vec", NULL, NULL},
	{"irq", "softirq_exit", CHROME_SOFTIRQ_OUT, "vec", NULL, NULL},
	{"raw_syscalls", "sys_enter", CHROME_CALL_IN, NULL, "id", NULL},
	{"raw_syscalls", "sys_exit", CHROME_CALL_OUT, NULL, "id", NULL},
	{"ftrace", "funcgraph_entry", CHROME_FUNCTION_IN, "depth", "func", NULL},
	{"ftrace", "funcgraph_exit", CHROME_FUNCTION_OUT, "depth", "func", NULL},
	{"ftrace", "print", CHROME_MARK_IN, NULL, NULL, "buf"},
};

/* Finds a field of the wanted kind. True also if name is NULL; *out is NULL then. */
static bool find(const struct chrome_class *c, const char *name, bool text,
		 const struct tdat_field **out)
{
	*out = NULL;
	for (size_t i = 0; name && i < c->count && !*out; i++)
		if (!strcmp(c->list[i].field->name, name) &&
		    (c->list[i].kind == TDAT_VALUE_TEXT) == text &&
		    (text || c->list[i].kind == TDAT_VALUE_INT))
			*out = c->list[i].field;
	return !name || *out;
}

/*
 * Sets the kind of an event type; it stays an instant unless it is known. The syscalls:* events
 * have the call in their name.
 */
static void set_kind(struct chrome_class *c)
{
	const char *system = tdat_event_format_system(c->format),
		   *name = tdat_event_format_name(c->format);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct known *k = &known[i];

		if (strcmp(k->system, system) != 0 || strcmp(k->name, name) != 0)
			continue;
		if (find(c, k->key, false, &c->key) && find(c, k->next, false, &c->next) &&
		    find(c, k->text, true, &c->text))
			c->kind = k->kind;
		return;
	}
	if (strcmp(system, "syscalls") != 0)
		return;
	if (!strncmp(name, "sys_enter_", 10))
		c->kind = CHROME_CALL_IN;
	else if (!strncmp(name, "sys_exit_", 9))
		c->kind = CHROME_CALL_OUT;
}

/* Makes name and category as JSON, one behind the other. False: no memory. */
static bool make_name(struct chrome_class *c)
{
	const char *name = tdat_event_format_name(c->format),
		   *system = tdat_event_format_system(c->format);
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_json_quoted(&b, name, strlen(name));
	c->name_len = b.len;
	tdat_json_quoted(&b, system, strlen(system));
	c->name = b.failed ? NULL : (char *)b.ptr;
	c->category_len = b.len - c->name_len;
	if (b.failed)
		tdat_build_fini(&b);
	return c->name;
}

static int by_name(const void *a, const void *b)
{
	const struct tdat_field_type *const *x = a, *const *y = b;
	const int order = strcmp((*x)->field->name, (*y)->field->name);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Makes the key of a field with its colon; again: its name is taken, so a number follows. */
static char *make_key(const char *name, size_t number, bool again)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	tdat_json_quoted(&b, name, strlen(name));
	if (again && !b.failed) {
		b.len--; /* names of fields have no '#', so that no other becomes the same */
		tdat_build_printf(&b, "#%zu\"", number);
	}
	tdat_build_cstr(&b, ":");
	if (b.failed)
		tdat_build_fini(&b);
	return b.failed ? NULL : (char *)b.ptr;
}

/* Makes the keys of all fields, which JSON wants to be different. False: no memory. */
static bool make_keys(struct chrome_class *c)
{
	const struct tdat_field_type **sorted = calloc(c->count + 1, sizeof(*sorted));
	bool ok;

	c->keys = calloc(c->count + 1, sizeof(*c->keys));
	ok = sorted && c->keys;
	for (size_t i = 0; ok && i < c->count; i++)
		sorted[i] = &c->list[i];
	if (ok)
		qsort(sorted, c->count, sizeof(*sorted), by_name);
	for (size_t i = 0; ok && i < c->count; i++) {
		const size_t number = (size_t)(sorted[i] - c->list);
		const char *name = sorted[i]->field->name;

		c->keys[number] =
			make_key(name, number, i && !strcmp(sorted[i - 1]->field->name, name));
		ok = c->keys[number];
	}
	free(sorted);
	return ok;
}

/* Makes the class of an event id. *out NULL: the file does not describe it. */
enum tdat_status chrome_class_new(struct chrome_class **out, const struct chrome_input *in,
				  uint32_t id, struct tdat_error *err)
{
	const uint64_t failures = tdat_file_memory_failures(in->file);
	const struct tdat_event_format *format = tdat_file_format_by_id(in->file, id);
	struct chrome_class *c;

	*out = NULL;
	/* A format that failed for lack of memory must not count as unknown. */
	if (!format && failures != tdat_file_memory_failures(in->file))
		return tdat_error_no_memory(err, "an event format");
	if (!format)
		return TDAT_OK;
	c = calloc(1, sizeof(*c));
	if (!c)
		return tdat_error_no_memory(err, "an event type");
	c->format = format;
	if (tdat_field_types_new(&c->types, format, err) != TDAT_OK || !make_name(c)) {
		chrome_class_free(c);
		return tdat_error_no_memory(err, "an event type");
	}
	c->list = tdat_field_types_list(c->types, &c->count);
	if (!make_keys(c)) {
		chrome_class_free(c);
		return tdat_error_no_memory(err, "an event type");
	}
	set_kind(c);
	*out = c;
	return TDAT_OK;
}

void chrome_class_free(struct chrome_class *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->keys && i < c->count; i++)
		free(c->keys[i]);
	free(c->keys);
	tdat_field_types_free(c->types);
	free(c->name);
	free(c);
}
