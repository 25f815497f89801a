/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what an importer emits as it comes, and hands it on to a writer if there is one. */
#include "emitted.h"

#include <string.h>

#include "core/cursor.h"

enum { FIRST_ID = 300 };

/* Hands a call on to the writer, if there is one. */
#define FORWARD(e, op, ...)                                                                        \
	(!(e)->writer ? TDAT_OK                                                                    \
		      : keep((e), tdat_emit_##op(tdat_writer_emit((e)->writer), __VA_ARGS__)))

static enum tdat_status keep(struct fuzz_emitted *e, enum tdat_status st)
{
	e->refused |= st != TDAT_OK;
	return st;
}

static void touch(const void *data, size_t len)
{
	fuzz_touch((struct tdat_span){data, len});
}

static enum tdat_status on_info(void *ctx, const struct tdat_emit_info *info,
				struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(!e->informed);
	e->informed = true;
	e->big = info->big_endian;
	e->cpu_count = info->cpu_count;
	return FORWARD(e, info, info, err);
}

static enum tdat_status on_buffer(void *ctx, const char *name, const char *clock, uint32_t *number,
				  struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;
	enum tdat_status st;

	FUZZ_ASSERT(e->informed && name);
	*number = e->buffer_count + 1;
	st = FORWARD(e, buffer, name, clock, number, err);
	if (st != TDAT_OK)
		return st;
	FUZZ_ASSERT(*number == e->buffer_count + 1);
	e->buffer_count++;
	if (*number < FUZZ_BUFFER_MAX)
		FUZZ_ASSERT(e->names[*number] = strdup(name));
	return TDAT_OK;
}

/* Where the last field of a format file ends. */
static uint32_t fixed_len(const char *text, size_t len)
{
	const char *end = text + len, *p = text;
	uint32_t most = 0;

	for (; p < end; p++) {
		unsigned int off, size;

		if (end - p > 8 && !memcmp(p, "\toffset:", 8) &&
		    sscanf(p, "\toffset:%u;\tsize:%u;", &off, &size) == 2 && off + size > most)
			most = off + size;
	}
	return most;
}

static enum tdat_status on_format(void *ctx, const char *system, const char *text, size_t len,
				  uint16_t *id, struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;
	const uint16_t n = e->format_count;
	enum tdat_status st;
	char *copy;

	FUZZ_ASSERT(e->informed && n < FUZZ_FORMAT_MAX);
	*id = (uint16_t)(FIRST_ID + n);
	st = FORWARD(e, format, system, text, len, id, err);
	if (st != TDAT_OK)
		return st;
	copy = malloc(len + 1);
	FUZZ_ASSERT(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	e->formats[n].id = *id;
	e->formats[n].fixed_len = fixed_len(copy, len);
	free(copy);
	FUZZ_ASSERT(e->foreign_formats || e->formats[n].fixed_len >= 8);
	e->format_count++;
	return TDAT_OK;
}

static uint32_t fixed_len_of(const struct fuzz_emitted *e, uint16_t id)
{
	uint32_t i = 0;

	while (i < e->format_count && e->formats[i].id != id)
		i++;
	FUZZ_ASSERT(i < e->format_count);
	return e->formats[i].fixed_len;
}

static enum tdat_status on_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(e->informed && comm);
	return FORWARD(e, comm, pid, comm, err);
}

static enum tdat_status on_kallsyms(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(e->informed);
	touch(text, len);
	return FORWARD(e, kallsyms, text, len, err);
}

static enum tdat_status on_printk(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(e->informed);
	touch(text, len);
	return FORWARD(e, printk, text, len, err);
}

static enum tdat_status on_option(void *ctx, uint16_t id, const void *data, size_t len,
				  struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(e->informed);
	touch(data, len);
	return FORWARD(e, option, id, data, len, err);
}

static enum tdat_status on_event(void *ctx, const struct tdat_emit_event *event,
				 struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;
	const struct tdat_span r = event->record;
	enum tdat_status st;

	FUZZ_ASSERT(e->informed && r.len >= 8);
	FUZZ_ASSERT(event->buffer <= e->buffer_count && event->lost_before >= -1);
	FUZZ_ASSERT(!e->cpu_count || event->cpu < e->cpu_count);
	FUZZ_ASSERT(r.len >= fixed_len_of(e, tdat_load16(r.ptr, e->big)));
	touch(r.ptr, r.len);
	if (event->buffer < FUZZ_BUFFER_MAX) {
		FUZZ_ASSERT(event->ts >= e->last_ts[event->buffer]);
		e->last_ts[event->buffer] = event->ts;
	}
	st = FORWARD(e, event, event, err);
	if (st != TDAT_OK)
		return st;
	e->events++;
	if (e->writer && event->buffer < FUZZ_BUFFER_MAX)
		fuzz_list_add(&e->written, e->names[event->buffer] ? e->names[event->buffer] : "",
			      event->cpu, event->ts, event->lost_before, r, true);
	return TDAT_OK;
}

static enum tdat_status on_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				 size_t len, struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	touch(data, len);
	e->has_pages = true;
	return FORWARD(e, pages, buffer, cpu, data, len, err);
}

static enum tdat_status on_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(sentence && *sentence);
	e->warnings++;
	return FORWARD(e, warn, input, off, sentence, err);
}

