/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks for the names of a filter in its inputs: events, the words of expressions, and buffers. A
 * name that no input has is an error, which proposes the nearest that some input has. While
 * select.c classes the formats, a survey notes what each of them knows; formats are parsed only
 * for expressions that name them, and for a proposal.
 */
#include "select_names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "file/near.h"

/* Frees the notes, also of a survey that was made in part. */
void select_survey_fini(struct select_survey *v)
{
	size_t i;

	for (i = 0; i < v->def->expr_count; i++) {
		free(v->items ? v->items[i] : NULL);
		free(v->words ? v->words[i] : NULL);
	}
	free(v->items);
	free(v->words);
	free(v->globs);
}

/* Makes a flag for every name and word that the filter has. False: no memory. */
bool select_survey_init(struct select_survey *v, const struct tdat_filter *def)
{
	size_t i, n, column;

	*v = (struct select_survey){.def = def};
	v->globs = calloc(def->event_count + 1, sizeof(*v->globs));
	v->items = calloc(def->expr_count + 1, sizeof(*v->items));
	v->words = calloc(def->expr_count + 1, sizeof(*v->words));
	if (!v->globs || !v->items || !v->words)
		return false;
	for (i = 0; i < def->expr_count; i++) {
		for (n = 0; model_filter_item(def->exprs[i], n, &column).ptr; n++)
			;
		v->items[i] = calloc(n + 1, sizeof(bool));
		n = model_filter_word_count(def->exprs[i]);
		v->words[i] = calloc(n + 1, sizeof(bool));
		if (!v->items[i] || !v->words[i])
			return false;
	}
	return true;
}

/* Notes which words of filter i the format knows; parses it only when needed. */
static void survey_words(struct select_survey *v, size_t i, const struct tdat_file *file,
			 size_t format)
{
	const struct model_filter *f = v->def->exprs[i];
	const struct tdat_event_format *parsed = NULL;
	size_t k, column, count = model_filter_word_count(f);
	const char *word = NULL;

	for (k = 0; k < count; k++) {
		if (v->words[i][k])
			continue;
		if (!parsed && tdat_file_format(file, format, &parsed, NULL) != TDAT_OK)
			return;
		word = model_filter_word(f, k, &column);
		v->words[i][k] = word && model_filter_knows(parsed, word);
	}
}

bool select_survey_expr(struct select_survey *v, size_t i, const struct tdat_file *file,
			size_t format, const char *system, const char *name)
{
	const struct model_filter *f = v->def->exprs[i];
	size_t k, column;
	bool named = false;

	for (k = 0; model_filter_item(f, k, &column).ptr; k++) {
		if (!model_filter_item_names(f, k, system, name))
			continue;
		named = true;
		v->items[i][k] = true;
	}
	if (named)
		survey_words(v, i, file, format);
	return named;
}

/* The nearest event of all inputs, as a hint. */
static const char *event_hint(struct tdat_near *near, const struct tdat_iter_input *inputs,
			      size_t input_count, const char *none)
{
	const struct tdat_event_format *format;

	for (size_t i = 0; i < input_count; i++) {
		file_near_events(near, inputs[i].file);
		for (size_t k = 0; k < tdat_file_format_count(inputs[i].file); k++)
			if (tdat_file_format(inputs[i].file, k, &format, NULL) == TDAT_OK)
				tdat_near_try(near, tdat_event_format_system(format));
	}
	return tdat_near_hint(near, none);
}

/* Where nothing is near, the form is perhaps not known. */
static const char form[] = "; a filter is 'SYSTEM/EVENT: EXPRESSION'";

/* The nearest word that an event knows which the filter names. */
static const char *field_hint(struct tdat_near *near, const struct model_filter *f,
			      const struct tdat_iter_input *inputs, size_t input_count,
			      const char *none)
{
	static const char *const common[] = {"COMM", "CPU", "PID", "TIMESTAMP"};
	const struct tdat_event_format *format;

	for (size_t i = 0; i < input_count; i++)
		for (size_t k = 0; k < tdat_file_format_count(inputs[i].file); k++)
			if (tdat_file_format(inputs[i].file, k, &format, NULL) == TDAT_OK &&
			    model_filter_names(f, tdat_event_format_system(format),
					       tdat_event_format_name(format)))
				file_near_fields(near, format);
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		tdat_near_try(near, common[i]);
	return tdat_near_hint(near, none);
}

/* Every name of a filter's expression must be known to some input. */
static enum tdat_status complain_expr(const struct select_survey *v, size_t i,
				      const struct tdat_iter_input *inputs, size_t input_count,
				      struct tdat_error *err)
{
	const struct model_filter *f = v->def->exprs[i];
	struct tdat_span item;
	char name[101];
	struct tdat_near near = {.word = name};
	size_t k, column;

	for (k = 0; (item = model_filter_item(f, k, &column)).ptr; k++)
		if (!v->items[i][k]) {
			snprintf(name, sizeof(name), "%.*s", (int)(item.len < 100 ? item.len : 100),
				 item.ptr);
			return tdat_error_set(
				err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				"filter '%.160s', column %zu: no event is named '%s'%s",
				model_filter_text(f), column, name,
				event_hint(&near, inputs, input_count, form));
		}
	for (k = 0; k < model_filter_word_count(f); k++)
		if (!v->words[i][k]) {
			const char *word = model_filter_word(f, k, &column);

			near.word = word ? word : "";
			return tdat_error_set(
				err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				"filter '%.160s', column %zu: none of its events has a field "
				"'%.80s'%s",
				model_filter_text(f), column, near.word,
				/* "sched:sched_switch": a word that nothing follows. */
				field_hint(&near, f, inputs, input_count,
					   model_filter_text(f)[column - 1 + strlen(near.word)]
						   ? ""
						   : form));
		}
	return TDAT_OK;
}

enum tdat_status select_survey_check(const struct select_survey *v,
				     const struct tdat_iter_input *inputs, size_t input_count,
				     struct tdat_error *err)
{
	const struct tdat_filter *d = v->def;
	enum tdat_status st = TDAT_OK;
	size_t i;

	for (i = 0; i < d->event_count; i++)
		if (!v->globs[i]) {
			struct tdat_near near = {.word = d->events[i]};

			return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					      "no event is named '%.120s'%s", near.word,
					      event_hint(&near, inputs, input_count, ""));
		}
	for (i = 0; i < d->expr_count && st == TDAT_OK; i++)
		st = complain_expr(v, i, inputs, input_count, err);
	return st;
}

enum tdat_status select_check_buffers(const struct tdat_filter *def,
				      const struct tdat_iter_input *inputs, size_t input_count,
				      struct tdat_error *err)
{
	size_t i, k, n;

	for (i = 0; i < def->buffer_count; i++) {
		struct tdat_near near = {.word = def->buffers[i]};
		bool found = false;

		for (k = 0; k < input_count && !found; k++) {
			const struct dat_index *ix = &inputs[k].file->ix;

			for (n = 0; n < ix->buffer_count && !found; n++) {
				const char *name = ix->buffers[n].name;

				found = !fnmatch(def->buffers[i], *name ? name : "top", 0);
			}
		}
		for (k = 0; k < input_count && !found; k++)
			file_near_buffers(&near, inputs[k].file);
		if (!found)
			return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
					      "no buffer is named '%.120s'%s", near.word,
					      tdat_near_hint(&near, ""));
	}
	return TDAT_OK;
}
