/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Imports a foreign capture and hands its events on as they come. */
#include "input/import_feed.h"

#include <stdlib.h>
#include <string.h>

#include "core/endian.h"
#include "core/grow.h"
#include "input/feed_meta.h"
#include "input/import_run.h"
#include "terminal/message.h"

/*
 * Events that are collected before the first are handed over, and later. All of them have names
 * that the last of them tells of.
 */
enum { FIRST_EVENTS = 1024, MOST_EVENTS = 16384, ROOM = 1 << 20 };

/* Pids of Linux are below 2^22: a bit for each tells whether it was shown. */
enum { PIDS = 1 << 22 };

struct kept_warning {
	char *input, *sentence;
	uint64_t off;
};

struct feed {
	struct tdat_emit emit;
	const struct cli_feed_request *request;
	struct cli_feed_meta meta;
	struct tdat_file *file; /* made of meta as it was; NULL: not yet */
	bool stale;		/* meta has more than file */
	bool refused;		/* before anything was handed over */
	bool big;
	uint32_t cpu_count;
	uint8_t long_size;
	uint32_t page_size;
	uint64_t ts_offset; /* of all times */
	struct tdat_event *events;
	size_t count, most;
	uint8_t *bytes; /* of their records */
	size_t used;
	uint8_t *shown; /* a bit for each pid */
	uint64_t renamed;
	struct kept_warning *warnings; /* until something was handed over */
	size_t warning_count, warning_cap;
	uint64_t warned;
};

/* Ends the import because the capture cannot be shown this way. */
static enum tdat_status refuse(struct feed *f, struct tdat_error *err)
{
	f->refused = !f->file;
	return tdat_error_set(
		err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
		"the capture cannot be shown while it is read: 'tdat convert' makes a "
		"file of it");
}

/* ---- what was collected is handed over ---- */

static void tell_warnings(struct feed *f)
{
	for (size_t i = 0; i < f->warning_count; i++) {
		struct kept_warning *w = &f->warnings[i];

		if (f->file)
			cli_import_complain(f->request->inputs, w->input, w->off, w->sentence);
		free(w->input);
		free(w->sentence);
	}
	f->warning_count = 0;
}

