/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/cursor.h"
#include "fuzz.h"

enum { INPUT_MAX = 16, FORMAT_MAX = 1024, FIRST_ID = 300 };

struct emitted {
	bool informed;
	bool foreign_formats;
	bool big;
	uint32_t cpu_count;
	uint32_t buffer_count;
	uint16_t format_count;
	uint32_t fixed_len[FORMAT_MAX];
	uint64_t last_ts[64];
	uint64_t events, warnings, facts;
};

static enum tdat_status on_info(void *ctx, const struct tdat_emit_info *info,
				struct tdat_error *err)
{
	struct emitted *e = ctx;

	(void)err;
	FUZZ_ASSERT(!e->informed);
	e->informed = true;
	e->big = info->big_endian;
	e->cpu_count = info->cpu_count;
	return TDAT_OK;
}

static enum tdat_status on_buffer(void *ctx, const char *name, const char *clock,
				  uint32_t *number, struct tdat_error *err)
{
	struct emitted *e = ctx;

	(void)clock, (void)err;
	FUZZ_ASSERT(e->informed && name);
	*number = ++e->buffer_count;
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
	struct emitted *e = ctx;
	char *copy = malloc(len + 1);

	(void)system, (void)err;
	FUZZ_ASSERT(e->informed && copy && e->format_count < FORMAT_MAX);
	memcpy(copy, text, len);
	copy[len] = '\0';
	e->fixed_len[e->format_count] = fixed_len(copy, len);
	FUZZ_ASSERT(e->foreign_formats || e->fixed_len[e->format_count] >= 8);
	*id = (uint16_t)(FIRST_ID + e->format_count++);
	free(copy);
	return TDAT_OK;
}

static enum tdat_status on_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	(void)pid, (void)err;
	FUZZ_ASSERT(((struct emitted *)ctx)->informed && comm);
	return TDAT_OK;
}

static enum tdat_status on_text(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	unsigned int sum = 0;

	(void)err;
	FUZZ_ASSERT(((struct emitted *)ctx)->informed);
	for (size_t i = 0; i < len; i++)
		sum += (unsigned char)text[i];
	return sum == UINT32_MAX ? TDAT_E_CANCELLED : TDAT_OK;
}

static enum tdat_status on_option(void *ctx, uint16_t id, const void *data, size_t len,
				  struct tdat_error *err)
{
	(void)id;
	return on_text(ctx, data, len, err);
}

static enum tdat_status on_event(void *ctx, const struct tdat_emit_event *event,
				 struct tdat_error *err)
{
	struct emitted *e = ctx;
	uint16_t id;

	FUZZ_ASSERT(e->informed && event->record.len >= 8);
	FUZZ_ASSERT(event->buffer <= e->buffer_count && event->lost_before >= -1);
	FUZZ_ASSERT(!e->cpu_count || event->cpu < e->cpu_count);
	id = tdat_load16(event->record.ptr, e->big);
	FUZZ_ASSERT(id >= FIRST_ID && id < FIRST_ID + e->format_count);
	FUZZ_ASSERT(event->record.len >= e->fixed_len[id - FIRST_ID]);
	if (event->buffer < 64) {
		FUZZ_ASSERT(event->ts >= e->last_ts[event->buffer]);
		e->last_ts[event->buffer] = event->ts;
	}
	e->events++;
	return on_text(ctx, (const char *)event->record.ptr, event->record.len, err);
}

static enum tdat_status on_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				 size_t len, struct tdat_error *err)
{
	(void)buffer, (void)cpu;
	return on_text(ctx, data, len, err);
}

static enum tdat_status on_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	(void)input, (void)off, (void)err;
	FUZZ_ASSERT(sentence && *sentence);
	((struct emitted *)ctx)->warnings++;
	return TDAT_OK;
}

static enum tdat_status on_fact(void *ctx, const char *key, const char *value,
				struct tdat_error *err)
{
	(void)err;
	FUZZ_ASSERT(key && value);
	((struct emitted *)ctx)->facts++;
	return TDAT_OK;
}

static const struct tdat_emit_ops ops = {
	.info = on_info,
	.buffer = on_buffer,
	.format = on_format,
	.comm = on_comm,
	.kallsyms = on_text,
	.printk = on_text,
	.option = on_option,
	.event = on_event,
	.pages = on_pages,
	.warn = on_warn,
	.fact = on_fact,
};

/* The same bytes behind a descriptor, so that they cannot be peeked at. */
static struct tdat_source *open_read(struct tdat_span bytes, const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	struct tdat_source *source = NULL;

	FUZZ_ASSERT(fd >= 0);
	FUZZ_ASSERT(write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
	FUZZ_ASSERT(tdat_source_open_fd(&source, fd, name, TDAT_ACCESS_READ, NULL) == TDAT_OK);
	close(fd);
	return source;
}

static struct tdat_source *open_memory(struct tdat_span bytes, const char *name)
{
	struct tdat_source *source = NULL;

	FUZZ_ASSERT(tdat_source_open_memory(&source, bytes.ptr, bytes.len, name, NULL) ==
		    TDAT_OK);
	return source;
}

static size_t cut_inputs(const struct fuzz_import *f, struct tdat_cursor *c,
			 struct tdat_import_input *inputs)
{
	bool by_read = tdat_cursor_u8(c) & 1;
	unsigned int have = tdat_cursor_u8(c), last = 0;
	size_t count = 0;

	for (unsigned int i = 0; f->names[i] && i < INPUT_MAX; i++)
		if (have >> i & 1)
			last = i;
	for (unsigned int i = 0; f->names[i] && i < INPUT_MAX; i++) {
		struct tdat_span bytes;
		size_t len;

		if (!(have >> i & 1))
			continue;
		len = i == last ? tdat_cursor_left(c) : tdat_cursor_u16(c);
		if (len > tdat_cursor_left(c))
			len = tdat_cursor_left(c);
		bytes = tdat_cursor_bytes(c, len);
		inputs[count++] = (struct tdat_import_input){
			f->names[i], f->names[i],
			by_read ? open_read(bytes, f->names[i]) : open_memory(bytes, f->names[i])};
	}
	return count;
}

void fuzz_import(const struct fuzz_import *f, const uint8_t *data, size_t size)
{
	struct tdat_cursor c = tdat_cursor_init(data, size, 0, false);
	uint32_t flags = tdat_cursor_u16(&c);
	struct tdat_import_input inputs[INPUT_MAX];
	struct tdat_import_option options[16];
	struct tdat_import_request request = {.inputs = inputs, .options = options};
	const struct tdat_importer *im = tdat_importer_find(f->importer);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct emitted e = {.foreign_formats = f->foreign_formats};
	struct tdat_emit emit = {&ops, &e};
	enum tdat_status st;

	FUZZ_ASSERT(im);
	for (unsigned int i = 0; i < f->option_count; i++)
		if (flags >> i & 1)
			options[request.option_count++] = f->options[i];
	request.input_count = cut_inputs(f, &c, inputs);
	im->probe(inputs, request.input_count);
	st = im->run(&request, &emit, &err);
	FUZZ_ASSERT(st == TDAT_OK ? e.informed : err.status == st && *err.message);
	for (size_t i = 0; i < request.input_count; i++)
		tdat_source_close((struct tdat_source *)inputs[i].source);
}
