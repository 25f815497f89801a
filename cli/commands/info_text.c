/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the facts of "tdat info" as text. Labels are aligned; numbers have units. A fact that the
 * file does not have has no line. With -v the sections and options follow, and the event types that
 * are not compiled as a whole.
 */
#include <inttypes.h>
#include <stdio.h>

#include "commands/info_facts.h"
#include "terminal/columns.h"
#include "terminal/safe_text.h"
#include "terminal/units.h"

/* Labels are 12 columns wide; the longest is "Date offset". */
static void label(const char *name)
{
	printf("  %-12s", name);
}

static void text_option(const struct info_facts *f, const char *name, uint16_t id)
{
	struct tdat_span s = info_text_of(tdat_file_option_by_id(f->file, id));

	if (!s.len)
		return;
	label(name);
	cli_put_text(stdout, (const char *)s.ptr, s.len);
	putchar('\n');
}

/*
 * The kernel's long has another size than the recorder's if a 32-bit trace-cmd recorded a 64-bit
 * kernel.
 */
static void text_identity(const struct info_facts *f, bool exact)
{
	const struct tdat_file_info *i = f->info;
	char buf[CLI_UNIT_ROOM];

	label("Format");
	if (f->capture)
		printf("%s, read as ", f->capture);
	printf("trace.dat version %u, %s endian, %u-byte long, %u-byte pages", i->version,
	       i->big_endian ? "big" : "little", i->long_size, i->page_size);
	if (i->kernel_long_size != i->long_size)
		printf(", %u-byte long in the kernel", i->kernel_long_size);
	if (i->version >= 7) {
		putchar('\n');
		label("Compression");
		cli_put_str(stdout, i->compression);
		if (*i->compression_version) {
			putchar(' ');
			cli_put_str(stdout, i->compression_version);
		}
	}
	putchar('\n');
	label("Size");
	printf("%s\n", cli_unit_bytes(buf, f->len, exact));
}

/* The clock is that of the top buffer. */
static const char *clock_of(const struct info_facts *f)
{
	return f->buffer_count ? f->buffers[0].clock : "";
}

static bool is_order(const struct info_facts *f)
{
	return !strcmp(clock_of(f), "counter");
}

static void text_host(const struct info_facts *f)
{
	const char *clock = clock_of(f);

	text_option(f, "Host", TDAT_OPTION_UNAME);
	text_option(f, "Made by", TDAT_OPTION_VERSION);
	label("CPUs");
	printf("%u\n", f->info->cpu_count);
	label("Clock");
	cli_put_str(stdout, *clock ? clock : "unknown");
	puts(is_order(f) ? ": the order of events, without times and durations" : "");
	text_option(f, "Date offset", TDAT_OPTION_DATE);
	text_option(f, "Time offset", TDAT_OPTION_OFFSET);
}

/* Sums over the CPUs of a buffer, or of all buffers. */
struct sum {
	uint64_t bytes, pages, events, lost, lost_marks;
	uint64_t first_ts, last_ts; /* if has_events */
	bool has_events;
};

static void add_buffer(struct sum *sum, const struct info_facts *f, size_t buffer)
{
	for (uint32_t i = 0; i < f->buffers[buffer].cpu_count; i++) {
		const struct tdat_cpu_summary *s = &f->cpus[buffer][i];

		sum->bytes += f->buffers[buffer].cpus[i].len;
		sum->pages += s->page_count;
		sum->events += s->event_count;
		sum->lost += s->lost_count;
		sum->lost_marks += s->lost_marks;
		if (!s->has_events)
			continue;
		if (!sum->has_events || s->first_ts < sum->first_ts)
			sum->first_ts = s->first_ts;
		if (!sum->has_events || s->last_ts > sum->last_ts)
			sum->last_ts = s->last_ts;
		sum->has_events = true;
	}
}

/* Duration and number of events of the whole file. Without a count the pages are named. */
static void text_extent(const struct info_facts *f, bool exact)
{
	const bool ns = tdat_file_shows_seconds(f->file);
	char buf[CLI_UNIT_ROOM];
	struct sum all = {0};

	for (size_t i = 0; i < f->buffer_count; i++)
		add_buffer(&all, f, i);
	if (all.has_events && !is_order(f)) {
		label("Duration");
		printf("%s%s\n",
		       (ns ? cli_unit_ns : cli_unit_count)(buf, all.last_ts - all.first_ts, exact),
		       ns ? "" : " ticks");
	}
	label("Events");
	if (f->is_counted) {
		printf("%s", cli_unit_count(buf, all.events, exact));
		if (all.lost || !all.lost_marks)
			printf(", %s lost", cli_unit_count(buf, all.lost, exact));
		if (all.lost_marks)
			printf(", %s loss%s of unknown number",
			       cli_unit_count(buf, all.lost_marks, exact),
			       all.lost_marks == 1 ? "" : "es");
		putchar('\n');
	} else {
		printf("not counted: --count reads all %s pages\n",
		       cli_unit_count(buf, all.pages, exact));
	}
}

