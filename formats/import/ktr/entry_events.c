/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes events of entries: docs/formats/ktr.md §7. Each entry becomes the event "ktr" with its
 * message; options add typed events, KTRGRAPH events and scheduler events. Strings and formats
 * are looked up in kernel_strings.c and format_table.c.
 */
#include "ktr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "clean_text.h"
#include "core/build.h"
#include "import/cpustat.h"
#include "import/record.h"
#include "entry_layout.h"
#include "kernel_strings.h"
#include "ktrgraph.h"
#include "printf_format.h"

/*
 * Announces the formats of the events that the options ask for; fields' ids are used from then on.
 */
static enum tdat_status emit_formats(struct ktr_output *o, struct tdat_error *err)
{
	static const char *const graphs[] = {"graph_state", "graph_counter", "graph_point"};
	enum tdat_status st = ktr_output_format(o, "ktr", "ktr", &o->ktr_id, err);

	for (size_t i = 0; i < 3 && o->opts.graph && st == TDAT_OK; i++)
		st = ktr_output_format(o, "ktr", graphs[i], &o->graph_ids[i], err);
	if (o->opts.atrace && st == TDAT_OK)
		st = ktr_output_format(o, "ktr", "tracing_mark_write", &o->mark_id, err);
	if (o->opts.sched && st == TDAT_OK)
		st = ktr_sched_new(o, err);
	return st;
}

enum tdat_status ktr_output_init(struct ktr_output *o, const struct tdat_emit *emit,
				 const struct ktr_setup *setup, const struct ktr_output_opts *opts,
				 struct ktr_strings *strings, uint32_t cpu_count,
				 struct tdat_error *err)
{

	*o = (struct ktr_output){.emit = emit,
				 .setup = setup,
				 .opts = *opts,
				 .strings = strings,
				 .cpu_count = cpu_count};
	/*
	 * Typed, graph and scheduler events need the full path of ktr_output_entry(), not batches.
	 */
	o->others = opts->typed || opts->graph || opts->sched || opts->atrace;
	/* Listings have no layout: their values are printed as 64-bit ones. */
	o->word = setup->layout ? setup->layout->word : 8;
	o->parm_count = setup->layout ? setup->layout->parm_count : 0;
	o->formats.no_string_width = setup->layout == ktr_layout(KTR_BSDOS);
	tdat_build_init(&o->payload, setup->big);
	tdat_build_init(&o->message, setup->big);
	tdat_build_init(&o->file, setup->big);
	tdat_build_init(&o->arg, setup->big);
	o->cpu_events = calloc(cpu_count ? cpu_count : 1, sizeof(*o->cpu_events));
	if (!o->cpu_events)
		return tdat_error_no_memory(err, "counts of entries");
	return emit_formats(o, err);
}

void ktr_output_fini(struct ktr_output *o)
{
	ktr_formats_fini(&o->formats);
	ktr_tasks_fini(&o->tasks);
	free(o->sched);
	tdat_build_fini(&o->payload);
	tdat_build_fini(&o->message);
	tdat_build_fini(&o->file);
	tdat_build_fini(&o->arg);
	free(o->typed_names);
	tdat_map_fini(&o->typed_map);
	free(o->cpu_events);
}

/* Makes the message, of the given format (NULL: it came as text). */
enum tdat_status ktr_put_message(struct ktr_output *o, const struct ktr_entry *e,
				 struct tdat_build *b, struct ktr_format **format,
				 struct tdat_error *err)
{
	enum tdat_status st;

	*format = NULL;
	if (e->has_text) {
		ktr_text_clean(b, e->text);
		return TDAT_OK;
	}
	/* Cached by address, since a trace has few formats and many entries. */
	st = ktr_formats_find(&o->formats, o->strings, e->desc, o->parm_count, format, err);
	if (st == TDAT_OK)
		ktr_format_print(*format, e, o->word, o->parm_count, o->strings, b, &o->print);
	return st;
}

/* Appends the source file's name, or "-" where the capture has none. */
void ktr_put_file(struct ktr_output *o, const struct ktr_entry *e, struct tdat_build *b)
{
	if (e->file_text.len)
		/* Old layouts hold the name itself; others hold its address in the kernel. */
		ktr_text_clean(b, e->file_text);
	else if (e->has_text && !e->file)
		tdat_build_u8(b, '-');
	else if (!e->has_text && !o->setup->layout->file_off)
		tdat_build_u8(b, '-');
	else if (!ktr_string_print(o->strings, e->file, b))
		o->files_unresolved++;
}

/*
 * Writes the part of the "ktr" record that has fixed offsets (events/ktr/ktr.format). Dynamic
 * arrays are patched in later at KTR_LOC_FILE and KTR_LOC_MSG.
 */
