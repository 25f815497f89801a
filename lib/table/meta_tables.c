/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables of what files say of themselves: their columns and where the rows come from. Each
 * table is a row of the table at the end: name, columns, function. Rows come in the order of
 * the file, values as the file has them. A new table of metadata is added here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "meta.h"
#include "read/summary.h"

/* ---- formats and fields ---- */

/* Formats are listed even if they cannot be parsed: the column error says why. */
static const struct meta_column formats_columns[] = {UINT("id", 4), NAMED("system"),
						     TEXT("event"), TEXT("print_fmt"),
						     TEXT("error"), {.name = NULL}};

/* The head of a broken format may still be readable, so id and name are kept if they are. */
static bool put_broken_format(struct meta_rows *r, const struct table_input *in, size_t i,
			      const struct tdat_error *why)
{
	const char *system;
	struct tdat_span text = tdat_file_format_text(in->file, i, &system), name = {NULL, 0};
	uint32_t id = 0;
	const bool named = model_format_head(text, &name, &id);

	meta_begin(r, in);
	row_put_known(&r->row, named, id);
	row_put_str(&r->row, system);
	row_put_text(&r->row, named ? name : (struct tdat_span){NULL, 0});
	row_put_str(&r->row, NULL);
	row_put_str(&r->row, why->message);
	return meta_row(r);
}

static bool formats_rows(struct meta_rows *r, const struct table_input *in)
{
	const size_t count = tdat_file_format_count(in->file);
	bool ok = true;

	for (size_t i = 0; i < count && ok; i++) {
		struct tdat_error err = TDAT_ERROR_INIT;
		const struct tdat_event_format *f;

		if (tdat_file_format(in->file, i, &f, &err) != TDAT_OK) {
			ok = put_broken_format(r, in, i, &err);
			continue;
		}
		meta_begin(r, in);
		row_put_int(&r->row, f->id);
		row_put_str(&r->row, f->system);
		row_put_str(&r->row, f->name);
		row_put_str(&r->row, f->print_fmt);
		row_put_str(&r->row, NULL);
		ok = meta_row(r);
	}
	return ok;
}

static const struct meta_column fields_columns[] = {
	UINT("id", 4),	     NAMED("system"),	     NAMED("event"),  TEXT("field"),
	NAMED("type"),	     UINT("off", 4),	     UINT("len", 4),  BOOL("signed"),
	UINT("elem_len", 4), UINT("array_count", 4), BOOL("dynamic"), BOOL("common"),
	{.name = NULL}};

static bool put_field(struct meta_rows *r, const struct table_input *in,
		      const struct tdat_event_format *f, const struct tdat_field *field)
{
	meta_begin(r, in);
	row_put_int(&r->row, f->id);
	row_put_str(&r->row, f->system);
	row_put_str(&r->row, f->name);
	row_put_str(&r->row, field->name);
	row_put_str(&r->row, field->type);
	row_put_int(&r->row, field->off);
	row_put_int(&r->row, field->len);
	row_put_bool(&r->row, field->flags & TDAT_FIELD_SIGNED);
	row_put_int(&r->row, field->elem_len);
	row_put_int(&r->row, field->array_count);
	row_put_bool(&r->row, field->flags & TDAT_FIELD_DYNAMIC);
	row_put_bool(&r->row, field->flags & TDAT_FIELD_COMMON);
	return meta_row(r);
}

/* Fields of broken formats are unknown, so those have no rows here. */
static bool fields_rows(struct meta_rows *r, const struct table_input *in)
{
	const size_t count = tdat_file_format_count(in->file);

	for (size_t i = 0; i < count; i++) {
		const struct tdat_event_format *f;

		if (tdat_file_format(in->file, i, &f, NULL) != TDAT_OK)
			continue;
		for (size_t k = 0; k < f->field_count; k++)
			if (!put_field(r, in, f, &f->fields[k]))
				return false;
	}
	return true;
}

/* ---- buffers and CPUs ---- */

/* cpus counts the CPUs with data; number is the buffer's place in the file. */
static const struct meta_column buffers_columns[] = {
	UINT("number", 4),  TEXT("buffer"),  TEXT("clock"),   UINT("page_size", 4),
	BOOL("compressed"), BOOL("latency"), UINT("cpus", 4), {.name = NULL}};

static bool buffers_rows(struct meta_rows *r, const struct table_input *in)
{
	for (size_t i = 0; i < in->buffer_count; i++) {
		const struct tdat_buffer *b = &in->buffers[i];

		meta_begin(r, in);
		row_put_int(&r->row, i);
		row_put_str(&r->row, b->name);
		row_put_str(&r->row, b->clock);
		row_put_int(&r->row, b->page_size);
		row_put_bool(&r->row, b->compressed);
		row_put_bool(&r->row, b->latency);
		row_put_int(&r->row, b->cpu_count);
		if (!meta_row(r))
			return false;
	}
	return true;
}

