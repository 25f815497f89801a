/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what an importer emits, and fails the test where it breaks the contract of tdat_emit. */
#include "collect.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/asserts.h"
#include "core/endian.h"

static void *grow(void *array, size_t count, size_t size)
{
	/* Room grows by powers of two, so that counting events stays cheap. */
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? count * 2 : 1) * size);
	EXPECT(array, "no memory");
	return array;
}

static char *dup_len(const void *p, size_t len)
{
	char *s = malloc(len + 1);

	EXPECT(s, "no memory");
	if (len)
		memcpy(s, p, len);
	s[len] = '\0';
	return s;
}

static char *dup_or_null(const char *s)
{
	return s ? dup_len(s, strlen(s)) : NULL;
}

static enum tdat_status on_info(void *ctx, const struct tdat_emit_info *info,
				struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(!c->got_info, "info was called twice");
	c->got_info = true;
	c->info = *info;
	c->clock = dup_or_null(info->clock);
	c->uname = dup_or_null(info->uname);
	c->version = dup_or_null(info->version);
	return TDAT_OK;
}

static enum tdat_status on_buffer(void *ctx, const char *name, const char *clock, uint32_t *number,
				  struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(c->got_info, "a call before info, twice, or of a wrong size");
	c->buffers = grow(c->buffers, c->buffer_count, sizeof(*c->buffers));
	c->buffer_clocks = grow(c->buffer_clocks, c->buffer_count, sizeof(*c->buffer_clocks));
	c->buffers[c->buffer_count] = dup_or_null(name);
	c->buffer_clocks[c->buffer_count] = dup_or_null(clock);
	*number = (uint32_t)++c->buffer_count;
	return TDAT_OK;
}

/* "	field:unsigned long call_site;	offset:8;	size:8;	signed:0;" */
static void parse_field(struct collect_format *f, const char *line, size_t len)
{
	char *copy = dup_len(line, len), *decl = copy + strlen("field:");
	char *end = strchr(decl, ';'), *name, *bracket;
	struct collect_field field = {0};
	int is_signed = 0;

	EXPECT(end, "no end of declaration: %s", copy);
	EXPECT(sscanf(end, ";\toffset:%" SCNu32 ";\tsize:%" SCNu32 ";\tsigned:%d;", &field.off,
		      &field.size, &is_signed) == 3,
	       "bad field line: %s", copy);
	*end = '\0';
	field.is_signed = is_signed;
	field.dynamic = !strncmp(decl, "__data_loc ", 11);
	name = strrchr(decl, ' ');
	EXPECT(name, "no memory");
	bracket = strchr(name, '[');
	field.array = bracket && !field.dynamic;
	field.type = dup_len(decl, (size_t)(name - decl));
	field.name = dup_len(name + 1, bracket ? (size_t)(bracket - name - 1) : strlen(name + 1));
	f->fields = grow(f->fields, f->field_count, sizeof(*f->fields));
	f->fields[f->field_count++] = field;
	if (field.off + field.size > f->fixed_len)
		f->fixed_len = field.off + field.size;
	free(copy);
}

static struct collect_format *parse_format(const char *system, const char *text, size_t len)
{
	struct collect_format *f = calloc(1, sizeof(*f));
	const char *line;

	EXPECT(f, "no memory");
	f->system = dup_or_null(system);
	f->text = dup_len(text, len);
	EXPECT(!strncmp(f->text, "name: ", 6), "format starts with %.20s", f->text);
	f->name = dup_len(f->text + 6, strcspn(f->text + 6, "\n"));
	EXPECT(strstr(f->text, "\nID: "), "no ID in the format of %s", f->name);
	EXPECT(strstr(f->text, "\nprint fmt: \""), "no print fmt in %s", f->name);
	for (line = strstr(f->text, "\tfield:"); line; line = strstr(line + 1, "\tfield:"))
		parse_field(f, line + 1, strcspn(line + 1, "\n"));
	EXPECT(f->field_count >= 4 && !strcmp(f->fields[0].name, "common_type") &&
		       !strcmp(f->fields[3].name, "common_pid"),
	       "%s lacks the common fields", f->name);
	return f;
}