static enum tdat_status on_fact(void *ctx, const char *key, const char *value,
				struct tdat_error *err)
{
	(void)ctx, (void)err;
	FUZZ_ASSERT(key && value);
	return TDAT_OK;
}

static enum tdat_status on_latency(void *ctx, uint32_t buffer, const char *text, size_t len,
				   struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(buffer <= e->buffer_count);
	touch(text, len);
	return FORWARD(e, latency, buffer, text, len, err);
}

static enum tdat_status on_subbuf(void *ctx, uint32_t buffer, uint32_t page_size,
				  struct tdat_error *err)
{
	struct fuzz_emitted *e = ctx;

	FUZZ_ASSERT(buffer <= e->buffer_count && page_size);
	return FORWARD(e, subbuf, buffer, page_size, err);
}

static const struct tdat_emit_ops ops = {
	.size = sizeof(struct tdat_emit_ops),
	.info = on_info,
	.buffer = on_buffer,
	.format = on_format,
	.comm = on_comm,
	.kallsyms = on_kallsyms,
	.printk = on_printk,
	.option = on_option,
	.event = on_event,
	.pages = on_pages,
	.warn = on_warn,
	.fact = on_fact,
	.latency = on_latency,
	.subbuf = on_subbuf,
};

struct tdat_emit fuzz_emitted_emit(struct fuzz_emitted *e)
{
	return (struct tdat_emit){&ops, e};
}

/* ---- what was written ---- */

static void compare_stream(const struct fuzz_list *want, const struct fuzz_list *got, size_t first)
{
	const uint64_t stream = want->v[first].stream;
	size_t i, g = 0;

	for (i = first; i < want->count; i = fuzz_list_next(want, i + 1, stream)) {
		const struct fuzz_event *w = &want->v[i];

		g = fuzz_list_next(got, g, stream);
		FUZZ_ASSERT(g < got->count);
		FUZZ_ASSERT(got->v[g].ts == w->ts && got->v[g].hash == w->hash);
		/* A page may be too full to hold the number. */
		FUZZ_ASSERT(got->v[g].lost == w->lost || (w->lost && got->v[g].lost == -1));
		g++;
	}
}

static void compare_events(const struct fuzz_emitted *e, struct tdat_file *file)
{
	struct tdat_iter_input in = {.file = file};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct fuzz_list got = {0};
	size_t i;

	opts.raw_ts = true;
	fuzz_list_read(&got, &in, 1, &opts, true);
	FUZZ_ASSERT(got.status == TDAT_OK && got.count == e->written.count);
	for (i = 0; i < e->written.count; i++)
		if (fuzz_list_next(&e->written, 0, e->written.v[i].stream) == i)
			compare_stream(&e->written, &got, i);
	fuzz_list_fini(&got);
}

/* doubts: formats that the writer warned of. */
static void compare_file(const struct fuzz_emitted *e, uint64_t doubts)
{
	struct tdat_file *file = fuzz_reopen();
	struct tdat_check_result result;

	if (!e->has_pages)
		compare_events(e, file);
	if (fuzz_check(file, &result) && !e->foreign_formats) {
		FUZZ_ASSERT(!result.bad_pages && result.formats_broken <= doubts);
		FUZZ_ASSERT(!result.damages || doubts);
		FUZZ_ASSERT(result.events == e->events);
	}
	tdat_file_close(file);
}

void fuzz_emitted_compare(struct fuzz_emitted *e)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	uint64_t doubts;

	if (!e->writer)
		return;
	doubts = tdat_writer_warnings(e->writer) - e->warnings;
	st = fuzz_finish(e->writer, TDAT_OK, &err);
	e->writer = NULL;
	if (st == TDAT_OK && e->buffer_count < FUZZ_BUFFER_MAX)
		compare_file(e, doubts);
}

void fuzz_emitted_fini(struct fuzz_emitted *e)
{
	size_t i;

	for (i = 0; i < FUZZ_BUFFER_MAX; i++)
		free(e->names[i]);
	tdat_writer_free(e->writer);
	fuzz_list_fini(&e->written);
}
