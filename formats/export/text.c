/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exports the lines of trace-cmd report, as tdat_printer makes them. It has the options of tdat
 * dump that change the line (compat, flags, offsets) and turns them into those of a printer.
 * Each thread has a printer that shares the compiled print fmts; with time differences lines
 * depend on each other and there is one.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "columns/column_options.h"
#include "core/build.h"
#include "exporters.h"

static const struct tdat_keyed_option_desc text_options[] = {
	{"N", NULL, "format events without event plugins"},
	{"R", NULL, "print fields as name=value instead of using the print fmt"},
	{"l", NULL, "print the latency columns"},
	{"t", NULL, "print timestamps in nanoseconds"},
	{"raw-ts", NULL, "print timestamps as stored in the ring buffer"},
	{"ts-diff", NULL, "also print the time since the previous event"},
	{"wall", NULL, "print the date and the time of day, in the time zone TZ"},
	{"r", "EVENT", "same as R, for events that this regular expression matches"},
	{"n", "EVENT", "same as N, for events that this regular expression matches"},
	{"O", "OPTION", "set an option of an event plugin, such as parent or fgraph:tailprint"},
	{"plugin-dir", "DIR", "load libtraceevent plugins from DIR (run as code)"},
	{"compat", "WHOSE", "kernel (default), or the bytes of trace-cmd 3.1, 3.3 or debian12"},
	{"hz", "N", "jiffies per second of the recorded kernel"},
	{NULL, NULL, NULL},
};

/* The options that are flags, and where struct tdat_print_opts has them. */
static const struct {
	const char *key;
	size_t off;
} text_flags[] = {
	{"N", offsetof(struct tdat_print_opts, no_plugins)},
	{"R", offsetof(struct tdat_print_opts, raw_fields)},
	{"l", offsetof(struct tdat_print_opts, latency_format)},
	{"t", offsetof(struct tdat_print_opts, nanoseconds)},
	{"raw-ts", offsetof(struct tdat_print_opts, raw_ts)},
	{"ts-diff", offsetof(struct tdat_print_opts, ts_diff)},
	{"wall", offsetof(struct tdat_print_opts, wall)},
};

/* The options that may be repeated, and where struct tdat_print_opts has their values. */
static const struct {
	const char *key;
	size_t off;
} text_lists[] = {
	{"r", offsetof(struct tdat_print_opts, raw_events)},
	{"n", offsetof(struct tdat_print_opts, no_plugin_events)},
	{"O", offsetof(struct tdat_print_opts, plugin_options)},
	{"plugin-dir", offsetof(struct tdat_print_opts, plugin_dirs)},
};

enum { TEXT_LISTS = sizeof(text_lists) / sizeof(text_lists[0]) };

/* State of an export. */
struct text_export {
	struct tdat_printer *printer;
	const char **lists[TEXT_LISTS]; /* ended by NULL */
	bool plugins;			/* any are loaded */
	void (*note)(void *ctx, const char *sentence);
	void *note_ctx;
};

/* Sets the member of a flag. */
static void set_flag(struct tdat_print_opts *opts, const char *key)
{
	for (size_t i = 0; i < sizeof(text_flags) / sizeof(text_flags[0]); i++)
		if (!strcmp(text_flags[i].key, key))
			*(bool *)((char *)opts + text_flags[i].off) = true;
}

/* Collects the values of an option that may be repeated. False: no memory. */
static bool read_list(struct text_export *x, size_t list, struct tdat_print_opts *opts,
		      const struct tdat_export_request *request)
{
	const char *const **member = (const char *const **)((char *)opts + text_lists[list].off);
	const char **values = calloc(request->option_count + 1, sizeof(*values));
	size_t count = 0;

	x->lists[list] = values;
	if (!values)
		return false;
	for (size_t i = 0; i < request->option_count; i++)
		if (!strcmp(request->options[i].key, text_lists[list].key))
			values[count++] = request->options[i].value;
	*member = count ? values : NULL;
	return true;
}

/* Reads the options. */
static enum tdat_status read_options(struct text_export *x, struct tdat_print_opts *opts,
				     const struct tdat_export_request *request,
				     struct tdat_error *err)
{
	static const char *const versions[] = {"kernel", "3.1", "3.3", "debian12", NULL};
	size_t compat = TDAT_COMPAT_KERNEL;
	int64_t hz = 0;
	enum tdat_status st = export_choice(request, "compat", versions, &compat, err);

