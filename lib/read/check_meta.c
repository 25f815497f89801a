/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks the metadata of an opened file: options, formats and print formats. It reports what
 * opening did not have to read: payloads that do not fit their id, sections that nothing reads,
 * print fmts that do not compile. Names of buffers are compared pair by pair, of which there
 * are 4,096 at most. Damage that opening reported is not reported again (check_option_told).
 */
#include <stdlib.h>
#include <string.h>

#include <tdat/file_option.h>

#include "check_parts.h"
#include "core/search.h"
#include "dat/option_table.h"
#include "file/option_parts.h"
#include "option_check.h"
#include "print_set.h"

/* ---- options ---- */

/*
 * Sorts the offsets of the damage that opening found, so that options are compared with it
 * quickly. False: no memory.
 */
bool check_told_init(struct check_told *told, const struct tdat_file *file)
{
	const struct tdat_error *damage = tdat_file_damage(file, &told->count);
	size_t i;

	told->of_facts = calloc(told->count + 1, sizeof(*told->of_facts));
	told->offs = calloc(told->count + 1, sizeof(*told->offs));
	for (i = 0; told->offs && i < told->count; i++)
		told->offs[i] = damage[i].off;
	if (told->offs)
		qsort(told->offs, told->count, sizeof(*told->offs), tdat_by_u64);
	return told->offs && told->of_facts;
}

void check_told_fini(struct check_told *told)
{
	free(told->offs);
	free(told->of_facts);
}

/* True if opening reported damage inside the option. */
bool check_option_told(const struct check_told *told, const struct tdat_file_option *o)
{
	size_t i;

	TDAT_SEARCH(i, told->count, told->offs[i] < o->off);
	return i < told->count && told->offs[i] <= o->off + o->data.len;
}

/*
 * Marks the damage inside the option as damage of facts. Marks are starts and ends, summed later,
 * since options may be many.
 */
void check_told_is_fact(struct check_told *told, const struct tdat_file_option *o)
{
	size_t from, to;

	TDAT_SEARCH(from, told->count, told->offs[from] < o->off);
	TDAT_SEARCH(to, told->count, told->offs[to] <= o->off + o->data.len);
	told->of_facts[from]++;
	told->of_facts[to]--;
}

/* Counts the damage that lies in at least one marked option. */
size_t check_told_of_facts(const struct check_told *told)
{
	ptrdiff_t options = 0;
	size_t n = 0;

	for (size_t i = 0; i < told->count; i++) {
		options += told->of_facts[i];
		n += options > 0;
	}
	return n;
}

/*
 * Judges one option by the table of options: known, text with its NUL, shape, and decodable.
 * Doubts are about trace-cmd; damage is what tdat cannot read.
 */
static void check_option(struct check *c, const struct check_told *told,
			 const struct tdat_file_option *o)
{
	const struct dat_option_def *def = dat_option_def(o->id);
	struct tdat_error err = TDAT_ERROR_INIT;

	if (!def->name) {
		read_finding(&c->out, TDAT_NOTE, o->off, "nothing",
			     "option %u at offset %llu is unknown (%zu bytes)", o->id,
			     (unsigned long long)o->off, o->data.len);
		return;
	}
	if (def->nul == DAT_NUL_NEEDED && !o->data.len && !check_option_told(told, o))
		read_finding(&c->out, TDAT_DOUBT, o->off, "nothing",
			     "option %s at offset %llu is empty: trace-cmd may crash on it",
			     def->name, (unsigned long long)o->off);
	else if (def->nul == DAT_NUL_NEEDED && o->data.len && !memchr(o->data.ptr, 0, o->data.len))
		read_finding(&c->out, TDAT_DOUBT, o->off, "nothing",
			     "option %s at offset %llu has no NUL at its end: trace-cmd may read "
			     "past it",
			     def->name, (unsigned long long)o->off);
	else if (def->shape == DAT_SHAPE_HOOK && !option_hook_sound(o->data))
		read_finding(&c->out, TDAT_DOUBT, o->off, "nothing",
			     "option HOOK at offset %llu is not EVENT,MATCH/EVENT,MATCH: trace-cmd "
			     "crashes on it",
			     (unsigned long long)o->off);
	else if (def->shape == DAT_SHAPE_CLOCK && option_names_no_clock(o->data))
		read_finding(&c->out, TDAT_DOUBT, o->off, "nothing",
			     "option TRACECLOCK at offset %llu has no clock in brackets: tdat "
			     "assumes that times are in nanoseconds",
			     (unsigned long long)o->off);
	/* Its damage is in the list already. */
	if (check_option_told(told, o))
		return;
	if (tdat_file_option_decode(c->file, o, NULL, &err) == TDAT_OK)
		read_option_findings(&c->out, o, option_unread(c->file, o));
	else
		read_finding(&c->out, TDAT_DAMAGE, o->off, "that option", "%s", err.message);
}

