/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out which metadata the events of a piece refer to, and writes that alone. Every number
 * in an event that is the address of a symbol or a string is kept, so that any printer with any
 * options finds it; events are printed as well, because print fmts calculate addresses.
 * Formats, tasks, symbols and printk formats are then written with these lines alone. If memory
 * runs out, the piece fails: a smaller table would print other text.
 */
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

#include "read/print_set.h"
#include "read/printer.h"
#include "write/parts.h"

/* Entries of the cache of numbers. A power of two: its logarithm, 13, is in note_number(). */
enum { SEEN = 1 << 13 };

/* All that the events of one piece refer to. */
struct split_shrink {
	struct tdat_file *file;
	struct file_common common;
	struct model_symbols *symbols; /* its own table, which reports what is looked up */
	const struct model_printk *printk;
	const struct model_tasks *tasks;
	bool wide;		  /* addresses have 8 bytes */
	bool kept[FILE_ID_COUNT]; /* events of that id are in the piece */
	const struct tdat_field **pid_fields[FILE_ID_COUNT]; /* ended by NULL; of kept ids */
	struct split_refs symbol_refs, printk_refs, task_refs;
	uint64_t seen[SEEN]; /* numbers looked up already, by hash; 0 always is */
	struct print_set *set;
	struct tdat_printer *printer;
	struct tdat_build text;
	bool failed; /* memory ran out while something was looked up */
};

/* ---- numbers ---- */

/*
 * Notes a symbol. Called by the table of symbols for each look-up, also while an event is printed.
 */
static void on_lookup(void *ctx, uint64_t addr, struct tdat_span name, uint64_t start, bool by_name)
{
	struct split_shrink *sh = ctx;
	const struct split_ref ref = {
		.key = addr,
		.start = start,
		.off = name.ptr ? (uint32_t)(name.ptr - sh->file->ix.kallsyms.ptr) : 0,
		.copies = 1,
		.exact = start == addr,
	};

	(void)by_name;
	if (!name.ptr)
		return;
	sh->failed |= !split_refs_add(&sh->symbol_refs, &ref);
}

/* True unless memory ran out. on_lookup() is called for a hit. */
static bool note_symbol(struct split_shrink *sh, uint64_t v)
{
	struct model_symbol symbol;

	model_symbols_lookup(sh->symbols, v, &symbol);
	return !sh->failed;
}

/* Only numbers that are the address of a string exactly. */
static bool note_printk(struct split_shrink *sh, uint64_t v)
{
	struct split_ref ref = {.key = v, .start = v, .copies = 1};
	struct tdat_span fmt = model_printk_find(sh->printk, v);

	if (!fmt.ptr)
		return true;
	ref.off = (uint32_t)(fmt.ptr - sh->file->ix.printk.ptr);
	return split_refs_add(&sh->printk_refs, &ref);
}

/* Looks up a number unless it was met before. A small cache by hash: numbers repeat a lot. */
static bool note_number(struct split_shrink *sh, uint64_t v)
{
	/* The upper 13 bits of a multiplicative hash. */
	uint64_t *seen = &sh->seen[v * 0x9e3779b97f4a7c15u >> 51];

	if (*seen == v)
		return true;
	*seen = v;
	return note_symbol(sh, v) && note_printk(sh, v);
}

/*
 * Looks up all numbers in a record. 64 bits at every byte, as fields need not be aligned; 32-bit
 * words also with their sign extended.
 */
static bool note_numbers(struct split_shrink *sh, struct tdat_span rec)
{
	const bool big = sh->file->layout.big;
	bool ok = true;

	for (size_t i = 0; ok && sh->wide && i + 8 <= rec.len; i++)
		ok = note_number(sh, tdat_load64(rec.ptr + i, big));
	for (size_t i = 0; ok && i + 4 <= rec.len; i += sh->wide ? 4 : 1) {
		uint32_t v = tdat_load32(rec.ptr + i, big);

		ok = note_number(sh, v) && note_number(sh, (uint64_t)(int64_t)(int32_t)v);
	}
	return ok;
}

