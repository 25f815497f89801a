/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the columns of tables of events. A table joins all formats of one name, which may
 * differ between inputs: each format is a variant with a source for every column. A column is
 * as wide as its widest source; fields that cannot share a column get one each, with a number
 * in the name. Names are unique without regard to case, as SQL needs it. Searching earlier
 * variants' columns is linear, half of the square of a file's fields at most.
 */
#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/build.h"
#include "core/grow.h"
#include "core/utf8.h"
#include "field_kind.h"

/* Letters of ASCII do not differ by case, as SQL has it. */
/* Locale-free: columns must not differ between machines. */
static uint8_t lower(char c)
{
	return (uint8_t)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}
static bool same(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}
/*
 * Hashes in pieces of 64 bytes, so names of any length need no memory. It is keyed, so a crafted
 * file cannot force collisions.
 */
static uint64_t name_hash(const struct table_schema *s, const char *name)
{
	uint64_t h = 0;

	while (*name) {
		uint8_t piece[64];
		size_t len = 0;

		while (len < sizeof(piece) && *name)
			piece[len++] = lower(*name++);
		h = tdat_hash_pair(s->names.seed, h, tdat_hash_bytes(s->names.seed, piece, len));
	}
	return h;
}

/* The column of that name, or SIZE_MAX. */
static size_t named(const struct table_schema *s, const char *name)
{
	uint32_t i;

	TDAT_MAP_FIND(i, &s->names, name_hash(s, name), same(s->columns[i].name, name));
	return i == TDAT_MAP_NONE ? SIZE_MAX : i;
}

/*
 * Makes a name that no column has. First choice: the field's own name. If a column has this name:
 * the name behind "field_". If that is taken, too: with "_2", "_3" and on. The number continues
 * from the last one that the taken name got, so that many fields of one name are not a long search.
 */
static const char *unique_name(struct table_schema *s, const char *name, bool field)
{
	struct tdat_build b;
	const char *made = NULL;
	size_t base, taken;

	tdat_build_init(&b, false);
	/* Invalid UTF-8 is replaced first: names must be unique as consumers see them. */
	tdat_build_utf8(&b, name, strlen(name));
	tdat_build_u8(&b, '\0');
	if (!b.failed && field && (!*name || named(s, (char *)b.ptr) < s->count)) {
		b.len = 0;
		tdat_build_str(&b, "field_");
		tdat_build_utf8(&b, name, strlen(name));
		tdat_build_u8(&b, '\0');
	}
	base = b.len ? b.len - 1 : 0;
	taken = b.failed ? s->count : named(s, (char *)b.ptr);
	while (!b.failed && taken < s->count && named(s, (char *)b.ptr) < s->count) {
		uint32_t *tries = &s->columns[taken].tries;

		*tries = *tries ? *tries + 1 : 2;
		b.len = base;
		tdat_build_printf(&b, "_%u", *tries);
		tdat_build_u8(&b, '\0');
	}
	if (!b.failed)
		made = tdat_arena_strndup(&s->arena, b.ptr, b.len - 1);
	tdat_build_fini(&b);
	return made;
}

/* Appends an empty column with a unique name; NULL: no memory. */
static struct table_column *add_named(struct table_schema *s, const char *name, bool field)
{
	struct table_column *c;

	if (!TDAT_GROW(s->columns, &s->cap, s->count + 1))
		return NULL;
	c = &s->columns[s->count];
	memset(c, 0, sizeof(*c));
	c->name = unique_name(s, name, field);
	if (!c->name || !tdat_map_reserve(&s->names))
		return NULL;
	tdat_map_put(&s->names, name_hash(s, c->name), s->count++);
	return c;
}

/* ---- columns of every event ---- */

/* Which tables have a column of every event. */
enum common_when { ALWAYS, NOT_IN_LOST, SEVERAL_FILES, IN_EVENTS, ON_DEMAND };

