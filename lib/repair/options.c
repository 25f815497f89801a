/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the usable options of a broken file into the repaired one. An option that its decoder
 * refuses is left out with a finding; bytes that no reader sees are cut off. Options that opening
 * reported are not reported twice. Sections that an option leads to are copied if they can be read.
 * Called last by repair.c, when CPUs are known.
 */
#include <string.h>

#include <tdat/file_option.h>

#include "copy/copy_once.h"
#include "core/text.h"
#include "dat/option_table.h"
#include "file/clock_facts.h"
#include "file/option_parts.h"
#include "model/stored_text.h"
#include "read/option_check.h"
#include "repair.h"

static void put_option(struct repair *r, uint16_t id, const void *data, size_t len)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = write_meta_option(&r->w->meta, id, data, len, &err);

	repair_fail(r, st, &err);
}

static void no_memory(struct repair *r)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	repair_fail(r, tdat_error_no_memory(&err, "an option"), &err);
}

/* True if the payload agrees with the option's id. If not, it is left out with a finding. */
static bool makes_sense(struct repair *r, const struct check_told *told,
			const struct tdat_file_option *o)
{
	const struct dat_option_def *def = dat_option_def(o->id);
	struct tdat_error err = TDAT_ERROR_INIT;

	if (def->nul == DAT_NUL_NEEDED && !o->data.len && !check_option_told(told, o)) {
		read_finding(&r->out, TDAT_DOUBT, o->off, "nothing",
			     "option %s at offset %llu is empty: the new file omits it", def->name,
			     (unsigned long long)o->off);
		return false;
	}
	if (def->shape == DAT_SHAPE_HOOK && !option_hook_sound(o->data)) {
		read_finding(&r->out, TDAT_DOUBT, o->off, "that option",
			     "option HOOK at offset %llu is not EVENT,MATCH/EVENT,MATCH: the new "
			     "file omits it, because trace-cmd would crash on it",
			     (unsigned long long)o->off);
		r->result.options_lost++;
		return false;
	}
	if (tdat_file_option_decode(r->file, o, NULL, &err) == TDAT_OK)
		return true;
	if (!check_option_told(told, o))
		read_finding(&r->out, TDAT_DAMAGE, o->off, "that option", "%s", err.message);
	r->result.options_lost++;
	return false;
}

/* Writes a text option, with the NUL that it may lack. */
static void put_text(struct repair *r, const struct tdat_file_option *o)
{
	struct tdat_build b;

	if (memchr(o->data.ptr, 0, o->data.len)) {
		put_option(r, o->id, o->data.ptr, o->data.len);
		return;
	}
	read_finding(&r->out, TDAT_DOUBT, o->off, "nothing",
		     "option %s at offset %llu has no NUL at its end: the new file adds it",
		     tdat_file_option_name(o->id), (unsigned long long)o->off);
	tdat_build_init(&b, false);
	tdat_build_bytes(&b, o->data.ptr, o->data.len);
	tdat_build_u8(&b, 0);
	if (!b.failed)
		put_option(r, o->id, b.ptr, b.len);
	else
		no_memory(r);
	tdat_build_fini(&b);
}

/*
 * Writes TRACECLOCK: old writers leave it empty and write its text behind the table. A text without
 * a clock in brackets names none: the clock of the buffer or of ftrace is written. The writer
 * applies the clock to buffers without one of their own.
 */
static void put_clock(struct repair *r, const struct tdat_file_option *o)
{
	size_t count;
	const struct tdat_buffer *list = tdat_file_buffers(r->file, &count);
	const char *own = count ? list[0].clock : "", *text = (const char *)o->data.ptr;
	bool ok = true;

	if (option_names_no_clock(o->data)) {
		read_finding(&r->out, TDAT_DOUBT, o->off, "nothing",
			     "option TRACECLOCK at offset %llu has no clock in brackets: tdat "
			     "assumes that times are in nanoseconds",
			     (unsigned long long)o->off);
		ok = write_meta_clock(&r->w->meta, *own ? own : "local");
	} else if (o->data.len && memchr(text, 0, o->data.len)) {
		ok = write_meta_clock(&r->w->meta, text);
	} else if (o->data.len) {
		put_option(r, o->id, o->data.ptr, o->data.len);
	} else if (*own) {
		ok = write_meta_clock(&r->w->meta, own);
	}
	if (!ok)
		no_memory(r);
}

/*
 * Writes TGIDS without the lines that readers would skip. If no line is left, the option is lost.
 */
static void put_tgids(struct repair *r, const struct tdat_file_option *o)
{
	struct tdat_build b;

	if (!model_text_unread(MODEL_TEXT_TGIDS, o->data).len) {
		put_option(r, o->id, o->data.ptr, o->data.len);
		return;
	}
	tdat_build_init(&b, false);
	model_text_mend(MODEL_TEXT_TGIDS, o->data, &b);
	if (b.failed)
		no_memory(r);
	else if (!b.len)
		r->result.options_lost++;
	else /* under the id of Valve's fork four bytes would be a number of CPUs */
		put_option(r, TDAT_OPTION_SAVED_TGIDS, b.ptr, b.len);
	tdat_build_fini(&b);
}