/* Checks the sections that are not read when a file is opened. */
static void check_section(struct check *c, const struct tdat_section *s)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	enum tdat_status st;
	uint8_t *body;
	size_t len;

	if (dat_option_role(s->id) != DAT_ROLE_EXTRA)
		return;
	st = tdat_file_section_read(c->file, s, &body, &len, &err);
	free(body);
	if (st == TDAT_E_DAMAGED || st == TDAT_E_LIMIT)
		read_finding(&c->out, TDAT_DAMAGE, s->off, "that section", "%s", err.message);
}

/* Reports buffers of one name: all are read here, other readers take one. */
static void check_name(struct check *c, size_t index)
{
	const struct tdat_buffer *list = c->file->ix.buffers, *b = &list[index];
	size_t i;

	for (i = 0; i < index; i++)
		if (list[i].latency == b->latency && !strcmp(list[i].name, b->name))
			break;
	if (i < index)
		read_finding(&c->out, TDAT_DAMAGE, b->off, "nothing",
			     "there are two %s \"%.64s\", at offsets %llu and %llu: trace-cmd may "
			     "read only one",
			     *b->name ? "buffers" : "top buffers", b->name,
			     (unsigned long long)list[i].off, (unsigned long long)b->off);
}

/* Only the first latency text of a file is shown. */
static void check_latency(struct check *c)
{
	const struct dat_index *ix = &c->file->ix;
	size_t i;
	bool any = false;

	for (i = 0; i < ix->buffer_count; i++) {
		const struct tdat_buffer *b = &ix->buffers[i];

		if (b->latency && any)
			read_finding(&c->out, TDAT_DAMAGE, b->off, "that text",
				     "the latency text of buffer \"%.64s\" is not shown: tdat "
				     "shows only the first latency text of a file",
				     b->name);
		any |= b->latency;
	}
}

/* Checks the metadata: buffers, header_page, options, sections and tables of text. */
void check_options(struct check *c)
{
	struct check_told told;
	size_t i;

	for (i = 1; i < c->file->ix.buffer_count; i++)
		check_name(c, i);
	check_latency(c);
	/* trace-cmd takes the places of these fields from header_page. */
	if (!c->file->ix.old_ring_buffer && c->file->ix.header_page.len &&
	    !dat_header_page_usual(c->file->ix.header_page))
		read_finding(&c->out, TDAT_DOUBT, 0, "nothing",
			     "header_page does not list timestamp, commit, overwrite and data, "
			     "each once, in this order and at their usual places: trace-cmd may be "
			     "unable to read the file");
	if (c->file->ix.header_data_off != 8u + c->file->ix.kernel_long_size)
		read_finding(&c->out, TDAT_DOUBT, 0, "nothing",
			     "header_page places the data of pages at byte %u, not directly after "
			     "the commit: trace-cmd may be unable to read the file",
			     c->file->ix.header_data_off);
	if (!check_told_init(&told, c->file))
		c->out.status = tdat_error_no_memory(&c->out.err, "what is damaged");
	for (i = 0; told.offs && i < c->file->ix.option_count; i++)
		check_option(c, &told, &c->file->ix.options[i]);
	check_told_fini(&told);
	for (i = 0; i < c->file->ix.section_count; i++)
		check_section(c, &c->file->ix.sections[i]);
	read_text_findings(&c->out, c->file);
}