static enum tdat_status on_format(void *ctx, const char *system, const char *text, size_t len,
				  uint16_t *id, struct tdat_error *err)
{
	struct collect *c = ctx;
	struct collect_format *f = parse_format(system, text, len);
	unsigned long given = strtoul(strstr(f->text, "\nID: ") + 5, NULL, 10);

	(void)err;
	EXPECT(c->got_info, "a call before info, twice, or of a wrong size");
	EXPECT(!collect_format_named(c, system, f->name), "%s:%s came twice", system, f->name);
	f->id = given ? (uint16_t)given : (uint16_t)(1000 + c->format_count);
	*id = f->id;
	c->formats = grow(c->formats, c->format_count, sizeof(struct collect_format *));
	c->formats[c->format_count++] = f;
	return TDAT_OK;
}

static void add_pair(struct collect_pair **pairs, size_t *count, const char *key, const char *value)
{
	*pairs = grow(*pairs, *count, sizeof(**pairs));
	(*pairs)[*count] = (struct collect_pair){dup_or_null(key), dup_or_null(value)};
	++*count;
}

static enum tdat_status on_comm(void *ctx, int32_t pid, const char *comm, struct tdat_error *err)
{
	struct collect *c = ctx;
	char key[16];

	(void)err;
	EXPECT(c->got_info, "a call before info, twice, or of a wrong size");
	snprintf(key, sizeof(key), "%" PRId32, pid);
	add_pair(&c->comms, &c->comm_count, key, comm);
	return TDAT_OK;
}

static enum tdat_status on_kallsyms(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(c->got_info && !c->kallsyms, "a call before info, twice, or of a wrong size");
	c->kallsyms = dup_len(text, len);
	return TDAT_OK;
}

static enum tdat_status on_printk(void *ctx, const char *text, size_t len, struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(c->got_info && !c->printk, "a call before info, twice, or of a wrong size");
	c->printk = dup_len(text, len);
	return TDAT_OK;
}

static enum tdat_status on_option(void *ctx, uint16_t id, const void *data, size_t len,
				  struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(c->got_info, "a call before info, twice, or of a wrong size");
	c->options = grow(c->options, c->option_count, sizeof(*c->options));
	c->options[c->option_count++] =
		(struct collect_option){id, (uint8_t *)dup_len(data, len), len};
	return TDAT_OK;
}

static struct collect_format *format_by_id(const struct collect *c, uint16_t id)
{
	for (size_t i = 0; i < c->format_count; i++)
		if (c->formats[i]->id == id)
			return c->formats[i];
	ck_abort_msg("an event has common_type %u, which no format has", id);
	return NULL;
}

static void check_event(const struct collect *c, const struct collect_event *e)
{
	EXPECT(e->len >= e->format->fixed_len, "%s has %zu bytes, its fields need %u",
	       e->format->name, e->len, e->format->fixed_len);
	for (size_t i = 0; i < e->format->field_count; i++) {
		const struct collect_field *f = &e->format->fields[i];
		uint32_t loc;

		if (!f->dynamic)
			continue;
		loc = tdat_load32(e->data + f->off, c->info.big_endian);
		EXPECT((loc & 0xffff) + (loc >> 16) <= e->len, "%s.%s points to %u+%u of %zu bytes",
		       e->format->name, f->name, loc & 0xffff, loc >> 16, e->len);
		EXPECT(!(loc >> 16) || (loc & 0xffff) >= e->format->fixed_len,
		       "%s.%s points into the fields", e->format->name, f->name);
	}
}

static enum tdat_status on_event(void *ctx, const struct tdat_emit_event *event,
				 struct tdat_error *err)
{
	struct collect *c = ctx;
	struct collect_event e = {.owner = c,
				  .buffer = event->buffer,
				  .cpu = event->cpu,
				  .ts = event->ts,
				  .lost_before = event->lost_before,
				  .data = (uint8_t *)event->record.ptr,
				  .len = event->record.len};

