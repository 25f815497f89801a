/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the facts of one file that "tdat info" prints. Both outputs take all facts from here, so
 * text and JSON cannot differ. Times of CPUs come from first and last pages. Damage is reported
 * once, and makes the exit status 1. Called by info.c for each file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands/info_facts.h"
#include "core/text.h"
#include "terminal/message.h"

/* Returns an option's data as text up to its first NUL; empty without the option. */
struct tdat_span info_text_of(const struct tdat_file_option *o)
{
	struct tdat_span s = {NULL, 0};

	if (o && o->data.len) {
		s.ptr = o->data.ptr;
		s.len = strnlen((const char *)o->data.ptr, o->data.len);
	}
	return s;
}

/* How an event is printed whose print fmt tdat does not compile as a whole. */
const char *info_print_kind(enum tdat_print_kind kind)
{
	return kind == TDAT_PRINT_FALLBACK ? "by libtraceevent"
	       : kind == TDAT_PRINT_PARTLY ? "in part"
					   : "as name=value";
}

/*
 * Calls fn for each event type whose print fmt is not compiled as a whole, with the reason. Without
 * a printer nothing is called: the list is an extra of -v.
 */
void info_each_foreign(struct tdat_file *file,
		       void (*fn)(void *ctx, const struct tdat_event_format *format,
				  enum tdat_print_kind kind, const char *reason),
		       void *ctx)
{
	const struct tdat_iter_input in = {file, 0, 0};
	size_t i, count = tdat_file_format_count(file);
	struct tdat_printer *printer;

	if (tdat_printer_new(&printer, &in, 1, NULL, NULL))
		return;
	for (i = 0; i < count; i++) {
		const struct tdat_event_format *format;
		enum tdat_print_kind kind;
		const char *reason;

		if (!tdat_file_format(file, i, &format, NULL) &&
		    !tdat_printer_kind(printer, 0, tdat_event_format_id(format), &kind, &reason,
				       NULL) &&
		    kind != TDAT_PRINT_COMPILED && kind != TDAT_PRINT_NATIVE)
			fn(ctx, format, kind, reason);
	}
	tdat_printer_free(printer);
}

void info_facts_fini(struct info_facts *f)
{
	size_t i;

	for (i = 0; f->cpus && i < f->buffer_count; i++)
		free(f->cpus[i]);
	free(f->cpus);
	f->cpus = NULL;
}

/* Reports damaged pages of one CPU. True if there are some; a single line, as check lists each. */
bool info_tell_bad_pages(const char *path, const struct tdat_buffer *buffer, size_t entry,
			 const struct tdat_cpu_summary *summary)
{
	if (!summary->bad_pages)
		return false;
	cli_error(path,
		  "CPU %u%s%s: %" PRIu64 " %s, read up to the damage; \"tdat check\" lists them",
		  buffer->cpus[entry].cpu, *buffer->name ? " of buffer " : "", buffer->name,
		  summary->bad_pages, tdat_damaged_pages(buffer->compressed, summary->bad_pages));
	return true;
}

/*
 * Bytes of CPU data that are read for a count that nobody has asked for: some 30 ms. Compressed
 * data grow to about eight times their bytes.
 */
enum { COUNT_MOST = 64 << 20, COMPRESSED = 8 };

static bool is_small(const struct info_facts *f)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < f->buffer_count; i++)
		for (size_t k = 0; k < f->buffers[i].cpu_count; k++) {
			const uint64_t len = f->buffers[i].cpus[k].len;

			if (len > COUNT_MOST)
				return false;
			sum += f->buffers[i].compressed ? len * COMPRESSED : len;
		}
	return sum <= COUNT_MOST;
}

/*
 * Fills the facts of all CPUs. To count events every page is read, otherwise the first and last
 * ones of each CPU.
 */
int info_facts_count(struct info_facts *f, const char *path, bool events)
{
	size_t i, k;

	f->is_counted = events || is_small(f);
	f->cpus = calloc(f->buffer_count + 1, sizeof(*f->cpus));
	if (!f->cpus)
		return cli_nomem();
	for (i = 0; i < f->buffer_count; i++) {
		f->cpus[i] = calloc(f->buffers[i].cpu_count + 1, sizeof(**f->cpus));
		if (!f->cpus[i])
			return cli_nomem();
		for (k = 0; k < f->buffers[i].cpu_count; k++) {
			struct tdat_error err = TDAT_ERROR_INIT;

			if (tdat_file_cpu_summary(f->file, i, k, f->is_counted, &f->cpus[i][k],
						  &err))
				return cli_fail(path, &err);
			if (info_tell_bad_pages(path, &f->buffers[i], k, &f->cpus[i][k]))
				f->bad_pages = true;
		}
	}
	return CLI_OK;
}

/*
 * Takes what the opened file knows already; nothing is read. Pointers stay valid until the file is
 * closed.
 */
void info_facts_init(struct info_facts *f, struct tdat_file *file, const struct cli_file *from)
{
	memset(f, 0, sizeof(*f));
	f->file = file;
	f->info = tdat_file_info(file);
	f->capture = from->importer ? from->importer->name : NULL;
	f->len = from->importer ? from->capture_len : f->info->len;
	f->buffers = tdat_file_buffers(file, &f->buffer_count);
	f->options = tdat_file_options(file, &f->option_count);
	f->sections = tdat_file_sections(file, &f->section_count);
	f->damage = tdat_file_damage(file, &f->damage_count);
	f->symbol_count = tdat_file_symbol_count(file);
	f->printk_count = tdat_file_printk_count(file);
	f->comm_count = tdat_file_comm_count(file);
}
