/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the facts of "tdat info" as JSON. Keys are stable and documented in the manual page; text
 * of the trace is escaped. A file that cannot be opened becomes an object with its error, so the
 * array stays complete.
 */
#include <string.h>

#include "commands/info_facts.h"

/* A missing option is null, an empty one an empty text. */
static void json_option_text(struct tdat_json *j, const struct info_facts *f, const char *key,
			     uint16_t id)
{
	const struct tdat_file_option *option = tdat_file_option_by_id(f->file, id);
	const struct tdat_span s = info_text_of(option);

	if (option)
		tdat_json_strn(j, key, (const char *)s.ptr, s.len);
	else
		tdat_json_null(j, key);
}

/* Compression exists since version 7; before, its keys are null. */
static void json_identity(struct tdat_json *j, const struct info_facts *f)
{
	const struct tdat_file_info *i = f->info;

	tdat_json_str(j, "file", i->name);
	tdat_json_u64(j, "size", f->len);
	tdat_json_u64(j, "version", i->version);
	tdat_json_str(j, "endian", i->big_endian ? "big" : "little");
	tdat_json_u64(j, "long_size", i->long_size);
	tdat_json_u64(j, "kernel_long_size", i->kernel_long_size);
	tdat_json_u64(j, "page_size", i->page_size);
	tdat_json_str(j, "compression", i->version >= 7 ? i->compression : NULL);
	tdat_json_str(j, "compression_version", i->version >= 7 ? i->compression_version : NULL);
	tdat_json_u64(j, "cpus", i->cpu_count);
	tdat_json_bool(j, "latency", i->latency);
}

/* Sizes of stored parts in bytes, and the numbers of entries that were read from them. */
static void json_metadata(struct tdat_json *j, const struct info_facts *f)
{
	const struct tdat_file_info *i = f->info;

	tdat_json_object(j, "metadata");
	tdat_json_u64(j, "header_page_bytes", i->header_page_len);
	tdat_json_u64(j, "header_event_bytes", i->header_event_len);
	tdat_json_u64(j, "ftrace_events", i->ftrace_format_count);
	tdat_json_u64(j, "systems", i->system_count);
	tdat_json_u64(j, "events", i->event_format_count);
	tdat_json_u64(j, "kallsyms_bytes", i->kallsyms_len);
	tdat_json_u64(j, "kallsyms", f->symbol_count);
	tdat_json_u64(j, "printk_bytes", i->printk_len);
	tdat_json_u64(j, "printk", f->printk_count);
	tdat_json_u64(j, "cmdlines_bytes", i->cmdlines_len);
	tdat_json_u64(j, "cmdlines", f->comm_count);
	tdat_json_object_end(j);
}

/*
 * Times are null for a CPU without events. Counts are present if events were counted, which reads
 * all pages.
 */
static void json_cpu(struct tdat_json *j, const struct info_facts *f, const struct tdat_cpu *c,
		     const struct tdat_cpu_summary *s)
{
	tdat_json_object(j, NULL);
	tdat_json_u64(j, "cpu", c->cpu);
	tdat_json_u64(j, "offset", c->off);
	tdat_json_u64(j, "bytes", c->len);
	tdat_json_u64(j, "pages", s->page_count);
	if (s->has_events) {
		tdat_json_u64(j, "first_ts", s->first_ts);
		tdat_json_u64(j, "last_ts", s->last_ts);
	} else {
		tdat_json_null(j, "first_ts");
		tdat_json_null(j, "last_ts");
	}
	if (f->is_counted) {
		tdat_json_u64(j, "events", s->event_count);
		tdat_json_u64(j, "lost", s->lost_count);
		tdat_json_u64(j, "lost_unknown", s->lost_marks);
		tdat_json_u64(j, "damaged_pages", s->bad_pages);
	}
	tdat_json_object_end(j);
}

/* bytes is the stored size of all CPUs, compressed or not. */
static void json_buffer(struct tdat_json *j, const struct info_facts *f, size_t index)
{
	const struct tdat_buffer *b = &f->buffers[index];
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < b->cpu_count; i++)
		bytes += b->cpus[i].len;
	tdat_json_object(j, NULL);
	tdat_json_str(j, "name", b->name);
	tdat_json_str(j, "clock", *b->clock ? b->clock : NULL);
	tdat_json_bool(j, "latency", b->latency);
	tdat_json_u64(j, "page_size", b->page_size);
	tdat_json_bool(j, "compressed", b->compressed);
	tdat_json_u64(j, "offset", b->off);
	tdat_json_u64(j, "bytes", bytes);
	tdat_json_array(j, "cpus");
	for (i = 0; i < b->cpu_count; i++)
		json_cpu(j, f, &b->cpus[i], &f->cpus[index][i]);
	tdat_json_array_end(j);
	tdat_json_object_end(j);
}

