/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Guesses byte order, word and page size from the pages, which no header has. A copied
 * header_page says part of it; the rest is tried on the first pages of a buffer, and the
 * combination that explains more of them is taken. Probing uses the same code and allocates
 * nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/endian.h"
#include "core/text.h"
#include "tracefs.h"

enum {
	LOOK_FILES = 8,	       /* files of a buffer that are read */
	LOOK_LEN = 256 * 1024, /* bytes of a file that are read, LOOK_PAGES pages at least */
	LOOK_PAGES = 4,
	/* Bytes of header_page; the kernel's has about 200. */
	HEADER_MAX = 2048,
	GUESS_MIN = 4096 /* page sizes tried without a header_page, up to TRACEFS_PAGE_MAX */
};

/* Reads offset and size of a field from the text of header_page. */
static bool field_of(struct tdat_span text, const char *name, uint64_t *off, uint64_t *size)
{
	return tdat_field_number(text, name, "offset:", off) &&
	       tdat_field_number(text, name, "size:", size);
}

/* The kernel's sub-buffers are powers of two (buffer_subbuf_size_kb). */
static bool page_size_ok(uint64_t size)
{
	return size >= TRACEFS_PAGE_MIN && size <= TRACEFS_PAGE_MAX && !(size & (size - 1));
}

/*
 * Reads a copied events/header_page: the size of commit is that of the kernel's long; data ends
 * with the page. False: it is not such a text.
 */
bool tracefs_header_page(const struct tdat_source *source, uint8_t *long_size, uint32_t *page_size)
{
	uint64_t commit_off, commit, data_off, data;
	uint64_t len = tdat_source_len(source);
	uint8_t buf[HEADER_MAX];
	const struct tdat_span text = {buf, (size_t)len};

	if (!len || len > HEADER_MAX || tdat_source_read(source, 0, buf, (size_t)len, NULL))
		return false;
	if (!field_of(text, " commit;", &commit_off, &commit) ||
	    !field_of(text, " data;", &data_off, &data))
		return false;
	/* The timestamp always takes the first 8 bytes. */
	if (commit_off != 8 || (commit != 4 && commit != 8) || data_off != 8 + commit ||
	    data > TRACEFS_PAGE_MAX || !page_size_ok(data_off + data))
		return false;
	*long_size = (uint8_t)commit;
	*page_size = (uint32_t)(data_off + data);
	return true;
}

/*
 * What the pages of a file show for one layout. The right layout has the most sound pages. In
 * another byte order or word size commit words are too large, and a page that starts inside
 * another's data has no records that end with it. Where pages are little filled, too small page
 * sizes may have as many sound ones, but there are pages of zeros between them. With too large
 * ones other pages lie behind the data of each.
 */
struct evidence {
	uint32_t sound;	  /* pages whose data end with a record, and zeros behind them */
	uint32_t weak;	  /* pages with something else behind their data */
	uint32_t odd;	  /* what should not be there */
	uint64_t last_ts; /* of the file's last sound page */
};

/* True if a explains the pages better than b. */
static bool is_better(const struct evidence *a, const struct evidence *b)
{
	if (a->sound != b->sound)
		return a->sound > b->sound;
	return a->weak != b->weak ? a->weak > b->weak : a->odd < b->odd;
}

/* Judges one page; a page is sound if its data end with a record and nothing is behind them. */
static void add_page(struct evidence *e, const struct tracefs_layout *l, const uint8_t *p,
		     size_t len)
{
	const uint64_t ts = tdat_load64(p, l->big);
	struct tracefs_page page;

	tracefs_page_look(l, p, len, &page, NULL);
	tracefs_page_find_rest(l, &page, p, len);
	if (!page.whole || !page.records || page.rest) {
		e->weak += page.whole && page.records;
		/* A page that has only its time is as good as none. */
		e->odd += page.len || !page.sane || page.rest || !ts;
		return;
	}
	e->sound++;
	/* Times of one CPU never fall, and a sound file has whole pages. */
	e->odd += ts < e->last_ts || len < l->page_size;
	e->last_ts = ts;
}

