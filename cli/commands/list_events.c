/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the event types of a file, with their fields or their stored formats. They are sorted by
 * name; patterns choose some of them. With --fields the list also tells which cannot be printed as
 * a whole. No event is read.
 */
#include "commands/list_events.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "commands/each_file.h"
#include "core/nearest.h"
#include "input/damage.h"
#include "input/trace_files.h"
#include "output/json_out.h"
#include "terminal/columns.h"
#include "terminal/message.h"
#include "terminal/safe_text.h"

#include "core/text.h"

struct tdat_span list_stored_name(const struct tdat_file *file, size_t i, const char **system)
{
	struct tdat_span s = tdat_file_format_text(file, i, system);
	const uint8_t *end;

	if (!tdat_span_starts(s, "name: "))
		return (struct tdat_span){s.ptr, 0};
	s = (struct tdat_span){s.ptr + 6, s.len - 6};
	end = memchr(s.ptr, '\n', s.len);
	return (struct tdat_span){s.ptr, end ? (size_t)(end - s.ptr) : 0};
}

struct listed {
	const char *system;
	const struct tdat_event_format *format; /* NULL: broken */
	size_t index;
	struct tdat_printer *printer; /* that knows how events are printed, or NULL */
	struct tdat_error err;
};

/*
 * Orders by system, then by name; broken formats, which have no name, by their place in the file.
 */
static int by_name(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int c = strcmp(x->system, y->system);

	if (c || !x->format || !y->format)
		return c ? c : (x->index > y->index) - (x->index < y->index);
	return strcmp(tdat_event_format_name(x->format), tdat_event_format_name(y->format));
}

/*
 * Matches one pattern with "system/event" or "system:event", or without either with the system or
 * the event alone.
 */
static bool fits_one(const struct listed *e, const char *pattern)
{
	const char *name = e->format ? tdat_event_format_name(e->format) : "";
	const char *between = strpbrk(pattern, "/:");
	char full[512];

	snprintf(full, sizeof(full), "%s%c%s", e->system, between ? *between : '/', name);
	if (between)
		return !fnmatch(pattern, full, 0);
	return !fnmatch(pattern, e->system, 0) || !fnmatch(pattern, name, 0);
}

/* Any of the patterns is enough; without patterns every event matches. */
static bool fits(const struct listed *e, const struct list_request *request)
{
	size_t i;

	for (i = 0; i < request->pattern_count; i++)
		if (fits_one(e, request->patterns[i]))
			return true;
	return !request->pattern_count;
}

/* How a field lies in the record: its location word ("dynamic", "relative"), or its sign. */
static const char *kind_of(const struct tdat_field *f)
{
	if (f->flags & TDAT_FIELD_RELATIVE)
		return "relative";
	if (f->flags & TDAT_FIELD_DYNAMIC)
		return "dynamic";
	return f->flags & TDAT_FIELD_SIGNED ? "signed" : "unsigned";
}

/* Returns why an argument of the event's print fmt cannot be evaluated; "": all can. */
static const char *partly(struct tdat_printer *printer, const struct tdat_event_format *format)
{
	enum tdat_print_kind kind;
	const char *reason;

	if (!printer ||
	    tdat_printer_kind(printer, 0, tdat_event_format_id(format), &kind, &reason, NULL) ||
	    kind != TDAT_PRINT_PARTLY)
		return "";
	return reason;
}

/* As C has it: the length of an array stands behind its name. */
static void cell_field(struct cli_columns *t, const struct tdat_field *f)
{
	const size_t len = strcspn(f->type, "[");

	cli_build_text(&t->cells, f->type, len, "");
	tdat_build_u8(&t->cells, ' ');
	cli_build_text(&t->cells, f->name, strlen(f->name), "");
	if (f->array_count)
		tdat_build_printf(&t->cells, "[%u]", f->array_count);
	cli_cell_str(t, f->type[len] && !f->array_count ? "[]" : "");
}

/* One line for each field, then what the print fmt lacks. False: no memory. */
static bool text_fields(const struct tdat_event_format *format, const char *lack)
{
	static const struct cli_column columns[] = {
		{"", 0, true}, {"", 1, true}, {"", 2, true}, {"", 3, true}};
	size_t count;
	const struct tdat_field *f = tdat_event_format_fields(format, &count);
	struct cli_columns t;
	bool ok;

	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]),
			 (struct cli_numbers){.exact = true});
	t.indent = 4;
	for (size_t i = 0; i < count; i++) {
		cell_field(&t, &f[i]);
		tdat_build_printf(&t.cells, "offset %u", f[i].off);
		cli_cell_end(&t);
		cli_cell_bytes(&t, f[i].len);
		cli_cell_str(&t, kind_of(&f[i]));
	}
	ok = cli_columns_end(&t);
	if (*lack) {
		printf("    printed in part: ");
		cli_put_str(stdout, lack);
		putchar('\n');
	}
	return ok;
}

