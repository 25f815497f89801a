/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gives records that end before the fields of their event events of their own, whose formats have
 * the fields that are there: no reader of the new file looks for the others.
 */
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "repair.h"

/*
 * So many lengths of records of one event have formats of their own. Records of further lengths
 * share one, with what any record has.
 */
enum { LENS_MOST = 16, LEN_LEAST = 4 };

/*
 * Takes an id that no format has and no event of the file; 0: there is none. Events that are not
 * read yet may have any id, so the first call reads them all.
 */
static uint32_t free_id(struct repair *r)
{
	if (!r->unknown_filled)
		repair_unknown_ids(r);
	while (r->next_free_id && (r->formats[r->next_free_id] || r->unknown[r->next_free_id]))
		r->next_free_id--;
	return r->next_free_id ? r->next_free_id-- : 0;
}

uint32_t repair_short_id(struct repair *r, uint32_t id, uint32_t len)
{
	struct repair_short *list = r->shorts;
	uint32_t count = 0, at = r->first_short[id];

	for (; at && list[at - 1].len != len; at = list[at - 1].next)
		count++;
	if (!at && count >= LENS_MOST && len != LEN_LEAST)
		return repair_short_id(r, id, LEN_LEAST);
	if (at)
		return list[at - 1].new_id;
	list = tdat_grown(list, &r->short_cap, r->short_count + 1, sizeof(*list));
	if (!list)
		return 0;
	r->shorts = list;
	list[r->short_count] = (struct repair_short){
		.id = id, .len = len, .new_id = free_id(r), .next = r->first_short[id]};
	if (!list[r->short_count].new_id)
		return 0;
	r->first_short[id] = (uint32_t)++r->short_count;
	return list[r->short_count - 1].new_id;
}

/* Finds the next line of a format's text that has a field; false: there is none. */
static bool next_field_line(const char **p, const char *end, struct tdat_span *line)
{
	while (*p < end) {
		const char *start = *p, *eol = memchr(start, '\n', (size_t)(end - start));

		eol = eol ? eol : end;
		*p = eol < end ? eol + 1 : end;
		*line = (struct tdat_span){(const uint8_t *)start, (size_t)(eol - start)};
		while (start < eol && (*start == '\t' || *start == ' '))
			start++;
		if (eol - start > 6 && !memcmp(start, "field:", 6))
			return true;
	}
	return false;
}

/* Puts the lines of the fields that end within len bytes. */
static void put_fields(struct tdat_build *b, const struct tdat_format *format, uint32_t len)
{
	const char *p = (const char *)format->text.ptr, *end = p + format->text.len;
	struct tdat_span line;

	for (size_t i = 0; i < format->field_count && next_field_line(&p, end, &line); i++) {
		if (i == format->common_count)
			tdat_build_str(b, "\n");
		if (!repair_field_fits(&format->fields[i], len))
			continue;
		tdat_build_bytes(b, line.ptr, line.len);
		tdat_build_str(b, "\n");
	}
	if (format->field_count == format->common_count)
		tdat_build_str(b, "\n");
}

void repair_short_formats(struct repair *r)
{
	for (size_t i = 0; i < r->short_count; i++) {
		const struct repair_short *s = &r->shorts[i];
		const struct tdat_format *format = r->formats[s->id];
		struct tdat_build text;

		tdat_build_init(&text, false);
		tdat_build_printf(&text, "name: %s_cut_%u\nID: %u\nformat:\n", format->name, s->len,
				  s->new_id);
		put_fields(&text, format, s->len);
		tdat_build_str(&text, "\n");
		repair_put_print_fmt(&text, format, s->len);
		tdat_build_u64(&r->events, text.len);
		if (text.failed)
			r->events.failed = true;
		else
			tdat_build_bytes(&r->events, text.ptr, text.len);
		tdat_build_fini(&text);
	}
}
