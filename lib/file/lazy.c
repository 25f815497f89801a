/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes, on first use, the parsed formats and tables of names of an opened file. Most commands
 * need few of a file's formats. Each is parsed when it is first asked for, under the file's
 * lock, and stays until the file is closed; so are kallsyms, printk formats and command lines.
 * A format that cannot be parsed is an error each time, and ids without a sound format are
 * counted for tdat_file_undescribed().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/text.h"
#include "file.h"
#include "model/graph_exits.h"

size_t tdat_file_format_count(const struct tdat_file *file)
{
	return file->ix.format_count;
}

struct tdat_span tdat_file_format_text(const struct tdat_file *file, size_t index,
				       const char **system)
{
	if (index >= file->ix.format_count)
		return (struct tdat_span){NULL, 0};
	if (system)
		*system = file->ix.formats[index].system;
	return file->ix.formats[index].text;
}

/* Counts failures to allocate, so that callers can tell missing names from missing memory. */
uint64_t tdat_file_memory_failures(const struct tdat_file *file)
{
	const struct model_symbols *s = atomic_load(&file_mutable(file)->symbols);

	return atomic_load(&file_mutable(file)->memory_failures) + (s && model_symbols_failed(s));
}

/* before: the count at the start of the caller's work. */
enum tdat_status file_memory(const struct tdat_file *file, uint64_t before, struct tdat_error *err)
{
	if (tdat_file_memory_failures(file) == before)
		return TDAT_OK;
	return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
			      "no memory for formats or names of %s", file->info.name);
}

/*
 * Limits the length of a name. Names are printed for each event, so the file alone must not decide
 * how long they are.
 */
static enum tdat_status check_name(const struct tdat_file *f, const struct dat_format_text *t,
				   const char *what, const char *name, struct tdat_error *err)
{
	if (!file_name_long(f, strlen(name)))
		return TDAT_OK;
	return tdat_error_set(
		err, TDAT_E_LIMIT, t->off,
		"the name of %s \"%.40s...\" has %zu bytes, more than limit name_len of %u", what,
		name, strlen(name), file_name_max(f));
}

/* Names are printed with each event, so their lengths are limited before the format is used. */
static enum tdat_status check_format(const struct tdat_file *f, const struct dat_format_text *t,
				     const struct tdat_event_format *format, struct tdat_error *err)
{
	enum tdat_status st = check_name(f, t, "system", format->system, err);
	size_t i;

	if (st == TDAT_OK)
		st = file_check_fields(f, format, t->off, err);
	if (st == TDAT_OK)
		st = check_name(f, t, "event", format->name, err);
	for (i = 0; st == TDAT_OK && i < format->field_count; i++)
		st = check_name(f, t, "field", format->fields[i].name, err);
	return st;
}

/*
 * Parses the format of slot index unless another thread did; called under the lock. Without memory
 * the slot stays unparsed, for a later call.
 */
static void parse_slot(struct tdat_file *f, size_t index)
{
	struct format_slot *slot = &f->slots[index];
	const struct dat_format_text *t = &f->ix.formats[index];
	struct tdat_event_format *format = NULL, *part = NULL;
	struct tdat_error err = TDAT_ERROR_INIT;

	/* Another thread was faster while this one waited for the lock. */
	if (atomic_load(&slot->format) || atomic_load(&slot->broken))
		return;
	if (model_format_parse_part(&format, &part, t->system, t->text, t->off, f->ix.big,
				    f->ix.long_size, &err) == TDAT_OK) {
		if (check_format(f, t, format, &err) == TDAT_OK) {
			atomic_store(&slot->format, format);
			return;
		}
		model_format_free(format);
	}
	/* The error is kept: later calls return the same one. */
	if (err.status != TDAT_E_NOMEM)
		slot->err = malloc(sizeof(err));
	if (!slot->err) {
		model_format_free(part);
		f->memory_failures++;
		return;
	}
	*slot->err = err;
	/* The fields before the fault, for printing; they obey the same limits. */
	if (part && check_format(f, t, part, NULL) != TDAT_OK) {
		model_format_free(part);
		part = NULL;
	}
	slot->part = part;
	atomic_store(&slot->broken, true);
}