/* Adds the first pages of a file. buf: room for one page, used if the source is not in memory. */
static void add_file(struct evidence *e, const struct tdat_source *source,
		     const struct tracefs_layout *l, uint8_t *buf)
{
	const uint64_t all = tdat_source_len(source);
	const uint64_t look = (uint64_t)LOOK_PAGES * l->page_size;
	const uint64_t end = all < look || all < LOOK_LEN ? all : look < LOOK_LEN ? LOOK_LEN : look;
	uint64_t off;

	e->last_ts = 0;
	for (off = 0; off < end; off += l->page_size) {
		size_t len = all - off < l->page_size ? (size_t)(all - off) : l->page_size;
		const uint8_t *p = tdat_source_peek(source, off, len);

		if (!p) {
			if (tdat_source_read(source, off, buf, len, NULL) != TDAT_OK)
				break;
			p = buf;
		}
		if (len >= tracefs_page_head(l))
			add_page(e, l, p, len);
	}
}

/* Collects the evidence of a buffer's first files for one layout. */
static struct evidence look_at(const struct tracefs_buffer *b, bool snapshot,
			       const struct tracefs_layout *l, uint8_t *buf)
{
	struct evidence e = {0, 0, 0, 0};
	int files = 0;

	for (size_t i = 0; i < b->cpu_count && files < LOOK_FILES; i++) {
		const struct tdat_import_input *in = tracefs_cpu_data(&b->cpus[i], snapshot);

		if (!in)
			continue;
		add_file(&e, in->source, l, buf);
		files++;
	}
	return e;
}

/*
 * Tries a page size with each word size and byte order that is still open. Sets *best and *layout
 * if one explains more.
 */
static void try_size(const struct tracefs_buffer *b, bool snapshot,
		     const struct tracefs_layout *known, int order, uint32_t size, uint8_t *buf,
		     struct evidence *best, struct tracefs_layout *layout)
{
	for (unsigned int way = 0; way < 4; way++) {
		/* Bit 0 of way is the byte order, bit 1 the word size. */
		struct tracefs_layout l = {way & 1, way & 2 ? 4 : 8, size};
		struct evidence e;

		if ((order >= 0 && l.big != (order > 0)) ||
		    (known->long_size && l.long_size != known->long_size))
			continue;
		e = look_at(b, snapshot, &l, buf);
		if (!is_better(&e, best))
			continue;
		*best = e;
		*layout = l;
	}
}

/*
 * Finds the layout of a buffer's pages. Members of known that are not 0 are kept, as is order (-1:
 * open). out->pages: pages that show it; 0: it is a default.
 */
enum tdat_status tracefs_detect(const struct tracefs_buffer *b, bool snapshot,
				const struct tracefs_layout *known, int order,
				struct tracefs_detected *out, struct tdat_error *err)
{
	uint32_t size = known->page_size ? known->page_size : GUESS_MIN;
	const uint32_t last = known->page_size ? known->page_size : TRACEFS_PAGE_MAX;
	struct evidence best = {0, 0, 0, 0}; /* odd pages alone prove nothing */
	uint8_t *buf = malloc(last);

	if (!buf)
		return tdat_error_no_memory(err, "a page");
	out->layout = *known;
	out->layout.big = order > 0;
	out->layout.long_size = known->long_size ? known->long_size : 8;
	out->layout.page_size = size;
	/* If all pages are sound, larger sizes need not be tried. */
	for (; size <= last && !(best.sound && !best.odd); size *= 2)
		try_size(b, snapshot, known, order, size, buf, &best, &out->layout);
	out->pages = best.sound + best.weak;
	free(buf);
	return TDAT_OK;
}

/* Bits of confidence: for a header_page in the kernel's words, and for CPU data by its name. */
enum { HEADER_BITS = 256, RAW_BITS = 128 };

/* Confidence in bits that the inputs are a tracefs tree. */
uint32_t tracefs_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint32_t bits = 0, page_size;
	uint8_t long_size;

	for (size_t i = 0; i < input_count && bits < UINT32_MAX / 2; i++) {
		if (tracefs_is_raw(inputs[i].name))
			bits += RAW_BITS;
		else if (tracefs_header_page_root(inputs[i].name) >= 0 &&
			 tracefs_header_page(inputs[i].source, &long_size, &page_size))
			bits += HEADER_BITS;
	}
	return bits;
}
