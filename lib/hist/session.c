/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes and frees a session of hist triggers, and takes its triggers. A session belongs to one
 * thread. Its steps are: new, synthetic events, triggers, run, write. A text that the kernel
 * would refuse is an error, and its error_log text is kept for the caller.
 */
#include "hist.h"

#include <stdlib.h>

#include "core/opts.h"
#include "file/near.h"
#include "kernel.h"
#include "map.h"
#include "symbols.h"
#include "synth.h"
#include "tasks.h"
#include "trigger.h"

/* Finds the buffer that opts name, and its clock. UINT32_MAX: the file has no top buffer. */
static enum tdat_status find_buffer(struct tdat_hist *h, struct tdat_error *err)
{
	const char *name = h->opts.buffer ? h->opts.buffer : "";
	struct tdat_near near = {.word = name};
	const struct tdat_buffer *list;
	size_t count;

	list = tdat_file_buffers(h->file, &count);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].name, name)) {
			h->buffer = (uint32_t)i;
			h->clock = list[i].clock;
			hist_clock_init(h, h->clock);
			return TDAT_OK;
		}
	if (*name) {
		file_near_buffers(&near, h->file);
		return tdat_error_set(err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
				      "there is no buffer '%s'%s", name, tdat_near_hint(&near, ""));
	}
	h->buffer = UINT32_MAX;
	h->clock = "";
	return TDAT_OK;
}

enum tdat_status tdat_hist_new(struct tdat_hist **out, struct tdat_file *file,
			       const struct tdat_hist_opts *opts, struct tdat_error *err)
{
	const struct tdat_hist_opts defaults = TDAT_HIST_OPTS_INIT;
	const struct tdat_file_info *info = tdat_file_info(file);
	struct tdat_hist *h = calloc(1, sizeof(*h));
	enum tdat_status st;

	*out = NULL;
	if (!h)
		return tdat_error_no_memory(err, "triggers");
	h->file = file;
	h->opts = defaults;
	tdat_opts_copy(&h->opts, sizeof(h->opts), opts);
	h->big = info->big_endian;
	/* Files of other sizes are rejected on opening; 8 is for those that do not say it. */
	h->long_len = info->kernel_long_size == 4 ? 4 : 8;
	/* Keys come from the file: an unkeyed hash could be attacked. */
	h->seed = tdat_hash_seed();
	h->shown_end = &h->shown;
	tdat_build_init(&h->refusal.text, false);
	st = hist_kernel_init(h, h->opts.kernel, err);
	if (st == TDAT_OK)
		st = find_buffer(h, err);
	if (st == TDAT_OK && h->nomem)
		st = tdat_error_no_memory(err, "triggers");
	/* hist_note() and hist_strndup() report lack of memory by a flag only. */
	if (st != TDAT_OK) {
		tdat_hist_free(h);
		return st;
	}
	*out = h;
	return TDAT_OK;
}

void tdat_hist_free(struct tdat_hist *h)
{
	if (!h)
		return;
	tdat_iter_free(h->iter);
	/* Tables and arrays that grow are on the heap; all else lies in the arena. */
	for (size_t i = 0; i < h->data_count; i++)
		hist_map_free(h->datas[i]->map);
	for (struct hist_event *e = h->events; e; e = e->next) {
		free(e->triggers);
		model_format_free(e->own_format);
	}
	hist_tasks_fini(h);
	hist_syms_free(h->syms);
	free(h->by_id);
	free(h->synths);
	free(h->datas);
	free(h->named);
	free(h->notes);
	tdat_build_fini(&h->refusal.text);
	tdat_arena_fini(&h->arena);
	free(h);
}

void tdat_hist_on_synth(struct tdat_hist *h, tdat_hist_synth_fn fn, void *ctx)
{
	h->on_synth = fn;
	h->on_synth_ctx = ctx;
}

