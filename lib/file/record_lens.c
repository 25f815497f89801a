/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells the pages of a file how long records of its events can be, by the file's formats. It
 * joins lib/dat, which knows pages but no fields, with lib/model, which knows fields but no
 * pages: the layout of pages gets a function that gives the shortest and longest record of an
 * id. Bounds are found once for each id.
 */
#include "file.h"

/* A record must hold its id and the fields of its format; without one, its id and pid. */
struct dat_len_bounds file_record_bounds(const struct tdat_event_format *format,
					 const struct file_common *c)
{
	const uint32_t type_end = c->type_off + c->type_len, pid_end = c->pid_off + c->pid_len;
	struct dat_len_bounds b = {type_end > pid_end ? type_end : pid_end, UINT32_MAX};

	if (!format)
		return b;
	b.least = format->least_len > type_end ? format->least_len : type_end;
	b.most = format->most_len > b.least ? format->most_len : b.least;
	return b;
}

uint32_t file_record_id(const struct file_common *c, const uint8_t *record, uint32_t len, bool big)
{
	uint64_t id = 0;

	if (c->type_off <= len && c->type_len <= len - c->type_off)
		id = tdat_load_uint(record + c->type_off, c->type_len, big);
	return id < FILE_ID_COUNT ? (uint32_t)id : 0;
}

void file_record_keep(struct dat_record_lens *lens, const struct file_common *c,
		      const uint8_t *record, bool big, struct dat_len_bounds bounds)
{
	if (c->type_off + c->type_len <= 2)
		dat_lens_keep(lens, tdat_load16(record, big), bounds);
}

/* Called for ids whose bounds are not kept yet; they are kept unless memory ran out. */
static struct dat_len_bounds find(const void *ctx, const uint8_t *record, uint32_t len)
{
	struct tdat_file *f = (struct tdat_file *)ctx;
	const struct tdat_event_format *format;
	struct dat_len_bounds bounds;
	struct file_common common;
	bool known;

	file_common_find(f, &common);
	format = file_format_quiet(f, file_record_id(&common, record, len, f->layout.big), &known);
	bounds = file_record_bounds(format, &common);
	if (known && len > 1)
		file_record_keep(&f->lens, &common, record, f->layout.big, bounds);
	return bounds;
}

void file_record_lens_init(struct tdat_file *f)
{
	f->lens.find = find;
	f->lens.ctx = f;
	f->layout.lens = &f->lens;
}