/* ---- tasks ---- */

/* A pid without a saved name needs no line. */
static bool note_task(struct split_shrink *sh, int32_t pid)
{
	struct split_ref ref = {.copies = 1};
	struct tdat_span comm = model_tasks_known(sh->tasks, pid);

	if (!comm.ptr)
		return true;
	ref.key = ref.start = (uint32_t)pid;
	ref.off = (uint32_t)(comm.ptr - sh->file->ix.cmdlines.ptr);
	return split_refs_add(&sh->task_refs, &ref);
}

/* Field names of the kernel end in "pid" by convention: pid, next_pid, parent_pid, common_pid. */
static bool names_pid(const struct tdat_field *f)
{
	size_t n = strlen(f->name);

	return n >= 3 && !strcmp(f->name + n - 3, "pid") && !f->array_count &&
	       (f->len == 2 || f->len == 4 || f->len == 8);
}

/* Made once a format: a search of its fields for each event would cost their product. */
static bool list_pid_fields(struct split_shrink *sh, uint32_t id)
{
	const struct tdat_event_format *format = tdat_file_format_by_id(sh->file, id);
	const struct tdat_field *fields;
	size_t count = 0, n = 0;

	fields = format ? tdat_event_format_fields(format, &count) : NULL;
	sh->pid_fields[id] = calloc(count + 1, sizeof(*sh->pid_fields[id]));
	for (size_t i = 0; sh->pid_fields[id] && i < count; i++)
		if (names_pid(&fields[i]))
			sh->pid_fields[id][n++] = &fields[i];
	return sh->pid_fields[id];
}

/* Notes the tasks that an event names beside its own: next_pid of sched_switch, for example. */
static bool note_tasks(struct split_shrink *sh, uint32_t id, struct tdat_span rec)
{
	const struct tdat_field **f = sh->pid_fields[id];
	bool ok = true;
	uint64_t pid;

	for (; ok && *f; f++)
		if (tdat_field_u64(*f, rec, &pid, NULL) == TDAT_OK)
			ok = note_task(sh, (int32_t)(uint32_t)pid);
	return ok;
}

/* Prints an event to see which symbols its text needs; the text itself is dropped. */
static bool note_text(struct split_shrink *sh, const struct tdat_event *ev)
{
	static const struct tdat_span unknown = {(const uint8_t *)"", 0};
	/* Without a name, so that printing does not look one up. */
	struct tdat_event e = *ev;

	e.comm = unknown;
	sh->text.len = 0;
	return read_printer_append(sh->printer, &e, &sh->text, NULL) == TDAT_OK && !sh->failed &&
	       !sh->text.failed;
}

/* Called for each event that the piece takes. */
enum tdat_status split_shrink_note(struct split_shrink *sh, const struct tdat_event *ev,
				   struct tdat_error *err)
{
	const struct file_common *c = &sh->common;
	const bool big = sh->file->layout.big;
	const struct tdat_span rec = ev->record;
	struct tdat_event e = *ev;
	bool ok = note_numbers(sh, rec);

	/* The iterator's fields are not filled: id and pid are read here. */
	if (rec.len >= c->pid_off + c->pid_len)
		e.pid = (int32_t)tdat_load_uint(rec.ptr + c->pid_off, c->pid_len, big);
	ok = ok && note_task(sh, e.pid);
	if (ok && rec.len >= c->type_off + c->type_len) {
		e.id = (uint32_t)tdat_load_uint(rec.ptr + c->type_off, c->type_len, big);
		if (e.id >= FILE_ID_COUNT)
			return TDAT_OK;
		ok = (sh->kept[e.id] || list_pid_fields(sh, e.id)) && note_tasks(sh, e.id, rec) &&
		     note_text(sh, &e);
		sh->kept[e.id] = true;
	}
	return ok ? TDAT_OK : tdat_error_no_memory(err, "what a piece refers to");
}

/* Makes a table of symbols that reports what is looked up, and a printer that uses it. */
static enum tdat_status make_printer(struct split_shrink *sh, struct tdat_error *err)
{
	const struct tdat_iter_input in = {.file = sh->file};
	enum tdat_status st = model_symbols_new(&sh->symbols, sh->file->ix.kallsyms, err);

