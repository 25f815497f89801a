/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints every event of the inputs, to see which symbols are looked up and which name each task
 * has at last. This is done only where the tables of names differ. Printing is the only way to
 * know what a print fmt looks up, as addresses may be calculated. The printed text is dropped;
 * look-ups and names go into a struct merge_used for each input (used.c).
 */
#include "read/iter.h"
#include "read/print_set.h"
#include "read/printer.h"
#include "merge.h"

/* The survey of one input. */
struct survey {
	struct merge *m;
	struct merge_part *part;
	struct tdat_iter *iter;
	struct print_set *set;
	struct tdat_printer *printer;
	struct model_symbols *symbols; /* reports each look-up */
	struct tdat_build text;
	struct {
		int32_t pid;
		const uint8_t *comm;
	} last[256]; /* what was noted, by pid */
};

/* Notes the name of an event's task: that of the table, or else the last one that events showed. */
static void note_task(struct survey *s, const struct tdat_event *ev)
{
	size_t slot = (uint32_t)ev->pid & 255;
	struct tdat_span name;
	char comm[256];
	size_t len;

	/* The same name as last time: pid 0 is the idle task, which needs no name. */
	if (!ev->pid || (s->last[slot].pid == ev->pid && s->last[slot].comm == ev->comm.ptr))
		return;
	name = model_tasks_known(file_tasks(s->part->file), ev->pid);
	if (!name.ptr)
		name = ev->comm;
	len = name.len < sizeof(comm) - 1 ? name.len : sizeof(comm) - 1;
	memcpy(comm, name.ptr, len);
	comm[len] = '\0';
	if (!write_comms_set(&s->part->used.comms, &s->m->w->meta.arena, ev->pid, comm))
		s->part->used.failed = true;
	s->last[slot].pid = ev->pid;
	s->last[slot].comm = ev->comm.ptr;
}

/* Looks up every word of a record that may be an address: libtraceevent has symbols of its own. */
static void note_words(struct survey *s, struct tdat_span record)
{
	size_t len = s->m->long_size;
	struct model_symbol symbol;

	for (size_t off = 0; off + len <= record.len; off += 4)
		model_symbols_lookup(s->symbols,
				     tdat_load_uint(record.ptr + off, len, s->part->file->ix.big),
				     &symbol);
}

/* Prints an event to report its look-ups. Those of plugins are not reported, so all words count. */
static enum tdat_status note_event(struct survey *s, const struct tdat_event *ev,
				   struct tdat_error *err)
{
	const struct print_event *e = print_set_event(s->set, s->set->files, ev->id);
	enum tdat_status st;

	s->text.len = 0;
	st = read_printer_append(s->printer, ev, &s->text, err);
	if (st == TDAT_OK && e && e->print && model_print_kind(e->print) == MODEL_PRINT_FALLBACK)
		note_words(s, ev->record);
	note_task(s, ev);
	if (st == TDAT_OK && (s->part->used.failed || s->text.failed))
		return tdat_error_no_memory(err, s->m->w->out.name);
	return st;
}

/* Printer and iterator get a table of symbols of their own that reports look-ups. */
static enum tdat_status open_survey(struct survey *s, struct tdat_error *err)
{
	struct tdat_iter_input input = {.file = s->part->file};
	struct tdat_iter_opts opts = TDAT_ITER_OPTS_INIT;
	enum tdat_status st;

	opts.raw_ts = true;
	opts.plugin_state = true;
	st = tdat_iter_new(&s->iter, &input, 1, &opts, err);
	if (st == TDAT_OK)
		st = print_set_new(&s->set, &input, 1, NULL, err);
	if (st == TDAT_OK)
		st = model_symbols_new(&s->symbols, s->part->file->ix.kallsyms, err);
	if (st != TDAT_OK)
		return st;
	model_symbols_on_lookup(s->symbols, merge_used_symbol, &s->part->used);
	s->iter->inputs[0].symbols = s->symbols;
	s->set->files[0].env.symbols = s->symbols;
	s->set->files[0].env.printk = file_printk(s->part->file);
	return read_printer_new(&s->printer, s->set, err);
}

/* One input alone, as symbols and tasks belong to it. */
static enum tdat_status survey_part(struct merge *m, struct merge_part *part,
				    struct tdat_error *err)
{
	struct survey s = {.m = m, .part = part};
	const struct tdat_event *ev = NULL;
	enum tdat_status st;

	tdat_build_init(&s.text, false);
	st = open_survey(&s, err);
	while (st == TDAT_OK) {
		st = tdat_iter_next(s.iter, &ev, err);
		if (st != TDAT_OK || !ev)
			break;
		st = note_event(&s, ev, err);
	}
	part->used.known = true;
	tdat_printer_free(s.printer);
	print_set_put(s.set);
	tdat_iter_free(s.iter);
	model_symbols_free(s.symbols);
	tdat_build_fini(&s.text);
	return st;
}

/* True if a pid has different names in two tables. */
static bool tasks_clash(const struct merge *m)
{
	for (size_t i = 1; i < m->count; i++) {
		const struct model_tasks *a = file_tasks(m->parts[i].file);

		for (size_t k = 0; k < model_tasks_count(a); k++) {
			struct tdat_span one, two;
			const int32_t pid = model_tasks_at(a, k, &one);

			for (size_t j = 0; j < i; j++) {
				two = model_tasks_known(file_tasks(m->parts[j].file), pid);
				if (two.ptr &&
				    (one.len != two.len || memcmp(one.ptr, two.ptr, one.len)))
					return true;
			}
		}
	}
	return false;
}

/* Surveys all inputs, unless they are of one machine and have equal tables. */
enum tdat_status merge_survey(struct merge *m, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	if (!m->tables_differ && !m->hosts_differ && !tasks_clash(m))
		return TDAT_OK;
	for (size_t i = 0; st == TDAT_OK && i < m->count; i++)
		st = survey_part(m, &m->parts[i], err);
	return st;
}
