/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes what an importer emits, and hands it to the parts of the writer. It is the struct
 * tdat_emit_ops of a writer. Every argument is checked here, as importers take them from
 * captures: ids, CPUs, buffers, sizes. After a failure of the writer each call returns the same
 * failure. Events go to write_stream.c, texts and options to meta.c.
 */
#include "emit_ops.h"

#include <stdlib.h>

#include "core/grow.h"
#include "dat/option_table.h"
#include "dat/page.h"
#include "cpu_emit.h"
#include "model/format.h"

/* Bounds of ours: each has a table in memory. */
enum { CPUS_MAX = 1 << 16, BUFFERS_MAX = 1 << 12 };
/* Events between two calls of the function of tdat_writer_on_events. */
enum { EVENT_STEP = 4096 };

enum tdat_status write_usable(const struct tdat_writer *w, struct tdat_error *err)
{
	/* The error is kept, so that a caller who ignored it sees the cause again. */
	if (w->broken.status != TDAT_OK) {
		if (err)
			*err = w->broken;
		return w->broken.status;
	}
	if (w->finished)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s is already finished",
				      w->out.name);
	return TDAT_OK;
}

/* Fails when the writer takes nothing more through its tdat_emit. */
static enum tdat_status taking(const struct tdat_writer *w, struct tdat_error *err)
{
	enum tdat_status st = write_usable(w, err);

	if (st == TDAT_OK && w->copied)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "%s is a copy and accepts no more data", w->out.name);
	return st;
}

/* After a failure of the disk or of memory nothing written later can be whole. */
static enum tdat_status note(struct tdat_writer *w, enum tdat_status st,
			     const struct tdat_error *from, struct tdat_error *err)
{
	if (st == TDAT_E_SYSTEM || st == TDAT_E_NOMEM || st == TDAT_E_DAMAGED)
		w->broken = *from;
	if (st != TDAT_OK && err)
		*err = *from;
	return st;
}

/*
 * The name and the clock are copied to the arena; the buffer's shape follows with its first event.
 */
enum tdat_status write_add_buffer(struct tdat_writer *w, const char *name, const char *clock,
				  struct tdat_error *err)
{
	struct write_buffer **list, *buf;

	if (w->buffer_count == BUFFERS_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "a file has at most %d buffers", BUFFERS_MAX);
	list = realloc(w->buffers, (w->buffer_count + 1) * sizeof(*list));
	if (!list)
		return tdat_error_no_memory(err, "what is written");
	w->buffers = list;
	buf = calloc(1, sizeof(*buf));
	if (!buf)
		return tdat_error_no_memory(err, "what is written");
	buf->name = tdat_arena_strndup(&w->meta.arena, name, strlen(name));
	buf->clock = clock ? tdat_arena_strndup(&w->meta.arena, clock, strlen(clock)) : NULL;
	/* Counted even if a copy failed: tdat_writer_free() frees all that are counted. */
	w->buffers[w->buffer_count++] = buf;
	return buf->name && (!clock || buf->clock) ? TDAT_OK
						   : tdat_error_no_memory(err, "what is written");
}

/* Facts decide the layout of pages, so they come before the first event. */
static enum tdat_status op_info(void *ctx, const struct tdat_emit_info *info,
				struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	if (w->informed || w->begun)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "facts of a capture must come once, before anything else");
	st = write_meta_info(&w->meta, info, err);
	w->informed = st == TDAT_OK;
	return st;
}

static enum tdat_status op_buffer(void *ctx, const char *name, const char *clock, uint32_t *number,
				  struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	if (!name || !*name)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "a buffer instance needs a name");
	/* Instances are found by name in the file. */
	for (uint32_t i = 0; i < w->buffer_count; i++)
		if (!strcmp(w->buffers[i]->name, name))
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the buffer instance %s already exists", name);
	st = write_add_buffer(w, name, clock && *clock ? clock : NULL, err);
	if (st == TDAT_OK)
		*number = w->buffer_count - 1;
	return st;
}

