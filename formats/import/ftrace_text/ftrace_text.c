/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of the kernel's own text: files trace and trace_pipe, text of trace-cmd
 * report, dumps on a console, pages of systrace. Each text is read twice: first to learn which
 * columns and times it has, then for its events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "import/cpustat.h"
#include "import/importer_options.h"
#include "import/importers.h"
#include "import/left_out.h"
#include "import/text_lines.h"
#include "text_reader.h"

enum { PROBE_LEN = 4096, LINE_BITS = 20, TRACER_BITS = 80 };

const struct tdat_keyed_option_desc ft_option_descs[] = {
	{"formats-from", "FILE",
	 "take event formats from a trace.dat of the same kernel, or from a folder "
	 "of its event formats"},
	{"only-text", NULL, "store each event as text, without the kernel's fields"},
	{"uname", "TEXT", "the traced machine's uname, to store in the trace.dat"},
	{NULL, NULL, NULL},
};

struct text_import {
	const struct ft_kind *kind;
	const struct tdat_import_request *request;
	const struct tdat_emit *emit;
	struct ft_facts *facts; /* by input */
	struct ft_facts all;
	struct ft_typed typed;
	size_t texts; /* inputs with events */
};

/* In a copy of tracefs, trace has all that the files of CPUs have: these are read without it only.
 */
static bool is_repeated(const struct tdat_import_request *q, size_t index)
{
	if (strncmp(q->inputs[index].name, "per_cpu/", 8) != 0)
		return false;
	for (size_t i = 0; i < q->input_count; i++)
		if (!strcmp(q->inputs[i].name, "trace") && tdat_source_len(q->inputs[i].source))
			return true;
	return false;
}

static bool wants(const struct tdat_import_request *request, const char *name, bool live)
{
	const char *base = tdat_base_name(name);

	(void)request;
	if (!*base)
		return !strncmp(name, "per_cpu/", 8);
	return !strcmp(base, "trace") || (base == name && !live);
}

static enum tdat_status learn_all(struct text_import *t, struct tdat_error *err)
{
	for (size_t i = 0; i < t->request->input_count; i++) {
		struct ft_facts *f = &t->facts[i], *all = &t->all;
		enum tdat_status st = TDAT_OK;

		if (!is_repeated(t->request, i))
			st = t->kind->read(t->request->inputs[i].source, f, NULL, err);
		if (st != TDAT_OK)
			return st;
		if (!f->events)
			continue;
		if (!t->texts++)
			*all = *f;
		else
			all->events += f->events;
		if (t->texts > 1) {
			all->no_task += f->no_task;
			all->too_late += f->too_late;
		}
		if (f->cpus > all->cpus)
			all->cpus = f->cpus;
		all->backward |= f->backward;
		all->cpu_known |= f->cpu_known;
		all->cpu_unknown |= f->cpu_unknown;
		if (f->unit != all->unit && (f->unit < FT_SECONDS || all->unit < FT_SECONDS))
			return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
					      "%s: its times come from another clock than those of "
					      "the earlier texts",
					      t->request->inputs[i].path);
	}
	if (!t->texts)
		return tdat_error_set(err, TDAT_E_FORMAT, TDAT_NO_OFFSET, "%s", t->kind->none);
	return TDAT_OK;
}

static uint32_t page_size(const struct text_import *t)
{
	return t->all.cpus > FT_CPUS_MANY ? FT_PAGE_SMALL : FT_PAGE;
}

/* What a trace.dat of the same kernel says of the machine; it ends in a NUL, or is not taken. */
static const char *uname_of(const struct tdat_file *file)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, TDAT_OPTION_UNAME);

	return o && o->data.len && memchr(o->data.ptr, 0, o->data.len) ? (const char *)o->data.ptr
								       : NULL;
}

static const char *times_of(const struct ft_facts *f)
{
	static const char *const times[] = {
		"none: events have the ranks 1, 2, 3 ...", "integers of an unknown clock",
		"microseconds of an unknown clock", "microseconds since the buffer was cleared"};

	return f->unit == FT_SECONDS && f->digits > 6 ? "nanoseconds of an unknown clock"
						      : times[f->unit];
}