void ktr_put_fixed(const struct ktr_output *o, struct tdat_build *b, const struct ktr_entry *e,
		   int32_t pid)
{
	uint8_t *p = tdat_build_room(b, KTR_FIXED_LEN);

	if (!p)
		return;
	tdat_store16(p, o->ktr_id, b->big);
	tdat_store16(p + 2, 0, b->big);
	tdat_store32(p + KTR_PID_OFF, (uint32_t)pid, b->big);
	tdat_store32(p + 8, e->line, b->big);
	tdat_store32(p + KTR_LOC_FILE, 0, b->big);
	tdat_store64(p + 16, e->thread, b->big);
	tdat_store64(p + 24, e->desc, b->big);
	for (unsigned int i = 0; i < KTR_PARMS; i++)
		tdat_store64(p + 32 + 8 * i, e->parms[i], b->big);
	tdat_store32(p + KTR_LOC_MSG, 0, b->big);
	b->len += KTR_FIXED_LEN;
}

/* Makes the whole "ktr" record in o->payload. */
static void build_ktr(struct ktr_output *o, const struct ktr_entry *e, int32_t pid)
{
	struct tdat_build *b = &o->payload;

	b->len = 0;
	ktr_put_fixed(o, b, e, pid);
	import_record_string(b, KTR_LOC_FILE, o->file.ptr, o->file.len);
	import_record_string(b, KTR_LOC_MSG, o->message.ptr, o->message.len);
}

/*
 * Makes a KTRGRAPH event of a parsed message. Counters hold a number where states and points hold
 * text.
 */
static enum tdat_status send_graph(struct ktr_output *o, const struct ktr_graph *g, int32_t pid,
				   uint32_t cpu, uint64_t ts, struct tdat_error *err)
{
	struct tdat_build *b = &o->payload;
	size_t group, id, attributes, data = 0;

	import_record_begin(b, o->graph_ids[g->kind], pid);
	group = import_record_loc(b);
	id = import_record_loc(b);
	attributes = import_record_loc(b);
	if (g->kind == KTR_GRAPH_COUNTER) {
		import_record_align(b, 8);
		tdat_build_u64(b, (uint64_t)g->counter);
	} else {
		data = import_record_loc(b);
	}
	import_record_string(b, group, g->group.ptr, g->group.len);
	import_record_string(b, id, g->id.ptr, g->id.len);
	import_record_string(b, attributes, g->attributes.ptr, g->attributes.len);
	if (data)
		import_record_string(b, data, g->data.ptr, g->data.len);
	return ktr_output_send(o, cpu, ts, err);
}

/* Makes an Android "C|pid|name|value" mark, which trace viewers draw as a counter track. */
static enum tdat_status send_mark(struct ktr_output *o, const struct ktr_graph *g, int32_t pid,
				  uint32_t cpu, uint64_t ts, struct tdat_error *err)
{
	struct tdat_build *b = &o->payload;
	size_t buf;

	o->arg.len = 0;
	tdat_build_printf(&o->arg, "C|%d|%.*s|%" PRId64, pid,
			  (int)(g->id.len < KTR_WIDTH_MAX ? g->id.len : KTR_WIDTH_MAX),
			  (const char *)g->id.ptr, g->counter);
	import_record_begin(b, o->mark_id, pid);
	buf = import_record_loc(b);
	import_record_string(b, buf, o->arg.ptr, o->arg.len);
	return ktr_output_send(o, cpu, ts, err);
}

/* Events of a thread group give thread numbers and names. */
struct ktr_task_hint ktr_task_hint(const struct ktr_graph *g)
{
	struct ktr_task_hint hint = {0};

	if (!g || g->tid < 0 || !tdat_span_is(g->group, "thread"))
		return hint;
	hint.named = true;
	/* A thread's own event says that it runs. */
	hint.runs = g->kind == KTR_GRAPH_STATE && tdat_span_is(g->data, "running");
	hint.tid = g->tid;
	hint.name = g->name;
	return hint;
}

/*
 * Finds the pid to record for an entry, and learns from hints which thread has which number. Must
 * see entries in order: what is learned holds for those that follow.
 */
enum tdat_status ktr_find_task(struct ktr_output *o, uint64_t thread,
			       const struct ktr_task_hint *hint, int32_t *pid,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!hint->named)
		return ktr_tasks_thread(&o->tasks, o->emit, thread, pid, err);
	if (hint->runs)
		st = ktr_tasks_learn(&o->tasks, thread, hint->tid, err);
	if (st == TDAT_OK)
		st = ktr_tasks_named(&o->tasks, o->emit, hint->tid, hint->name, err);
	*pid = hint->tid;
	return st;
}

