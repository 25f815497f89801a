/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the events of files as lists, for targets that compare them one by one. */
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

void fuzz_list_add(struct fuzz_list *l, const char *buffer, uint32_t cpu, uint64_t ts, int64_t lost,
		   struct tdat_span record, bool records)
{
	static const uint8_t zeros[8];
	const size_t pad = record.len < 8 ? 8 - record.len : -record.len & 3;
	const size_t len = record.len + pad;
	struct fuzz_event *e = one_more(l);

	e->stream = fuzz_hash(FUZZ_HASH_INIT, buffer, strlen(buffer));
	e->stream = ADD(e->stream, cpu);
	e->ts = ts;
	e->lost = lost;
	e->hash = ADD(FUZZ_HASH_INIT, len);
	if (!records)
		return;
	e->hash = fuzz_hash(e->hash, record.ptr, record.len);
	e->hash = fuzz_hash(e->hash, zeros, pad);
}

static void put(struct fuzz_list *l, const struct tdat_iter_input *in, const struct tdat_event *ev,
		bool records)
{
	const struct tdat_buffer *buffers;
	size_t count;

	buffers = tdat_file_buffers(in[ev->input].file, &count);
	FUZZ_ASSERT(ev->buffer < count);
	fuzz_list_add(l, buffers[ev->buffer].name, ev->cpu, ev->ts, ev->lost_before, ev->record,
		      records);
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
	struct tdat_export_request request = TDAT_EXPORT_REQUEST_INIT;
	struct tdat_export *e = NULL;
	struct tdat_iter *iter = NULL;
	enum tdat_status st;

	*text = (struct fuzz_text){0, FUZZ_HASH_INIT};
	opts.threads = threads;
	request.inputs = in;
	request.input_count = 1;
	iter_opts.plugin_state = true;
	st = tdat_iter_new(&iter, in, 1, &iter_opts, NULL);
	if (st == TDAT_OK)
		st = tdat_export_new(&e, tdat_exporter_find("text"), &request, NULL);
	if (st == TDAT_OK)
		st = tdat_pump(iter, tdat_export_ops(e), tdat_export_ctx(e), &opts, add_text, text,
			       NULL);
	tdat_export_free(e);
	tdat_iter_free(iter);
	return st;
}
