/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a listing twice: the survey finds the order of rows and what their times count from,
 * then rows go through the sort to output. Rows are sorted by sort.c, since tools print newest
 * first or oldest first. Lines that belong to no row are counted and reported.
 */
#include "ktr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/build.h"
#include "core/cursor.h"
#include "import/sort.h"
#include "import/text_lines.h"
#include "entry_layout.h"

/* Bytes of a line; longer ones are cut and reported. */
enum { LINE_CAP = 64 * 1024 };

/* Called for each row; off is the line's offset in the input. */
typedef enum tdat_status (*row_fn)(void *ctx, const struct ktr_text_row *row, uint64_t off,
				   struct tdat_error *err);
/* Called for each line that is doubtful. */
typedef void (*other_fn)(void *ctx, const struct import_line *line);

/*
 * Calls fn for each row, and other (may be NULL) for each line that is not a row, was cut, or is
 * the last one without a line end.
 */
static enum tdat_status each_row(const struct ktr_text *t, row_fn fn, other_fn other, void *ctx,
				 struct tdat_error *err)
{
	struct import_lines lines;
	struct import_line line;
	struct ktr_text_row row;
	bool rest = false; /* of a line that was too long */
	enum tdat_status st;

	import_lines_init(&lines, t->input->source, LINE_CAP);
	while ((st = import_lines_next(&lines, &line, err)) == TDAT_OK) {
		const bool last = !line.ended && line.off + line.text.len == lines.window.len;
		bool is_row;

		ktr_text_unquote(&line.text);
		/* The rest of a line that was too long is never a row, whatever it looks like. */
		is_row = !rest && ktr_text_row(&t->shape, line.text, &row);
		if (other && (!is_row || line.cut || last))
			other(ctx, &line);
		rest = line.cut;
		if (is_row)
			st = fn(ctx, &row, line.off, err);
		if (st != TDAT_OK)
			break;
	}
	import_lines_fini(&lines);
	return st == TDAT_E_NOT_FOUND ? TDAT_OK : st;
}

/* ---- the survey ---- */

/* State of the first pass. It counts evidence; conclude() judges it. */
struct survey_ctx {
	struct ktr_text *text;
	struct ktr_stathz *stathz;
	uint64_t last_ts[KTR_CPU_MAX];
	uint8_t seen[KTR_CPU_MAX];
	uint64_t timed; /* rows that have a time */
	/* Index, time and CPU of the row before. */
	uint64_t first_time, last_index, last_time;
	uint32_t last_cpu;
	uint64_t rising, falling; /* rows whose index rose or fell */
	uint64_t up, down;	  /* of these, by exactly one */
	/* Rows whose time rose or fell, on any CPU. */
	uint64_t time_rising, time_falling;
	struct ktr_seen rises, falls; /* of time on one CPU */
	uint64_t cpu_changes;
};

/* Counts a line that is doubtful, unless it is a heading, a prompt or a separator. */
static void survey_other(void *ctx, const struct import_line *line)
{
	struct survey_ctx *c = ctx;
	struct ktr_text_survey *s = &c->text->survey;
	struct ktr_text_row row;

	if (!line->ended && !line->cut)
		s->cut_off = line->off;
	else if (line->cut)
		ktr_see(&s->bad_lines, line->off);
	if (ktr_text_row(&c->text->shape, line->text, &row) ||
	    ktr_text_is_noise(&c->text->shape, line->text))
		return;
	ktr_see(&s->bad_lines, line->off);
}

