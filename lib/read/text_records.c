/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the event types of which texts are made records, with the programs that print them.
 * A type is compiled when its first text comes. Addresses of functions are sought by name in the
 * file's kallsyms, which are read when the first is sought.
 */
#include <tdat/text_record.h>

#include <stdlib.h>
#include <string.h>

#include "core/map.h"
#include "core/text.h"
#include "file/file.h"
#include "model/print.h"
#include "names.h"

struct type {
	const struct tdat_event_format *format;
	struct tdat_event_format *own; /* NULL: it is the file's */
	char *text;		       /* of own */
	struct model_print *print;
	bool tried;  /* to compile it */
	bool *shown; /* by field */
};

struct function {
	struct tdat_span name; /* in kallsyms */
	uint64_t addr;
	bool several; /* addresses have that name */
};

struct tdat_text_types {
	struct model_env env;
	struct model_scratch *scratch;
	struct type *types;
	size_t cap;
	struct tdat_map map;	   /* of types, by name */
	struct tdat_span kallsyms; /* until they are read */
	struct function *functions;
	size_t function_cap;
	struct tdat_map function_map;
	struct tdat_build record;
	bool no_memory; /* was lacked at some time */
};

static struct tdat_span task_name(const void *ctx, int32_t pid)
{
	return read_name(ctx, pid);
}

static enum tdat_status add_type(struct tdat_text_types *t, struct type type,
				 struct tdat_error *err)
{
	const char *name = type.format->name;

	if (!TDAT_MAP_GROW(&t->map, t->types, &t->cap))
		return tdat_error_no_memory(err, "event types");
	t->types[tdat_map_add(&t->map, tdat_hash_bytes(t->map.seed, name, strlen(name)))] = type;
	return TDAT_OK;
}

static enum tdat_status add_file(struct tdat_text_types *t, const struct tdat_file *file,
				 struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	t->env.big = file->ix.big;
	t->env.long_size = file->ix.long_size;
	t->env.kernel_long_size = file->ix.kernel_long_size;
	t->env.kernel_version = file_kernel_version(file);
	t->kallsyms = tdat_file_part(file, TDAT_PART_KALLSYMS);
	t->env.symbols = file_symbols(file);
	t->env.printk = file_printk(file);
	t->env.name = task_name;
	t->env.ctx = file_mutable(file);
	t->env.limits = &file->ix.limits;
	if (!t->env.symbols || !t->env.printk)
		return tdat_error_no_memory(err, "tables of names");
	for (size_t i = 0; i < tdat_file_format_count(file) && st == TDAT_OK; i++) {
		const struct tdat_event_format *format;

		/* What the reader of the file says of a broken format is no matter here. */
		if (tdat_file_format(file, i, &format, NULL) == TDAT_OK)
			st = add_type(t, (struct type){.format = format}, err);
	}
	return st;
}

enum tdat_status tdat_text_types_new(struct tdat_text_types **out, const struct tdat_file *file,
				     struct tdat_error *err)
{
	struct tdat_text_types *t = calloc(1, sizeof(*t));
	enum tdat_status st;

	*out = NULL;
	if (!t)
		return tdat_error_no_memory(err, "event types");
	t->env = (struct model_env){.long_size = 8, .kernel_long_size = 8, .kernel = true};
	st = model_scratch_new(&t->scratch, err);
	if (st == TDAT_OK && file)
		st = add_file(t, file, err);
	tdat_build_init(&t->record, t->env.big);
	if (st != TDAT_OK) {
		tdat_text_types_free(t);
		return st;
	}
	*out = t;
	return TDAT_OK;
}

void tdat_text_types_free(struct tdat_text_types *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->map.count; i++) {
		model_print_free(t->types[i].print);
		model_format_free(t->types[i].own);
		free(t->types[i].text);
		free(t->types[i].shown);
	}
	free(t->types);
	free(t->functions);
	tdat_map_fini(&t->map);
	tdat_map_fini(&t->function_map);
	tdat_build_fini(&t->record);
	model_scratch_free(t->scratch);
	free(t);
}

enum tdat_status tdat_text_types_add(struct tdat_text_types *t, const char *system,
				     const char *text, size_t len, struct tdat_error *err)
{
	struct type type = {.text = malloc(len + 1)};
	struct tdat_span span = {(const uint8_t *)type.text, len};
	enum tdat_status st;

	if (!type.text)
		return tdat_error_no_memory(err, "event types");
	memcpy(type.text, text, len);
	st = model_format_parse(&type.own, system, span, 0, t->env.big, t->env.long_size, err);
	type.format = type.own;
	if (st == TDAT_OK)
		st = add_type(t, type, err);
	if (st != TDAT_OK) {
		model_format_free(type.own);
		free(type.text);
	}
	return st;
}

