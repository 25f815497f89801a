/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ends a trace.dat that is being written: its last pages, its layout, its place on the disk.
 * Steps: flush all streams, mend stored texts, lay out version 6 or 7, rename. Whatever fails
 * leaves the target as it was.
 */
#include "cpu_emit.h"
#include "target.h"
#include "state.h"

#include "data.h"
#include "emit_ops.h"
#include "model/stored_text.h"

/* Seals the open page of each stream and moves it to the spool. */
static enum tdat_status flush_streams(struct tdat_writer *w, struct tdat_error *err)
{
	for (uint32_t i = 0; i < w->buffer_count; i++) {
		struct write_buffer *buf = w->buffers[i];

		for (uint32_t cpu = 0; cpu < buf->stream_cap; cpu++) {
			enum tdat_status st = TDAT_OK;

			if (buf->streams[cpu])
				st = write_stream_flush(&w->store, buf->streams[cpu], err);
			if (st != TDAT_OK)
				return st;
		}
	}
	return TDAT_OK;
}

/* Bytes as they are stored now, for the sum that progress refers to. */
static uint64_t stored_len(const struct write_data *d)
{
	return d->from.src ? d->from.len : d->ext->used + (d->pack ? d->pack->ext.used : 0);
}

/* Returns how many bytes there are to lay out beside metadata. */
static uint64_t total_len(const struct tdat_writer *w)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < w->buffer_count; i++) {
		const struct write_buffer *buf = w->buffers[i];
		struct write_data d = write_data_latency(buf);

		total += buf->has_latency ? stored_len(&d) : 0;
		for (uint32_t cpu = 0; cpu < buf->stream_cap; cpu++) {
			if (!buf->streams[cpu])
				continue;
			d = write_data_stream(buf->streams[cpu]);
			total += stored_len(&d);
		}
	}
	return total;
}

/* Leaves out of a text, with a warning, what its readers would not read, or would stop at. */
static enum tdat_status mend_text(struct tdat_writer *w, enum model_text which, const char *what,
				  struct tdat_build *text, struct tdat_error *err)
{
	struct tdat_build mended;
	struct model_unread unread;
	struct tdat_span all;
	enum tdat_status st;
	size_t left_out;

	/* A last line without its end would be cut by readers that read lines. */
	if (text->len && text->ptr[text->len - 1] && text->ptr[text->len - 1] != '\n')
		tdat_build_u8(text, '\n');
	if (text->failed)
		return tdat_error_no_memory(err, "what is written");
	all = (struct tdat_span){text->ptr, text->len};
	/* Checks the text by the readers' own parser: only bytes that it skips are left out. */
	unread = model_text_unread(which, all);
	if (unread.no_memory)
		return tdat_error_no_memory(err, "what is written");
	if (!unread.len)
		return TDAT_OK;
	tdat_build_init(&mended, false);
	model_text_mend(which, all, &mended);
	if (mended.failed) {
		tdat_build_fini(&mended);
		return tdat_error_no_memory(err, "what is written");
	}
	/* A mended text may be longer only by its line end. */
	left_out = text->len > mended.len ? text->len - mended.len : 0;
	if (unread.why == MODEL_UNREAD_TWICE)
		st = tdat_emit_warnf(&w->emit, NULL, TDAT_NO_OFFSET, err,
				     "%s: %zu bytes are omitted, because their lines contradict "
				     "others for the same task or address",
				     what, left_out);
	else
		st = tdat_emit_warnf(
			&w->emit, NULL, TDAT_NO_OFFSET, err,
			"%s: %zu bytes are omitted, because they are not lines of the form %s",
			what, left_out, model_text_shape(which));
	tdat_build_fini(text);
	*text = mended;
	return st;
}

enum tdat_status tdat_writer_finish(struct tdat_writer *w, struct tdat_error *err)
{
	enum tdat_status st = write_usable(w, err);

	if (st != TDAT_OK)
		return st;
	/* Set first: a second call after a failure must not write again. */
	w->finished = true;
	/* Buffers without events get a shape, too. */
	for (uint32_t i = 0; i < w->buffer_count; i++)
		write_buffer_shape(w, w->buffers[i]);
	/* Streams of other threads first, as they add to the counts. */
	st = write_cpu_emits_end(w, err);
	if (st == TDAT_OK)
		st = mend_text(w, MODEL_TEXT_KALLSYMS, "kallsyms", &w->meta.kallsyms, err);
	if (st == TDAT_OK)
		st = mend_text(w, MODEL_TEXT_PRINTK, "printk formats", &w->meta.printk, err);
	if (st == TDAT_OK)
		st = flush_streams(w, err);
	/* After the last flush no further job comes. */
	if (st == TDAT_OK && w->packer)
		st = write_packer_end(w->packer, err);
	w->progress_total = total_len(w);
	if (st == TDAT_OK)
		st = w->version == 6 ? write_v6(w, err) : write_v7(w, err);
	/* The file gets its name only here. */
	if (st == TDAT_OK)
		st = write_out_commit(&w->out, err);
	return st;
}
