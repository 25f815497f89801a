/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes what printing needs of the inputs of an iterator, and shares it among printers. A set
 * has, for each input, the tables of names, and for each event id the compiled print, made when
 * the first event of it is printed. It is shared by printers of several threads and counted;
 * what is made later is made under its lock. Heads of lines are made once for each event type.
 */
#include "print_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/opts.h"
#include "core/regex_bound.h"
#include "core/text.h"
#include "names.h"

/* report prints names of events in a column of 20. */
enum { NAME_COLUMN = 20 };

/* Adapters: lib/model calls back with the file as its context. */
static struct tdat_span task_name(const void *ctx, int32_t pid)
{
	return read_name(ctx, pid);
}

static const struct model_graph_exits *graph_exits(void *ctx)
{
	return file_graph_exits(ctx);
}

/*
 * The column of names: as wide as the widest that was known when it is printed. report keeps only
 * what follows the last '/' of a file's or a buffer's name.
 */
static size_t name_width(const struct print_set *s, size_t files_known)
{
	size_t i, b, n, width = 0;

	for (i = 0; i < s->file_count; i++) {
		const struct dat_index *ix = &s->files[i].file->ix;

		n = strlen(tdat_base_name(s->files[i].file->info.name));
		if (s->file_count > 1 && n > width)
			width = n;
		for (b = 0; i < files_known && b < ix->buffer_count; b++) {
			n = strlen(tdat_base_name(ix->buffers[b].name));
			if (n > width)
				width = n;
		}
	}
	return width;
}

/* Names of buffers are printed only if the file has an instance, or there are several files. */
static bool has_instances(const struct tdat_file *file)
{
	size_t b;

	for (b = 0; b < file->ix.buffer_count; b++)
		if (*file->ix.buffers[b].name)
			return true;
	return false;
}

/* Prints a name right-aligned, as report does; NULL: only blanks. */
static void put_name(struct tdat_build *out, const char *name, size_t width)
{
	size_t n = name ? strlen(name) : 0;

	if (n < width)
		tdat_build_fill(out, ' ', width - n);
	if (name)
		tdat_build_str(out, name);
	tdat_build_str(out, name ? ": " : "  ");
}

/* Makes the beginning of lines of each buffer once, since it is the same for all. */
static enum tdat_status make_prefixes(struct print_set *s, struct print_file *f,
				      struct tdat_error *err)
{
	const struct dat_index *ix = &f->file->ix;
	size_t b, width = name_width(s, s->file_count);
	bool multi = s->file_count > 1;

	f->buffers = calloc(ix->buffer_count + 1, sizeof(*f->buffers));
	if (!f->buffers)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	if (!multi && !has_instances(f->file))
		return TDAT_OK;
	for (b = 0; b < ix->buffer_count; b++) {
		const char *name = ix->buffers[b].name;
		struct tdat_build out;

		tdat_build_init(&out, false);
		if (!*name)
			name = multi ? f->file->info.name : NULL;
		put_name(&out, name ? tdat_base_name(name) : NULL, width);
		if (out.failed) {
			tdat_build_fini(&out);
			return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
		}
		f->buffers[b].prefix = (char *)out.ptr;
		f->buffers[b].prefix_len = out.len;
	}
	return TDAT_OK;
}

/* The fields of the latency columns, from any event. */
static void find_common(struct print_file *f)
{
	size_t i;

	for (i = 0; i < f->file->ix.format_count; i++) {
		const struct tdat_event_format *format;

		if (tdat_file_format(f->file, i, &format, NULL) != TDAT_OK)
			continue;
		f->flags = tdat_event_format_field(format, "common_flags");
		f->preempt = tdat_event_format_field(format, "common_preempt_count");
		f->lock_depth = tdat_event_format_field(format, "common_lock_depth");
		f->migrate = tdat_event_format_field(format, "common_migrate_disable");
		return;
	}
}

/*
 * Returns the bits of the plugin options that the library itself understands, with or without
 * "plugin:" before their names.
 */
static uint32_t plugin_opts(const char *const *options)
{
	static const struct {
		const char *plugin, *name;
		uint32_t bit;
		bool inverse; /* on unless "=0" */
	} known[] = {
		{"ftrace:", "parent", MODEL_OPT_PARENT, false},
		{"ftrace:", "offset", MODEL_OPT_OFFSET, false},
		{"ftrace:", "indent", MODEL_OPT_NO_INDENT, true},
		{"fgraph:", "tailprint", MODEL_OPT_TAILPRINT, false},
		{"fgraph:", "depth", MODEL_OPT_DEPTH, false},
	};
	uint32_t bits = 0;
	size_t i;

	for (; options && *options; options++) {
		const char *eq = strchr(*options, '=');
		bool on = !eq || strcmp(eq, "=0");

		for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			size_t plugin = strlen(known[i].plugin), name = strlen(known[i].name);
			const char *p = *options;

			if (!strncmp(p, known[i].plugin, plugin))
				p += plugin;
			if (strncmp(p, known[i].name, name) || (p[name] && p[name] != '='))
				continue;
			bits &= ~known[i].bit;
			if (on != known[i].inverse)
				bits |= known[i].bit;
		}
	}
	return bits;
}

