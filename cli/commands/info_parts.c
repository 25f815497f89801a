/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints single facts and stored parts of a file, for options of "tdat info". Each part is a bit of
 * enum info_part and a function below. A terminal gets stored text with control characters escaped,
 * a pipe gets it byte for byte.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"
#include "terminal/safe_text.h"
#include "commands/info_facts.h"
#include "commands/info_parts.h"

static void put(struct tdat_span s)
{
	cli_put_text(stdout, (const char *)s.ptr, s.len);
}

/* The sentence for a missing option is that of trace-cmd report. */
static void put_option(const struct tdat_file *file, uint16_t id, const char *what)
{
	const struct tdat_file_option *o = tdat_file_option_by_id(file, id);

	if (o)
		put(info_text_of(o));
	else
		printf(" %s was not recorded in this file", what);
	putchar('\n');
}

/* Reads the first and last pages of a CPU, and reports its damage. CLI_OK or the exit status. */
static int summary(const struct tdat_file *file, const char *path, size_t buffer, size_t entry,
		   struct tdat_cpu_summary *s)
{
	struct tdat_error err = TDAT_ERROR_INIT;

	size_t count;

	if (tdat_file_cpu_summary(file, buffer, entry, false, s, &err))
		return cli_fail(path, &err);
	return info_tell_bad_pages(path, &tdat_file_buffers(file, &count)[buffer], entry, s)
		       ? CLI_FAILED
		       : CLI_OK;
}

/*
 * Prints text line by line, as the kernel's per_cpu/cpuN/stats has it. Control bytes within a line
 * are escaped.
 */
static void put_lines(struct tdat_span s)
{
	size_t i, start = 0;

	for (i = 0; i <= s.len; i++) {
		if (i < s.len && s.ptr[i] != '\n')
			continue;
		put((struct tdat_span){s.ptr + start, i - start});
		putchar('\n');
		start = i + 1;
	}
}

/*
 * Prints the lines that trace-cmd report --stat prints: one also for a CPU without data. For
 * compressed data the offset is the one that trace-cmd reports: that in its inflated copy, which
 * begins after one page.
 */
static int put_cpu_data(const struct tdat_file *file, const char *path)
{
	const struct tdat_buffer *b;
	uint64_t inflated;
	uint32_t k, cpu = 0;
	size_t count;

	b = tdat_file_buffers(file, &count);
	inflated = count ? b->page_size : 0;
	for (k = 0; count && k < b->cpu_count; k++) {
		uint64_t off = b->cpus[k].off, len = b->cpus[k].len;
		struct tdat_cpu_summary s;
		int status = summary(file, path, 0, k, &s);

		if (status != CLI_OK)
			return status;
		if (b->compressed) {
			off = inflated;
			len = s.page_count * b->page_size;
			inflated += len;
		}
		for (; cpu < b->cpus[k].cpu; cpu++)
			printf("CPU%u data recorded at offset=0x0\n    0 bytes in size\n", cpu);
		printf("CPU%u data recorded at offset=0x%" PRIx64 "\n    %" PRIu64
		       " bytes in size\n",
		       cpu++, off, len);
	}
	return CLI_OK;
}

/* Option CPUSTAT exists once for each CPU; its text is the kernel's. */
static int put_stat(const struct tdat_file *file, const char *path)
{
	const struct tdat_file_option *opts;
	bool any = false;
	size_t i, count;

	printf("\nKernel buffer statistics:\n"
	       "  Note: \"entries\" are the entries left in the kernel ring buffer and are not\n"
	       "        recorded in the trace data. They should all be zero.\n\n");
	opts = tdat_file_options(file, &count);
	for (i = 0; i < count; i++) {
		if (opts[i].id != TDAT_OPTION_CPUSTAT)
			continue;
		any = true;
		put_lines(info_text_of(&opts[i]));
	}
	printf(any ? "\n" : " No stats in this file\n");
	return put_cpu_data(file, path);
}

/* Microseconds, rounded to the nearest, or ticks. */
static void put_time(const struct tdat_file *file, uint64_t ts)
{
	if (tdat_file_shows_seconds(file))
		printf("%5" PRIu64 ".%06" PRIu64, (ts + 500) / 1000 / 1000000,
		       (ts + 500) / 1000 % 1000000);
	else
		printf("%12" PRIu64, ts);
}

/* Lists the CPUs of the top buffer that have events. */
static int put_cpus(const struct tdat_file *file, const char *path, unsigned parts)
{
	const struct tdat_buffer *b;
	int status = CLI_OK;
	size_t count;
	uint32_t k;

	b = tdat_file_buffers(file, &count);
	printf("List of CPUs in ");
	cli_put_str(stdout, path);
	printf(" with data:\n");
	for (k = 0; count && k < b->cpu_count; k++) {
		struct tdat_cpu_summary s;
		const int st = summary(file, path, 0, k, &s);

		status = st == CLI_OK ? status : st;
		if (!s.has_events)
			continue;
		printf("  %u", b->cpus[k].cpu);
		if (parts & INFO_FIRST) {
			printf("\tFirst event:");
			put_time(file, s.first_ts);
		}
		if (parts & INFO_LAST) {
			printf("\tLast event:");
			put_time(file, s.last_ts);
		}
		putchar('\n');
	}
	return status;
}

/* Parses all event formats; each broken one is reported. CLI_OK: all are sound. */
static int check_events(const struct tdat_file *file, const char *path)
{
	size_t i, count = tdat_file_format_count(file);
	int status = CLI_OK;

	for (i = 0; i < count; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_event_format *format;

		if (tdat_file_format(file, i, &format, &err))
			status = cli_fail(path, &err);
	}
	return status;
}