/* Lock-free once it is parsed: format and broken are atomic, and are set last. */
enum tdat_status tdat_file_format(const struct tdat_file *file, size_t index,
				  const struct tdat_event_format **out, struct tdat_error *err)
{
	struct tdat_file *f = file_mutable(file);
	struct format_slot *slot;

	*out = NULL;
	if (index >= f->ix.format_count)
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "there is no event format %zu: the file has %zu formats",
				      index, f->ix.format_count);
	slot = &f->slots[index];
	if (!atomic_load(&slot->format) && !atomic_load(&slot->broken)) {
		pthread_mutex_lock(&f->lock);
		parse_slot(f, index);
		pthread_mutex_unlock(&f->lock);
	}
	*out = atomic_load(&slot->format);
	if (*out)
		return TDAT_OK;
	if (!atomic_load(&slot->broken))
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for event format %zu of %s", index, f->info.name);
	if (err)
		*err = *slot->err;
	return slot->err->status;
}

/*
 * Makes the map from event ids to slots; called under the lock. Reads only the head of each
 * format's text.
 */
static uint32_t *make_id_map(struct tdat_file *f)
{
	uint32_t *map = calloc(FILE_ID_COUNT, sizeof(*map));
	size_t i;

	for (i = 0; map && i < f->ix.format_count; i++) {
		struct tdat_span name;
		uint32_t id;

		/* The first format of an id counts. */
		if (model_format_head(f->ix.formats[i].text, &name, &id) && id < FILE_ID_COUNT &&
		    !map[id])
			map[id] = (uint32_t)i + 1;
	}
	return map;
}

/* Returns the slot of the format of an id, plus 1; 0 when there is none. */
static uint32_t slot_of_id(const struct tdat_file *file, uint32_t id)
{
	struct tdat_file *f = file_mutable(file);
	uint32_t *map = atomic_load(&f->id_map);

	if (id >= FILE_ID_COUNT)
		return 0;
	if (!map) {
		pthread_mutex_lock(&f->lock);
		map = atomic_load(&f->id_map);
		if (!map) {
			map = make_id_map(f);
			f->memory_failures += !map;
			atomic_store(&f->id_map, map);
		}
		pthread_mutex_unlock(&f->lock);
	}
	return map ? map[id] : 0;
}

/* True if events of the id are read by this format, not by an earlier one of the same id. */
bool file_format_reads(const struct tdat_file *file, size_t index, uint32_t id)
{
	const uint32_t slot = slot_of_id(file, id);

	return slot && slot - 1 == index;
}

/* Returns the format of an id without counting the id as met. *known: false if memory ran out. */
const struct tdat_event_format *file_format_quiet(const struct tdat_file *file, uint32_t id,
						  bool *known)
{
	const struct tdat_event_format *format = NULL;
	uint32_t slot = slot_of_id(file, id);

	*known = atomic_load(&file->id_map) != NULL;
	if (slot)
		*known = tdat_file_format(file, slot - 1, &format, NULL) != TDAT_E_NOMEM;
	return format;
}

/* A bit for each id, set by any thread, counts those without a sound format. */
const struct tdat_event_format *tdat_file_format_by_id(const struct tdat_file *file, uint32_t id)
{
	bool known;
	const struct tdat_event_format *format = file_format_quiet(file, id, &known);

	if ((!format || format->unread_off) && id < FILE_ID_COUNT)
		atomic_fetch_or(&file_mutable(file)->undescribed[id / 32], 1u << id % 32);
	return format;
}

/* unread_off is where reading stopped; at the end of the text a print fmt is missing. */
enum tdat_status file_format_whole(const struct tdat_file *file, size_t index,
				   struct tdat_error *err)
{
	const struct tdat_event_format *format;
	enum tdat_status st = tdat_file_format(file, index, &format, err);

