/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why fewer lines with exit status 0 can be right. */
#include "reasons.h"

#include <stdlib.h>
#include <string.h>

#include <tdat/tdat.h>

#include "dat/chunk.h"
#include "dat/page.h"
#include "file/file.h"

const char *reason_name(enum reason reason)
{
	static const char *const names[] = {"none", "", "text", "records", "zstd", "mended"};

	return names[reason];
}

static struct tdat_file *open_bytes(const uint8_t *p, size_t len)
{
	struct tdat_open_opts opts = TDAT_OPEN_OPTS_INIT;
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_file *file;

	opts.tolerate_damage = true;
	return tdat_file_open_memory(&file, p, len, "mutated", &opts, &err) == TDAT_OK ? file
										       : NULL;
}

static uint64_t count_events(const uint8_t *p, size_t len)
{
	struct tdat_iter_input in = {.file = open_bytes(p, len)};
	const struct tdat_event *ev = NULL;
	struct tdat_iter *iter;
	uint64_t n = 0;

	if (!in.file)
		return 0;
	if (tdat_iter_new(&iter, &in, 1, NULL, NULL) != TDAT_OK)
		die("no memory for an iterator");
	while (tdat_iter_next(iter, &ev, NULL) == TDAT_OK && ev)
		n++;
	tdat_iter_free(iter);
	tdat_file_close(in.file);
	return n;
}

/* What is put back: the original's bytes [off, off + n). */
struct mending {
	const struct original *o;
	uint8_t *p;
	size_t len;
};

static void put_back(struct mending *m, const uint8_t *from, size_t n)
{
	size_t off = (size_t)(from - m->o->ptr);

	if (off < m->len)
		memcpy(m->p + off, from, n < m->len - off ? n : m->len - off);
}

/* All of a page's data that is not the payload of a record. */
static void mend_records(struct mending *m, const uint8_t *raw, size_t len, uint32_t size,
			 const struct dat_page_layout *layout)
{
	struct dat_record rec;
	struct dat_page page;
	const char *why;
	uint32_t at = 0;

	if (!dat_page_open(&page, raw, len, size, layout, &why))
		return;
	while (dat_page_next(&page, layout, &rec, &why) == DAT_PAGE_RECORD) {
		put_back(m, page.data + at, (size_t)(rec.data - page.data) - at);
		at = page.pos;
	}
	put_back(m, page.data + at, page.len - at);
}

static void mend_cpu(struct mending *m, const struct tdat_file *file, const struct tdat_buffer *b,
		     const struct tdat_cpu *cpu, enum reason reason)
{
	struct dat_chunks c;
	bool more = true;
	uint64_t off;

	if (reason == REASON_RECORDS && !b->compressed)
		for (off = 0; off < cpu->len; off += b->page_size)
			mend_records(m, m->o->ptr + cpu->off + off,
				     cpu->len - off < b->page_size ? cpu->len - off : b->page_size,
				     b->page_size, &file->layout);
	if (reason != REASON_ZSTD || !b->compressed || strcmp(file->ix.compression, "zstd") ||
	    dat_chunks_init(&c, &file->ix, cpu->off, cpu->len, NULL) != TDAT_OK)
		return;
	while (dat_chunks_next(&c, &more, NULL) == TDAT_OK && more)
		put_back(m, m->o->ptr + c.chunk_off + 8, c.in_len);
}

/* Whether all events come back with the bytes that the reason is about. */
static bool comes_back(const struct original *o, const uint8_t *p, size_t len, enum reason reason)
{
	struct tdat_file *file = open_bytes(o->ptr, o->len);
	struct mending m = {o, malloc(len), len};
	const struct tdat_buffer *b;
	uint64_t before, after;
	size_t i, count;
	uint32_t k;

	if (!file || !m.p)
		die("no memory for a file");
	memcpy(m.p, p, len);
	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count; i++)
		for (k = 0; k < b[i].cpu_count; k++)
			if (b[i].cpus[k].len)
				mend_cpu(&m, file, &b[i], &b[i].cpus[k], reason);
	before = count_events(o->ptr, o->len);
	after = count_events(m.p, len);
	tdat_file_close(file);
	free(m.p);
	return after >= before;
}

enum reason find_reason(const struct original *o, const uint8_t *p, size_t len)
{
	if (count_events(p, len) >= count_events(o->ptr, o->len))
		return REASON_TEXT;
	if (comes_back(o, p, len, REASON_RECORDS))
		return REASON_RECORDS;
	return comes_back(o, p, len, REASON_ZSTD) ? REASON_ZSTD : REASON_NONE;
}