	if (st != TDAT_OK)
		return st;
	model_symbols_on_lookup(sh->symbols, on_lookup, sh);
	st = print_set_new(&sh->set, &in, 1, NULL, err);
	if (st != TDAT_OK)
		return st;
	sh->set->files[0].env.symbols = sh->symbols;
	sh->set->files[0].env.printk = sh->printk;
	return read_printer_new(&sh->printer, sh->set, err);
}

/* Address 0 and the last function are needed by readers, whatever events say. */
enum tdat_status split_shrink_new(struct split_shrink **out, struct tdat_file *file,
				  struct tdat_error *err)
{
	struct split_shrink *sh = calloc(1, sizeof(*sh));
	enum tdat_status st;
	uint64_t last;

	*out = sh;
	if (!sh)
		return tdat_error_no_memory(err, "what a piece refers to");
	sh->file = file;
	sh->printk = file_printk(file);
	sh->tasks = file_tasks(file);
	if (!sh->printk || !sh->tasks)
		return tdat_error_no_memory(err, "what a piece refers to");
	tdat_build_init(&sh->text, false);
	st = make_printer(sh, err);
	if (st != TDAT_OK)
		return st;
	file_common_find(file, &sh->common);
	sh->wide = file->ix.kernel_long_size == 8 || file->ix.long_size == 8;
	/* The last function stays the last one, since beyond it nothing is found. */
	if ((model_symbols_last(sh->symbols, &last) && !note_symbol(sh, last)) ||
	    !note_symbol(sh, 0) || !note_printk(sh, 0))
		return tdat_error_no_memory(err, "what a piece refers to");
	return TDAT_OK;
}

/* Also after a failure of split_shrink_new. */
void split_shrink_free(struct split_shrink *sh)
{
	if (!sh)
		return;
	for (size_t i = 0; i < FILE_ID_COUNT; i++)
		free(sh->pid_fields[i]);
	tdat_printer_free(sh->printer);
	print_set_put(sh->set);
	tdat_build_fini(&sh->text);
	model_symbols_free(sh->symbols);
	split_refs_fini(&sh->symbol_refs);
	split_refs_fini(&sh->printk_refs);
	split_refs_fini(&sh->task_refs);
	free(sh);
}

/* ---- formats of kept events ---- */

/* One half of a function's call is printed with the other one's format. */
static void keep_pairs(struct split_shrink *sh)
{
	const struct tdat_event_format *entry, *leave;
	uint32_t a, b;

	entry = tdat_file_format_by_name(sh->file, "ftrace", "funcgraph_entry");
	leave = tdat_file_format_by_name(sh->file, "ftrace", "funcgraph_exit");
	if (!entry || !leave)
		return;
	a = tdat_event_format_id(entry);
	b = tdat_event_format_id(leave);
	if (a < FILE_ID_COUNT && b < FILE_ID_COUNT)
		sh->kept[a] = sh->kept[b] = sh->kept[a] || sh->kept[b];
}

/* Ids are compared by the text's head: nothing is parsed for a format that is left out. */
static bool keeps_format(const struct split_shrink *sh, size_t index)
{
	struct tdat_span name;
	uint32_t id;

	return model_format_head(sh->file->ix.formats[index].text, &name, &id) &&
	       id < FILE_ID_COUNT && sh->kept[id];
}

/* Names in a print fmt may be functions, which readers look up in kallsyms. */
static enum tdat_status add_format(struct split_shrink *sh, struct tdat_writer *w, size_t index,
				   struct split_words *words, struct tdat_error *err)
{
	const struct dat_format_text *t = &sh->file->ix.formats[index];
	const struct tdat_event_format *format;

	if (tdat_file_format(sh->file, index, &format, NULL) == TDAT_OK &&
	    !split_words_add(words, tdat_event_format_print_fmt(format)))
		return tdat_error_no_memory(err, "what a piece refers to");
	return write_meta_add_format(&w->meta, t->system, (const char *)t->text.ptr, t->text.len,
				     err);
}