/* Collects what printing a file needs: clock, symbols, plugins, options of compatibility. */
static enum tdat_status init_file(struct print_set *s, struct print_file *f,
				  const struct tdat_iter_input *in, struct tdat_error *err)
{
	const struct tdat_file *file = in->file;
	const struct model_tep_opts tep = {
		.big = file->ix.big,
		.long_size = file->ix.long_size,
		.kallsyms = file->ix.kallsyms,
		.printk = file->ix.printk,
		.cmdlines = file->ix.cmdlines,
		.plugin_dirs = s->opts.plugin_dirs,
		.plugin_options = s->opts.plugin_options,
	};
	enum tdat_status st;

	/*
	 * The kernel's mode prints seconds if the clock has any; trace-cmd only for clocks it
	 * knows.
	 */
	f->usecs = s->opts.compat == TDAT_COMPAT_KERNEL
			   ? clock_facts_seconds(&file->clock, s->opts.raw_ts)
			   : clock_facts_usecs(&file->clock, s->opts.raw_ts);
	if (s->opts.wall && (!f->usecs || !file->clock.date_ns || s->opts.raw_ts))
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "the trace does not record the time of day: record with "
				      "\"trace-cmd record --date\"");
	f->use_trace_clock = clock_facts_use_trace_clock(&file->clock, in->ts2secs);
	f->events = calloc(FILE_ID_COUNT, sizeof(*f->events));
	if (!f->events)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	st = model_tep_new(&f->tep, &tep, err);
	if (st != TDAT_OK)
		return st;
	f->env = (struct model_env){
		.big = file->ix.big,
		.long_size = file->ix.long_size,
		.kernel_long_size = file->ix.kernel_long_size,
		.graph_exits = graph_exits,
		.name = task_name,
		.ctx = in->file,
		.limits = &file->ix.limits,
		.inflates_much = file_inflates_much(file),
		.tep = f->tep,
		.time = s->opts.raw_ts || !f->usecs ? MODEL_TIME_TICKS
			: s->opts.nanoseconds	    ? MODEL_TIME_NS
						    : MODEL_TIME_US,
		.no_plugins = s->opts.no_plugins,
		.plugin_opts = plugin_opts(s->opts.plugin_options),
		.kernel = s->opts.compat == TDAT_COMPAT_KERNEL,
		.kernel_version = file_kernel_version(file),
		.hz = s->opts.hz,
		.compat33 = s->opts.compat == TDAT_COMPAT_3_3,
		.tep17 = s->opts.compat == TDAT_COMPAT_DEBIAN12,
	};
	find_common(f);
	return make_prefixes(s, f, err);
}

/* Prints the file's name in the column, as report has it before "cpus=". */
void print_set_file_name(const struct print_set *s, size_t input, struct tdat_build *out)
{
	if (s->file_count > 1)
		put_name(out, tdat_base_name(s->files[input].file->info.name),
			 name_width(s, input));
}

static void free_event(struct print_event *e)
{
	if (!e)
		return;
	model_print_free(e->print);
	free(e->head);
	free(e);
}

/* Frees the set after the last reference. */
static void set_free(struct print_set *s)
{
	size_t i, k;

	for (i = 0; s->files && i < s->file_count; i++) {
		struct print_file *f = &s->files[i];

		for (struct print_event *e = f->made, *next; e; e = next) {
			next = e->next;
			free_event(e);
		}
		for (k = 0; f->buffers && k < f->file->ix.buffer_count; k++)
			free(f->buffers[k].prefix);
		free(f->events);
		free(f->buffers);
		model_tep_free(f->tep);
	}
	free(s->files);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Failures of memory since the set was made, which printing a line cannot report. */
enum tdat_status print_set_memory(const struct print_set *s, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t i;

	for (i = 0; st == TDAT_OK && i < s->file_count; i++)
		st = file_memory(s->files[i].file, s->files[i].memory_failures, err);
	return st;
}

/* Compiles an expression for the whole of a name, as trace-cmd does. */
static enum tdat_status compile_names(regex_t *regex, const char *text, struct tdat_error *err)
{
	char whole[TDAT_REGEX_LEN], why[128];
	const int len = snprintf(whole, sizeof(whole), "^%s$", text);

	if (len < 0 || (size_t)len >= sizeof(whole))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the names of events '%.40s...' are too long", text);
	if (!tdat_regex_compile(regex, whole, REG_ICASE | REG_NOSUB, why, sizeof(why)))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "cannot read the names of events '%s': %s", text, why);
	return TDAT_OK;
}

static enum tdat_status check_names(const char *const *list, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	regex_t regex;

	for (; list && *list && st == TDAT_OK; list++) {
		st = compile_names(&regex, *list, err);
		if (st == TDAT_OK)
			regfree(&regex);
	}
	return st;
}