/* off and len are places in the file, in bytes; times need the first and last page. */
static const struct meta_column cpus_columns[] = {
	TEXT("buffer"),	  UINT("cpu", 4),   UINT("off", 8),  UINT("len", 8),
	UINT("pages", 8), TIME("first_ts"), TIME("last_ts"), {.name = NULL}};

/*
 * A CPU's pages may be damaged at the ends: its row then has no times, and the damage goes to the
 * reader, which reports it like damage of events.
 */
static bool put_cpu(struct meta_rows *r, const struct table_input *in, size_t buffer, size_t cpu)
{
	const struct tdat_buffer *b = &in->buffers[buffer];
	const size_t input = (size_t)(in - r->trace->inputs);
	const struct tdat_iter_opts opts = trace_iter_opts(r->trace);
	struct tdat_cpu_summary sum = {.has_events = false};
	struct tdat_stream_damage damage = {.off = b->cpus[cpu].off};
	struct tdat_error err = TDAT_ERROR_INIT;
	bool failed = false;

	/* Latency reports are text without pages, so they have no ends to read. */
	if (!b->latency)
		failed = read_summary_ends(&r->trace->iter_inputs[input], &opts, buffer, cpu, &sum,
					   &damage, &err) != TDAT_OK;
	if (failed) {
		sum.bad_pages = 1;
		snprintf(damage.message, sizeof(damage.message), "%.255s", err.message);
	}
	if (sum.bad_pages) {
		damage.input = (uint32_t)input;
		damage.buffer = (uint32_t)buffer;
		damage.cpu = b->cpus[cpu].cpu;
		damage.bad_pages = sum.bad_pages;
		r->row.failed |= !r->damaged(r->ctx, &damage);
	}
	meta_begin(r, in);
	row_put_str(&r->row, b->name);
	row_put_int(&r->row, b->cpus[cpu].cpu);
	row_put_int(&r->row, b->cpus[cpu].off);
	row_put_int(&r->row, b->cpus[cpu].len);
	row_put_int(&r->row, sum.page_count);
	row_put_known(&r->row, sum.has_events, sum.first_ts);
	row_put_known(&r->row, sum.has_events, sum.last_ts);
	return meta_row(r);
}

static bool cpus_rows(struct meta_rows *r, const struct table_input *in)
{
	for (size_t b = 0; b < in->buffer_count; b++)
		for (size_t c = 0; c < in->buffers[b].cpu_count; c++)
			if (!put_cpu(r, in, b, c))
				return false;
	return true;
}

/* ---- options ---- */

/* Options of trace.dat version 6 and 7, as the file has them; data is not interpreted. */
static const struct meta_column options_columns[] = {UINT("id", 4),
						     NAMED("name"),
						     UINT("off", 8),
						     {.name = "data", .type = TABLE_BYTES},
						     {.name = NULL}};

/* An option without data is empty, not null. */
static bool options_rows(struct meta_rows *r, const struct table_input *in)
{
	size_t count;
	const struct tdat_file_option *o = tdat_file_options(in->file, &count);

	for (size_t i = 0; i < count; i++) {
		const struct tdat_span nothing = {(const uint8_t *)"", 0};

		meta_begin(r, in);
		row_put_int(&r->row, o[i].id);
		row_put_str(&r->row, tdat_file_option_name(o[i].id));
		row_put_int(&r->row, o[i].off);
		row_put_text(&r->row, o[i].data.len ? o[i].data : nothing);
		if (!meta_row(r))
			return false;
	}
	return true;
}

/* ---- symbols and printk formats ---- */

static const struct meta_column symbols_columns[] = {
	UINT("addr", 8), TEXT("type"), TEXT("name"), TEXT("module"), {.name = NULL}};

/* Takes the word up to the next blank, and the blanks behind it. */
static struct tdat_span take_word(struct tdat_span *line)
{
	const struct tdat_span word = tdat_take_token(line);

	tdat_take_blanks(line);
	return word;
}

/* A line of kallsyms: "ADDRESS TYPE NAME [MODULE]". */
static bool put_symbol(struct meta_rows *r, const struct table_input *in, struct tdat_span line)
{
	struct tdat_span addr = take_word(&line);
	const struct tdat_span type = take_word(&line), name = take_word(&line);
	struct tdat_span module = take_word(&line);
	const size_t digits = addr.len;
	uint64_t v;

	/* Lines that are not of this form are skipped: kallsyms may be cut. */
	if (tdat_take_digits(&addr, 16, &v) != digits || !digits || digits > 16 || !name.len)
		return true;
	/* The brackets around a module are not part of its name. */
	if (module.len > 2 && *module.ptr == '[')
		module = (struct tdat_span){module.ptr + 1, module.len - 2};
	meta_begin(r, in);
	row_put_int(&r->row, v);
	row_put_text(&r->row, type);
	row_put_text(&r->row, name);
	row_put_text(&r->row, module.len ? module : (struct tdat_span){NULL, 0});
	return meta_row(r);
}