/* Warns of a format that readers will not be able to parse, while the capture can still be read. */
static enum tdat_status doubt_format(struct tdat_writer *w, const char *system, const char *text,
				     size_t len, struct tdat_error *err)
{
	const struct tdat_span span = {(const uint8_t *)text, len};
	struct tdat_error why = TDAT_ERROR_INIT;
	struct tdat_event_format *format = NULL;
	enum tdat_status st =
		model_format_parse(&format, system, span, 0, w->meta.big, w->meta.long_size, &why);

	/* The format is stored as it came; parsing it here only serves the warning. */
	if (format && format->unread_off)
		st = tdat_error_set(&why, TDAT_E_DAMAGED, TDAT_NO_OFFSET,
				    "format of event %s/%s: %s", system, format->name,
				    format->unread_off == len ? "it has no print fmt"
							      : "text follows its end");
	model_format_free(format);
	if (st == TDAT_E_DAMAGED)
		return tdat_emit_warnf(&w->emit, NULL, TDAT_NO_OFFSET, err,
				       "%s: readers cannot read all of its fields", why.message);
	if (st != TDAT_OK && err)
		*err = why;
	return st;
}

/* Adds an event's format. *id: the id that the file gets, which records begin with. */
static enum tdat_status op_format(void *ctx, const char *system, const char *text, size_t len,
				  uint16_t *id, struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	enum tdat_status st = taking(w, err);

	if (st == TDAT_OK)
		st = write_meta_format(&w->meta, system, text, len, false, id, err);
	return st == TDAT_OK ? doubt_format(w, system, text, len, err) : st;
}

/* The last name of a pid counts: saved_cmdlines has one name for each. */
static enum tdat_status op_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	return write_comms_set(&w->meta.comms, &w->meta.arena, pid, comm)
		       ? TDAT_OK
		       : tdat_error_no_memory(err, "what is written");
}

/* Sets a text section, whose size has 32 bits. */
static enum tdat_status add_text(struct tdat_writer *w, struct tdat_build *to, const char *what,
				 const char *text, size_t len, struct tdat_error *err)
{
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	if (len > UINT32_MAX - to->len)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%s with another %zu bytes would not fit in 32 bits", what,
				      len);
	tdat_build_bytes(to, text, len);
	return to->failed ? tdat_error_no_memory(err, "what is written") : TDAT_OK;
}

static enum tdat_status op_kallsyms(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct tdat_writer *w = ctx;

	return add_text(w, &w->meta.kallsyms, "kernel symbols", text, len, err);
}

static enum tdat_status op_printk(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct tdat_writer *w = ctx;

	return add_text(w, &w->meta.printk, "printk formats", text, len, err);
}

static enum tdat_status op_option(void *ctx, uint16_t id, const void *data, size_t len,
				  struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	const struct tdat_file_option opt = {id, 0, {data, len}};
	enum tdat_status st = taking(w, err);

	/* Options that a file has once (dat/option_table.c) cannot be added twice. */
	if (st == TDAT_OK && dat_option_def(id)->once && write_meta_has_option(&w->meta, id))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option %s was already written: a file can have only one",
				      dat_option_def(id)->name);
	/* Readers end a text at its NUL: the rest would be lost without a word. */
	if (st == TDAT_OK && dat_option_behind_nul(&opt).len)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option %s has bytes after the NUL that ends its text",
				      dat_option_def(id)->name);
	/* The CPU count is written from the data; the option only raises it. */
	if (st == TDAT_OK && dat_option_is_cpu_count(&opt))
		return write_meta_cpus(&w->meta, tdat_load32(data, w->meta.big), err);
	return st == TDAT_OK ? write_meta_option(&w->meta, id, data, len, err) : st;
}

/* Fixes the page layout of a buffer. Facts of the capture come too late from here on. */
void write_buffer_shape(struct tdat_writer *w, struct write_buffer *buf)
{
	w->begun = true;
	if (buf->shape.size)
		return;
	buf->shape.size = w->meta.page_size;
	buf->shape.long_size = w->meta.long_size;
	buf->shape.big = w->meta.big;
	buf->shape.head = write_page_usual_head(w->meta.long_size);
}

/* The buffer of a number, with its shape set. */
static enum tdat_status find_buffer(struct tdat_writer *w, uint32_t number,
				    struct write_buffer **out, struct tdat_error *err)
{
	if (number >= w->buffer_count)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "there is no buffer %u: the file has %u buffers", number,
				      w->buffer_count);
	*out = w->buffers[number];
	write_buffer_shape(w, *out);
	return TDAT_OK;
}