/* Makes a set with one reference. Tables of files come first, since widths depend on all names. */
enum tdat_status print_set_new(struct print_set **out, const struct tdat_iter_input *inputs,
			       size_t input_count, const struct tdat_print_opts *opts,
			       struct tdat_error *err)
{
	const struct tdat_print_opts defaults = TDAT_PRINT_OPTS_INIT;
	struct print_set *s = calloc(1, sizeof(*s));
	enum tdat_status st = TDAT_OK;
	size_t i;

	*out = NULL;
	if (!s)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	pthread_mutex_init(&s->lock, NULL);
	s->refs = 1;
	s->opts = defaults;
	tdat_opts_copy(&s->opts, sizeof(s->opts), opts);
	st = check_names(s->opts.raw_events, err);
	if (st == TDAT_OK)
		st = check_names(s->opts.no_plugin_events, err);
	s->files = calloc(input_count ? input_count : 1, sizeof(*s->files));
	if (!s->files)
		st = tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory");
	else
		s->file_count = input_count;
	for (i = 0; i < s->file_count; i++) {
		s->files[i].file = inputs[i].file;
		s->files[i].memory_failures = tdat_file_memory_failures(inputs[i].file);
	}
	for (i = 0; st == TDAT_OK && i < input_count; i++) {
		st = init_file(s, &s->files[i], &inputs[i], err);
		if (st == TDAT_OK)
			st = print_set_memory(s, err);
	}
	if (st != TDAT_OK) {
		set_free(s);
		return st;
	}
	*out = s;
	return TDAT_OK;
}

void print_set_ref(struct print_set *s)
{
	atomic_fetch_add(&s->refs, 1);
}

void print_set_put(struct print_set *s)
{
	if (s && atomic_fetch_sub(&s->refs, 1) == 1)
		set_free(s);
}

/* " name: ", and blanks up to the column where text starts. */
static bool make_head(struct print_event *e, const char *name)
{
	struct tdat_build out;
	size_t n = strlen(name);

	tdat_build_init(&out, false);
	tdat_build_u8(&out, ' ');
	tdat_build_str(&out, name);
	tdat_build_str(&out, ": ");
	if (n < NAME_COLUMN)
		tdat_build_fill(&out, ' ', NAME_COLUMN - n);
	e->head_len = out.len;
	/* put_name() in printer.c copies PRINT_HEAD_ROOM bytes whatever the length. */
	tdat_build_fill(&out, 0, PRINT_HEAD_ROOM);
	if (out.failed) {
		tdat_build_fini(&out);
		return false;
	}
	e->head = (char *)out.ptr;
	return true;
}

static bool is_named(const char *const *list, const struct tdat_event_format *format)
{
	bool named = false;
	regex_t regex;

	for (; list && *list && !named; list++) {
		if (compile_names(&regex, *list, NULL) != TDAT_OK)
			continue;
		named = !regexec(&regex, tdat_event_format_name(format), 0, NULL, 0) ||
			!regexec(&regex, tdat_event_format_system(format), 0, NULL, 0);
		regfree(&regex);
	}
	return named;
}

static enum model_print_style style_of(const struct tdat_print_opts *o,
				       const struct tdat_event_format *format)
{
	if (o->raw_fields || is_named(o->raw_events, format))
		return MODEL_PRINT_RAW;
	return o->no_plugins || is_named(o->no_plugin_events, format) ? MODEL_PRINT_NO_PLUGINS
								      : MODEL_PRINT_FMT;
}

/* Symbols are parsed only when an event is printed that may look them up. */
static struct print_event *make_event(struct print_set *s, struct print_file *f, uint32_t id)
{
	struct print_event *e = calloc(1, sizeof(*e));
	const uint64_t failures = tdat_file_memory_failures(f->file);

	if (!e)
		return NULL;
	if (!f->env.symbols) {
		f->env.symbols = file_symbols(f->file);
		f->env.printk = file_printk(f->file);
	}
	e->format = tdat_file_format_by_id(f->file, id);
	if (!e->format) /* a broken format still has a name, and the fields before the break */
		e->format = file_format_part(f->file, id);
	if (!make_head(e, e->format ? tdat_event_format_name(e->format) : "[UNKNOWN EVENT]") ||
	    (e->format && model_print_new(&e->print, e->format, &f->env,
					  style_of(&s->opts, e->format), NULL) != TDAT_OK) ||
	    file_memory(f->file, failures, NULL) != TDAT_OK) {
		free_event(e);
		return NULL;
	}
	e->may_nul = e->print && model_print_may_nul(e->print);
	return e;
}

/*
 * Makes the print of an event id, once for all threads. NULL: no memory. The pointer is published
 * after all of it is written.
 */
const struct print_event *print_set_make(struct print_set *s, struct print_file *f, uint32_t id)
{
	struct print_event *e;

	pthread_mutex_lock(&s->lock);
	e = atomic_load_explicit(&f->events[id], memory_order_relaxed);
	if (!e) {
		e = make_event(s, f, id);
		if (e) {
			e->next = f->made;
			f->made = e;
			atomic_store_explicit(&f->events[id], e, memory_order_release);
		}
	}
	pthread_mutex_unlock(&s->lock);
	return e;
}
