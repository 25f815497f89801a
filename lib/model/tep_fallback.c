/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The only file of the library that knows libtraceevent. */
#include "tep_fallback.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "core/checked.h"

/*
 * libtraceevent checks a dynamic field's 16-bit offset and length against the
 * record, but not what is added to them: this many zero bytes behind a record
 * keep its reads inside our copy.
 */
enum { TEP_SLACK = 4 * 65536 };

struct tep_side {
	struct tep_handle *handle;
	struct tep_plugin_list *plugins;
	bool failed;
};

struct model_tep {
	pthread_mutex_t lock;
	struct model_tep_opts opts;
	struct tep_side sides[2]; /* with plugins, without */
	uint8_t *copy;            /* of the record, and zeros */
	size_t copy_cap;
	uint32_t *bad; /* ids of formats libtraceevent cannot parse */
	size_t bad_count;
};

enum tdat_status model_tep_new(struct model_tep **out, const struct model_tep_opts *opts,
			       struct tdat_error *err)
{
	struct model_tep *tep = calloc(1, sizeof(*tep));

	if (!tep)
		return tdat_error_set(err, TDAT_E_NOMEM, TDAT_NO_OFFSET,
				      "no memory for libtraceevent");
	tep->opts = *opts;
	pthread_mutex_init(&tep->lock, NULL);
	*out = tep;
	return TDAT_OK;
}

void model_tep_free(struct model_tep *tep)
{
	size_t i;

	if (!tep)
		return;
	for (i = 0; i < 2; i++) {
		if (tep->sides[i].plugins)
			tep_unload_plugins(tep->sides[i].plugins, tep->sides[i].handle);
		if (tep->sides[i].handle)
			tep_free(tep->sides[i].handle);
	}
	pthread_mutex_destroy(&tep->lock);
	free(tep->copy);
	free(tep->bad);
	free(tep);
}

/* libtraceevent wants NUL-terminated text. */
static void load_text(struct tep_handle *h, struct tdat_span text,
		      int (*load)(struct tep_handle *, const char *))
{
	char *copy;

	if (!text.len)
		return;
	copy = malloc(text.len + 1);
	if (!copy)
		return;
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	load(h, copy);
	free(copy);
}

static void add_option(const char *option)
{
	char *name = strdup(option), *value = name ? strchr(name, '=') : NULL;

	if (value)
		*value++ = '\0';
	if (name)
		tep_plugin_add_option(name, value);
	free(name);
}

static void load_plugins(struct model_tep *tep, struct tep_side *side)
{
	const char *const *p;

	tep_set_flag(side->handle, TEP_DISABLE_SYS_PLUGINS);
	for (p = tep->opts.plugin_dirs; *p; p++) {
		char *copy = strdup(*p);

		if (copy)
			tep_add_plugin_path(side->handle, copy, TEP_PLUGIN_LAST);
		free(copy);
	}
	for (p = tep->opts.plugin_options; p && *p; p++)
		add_option(*p);
	side->plugins = tep_load_plugins(side->handle);
}

static struct tep_side *open_side(struct model_tep *tep, bool plugins)
{
	struct tep_side *side = &tep->sides[plugins ? 0 : 1];