/* Reads the text of the file, not the sorted table for look-ups: rows keep its order. */
static bool symbols_rows(struct meta_rows *r, const struct table_input *in)
{
	struct tdat_span text = tdat_file_part(in->file, TDAT_PART_KALLSYMS), line;

	while (tdat_take_line(&text, &line))
		if (!put_symbol(r, in, line))
			return false;
	return true;
}

/* Strings of trace_printk() by address, from the file's printk_formats. */
static const struct meta_column printk_columns[] = {
	UINT("addr", 8), TEXT("format"), {.name = NULL}};

static bool printk_rows(struct meta_rows *r, const struct table_input *in)
{
	struct tdat_span text = tdat_file_part(in->file, TDAT_PART_PRINTK), line;

	while (tdat_take_line(&text, &line)) {
		struct tdat_span fmt;
		uint64_t addr;

		if (!model_printk_line(line, &addr, &fmt))
			continue;
		meta_begin(r, in);
		row_put_int(&r->row, addr);
		row_put_text(&r->row, fmt);
		if (!meta_row(r))
			return false;
	}
	return true;
}

/* ---- info ---- */

/* Facts of which there is one for each file, as key and text. */
static const struct meta_column info_columns[] = {NAMED("key"), TEXT("value"), {.name = NULL}};

static bool put_info(struct meta_rows *r, const struct table_input *in, const char *key,
		     const char *value)
{
	meta_begin(r, in);
	row_put_str(&r->row, key);
	row_put_str(&r->row, value);
	return meta_row(r);
}

static bool put_info_number(struct meta_rows *r, const struct table_input *in, const char *key,
			    uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return put_info(r, in, key, text);
}

/* Options that hold a text are given by name. */
static bool put_info_options(struct meta_rows *r, const struct table_input *in)
{
	static const struct {
		uint16_t id;
		const char *key;
	} texts[] = {{TDAT_OPTION_UNAME, "uname"},
		     {TDAT_OPTION_VERSION, "recorder"},
		     {TDAT_OPTION_TRACECLOCK, "trace_clock"}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct tdat_file_option *o = tdat_file_option_by_id(in->file, texts[i].id);

		if (!o || !o->data.len)
			continue;
		meta_begin(r, in);
		row_put_str(&r->row, texts[i].key);
		row_put_text(&r->row,
			     (struct tdat_span){o->data.ptr,
						strnlen((const char *)o->data.ptr, o->data.len)});
		if (!meta_row(r))
			return false;
	}
	return true;
}

static bool info_rows(struct meta_rows *r, const struct table_input *in)
{
	const struct tdat_file_info *info = tdat_file_info(in->file);

	return put_info(r, in, "name", info->name) &&
	       put_info_number(r, in, "version", info->version) &&
	       put_info(r, in, "byte_order", info->big_endian ? "big" : "little") &&
	       put_info_number(r, in, "long_size", info->long_size) &&
	       put_info_number(r, in, "page_size", info->page_size) &&
	       put_info(r, in, "compression", info->compression) &&
	       put_info_number(r, in, "cpus", info->cpu_count) &&
	       put_info_number(r, in, "len", info->len) &&
	       put_info(r, in, "clock", in->buffer_count ? in->buffers[0].clock : "") &&
	       put_info_options(r, in);
}

/* The list of all these tables; the order is that in which a trace lists them. */
const struct table_meta *table_metas(size_t *count)
{
	static const struct table_meta metas[] = {
		{"tasks", "pids and names of tasks", meta_tasks_columns, meta_tasks_rows},
		{"formats", "event types that the file describes", formats_columns, formats_rows},
		{"fields", "fields of the event types", fields_columns, fields_rows},
		{"buffers", "buffers of the file", buffers_columns, buffers_rows},
		{"cpus", "CPUs of the buffers, with events and losses", cpus_columns, cpus_rows},
		{"options", "options of the file", options_columns, options_rows},
		{"symbols", "addresses and names of kernel functions", symbols_columns,
		 symbols_rows},
		{"printk", "format strings of trace_printk", printk_columns, printk_rows},
		{"info", "facts about the file", info_columns, info_rows},
	};

	*count = sizeof(metas) / sizeof(metas[0]);
	return metas;
}