/* Bits are those of common_flags: TRACE_FLAG_* of the kernel's trace_events.h. */
static const struct common {
	const char *name;
	enum common_when when;
	struct table_column column;
	enum table_decode decode;
	uint32_t bit;
} commons[] = {
	{"ts", ALWAYS, {.type = TABLE_TIME}, TABLE_D_TS, 0},
	{"cpu", ALWAYS, {.type = TABLE_INT, .len = 4}, TABLE_D_CPU, 0},
	{"file", SEVERAL_FILES, {.type = TABLE_NAME}, TABLE_D_FILE, 0},
	{"buffer", ALWAYS, {.type = TABLE_NAME}, TABLE_D_BUFFER, 0},
	{"pid", NOT_IN_LOST, {.type = TABLE_INT, .len = 4, .is_signed = true}, TABLE_D_PID, 0},
	{"comm", NOT_IN_LOST, {.type = TABLE_NAME}, TABLE_D_COMM, 0},
	{"tgid", NOT_IN_LOST, {.type = TABLE_INT, .len = 4, .is_signed = true}, TABLE_D_TGID, 0},
	{"id", IN_EVENTS, {.type = TABLE_INT, .len = 4}, TABLE_D_ID, 0},
	{"system", IN_EVENTS, {.type = TABLE_NAME}, TABLE_D_SYSTEM, 0},
	{"event", IN_EVENTS, {.type = TABLE_NAME}, TABLE_D_EVENT, 0},
	{"irqs_off", NOT_IN_LOST, {.type = TABLE_BOOL}, TABLE_D_FLAG, 0x01},
	{"need_resched", NOT_IN_LOST, {.type = TABLE_BOOL}, TABLE_D_FLAG, 0x04},
	{"hardirq", NOT_IN_LOST, {.type = TABLE_BOOL}, TABLE_D_FLAG, 0x08},
	{"softirq", NOT_IN_LOST, {.type = TABLE_BOOL}, TABLE_D_FLAG, 0x10},
	{"preempt_depth", NOT_IN_LOST, {.type = TABLE_INT, .len = 1}, TABLE_D_PREEMPT, 0},
	{"migrate_disable", NOT_IN_LOST, {.type = TABLE_INT, .len = 1}, TABLE_D_MIGRATE, 0},
	{"lost", ALWAYS, {.type = TABLE_INT, .len = 8, .is_signed = true}, TABLE_D_LOST, 0},
	{"text", ON_DEMAND, {.type = TABLE_TEXT, .on_demand = true}, TABLE_D_LINE, 0},
};

enum { COMMON_COUNT = sizeof(commons) / sizeof(commons[0]) };

const struct table_source table_no_source = {.decode = TABLE_D_NULL};

/* True if the tables that def describes have the column. */
static bool common_is_there(const struct common *c, const struct table_schema_def *def)
{
	if (def->fields)
		return false;
	return c->when == ALWAYS || (c->when == NOT_IN_LOST && !def->lost) ||
	       (c->when == ON_DEMAND && !def->lost && !def->own_text) ||
	       (c->when == SEVERAL_FILES && def->with_file) ||
	       (c->when == IN_EVENTS && def->events);
}

/* Adds the columns of every event. They come first, so that fields yield to their names. */
static bool add_commons(struct table_schema *s, const struct table_schema_def *def)
{
	for (size_t i = 0; i < COMMON_COUNT; i++) {
		struct table_column *c, column = commons[i].column;

		if (!common_is_there(&commons[i], def))
			continue;
		c = add_named(s, commons[i].name, false);
		if (!c)
			return false;
		column.name = c->name;
		column.tries = c->tries;
		column.wall = column.type == TABLE_TIME && def->wall;
		*c = column;
	}
	s->common_count = s->count;
	return true;
}

/* Numbers the sources in the order of add_commons(). */
static void set_common_sources(const struct table_schema_def *def, struct table_source *sources)
{
	uint32_t n = 0;

	for (size_t i = 0; i < COMMON_COUNT; i++)
		if (common_is_there(&commons[i], def)) {
			sources[n] = (struct table_source){
				.decode = commons[i].decode, .bit = commons[i].bit, .column = n};
			n++;
		}
}

/* ---- fields ---- */

/* Makes an integer column hold those of another as well; false: no integer does. */
static bool widen(struct table_column *c, const struct table_column *other)
{
	struct table_column w = *c;

	w.is_signed = c->is_signed || other->is_signed;
	for (w.len = c->len; w.len <= 8; w.len = (uint8_t)(w.len * 2)) {
		if (!table_int_holds(&w, c->len, c->is_signed) ||
		    !table_int_holds(&w, other->len, other->is_signed))
			continue;
		*c = w;
		return true;
	}
	return false;
}

/* A column means the same only if it has the same field name, or the same part. */
static bool is_same(const struct table_column *c, const struct table_column *want)
{
	if (c->part || want->part)
		return c->part == want->part;
	return c->field && !strcmp(c->field->name, want->field->name);
}

/*
 * Finds the column that another variant made of a field of that name, if the kinds fit. Only the
 * first prior columns are searched: those behind them are of this variant.
 */
