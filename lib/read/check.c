/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Checks all of an opened file: the pages and records of each CPU, and the order of their time.
 * Everything that dump would leave out is damage here, found by the same code: streams are read
 * to their end by stream.c, and no page is judged by a second rule. Beyond that it looks at
 * alignment, formats that no event needs and the order of time. Findings go to the caller in
 * the order of the file.
 */
#include <tdat/check.h>

#include <stdlib.h>
#include <string.h>

#include "check_counts.h"

/* Bytes of pages per window: below malloc's threshold for mapping, as WINDOW_MOST in iter.c. */
enum { CHECK_WINDOW = 124 * 1024 };

const char *tdat_severity_name(enum tdat_severity severity)
{
	switch (severity) {
	case TDAT_NOTE:
		return "note";
	case TDAT_DOUBT:
		return "doubt";
	case TDAT_DAMAGE:
		return "damage";
	}
	return "damage";
}

/* ---- CPU data ---- */

/* Only doubts: tdat reads data at any offset, but other readers may refuse it. */
static void check_alignment(struct check *c, const struct tdat_buffer *b,
			    const struct tdat_cpu *cpu)
{
	if (cpu->off % b->page_size)
		read_finding(&c->out, TDAT_DOUBT, cpu->off, "nothing",
			     "the data of CPU %u%s%.64s at offset %llu is not aligned to %u bytes: "
			     "other readers may reject it",
			     cpu->cpu, *b->name ? " of buffer " : "", b->name,
			     (unsigned long long)cpu->off, b->page_size);
	if (!b->compressed && cpu->len % b->page_size && !c->file->ix.cut_cpu_count)
		read_finding(&c->out, TDAT_DOUBT, cpu->off + cpu->len / b->page_size * b->page_size,
			     "the end of the last page",
			     "the data of CPU %u%s%.64s has %llu bytes, not a multiple of %u",
			     cpu->cpu, *b->name ? " of buffer " : "", b->name,
			     (unsigned long long)cpu->len, b->page_size);
}

/* Checks the table of CPU data; that extents overlap was reported when the file was opened. */
static void check_table(struct check *c)
{
	const struct dat_index *ix = &c->file->ix;
	size_t i;
	uint32_t k;

	for (i = 0; i < ix->buffer_count; i++)
		for (k = 0; k < ix->buffers[i].cpu_count; k++)
			if (ix->buffers[i].cpus[k].len)
				check_alignment(c, &ix->buffers[i], &ix->buffers[i].cpus[k]);
}

/*
 * Nothing leads to the strings: a file cut before them cannot be told from one that
 * "trace-cmd restore" made, and lacks nothing else.
 */
static void check_strings(struct check *c)
{
	uint64_t end = tdat_source_len(c->file->ix.src);

	if (c->file->ix.strings_lost && !c->file->ix.damage_count)
		read_finding(&c->out, TDAT_NOTE, end, "section names",
			     "the file ends at %llu, without names of its sections",
			     (unsigned long long)end);
}

static void check_order(struct check *c)
{
	if (c->file->ix.mixed_order)
		read_finding(
			&c->out, TDAT_DOUBT, TDAT_NO_OFFSET, "nothing",
			"some numbers have the opposite byte order, as \"trace-cmd convert\" "
			"writes them on another machine: trace-cmd reads no events of this file");
}

/* ---- pages and records ---- */

/* The walk over one CPU's records. */
struct walk {
	struct check *check;
	const struct tdat_buffer *buffer;
	struct read_stream stream;
	uint64_t last_ts;
	bool any;
	uint64_t backwards;
};

/* Called by the stream for each damage: the same places at which dump skips data. */
static void on_damage(void *ctx, uint64_t off, const char *why)
{
	struct walk *w = ctx;

	read_finding(&w->check->out, TDAT_DAMAGE, off, read_stream_cost(why), "CPU %u%s%.64s: %s",
		     w->stream.cpu, *w->buffer->name ? " of buffer " : "", w->buffer->name,
		     why ? why : "damaged");
}

/*
 * Checks the order of time and the id of a record. Each id is checked once: its format is the same
 * for all.
 */