	if (st != TDAT_OK || !format->unread_off)
		return st;
	if (format->unread_off == format->text.len)
		return tdat_error_set(
			err, TDAT_E_DAMAGED, file->ix.formats[index].off,
			"the format of event %s/%s is truncated: it ends before its print fmt",
			format->system, format->name);
	return tdat_error_set(err, TDAT_E_DAMAGED, file->ix.formats[index].off,
			      "the format of event %s/%s can be read only up to byte %zu of %zu",
			      format->system, format->name, format->unread_off, format->text.len);
}

/* The lowest id gets the sentence, so that it does not depend on threads. */
size_t tdat_file_undescribed(const struct tdat_file *file, struct tdat_error *first)
{
	uint32_t i, id = FILE_ID_COUNT, slot;
	size_t count = 0;

	for (i = 0; i < FILE_ID_COUNT / 32; i++) {
		uint32_t word = atomic_load(&file_mutable(file)->undescribed[i]);

		if (!word)
			continue;
		if (!count)
			id = i * 32 + (uint32_t)__builtin_ctz(word);
		count += (size_t)__builtin_popcount(word);
	}
	if (!count)
		return 0;
	slot = slot_of_id(file, id);
	tdat_error_set(first, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
		       "an event has id %u, which no format describes", id);
	if (slot && file_format_whole(file, slot - 1, first) != TDAT_OK && first)
		tdat_error_prefix(first, "the format of events of id %u", id);
	if (first && count > 1) {
		const size_t used = strlen(first->message);

		snprintf(first->message + used, sizeof(first->message) - used,
			 ", and %zu more event ids have no valid format", count - 1);
	}
	return count;
}

/* A broken format may still have a name and some fields, for printing only. */
const struct tdat_event_format *file_format_part(const struct tdat_file *file, uint32_t id)
{
	const struct tdat_event_format *format;
	uint32_t slot = slot_of_id(file, id);

	if (!slot || tdat_file_format(file, slot - 1, &format, NULL) == TDAT_OK)
		return NULL;
	return atomic_load(&file->slots[slot - 1].broken) ? file->slots[slot - 1].part : NULL;
}

/*
 * Returns the next format of that name from *at on. Heads are compared before a format is parsed,
 * as parsing is expensive.
 */
const struct tdat_event_format *file_format_next(const struct tdat_file *file, const char *system,
						 const char *name, size_t *at)
{
	size_t n = strlen(name);

	while (*at < file->ix.format_count) {
		const size_t i = (*at)++;
		const struct dat_format_text *t = &file->ix.formats[i];
		const struct tdat_event_format *format;
		struct tdat_span head;
		uint32_t id;

		if ((system && strcmp(system, t->system)) ||
		    !model_format_head(t->text, &head, &id) || head.len != n ||
		    memcmp(head.ptr, name, n))
			continue;
		if (tdat_file_format(file, i, &format, NULL) == TDAT_OK)
			return format;
	}
	return NULL;
}

const struct tdat_event_format *tdat_file_format_by_name(const struct tdat_file *file,
							 const char *system, const char *name)
{
	size_t at = 0;

	return file_format_next(file, system, name, &at);
}

/* Finds the common fields in a format. False: one is missing, or longer than a number. */
bool file_common_of_format(const struct tdat_event_format *format, struct file_common *c)
{
	const struct tdat_field *type = tdat_event_format_field(format, "common_type");
	const struct tdat_field *pid = tdat_event_format_field(format, "common_pid");

	if (!type || !pid || type->len > 8 || pid->len > 8)
		return false;
	*c = (struct file_common){type->off, type->len, pid->off, pid->len};
	return true;
}

/* Finds the common fields by the first format that has them: they are the same in all events. */
void file_common_find(const struct tdat_file *file, struct file_common *c)
{
	const struct tdat_event_format *format;
	size_t i;

	*c = FILE_COMMON_USUAL;
	for (i = 0; i < file->ix.format_count; i++)
		if (tdat_file_format(file, i, &format, NULL) == TDAT_OK &&
		    file_common_of_format(format, c))
			return;
}