/* Options in the order of the file, with their values as far as tdat knows them. */
static void json_options(struct tdat_json *j, const struct info_facts *f)
{
	size_t i;

	tdat_json_array(j, "options");
	for (i = 0; i < f->option_count; i++) {
		tdat_json_object(j, NULL);
		tdat_json_u64(j, "id", f->options[i].id);
		tdat_json_str(j, "name", tdat_file_option_name(f->options[i].id));
		tdat_json_u64(j, "offset", f->options[i].off);
		tdat_json_u64(j, "bytes", f->options[i].data.len);
		info_option_json(j, f->file, &f->options[i]);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* Sections in the order of the file; offset is that of the header, body_offset that of the data. */
static void json_sections(struct tdat_json *j, const struct info_facts *f)
{
	size_t i;

	tdat_json_array(j, "sections");
	for (i = 0; i < f->section_count; i++) {
		const struct tdat_section *s = &f->sections[i];

		tdat_json_object(j, NULL);
		tdat_json_u64(j, "id", s->id);
		tdat_json_str(j, "description", s->description);
		tdat_json_u64(j, "offset", s->off);
		tdat_json_u64(j, "body_offset", s->body_off);
		tdat_json_u64(j, "bytes", s->body_len);
		tdat_json_bool(j, "compressed", s->compressed);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* Called for each event type that is not compiled as a whole. */
static void json_foreign_one(void *ctx, const struct tdat_event_format *format,
			     enum tdat_print_kind kind, const char *reason)
{
	struct tdat_json *j = ctx;

	tdat_json_object(j, NULL);
	tdat_json_str(j, "system", tdat_event_format_system(format));
	tdat_json_str(j, "event", tdat_event_format_name(format));
	tdat_json_str(j, "printed_by", info_print_kind(kind));
	tdat_json_str(j, "reason", reason);
	tdat_json_object_end(j);
}

/* Damage that opening the file has found. */
static void json_damage(struct tdat_json *j, const struct info_facts *f)
{
	size_t i;

	tdat_json_array(j, "damage");
	for (i = 0; i < f->damage_count; i++) {
		tdat_json_object(j, NULL);
		if (f->damage[i].off != TDAT_NO_OFFSET)
			tdat_json_u64(j, "offset", f->damage[i].off);
		tdat_json_str(j, "sentence", f->damage[i].message);
		tdat_json_object_end(j);
	}
	tdat_json_array_end(j);
}

/* One object for each file. */
void info_json(struct tdat_json *j, const struct info_facts *f, const struct info_args *a)
{
	size_t i;

	tdat_json_object(j, NULL);
	json_identity(j, f);
	json_option_text(j, f, "uname", TDAT_OPTION_UNAME);
	json_option_text(j, f, "trace_cmd_version", TDAT_OPTION_VERSION);
	json_option_text(j, f, "date_offset", TDAT_OPTION_DATE);
	json_option_text(j, f, "time_offset", TDAT_OPTION_OFFSET);
	tdat_json_str(j, "clock",
		      f->buffer_count && *f->buffers[0].clock ? f->buffers[0].clock : NULL);
	tdat_json_bool(j, "times_in_ns", tdat_file_shows_seconds(f->file));
	json_metadata(j, f);
	tdat_json_array(j, "buffers");
	for (i = 0; i < f->buffer_count; i++)
		json_buffer(j, f, i);
	tdat_json_array_end(j);
	json_options(j, f);
	json_sections(j, f);
	if (a->verbose) {
		tdat_json_array(j, "not_compiled");
		info_each_foreign(f->file, json_foreign_one, j);
		tdat_json_array_end(j);
	}
	json_damage(j, f);
	tdat_json_object_end(j);
}

void info_json_error(struct tdat_json *j, const char *path, const struct tdat_error *err)
{
	tdat_json_object(j, NULL);
	tdat_json_str(j, "file", path);
	tdat_json_str(j, "error", err->message);
	tdat_json_object_end(j);
}