static void json_fields(struct tdat_json *j, const struct tdat_event_format *format)
{
	const struct tdat_field *f;
	size_t i, count;

	f = tdat_event_format_fields(format, &count);
	tdat_json_array(j, "fields");
	for (i = 0; i < count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_str(j, "name", f[i].name);
		tdat_json_str(j, "type", f[i].type);
		tdat_json_u64(j, "offset", f[i].off);
		tdat_json_u64(j, "bytes", f[i].len);
		tdat_json_u64(j, "array", f[i].array_count);
		tdat_json_str(j, "kind", kind_of(&f[i]));
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* One event, or with --systems one system, as text. False: no memory. */
static bool show_text(const struct listed *e, const struct list_request *request)
{
	cli_put_str(stdout, e->system);
	if (!request->systems) {
		putchar(':');
		cli_put_str(stdout, tdat_event_format_name(e->format));
	}
	putchar('\n');
	if (request->fields && !request->systems)
		return text_fields(e->format, partly(e->printer, e->format));
	return true;
}

static void show_json(struct tdat_json *j, const struct listed *e,
		      const struct list_request *request)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "system", e->system);
	if (!request->systems) {
		tdat_json_str(j, "event", tdat_event_format_name(e->format));
		tdat_json_u64(j, "id", tdat_event_format_id(e->format));
		if (request->fields) {
			json_fields(j, e->format);
			tdat_json_str(j, "printed_in_part", partly(e->printer, e->format));
		}
	}
	tdat_json_object_end(j);
}

/* True if a single full name was given: then the stored format is printed. */
static bool wants_text(const struct list_request *request)
{
	return request->pattern_count == 1 && strpbrk(request->patterns[0], "/:") &&
	       !strpbrk(request->patterns[0], "*?[") && !request->json && !request->fields &&
	       !request->systems;
}

/*
 * Prints the events that match. Events of a system follow each other, hence the last one is enough
 * to print each system once. A broken format is a failure, whatever is chosen.
 */
static int show(const struct tdat_file *file, const struct listed *list, size_t count,
		const struct list_request *request)
{
	const char *last = NULL;
	struct tdat_json j;
	size_t i, shown = 0;
	int status = CLI_OK;

	if (request->json) {
		cli_json_init(&j, stdout, true);
		tdat_json_array(&j, NULL);
	}
	for (i = 0; i < count; i++) {
		const struct listed *e = &list[i];

		if (!e->format) {
			status = cli_fail(request->file, &e->err);
			continue;
		}
		if (!fits(e, request) || (request->systems && last && !strcmp(last, e->system)))
			continue;
		last = e->system;
		shown++;
		if (wants_text(request)) {
			struct tdat_span text = tdat_file_format_text(file, e->index, NULL);

			cli_put_stored((const char *)text.ptr, text.len, request->raw_bytes);
		} else if (request->json) {
			show_json(&j, e, request);
		} else if (!show_text(e, request)) {
			return cli_nomem();
		}
	}
	if (request->json) {
		tdat_json_array_end(&j);
		cli_json_end(&j);
	}
	if (!shown && request->pattern_count) {
		struct tdat_near near = {.word = request->patterns[0]};

		for (i = 0; i < count; i++)
			if (list[i].format)
				tdat_near_event(&near, list[i].system,
						tdat_event_format_name(list[i].format));
		cli_error(request->file, "no event matches '%s'%s", near.word,
			  tdat_near_hint(&near, ""));
		status = CLI_FAILED;
	}
	return status;
}

/* Parses the formats of the file. The printer is only made for --fields. */
static int list_file(const void *args, struct tdat_json *j, struct cli_files *files, size_t index)
{
	const struct list_request *request = args;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in = {NULL, 0, 0};
	struct tdat_printer *printer = NULL;
	struct tdat_file *file;
	struct listed *list;
	size_t i, count;
	int status, damaged;

	(void)j;
	if (cli_files_parse(files, index, &request->limits, &file, &err))
		return cli_fail(request->file, &err);
	count = tdat_file_format_count(file);
	list = calloc(count + 1, sizeof(*list));
	if (!list) {
		tdat_file_close(file);
		return cli_nomem();
	}
	for (i = 0; i < count; i++) {
		list[i].index = i;
		tdat_file_format_text(file, i, &list[i].system);
		tdat_file_format(file, i, &list[i].format, &list[i].err);
	}
	in.file = file;
	qsort(list, count, sizeof(*list), by_name);
	if (request->fields && !tdat_printer_new(&printer, &in, 1, NULL, NULL))
		for (i = 0; i < count; i++)
			list[i].printer = printer;
	status = show(file, list, count, request);
	tdat_printer_free(printer);
	damaged = cli_file_damage(request->file, file);
	status = status == CLI_OK ? damaged : status;
	free(list);
	tdat_file_close(file);
	return status;
}

/* The array of JSON is begun by show(), when the file is open. */
int list_events(const struct list_request *request)
{
	const struct cli_each each = {"list", &request->limits, false, false, list_file, request};
	char *const paths[] = {(char *)request->file};

	return cli_each_file(&each, paths, 1);
}
