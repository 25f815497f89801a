/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes Arrow schemas of tables, with what is known of trace and columns as metadata. Names,
 * types and units become formats of the C data interface; clock, host, options and trace id
 * become metadata, so that a file of Parquet or Arrow says where it comes from. Lengths of
 * metadata are in the host's byte order, as the interface asks.
 */
#include "arrow_schema.h"

#include <stdio.h>

#include "arrow_array.h"
#include "core/build.h"

/*
 * Key-value pairs as the Arrow C data interface encodes them: their number, then length and bytes
 * of each key and value. Numbers are int32 in the byte order of the host.
 */
struct metadata {
	struct tdat_build b;
	/* Pairs so far, which the first four bytes of the text repeat. */
	int32_t count;
};

static void put_len(struct tdat_build *b, size_t len)
{
	const int32_t n = (int32_t)len;

	tdat_build_bytes(b, &n, sizeof(n));
}

/*
 * Adds a pair and updates the count at the start. Values come from a file's options, which are far
 * below 2 GiB, so their lengths fit int32.
 */
static void put_pair(struct metadata *m, const char *key, const void *value, size_t len)
{
	if (!m->count)
		put_len(&m->b, 0);
	put_len(&m->b, strlen(key));
	tdat_build_str(&m->b, key);
	put_len(&m->b, len);
	tdat_build_bytes(&m->b, value, len);
	m->count++;
	if (!m->b.failed)
		memcpy(m->b.ptr, &m->count, sizeof(m->count));
}

/* Adds a text unless it is missing or empty: consumers see only keys that have a value. */
static void put_str(struct metadata *m, const char *key, const char *value)
{
	if (value && *value)
		put_pair(m, key, value, strlen(value));
}

/* The text of an option of the first input that has it, without a NUL at its end. */
static void put_option(struct metadata *m, const char *key, const struct tdat_trace *t, uint16_t id)
{
	for (size_t i = 0; i < t->input_count; i++) {
		const struct tdat_file_option *o = tdat_file_option_by_id(t->inputs[i].file, id);

		if (!o || !o->data.len)
			continue;
		put_pair(m, key, o->data.ptr, strnlen((const char *)o->data.ptr, o->data.len));
		return;
	}
}

/* Puts the host of the first file that names its machine. */
static void put_host(struct metadata *m, const struct tdat_trace *t)
{
	struct tdat_span host = {NULL, 0};

	for (size_t i = 0; i < t->input_count && !host.len; i++)
		host = tdat_file_host(t->inputs[i].file);
	if (host.len)
		put_pair(m, "tdat.host", (const char *)host.ptr, host.len);
}

/*
 * The buffers' own counts of dropped events, summed over all inputs; absent if no input recorded
 * them.
 */
static void put_drops(struct metadata *m, const struct tdat_trace *t)
{
	static const char *const keys[TRACE_DROPS] = {"tdat.overrun", "tdat.commit_overrun",
						      "tdat.dropped_events"};
	char text[24];

	for (size_t i = 0; t->has_drops && i < TRACE_DROPS; i++) {
		snprintf(text, sizeof(text), "%llu", (unsigned long long)t->drops[i]);
		put_str(m, keys[i], text);
	}
}

/*
 * The trace id of the first input that has one, as 16 hexadecimal digits; 64 bits in the file's
 * byte order.
 */
static void put_trace_id(struct metadata *m, const struct tdat_trace *t)
{
	for (size_t i = 0; i < t->input_count; i++) {
		const struct tdat_file_option *o =
			tdat_file_option_by_id(t->inputs[i].file, TDAT_OPTION_TRACEID);
		char text[24];

		if (!o || o->data.len < 8)
			continue;
		snprintf(text, sizeof(text), "%016llx",
			 (unsigned long long)tdat_load64(o->data.ptr, t->inputs[i].big));
		put_str(m, "tdat.trace_id", text);
		return;
	}
}

/*
 * Clocks that count neither nanoseconds nor a known tick, and raw timestamps of a named clock, are
 * ticks. One input with ticks makes the whole table's unit ticks.
 */
static const char *clock_unit(const struct tdat_trace *t)
{
	for (size_t i = 0; i < t->input_count; i++)
		if (!clock_facts_seconds(&t->inputs[i].file->clock, t->opts.raw_ts))
			return "ticks";
	return "ns";
}