/* Whether lines of these events depend on events around them, which only an iterator knows. */
static bool depends_on_others(const struct tdat_file *file)
{
	static const char *const names[][2] = {
		{"sched", "sched_switch"},	 {"sched", "sched_wakeup"},
		{"sched", "sched_wakeup_new"},	 {"sched", "sched_waking"},
		{"sched", "sched_process_fork"}, {"sched", "sched_process_exec"},
		{"task", "task_newtask"},	 {"task", "task_rename"},
		{"ftrace", "function"},		 {"ftrace", "func_repeats"},
		{"ftrace", "funcgraph_entry"},	 {"ftrace", "funcgraph_exit"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (tdat_file_format_by_name(file, names[i][0], names[i][1]))
			return true;
	return false;
}

/* Whether all formats have the event's id and pid where record_pid reads them. */
static bool has_usual_head(const struct tdat_file *file)
{
	for (size_t i = 0; i < tdat_file_format_count(file); i++) {
		const struct tdat_format *format;
		const struct tdat_field *type, *pid;

		if (tdat_file_format(file, i, &format, NULL))
			continue;
		type = tdat_format_field(format, "common_type");
		pid = tdat_format_field(format, "common_pid");
		if (!type || type->off || type->len != 2 || !pid || pid->off != 4 || pid->len != 4)
			return false;
	}
	return true;
}

static enum tdat_status open_file(struct feed *f, struct tdat_error *err)
{
	struct tdat_file *file;
	enum tdat_status st = cli_feed_meta_open(&f->meta, f->request->limits, &file, err);

	if (st != TDAT_OK)
		return st;
	if (depends_on_others(file) || !has_usual_head(file)) {
		tdat_file_close(file);
		return refuse(f, err);
	}
	st = f->request->to->ops->open(f->request->to->ctx, file, err);
	tdat_file_close(f->file);
	f->file = file;
	f->stale = false;
	tell_warnings(f);
	return st;
}

static void name_event(struct feed *f, struct tdat_event *ev)
{
	const uint32_t pid = (uint32_t)ev->pid;

	ev->comm = (struct tdat_span){(const uint8_t *)"<idle>", 6};
	if (!pid)
		return;
	ev->comm = tdat_file_comm(f->file, ev->pid);
	if (!ev->comm.ptr)
		ev->comm = (struct tdat_span){(const uint8_t *)"<...>", 5};
	if (pid < PIDS)
		f->shown[pid / 8] |= (uint8_t)(1u << pid % 8);
}

static enum tdat_status flush(struct feed *f, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;
	size_t at = 0;

	if (!f->file || f->stale)
		st = open_file(f, err);
	if (st != TDAT_OK || !f->count)
		return st;
	for (size_t i = 0; i < f->count; i++) {
		f->events[i].record.ptr = f->bytes + at;
		at += f->events[i].record.len;
		name_event(f, &f->events[i]);
	}
	st = f->request->to->ops->events(f->request->to->ctx, f->events, f->count, err);
	f->count = f->used = 0;
	f->most = MOST_EVENTS;
	return st;
}

/* ---- events ---- */

/*
 * A ring-buffer page, from which events are printed otherwise, has words of four bytes, at least
 * two of them for a record.
 */
static size_t stored_len(size_t len)
{
	return len <= 4 ? 8 : (len + 3) & ~(size_t)3;
}

/* Whether a page has room for a record: its header, the record's, and a count of lost events. */
static bool fits_page(const struct feed *f, size_t len, int64_t lost)
{
	const size_t head = 8 + (size_t)f->long_size + 8 + (lost > 0 ? f->long_size : 0);

	return len <= f->page_size && stored_len(len) <= f->page_size - head;
}

static enum tdat_status feed_event(void *ctx, const struct tdat_emit_event *event,
				   struct tdat_error *err)
{
	struct feed *f = ctx;
	const size_t len = stored_len(event->record.len);
	struct tdat_event *ev;
	enum tdat_status st = TDAT_OK;
	uint8_t *to;

	if (event->buffer || event->cpu >= f->cpu_count || event->record.len < 8 ||
	    !fits_page(f, event->record.len, event->lost_before))
		return refuse(f, err);
	if (f->count == f->most || len > ROOM - f->used)
		st = flush(f, err);
	if (st != TDAT_OK)
		return st;
	to = f->bytes + f->used;
	memcpy(to, event->record.ptr, event->record.len);
	memset(to + event->record.len, 0, len - event->record.len);
	f->used += len;
	ev = &f->events[f->count++];
	*ev = (struct tdat_event){.ts = event->ts + f->ts_offset,
				  .cpu = event->cpu,
				  .id = tdat_load16(to, f->big),
				  .pid = (int32_t)tdat_load32(to + 4, f->big),
				  .lost_before = event->lost_before,
				  .record = {NULL, len}};
	if (ev->lost_before < 0 || (f->long_size == 4 && ev->lost_before > UINT32_MAX))
		ev->lost_before = TDAT_LOST_UNKNOWN;
	return TDAT_OK;
}

/* ---- what events refer to ---- */

static enum tdat_status feed_info(void *ctx, const struct tdat_emit_info *info,
				  struct tdat_error *err)
{
	struct feed *f = ctx;

	if (!info->cpu_count)
		return refuse(f, err); /* the events tell, but it is shown before them */
	f->cpu_count = info->cpu_count;
	f->big = info->big_endian;
	f->long_size = info->long_size ? info->long_size : 8;
	f->page_size = info->page_size ? info->page_size : 4096;
	return cli_feed_meta_info(&f->meta, info, err);
}

static enum tdat_status feed_buffer(void *ctx, const char *name, const char *clock,
				    uint32_t *number, struct tdat_error *err)
{
	(void)name, (void)clock, (void)number;
	return refuse(ctx, err);
}

static enum tdat_status feed_format(void *ctx, const char *system, const char *text, size_t len,
				    uint16_t *id, struct tdat_error *err)
{
	struct feed *f = ctx;

	f->stale = true;
	return cli_feed_meta_format(&f->meta, system, text, len, id, err);
}

/* Whether events of the pid were shown with another name than this. */
static bool was_shown(const struct feed *f, int32_t pid, const char *comm)
{
	struct tdat_span known;

	if (!f->file || !pid)
		return false;
	if ((uint32_t)pid < PIDS && !(f->shown[(uint32_t)pid / 8] & 1u << (uint32_t)pid % 8))
		return false;
	known = tdat_file_comm(f->file, pid);
	return !known.ptr || known.len != strlen(comm) || memcmp(known.ptr, comm, known.len) != 0;
}

static enum tdat_status feed_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct feed *f = ctx;

	f->renamed += was_shown(f, pid, comm);
	f->stale = true;
	return cli_feed_meta_comm(&f->meta, pid, comm, err);
}

static enum tdat_status feed_kallsyms(void *ctx, const char *text, size_t len,
				      struct tdat_error *err)
{
	struct feed *f = ctx;

	return f->file ? refuse(f, err) : cli_feed_meta_kallsyms(&f->meta, text, len, err);
}

static enum tdat_status feed_printk(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct feed *f = ctx;

	return f->file ? refuse(f, err) : cli_feed_meta_printk(&f->meta, text, len, err);
}

/* Of the options one changes what is printed, an offset of all times, and statistics do not. */
static enum tdat_status feed_option(void *ctx, uint16_t id, const void *data, size_t len,
				    struct tdat_error *err)
{
	struct feed *f = ctx;
	char text[32];

	if (id == TDAT_OPTION_CPUSTAT)
		return TDAT_OK;
	if (id != TDAT_OPTION_OFFSET || len >= sizeof(text) || f->file || f->count)
		return refuse(f, err);
	memcpy(text, data, len);
	text[len] = '\0';
	f->ts_offset += (uint64_t)strtoll(text, NULL, 10);
	return TDAT_OK;
}

static enum tdat_status feed_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				   size_t len, struct tdat_error *err)
{
	(void)buffer, (void)cpu, (void)data, (void)len;
	return refuse(ctx, err);
}