static struct table_column *find_column(struct table_schema *s, const struct table_column *want,
					const char *suffix, uint32_t variant, size_t prior)
{
	for (size_t i = s->common_count; i < prior; i++) {
		struct table_column *c = &s->columns[i];
		size_t n = strlen(c->name), k = strlen(suffix);
		/*
		 * Columns NAME_name and NAME_sym belong to the field, too: the suffix keeps them
		 * apart.
		 */
		const bool derived = k && n >= k && !strcmp(c->name + n - k, suffix);

		if (c->used_by == variant || c->type != want->type || (k && !derived) ||
		    !is_same(c, want))
			continue;
		if ((c->type != TABLE_INT && c->type != TABLE_LIST) || widen(c, want))
			return c;
	}
	return NULL;
}

/* State while the columns of one variant are added. */
struct adding {
	struct table_schema *s;
	struct table_source *sources;
	size_t count, cap;
	size_t prior;	  /* columns that earlier variants have */
	uint32_t variant; /* its number, from 1 */
};

/* Adds where the variant's values of a column come from. */
static bool add_source(struct adding *a, size_t column, struct table_source source)
{
	if (!TDAT_GROW(a->sources, &a->cap, a->count + 1))
		return false;
	source.column = (uint32_t)column;
	a->sources[a->count++] = source;
	return true;
}

/* Joins a column of an earlier variant, widening it, or adds a new one. */
static bool add_column(struct adding *a, struct table_column want, const char *suffix,
		       struct table_source source)
{
	struct table_schema *s = a->s;
	struct table_column *c = find_column(s, &want, suffix, a->variant, a->prior);

	if (!c) {
		struct tdat_build name;

		tdat_build_init(&name, false);
		tdat_build_str(&name, want.part ? want.part->column : want.field->name);
		tdat_build_cstr(&name, suffix);
		c = name.failed ? NULL : add_named(s, (char *)name.ptr, true);
		tdat_build_fini(&name);
		if (!c)
			return false;
		want.name = c->name;
		*c = want;
	}
	c->used_by = a->variant;
	return add_source(a, (size_t)(c - s->columns), source);
}

/* table_variant_source() searches the sources by column. */
static int by_column(const void *a, const void *b)
{
	const struct table_source *x = a, *y = b;

	return (x->column > y->column) - (x->column < y->column);
}

static const struct model_view *view_of(const struct table_variant *v, const struct tdat_field *f,
					enum model_view_kind kind)
{
	return v->views ? model_views_find(v->views, f, kind) : NULL;
}

/* Adds the column of a field, and columns of the names and functions that it means. */
static bool add_field(struct adding *a, const struct table_variant *v,
		      const struct table_masks *masks, const struct tdat_field *f)
{
	struct table_column c = {.field = f};
	struct table_source src = table_field_source(f, masks, &c);
	const struct model_view *text = view_of(v, f, MODEL_VIEW_TEXT);
	const struct model_view *name = view_of(v, f, MODEL_VIEW_NAME);
	bool ok;

	/* Text of print fmt says more than the bytes, such as an address of a network. */
	if (text && src.decode != TABLE_D_STRING) {
		c.type = TABLE_TEXT;
		src = (struct table_source){.decode = TABLE_D_VIEW_TEXT, .field = f, .view = text};
	}
	ok = add_column(a, c, "", src);
	if (ok && src.decode == TABLE_D_NUMBER && name)
		ok = add_column(a, (struct table_column){.type = TABLE_NAME, .field = f}, "_name",
				(struct table_source){
					.decode = TABLE_D_VIEW_NAME, .field = f, .view = name});
	if (ok && table_field_is_address(f, &src, view_of(v, f, MODEL_VIEW_ADDRESS))) {
		const bool list = src.decode == TABLE_D_ARRAY;

		c = (struct table_column){.type = list ? TABLE_LIST_NAME : TABLE_NAME, .field = f};
		src.decode = list ? TABLE_D_SYMBOLS : TABLE_D_SYMBOL;
		ok = add_column(a, c, "_sym", src);
	}
	return ok;
}

/* Adds the column of a part that a shape finds in records. */
static bool add_part(struct adding *a, const struct record_part *part)
{
	const struct table_column c = {.type = part->type == RECORD_PART_BYTES	? TABLE_BYTES
					       : part->type == RECORD_PART_INT	? TABLE_INT
					       : part->type == RECORD_PART_BOOL ? TABLE_BOOL
										: TABLE_TEXT,
				       .len = part->len,
				       .is_signed = part->is_signed,
				       .part = part};

	return add_column(a, c, "", (struct table_source){.decode = TABLE_D_PART, .part = part});
}