/* Reports each CPU on which time goes back, with how often and how far. Reads all events. */
static int check_times(const struct tdat_file *file, const char *path)
{
	const struct tdat_buffer *b;
	size_t i, count;
	int status = CLI_OK;
	uint32_t k;

	b = tdat_file_buffers(file, &count);
	for (i = 0; i < count; i++) {
		for (k = 0; k < b[i].cpu_count; k++) {
			struct tdat_error err = TDAT_ERROR_INIT;
			struct tdat_cpu_summary s;

			if (tdat_file_cpu_summary(file, i, k, true, &s, &err))
				return cli_fail(path, &err);
			if (info_tell_bad_pages(path, &b[i], k, &s))
				status = CLI_FAILED;
			if (!s.backward_count)
				continue;
			cli_error(path,
				  "CPU %u%s%s: time goes backward %" PRIu64 " times, by %" PRIu64
				  " at most",
				  b[i].cpus[k].cpu, *b[i].name ? " of buffer " : "", b[i].name,
				  s.backward_count, s.backward_most);
			status = CLI_FAILED;
		}
	}
	return status;
}

/* Prints the parts that are asked for, in a fixed order. Returns the last bad exit status. */
int info_parts(const struct tdat_file *file, const char *path, unsigned parts)
{
	int status = CLI_OK, one;

	if (parts & INFO_STAT) {
		printf("cpus=%u\n", tdat_file_info(file)->cpu_count);
		status = put_stat(file, path);
	}
	if (parts & INFO_UNAME)
		put_option(file, TDAT_OPTION_UNAME, "uname");
	if (parts & INFO_VERSION)
		put_option(file, TDAT_OPTION_VERSION, "version");
	if (parts & (INFO_CPUS | INFO_FIRST | INFO_LAST)) {
		one = put_cpus(file, path, parts);
		status = one != CLI_OK ? one : status;
	}
	if (parts & INFO_CHECK_EVENTS) {
		one = check_events(file, path);
		status = one != CLI_OK ? one : status;
	}
	if (parts & INFO_TS_CHECK) {
		one = check_times(file, path);
		status = one != CLI_OK ? one : status;
	}
	return status;
}

/* ---- stored parts, unchanged ---- */

static void put_formats(const struct tdat_file *file, bool raw)
{
	size_t i, count = tdat_file_format_count(file);

	for (i = 0; i < count; i++) {
		struct tdat_span s = tdat_file_format_text(file, i, NULL);

		cli_put_stored((const char *)s.ptr, s.len, raw);
		putchar('\n');
	}
}

/* One line for each option: id, name, length, and the bytes in hexadecimal. */
static void put_options(const struct tdat_file *file)
{
	const struct tdat_file_option *opts;
	size_t i, k, count;

	opts = tdat_file_options(file, &count);
	for (i = 0; i < count; i++) {
		const char *name = tdat_file_option_name(opts[i].id);

		printf("%u %s %zu", opts[i].id, name ? name : "unknown", opts[i].data.len);
		for (k = 0; k < opts[i].data.len; k++)
			printf("%s%02x", k ? "" : " ", opts[i].data.ptr[k]);
		putchar('\n');
	}
}

/* Parts without a number in enum tdat_part are negative, to share one list with those. */
enum { PART_FORMATS = -4, PART_OPTIONS, PART_BTF, PART_MODULES };

const char *const info_section_names[] = {"header_page", "header_event", "kallsyms", "printk",
					  "cmdlines",	 "tgids",	 "latency",  "formats",
					  "options",	 "btf",		 "modules",  NULL};

/* In their order. */
static const int sections[] = {TDAT_PART_HEADER_PAGE, TDAT_PART_HEADER_EVENT,
			       TDAT_PART_KALLSYMS,    TDAT_PART_PRINTK,
			       TDAT_PART_CMDLINES,    TDAT_PART_TGIDS,
			       TDAT_PART_LATENCY,     PART_FORMATS,
			       PART_OPTIONS,	      PART_BTF,
			       PART_MODULES};

/*
 * Prints a section that opening a file does not read. If several have that id, the last one counts.
 * A missing one prints nothing.
 */
static int put_section(const struct tdat_file *file, const char *path, bool raw, uint16_t id)
{
	struct tdat_error err = TDAT_ERROR_INIT;
	const struct tdat_section *list;
	size_t count, len;
	uint8_t *data;

	list = tdat_file_sections(file, &count);
	while (count && list[count - 1].id != id)
		count--;
	if (!count)
		return CLI_OK;
	if (tdat_file_section_read(file, &list[count - 1], &data, &len, &err))
		return cli_fail(path, &err);
	cli_put_stored((const char *)data, len, raw);
	free(data);
	return CLI_OK;
}

static void put_part(const struct tdat_file *file, enum tdat_part part, bool raw)
{
	const struct tdat_span s = tdat_file_part(file, part);

	cli_put_stored((const char *)s.ptr, s.len, raw);
}

int info_section(const struct tdat_file *file, const char *path, int section, bool raw)
{
	const int part = sections[section];

	if (part == PART_FORMATS)
		put_formats(file, raw);
	else if (part == PART_OPTIONS)
		put_options(file);
	else if (part < 0)
		return put_section(file, path, raw,
				   part == PART_BTF ? TDAT_OPTION_BTF_FILE
						    : TDAT_OPTION_MODULES_FILE);
	else
		put_part(file, (enum tdat_part)part, raw);
	return CLI_OK;
}