	if (side->handle || side->failed)
		return side;
	tep_set_loglevel(TEP_LOG_NONE);
	side->handle = tep_alloc();
	if (!side->handle) {
		side->failed = true;
		return side;
	}
	tep_set_file_bigendian(side->handle, tep->opts.big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(side->handle,
				TDAT_HOST_BIG ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(side->handle, tep->opts.long_size);
	load_text(side->handle, tep->opts.kallsyms, tep_parse_kallsyms);
	load_text(side->handle, tep->opts.printk, tep_parse_printk_formats);
	load_text(side->handle, tep->opts.cmdlines, tep_parse_saved_cmdlines);
	if (plugins && tep->opts.plugin_dirs)
		load_plugins(tep, side);
	return side;
}

static bool is_bad(const struct model_tep *tep, uint32_t id)
{
	size_t i;

	for (i = 0; i < tep->bad_count; i++)
		if (tep->bad[i] == id)
			return true;
	return false;
}

static void add_bad(struct model_tep *tep, uint32_t id)
{
	uint32_t *bad = realloc(tep->bad, (tep->bad_count + 1) * sizeof(*bad));

	if (!bad)
		return;
	tep->bad = bad;
	bad[tep->bad_count++] = id;
}

/* Makes the event known to the handle. */
static bool have_event(struct model_tep *tep, struct tep_side *side,
		       const struct tdat_format *format)
{
	char *text;

	if (tep_find_event(side->handle, (int)format->id))
		return true;
	if (is_bad(tep, format->id))
		return false;
	text = malloc(format->text.len + 1);
	if (!text)
		return false;
	memcpy(text, format->text.ptr, format->text.len);
	text[format->text.len] = '\0';
	tep_parse_event(side->handle, text, format->text.len, format->system);
	free(text);
	if (tep_find_event(side->handle, (int)format->id))
		return true;
	add_bad(tep, format->id);
	return false;
}

/* The record followed by zeros, at least as long as the format's fixed part. */
static uint8_t *pad(struct model_tep *tep, const struct tdat_format *format,
		    struct tdat_span record, size_t *size)
{
	size_t need;
	uint8_t *p;

	*size = record.len > format->fixed_len ? record.len : format->fixed_len;
	if (!tdat_add_size(*size, TEP_SLACK, &need) || *size > INT32_MAX)
		return NULL;
	if (need > tep->copy_cap) {
		p = realloc(tep->copy, need);
		if (!p)
			return NULL;
		tep->copy = p;
		tep->copy_cap = need;
	}
	if (record.len)
		memcpy(tep->copy, record.ptr, record.len);
	memset(tep->copy + record.len, 0, need - record.len);
	return tep->copy;
}

static bool print_locked(struct model_tep *tep, const struct tdat_format *format,
			 enum model_print_style style, const struct model_event *event,
			 struct tdat_build *out)
{
	struct tep_side *side = open_side(tep, style == MODEL_PRINT_FMT);
	struct tep_record rec;
	struct trace_seq seq;
	size_t size;

	if (!side->handle || !have_event(tep, side, format))
		return false;
	memset(&rec, 0, sizeof(rec));
	rec.data = pad(tep, format, event->record, &size);
	if (!rec.data)
		return false;
	rec.size = rec.record_size = (int)size;
	rec.cpu = (int)event->cpu;
	rec.ts = event->ts;
	rec.ref_count = 1;
	trace_seq_init(&seq);
	tep_print_event(side->handle, &seq, &rec, "%s",
			style == MODEL_PRINT_RAW ? TEP_PRINT_INFO_RAW : TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	if (seq.state == TRACE_SEQ__GOOD)
		tdat_build_bytes(out, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
	return true;
}

/* The event as it is with users' plugins; NULL: they are none of its business. */
static struct tep_event *plugin_event(struct model_tep *tep, const struct tdat_format *format)
{
	struct tep_event *event = NULL;
	struct tep_side *side;

	if (!tep->opts.plugin_dirs)
		return NULL;
	pthread_mutex_lock(&tep->lock);
	side = open_side(tep, true);
	if (side->handle && have_event(tep, side, format))
		event = tep_find_event(side->handle, (int)format->id);
	pthread_mutex_unlock(&tep->lock);
	return event;
}

bool model_tep_has_plugin(struct model_tep *tep, const struct tdat_format *format)
{
	const struct tep_event *event = plugin_event(tep, format);

	return event && event->handler;
}

bool model_tep_has_function(struct model_tep *tep, const struct tdat_format *format)
{
	const struct tep_event *event = plugin_event(tep, format);

	return event && !(event->flags & TEP_EVENT_FL_FAILED);
}

bool model_tep_print(struct model_tep *tep, const struct tdat_format *format,
		     enum model_print_style style, const struct model_event *event,
		     struct tdat_build *out)
{
	bool ok;

	pthread_mutex_lock(&tep->lock);
	ok = print_locked(tep, format, style, event, out);
	pthread_mutex_unlock(&tep->lock);
	return ok;
}
