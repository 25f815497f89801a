/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints with libtraceevent; no other file of the library knows it. Its parser has no bounds: a
 * print fmt of 4 KB can end in a stack overflow or in the use of freed memory. It gets the formats
 * of those events alone that a plugin handles, or whose print fmt calls a function of a plugin, and
 * only if our own parser found them sound (is_sound).
 */
#include "tep_fallback.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "format.h"
#include "print_ast.h"
#include "core/build.h"
#include "core/checked.h"
#include "core/on_demand.h"
#include "core/text.h"

/*
 * libtraceevent checks a dynamic field's 16-bit offset and length against the record, but not their
 * sums. This many zero bytes behind a record keep its reads inside our copy.
 */
enum { TEP_SLACK = 4 * 65536 };

/*
 * ID_COUNT: ids of events have 16 bits. ASKED_: plugins are asked for this many functions at most,
 * with names and arguments up to these sizes.
 */
enum { ID_COUNT = 65536, ASKED_MOST = 256, ASKED_NAME = 64, ASKED_ARGS = 32 };

/* The answer for one function: a plugin brought it with this number of arguments. */
struct asked {
	char name[ASKED_NAME];
	unsigned int args;
	bool known;
};

/* One handle of libtraceevent, made when it is needed first. */
struct tep_side {
	struct tep_handle *handle;
	struct tep_plugin_list *plugins;
	bool failed;
};

/* The functions of libtraceevent that are called. */
/* clang-format off */
#define CALLS(X) \
	X(tep_add_plugin_path) X(tep_alloc) X(tep_find_event) X(tep_free) \
	X(tep_load_plugins) X(tep_parse_event) X(tep_parse_kallsyms) \
	X(tep_parse_printk_formats) X(tep_parse_saved_cmdlines) X(tep_plugin_add_option) \
	X(tep_print_event) X(tep_set_file_bigendian) X(tep_set_flag) \
	X(tep_set_local_bigendian) X(tep_set_loglevel) X(tep_set_long_size) \
	X(tep_unload_plugins) X(trace_seq_destroy) X(trace_seq_init) \
	X(trace_seq_terminate)
/* clang-format on */
/* Plugins call its functions without being linked with it. */
TDAT_CALLS(tep_calls, CALLS, "libtraceevent.so.1", true)

/* libtraceevent's state is not safe for threads: everything is used under the lock. */
struct model_tep {
	struct tep_calls lib;
	pthread_mutex_t lock;
	struct model_tep_opts opts;
	struct tep_side sides[2]; /* with plugins, without */
	uint8_t *copy;		  /* of the record, and zeros */
	size_t copy_cap;
	uint8_t bad[ID_COUNT / 8]; /* ids of formats that it does not get or cannot parse */
	struct asked asked[ASKED_MOST];
	size_t asked_count;
	uint32_t made_count; /* events that no file has: their ids count down */
};

enum tdat_status model_tep_new(struct model_tep **out, const struct model_tep_opts *opts,
			       struct tdat_error *err)
{
	struct model_tep *tep = calloc(1, sizeof(*tep));
	enum tdat_status st = TDAT_OK;

	if (!tep)
		return tdat_error_no_memory(err, "libtraceevent");
	if (opts->plugin_dirs || opts->every_event)
		st = tep_calls_load(&tep->lib, err);
	if (st != TDAT_OK) {
		free(tep);
		return st;
	}
	tep->opts = *opts;
	pthread_mutex_init(&tep->lock, NULL);
	*out = tep;
	return TDAT_OK;
}

/* Plugins are unloaded before the handle that they registered with. */
void model_tep_free(struct model_tep *tep)
{
	size_t i;

	if (!tep)
		return;
	for (i = 0; i < 2; i++) {
		if (tep->sides[i].plugins)
			tep->lib.tep_unload_plugins(tep->sides[i].plugins, tep->sides[i].handle);
		if (tep->sides[i].handle)
			tep->lib.tep_free(tep->sides[i].handle);
	}
	pthread_mutex_destroy(&tep->lock);
	free(tep->copy);
	free(tep);
}

/*
 * Gives a stored text to libtraceevent, which wants a NUL behind it. Without memory the names are
 * missing, and addresses are printed.
 */
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

/*
 * True for "ADDRESS: text" of at least two characters. libtraceevent reads the last two of each
 * line, even if there are none.
 */