static void check_record(struct walk *w, const struct file_common *common)
{
	struct check *c = w->check;
	const struct read_stream *s = &w->stream;
	uint64_t id;

	c->result.events++;
	/*
	 * Only the first step back of a CPU is reported: a clock that jumps would flood the list.
	 */
	if (w->any && s->head.ts < w->last_ts && !w->backwards++)
		read_finding(&c->out, TDAT_NOTE, s->page_off, "nothing",
			     "CPU %u%s%.64s: time goes backward from %llu to %llu", s->cpu,
			     *w->buffer->name ? " of buffer " : "", w->buffer->name,
			     (unsigned long long)w->last_ts, (unsigned long long)s->head.ts);
	w->any = true;
	w->last_ts = s->head.ts;
	if (s->head.rec.len < common->type_off + common->type_len) {
		read_finding(&c->out, TDAT_DAMAGE, s->page_off, "that event",
			     "CPU %u: a record of %u bytes is too short for an event", s->cpu,
			     s->head.rec.len);
		return;
	}
	id = tdat_load_uint(s->head.rec.data + common->type_off, common->type_len,
			    c->file->layout.big);
	if (id < FILE_ID_COUNT && c->met[id])
		return;
	if (id < FILE_ID_COUNT) {
		c->met[id] = true; /* reported once */
		if (tdat_file_format_by_id(c->file, (uint32_t)id))
			return;
	}
	c->unknown = true;
	read_finding(&c->out, TDAT_DAMAGE, s->page_off, "the fields of such events",
		     "CPU %u: an event has id %llu, which no valid format describes", s->cpu,
		     (unsigned long long)id);
}

/*
 * Reads one CPU to its end. The clock is that of the file without shifts, so that times are
 * compared as recorded.
 */
static void check_stream(struct check *c, const struct tdat_buffer *b, const struct tdat_cpu *cpu,
			 const struct file_common *common)
{
	const struct tdat_iter_input in = {NULL, 0, 0};
	const struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	struct walk w = {.check = c, .buffer = b};
	const uint64_t before = c->result.events;
	struct read_clock clock;

	read_clock_init(&clock, &c->file->clock, *b->name != '\0', &in, &opts);
	c->out.status =
		read_stream_init(&w.stream, c->file, b, cpu, &clock, CHECK_WINDOW, &c->out.err);
	w.stream.on_damage = on_damage;
	w.stream.damage_ctx = &w;
	/* read_stream_init() has noted damage before on_damage was set. */
	if (c->out.status == TDAT_OK && w.stream.bad_pages)
		on_damage(&w, w.stream.damage.off, w.stream.damage.message);
	while (c->out.status == TDAT_OK) {
		enum tdat_status st = read_stream_step(&w.stream, &c->out.err);

		if (st != TDAT_OK)
			c->out.status = st;
		if (st != TDAT_OK || !w.stream.have)
			break;
		check_record(&w, common);
	}
	c->result.pages += w.stream.pages;
	c->result.bad_pages += w.stream.bad_pages;
	check_counts_add(c->counts, b, cpu->cpu, c->result.events - before);
	read_stream_fini(&w.stream);
}

/* Reads all CPUs in the order of the file, and compares the counts of events with the kernel's. */
static void check_streams(struct check *c)
{
	const struct dat_index *ix = &c->file->ix;
	struct check_counts counts;
	struct file_common common;
	size_t i;
	uint32_t k;

	file_common_find(c->file, &common);
	c->counts = &counts;
	if (!check_counts_init(&counts, c->file))
		c->out.status = tdat_error_no_memory(&c->out.err, "counts of events");
	for (i = 0; i < ix->buffer_count && c->out.status == TDAT_OK; i++)
		for (k = 0; k < ix->buffers[i].cpu_count && c->out.status == TDAT_OK; k++)
			check_stream(c, &ix->buffers[i], &ix->buffers[i].cpus[k], &common);
	if (c->out.status == TDAT_OK &&
	    ix->buffer_count) /* a latency tracer's file has no events */
		check_counts_tell(&counts, &c->out);
	check_counts_fini(&counts);
}

/*
 * Checks a whole file. Findings go to fn; a status other than TDAT_OK means that the check itself
 * failed, not that the file is damaged.
 */
enum tdat_status tdat_check(const struct tdat_file *file, tdat_finding_fn fn, void *ctx,
			    struct tdat_check_result *result, struct tdat_error *err)
{
	struct check c = {.file = file, .out = {.fn = fn, .ctx = ctx, .err = TDAT_ERROR_INIT}};

	/*
	 * Failures of memory inside lazily made tables are counted, since they have no status of
	 * their own.
	 */
	const uint64_t failures = tdat_file_memory_failures(file);

	c.met = calloc(FILE_ID_COUNT, sizeof(*c.met));
	if (!c.met)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET, "no memory to check");
	read_opening_findings(&c.out, file);
	check_options(&c);
	if (c.out.status == TDAT_OK)
		check_table(&c);
	if (c.out.status == TDAT_OK)
		check_strings(&c);
	if (c.out.status == TDAT_OK)
		check_order(&c);
	if (c.out.status == TDAT_OK)
		check_streams(&c);
	if (c.out.status == TDAT_OK) /* last: which of them events need is known */
		check_formats(&c);
	free(c.met);
	if (c.out.status == TDAT_OK)
		c.out.status = file_memory(file, failures, &c.out.err);
	c.result.notes = c.out.notes;
	c.result.doubts = c.out.doubts;
	c.result.damages = c.out.damages;
	if (result)
		*result = c.result;
	if (c.out.status != TDAT_OK && err)
		*err = c.out.err;
	return c.out.status;
}