	(void)err;
	EXPECT(c->got_info, "an event before info");
	EXPECT(e.len >= 8, "an event of %zu bytes", e.len);
	EXPECT(e.buffer <= c->buffer_count, "an event for buffer %u", e.buffer);
	EXPECT(!c->info.cpu_count || e.cpu < c->info.cpu_count, "an event on CPU %u of %u", e.cpu,
	       c->info.cpu_count);
	e.format = format_by_id(c, tdat_load16(event->record.ptr, c->info.big_endian));
	check_event(c, &e);
	if (e.buffer < 64) {
		EXPECT(e.ts >= c->last_ts[e.buffer], "time %" PRIu64 " after %" PRIu64, e.ts,
		       c->last_ts[e.buffer]);
		c->last_ts[e.buffer] = e.ts;
	}
	c->events_seen++;
	if (c->count_only)
		return TDAT_OK;
	e.data = (uint8_t *)dup_len(e.data, e.len);
	c->events = grow(c->events, c->event_count, sizeof(*c->events));
	c->events[c->event_count++] = e;
	return TDAT_OK;
}

static enum tdat_status on_pages(void *ctx, uint32_t buffer, uint32_t cpu, const void *data,
				 size_t len, struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(c->got_info, "a call before info, twice, or of a wrong size");
	EXPECT(c->info.page_size ? len % c->info.page_size == 0 : len % 4096 == 0,
	       "a call before info, twice, or of a wrong size");
	if (c->count_only) {
		c->page_count++;
		return TDAT_OK;
	}
	c->pages = grow(c->pages, c->page_count, sizeof(*c->pages));
	c->pages[c->page_count++] =
		(struct collect_pages){buffer, cpu, (uint8_t *)dup_len(data, len), len};
	return TDAT_OK;
}

static enum tdat_status on_warn(void *ctx, const char *input, uint64_t off, const char *sentence,
				struct tdat_error *err)
{
	struct collect *c = ctx;
	char line[1024];

	snprintf(line, sizeof(line), "%s%s%s", input ? input : "", input ? ": " : "", sentence);
	c->warnings = grow(c->warnings, c->warning_count, sizeof(*c->warnings));
	c->warning_offs = grow(c->warning_offs, c->warning_count, sizeof(*c->warning_offs));
	c->warning_offs[c->warning_count] = off;
	c->warnings[c->warning_count++] = dup_or_null(line);
	if (c->strict)
		return tdat_error_set(err, TDAT_E_DAMAGED, off, "%s", line);
	return TDAT_OK;
}

static enum tdat_status on_fact(void *ctx, const char *key, const char *value,
				struct tdat_error *err)
{
	struct collect *c = ctx;

	(void)err;
	EXPECT(c->got_info, "a call before info, twice, or of a wrong size");
	add_pair(&c->facts, &c->fact_count, key, value);
	return TDAT_OK;
}

static const struct tdat_emit_ops ops = {
	.size = sizeof(struct tdat_emit_ops),
	.info = on_info,
	.buffer = on_buffer,
	.format = on_format,
	.comm = on_comm,
	.kallsyms = on_kallsyms,
	.printk = on_printk,
	.option = on_option,
	.event = on_event,
	.pages = on_pages,
	.warn = on_warn,
	.fact = on_fact,
};

void collect_init(struct collect *c)
{
	memset(c, 0, sizeof(*c));
	c->emit.ops = &ops;
	c->emit.ctx = c;
}

static void free_format(struct collect_format *f)
{
	for (size_t i = 0; i < f->field_count; i++) {
		free(f->fields[i].name);
		free(f->fields[i].type);
	}
	free(f->fields);
	free(f->system);
	free(f->name);
	free(f->text);
	free(f);
}

static void free_pairs(struct collect_pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(pairs[i].key);
		free(pairs[i].value);
	}
	free(pairs);
}

void collect_fini(struct collect *c)
{
	for (size_t i = 0; i < c->format_count; i++)
		free_format(c->formats[i]);
	for (size_t i = 0; i < c->event_count; i++)
		free(c->events[i].data);
	for (size_t i = 0; i < c->buffer_count; i++) {
		free(c->buffers[i]);
		free(c->buffer_clocks[i]);
	}
	for (size_t i = 0; i < c->warning_count; i++)
		free(c->warnings[i]);
	for (size_t i = 0; i < c->option_count; i++)
		free(c->options[i].data);
	for (size_t i = 0; c->pages && i < c->page_count; i++)
		free(c->pages[i].data);
	free_pairs(c->comms, c->comm_count);
	free_pairs(c->facts, c->fact_count);
	free(c->formats);
	free(c->events);
	free(c->buffers);
	free(c->buffer_clocks);
	free(c->warnings);
	free(c->warning_offs);
	free(c->options);
	free(c->pages);
	free(c->kallsyms);
	free(c->printk);
	free(c->clock);
	free(c->uname);
	free(c->version);
}

