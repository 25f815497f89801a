/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a trace.dat, of version 6 or 7. What opens says nothing of bytes
 * that are not there; what opens strictly opens tolerantly without a finding;
 * what check calls clean is read to its end; the number of threads does not
 * show in the text.
 */
#include <string.h>

#include "events.h"

static void check_buffers(const struct tdat_file *file, size_t size)
{
	size_t i, count;
	uint32_t k;
	const struct tdat_buffer *b = tdat_file_buffers(file, &count);

	for (i = 0; i < count; i++) {
		FUZZ_ASSERT(b[i].name && b[i].clock && b[i].page_size);
		for (k = 0; k < b[i].cpu_count; k++) {
			FUZZ_ASSERT(!b[i].cpus[k].len || b[i].cpus[k].off <= size);
			FUZZ_ASSERT(!b[i].cpus[k].len ||
				    b[i].cpus[k].len <= size - b[i].cpus[k].off);
		}
	}
}

static void check_parts(const struct tdat_file *file, size_t size)
{
	const struct tdat_section *s;
	const struct tdat_file_option *o;
	const char *system;
	size_t i, count;
	int part;

	FUZZ_ASSERT(tdat_file_info(file)->len == size);
	for (part = TDAT_PART_HEADER_PAGE; part <= TDAT_PART_LATENCY; part++)
		fuzz_touch(tdat_file_part(file, (enum tdat_part)part));
	s = tdat_file_sections(file, &count);
	for (i = 0; i < count; i++) {
		FUZZ_ASSERT(s[i].off <= s[i].body_off && s[i].body_off <= size);
		FUZZ_ASSERT(s[i].body_len <= size - s[i].body_off);
	}
	o = tdat_file_options(file, &count);
	for (i = 0; i < count; i++)
		fuzz_touch(o[i].data);
	for (i = 0; i < tdat_file_format_count(file); i++) {
		fuzz_touch(tdat_file_format_text(file, i, &system));
		FUZZ_ASSERT(system);
	}
	check_buffers(file, size);
}

/* Summaries of CPUs count what is read; more than each has there cannot be. */
static void check_summaries(const struct tdat_file *file, uint64_t events)
{
	const struct tdat_buffer *b;
	struct tdat_cpu_summary s;
	size_t i, count;
	uint64_t sum = 0;
	uint32_t k;

	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count; i++)
		for (k = 0; k < b[i].cpu_count; k++) {
			if (tdat_file_cpu_summary(file, i, k, true, &s, NULL) != TDAT_OK)
				return;
			FUZZ_ASSERT(s.has_events == (s.event_count > 0) && !s.bad_pages);
			sum += s.event_count;
			if (tdat_file_cpu_summary(file, i, k, false, &s, NULL) == TDAT_OK)
				FUZZ_ASSERT(s.has_events || !s.event_count);
		}
	FUZZ_ASSERT(sum == events);
}

static struct fuzz_events of_span(struct tdat_file *file, const char *from, const char *to,
				  const char *expr)
{
	const struct tdat_filter_expr one = {expr, false};
	struct tdat_filter_opts opts = TDAT_FILTER_OPTS_INIT;
	struct fuzz_events e = {.status = TDAT_E_NOT_FOUND};
	struct tdat_filter *filter;

	opts.from = from;
	opts.to = to;
	opts.exprs = &one;
	opts.expr_count = expr != NULL;
	if (tdat_filter_new(&filter, &opts, NULL) != TDAT_OK)
		return e;
	e = fuzz_filter_events(file, filter);
	tdat_filter_free(filter);
	return e;
}

/* A span and what lies before and behind it are all; so are a condition and its opposite. */
static void check_filters(struct tdat_file *file, uint64_t events)
{
	struct fuzz_events a = of_span(file, NULL, "+100us", NULL);
	struct fuzz_events b = of_span(file, "+100001ns", NULL, NULL);

	if (a.status == TDAT_OK && b.status == TDAT_OK)
		FUZZ_ASSERT(a.count + b.count == events);
	a = of_span(file, NULL, NULL, "CPU == 0");
	b = of_span(file, NULL, NULL, "CPU != 0");
	if (a.status == TDAT_OK && b.status == TDAT_OK)
		FUZZ_ASSERT(a.count + b.count <= events);
}

static void check_events(struct tdat_file *file)
{
	struct tdat_check_result result;
	struct fuzz_events e, back;
	size_t count;

	tdat_file_damage(file, &count);
	if (!fuzz_check(file, &result))
		return;
	FUZZ_ASSERT(!count || result.damages);
	e = fuzz_read_events(file, true);
	back = fuzz_read_backwards(file);
	if (e.status == TDAT_OK && back.status == TDAT_OK)
		FUZZ_ASSERT(back.count == e.count && back.bad == e.bad);
	if (e.status != TDAT_OK) {
		FUZZ_ASSERT(result.damages);
		return;
	}
	if (result.damages)
		return;
	FUZZ_ASSERT(!e.bad && e.count == result.events);
	check_summaries(file, e.count);
	check_filters(file, e.count);
}

static void check_text(const struct tdat_iter_input *in)
{
	struct fuzz_text one, three;
	enum tdat_status st = fuzz_print(in, 1, &one);

	FUZZ_ASSERT(fuzz_print(in, 3, &three) == st);
	FUZZ_ASSERT(one.len == three.len && one.hash == three.hash);
}

static bool open_and_check(const uint8_t *data, size_t size, bool tolerate, size_t *damages)
{
	struct tdat_open_opts opts = fuzz_open_opts(tolerate);
	struct tdat_error err = TDAT_ERROR_INIT;
	struct tdat_iter_input in = {0};
	const struct tdat_error *damage;
	size_t i;

	if (tdat_file_open_memory(&in.file, data, size, "fuzz", &opts, &err) != TDAT_OK) {
		FUZZ_ASSERT(!in.file && err.status != TDAT_OK && err.message[0]);
		return false;
	}
	damage = tdat_file_damage(in.file, damages);
	for (i = 0; i < *damages; i++)
		FUZZ_ASSERT(damage[i].message[0]);
	FUZZ_ASSERT(tolerate || !*damages);
	check_parts(in.file, size);
	if (tolerate) {
		check_events(in.file);
		check_text(&in);
	}
	tdat_file_close(in.file);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t damages = 0, none;
	bool opens = open_and_check(data, size, true, &damages);
	bool sound = open_and_check(data, size, false, &none);

	FUZZ_ASSERT(!sound || (opens && !damages));
	return 0;
}
