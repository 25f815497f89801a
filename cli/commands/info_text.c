/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the facts of "tdat info" as text. Labels are aligned; numbers have units. A fact that the
 * file does not have has no line. With -v the sections and options follow, and the event types that
 * are not compiled as a whole.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/info_facts.h"
#include "terminal/safe_text.h"

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
static void text_identity(const struct info_facts *f)
{
	const struct tdat_file_info *i = f->info;

	label("Format");
	printf("trace.dat version %u, %s endian, %u-byte long, %u-byte pages", i->version,
	       i->big_endian ? "big" : "little", i->long_size, i->page_size);
	if (i->kernel_long_size != i->long_size)
		printf(", %u-byte long in the kernel", i->kernel_long_size);
	if (i->version >= 7) {
		printf(", compression ");
		cli_put_str(stdout, i->compression);
		if (*i->compression_version) {
			putchar(' ');
			cli_put_str(stdout, i->compression_version);
		}
	}
	putchar('\n');
	label("Size");
	printf("%" PRIu64 " bytes\n", i->len);
}

/* The clock is that of the top buffer. */
static void text_host(const struct info_facts *f)
{
	const char *clock = f->buffer_count ? f->buffers[0].clock : "";

	text_option(f, "Host", TDAT_OPTION_UNAME);
	text_option(f, "Made by", TDAT_OPTION_VERSION);
	label("CPUs");
	printf("%u\n", f->info->cpu_count);
	if (*clock) {
		label("Clock");
		cli_put_str(stdout, clock);
		putchar('\n');
	}
	text_option(f, "Date offset", TDAT_OPTION_DATE);
	text_option(f, "Time offset", TDAT_OPTION_OFFSET);
}

/* Numbers of entries, and the bytes of the sections that hold them. */
static void text_metadata(const struct info_facts *f)
{
	const struct tdat_file_info *i = f->info;

	label("Formats");
	printf("%u of ftrace, %u events in %u systems\n", i->ftrace_format_count,
	       i->event_format_count, i->system_count);
	label("Symbols");
	printf("%zu (%" PRIu64 " bytes of kallsyms)\n", f->symbol_count, i->kallsyms_len);
	label("Printk");
	printf("%zu formats (%" PRIu64 " bytes)\n", f->printk_count, i->printk_len);
	label("Tasks");
	printf("%zu names (%" PRIu64 " bytes)\n", f->comm_count, i->cmdlines_len);
	label("Options");
	printf("%zu\n", f->option_count);
}

/* One line for each CPU. "-" without events: a CPU may have pages without any. */
static void text_cpu(const struct info_facts *f, const struct info_args *a,
		     const struct tdat_cpu *c, const struct tdat_cpu_summary *s)
{
	printf("    %5u %12" PRIu64 " %9" PRIu64, c->cpu, c->len, s->page_count);
	if (s->has_events) {
		cli_put_ts(tdat_file_shows_seconds(f->file), s->first_ts);
		cli_put_ts(tdat_file_shows_seconds(f->file), s->last_ts);
	} else {
		printf(" %20s %20s", "-", "-");
	}
	if (a->count) {
		printf(" %12" PRIu64 " %10" PRIu64, s->event_count, s->lost_count);
		if (s->lost_marks)
			printf(" + %" PRIu64 " unknown", s->lost_marks);
	}
	putchar('\n');
}

/* A buffer with its CPUs. A latency buffer is text, and has no CPUs. */
static void text_buffer(const struct info_facts *f, const struct info_args *a, size_t index)
{
	const struct tdat_buffer *b = &f->buffers[index];
	uint64_t bytes = 0, events = 0, lost = 0;
	uint32_t i;

	label("Buffer");
	cli_put_str(stdout, *b->name ? b->name : "(top)");
	if (*b->clock) {
		printf(", clock ");
		cli_put_str(stdout, b->clock);
	}
	if (b->latency) {
		printf(", latency text, %zu bytes\n",
		       tdat_file_part(f->file, TDAT_PART_LATENCY).len);
		return;
	}
	for (i = 0; i < b->cpu_count; i++) {
		bytes += b->cpus[i].len;
		events += f->cpus[index][i].event_count;
		lost += f->cpus[index][i].lost_count;
	}
	printf(", %u-byte pages, %u CPUs, %" PRIu64 " bytes", b->page_size, b->cpu_count, bytes);
	if (a->count)
		printf(", %" PRIu64 " events, %" PRIu64 " lost", events, lost);
	putchar('\n');
	if (!b->cpu_count)
		return;
	printf("    %5s %12s %9s %20s %20s", "CPU", "bytes", "pages", "first", "last");
	printf(a->count ? " %12s %10s\n" : "\n", "events", "lost");
	for (i = 0; i < b->cpu_count; i++)
		text_cpu(f, a, &b->cpus[i], &f->cpus[index][i]);
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

void info_text(const struct info_facts *f, const struct info_args *a, bool first)
{
	size_t i;

	if (!first)
		putchar('\n');
	cli_put_str(stdout, f->info->name);
	putchar('\n');
	text_identity(f);
	text_host(f);
	text_metadata(f);
	for (i = 0; i < f->buffer_count; i++)
		text_buffer(f, a, i);
	if (a->verbose)
		text_verbose(f);
}