/* Checks the bounds of a text before it is parsed. */
static enum tdat_status begin(struct tdat_hist *h, const char *text, struct tdat_error *err)
{
	h->refusal.text.len = 0;
	h->refusal.cmd = NULL;
	if (h->ran)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				      "triggers must be added before the events are read");
	if (++h->text_count > HIST_TEXTS_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "there are more than %d triggers and synthetic events",
				      HIST_TEXTS_MOST);
	if (strlen(text) >= HIST_TEXT_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "a trigger has %zu bytes, more than the maximum of %d",
				      strlen(text), HIST_TEXT_MOST - 1);
	return TDAT_OK;
}

/* Turns the result of a parser into a status. The refusal ends with a NUL, or is emptied. */
static enum tdat_status end(struct tdat_hist *h, bool good, const char *what,
			    struct tdat_error *err)
{
	if (good)
		h->refusal.text.len = 0;
	else
		tdat_build_u8(&h->refusal.text, 0);
	if (h->nomem || h->refusal.text.failed)
		return tdat_error_no_memory(err, "a trigger");
	if (good)
		return TDAT_OK;
	if (h->refusal.ours)
		return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "%s", h->refusal.ours);
	return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET, "the kernel would reject %s%s%s",
			      what, h->refusal.text.len > 1 ? "" : " without a reason",
			      h->refusal.hint ? h->refusal.hint : "");
}

enum tdat_status tdat_hist_synth(struct tdat_hist *h, const char *text, struct tdat_error *err)
{
	enum tdat_status st = begin(h, text, err);

	if (st != TDAT_OK)
		return st;
	if (h->synth_count >= HIST_SYNTHS_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "there are more than %d synthetic events", HIST_SYNTHS_MOST);
	return end(h, hist_synth_define(h, text), "this synthetic event", err);
}

/* True if the text begins with word; *rest follows its colon or blank. */
static bool is_command(const char *text, const char *word, const char **rest)
{
	const size_t len = strlen(word);

	if (strncmp(text, word, len) != 0 || (text[len] && !strchr(": \t", text[len])))
		return false;
	*rest = text + len;
	*rest += **rest != '\0';
	*rest += strspn(*rest, " \t");
	return true;
}

enum tdat_status tdat_hist_trigger(struct tdat_hist *h, const char *system, const char *event,
				   const char *text, struct tdat_error *err)
{
	enum tdat_status st = begin(h, text, err);
	struct hist_event *e;
	struct tdat_near near = {.word = event};
	const char *rest;
	char *copy;
	bool removes;

	if (st != TDAT_OK)
		return st;
	if (h->trigger_count >= HIST_TRIGGERS_MOST)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "there are more than %d triggers", HIST_TRIGGERS_MOST);
	e = hist_event_find(h, system, event);
	copy = hist_strdup(h, text);
	if (h->nomem)
		return tdat_error_no_memory(err, "a trigger");
	if (!e) {
		file_near_events(&near, h->file);
		return tdat_error_set(
			err, TDAT_E_NOT_FOUND, TDAT_NO_OFFSET,
			"the file has no event %s%s%s, and no synthetic event has this name%s",
			system ? system : "", system ? "/" : "", event, tdat_near_hint(&near, ""));
	}
	/* "!" removes the trigger of the rest, as in the kernel. */
	copy = hist_strip(copy);
	removes = *copy == '!';
	if (is_command(copy + removes, "hist", &rest))
		return end(h, hist_trigger_add(h, e, rest, removes), "this trigger", err);
	if (!removes && is_command(copy, "enable_hist", &rest))
		return end(h, hist_enable_add(h, e, true, rest), "this trigger", err);
	if (!removes && is_command(copy, "disable_hist", &rest))
		return end(h, hist_enable_add(h, e, false, rest), "this trigger", err);
	return tdat_error_set(err, TDAT_E_UNSUPPORTED, TDAT_NO_OFFSET,
			      "'%s' cannot be replayed: hist, enable_hist and disable_hist can",
			      copy);
}