/*
 * Adds the columns of fields, then those of parts. A part that has a field's name takes its place.
 */
static bool add_values(struct adding *a, const struct table_variant *v,
		       const struct table_masks *masks, const struct table_schema_def *def)
{
	const struct tdat_field *fields;
	size_t n, count;
	const struct record_part *parts = record_parts(v->format, &count);
	bool ok = true;

	fields = tdat_event_format_fields(v->format, &n);
	for (size_t i = 0; ok && i < n; i++) {
		bool taken = fields[i].flags & TDAT_FIELD_COMMON;

		for (size_t k = 0; k < count && !taken; k++)
			taken = !strcmp(parts[k].column, fields[i].name);
		ok = taken || add_field(a, v, masks, &fields[i]);
	}
	for (size_t k = 0; ok && k < count; k++)
		ok = add_part(a, &parts[k]);
	for (size_t k = 0; ok && k < def->part_count; k++)
		ok = add_part(a, &def->parts[k]);
	return ok;
}

/* The sources of columns that all events have. */
static bool add_common_sources(struct adding *a, const struct table_schema_def *def)
{
	a->sources = tdat_grown(NULL, &a->cap, a->s->common_count + 1, sizeof(*a->sources));
	if (!a->sources)
		return false;
	set_common_sources(def, a->sources);
	a->count = a->s->common_count;
	return true;
}

/* Adds all columns of a variant. Sources come in order of fields, so they are sorted at last. */
static bool add_fields(struct table_schema *s, struct table_variant *v,
		       const struct table_schema_def *def)
{
	struct adding a = {.s = s, .prior = s->count, .variant = (uint32_t)s->variant_count};
	struct table_masks masks;
	const bool ok = table_masks_init(&masks, v->format) && add_common_sources(&a, def) &&
			add_values(&a, v, &masks, def);

	table_masks_fini(&masks);
	if (ok)
		qsort(a.sources, a.count, sizeof(*a.sources), by_column);
	v->sources = a.sources;
	v->source_count = a.count;
	return ok;
}

static enum tdat_status add_variant(struct table_schema *s, const struct table_format *f,
				    const struct table_schema_def *def, struct tdat_error *err)
{
	struct table_variant *v = &s->variants[s->variant_count++];
	enum tdat_status st;

	v->input = f->input;
	v->id = tdat_event_format_id(f->format);
	v->format = f->format;
	v->big = f->format->big;
	st = model_views_new(&v->views, f->format, f->env, err);
	if (st == TDAT_OK && !add_fields(s, v, def))
		st = tdat_error_no_memory(err, "the columns of a table");
	return st;
}

/* A part named "text" replaces the line that dump prints. */
static bool any_has_text(const struct table_format *formats, size_t count)
{
	const struct record_part *parts;
	bool has = false;
	size_t n;

	for (size_t i = 0; i < count && !has; i++) {
		parts = record_parts(formats[i].format, &n);
		for (size_t k = 0; k < n; k++)
			has |= !strcmp(parts[k].column, "text");
	}
	return has;
}

/*
 * Makes the columns of all variants. Without formats (the tables events and lost) one variant has
 * the common sources alone.
 */
enum tdat_status table_schema_init(struct table_schema *s, const struct table_schema_def *of,
				   const struct table_format *formats, size_t count,
				   struct tdat_error *err)
{
	struct table_schema_def own = *of;
	const struct table_schema_def *def = &own;
	struct adding none = {.s = s};
	enum tdat_status st = TDAT_OK;

	memset(s, 0, sizeof(*s));
	own.own_text = any_has_text(formats, count);
	s->variants = calloc(count + 1, sizeof(*s->variants));
	if (!s->variants || !add_commons(s, def))
		st = tdat_error_no_memory(err, "the columns of a table");
	for (size_t i = 0; i < count && st == TDAT_OK; i++)
		st = add_variant(s, &formats[i], def, err);
	if (st == TDAT_OK && !count) {
		s->variant_count = 1;
		if (!add_common_sources(&none, def))
			st = tdat_error_no_memory(err, "the columns of a table");
		s->variants[0].sources = none.sources;
		s->variants[0].source_count = none.count;
	}
	return st;
}

void table_schema_fini(struct table_schema *s)
{
	for (size_t i = 0; i < s->variant_count; i++) {
		model_views_free(s->variants[i].views);
		free(s->variants[i].sources);
	}
	free(s->variants);
	free(s->columns);
	tdat_map_fini(&s->names);
	tdat_arena_fini(&s->arena);
	memset(s, 0, sizeof(*s));
}
