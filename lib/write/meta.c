/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects the metadata of the new file until it is laid out. Formats get ids that are unique
 * in the file; options and parts keep their order. Nothing is written here: parts.c and
 * write_v6.c or write_v7.c lay it out. Copies of parts from another file are borrowed, as the
 * source stays open.
 */
#include "meta.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/grow.h"
#include "core/opts.h"
#include "core/text.h"
#include "dat/option_table.h"

enum {
	PAGE_MIN = 256,
	PAGE_MAX = 1 << 20, /* the kernel's largest sub-buffer */
	CPUS_MAX = 1 << 16,
	FIRST_ID = 1000 /* above the tracers' own and most tracepoints' */
};

/* The usual values: 64 bits, pages of 4 KiB, a clock that is not known. Byte order: little. */
void write_meta_init(struct write_meta *meta)
{
	memset(meta, 0, sizeof(*meta));
	meta->long_size = 8;
	meta->page_size = 4096;
	meta->clock = ""; /* no name, and no option TRACECLOCK */
	tdat_build_init(&meta->kallsyms, false);
	tdat_build_init(&meta->printk, false);
}

void write_meta_fini(struct write_meta *meta)
{
	free(meta->formats);
	free(meta->options);
	free(meta->raws);
	write_comms_fini(&meta->comms);
	tdat_build_fini(&meta->kallsyms);
	tdat_build_fini(&meta->printk);
	tdat_arena_fini(&meta->arena);
}

/* NULL stays NULL. False: no memory. */
static bool copy_text(struct write_meta *meta, const char *from, const char **to)
{
	*to = from ? tdat_arena_strndup(&meta->arena, from, strlen(from)) : NULL;
	return !from || *to;
}

/* Stores the clock's name, and the text of trace_clock, which option TRACECLOCK has. */
bool write_meta_clock(struct write_meta *meta, const char *clock)
{
	static const char *const usual[] = {"local", "global",	 "counter", "uptime", "perf",
					    "mono",  "mono_raw", "boot",    "tai",    "x86-tsc"};
	const struct tdat_span active = tdat_active_clock(tdat_span_of(clock));
	struct tdat_build text;
	bool listed = false, ok;

	/* The text of trace_clock already: "[local] global ...". */
	if (active.ptr) {
		meta->clock = tdat_arena_strndup(&meta->arena, active.ptr, active.len);
		return copy_text(meta, clock, &meta->clock_text) && meta->clock;
	}
	tdat_build_init(&text, false);
	/* The list of the kernel's trace_clock, with the active clock in brackets. */
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		const bool given = !strcmp(usual[i], clock);

		listed |= given;
		tdat_build_printf(&text, given ? "%s[%s]" : "%s%s", i ? " " : "", usual[i]);
	}
	/* A clock of another machine is added to the list. */
	if (!listed)
		tdat_build_printf(&text, " [%s]", clock);
	tdat_build_str(&text, "\n");
	if (!text.failed)
		meta->clock_text = tdat_arena_strndup(&meta->arena, text.ptr, text.len);
	tdat_build_fini(&text);
	ok = copy_text(meta, clock, &meta->clock);
	return ok && meta->clock_text;
}

enum tdat_status write_meta_page_size(uint32_t page, struct tdat_error *err)
{
	if (page >= PAGE_MIN && page <= PAGE_MAX && !(page & (page - 1)))
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
			      "the page size must be a power of two from %d to %d bytes, not %u",
			      PAGE_MIN, PAGE_MAX, page);
}

enum tdat_status write_meta_cpus(struct write_meta *meta, uint32_t count, struct tdat_error *err)
{
	if (count > CPUS_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%u CPUs are too many: the maximum is %d", count, CPUS_MAX);
	meta->cpu_count = count;
	return TDAT_OK;
}

/* Checks all facts before it takes over any. */
enum tdat_status write_meta_info(struct write_meta *meta, const struct tdat_emit_info *info,
				 struct tdat_error *err)
{
	struct tdat_emit_info in = TDAT_EMIT_INFO_INIT;
	uint32_t page = 0;

