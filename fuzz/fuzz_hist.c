/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hist triggers: the lines of a setup ("synth TEXT", "trig SYSTEM/EVENT TEXT"), a NUL, a
 * trace.dat; without a NUL the file is a small one with events fuzz/one. Whatever is refused, the
 * other triggers are replayed: hits are the sum of hitcounts, entries are not more than the size,
 * and neither a second run nor another key of the hash shows in any text.
 */
#include <string.h>

#include "hist/map.h"
#include "small.h"
#include "trace.h"

/* Lines of one input: each trigger costs a look at each event. */
enum { LINES_MOST = 64 };

struct output {
	uint64_t hash;
	size_t len;
};

static enum tdat_status take(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct output *o = ctx;

	(void)err;
	o->hash = fuzz_hash(o->hash, data, len);
	o->len += len;
	return TDAT_OK;
}

static enum tdat_status take_made(void *ctx, const struct tdat_event_format *format,
				  struct tdat_span record, const struct tdat_event *from,
				  struct tdat_error *err)
{
	struct output *o = ctx;
	const struct tdat_field *fields;
	size_t count;

	(void)err;
	FUZZ_ASSERT(from);
	fields = tdat_event_format_fields(format, &count);
	for (size_t i = 0; i < count; i++) {
		struct tdat_span s;

		FUZZ_ASSERT(tdat_field_bytes(&fields[i], record, &s, NULL) == TDAT_OK);
		o->hash = fuzz_hash(o->hash, s.ptr, s.len);
	}
	return TDAT_OK;
}

static void add_line(struct tdat_hist *h, char *line)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	char *event, *text;

	if (!strncmp(line, "synth ", 6)) {
		st = tdat_hist_synth(h, line + 6, &err);
	} else {
		text = strchr(line, ' ');
		event = strchr(line, '/');
		if (strncmp(line, "trig ", 5) != 0 || !event || !(text = strchr(line + 5, ' ')) ||
		    event > text)
			return;
		*event++ = *text++ = '\0';
		st = tdat_hist_trigger(h, line + 5, event, text, &err);
	}
	if (st == TDAT_OK) {
		FUZZ_ASSERT(!*tdat_hist_refusal(h));
		return;
	}
	FUZZ_ASSERT(err.status == st && err.message[0]);
	FUZZ_ASSERT(st == TDAT_E_USAGE || !*tdat_hist_refusal(h));
}

static void check_sums(const struct tdat_hist *h)
{
	for (size_t i = 0; i < h->data_count; i++) {
		const struct hist_map *m = h->datas[i]->map;
		uint64_t sum = 0;

		FUZZ_ASSERT(m && m->index.count <= m->most);
		for (uint32_t k = 0; k < m->index.count; k++)
			sum += hist_entry_sums(m, hist_map_entry(m, k))[0];
		FUZZ_ASSERT(sum == m->hits);
	}
}

static struct output run(struct tdat_file *file, const char *setup, uint64_t seed)
{
	static const enum tdat_hist_view views[] = {TDAT_HIST_KERNEL, TDAT_HIST_TRIGGERS,
						    TDAT_HIST_TABLE, TDAT_HIST_JSON};
	struct tdat_hist_opts opts = TDAT_HIST_OPTS_INIT;
	struct output o = {FUZZ_HASH_INIT, 0};
	struct tdat_error err = TDAT_ERROR_INIT;
	char *copy = strdup(setup), *rest = copy, *line;
	struct tdat_hist *h;

	FUZZ_ASSERT(copy && tdat_hist_new(&h, file, &opts, &err) == TDAT_OK);
	h->seed.add ^= seed;
	for (int i = 0; i < LINES_MOST && (line = strsep(&rest, "\n")); i++)
		add_line(h, line);
	tdat_hist_on_synth(h, take_made, &o);
	if (tdat_hist_run(h, &err) == TDAT_OK)
		check_sums(h);
	else
		FUZZ_ASSERT(err.message[0]);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		FUZZ_ASSERT(tdat_hist_write(h, views[i], take, &o, &err) == TDAT_OK);
	tdat_hist_free(h);
	free(copy);
	return o;
}

static void try(const char *setup, const void *dat, size_t len)
{
	struct tdat_open_opts opts = fuzz_open_opts(true);
	struct tdat_file *file;
	struct output a, b;

	if (tdat_file_open_memory(&file, dat, len, "fuzz", &opts, NULL) != TDAT_OK)
		return;
	a = run(file, setup, 0);
	b = run(file, setup, 0x123456789abcdefu);
	FUZZ_ASSERT(a.hash == b.hash && a.len == b.len);
	tdat_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t len = nul ? (size_t)(nul - data) : size;
	struct fuzz_small small = {.version = 6};
	char *setup = malloc(len + 1);
	struct tdat_build b;

	if (!setup)
		return 0;
	if (len)
		memcpy(setup, data, len);
	setup[len] = '\0';
	if (nul) {
		try(setup, nul + 1, size - len - 1);
	} else {
		small.big = len & 1;
		tdat_build_init(&b, small.big);
		fuzz_small_build(&b, &small);
		if (!b.failed)
			try(setup, b.ptr, b.len);
		tdat_build_fini(&b);
	}
	free(setup);
	return 0;
}
