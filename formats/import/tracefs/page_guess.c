/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Byte order, word and page size: no header tells them, the pages do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs.h"

enum {
	LOOK_FILES = 8,  /* of a buffer */
	LOOK_PAGES = 8,  /* of a file */
	HEADER_MAX = 2048,
	GUESS_MAX = 64 * 1024 /* page sizes tried without a header_page */
};

/* The number behind key in the line of a field; false without one. */
static bool number_of(const char *line, const char *key, uint32_t *out)
{
	const char *end = strchr(line, '\n'), *at = strstr(line, key);
	uint32_t v = 0;

	if (!at || (end && at > end))
		return false;
	at += strlen(key);
	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9' && v <= TRACEFS_PAGE_MAX; at++)
		v = v * 10 + (uint32_t)(*at - '0');
	*out = v;
	return true;
}

static bool field_of(const char *text, const char *name, uint32_t *off, uint32_t *size)
{
	const char *at = strstr(text, name);

	return at && number_of(at, "offset:", off) && number_of(at, "size:", size);
}

static bool page_size_ok(uint32_t size)
{
	return size >= TRACEFS_PAGE_MIN && size <= TRACEFS_PAGE_MAX && !(size & (size - 1));
}

bool tracefs_header_page(const struct tdat_source *source, uint8_t *long_size,
			 uint32_t *page_size)
{
	uint32_t commit_off, commit, data_off, data;
	uint64_t len = tdat_source_len(source);
	char text[HEADER_MAX + 1];

	if (!len || len > HEADER_MAX || tdat_source_read(source, 0, text, (size_t)len, NULL))
		return false;
	text[len] = '\0';
	if (!field_of(text, " commit;", &commit_off, &commit) ||
	    !field_of(text, " data;", &data_off, &data))
		return false;
	if (commit_off != 8 || (commit != 4 && commit != 8) || data_off != 8 + commit ||
	    !page_size_ok(data_off + data))
		return false;
	*long_size = (uint8_t)commit;
	*page_size = data_off + data;
	return true;
}

/* Pages of one file that are right under a layout, less those that are wrong. */
static int score_file(const struct tdat_source *source, const struct tracefs_layout *l,
		      uint8_t *buf)
{
	uint64_t len = tdat_source_len(source);
	int score = 0;

	for (uint32_t i = 0; i < LOOK_PAGES; i++) {
		uint64_t off = (uint64_t)i * l->page_size;
		struct tracefs_page page;
		const uint8_t *p;

		if (off > len || len - off < l->page_size)
			break;
		p = tdat_source_peek(source, off, l->page_size);
		if (!p) {
			if (!buf || tdat_source_read(source, off, buf, l->page_size, NULL))
				break;
			p = buf;
		}
		tracefs_page_look(l, p, l->page_size, &page);
		if (page.len || !page.sane)
			score += page.whole && page.records ? 1 : -1;
	}
	return score;
}

static int score_buffer(const struct tracefs_buffer *b, bool snapshot,
			const struct tracefs_layout *l, uint8_t *buf)
{
	int score = 0, files = 0;

	for (size_t i = 0; i < b->cpu_count && files < LOOK_FILES; i++) {
		const struct tdat_import_input *in = tracefs_cpu_data(&b->cpus[i], snapshot);

		if (!in)
			continue;
		score += score_file(in->source, l, buf);
		files++;
	}
	return score;
}

enum tdat_status tracefs_detect(const struct tracefs_buffer *b, bool snapshot,
				const struct tracefs_layout *known, int order,
				struct tracefs_detected *out, struct tdat_error *err)
{
	uint32_t size = known->page_size ? known->page_size : 4096;
	uint32_t last = known->page_size ? known->page_size : GUESS_MAX;
	uint8_t *buf = malloc(last);
	int best = 0;

	if (!buf)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory for a page");
	out->layout = *known;
	out->layout.big = order > 0;
	out->layout.long_size = known->long_size ? known->long_size : 8;
	out->layout.page_size = size;
	for (; size <= last; size *= 2) {
		for (unsigned int way = 0; way < 4; way++) {
			struct tracefs_layout l = {way & 1, way & 2 ? 4 : 8, size};
			int score;

			if ((order >= 0 && l.big != (order > 0)) ||
			    (known->long_size && l.long_size != known->long_size))
				continue;
			score = score_buffer(b, snapshot, &l, buf);
			if (score > best) {
				best = score;
				out->layout = l;
			}
		}
	}
	out->pages = (uint32_t)best;
	free(buf);
	return TDAT_OK;
}

/* A header_page in its own words is worth these bits, a file of CPU data by name these. */
enum { HEADER_BITS = 256, RAW_BITS = 128 };

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