/* Makes the extra events of a KTRGRAPH message, as the options ask for them. */
static enum tdat_status send_graph_events(struct ktr_output *o, const struct ktr_graph *g,
					  int32_t pid, uint32_t cpu, uint64_t ts,
					  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (o->opts.graph)
		st = send_graph(o, g, pid, cpu, ts, err);
	if (st == TDAT_OK && o->opts.atrace && g->kind == KTR_GRAPH_COUNTER)
		st = send_mark(o, g, pid, cpu, ts, err);
	if (st == TDAT_OK && o->opts.sched && g->kind == KTR_GRAPH_STATE &&
	    tdat_span_is(g->group, "thread"))
		st = ktr_sched_state(o, g, pid, cpu, ts, err);
	return st;
}

/* Emits all events of one entry, in this order: "ktr", typed, graph. Called in time order. */
enum tdat_status ktr_output_entry(struct ktr_output *o, const struct ktr_entry *e,
				  struct tdat_error *err)
{
	uint64_t ts = ktr_stamp(o, e->ts);
	struct ktr_task_hint hint;
	struct ktr_format *format;
	struct ktr_graph graph;
	enum tdat_status st;
	bool is_graph;
	int32_t pid;

	o->message.len = o->file.len = 0;
	st = ktr_put_message(o, e, &o->message, &format, err);
	if (st != TDAT_OK)
		return st;
	ktr_put_file(o, e, &o->file);
	is_graph = ktr_graph_parse(import_record_span(&o->message), &graph);
	hint = ktr_task_hint(is_graph ? &graph : NULL);
	st = ktr_find_task(o, e->thread, &hint, &pid, err);
	if (st != TDAT_OK)
		return st;
	build_ktr(o, e, pid);
	if (e->cpu < o->cpu_count)
		o->cpu_events[e->cpu]++;
	st = ktr_output_send(o, e->cpu, ts, err);
	if (st == TDAT_OK && o->opts.typed && format)
		st = ktr_typed(o, format, e, pid, ts, err);
	/* The scheduler events come last, since they rest on the task that was found above. */
	if (st == TDAT_OK && is_graph)
		st = send_graph_events(o, &graph, pid, e->cpu, ts, err);
	return st;
}

/*
 * Adds alq_failed to the cpustat text: entries that FreeBSD's ALQ (asynchronous log queue) could
 * not write.
 */
static void add_failed(const void *ctx, uint32_t cpu, struct tdat_build *b)
{
	const struct ktr_meta *meta = ctx;

	(void)cpu;
	if (meta->has_alq_failed)
		tdat_build_printf(b, "alq_failed: %" PRIu64 " (of all CPUs; where is unknown)\n",
				  meta->alq_failed);
}

/*
 * Warns of a count of formats: "3 formats want more", "more than 65536 ..." when not all were
 * counted.
 */
static enum tdat_status warn_counted(struct ktr_output *o, uint64_t count, bool more,
				     const char *one, const char *many, struct tdat_error *err)
{
	if (!count)
		return TDAT_OK;
	return tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err, "%s%" PRIu64 " %s",
			       more ? "more than " : "", count, count == 1 && !more ? one : many);
}

/*
 * Emits the counters per CPU and the warnings that concern the whole import. Each kind is one line.
 */
enum tdat_status ktr_output_end(struct ktr_output *o, const struct ktr_meta *meta,
				struct tdat_error *err)
{
	const struct ktr_formats *f = &o->formats;
	const struct import_cpustat stat = {.emit = o->emit,
					    .what = "entries",
					    .records = o->cpu_events,
					    .cpu_count = o->cpu_count,
					    .always = -1,
					    .more = add_failed,
					    .ctx = meta};
	const struct {
		uint64_t count;
		bool more;
		const char *one, *many;
	} rows[] = {
		{f->unresolved, f->overflown, "format string not resolved",
		 "format strings not resolved"},
		{o->print.strings_unresolved, false, "string argument not resolved",
		 "string arguments not resolved"},
		{o->files_unresolved, false, "file name not resolved", "file names not resolved"},
		{f->unsupported, f->overflown, "format with an unsupported conversion printed raw",
		 "formats with an unsupported conversion printed raw"},
	};
	enum tdat_status st = import_cpustat_emit(&stat, err);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && st == TDAT_OK; i++)
		st = warn_counted(o, rows[i].count, rows[i].more, rows[i].one, rows[i].many, err);
	if (st == TDAT_OK && f->many)
		st = tdat_emit_warnf(o->emit, NULL, TDAT_NO_OFFSET, err,
				     "%s%" PRIu64 " format%s more than %u arguments",
				     f->overflown ? "more than " : "", f->many,
				     f->many == 1 ? " wants" : "s want", o->parm_count);
	if (st == TDAT_OK)
		st = warn_counted(o, o->typed_refused, false,
				  "format without an event of its own: there are too many",
				  "formats without an event of their own: there are too many", err);
	return st;
}