const char *collect_fact(const struct collect *c, const char *key)
{
	for (size_t i = 0; i < c->fact_count; i++)
		if (!strcmp(c->facts[i].key, key))
			return c->facts[i].value;
	return NULL;
}

const struct collect_format *collect_format_named(const struct collect *c, const char *system,
						  const char *name)
{
	for (size_t i = 0; i < c->format_count; i++)
		if (!strcmp(c->formats[i]->system, system) && !strcmp(c->formats[i]->name, name))
			return c->formats[i];
	return NULL;
}

static const struct collect_field *find_field(const struct collect_event *e, const char *name)
{
	for (size_t i = 0; i < e->format->field_count; i++)
		if (!strcmp(e->format->fields[i].name, name))
			return &e->format->fields[i];
	return NULL;
}

bool collect_has(const struct collect_event *e, const char *name)
{
	return find_field(e, name) != NULL;
}

const struct collect_field *collect_field(const struct collect_event *e, const char *name)
{
	const struct collect_field *f = find_field(e, name);

	EXPECT(f, "%s has no field %s", e->format->name, name);
	return f;
}

uint64_t collect_uint(const struct collect_event *e, const char *name)
{
	const struct collect_field *f = collect_field(e, name);

	return tdat_load_uint(e->data + f->off, f->size, e->owner->info.big_endian);
}

int64_t collect_int(const struct collect_event *e, const char *name)
{
	const struct collect_field *f = collect_field(e, name);
	uint64_t v = collect_uint(e, name);
	unsigned int shift = 64 - 8 * f->size;

	return f->is_signed ? (int64_t)(v << shift) >> shift : (int64_t)v;
}

struct tdat_span collect_bytes(const struct collect_event *e, const char *name)
{
	const struct collect_field *f = collect_field(e, name);
	uint32_t loc;

	if (!f->dynamic)
		return (struct tdat_span){e->data + f->off, f->size};
	loc = tdat_load32(e->data + f->off, e->owner->info.big_endian);
	return (struct tdat_span){e->data + (loc & 0xffff), loc >> 16};
}

char *collect_string(const struct collect_event *e, const char *name, char *buf, size_t cap)
{
	struct tdat_span s = collect_bytes(e, name);

	snprintf(buf, cap, "%.*s", (int)s.len, (const char *)s.ptr);
	return buf;
}

static void print_array(FILE *out, const struct collect_event *e, const struct collect_field *f)
{
	struct tdat_span s = collect_bytes(e, f->name);
	bool text = strstr(f->type, "char") && !strstr(f->type, "unsigned");

	if (text) {
		fputc('"', out);
		for (size_t i = 0; i < s.len && s.ptr[i]; i++)
			if (isprint(s.ptr[i]) && s.ptr[i] != '"' && s.ptr[i] != '\\')
				fputc(s.ptr[i], out);
			else
				fprintf(out, "\\x%02x", s.ptr[i]);
		fputc('"', out);
		return;
	}
	for (size_t i = 0; i < s.len; i++)
		fprintf(out, "%02x", s.ptr[i]);
}

void collect_print_event(FILE *out, const struct collect_event *e)
{
	fprintf(out, "[%03u] %" PRIu64 " %s:%s:", e->cpu, e->ts, e->format->system,
		e->format->name);
	for (size_t i = 0; i < e->format->field_count; i++) {
		const struct collect_field *f = &e->format->fields[i];

		if (!strncmp(f->name, "common_", 7))
			continue;
		fprintf(out, " %s=", f->name);
		if (f->dynamic || f->array)
			print_array(out, e, f);
		else if (f->is_signed)
			fprintf(out, "%" PRId64, collect_int(e, f->name));
		else
			fprintf(out, "0x%" PRIx64, collect_uint(e, f->name));
	}
	fputc('\n', out);
}