	tdat_opts_copy(&in, sizeof(in), info);
	if (in.long_size != 0 && in.long_size != 4 && in.long_size != 8)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the long size must be 4 or 8 bytes, not %u", in.long_size);
	page = in.page_size ? in.page_size : 4096;
	if (write_meta_page_size(page, err) != TDAT_OK)
		return TDAT_E_USAGE;
	if (write_meta_cpus(meta, in.cpu_count, err) != TDAT_OK)
		return TDAT_E_LIMIT;
	/* The strings are copied: the importer's memory may go. */
	meta->big = in.big_endian;
	meta->long_size = in.long_size ? in.long_size : 8;
	meta->page_size = page;
	if ((in.clock && *in.clock && !write_meta_clock(meta, in.clock)) ||
	    !copy_text(meta, in.uname, &meta->uname) ||
	    !copy_text(meta, in.version, &meta->version))
		return tdat_error_no_memory(err, "metadata");
	return TDAT_OK;
}

/* Finds the digits behind "ID:" in a format. False: there are none, or they exceed 16 bits. */
bool write_meta_parse_id(const char *text, size_t len, size_t *from, size_t *to, uint32_t *id)
{
	struct tdat_span at = tdat_behind((struct tdat_span){(const uint8_t *)text, len}, "ID:");
	uint64_t v;

	tdat_take_blanks(&at);
	*from = len - at.len;
	*to = *from + tdat_take_digits(&at, 10, &v);
	*id = (uint32_t)v;
	return *to > *from && v <= UINT16_MAX;
}

static bool id_used(const struct write_meta *meta, uint32_t id)
{
	return meta->ids[id / 8] >> (id % 8) & 1;
}

/*
 * Returns the lowest free id from FIRST_ID up, then any below it; 0: none is free. Ids are never
 * freed, so each search begins where the last one ended.
 */
static uint32_t id_pick(struct write_meta *meta)
{
	uint32_t up = meta->id_up > FIRST_ID ? meta->id_up : FIRST_ID;

	while (up <= UINT16_MAX && id_used(meta, up))
		up++;
	meta->id_up = up;
	if (up <= UINT16_MAX)
		return up;
	for (uint32_t id = FIRST_ID - 1; id; id--)
		if (!id_used(meta, id))
			return id;
	return 0;
}

/* Copies a format. Its id must be set already. */
enum tdat_status write_meta_add_format(struct write_meta *meta, const char *system,
				       const char *text, size_t len, struct tdat_error *err)
{
	struct write_format *f;

	if (!TDAT_GROW(meta->formats, &meta->format_cap, meta->format_count + 1))
		return tdat_error_no_memory(err, "metadata");
	f = &meta->formats[meta->format_count];
	f->system = tdat_arena_strndup(&meta->arena, system, strlen(system));
	f->text = tdat_arena_strndup(&meta->arena, text, len);
	f->len = len;
	if (!f->system || !f->text)
		return tdat_error_no_memory(err, "metadata");
	meta->format_count++;
	return TDAT_OK;
}

/* Stores text with its digits at [from, to) replaced by id. */
static enum tdat_status format_add_as(struct write_meta *meta, const char *system, const char *text,
				      size_t len, size_t from, size_t to, uint32_t id,
				      struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st;

	tdat_build_init(&b, false);
	tdat_build_bytes(&b, text, from);
	tdat_build_printf(&b, "%u", id);
	tdat_build_bytes(&b, text + to, len - to);
	st = b.failed ? tdat_error_no_memory(err, "metadata")
		      : write_meta_add_format(meta, system, (const char *)b.ptr, b.len, err);
	tdat_build_fini(&b);
	return st;
}

static enum tdat_status ids_taken(struct tdat_error *err)
{
	return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET, "all 65535 event ids are in use");
}

static void id_take(struct write_meta *meta, uint32_t id)
{
	meta->ids[id / 8] |= (uint8_t)(1u << (id % 8));
}