static void table_metadata(struct metadata *m, const struct tdat_trace *t,
			   const struct tdat_table *table)
{
	put_str(m, "tdat.table", table->name);
	put_str(m, "tdat.version", tdat_version());
	if (t->input_count) {
		const struct table_input *in = &t->inputs[0];

		/* Several inputs: source and clock are those of the first. */
		put_str(m, "tdat.source", tdat_file_info(in->file)->name);
		put_str(m, "tdat.clock", in->buffer_count ? in->buffers[0].clock : "");
	}
	/* Rows of derived tables come when the kernel said enough, in no order of time. */
	if (table->kind == TDAT_TABLE_EVENT || table->kind == TDAT_TABLE_EVENTS)
		put_str(m, "tdat.sorted_by", "ts");
	put_str(m, "tdat.clock_unit", clock_unit(t));
	put_option(m, "tdat.uname", t, TDAT_OPTION_UNAME);
	put_host(m, t);
	put_option(m, "tdat.recorder", t, TDAT_OPTION_VERSION);
	put_trace_id(m, t);
	put_drops(m, t);
}

/*
 * The field behind a column. Its C type is in the table fields: it differs by kernel, and files of
 * one event have one schema.
 */
static void column_metadata(struct metadata *m, const struct table_column *c)
{
	if (c->field)
		put_str(m, "tdat.field", c->field->name);
}

/* Letters of the format strings of the Arrow C data interface, by bytes and sign. */
static const char *int_format(uint8_t len, bool is_signed)
{
	static const char *const formats[] = {"C", "c", "S", "s", "I", "i", "L", "l"};

	return formats[2 * __builtin_ctz(len) + is_signed];
}

/*
 * Times become a timestamp with a zone only if the clock is wall time. Others stay plain integers:
 * a duration since boot shown as a date of 1970 would mislead.
 */
static const char *format_of(const struct table_column *c)
{
	switch (c->type) {
	case TABLE_BOOL:
		return "b";
	case TABLE_TIME:
		return c->wall ? "tsn:UTC" : "l";
	case TABLE_TEXT:
		return "u";
	case TABLE_BYTES:
		return "z";
	case TABLE_NAME:
		return "i";
	case TABLE_LIST:
	case TABLE_LIST_NAME:
		return "+l";
	default:
		return int_format(c->len, c->is_signed);
	}
}

/* The values of a dictionary are UTF-8 texts without a name of their own. */
static bool make_names(struct ArrowSchema *s)
{
	return table_schema_struct(s->dictionary, "u", "", NULL, 0, 0, false);
}

/*
 * The one child of a list. Lists of names are plain texts, since few consumers read a list of
 * dictionary indices.
 */
static bool make_items(struct ArrowSchema *s, const struct table_column *c)
{
	const bool names = c->type == TABLE_LIST_NAME;
	struct ArrowSchema *items = s->children[0];

	return table_schema_struct(items, names ? "u" : int_format(c->len, c->is_signed), "item",
				   NULL, 0, 0, false);
}

static bool make_column(struct ArrowSchema *s, const struct table_column *c)
{
	const bool list = c->type == TABLE_LIST || c->type == TABLE_LIST_NAME;
	struct metadata m = {.count = 0};
	bool ok;

	column_metadata(&m, c);
	ok = !m.b.failed && table_schema_struct(s, format_of(c), c->name, m.count ? m.b.ptr : NULL,
						m.b.len, list, c->type == TABLE_NAME);
	tdat_build_fini(&m.b);
	if (!ok)
		return false;
	/* A time is never null unless the table says so; any other column may be. */
	s->flags = c->type == TABLE_TIME && !c->may_be_null ? 0 : ARROW_FLAG_NULLABLE;
	if (c->type == TABLE_NAME)
		return make_names(s);
	return !list || make_items(s, c);
}

/*
 * Makes the schema of the chosen columns: list has count indices into columns. After a failure
 * *out has no release, and nothing needs freeing.
 */
enum tdat_status table_arrow_schema(struct ArrowSchema *out, const struct tdat_trace *t,
				    const struct tdat_table *table,
				    const struct table_column *columns, const size_t *list,
				    size_t count, struct tdat_error *err)
{
	struct metadata m = {.count = 0};
	bool ok;

	table_metadata(&m, t, table);
	ok = !m.b.failed &&
	     table_schema_struct(out, "+s", "", m.b.ptr, m.b.len, (int64_t)count, false);
	tdat_build_fini(&m.b);
	if (!ok)
		return tdat_error_no_memory(err, "a schema");
	for (size_t i = 0; i < count && ok; i++)
		ok = make_column(out->children[i], &columns[list[i]]);
	if (ok)
		return TDAT_OK;
	out->release(out);
	return tdat_error_no_memory(err, "a schema");
}