/* The version of a file is what info shows: times and tasks are told there. */
static enum tdat_status emit_info(const struct text_import *t, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	char version[320], tasks[96] = "", lost[64] = "";

	if (t->all.no_task)
		snprintf(tasks, sizeof(tasks),
			 "; tasks: unknown of %" PRIu64 " of %" PRIu64 " events", t->all.no_task,
			 t->all.events);
	if (t->all.written > t->all.buffered)
		snprintf(lost, sizeof(lost), "; overwritten: %" PRIu64 " events",
			 t->all.written - t->all.buffered);
	snprintf(version, sizeof(version), "tdat %s (%s; times: %s%s%s)", tdat_version(),
		 t->kind->name, times_of(&t->all), lost, tasks);
	info.big_endian = t->typed.big;
	info.long_size = t->typed.file ? (uint8_t)tdat_file_info(t->typed.file)->long_size : 8;
	info.page_size = page_size(t);
	info.cpu_count = t->all.cpus;
	info.clock = t->all.unit < FT_SECONDS ? "counter" : NULL;
	info.version = version;
	info.uname = import_option_find(t->request, "uname");
	if (!info.uname && t->typed.file)
		info.uname = uname_of(t->typed.file);
	return tdat_emit_info(t->emit, &info, err);
}

static enum tdat_status emit_facts(const struct text_import *t, const struct ft_out *o,
				   struct tdat_error *err)
{
	static const char *const layouts[] = {"default", "latency", "latency, verbose",
					      "function_graph", "perf script"};
	const struct ft_facts *f = &t->all;
	const struct tdat_emit *emit = t->emit;
	uint64_t unnamed = 0;
	enum tdat_status st = tdat_emit_factf(emit, "layout", err, "%s", layouts[f->layout]);

	if (st == TDAT_OK)
		st = tdat_emit_factf(emit, "times", err, "%s", times_of(f));
	if (st == TDAT_OK && f->kernel[0])
		st = tdat_emit_factf(emit, "kernel", err, "%s", f->kernel);
	if (st == TDAT_OK && f->tracer[0])
		st = tdat_emit_factf(emit, "tracer", err, "%s", f->tracer);
	st = import_fact_u64(emit, "typed", o->typed_count, st, err);
	if (f->written > f->buffered)
		st = import_fact_u64(emit, "overwritten", f->written - f->buffered, st, err);
	if (f->marks)
		st = import_fact_u64(emit, "marks of interrupts", f->marks, st, err);
	if (f->own_records)
		st = import_fact_u64(emit, "records of perf itself", f->own_records, st, err);
	if (o->raised)
		st = import_fact_u64(emit, "raised by nanoseconds", o->raised, st, err);
	if (o->renamed)
		st = import_fact_u64(emit, "other names of a task", o->renamed, st, err);
	if (st == TDAT_OK && f->cpu_unknown)
		st = tdat_emit_factf(emit, "CPUs", err, "not in %s: %s are of CPU 0",
				     f->cpu_known ? "all lines" : "the text",
				     f->cpu_known ? "events without" : "all events");
	for (size_t i = 0; i < t->request->input_count; i++)
		unnamed += t->facts[i].unnamed_exits;
	if (unnamed)
		st = import_fact_u64(emit, "exits of functions that are not known", unnamed, st,
				     err);
	if (st == TDAT_OK && o->cut)
		st = tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err,
				     "texts of %" PRIu64
				     " events were truncated: a record can have %zu bytes",
				     o->cut, o->text_most);
	if (st == TDAT_OK && f->too_late)
		st = tdat_emit_warnf(
			emit, NULL, TDAT_NO_OFFSET, err,
			"%" PRIu64 " events are omitted, because their times do not fit in 64 bits",
			f->too_late);
	return st;
}

/* Warns if the text was cut within a line. Pages and consoles end as they like. */
static enum tdat_status warn_cut(const struct text_import *t, const struct tdat_import_input *input,
				 const struct ft_facts *f, struct tdat_error *err)
{
	const uint64_t len = tdat_source_len(input->source);
	enum tdat_status st;
	uint8_t last;

	if (f->html || f->console || !len)
		return TDAT_OK;
	st = tdat_source_read(input->source, len - 1, &last, 1, err);
	if (st != TDAT_OK || last == '\n')
		return st;
	if (f->layout == FT_GRAPH || f->events >= f->buffered)
		return import_warn_unended(input->path, input->source, t->emit, err);
	return tdat_emit_warnf(t->emit, input->path, len, err,
			       "the file ends within a line: it has %" PRIu64 " of the %" PRIu64
			       " events that its header counts",
			       f->events, f->buffered);
}

static enum tdat_status read_all(struct text_import *t, struct ft_out *o, struct tdat_error *err)
{
	const struct tdat_import_request *q = t->request;
	enum tdat_status st = emit_info(t, err);