/* Only the metadata: no page of CPU data is read. */
enum tdat_status tdat_check_meta(const struct tdat_file *file, tdat_finding_fn fn, void *ctx,
				 struct tdat_error *err)
{
	struct check c = {.file = file, .out = {.fn = fn, .ctx = ctx, .err = TDAT_ERROR_INIT}};

	check_options(&c);
	if (c.out.status != TDAT_OK && err)
		*err = c.out.err;
	return c.out.status;
}

/* ---- formats ---- */

/* Whether an event has the id of a format that cannot be parsed, or may have. */
static bool is_in_use(const struct check *c, const struct dat_format_text *t)
{
	struct tdat_span name;
	uint32_t id;

	return !model_format_head(t->text, &name, &id) || id >= FILE_ID_COUNT ? c->unknown
									      : c->met[id];
}

/* Reports print fmts that are not compiled. The file is sound, so these are notes. */
static void check_print(struct check *c, struct print_set *set,
			const struct tdat_event_format *format, size_t index, uint64_t off)
{
	const struct print_event *e;

	if (format->id >= FILE_ID_COUNT || !file_format_reads(c->file, index, format->id))
		return;
	e = print_set_event(set, &set->files[0], format->id);
	if (!e || !e->print)
		return;
	switch (model_print_kind(e->print)) {
	case MODEL_PRINT_PARTLY:
		read_finding(&c->out, TDAT_NOTE, off, "nothing",
			     "the print fmt of %s:%s has an argument that cannot be evaluated: %s",
			     format->system, format->name, model_print_reason(e->print));
		break;
	case MODEL_PRINT_FALLBACK:
	case MODEL_PRINT_FIELDS:
		c->result.prints_foreign++;
		read_finding(&c->out, TDAT_NOTE, off, "nothing", "the print fmt of %s:%s is %s: %s",
			     format->system, format->name,
			     model_print_kind(e->print) == MODEL_PRINT_FALLBACK
				     ? "left to libtraceevent"
				     : "printed as name=value",
			     model_print_reason(e->print));
		break;
	default:
		break;
	}
}

/* Parses a format whole. A broken one is damage if an event has its id, otherwise only a doubt. */
static void check_format(struct check *c, struct print_set *set, size_t index)
{
	const struct dat_format_text *t = &c->file->ix.formats[index];
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_event_format *format;

	c->result.formats++;
	if (tdat_file_format(c->file, index, &format, NULL) == TDAT_OK)
		check_print(c, set, format, index, t->off);
	if (file_format_whole(c->file, index, &err) == TDAT_OK)
		return;
	c->result.formats_broken++;
	if (is_in_use(c, t))
		read_finding(&c->out, TDAT_DAMAGE, err.off == TDAT_NO_OFFSET ? t->off : err.off,
			     "the fields of such events",
			     "a format of system %.64s cannot be read: %s", t->system, err.message);
	else
		read_finding(&c->out, TDAT_DOUBT, err.off == TDAT_NO_OFFSET ? t->off : err.off,
			     "nothing", "an unused format of system %.64s cannot be read: %s",
			     t->system, err.message);
}

/* Runs after all records were read: c->met says which ids occur. */
void check_formats(struct check *c)
{
	struct tdat_iter_input in = {NULL, 0, 0};
	struct print_set *set;
	size_t i;

	memcpy(&in.file, &c->file, sizeof(in.file));
	if (c->out.status == TDAT_OK)
		c->out.status = print_set_new(&set, &in, 1, NULL, &c->out.err);
	if (c->out.status != TDAT_OK)
		return;
	for (i = 0; i < c->file->ix.format_count && c->out.status == TDAT_OK; i++)
		check_format(c, set, i);
	print_set_put(set);
}
