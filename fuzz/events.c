/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "events.h"

#include <string.h>

#define ADD(hash, value) fuzz_hash(hash, &(value), sizeof(value))

static struct fuzz_event *one_more(struct fuzz_list *l)
{
	if (l->count == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 256;
		l->v = realloc(l->v, l->cap * sizeof(*l->v));
		FUZZ_ASSERT(l->v);
	}
	return &l->v[l->count++];
}

static void put(struct fuzz_list *l, const struct tdat_iter_input *in, const struct tdat_event *ev,
		bool records)
{
	static const uint8_t zeros[8];
	const size_t pad = ev->record.len < 8 ? 8 - ev->record.len : -ev->record.len & 3;
	const size_t len = ev->record.len + pad;
	const char *name;
	struct fuzz_event *e = one_more(l);
	size_t count;

	name = tdat_file_buffers(in[ev->input].file, &count)[ev->buffer].name;
	FUZZ_ASSERT(ev->buffer < count);
	e->stream = fuzz_hash(FUZZ_HASH_INIT, name, strlen(name));
	e->stream = ADD(e->stream, ev->cpu);
	e->ts = ev->ts;
	e->lost = ev->lost_before;
	e->hash = ADD(FUZZ_HASH_INIT, len);
	if (!records)
		return;
	e->hash = fuzz_hash(e->hash, ev->record.ptr, ev->record.len);
	e->hash = fuzz_hash(e->hash, zeros, pad);
}

void fuzz_list_read(struct fuzz_list *l, const struct tdat_iter_input *in, size_t count,
		    const struct tdat_iter_opts *opts, bool records)
{
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;

	l->status = tdat_iter_new(&iter, in, count, opts, NULL);
	if (l->status != TDAT_OK)
		return;
	while ((l->status = tdat_iter_next(iter, &ev, NULL)) == TDAT_OK && ev)
		put(l, in, ev, records);
	tdat_iter_free(iter);
}

void fuzz_list_fini(struct fuzz_list *l)
{
	free(l->v);
	*l = (struct fuzz_list){0};
}

size_t fuzz_list_next(const struct fuzz_list *l, size_t i, uint64_t stream)
{
	while (i < l->count && l->v[i].stream != stream)
		i++;
	return i;
}

static enum tdat_status add_text(void *ctx, const void *data, size_t len, struct tdat_error *err)
{
	struct fuzz_text *t = ctx;

	(void)err;
	t->len += len;
	t->hash = fuzz_hash(t->hash, data, len);
	return TDAT_OK;
}

enum tdat_status fuzz_print(const struct tdat_iter_input *in, uint32_t threads,
			    struct fuzz_text *text)
{
	struct tdat_pump_opts opts = TDAT_PUMP_OPTS_INIT;
	struct tdat_iter_opts iter_opts = TDAT_ITER_OPTS_INIT;
	struct tdat_printer *printer = NULL;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;

	*text = (struct fuzz_text){0, FUZZ_HASH_INIT};
	opts.threads = threads;
	iter_opts.plugin_state = true;
	st = tdat_iter_new(&iter, in, 1, &iter_opts, NULL);
	if (st == TDAT_OK)
		st = tdat_printer_new(&printer, in, 1, NULL, NULL);
	if (st == TDAT_OK)
		st = tdat_pump_text(iter, printer, &opts, add_text, text, NULL);
	tdat_printer_free(printer);
	tdat_iter_free(iter);
	return st;
}