/* Streams are found by CPU number; most captures number CPUs from 0. */
static enum tdat_status grow_streams(struct write_buffer *buf, uint32_t cpu, struct tdat_error *err)
{
	return TDAT_GROW_ZERO(buf->streams, &buf->stream_cap, (size_t)cpu + 1)
		       ? TDAT_OK
		       : tdat_error_no_memory(err, "what is written");
}

/*
 * Finds or makes the stream of a CPU, for events and pages. All of its checks hold for later
 * events.
 */
enum tdat_status write_find_stream(struct tdat_writer *w, uint32_t number, uint32_t cpu,
				   struct write_stream **out, struct tdat_error *err)
{
	struct write_buffer *buf = NULL;
	enum tdat_status st = find_buffer(w, number, &buf, err);

	if (st != TDAT_OK)
		return st;
	if (cpu >= CPUS_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "CPU %u is above the highest, %d", cpu, CPUS_MAX - 1);
	if (buf->has_latency)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "buffer %u holds latency text and cannot have events",
				      number);
	if (cpu >= buf->stream_cap)
		st = grow_streams(buf, cpu, err);
	if (st != TDAT_OK)
		return st;
	if (!buf->streams[cpu])
		buf->streams[cpu] = write_stream_new(&buf->shape, cpu);
	/*
	 * The packer is made with the first stream: a file without events needs none.
	 */
	if (w->codec && !w->packer)
		w->packer = w->store.packer =
			write_packer_new(w->codec, w->level, w->meta.big, w->threads);
	*out = buf->streams[cpu];
	/* Two threads must not fill one stream. */
	if (*out && (*out)->cpu_emit)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "CPU %u has its own emit, which must write its events", cpu);
	return *out ? TDAT_OK : tdat_error_no_memory(err, "what is written");
}

/* The stream of an event if it had one before: all that write_find_stream checks held then. */
static struct write_stream *known_stream(const struct tdat_writer *w,
					 const struct tdat_emit_event *event)
{
	const struct write_buffer *buf =
		event->buffer < w->buffer_count ? w->buffers[event->buffer] : NULL;

	if (!buf || buf->has_latency || event->cpu >= buf->stream_cap)
		return NULL;
	/* write_find_stream refuses those that another thread fills. */
	return buf->streams[event->cpu] && !buf->streams[event->cpu]->cpu_emit
		       ? buf->streams[event->cpu]
		       : NULL;
}

/* Called for each event: the common case is two checks and write_stream_event(). */
static enum tdat_status op_event(void *ctx, const struct tdat_emit_event *event,
				 struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	struct write_stream *s = NULL;
	struct tdat_error e; /* who fails fills it: to clear it takes longer than an event */
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	if (event->record.len < 2)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "an event of %zu bytes is too short for its type",
				      event->record.len);
	s = known_stream(w, event);
	if (!s)
		st = write_find_stream(w, event->buffer, event->cpu, &s, &e);
	if (st == TDAT_OK)
		st = write_stream_event(&w->store, s, event->ts, event->lost_before, event->record,
					&e);
	if (st != TDAT_OK)
		return note(w, st, &e, err);
	if (!(++w->event_count % EVENT_STEP) && w->events)
		w->events(w->events_ctx, w->event_count, 0);
	return TDAT_OK;
}

static enum tdat_status op_events(void *ctx, const struct tdat_emit_event *events, size_t count,
				  struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		st = op_event(ctx, &events[i], err);
	return st;
}

/* Returns how many events the pages have. On a damaged page those before the damage count. */
static uint64_t count_events(const struct write_page_shape *shape, const uint8_t *data, size_t len)
{
	struct dat_page_layout layout = {
		.big = shape->big, .commit_size = shape->long_size, .data_off = shape->head};
	uint64_t n = 0;

	for (size_t off = 0; off < len; off += shape->size) {
		struct dat_record rec;
		struct dat_page page;
		const char *why;

		/* A page that cannot be opened has no events that readers would find. */
		if (!dat_page_open(&page, data + off, shape->size, shape->size, &layout, &why))
			continue;
		while (dat_page_next(&page, &layout, &rec, &why) == DAT_PAGE_RECORD)
			n++;
	}
	return n;
}

