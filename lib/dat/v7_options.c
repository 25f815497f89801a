/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads options sections of version 7, and the sections that their options lead to. A chain of
 * options sections is followed once; an offset that was seen before ends it. A section of metadata
 * is read at once. The last of repeated options counts; it is found by a linear search to the next
 * of the kind: options x kinds.
 */
#include "option_table.h"
#include "v7.h"

/*
 * True if an options section was read. Linear: half the square of their number, at 30 bytes each at
 * least.
 */
bool v7_options_seen(const struct dat_index *ix, uint64_t off)
{
	size_t i;

	for (i = 0; i < ix->option_section_count; i++)
		if (ix->option_sections[i] == off)
			return true;
	return false;
}

/*
 * Reads an options section. Offsets within a compressed section mean nothing in the file, so its
 * options have the section's.
 */
enum tdat_status v7_read_options(struct dat_index *ix, uint64_t off, uint64_t *next,
				 struct tdat_error *err)
{
	struct v7_head h;
	struct tdat_span body;
	struct tdat_cursor c;
	enum tdat_status st;

	*next = 0;
	if (v7_options_seen(ix, off))
		return tdat_error_set(err, TDAT_E_DAMAGED, off,
				      "the chain of options sections loops back to offset %llu",
				      (unsigned long long)off);
	st = v7_read_body(ix, off, TDAT_OPTION_DONE, "options", &h, &body, err);
	if (st == TDAT_OK)
		st = dat_index_note_options(ix, off, err);
	if (st != TDAT_OK)
		return st;
	c = tdat_cursor_init(body.ptr, body.len, h.s.compressed ? 0 : h.s.body_off, ix->big);
	while (st == TDAT_OK) {
		uint16_t id = tdat_cursor_u16(&c);
		uint32_t len = tdat_cursor_u32(&c);
		uint64_t at = h.s.compressed ? h.s.body_off : tdat_cursor_off(&c);
		struct tdat_span data;

		if (id == TDAT_OPTION_DONE && len == __builtin_bswap32(8)) {
			ix->mixed_order = true;
			len = 8;
		}
		if (tdat_cursor_ok(&c) && len > ix->limits.option_len)
			return tdat_error_set(err, TDAT_E_LIMIT, at,
					      "option %u at offset %llu has %u bytes, more than "
					      "limit option_len of %u",
					      id, (unsigned long long)at, len,
					      ix->limits.option_len);
		data = tdat_cursor_bytes(&c, len);
		if (!tdat_cursor_ok(&c))
			return tdat_cursor_error(&c, err, "the list of options");
		if (id == TDAT_OPTION_DONE) {
			if (len < 8)
				return tdat_error_set(err, TDAT_E_DAMAGED, at,
						      "the last option has %u bytes, expected 8",
						      len);
			*next = tdat_load64(data.ptr, ix->big);
			st = dat_index_add_option(ix, id, at, data, err);
			return st == TDAT_OK ? v7_all_read(ix, &h.s, "options", &c, err) : st;
		}
		st = dat_index_add_option(ix, id, at, data, err);
	}
	return st;
}

/* The parsers are those of version 6, over the inflated body. */
enum tdat_status v7_read_metadata(struct dat_index *ix, uint16_t id, uint64_t off,
				  struct tdat_error *err)
{
	const char *what = dat_option_def(id)->section;
	struct v7_head h;
	struct tdat_span body;
	struct tdat_cursor c;
	enum tdat_status st = v7_read_body(ix, off, id, what, &h, &body, err);

	if (st != TDAT_OK)
		return st;
	ix->part_offs[id - DAT_PART_FIRST] = off;
	c = tdat_cursor_init(body.ptr, body.len, h.s.compressed ? 0 : h.s.body_off, ix->big);
	switch (id) {
	case TDAT_OPTION_HEADER_INFO:
		st = dat_read_header_pages(ix, &c, err);
		break;
	case TDAT_OPTION_FTRACE_EVENTS:
		st = dat_read_ftrace_formats(ix, &c, err);
		break;
	case TDAT_OPTION_EVENT_FORMATS:
		st = dat_read_event_formats(ix, &c, err);
		break;
	case TDAT_OPTION_KALLSYMS:
		st = dat_read_text(&c, 4, what, &ix->kallsyms, err);
		break;
	case TDAT_OPTION_PRINTK:
		st = dat_read_text(&c, 4, what, &ix->printk, err);
		break;
	default:
		st = dat_read_text(&c, 8, what, &ix->cmdlines, err);
	}
	ix->part_broken[id - DAT_PART_FIRST] = st != TDAT_OK || tdat_cursor_left(&c);
	return st == TDAT_OK ? v7_all_read(ix, &h.s, what, &c, err) : st;
}

/* The last option of an id wins, as for libtracecmd. */
static bool last_of_id(const struct dat_index *ix, size_t index)
{
	size_t i;

	for (i = index + 1; i < ix->option_count; i++)
		if (ix->options[i].id == ix->options[index].id)
			return false;
	return true;
}

/* Checks that an option that leads to a section has an offset. */
static enum tdat_status check_offset(const struct tdat_file_option *opt, struct tdat_error *err)
{
	if (opt->data.len >= 8)
		return TDAT_OK;
	return tdat_error_set(
		err, TDAT_E_DAMAGED, opt->off, "option %s at offset %llu has %zu bytes, expected 8",
		dat_option_def(opt->id)->name, (unsigned long long)opt->off, opt->data.len);
}

static enum tdat_status read_part(struct dat_index *ix, const struct tdat_file_option *opt,
				  struct tdat_error *err)
{
	if (check_offset(opt, err) != TDAT_OK)
		return TDAT_E_DAMAGED;
	return v7_read_metadata(ix, opt->id, tdat_load64(opt->data.ptr, ix->big), err);
}

/* Notes the number of CPUs, and the table of tgids. */
static enum tdat_status note_fact(struct dat_index *ix, const struct tdat_file_option *opt,
				  struct tdat_error *err)
{
	uint32_t n;

	if (!dat_option_is_cpu_count(opt)) {
		if (dat_option_is_tgids(opt))
			ix->tgids = opt->data;
		return TDAT_OK;
	}
	n = dat_cpu_count(ix, opt->data);
	if (n > ix->limits.cpus)
		return tdat_error_set(err, TDAT_E_LIMIT, opt->off,
				      "option CPUCOUNT claims %u CPUs, more than limit cpus of %u",
				      n, ix->limits.cpus);
	if (n > ix->cpu_count)
		ix->cpu_count = n;
	return TDAT_OK;
}

/* The role in the option table says what a payload leads to. */
enum tdat_status v7_follow_option(struct dat_index *ix, size_t index, struct tdat_error *err)
{
	const struct tdat_file_option opt = ix->options[index];

	switch (dat_option_role(opt.id)) {
	case DAT_ROLE_PART:
		return last_of_id(ix, index) ? read_part(ix, &opt, err) : TDAT_OK;
	case DAT_ROLE_DATA:
		return v7_read_buffer(ix, &opt, err);
	case DAT_ROLE_STRINGS:
	case DAT_ROLE_EXTRA:
		return check_offset(&opt, err);
	default:
		return note_fact(ix, &opt, err);
	}
}