/* Adds a format. With give_way an id in use is replaced by a free one, as in a merge. */
enum tdat_status write_meta_format(struct write_meta *meta, const char *system, const char *text,
				   size_t len, bool give_way, uint16_t *id, struct tdat_error *err)
{
	const struct tdat_span whole = {(const uint8_t *)text, len};
	size_t from, to;
	enum tdat_status st;
	uint32_t number;

	if (!*system || !tdat_behind(whole, "name:").ptr)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "an event format needs a system and a line \"name: ...\"");
	if (!write_meta_parse_id(text, len, &from, &to, &number))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "the event format of %s needs a line \"ID: n\" with n from "
				      "0 to 65535",
				      system);
	/* Id 0 asks for any free id. */
	if (number && id_used(meta, number)) {
		if (!give_way)
			return tdat_error_set(
				err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				"event id %u of a format of %s is already used by another format",
				number, system);
		number = 0;
	}
	if (number) {
		st = write_meta_add_format(meta, system, text, len, err);
	} else {
		number = id_pick(meta);
		if (!number)
			return ids_taken(err);
		st = format_add_as(meta, system, text, len, from, to, number, err);
	}
	if (st != TDAT_OK)
		return st;
	id_take(meta, number);
	if (id)
		*id = (uint16_t)number;
	return TDAT_OK;
}

/* Reserves the wanted id, or a free one if it is in use. */
enum tdat_status write_meta_take_id(struct write_meta *meta, uint32_t wanted, uint16_t *id,
				    struct tdat_error *err)
{
	uint32_t number = wanted;

	if (!number || number > UINT16_MAX || id_used(meta, number))
		number = id_pick(meta);
	if (!number)
		return ids_taken(err);
	id_take(meta, number);
	*id = (uint16_t)number;
	return TDAT_OK;
}

/* Copies an option. Options that hold offsets belong to the layout, so they are refused. */
enum tdat_status write_meta_option(struct write_meta *meta, uint16_t id, const void *data,
				   size_t len, struct tdat_error *err)
{
	struct write_option *o;

	if (dat_option_is_own(id))
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "option %u holds a file offset and cannot be set", id);
	if (len > UINT32_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "option %u of %zu bytes is larger than 4 GiB", id, len);
	if (!TDAT_GROW(meta->options, &meta->option_cap, meta->option_count + 1))
		return tdat_error_no_memory(err, "metadata");
	o = &meta->options[meta->option_count];
	o->id = id;
	o->len = len;
	o->data = (const uint8_t *)tdat_arena_strndup(&meta->arena, data, len);
	if (!o->data)
		return tdat_error_no_memory(err, "metadata");
	meta->option_count++;
	return TDAT_OK;
}

/* Files have few options: a linear search suffices. */
bool write_meta_has_option(const struct write_meta *meta, uint16_t id)
{
	for (size_t i = 0; i < meta->option_count; i++)
		if (meta->options[i].id == id)
			return true;
	return false;
}

const struct write_raw *write_meta_raw(const struct write_meta *meta, uint16_t id)
{
	for (size_t i = 0; i < meta->raw_count; i++)
		if (meta->raws[i].id == id)
			return &meta->raws[i];
	return NULL;
}

/*
 * Adds a copied part. Its bytes stay in the source file, which is open until the new one is laid
 * out.
 */
enum tdat_status write_meta_add_raw(struct write_meta *meta, uint16_t id, const char *description,
				    struct tdat_span body, struct tdat_error *err)
{
	struct write_raw *raw;

	if (!TDAT_GROW(meta->raws, &meta->raw_cap, meta->raw_count + 1))
		return tdat_error_no_memory(err, "metadata");
	raw = &meta->raws[meta->raw_count];
	raw->id = id;
	raw->body = body;
	if (!copy_text(meta, description ? description : "", &raw->description))
		return tdat_error_no_memory(err, "metadata");
	meta->raw_count++;
	return TDAT_OK;
}