	if (st == TDAT_OK)
		st = ft_typed_emit(&t->typed, t->emit, err);
	o->ranks = t->all.unit == FT_NO_TIME;
	if (page_size(t) < FT_PAGE)
		o->text_most = FT_PAGE_SMALL - FT_REST;
	o->typed = import_option_flag(q, "only-text") ? NULL : &t->typed;
	if (st == TDAT_OK && !o->ranks && (t->texts > 1 || t->all.backward))
		st = import_sort_new(&o->sort, 0, err);
	for (size_t i = 0; i < q->input_count && st == TDAT_OK; i++) {
		struct ft_facts *f = &t->facts[i];

		o->report = f->report;
		o->tracer = f->tracer;
		if (is_repeated(q, i))
			continue;
		st = f->events ? t->kind->read(q->inputs[i].source, f, o, err)
			       : import_warn_left_out(t->emit, &q->inputs[i], false,
						      "it contains no event text", err);
		if (st == TDAT_OK)
			st = warn_cut(t, &q->inputs[i], f, err);
	}
	if (st == TDAT_OK)
		st = ft_out_finish(o, err);
	return st == TDAT_OK ? emit_facts(t, o, err) : st;
}

enum tdat_status ft_import(const struct ft_kind *kind, const struct tdat_import_request *request,
			   const struct tdat_emit *emit, struct tdat_error *err)
{
	struct text_import t = {.kind = kind, .request = request, .emit = emit};
	enum tdat_status st = import_options_check(request, ft_option_descs, kind->name, err);
	struct ft_out out;

	if (st != TDAT_OK)
		return st;
	t.facts = calloc(request->input_count + 1, sizeof(*t.facts));
	if (!t.facts)
		return tdat_error_no_memory(err, "facts of a text");
	st = ft_typed_open(&t.typed, import_option_find(request, "formats-from"), err);
	ft_out_init(&out, emit, kind->system, t.typed.big);
	if (st == TDAT_OK)
		st = learn_all(&t, err);
	if (st == TDAT_OK)
		st = read_all(&t, &out, err);
	import_sort_free(out.sort);
	ft_out_fini(&out);
	ft_typed_close(&t.typed);
	free(t.facts);
	return st;
}

static enum tdat_status run(const struct tdat_import_request *request, const struct tdat_emit *emit,
			    struct tdat_error *err)
{
	static const struct ft_kind kind = {
		.name = "ftrace-text",
		.system = "ftrace_text",
		.none = "no line has the columns of a task, a CPU and a time, as the kernel prints "
			"them",
		.read = ft_read_text,
	};

	return ft_import(&kind, request, emit, err);
}

uint32_t ft_probe(const struct tdat_source *source, const char *title, uint32_t title_bits,
		  uint32_t (*line_bits)(struct tdat_span line))
{
	const uint64_t total = tdat_source_len(source);
	const size_t len = total < PROBE_LEN ? (size_t)total : PROBE_LEN;
	const size_t title_len = strlen(title);
	struct tdat_span text, line;
	uint8_t buf[PROBE_LEN];
	uint32_t bits = 0;

	if (!len || tdat_source_read(source, 0, buf, len, NULL) != TDAT_OK)
		return 0;
	if (len > title_len && !memcmp(buf, title, title_len))
		bits += title_bits;
	text = (struct tdat_span){buf, len};
	while (tdat_take_line(&text, &line))
		bits += line_bits(line);
	return bits;
}

/* Columns of the kernel are some 30 bytes that may have few values. */
static uint32_t line_bits(struct tdat_span line)
{
	struct ft_graph_line graph;
	struct ft_head head;
	uint32_t bits = 0;

	ft_graph_parse(line, &graph);
	for (enum ft_layout l = FT_DEFAULT; l < FT_GRAPH; l++)
		bits += ft_head_parse(l, line, 0, &head) ? LINE_BITS : 0;
	bits += graph.has_cpu && graph.kind == FT_GRAPH_ENTRY ? LINE_BITS : 0;
	return bits;
}

/* True for the kernel's own pages: a tree that has them is the importer tracefs's, text or not. */
static bool is_raw(const struct tdat_import_input *input)
{
	const char *base = tdat_base_name(input->name);

	return (!strcmp(base, "trace_pipe_raw") || !strcmp(base, "snapshot_raw")) &&
	       tdat_source_len(input->source);
}

static uint32_t probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < input_count; i++) {
		if (is_raw(&inputs[i]))
			return 0;
		bits += ft_probe(inputs[i].source, "# tracer: ", TRACER_BITS, line_bits);
	}
	return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}

const struct tdat_importer import_ftrace_text = {
	.name = "ftrace-text",
	.summary = "lines that the kernel printed: trace, trace_pipe, trace-cmd report, dumps on a "
		   "console, systrace",
	.options = ft_option_descs,
	.probe = probe,
	.run = run,
	.wants = wants,
};