/* Numbers of entries, and the bytes of the sections that hold them. */
static void text_metadata(const struct info_facts *f, bool exact)
{
	const struct tdat_file_info *i = f->info;
	char buf[CLI_UNIT_ROOM], bytes[CLI_UNIT_ROOM];

	label("Formats");
	printf("%u of ftrace, %u events in %u systems\n", i->ftrace_format_count,
	       i->event_format_count, i->system_count);
	label("Symbols");
	printf("%s (%s of kallsyms)\n", cli_unit_count(buf, f->symbol_count, exact),
	       cli_unit_bytes(bytes, i->kallsyms_len, exact));
	label("Printk");
	printf("%s formats (%s)\n", cli_unit_count(buf, f->printk_count, exact),
	       cli_unit_bytes(bytes, i->printk_len, exact));
	label("Tasks");
	printf("%s names (%s)\n", cli_unit_count(buf, f->comm_count, exact),
	       cli_unit_bytes(bytes, i->cmdlines_len, exact));
	label("Options");
	printf("%zu\n", f->option_count);
}

/* One line for each CPU. "-": a CPU may have pages without events, or they were not counted. */
static void cell_cpu(struct cli_columns *t, const struct info_facts *f, const struct tdat_cpu *c,
		     const struct tdat_cpu_summary *s)
{
	tdat_build_printf(&t->cells, "%u", c->cpu);
	cli_cell_end(t);
	cli_cell_bytes(t, c->len);
	cli_cell_count(t, s->page_count);
	if (f->is_counted) {
		cli_cell_count(t, s->event_count);
		cli_cell_lost(t, s->lost_count, s->lost_marks);
	} else {
		cli_cell_none(t);
		cli_cell_none(t);
	}
	if (s->has_events) {
		cli_cell_ts(t, s->first_ts);
		cli_cell_ts(t, s->last_ts);
	} else {
		cli_cell_none(t);
		cli_cell_none(t);
	}
}

/* A buffer with its CPUs. A latency buffer is text, and has no CPUs. False: no memory. */
static bool text_buffer(const struct info_facts *f, size_t index, bool exact)
{
	static const struct cli_column columns[] = {
		{"CPU", 0, false},  {"size", 2, false},	 {"pages", 4, false}, {"events", 1, false},
		{"lost", 3, false}, {"first", 0, false}, {"last", 0, false}};
	const struct tdat_buffer *b = &f->buffers[index];
	struct sum sum = {0};
	char buf[CLI_UNIT_ROOM];
	struct cli_columns t;

	label("Buffer");
	cli_put_str(stdout, *b->name ? b->name : "(top)");
	if (*b->clock) {
		printf(", clock ");
		cli_put_str(stdout, b->clock);
	}
	if (b->latency) {
		const size_t len = tdat_file_part(f->file, TDAT_PART_LATENCY).len;

		printf(", latency text, %s\n", cli_unit_bytes(buf, len, exact));
		return true;
	}
	add_buffer(&sum, f, index);
	printf(", %u-byte pages, %u CPUs, %s", b->page_size, b->cpu_count,
	       cli_unit_bytes(buf, sum.bytes, exact));
	if (f->is_counted && f->buffer_count > 1)
		printf(", %s events", cli_unit_count(buf, sum.events, exact));
	putchar('\n');
	if (!b->cpu_count)
		return true;
	cli_columns_init(&t, columns, sizeof(columns) / sizeof(columns[0]),
			 (struct cli_numbers){exact, tdat_file_shows_seconds(f->file)});
	t.indent = 4;
	for (uint32_t i = 0; i < b->cpu_count; i++)
		cell_cpu(&t, f, &b->cpus[i], &f->cpus[index][i]);
	return cli_columns_end(&t);
}

/* ctx is a flag: the heading is printed before the first entry. */
static void text_print(void *ctx, const struct tdat_event_format *format, enum tdat_print_kind kind,
		       const char *reason)
{
	bool *headed = ctx;

	if (!*headed) {
		label("Print fmts");
		putchar('\n');
	}
	*headed = true;
	printf("    ");
	cli_put_str(stdout, tdat_event_format_system(format));
	putchar(':');
	cli_put_str(stdout, tdat_event_format_name(format));
	printf(" %s: ", info_print_kind(kind));
	cli_put_str(stdout, reason);
	putchar('\n');
}

/* Everything that the file has by number and offset, for people who compare it with a hex dump. */
static void text_verbose(const struct info_facts *f)
{
	bool headed = false;
	size_t i;

	label("Sections");
	printf("%zu\n", f->section_count);
	for (i = 0; i < f->section_count; i++) {
		const struct tdat_section *s = &f->sections[i];

		printf("    %3u @ %-12" PRIu64 " %10" PRIu64 " bytes%s  ", s->id, s->off,
		       s->body_len, s->compressed ? ", compressed" : "");
		cli_put_str(stdout, s->description);
		putchar('\n');
	}
	label("Options");
	printf("%zu\n", f->option_count);
	for (i = 0; i < f->option_count; i++) {
		const struct tdat_file_option *o = &f->options[i];
		const char *name = tdat_file_option_name(o->id);

		printf("    %3u @ %-12" PRIu64 " %10zu bytes  %s\n", o->id, o->off, o->data.len,
		       name ? name : "unknown");
		info_option_text(f->file, o);
	}
	info_each_foreign(f->file, text_print, &headed);
}

bool info_text(const struct info_facts *f, const struct info_args *a, bool first)
{
	if (!first)
		putchar('\n');
	cli_put_str(stdout, f->info->name);
	putchar('\n');
	text_identity(f, a->exact);
	text_host(f);
	text_extent(f, a->exact);
	text_metadata(f, a->exact);
	for (size_t i = 0; i < f->buffer_count; i++)
		if (!text_buffer(f, i, a->exact))
			return false;
	if (a->verbose)
		text_verbose(f);
	return true;
}