/* Version 6 has the number of CPUs in the file itself, which may have been wrong. */
static void put_cpu_count(struct repair *r)
{
	uint8_t count[4];

	if (r->w->version >= 7)
		return; /* the writer's own */
	tdat_store32(count, write_cpu_count(r->w), r->file->ix.big);
	put_option(r, TDAT_OPTION_CPUCOUNT, count, sizeof(count));
}

/*
 * Copies the section that an option leads to; one that cannot be read is left out, with a
 * finding.
 */
static void copy_extra(struct repair *r, const struct tdat_file_option *o, bool *is_section)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st = copy_file_extra(r->w, r->file, o, is_section, &err);

	if (st != TDAT_E_DAMAGED && st != TDAT_E_LIMIT && st != TDAT_E_UNSUPPORTED) {
		repair_fail(r, st, &err);
		return;
	}
	read_finding(&r->out, TDAT_DAMAGE, err.off, "that section", "%s", err.message);
	r->result.options_lost++;
}

/* Returns an option without the bytes that nothing reads, even if opening reported them. */
static struct tdat_file_option cut_option(struct repair *r, const struct check_told *told,
					  const struct tdat_file_option *o)
{
	struct tdat_file_option cut = *o;
	const struct tdat_span rest = option_unread(r->file, o);

	if (!check_option_told(told, o))
		read_option_findings(&r->out, o, rest);

	cut.data.len -= rest.len;
	r->result.options_cut += rest.len != 0;
	return cut;
}

/* Sections first, then the writer's own options, then those that need work by their shape. */
static void repair_option(struct repair *r, const struct check_told *told,
			  const struct tdat_file_option *given)
{
	const struct tdat_file_option cut = cut_option(r, told, given), *o = &cut;
	bool is_section;

	copy_extra(r, o, &is_section);
	if (is_section ||
	    (dat_option_is_own(o->id) && dat_option_role(o->id) != DAT_ROLE_STRINGS) ||
	    !makes_sense(r, told, o) || dat_option_is_own(o->id))
		return;
	if (dat_option_is_cpu_count(o))
		put_cpu_count(r);
	else if (dat_option_is_tgids(o))
		put_tgids(r, o);
	else if (dat_option_def(o->id)->shape == DAT_SHAPE_CLOCK)
		put_clock(r, o);
	else if (dat_option_def(o->id)->nul == DAT_NUL_NEEDED)
		put_text(r, o);
	else
		put_option(r, o->id, o->data.ptr, o->data.len);
}

/*
 * Counts an option as lost if the next one of its id takes its place with other bytes: opening the
 * file found it.
 */
static void count_unused(struct repair *r, const struct tdat_file_option *list, size_t count,
			 size_t i)
{
	const struct tdat_file_option *o = &list[i], *next = o + 1;

	while (next->id != o->id && next < list + count - 1)
		next++;
	if (!dat_option_def(o->id)->summed && dat_option_role(o->id) != DAT_ROLE_PART &&
	    !tdat_span_same(o->data, next->data))
		r->result.options_lost++;
}

/* True if an option of that id, when damaged, may hide events. */
static bool leads_to_events(uint16_t id)
{
	const enum dat_option_role role = dat_option_role(id);

	return role == DAT_ROLE_END || role == DAT_ROLE_DATA || role == DAT_ROLE_PART;
}

/* Repairs option number i. text holds the sum of several. */
static void repair_option_at(struct repair *r, const struct check_told *told, size_t i,
			     struct tdat_build *text)
{
	size_t count;
	const struct tdat_file_option *list = tdat_file_options(r->file, &count);
	const bool absurd = clock_option_check(&list[i], r->file->ix.big, NULL) != TDAT_OK;
	struct tdat_file_option o;
	const bool used = copy_option_once(r->file, i, text, &o);

	r->result.options_lost += absurd; /* opening the file found it */
	if (!used && !absurd)
		count_unused(r, list, count, i);
	else if (text->failed)
		no_memory(r);
	else if (used)
		repair_option(r, told, &o);
}

/* Damage that hides no event is counted apart, so that the result says what may be missing. */
void repair_options(struct repair *r)
{
	const struct tdat_file_option *list;
	struct check_told told;
	struct tdat_build text;
	size_t count;

	if (!check_told_init(&told, r->file))
		no_memory(r);
	tdat_build_init(&text, false);
	list = tdat_file_options(r->file, &count);
	for (size_t i = 0; r->out.status == TDAT_OK && i < count; i++) {
		if (!leads_to_events(list[i].id))
			check_told_is_fact(&told, &list[i]);
		if (!r->opts.metadata_only || dat_option_def(list[i].id)->of_machine)
			repair_option_at(r, &told, i, &text);
	}
	if (r->out.status == TDAT_OK && !r->opts.metadata_only)
		r->result.hiding +=
			told.count - check_told_of_facts(&told) - (r->file->ix.cut_finding != 0);
	tdat_build_fini(&text);
	check_told_fini(&told);
}