static enum tdat_status feed_latency(void *ctx, uint32_t buffer, const char *text, size_t len,
				     struct tdat_error *err)
{
	(void)buffer, (void)text, (void)len;
	return refuse(ctx, err);
}

static enum tdat_status feed_subbuf(void *ctx, uint32_t buffer, uint32_t page_size,
				    struct tdat_error *err)
{
	(void)buffer, (void)page_size;
	return refuse(ctx, err);
}

/* Warnings and notes are kept until it is sure that the capture is shown this way, and not read
 * again. */
static enum tdat_status feed_note(void *ctx, const char *input, uint64_t off, const char *sentence,
				  struct tdat_error *err)
{
	struct feed *f = ctx;
	struct kept_warning *list;

	if (f->file) {
		cli_import_complain(f->request->inputs, input, off, sentence);
		return TDAT_OK;
	}
	list = tdat_grown(f->warnings, &f->warning_cap, f->warning_count + 1, sizeof(*list));
	if (list) {
		struct kept_warning w = {input ? strdup(input) : NULL, strdup(sentence), off};

		f->warnings = list;
		list[f->warning_count++] = w;
		if (w.sentence && (w.input || !input))
			return TDAT_OK;
	}
	return tdat_error_no_memory(err, "a warning");
}

static enum tdat_status feed_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				  struct tdat_error *err)
{
	struct feed *f = ctx;

	f->warned++;
	return feed_note(ctx, input, off, sentence, err);
}

static const struct tdat_emit_ops feed_ops = {
	.info = feed_info,
	.buffer = feed_buffer,
	.format = feed_format,
	.comm = feed_comm,
	.kallsyms = feed_kallsyms,
	.printk = feed_printk,
	.option = feed_option,
	.event = feed_event,
	.pages = feed_pages,
	.warn = feed_warn,
	.note = feed_note,
	.latency = feed_latency,
	.subbuf = feed_subbuf,
};

/* ---- the import ---- */

static bool feed_init(struct feed *f, const struct cli_feed_request *request)
{
	*f = (struct feed){.request = request, .most = FIRST_EVENTS, .long_size = 8};
	f->emit = (struct tdat_emit){&feed_ops, f};
	f->page_size = 4096;
	f->ts_offset = (uint64_t)request->to->ts_offset;
	f->events = calloc(MOST_EVENTS, sizeof(*f->events));
	f->bytes = malloc(ROOM);
	f->shown = calloc(PIDS / 8, 1);
	return f->events && f->bytes && f->shown &&
	       cli_feed_meta_init(&f->meta, feed_warn, f, NULL) == TDAT_OK;
}

static void feed_fini(struct feed *f)
{
	tell_warnings(f);
	free(f->warnings);
	tdat_file_close(f->file);
	cli_feed_meta_fini(&f->meta);
	free(f->events);
	free(f->bytes);
	free(f->shown);
}

/* Reports how the import ended, once something was handed over. */
static int end(struct feed *f, enum tdat_status st, const struct tdat_error *err)
{
	if (f->renamed) {
		f->warned++;
		cli_error(NULL,
			  "%llu names of tasks came behind events of theirs, which were shown "
			  "without; the file that 'tdat convert' makes has them",
			  (unsigned long long)f->renamed);
	}
	if (st == TDAT_E_CANCELLED)
		return f->warned
			       ? CLI_FAILED
			       : CLI_OK; /* who got the events had enough, or said why it failed */
	if (st != TDAT_OK)
		return cli_fail(NULL, err);
	return f->warned ? CLI_FAILED : CLI_OK;
}

/*
 * Hands over what is left, also after a failure st of the import, which counts more than failures
 * of this function.
 */
static enum tdat_status finish(struct feed *f, enum tdat_status st, struct tdat_error *err)
{
	struct tdat_error why = TDAT_ERROR_INIT;
	enum tdat_status rest = TDAT_OK;

	if (st != TDAT_E_CANCELLED)
		rest = flush(f, &why);
	if (f->file && rest == TDAT_OK)
		rest = f->request->to->ops->close(f->request->to->ctx,
						  st == TDAT_OK || st == TDAT_E_CANCELLED, &why);
	else if (f->file)
		f->request->to->ops->close(f->request->to->ctx, false, NULL);
	if (st != TDAT_OK)
		return st;
	*err = why;
	return rest;
}

int cli_import_feed(const struct cli_feed_request *request, bool *fed)
{
	const struct tdat_import_request import = {.inputs = request->inputs->v,
						   .input_count = request->inputs->count,
						   .options = request->given->v,
						   .option_count = request->given->count,
						   .stream = true};
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = TDAT_E_NOMEM;
	struct feed f;
	int rc = CLI_OK;

	if (feed_init(&f, request)) {
		st = request->importer->run(&import, &f.emit, &err);
		if (st == TDAT_OK || f.file)
			st = finish(&f, st, &err);
	}
	*fed = f.file != NULL;
	if (*fed)
		rc = end(&f, st, &err);
	feed_fini(&f);
	return rc;
}