/* Adds times; sums of hostile deltas stay at the end of the scale. */
static uint64_t add_time(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Counts which way times run, per listing and per CPU, and sums deltas. */
static void survey_time(struct survey_ctx *c, const struct ktr_text_row *row, uint64_t off)
{
	struct ktr_text_survey *s = &c->text->survey;

	s->has_time = true;
	s->ns = s->ns || row->time_is_ns;
	if (!c->timed++)
		c->first_time = row->time;
	else if (row->time > c->last_time)
		c->time_rising++;
	else
		c->time_falling += row->time < c->last_time;
	/* The first delta counts from a row that is not listed. */
	if (s->rows)
		s->sum = add_time(s->sum, row->time);
	if (c->seen[row->cpu]) {
		if (row->time > c->last_ts[row->cpu])
			ktr_see(&c->rises, off);
		else if (row->time < c->last_ts[row->cpu])
			ktr_see(&c->falls, off);
	}
	c->last_ts[row->cpu] = c->last_time = row->time;
	if (c->stathz)
		ktr_stathz_add(c->stathz, row->cpu, row->time, row->text);
}

/* Counts one row's evidence. */
static enum tdat_status survey_row(void *ctx, const struct ktr_text_row *row, uint64_t off,
				   struct tdat_error *err)
{
	struct survey_ctx *c = ctx;
	struct ktr_text_survey *s = &c->text->survey;

	(void)err;
	if (row->has_time)
		survey_time(c, row, off);
	if (row->bad_cpu)
		ktr_see(&s->bad_cpu, off);
	/*
	 * Indexes tell the order best: no tool prints them out of order, but for one jump of the
	 * ring.
	 */
	if (s->rows && row->has_index) {
		c->rising += row->index > c->last_index;
		c->falling += row->index < c->last_index;
		c->up += row->index == c->last_index + 1;
		c->down += row->index + 1 == c->last_index;
	}
	c->last_index = row->index;
	c->cpu_changes += s->rows && row->cpu != c->last_cpu;
	c->last_cpu = row->cpu;
	s->cpus += !c->seen[row->cpu];
	c->seen[row->cpu] = 1;
	if (row->cpu >= s->cpu_count)
		s->cpu_count = row->cpu + 1;
	s->rows++;
	return TDAT_OK;
}

/*
 * True if times look like those of ktrdump -r: the first row has 0, others count from the row
 * before.
 */
static bool looks_relative(const struct survey_ctx *c)
{
	const struct ktr_text_survey *s = &c->text->survey;

	/* Tdump and kdebug name deltas in their heading. */
	if (c->text->shape.form != KTR_TEXT_KTRDUMP && c->text->shape.form != KTR_TEXT_DRAGONFLY)
		return c->text->shape.deltas;
	return s->has_time && s->rows > 1 && (s->ns || (!c->first_time && s->sum));
}

/*
 * Decides from the evidence: order, relative or absolute times, and if rows can stay in their
 * order.
 */
static void conclude(struct survey_ctx *c)
{
	struct ktr_text_survey *s = &c->text->survey;
	enum ktr_text_form form = c->text->shape.form;
	bool newest_first = c->falling > c->rising;

	/* The index of a ring jumps once the other way. */
	if (c->up != c->down)
		newest_first = c->down > c->up;
	s->relative = form == KTR_TEXT_DDB_OLD ? false : looks_relative(c);
	/*
	 * DragonFly prints one CPU after the other: CPUs change once less than there are CPUs, and
	 * deltas restart with each.
	 */
	s->per_cpu = s->relative && form == KTR_TEXT_DRAGONFLY && c->cpu_changes + 1 == s->cpus;
	/* Indexes of tdump and DragonFly are of one CPU each. */
	if (form == KTR_TEXT_TDUMP || form == KTR_TEXT_KDEBUG)
		newest_first = true;
	else if (form == KTR_TEXT_DRAGONFLY || form == KTR_TEXT_CONSOLE)
		newest_first = false;
	/* No index tells the order, so times must; make_ktr.sh numbers rows, the newest first. */
	else if ((c->falling == c->rising || form == KTR_TEXT_DTRACE) && s->has_time &&
		 !s->relative)
		newest_first = c->time_falling > c->time_rising;
	s->order = newest_first ? KTR_TEXT_NEWEST_FIRST : KTR_TEXT_OLDEST_FIRST;
	/* Steady: times agree with the order of rows, so rows are kept as they come. */
	s->steady = !s->has_time || (s->relative && !s->per_cpu) ||
		    (c->timed == s->rows && !(newest_first ? c->time_rising : c->time_falling));
	/* Times are backwards only against the order of the listing. */
	if (!s->relative) {
		s->backwards = newest_first ? c->rises : c->falls;
	}
}

/* First pass over a listing; fills t->survey. stathz: NULL unless the rate is wanted. */
enum tdat_status ktr_text_survey(struct ktr_text *t, struct ktr_stathz *stathz,
				 struct tdat_error *err)
{
	struct survey_ctx *c = calloc(1, sizeof(*c));
	enum tdat_status st;

	t->survey = (struct ktr_text_survey){.cut_off = TDAT_NO_OFFSET};
	if (!c)
		return tdat_error_no_memory(err, "the state of CPUs");
	c->text = t;
	c->stathz = stathz;
	st = each_row(t, survey_row, survey_other, c, err);
	conclude(c);
	free(c);
	return st;
}

/* Warns of doubtful lines, in the order of their kinds, one warning each. */
enum tdat_status ktr_text_warn(const struct ktr_text *t, const struct tdat_emit *emit,
			       struct tdat_error *err)
{
	const struct ktr_text_survey *s = &t->survey;
	const char *name = t->input->name;
	enum tdat_status st = TDAT_OK;

	if (s->bad_lines.count)
		st = tdat_emit_warnf(emit, name, s->bad_lines.off, err,
				     "%" PRIu64 " line%s not understood", s->bad_lines.count,
				     s->bad_lines.count == 1 ? "" : "s");
	if (st == TDAT_OK && s->cut_off != TDAT_NO_OFFSET)
		st = tdat_emit_warnf(emit, name, s->cut_off, err,
				     "the last line has no newline and may be truncated");
	if (st == TDAT_OK)
		st = ktr_warn_bad_cpu(&s->bad_cpu, emit, err);
	return st == TDAT_OK ? ktr_warn_backwards(&s->backwards, emit, err) : st;
}

/* ---- the second pass ---- */

/* State of the second pass. */
struct emit_ctx {
	struct ktr_text *text;
	struct ktr_output *out;
	struct import_sort *sort;
	/* One row as bytes, for the sort. */
	struct tdat_build packed;
	/* Rows so far. */
	uint64_t row;
	uint64_t sum;	    /* of deltas so far */
	uint64_t *cpu_sums; /* the same by CPU */
};

/* Returns the absolute time of a row. */
static uint64_t time_of(struct emit_ctx *c, const struct ktr_text_row *row)
{
	const struct ktr_text_survey *s = &c->text->survey;
	uint64_t newest = c->text->shape.has_newest ? c->text->shape.newest : s->sum;

	/* Rows without times are numbered, so that they keep their order. */
	if (!s->has_time)
		return s->order == KTR_TEXT_NEWEST_FIRST ? s->rows - 1 - c->row : c->row;
	if (!s->relative)
		return row->has_time ? row->time : 0;
	if (s->per_cpu) {
		c->cpu_sums[row->cpu] = add_time(c->cpu_sums[row->cpu], row->time);
		return c->cpu_sums[row->cpu];
	}
	/* The first row's delta is to something that is not listed. */
	c->sum = add_time(c->sum, c->row ? row->time : 0);
	if (s->order == KTR_TEXT_OLDEST_FIRST)
		return c->sum;
	/* Newest first: deltas count down from the newest time. */
	return newest > c->sum ? newest - c->sum : 0;
}

static void add_sized(struct tdat_build *b, struct tdat_span s)
{
	tdat_build_u32(b, (uint32_t)s.len);
	tdat_build_bytes(b, s.ptr, s.len);
}

/*
 * Adds the text of a row. DragonFly's callers become part of it: "ID: text <- caller1 <- caller2".
 */
static void add_message(struct tdat_build *b, const struct ktr_text_row *row)
{
	size_t at = b->len;

	/* The length is stored when it is known. */
	tdat_build_u32(b, 0);
	if (row->id.len) {
		tdat_build_bytes(b, row->id.ptr, row->id.len);
		tdat_build_str(b, row->text.len ? ": " : "");
	}
	tdat_build_bytes(b, row->text.ptr, row->text.len);
	if (row->caller1.len) {
		tdat_build_str(b, " <- ");
		tdat_build_bytes(b, row->caller1.ptr, row->caller1.len);
		tdat_build_str(b, " <- ");
		tdat_build_bytes(b, row->caller2.ptr, row->caller2.len);
	}
	if (!b->failed)
		tdat_store32(b->ptr + at, (uint32_t)(b->len - at - 4), b->big);
}

/* Packs a row and adds it to the sort; emit_row() unpacks in the same order. */
static enum tdat_status sort_row(void *ctx, const struct ktr_text_row *row, uint64_t off,
				 struct tdat_error *err)
{
	struct emit_ctx *c = ctx;
	const struct ktr_text_survey *s = &c->text->survey;
	struct tdat_build *b = &c->packed;
	uint64_t ts = time_of(c, row), key = ts;
	uint32_t key_cpu = row->cpu;

	(void)off;
	b->len = 0;
	tdat_build_u64(b, ts);
	tdat_build_u32(b, row->cpu);
	tdat_build_u32(b, row->line);
	tdat_build_u64(b, row->thread);
	for (unsigned int i = 0; i < KTR_PARMS; i++)
		tdat_build_u64(b, row->parms[i]);
	add_sized(b, row->file);
	add_message(b, row);
	if (b->failed)
		return tdat_error_no_memory(err, "a row");
	/* A clean listing keeps its order, ties included. */
	if (s->steady) {
		key = s->order == KTR_TEXT_NEWEST_FIRST ? s->rows - 1 - c->row : c->row;
		key_cpu = 0;
	}
	c->row++;
	return import_sort_add(c->sort, key, key_cpu, b->ptr, b->len, err);
}

/* Unpacks a sorted row. The bytes are our own, so reads within them cannot fail. */
static enum tdat_status emit_row(void *ctx, uint64_t key, uint32_t key_cpu, struct tdat_span data,
				 struct tdat_error *err)
{
	struct emit_ctx *c = ctx;
	struct tdat_cursor cur = tdat_cursor_init(data.ptr, data.len, 0, c->packed.big);
	struct ktr_entry e = {.has_text = true};

	(void)key;
	(void)key_cpu;
	e.ts = tdat_cursor_u64(&cur);
	e.cpu = tdat_cursor_u32(&cur);
	e.line = tdat_cursor_u32(&cur);
	e.thread = tdat_cursor_u64(&cur);
	for (unsigned int i = 0; i < KTR_PARMS; i++)
		e.parms[i] = tdat_cursor_u64(&cur);
	e.file_text = tdat_cursor_bytes(&cur, tdat_cursor_u32(&cur));
	e.text = tdat_cursor_bytes(&cur, tdat_cursor_u32(&cur));
	return ktr_output_entry(c->out, &e, err);
}

/* Second pass: sorts all rows by time and CPU, then emits them. */
enum tdat_status ktr_text_emit(struct ktr_text *t, struct ktr_output *out, struct tdat_error *err)
{
	struct emit_ctx c = {.text = t, .out = out};
	enum tdat_status st = import_sort_new(&c.sort, 0, err);

	tdat_build_init(&c.packed, TDAT_HOST_BIG);
	c.cpu_sums = calloc(KTR_CPU_MAX, sizeof(*c.cpu_sums));
	if (st == TDAT_OK && !c.cpu_sums)
		st = tdat_error_no_memory(err, "the state of CPUs");
	if (st == TDAT_OK)
		st = each_row(t, sort_row, NULL, &c, err);
	if (st == TDAT_OK)
		st = import_sort_each(c.sort, emit_row, &c, err);
	import_sort_free(c.sort);
	tdat_build_fini(&c.packed);
	free(c.cpu_sums);
	return st;
}