/* Pages of a ring buffer, stored unchanged. */
static enum tdat_status op_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				 size_t len, struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	struct write_stream *s = NULL;
	struct tdat_error e = TDAT_ERROR_INIT;
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	st = write_find_stream(w, buffer, cpu, &s, &e);
	/* Readers find page n by its offset, so all pages have the full size. */
	if (st == TDAT_OK && len % s->shape->size)
		st = tdat_error_set(&e, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "%zu bytes are not whole pages of %u bytes", len,
				    s->shape->size);
	if (st == TDAT_OK)
		st = write_stream_pages(&w->store, s, data, len, &e);
	if (st == TDAT_OK)
		w->event_count += count_events(s->shape, data, len);
	return note(w, st, &e, err);
}

static bool has_streams(const struct write_buffer *buf)
{
	for (uint32_t i = 0; i < buf->stream_cap; i++)
		if (buf->streams[i])
			return true;
	return false;
}

/* Text of a latency tracer takes the place of events. */
static enum tdat_status op_latency(void *ctx, uint32_t buffer, const char *text, size_t len,
				   struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	struct write_buffer *buf = NULL;
	struct tdat_error e = TDAT_ERROR_INIT;
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	st = find_buffer(w, buffer, &buf, &e);
	/* A buffer holds pages or text, never both. */
	if (st == TDAT_OK && has_streams(buf))
		st = tdat_error_set(&e, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "buffer %u has events and cannot hold latency text", buffer);
	if (st == TDAT_OK) {
		buf->has_latency = true;
		st = write_spool_append(&w->spool, &buf->latency, 1, text, len, &e);
	}
	return note(w, st, &e, err);
}

/*
 * Sets the size of a buffer's sub-buffers (pages), which the kernel can change for each instance.
 */
static enum tdat_status op_subbuf(void *ctx, uint32_t buffer, uint32_t page_size,
				  struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	enum tdat_status st = taking(w, err);
	struct write_buffer *buf = NULL;

	if (st == TDAT_OK)
		st = write_meta_page_size(page_size, err);
	if (st == TDAT_OK && page_size != w->meta.page_size && w->version < 7)
		st = tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
				    "version 6 has one page size for all buffers, here %u: pages "
				    "of %u bytes need version 7",
				    w->meta.page_size, page_size);
	if (st == TDAT_OK)
		st = find_buffer(w, buffer, &buf, err);
	if (st != TDAT_OK)
		return st;
	/* Pages of two sizes in one buffer could not be told apart. */
	if (has_streams(buf) || buf->has_latency)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "buffer %u already has pages of %u bytes", buffer,
				      buf->shape.size);
	buf->shape.size = page_size;
	return TDAT_OK;
}

/* Makes an emit for events of one CPU from another thread (cpu_emit.c). */
static enum tdat_status op_cpu_emit(void *ctx, uint32_t buffer, uint32_t cpu,
				    const struct tdat_emit **out, struct tdat_error *err)
{
	struct tdat_writer *w = ctx;
	struct write_stream *s = NULL;
	struct tdat_error e = TDAT_ERROR_INIT;
	enum tdat_status st = taking(w, err);

	if (st != TDAT_OK)
		return st;
	st = write_find_stream(w, buffer, cpu, &s, &e);
	if (st == TDAT_OK)
		st = write_cpu_emit_new(w, s, buffer, out, &e);
	return note(w, st, &e, err);
}

/* Warnings are counted even without a function, for tdat_writer_warnings(). */
static enum tdat_status op_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	struct tdat_writer *w = ctx;

	w->warn_count++;
	return w->warn ? w->warn(w->warn_ctx, input, off, sentence, err) : TDAT_OK;
}

static enum tdat_status op_note(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	struct tdat_writer *w = ctx;

	return w->note ? w->note(w->note_ctx, input, off, sentence, err) : TDAT_OK;
}

static enum tdat_status op_fact(void *ctx, const char *key, const char *value,
				struct tdat_error *err)
{
	const struct tdat_writer *w = ctx;

	(void)err;
	if (w->fact)
		w->fact(w->fact_ctx, key, value);
	return TDAT_OK;
}

const struct tdat_emit_ops write_emit_ops = {
	.size = sizeof(struct tdat_emit_ops),
	.info = op_info,
	.buffer = op_buffer,
	.format = op_format,
	.comm = op_comm,
	.kallsyms = op_kallsyms,
	.printk = op_printk,
	.option = op_option,
	.event = op_event,
	.pages = op_pages,
	.warn = op_warn,
	.note = op_note,
	.fact = op_fact,
	.latency = op_latency,
	.subbuf = op_subbuf,
	.cpu_emit = op_cpu_emit,
	.events = op_events,
};