static bool is_printk(const uint8_t *line, size_t len)
{
	const uint8_t *colon = memchr(line, ':', len);

	return colon && colon != line && (size_t)(line + len - colon) >= 5;
}

/* Gives the printk formats to libtraceevent, without lines that it would misread. */
static void load_printk(const struct model_tep *tep, struct tep_handle *h, struct tdat_span text)
{
	struct tdat_build out;
	struct tdat_span line;

	tdat_build_init(&out, false);
	while (tdat_take_line(&text, &line)) {
		if (!is_printk(line.ptr, line.len) || memchr(line.ptr, 0, line.len))
			continue;
		tdat_build_bytes(&out, line.ptr, line.len);
		tdat_build_u8(&out, '\n');
	}
	if (!out.failed)
		load_text(h, (struct tdat_span){out.ptr, out.len},
			  tep->lib.tep_parse_printk_formats);
	tdat_build_fini(&out);
}

/* Sets an option of a plugin, "NAME" or "NAME=VALUE", which libtraceevent keeps for all handles. */
static void add_option(const struct model_tep *tep, const char *option)
{
	char *name = strdup(option), *value = name ? strchr(name, '=') : NULL;

	if (value)
		*value++ = '\0';
	if (name)
		tep->lib.tep_plugin_add_option(name, value);
	free(name);
}

/* Loads the plugins of the directories that the user named, and no others. */
static void load_plugins(struct model_tep *tep, struct tep_side *side)
{
	const char *const *p;

	tep->lib.tep_set_flag(side->handle, TEP_DISABLE_SYS_PLUGINS);
	for (p = tep->opts.plugin_dirs; *p; p++) {
		char *copy = strdup(*p);

		if (copy)
			tep->lib.tep_add_plugin_path(side->handle, copy, TEP_PLUGIN_LAST);
		free(copy);
	}
	for (p = tep->opts.plugin_options; p && *p; p++)
		add_option(tep, *p);
	side->plugins = tep->lib.tep_load_plugins(side->handle);
}

/* Returns the handle with or without plugins; handle NULL: no memory, and it is not tried again. */
static struct tep_side *open_side(struct model_tep *tep, bool plugins)
{
	struct tep_side *side = &tep->sides[plugins ? 0 : 1];