size_t tdat_text_types_find(const struct tdat_text_types *t, const char *name, size_t len,
			    size_t after)
{
	const uint64_t hash = tdat_hash_bytes(t->map.seed, name, len);
	uint32_t i;

	TDAT_MAP_FIND(i, &t->map, hash,
		      (after == SIZE_MAX || i > after) && strlen(t->types[i].format->name) == len &&
			      !memcmp(t->types[i].format->name, name, len));
	return i == TDAT_MAP_NONE ? SIZE_MAX : i;
}

const struct tdat_event_format *tdat_text_types_format(const struct tdat_text_types *t,
						       size_t index)
{
	return index < t->map.count ? t->types[index].format : NULL;
}

struct tdat_span tdat_text_types_text(const struct tdat_text_types *t, size_t index)
{
	return index < t->map.count ? t->types[index].format->text : (struct tdat_span){NULL, 0};
}

bool tdat_text_types_shows(const struct tdat_text_types *t, size_t index, const char *field)
{
	return index < t->map.count && model_format_shows(t->types[index].format, field);
}

/* "+0x10/0x20": the first number. */
static uint64_t offset_of(const uint8_t *p, const uint8_t *end)
{
	uint64_t v = 0;

	for (p += end - p > 3 ? 3 : end - p; p < end && *p != '/'; p++)
		v = v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	return v;
}

static uint32_t find_function(const struct tdat_text_types *t, struct tdat_span name)
{
	const uint64_t hash = tdat_hash_bytes(t->function_map.seed, name.ptr, name.len);
	uint32_t i;

	TDAT_MAP_FIND(i, &t->function_map, hash, tdat_span_same(t->functions[i].name, name));
	return i;
}

/* Takes a line "ffffffff81000000 t name [module]". False: no memory. */
static bool add_function(struct tdat_text_types *t, struct tdat_span line)
{
	struct function f = {.name = {NULL, 0}};
	uint32_t i;

	tdat_take_digits(&line, 16, &f.addr);
	if (line.len < 4 || *line.ptr != ' ')
		return true;
	f.name = tdat_word(tdat_span_from(line, 3), 0);
	i = find_function(t, f.name);
	if (i != TDAT_MAP_NONE) {
		t->functions[i].several |= t->functions[i].addr != f.addr;
		return true;
	}
	if (!TDAT_MAP_GROW(&t->function_map, t->functions, &t->function_cap))
		return false;
	i = tdat_map_add(&t->function_map,
			 tdat_hash_bytes(t->function_map.seed, f.name.ptr, f.name.len));
	t->functions[i] = f;
	return true;
}

/* Reads kallsyms, when the first function is sought. */
static void add_functions(struct tdat_text_types *t)
{
	struct tdat_span text = t->kallsyms, line;

	while (!t->no_memory && tdat_take_line(&text, &line))
		t->no_memory = !add_function(t, line);
	t->kallsyms.len = 0;
}

/* The address of "name" or "name+0x10/0x20", if one function alone has that name. */
static bool address(void *ctx, struct tdat_span text, uint64_t *addr)
{
	struct tdat_text_types *t = ctx;
	const uint8_t *plus = text.len ? memchr(text.ptr, '+', text.len) : NULL;
	const size_t len = plus ? (size_t)(plus - text.ptr) : text.len;
	uint32_t i;

	if (t->kallsyms.len)
		add_functions(t);
	i = find_function(t, (struct tdat_span){text.ptr, len});
	if (i == TDAT_MAP_NONE || t->functions[i].several)
		return false;
	*addr = t->functions[i].addr + (plus ? offset_of(plus, text.ptr + text.len) : 0);
	return true;
}

/* Compiles a type; without a program, it has no print. */
static void compile(struct tdat_text_types *t, struct type *type)
{
	const struct tdat_event_format *f = type->format;
	enum tdat_status st = TDAT_E_NOMEM;

	type->tried = true;
	type->shown = calloc(f->field_count + 1, sizeof(*type->shown));
	if (type->shown)
		st = model_print_new(&type->print, f, &t->env, MODEL_PRINT_NO_PLUGINS, NULL);
	if (st != TDAT_OK)
		type->print = NULL;
	t->no_memory |= st == TDAT_E_NOMEM;
	for (size_t i = 0; type->shown && i < f->field_count; i++)
		type->shown[i] = model_format_shows(f, f->fields[i].name);
}

enum tdat_status tdat_text_types_record(struct tdat_text_types *t, size_t index,
					struct tdat_span text, struct tdat_span *record,
					struct tdat_error *err)
{
	struct type *type = index < t->map.count ? &t->types[index] : NULL;
	struct model_invert_env env = {.address = address, .ctx = t};
	bool found;

	if (type && !type->tried)
		compile(t, type);
	if (type)
		env.shown = type->shown;
	found = type && type->print &&
		model_print_invert(type->print, &env, text, t->scratch, &t->record);
	if (t->no_memory || t->record.failed || model_scratch_failed(t->scratch))
		return tdat_error_no_memory(err, "a record of a text");
	if (!found)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "no record is printed as this text");
	*record = (struct tdat_span){t->record.ptr, t->record.len};
	return TDAT_OK;
}
