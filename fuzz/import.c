/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts the files of a capture out of one input and feeds an importer with them. */
#include "import.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/cursor.h"
#include "emitted.h"

enum { INPUT_MAX = 16, HOW_READ = 1, HOW_WRITE = 2 };

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

	FUZZ_ASSERT(tdat_source_open_memory(&source, bytes.ptr, bytes.len, name, NULL) == TDAT_OK);
	return source;
}

/* What the bits of "how" are to the writer that they choose. */
static struct tdat_writer *writer_of(uint8_t how)
{
	return how & HOW_WRITE ? fuzz_writer_as(how >> 2) : NULL;
}

static size_t cut_inputs(const struct fuzz_import *f, struct tdat_cursor *c, bool by_read,
			 struct tdat_import_input *inputs)
{
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
	struct tdat_keyed_option options[16];
	struct tdat_import_request request = {sizeof(request), .inputs = inputs,
					      .options = options};
	const struct tdat_importer *im = tdat_importer_find(f->importer);
	struct tdat_error err = TDAT_ERROR_INIT;
	uint8_t how = tdat_cursor_u8(&c);
	struct fuzz_emitted e = {.foreign_formats = f->foreign_formats, .writer = writer_of(how)};
	struct tdat_emit emit = fuzz_emitted_emit(&e);
	enum tdat_status st;

	FUZZ_ASSERT(im);
	for (unsigned int i = 0; i < f->option_count; i++)
		if (flags >> i & 1)
			options[request.option_count++] = f->options[i];
	request.input_count = cut_inputs(f, &c, how & HOW_READ, inputs);
	im->probe(inputs, request.input_count);
	st = tdat_importer_run(im, &request, &emit, &err);
	FUZZ_ASSERT(st == TDAT_OK ? e.informed : err.status == st && *err.message);
	FUZZ_ASSERT(!e.refused || st != TDAT_OK);
	fuzz_emitted_compare(&e);
	fuzz_emitted_fini(&e);
	for (size_t i = 0; i < request.input_count; i++)
		tdat_source_close((struct tdat_source *)inputs[i].source);
}