	if (side->handle || side->failed)
		return side;
	side->failed = !tep->lib.tep_alloc;
	if (side->failed)
		return side;
	tep->lib.tep_set_loglevel(TEP_LOG_NONE);
	side->handle = tep->lib.tep_alloc();
	if (!side->handle) {
		side->failed = true;
		return side;
	}
	tep->lib.tep_set_file_bigendian(side->handle,
					tep->opts.big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep->lib.tep_set_local_bigendian(side->handle,
					 TDAT_HOST_BIG ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep->lib.tep_set_long_size(side->handle, tep->opts.long_size);
	load_text(side->handle, tep->opts.kallsyms, tep->lib.tep_parse_kallsyms);
	load_printk(tep, side->handle, tep->opts.printk);
	load_text(side->handle, tep->opts.cmdlines, tep->lib.tep_parse_saved_cmdlines);
	if (plugins && tep->opts.plugin_dirs)
		load_plugins(tep, side);
	return side;
}

/* True for ids whose format libtraceevent must not get, or could not parse. */
static bool is_bad(const struct model_tep *tep, uint32_t id)
{
	return id >= ID_COUNT || tep->bad[id / 8] >> id % 8 & 1;
}

static void set_bad(struct model_tep *tep, uint32_t id)
{
	tep->bad[id / 8] |= (uint8_t)(1u << id % 8);
}

/* The handler that a plugin registered for an event. */
struct handler {
	tep_event_handler_func func; /* NULL: nothing */
	void *context;
};

/*
 * Returns the handler that a plugin registered for an event. Plugins register by name before any
 * event is known, and libtraceevent applies that when it parses such an event. So it gets an event
 * of this name without fields and print fmt, whose id no record has: events cannot be removed
 * again.
 */
static struct handler find_handler(struct model_tep *tep, struct tep_side *side,
				   const struct tdat_event_format *format)
{
	const int id = INT_MAX - (int)tep->made_count++;
	const struct tep_event *event;
	char *text;
	int len = asprintf(&text, "name: %s\nID: %d\nformat:\n\n\n", format->name, id);

	if (len < 0)
		return (struct handler){NULL, NULL};
	tep->lib.tep_parse_event(side->handle, text, (unsigned long)len, format->system);
	free(text);
	event = tep->lib.tep_find_event(side->handle, id);
	return event ? (struct handler){event->handler, event->context}
		     : (struct handler){NULL, NULL};
}

/*
 * True if a plugin brought the function: then the print fmt of an event that only calls it parses.
 */
static bool probe_function(const struct model_tep *tep, struct tep_side *side, const char *name,
			   unsigned int args, int id)
{
	const struct tep_event *event;
	char text[512];
	int len = snprintf(text, sizeof(text),
			   "name: call%d\nID: %d\nformat:\n\n\nprint fmt: \"%%d\", %s(1", id, id,
			   name);

	for (; --args && len < (int)sizeof(text) - 8; len += 3)
		strcpy(text + len, ", 1");
	strcpy(text + len, ")\n");
	tep->lib.tep_parse_event(side->handle, text, (unsigned long)len + 2, "tdat-calls");
	event = tep->lib.tep_find_event(side->handle, id);
	return event && !(event->flags & TEP_EVENT_FL_FAILED);
}

/* The context of knows_function(). */
struct knows {
	struct model_tep *tep;
	struct tep_side *side;
};

/*
 * is_sound_fmt() asks for each function that our parser does not know. Answers are kept: each
 * question adds an event to libtraceevent.
 */
static bool knows_function(void *ctx, const char *name, unsigned int args)
{
	const struct knows *k = ctx;
	struct model_tep *tep = k->tep;
	struct asked *a;
	size_t i;

	if (strlen(name) >= ASKED_NAME || !args || args > ASKED_ARGS)
		return false;
	for (i = 0; i < tep->asked_count; i++) {
		a = &tep->asked[i];
		if (a->args == args && !strcmp(a->name, name))
			return a->known;
	}
	if (tep->asked_count == ASKED_MOST)
		return false;
	a = &tep->asked[tep->asked_count];
	strcpy(a->name, name);
	a->args = args;
	a->known = probe_function(tep, k->side, name, args, INT_MAX - (int)tep->made_count++);
	tep->asked_count++;
	return a->known;
}

/* Returns the length of a format's text before its print fmt. */
static size_t head_len(struct tdat_span text)
{
	static const char mark[] = "\nprint fmt:";
	const uint8_t *at = memmem(text.ptr, text.len, mark, sizeof(mark) - 1);

	return at ? (size_t)(at - text.ptr) + 1 : text.len;
}

/*
 * True if a line before the print fmt begins with "print", which libtraceevent might take for it.
 */
static bool prints_early(struct tdat_span head)
{
	size_t i;

	for (i = 0; i < head.len; i++) {
		if (head.ptr[i] != '\n')
			continue;
		while (i + 1 < head.len && strchr(" \t\r\v\f", head.ptr[i + 1]))
			i++;
		if (head.len - i > 5 && !memcmp(head.ptr + i + 1, "print", 5))
			return true;
	}
	return false;
}

/* Gives the first len bytes of a format to libtraceevent. */
static void parse_event(const struct model_tep *tep, struct tep_side *side,
			const struct tdat_event_format *format, size_t len)
{
	char *text = malloc(len + 1);

	if (!text)
		return;
	memcpy(text, format->text.ptr, len);
	text[len] = '\0';
	tep->lib.tep_parse_event(side->handle, text, len, format->system);
	free(text);
}

enum {
	SOUND_TEXT = 64 * 1024, /* the longest format of Linux 6.12 has some 20 KiB */
	SOUND_RECORD = 64 * 1024,
	SOUND_DEPTH = 64 /* calls of our parser; libtraceevent's take about 500 bytes */
};

/*
 * True if libtraceevent may get the text before print fmt. A NUL would make it read another text
 * than we did.
 */
static bool is_sound(const struct tdat_event_format *format, size_t head_len)
{
	return !format->cut && head_len <= SOUND_TEXT && format->fixed_len <= SOUND_RECORD &&
	       model_is_word(format->name) && !memchr(format->text.ptr, 0, format->text.len);
}

/*
 * True if libtraceevent may get the print fmt. *asked: it calls a function that only a plugin
 * knows.
 */
static bool is_sound_fmt(const struct tdat_event_format *format, struct knows *knows, bool *asked)
{
	struct tdat_arena arena = {0};
	struct ast_print parsed = {.knows = knows_function, .knows_ctx = knows};
	bool ok = *format->print_fmt && format->text.len <= SOUND_TEXT &&
		  ast_parse(&parsed, format, true, &arena);

	tdat_arena_fini(&arena);
	*asked = parsed.knew;
	return ok && parsed.deepest <= SOUND_DEPTH;
}

/*
 * Makes an event known to the handle if a plugin handles it or its print fmt calls a function of a
 * plugin. A print fmt that is not sound is left out: the plugin's handler only needs the fields.
 */
static bool have_event(struct model_tep *tep, struct tep_side *side,
		       const struct tdat_event_format *format)
{
	struct knows knows = {tep, side};
	const size_t head = head_len(format->text);
	struct handler handler;
	struct tep_event *event;
	bool calls, sound;

	if (is_bad(tep, format->id))
		return false;
	if (tep->lib.tep_find_event(side->handle, (int)format->id))
		return true;
	/* Bad until all went well, so that a failure is not repeated for each record. */
	set_bad(tep, format->id);
	if (!is_sound(format, head) || prints_early((struct tdat_span){format->text.ptr, head}))
		return false;
	handler = find_handler(tep, side, format);
	sound = is_sound_fmt(format, &knows, &calls);
	if (!handler.func && !tep->opts.every_event && !(sound && calls))
		return false;
	parse_event(tep, side, format, sound || tep->opts.every_event ? format->text.len : head);
	event = tep->lib.tep_find_event(side->handle, (int)format->id);
	if (!event)
		return false;
	event->handler = handler.func;
	event->context = handler.context;
	tep->bad[format->id / 8] &= (uint8_t) ~(1u << format->id % 8);
	return true;
}

/*
 * Returns the record followed by zeros, at least as long as the format's fixed part. NULL: no
 * memory. The copy is good until the next call.
 */
static uint8_t *pad(struct model_tep *tep, const struct tdat_event_format *format,
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

/* Prints one event by libtraceevent. False: it does not print this event. */
static bool print_locked(struct model_tep *tep, const struct tdat_event_format *format,
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
	/* libtraceevent must not free the record. */
	rec.ref_count = 1;
	tep->lib.trace_seq_init(&seq);
	tep->lib.tep_print_event(side->handle, &seq, &rec, "%s",
				 style == MODEL_PRINT_RAW ? TEP_PRINT_INFO_RAW : TEP_PRINT_INFO);
	tep->lib.trace_seq_terminate(&seq);
	if (seq.state == TRACE_SEQ__GOOD)
		tdat_build_bytes(out, seq.buffer, seq.len);
	tep->lib.trace_seq_destroy(&seq);
	return true;
}

/* Returns the event with the handler of a user's plugin; NULL: no plugin prints it. */
static struct tep_event *plugin_event(struct model_tep *tep, const struct tdat_event_format *format)
{
	struct tep_event *event = NULL;
	struct tep_side *side;

	if (!tep->opts.plugin_dirs)
		return NULL;
	pthread_mutex_lock(&tep->lock);
	side = open_side(tep, true);
	if (side->handle && have_event(tep, side, format))
		event = tep->lib.tep_find_event(side->handle, (int)format->id);
	pthread_mutex_unlock(&tep->lock);
	return event;
}

bool model_tep_has_plugin(struct model_tep *tep, const struct tdat_event_format *format)
{
	const struct tep_event *event = plugin_event(tep, format);

	return event && event->handler;
}

bool model_tep_has_function(struct model_tep *tep, const struct tdat_event_format *format)
{
	const struct tep_event *event = plugin_event(tep, format);

	return event && !(event->flags & TEP_EVENT_FL_FAILED);
}

bool model_tep_print(struct model_tep *tep, const struct tdat_event_format *format,
		     enum model_print_style style, const struct model_event *event,
		     struct tdat_build *out)
{
	bool ok;

	pthread_mutex_lock(&tep->lock);
	ok = print_locked(tep, format, style, event, out);
	pthread_mutex_unlock(&tep->lock);
	return ok;
}