static enum tdat_status make_symbols(struct model_symbols **out, const struct tdat_file *f)
{
	return model_symbols_new(out, f->ix.kallsyms, NULL);
}

static enum tdat_status make_printk(struct model_printk **out, const struct tdat_file *f)
{
	return model_printk_new(out, f->ix.printk, NULL);
}

static enum tdat_status make_tasks(struct model_tasks **out, const struct tdat_file *f)
{
	enum tdat_status st = model_tasks_new(out, f->ix.cmdlines, NULL);

	/* Names of tasks are cut, not refused: a long one must not cost the others. */
	if (st == TDAT_OK && file_name_long(f, model_tasks_longest(*out)))
		model_tasks_cut(*out, file_name_max(f));
	return st;
}

/* Defines file_KIND(): makes the table on first use, under the lock. NULL: no memory. */
#define LAZY_TABLE(kind)                                                                           \
	const struct model_##kind *file_##kind(const struct tdat_file *file)                       \
	{                                                                                          \
		struct tdat_file *f = file_mutable(file);                                          \
		struct model_##kind *t = atomic_load(&f->kind);                                    \
                                                                                                   \
		if (t)                                                                             \
			return t;                                                                  \
		pthread_mutex_lock(&f->lock);                                                      \
		t = atomic_load(&f->kind);                                                         \
		if (!t && make_##kind(&t, f) == TDAT_OK)                                           \
			atomic_store(&f->kind, t);                                                 \
		f->memory_failures += !t;                                                          \
		pthread_mutex_unlock(&f->lock);                                                    \
		return t;                                                                          \
	}

LAZY_TABLE(symbols)
LAZY_TABLE(printk)
LAZY_TABLE(tasks)

/* The formats of funcgraph_exit, to be freed by the caller; NULL without memory. */
static const struct tdat_event_format **list_graph_exits(const struct tdat_file *file,
							 size_t *count)
{
	const struct tdat_event_format **list = calloc(1, sizeof(*list)), *format;
	size_t at = 0, cap = 1;

	for (*count = 0; list; list[(*count)++] = format) {
		format = file_format_next(file, "ftrace", "funcgraph_exit", &at);
		if (!format)
			break;
		if (!TDAT_GROW(list, &cap, *count + 1)) {
			free(list);
			return NULL;
		}
	}
	return list;
}

/* Several threads may make the table; one of them wins and the others free theirs. */
const struct model_graph_exits *file_graph_exits(const struct tdat_file *file)
{
	struct tdat_file *f = file_mutable(file);
	struct model_graph_exits *t = atomic_load(&f->graph_exits), *before = NULL;
	const struct tdat_event_format **formats;
	size_t count;

	if (t)
		return t;
	/* Not under the lock, which parsing the formats takes. */
	formats = list_graph_exits(file, &count);
	t = formats ? model_graph_exits_new(formats, count) : NULL;
	free(formats);
	if (!t) {
		atomic_fetch_add(&f->memory_failures, 1);
	} else if (!atomic_compare_exchange_strong(&f->graph_exits, &before, t)) {
		free(t);
		t = before;
	}
	return t;
}

struct tdat_span tdat_file_symbol(const struct tdat_file *file, uint64_t addr, uint64_t *start)
{
	const struct model_symbols *s = file_symbols(file);

	return s ? model_symbols_find(s, addr, start) : (struct tdat_span){NULL, 0};
}

/*
 * Counts lines, not symbols that can be looked up: the facts of a file must not need its
 * parsing.
 */
size_t tdat_file_symbol_count(const struct tdat_file *file)
{
	struct tdat_span text = file->ix.kallsyms, line;
	size_t n = 0;

	while (tdat_take_line(&text, &line))
		n++;
	return n;
}

size_t tdat_file_printk_count(const struct tdat_file *file)
{
	const struct model_printk *p = file_printk(file);

	return p ? model_printk_count(p) : 0;
}

size_t tdat_file_comm_count(const struct tdat_file *file)
{
	const struct model_tasks *t = file_tasks(file);

	return t ? model_tasks_lines(t) : 0;
}
