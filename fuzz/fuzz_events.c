/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A byte of what to ask for, a byte that is not used, then any bytes as a trace.dat: its events as
 * CTF and as Chrome's trace events. One thread and three write the same; Chrome's file is an object
 * of JSON; each packet of CTF tells its own length and times.
 */
#include <string.h>

#include "core/build.h"
#include "syntax.h"
#include "trace.h"

enum { FLAG_FTRACE = 1, FLAG_TWICE = 2, FLAG_RAW_TS = 4 };
enum { INPUTS_MOST = 2, AT_CONTEXT = 24 };

struct ask {
	struct tdat_iter_input in[INPUTS_MOST];
	size_t count;
	uint8_t flags;
};

/* What an export made: the bytes of all files, with their names where there are several. */
struct made {
	struct tdat_build bytes;
	bool big; /* byte order of packets */
};

static enum tdat_status keep(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct made *m = ctx;

	(void)err;
	tdat_build_bytes(&m->bytes, data, len);
	return TDAT_OK;
}

/* A file of a folder gets whole packets, or text that describes them. */
static enum tdat_status keep_file(void *ctx, const char *name, const void *data, size_t len,
				  struct tdat_error *err)
{
	struct made *m = ctx;
	const uint8_t *p = data;

	(void)err;
	FUZZ_ASSERT(*name && *name != '.' &&
		    strspn(name, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789.-_") == strlen(name));
	tdat_build_cstr(&m->bytes, name);
	tdat_build_bytes(&m->bytes, data, len);
	if (!strcmp(name, "metadata"))
		return TDAT_OK;
	FUZZ_ASSERT(len > AT_CONTEXT + 32);
	FUZZ_ASSERT(tdat_load32(p, m->big) == 0xc1fc1fc1);
	FUZZ_ASSERT(tdat_load64(p + AT_CONTEXT, m->big) <= tdat_load64(p + AT_CONTEXT + 8, m->big));
	FUZZ_ASSERT(tdat_load64(p + AT_CONTEXT + 16, m->big) == (uint64_t)len * 8);
	FUZZ_ASSERT(tdat_load64(p + AT_CONTEXT + 24, m->big) == (uint64_t)len * 8);
	return TDAT_OK;
}

static enum tdat_status export(const struct ask *ask, const char *name, uint32_t threads,
			       struct made *m) {
	static const struct tdat_keyed_option ftrace = {"names", "ftrace"};
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct tdat_pump_opts pump = TDAT_PUMP_OPTS_INIT;
	struct tdat_export *e = NULL;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;

	tdat_build_init(&m->bytes, false);
	m->big = tdat_file_info(ask->in[0].file)->big_endian;
	request.inputs = ask->in;
	request.input_count = ask->count;
	request.options = &ftrace;
	request.option_count = ask->flags & FLAG_FTRACE && !strcmp(name, "ctf");
	request.output = keep_file;
	request.output_ctx = m;
	opts.raw_ts = ask->flags & FLAG_RAW_TS;
	pump.threads = threads;
	st = tdat_iter_new(&iter, ask->in, ask->count, &opts, NULL);
	if (st == TDAT_OK) st = tdat_export_new(&e, tdat_exporter_find(name), &request, NULL);
	if (st == TDAT_OK) st = tdat_export_run(e, iter, &pump, keep, m, NULL, NULL);
	tdat_export_free(e);
	tdat_iter_free(iter);
	return st;
}

/* Lines of trace events: as one line without blanks, which the check wants. */
static void check_json(struct tdat_build *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		if (b->ptr[i] != '\n')
			b->ptr[n++] = b->ptr[i];
	FUZZ_ASSERT(fuzz_is_json_object((const char *)b->ptr, n));
}

static void use(const struct ask *ask, const char *name)
{
	struct made one, three;
	const enum tdat_status st = export(ask, name, 1, &one);

	FUZZ_ASSERT(export(ask, name, 3, &three) == st);
	if (st == TDAT_OK) {
		FUZZ_ASSERT(one.bytes.len == three.bytes.len);
		FUZZ_ASSERT(!one.bytes.len ||
			    !memcmp(one.bytes.ptr, three.bytes.ptr, one.bytes.len));
		if (!strcmp(name, "chrome"))
			check_json(&one.bytes);
	}
	tdat_build_fini(&one.bytes);
	tdat_build_fini(&three.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct ask ask = {.count = 1};
	struct tdat_file *file;

	if (size < 2 || tdat_file_open_memory(&file, data + 2, size - 2, "fuzz \"\xff\n", &opts,
					      NULL) != TDAT_OK)
		return 0;
	ask.flags = data[0];
	ask.in[0].file = ask.in[1].file = file;
	ask.in[1].ts_offset = 500;
	ask.count = ask.flags & FLAG_TWICE ? 2 : 1;
	use(&ask, "ctf");
	use(&ask, "chrome");
	tdat_file_close(file);
	return 0;
}