/*
 * Adds the formats of kept events. Without any event one format stays, since readers learn from
 * it where events have their id.
 */
static enum tdat_status add_formats(struct split_shrink *sh, struct tdat_writer *w,
				    struct split_words *words, struct tdat_error *err)
{
	const size_t count = sh->file->ix.format_count;
	enum tdat_status st = TDAT_OK;
	bool any = false;

	keep_pairs(sh);
	for (size_t i = 0; st == TDAT_OK && i < count; i++) {
		if (!keeps_format(sh, i))
			continue;
		any = true;
		st = add_format(sh, w, i, words, err);
	}
	return st != TDAT_OK || any || !count ? st : add_format(sh, w, 0, words, err);
}

/* ---- parts ---- */

/* Laid out at once, since copies of parts are not made again. */
static enum tdat_status format_parts(struct tdat_writer *w, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (uint16_t id = TDAT_OPTION_FTRACE_EVENTS;
	     st == TDAT_OK && id <= TDAT_OPTION_EVENT_FORMATS; id++) {
		struct tdat_build b;

		tdat_build_init(&b, w->meta.big);
		write_parts_one(&w->meta, id, &b);
		st = write_parts_add(&w->meta, id, &b, err);
	}
	return st;
}

/* Adds the text of a part, and frees it. */
static enum tdat_status add_text(struct tdat_writer *w, uint16_t id, struct tdat_build *text,
				 struct tdat_error *err)
{
	const enum tdat_status st =
		text->failed ? tdat_error_no_memory(err, "what a piece refers to")
			     : write_parts_add_text(&w->meta, id,
						    (struct tdat_span){text->ptr, text->len}, err);

	tdat_build_fini(text);
	return st;
}

static enum tdat_status symbol_part(struct split_shrink *sh, struct tdat_writer *w,
				    struct split_words *words, struct tdat_error *err)
{
	const struct tdat_span text = sh->file->ix.kallsyms;
	enum tdat_status st;
	struct tdat_build b;

	if (!split_words_find(words, sh->symbols, text, &sh->symbol_refs))
		return tdat_error_no_memory(err, "what a piece refers to");
	model_symbols_on_lookup(sh->symbols, NULL, NULL); /* look-ups from here on are our own */
	tdat_build_init(&b, false);
	st = split_shrink_symbols(&sh->symbol_refs, sh->symbols, text, &b, err);
	if (st == TDAT_OK)
		return add_text(w, TDAT_OPTION_KALLSYMS, &b, err);
	tdat_build_fini(&b);
	return st;
}

/* Strings and tasks are found by exact addresses and pids, so no choice has to be tried. */
static enum tdat_status line_part(struct tdat_writer *w, uint16_t id, struct split_refs *refs,
				  struct tdat_span text, struct tdat_error *err)
{
	struct tdat_build b;

	tdat_build_init(&b, false);
	split_refs_lines(refs, text, &b);
	return add_text(w, id, &b, err);
}

/* The order is that of the file; the first failure ends it. */
enum tdat_status split_shrink_parts(struct split_shrink *sh, struct tdat_writer *w,
				    struct tdat_error *err)
{
	struct split_words words = {NULL, 0, 0};
	enum tdat_status st = add_formats(sh, w, &words, err);

	if (st == TDAT_OK)
		st = format_parts(w, err);
	if (st == TDAT_OK)
		st = symbol_part(sh, w, &words, err);
	if (st == TDAT_OK)
		st = line_part(w, TDAT_OPTION_PRINTK, &sh->printk_refs, sh->file->ix.printk, err);
	if (st == TDAT_OK)
		st = line_part(w, TDAT_OPTION_CMDLINES, &sh->task_refs, sh->file->ix.cmdlines, err);
	if (st == TDAT_OK && model_symbols_failed(sh->symbols))
		st = tdat_error_no_memory(
			err, "what a piece refers to"); /* then look-ups found nothing */
	split_words_fini(&words);
	return st;
}