	if (st == TDAT_OK)
		st = export_number(request, "hz", 1, 100000, &hz, err);
	opts->compat = (enum tdat_compat)compat;
	opts->hz = (uint32_t)hz;
	for (size_t i = 0; i < TEXT_LISTS; i++)
		if (!read_list(x, i, opts, request))
			return tdat_error_no_memory(err, "an export");
	for (size_t i = 0; i < request->option_count; i++)
		set_flag(opts, request->options[i].key);
	x->plugins = opts->plugin_dirs != NULL;
	return st;
}

/* Notes once that arguments could not be evaluated; their recorded values are in the text. */
static void note_partly(const struct text_export *x)
{
	const struct tdat_event_format *format;
	const char *reason;
	const size_t count = tdat_printer_partly(x->printer, &format, &reason);
	struct tdat_build text;

	if (!count)
		return;
	tdat_build_init(&text, false);
	tdat_build_printf(&text, "%s:%s", tdat_event_format_system(format),
			  tdat_event_format_name(format));
	if (count > 1)
		tdat_build_printf(&text, " and %zu more event type%s", count - 1,
				  count == 2 ? "" : "s");
	tdat_build_printf(&text,
			  ": braces show the fields of an argument that cannot be evaluated (%s); "
			  "\"tdat info -v\" lists all",
			  reason);
	tdat_build_u8(&text, '\0');
	if (!text.failed)
		x->note(x->note_ctx, (const char *)text.ptr);
	tdat_build_fini(&text);
}

/* Ends an export; tail NULL: it gave up, so nothing is noted. */
static enum tdat_status text_end(void *state, struct tdat_build *tail, struct tdat_error *err)
{
	struct text_export *x = state;

	(void)err;
	if (tail && x->note)
		note_partly(x);
	tdat_printer_free(x->printer);
	for (size_t i = 0; i < TEXT_LISTS; i++)
		free(x->lists[i]);
	free(x);
	return TDAT_OK;
}

/* Writes "cpus=N" for each input, as trace-cmd report begins. */
static enum tdat_status put_head(const struct text_export *x, size_t input_count,
				 struct tdat_build *head, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	struct tdat_span line;
	size_t i;

	for (i = 0; i < input_count && st == TDAT_OK; i++) {
		st = tdat_printer_header(x->printer, i, &line, err);
		if (st == TDAT_OK)
			tdat_build_bytes(head, line.ptr, line.len);
	}
	return st;
}

/* Begins an export: makes the printer that all workers share. */
static enum tdat_status text_begin(void **state, const struct tdat_export_request *request,
				   struct tdat_build *head, struct tdat_error *err)
{
	struct tdat_print_opts opts = TDAT_PRINT_OPTS_INIT;
	struct text_export *x = calloc(1, sizeof(*x));
	enum tdat_status st;

	*state = NULL;
	st = x ? read_options(x, &opts, request, err) : tdat_error_no_memory(err, "an export");
	if (st == TDAT_OK)
		st = tdat_printer_new(&x->printer, request->inputs, request->input_count, &opts,
				      err);
	if (st == TDAT_OK)
		st = put_head(x, request->input_count, head, err);
	if (st != TDAT_OK) {
		if (x)
			text_end(x, NULL, NULL);
		return st;
	}
	x->note = request->note;
	x->note_ctx = request->note_ctx;
	*state = x;
	return TDAT_OK;
}

/* ---- the sink: each thread has a printer of its own ---- */

static enum tdat_status text_open(void *ctx, void **worker, struct tdat_error *err)
{
	const struct text_export *x = ctx;
	struct tdat_printer *own = NULL;
	enum tdat_status st = tdat_printer_share(&own, x->printer, err);

	*worker = own;
	return st;
}

static void text_close(void *worker)
{
	tdat_printer_free(worker);
}

static enum tdat_status text_batch(void *worker, const struct tdat_batch *batch, size_t *done,
				   struct tdat_build *out, struct tdat_error *err)
{
	return tdat_printer_batch(worker, batch, done, out, err);
}

/* True if events must come in order: plugins of libtraceevent keep state from line to line. */
static bool text_in_order(void *ctx)
{
	const struct text_export *x = ctx;

	return x->plugins;
}

static const struct tdat_sink_ops text_events = {
	.size = sizeof(struct tdat_sink_ops),
	.open = text_open,
	.close = text_close,
	.batch = text_batch,
	.in_order = text_in_order,
};

const struct tdat_exporter export_text = {
	.size = sizeof(struct tdat_exporter),
	.name = "text",
	.summary = "lines in the layout of trace-cmd report",
	.options = text_options,
	.begin = text_begin,
	.events = &text_events,
	.end = text_end,
};
