/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring-buffer page: a byte of byte order, commit size and age of the
 * layout, the page. Every record lies in the page's data, behind the one
 * before, and the same page gives the same records twice.
 */
#include <string.h>

#include "dat/page.h"
#include "fuzz.h"

enum { FLAG_BIG = 1, FLAG_COMMIT4 = 2, FLAG_OLD = 4, FLAG_WIDE = 8 };

struct walked {
	uint32_t records, pos;
	uint64_t ts, sum;
	enum dat_page_result end;
};

static void check_opened(const struct dat_page *page, const uint8_t *raw, size_t len,
			 const struct dat_page_layout *layout)
{
	FUZZ_ASSERT(page->data == raw + layout->data_off);
	FUZZ_ASSERT(page->len <= len - layout->data_off);
	FUZZ_ASSERT(page->len <= DAT_COMMIT_LEN_MASK);
	FUZZ_ASSERT(page->pos == 0 && page->lost >= -1);
}

static void check_record(const struct dat_page *page, const struct dat_record *rec, uint32_t before)
{
	FUZZ_ASSERT(rec->pos >= before && page->pos > rec->pos && page->pos <= page->len);
	FUZZ_ASSERT(rec->data >= page->data + rec->pos + 4);
	FUZZ_ASSERT(rec->len && rec->data + rec->len <= page->data + page->pos);
}

static struct walked walk(const uint8_t *raw, size_t len, const struct dat_page_layout *layout)
{
	struct walked w = {.end = DAT_PAGE_END};
	struct dat_record rec;
	struct dat_page page;
	const char *why;
	uint32_t i;

	/* A page that may have as much again behind what is left of it. */
	if (!dat_page_open(&page, raw, len, (uint32_t)len * 2, layout, &why)) {
		FUZZ_ASSERT(why);
		return w;
	}
	check_opened(&page, raw, len, layout);
	for (;;) {
		uint32_t before = page.pos;

		why = NULL;
		w.end = dat_page_next(&page, layout, &rec, &why);
		if (w.end != DAT_PAGE_RECORD)
			break;
		check_record(&page, &rec, before);
		FUZZ_ASSERT(++w.records <= page.len / 4);
		for (i = 0; i < rec.len; i++)
			w.sum = w.sum * 31 + rec.data[i];
	}
	FUZZ_ASSERT((w.end == DAT_PAGE_DAMAGED) == (why != NULL));
	FUZZ_ASSERT(page.pos <= page.len);
	w.pos = page.pos;
	w.ts = page.ts;
	return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dat_page_layout layout = {.lens = NULL};
	struct walked a, b;
	uint8_t *copy;

	if (!size)
		return 0;
	layout.big = data[0] & FLAG_BIG;
	layout.old = data[0] & FLAG_OLD;
	layout.commit_size = data[0] & FLAG_COMMIT4 ? 4 : 8;
	layout.data_off = 8u + layout.commit_size + (data[0] & FLAG_WIDE ? 8 : 0);
	copy = malloc(size); /* the page alone: reading past it is seen */
	if (!copy)
		return 0;
	memcpy(copy, data + 1, size - 1);
	copy = realloc(copy, size > 1 ? size - 1 : 1);
	a = walk(copy, size - 1, &layout);
	b = walk(copy, size - 1, &layout);
	FUZZ_ASSERT(a.records == b.records && a.sum == b.sum && a.ts == b.ts);
	FUZZ_ASSERT(a.pos == b.pos && a.end == b.end);
	free(copy);
	return 0;
}
