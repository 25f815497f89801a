/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Defines the importer of recorded writes to user_events: its options, and the steps of an
 * import. Definitions are read first, then logs; writes of all logs go through one sort by
 * time. A write that the kernel would refuse is a warning with its errno.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorded_writes.h"
#include "import/importers.h"
#include "import/importer_options.h"
#include "import/cpustat.h"
#include "import/task_names.h"

/* The id of the first event, as in a recording (UE_FIRST_ID). */
enum { FIRST_ID = 1500 };

static const struct tdat_keyed_option_desc option_descs[] = {
	{"definitions", "FILE", "file of registrations, one per line, or a saved dynamic_events"},
	{"endian", "ORDER", "byte order of the payloads: little (default) or big"},
	{"log", "KIND",
	 "kind of log: text, raw, or raw-ts (raw with timestamps); default: by content"},
	{"pid", "N", "process id for raw logs whose names lack it"},
	{"comms", "FILE", "file of task names, each line a pid and a name"},
	{"uname", "TEXT", "the traced machine's uname, to store in the trace.dat"},
	{"multi-format", NULL, "register events with the flag MULTI_FORMAT"},
	{"word-names", NULL, "make event names readable for trace-cmd: NAME.0 becomes NAME_0"},
	{NULL, NULL, NULL},
};

/* Inputs with these names are definitions without --definitions. */
static bool is_defs_name(const char *name)
{
	return !strcmp(name, "dynamic_events") || !strcmp(name, "defs.txt") ||
	       !strcmp(name, "definitions") || !strcmp(name, "definitions.txt");
}

/* Inputs with these names have names of tasks without --comms. */
static bool is_comms_name(const char *name)
{
	return !strcmp(name, "saved_cmdlines") || !strcmp(name, "comms.txt");
}

/*
 * Reads the options that hold for all inputs. Files that options name are read later, by
 * read_sidecar().
 */
static enum tdat_status parse_options(struct user_import *u, struct tdat_error *err)
{
	static const char *const orders[] = {"little", "big", NULL};
	static const char *const kinds[] = {"auto", "text", "raw", "raw-ts", NULL};
	size_t order = 0, kind = 0;
	uint64_t pid = 0;
	enum tdat_status st;

	st = import_options_check(u->request, option_descs, "user_events", err);
	st = import_option_choice(u->request, "endian", orders, &order, st, err);
	st = import_option_choice(u->request, "log", kinds, &kind, st, err);
	st = import_option_u64(u->request, "pid", 0, INT32_MAX, &pid, st, err);
	u->big = order == 1;
	u->kind = (enum user_log_kind)kind;
	u->pid = (int32_t)pid;
	u->multi = import_option_flag(u->request, "multi-format");
	return st;
}

typedef enum tdat_status (*read_fn)(struct user_import *u, const char *name,
				    const struct tdat_source *source, struct tdat_error *err);

/* Reads the file that an option names, else the inputs that have a usual name. */
static enum tdat_status read_sidecar(struct user_import *u, const char *key,
				     bool (*is_name)(const char *), read_fn read, bool *found,
				     struct tdat_error *err)
{
	const char *path = import_option_find(u->request, key);
	enum tdat_status st = TDAT_OK;

	*found = path != NULL;
	if (path) {
		struct tdat_source *source;

		st = tdat_source_open_path(&source, path, TDAT_ACCESS_READ, err);
		if (st != TDAT_OK)
			return st;
		st = read(u, path, source, err);
		tdat_source_close(source);
		return st;
	}
	for (size_t i = 0; i < u->request->input_count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = &u->request->inputs[i];

		if (!is_name(in->name))
			continue;
		*found = true;
		st = read(u, in->name, in->source, err);
	}
	return st;
}

/* Reads lines of a pid and a name, as saved_cmdlines has them. */
static enum tdat_status read_comms(struct user_import *u, const char *name,
				   const struct tdat_source *source, struct tdat_error *err)
{
	return import_task_names(name, source, u->emit, err);
}

/*
 * Reads each input that is neither definitions nor names. Without --log each of them may be another
 * kind.
 */
static enum tdat_status read_logs(struct user_import *u, struct tdat_error *err)
{
	enum user_log_kind given = u->kind;
	enum tdat_status st = TDAT_OK;
	uint32_t order = 0;

	for (size_t i = 0; i < u->request->input_count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = &u->request->inputs[i];
		bool text;

		if (is_defs_name(in->name) || is_comms_name(in->name))
			continue;
		/* An empty file has no writes, so its kind does not matter. */
		if (tdat_source_len(in->source) == 0)
			continue;
		text = given == USER_LOG_TEXT ||
		       (given == USER_LOG_AUTO && user_probe_text(in->source));
		u->kind = given == USER_LOG_AUTO ? USER_LOG_RAW : given;
		if (text)
			st = user_read_text(u, in->name, in->source, err);
		else
			st = user_read_stream(u, in->name, order++, in->source, err);
	}
	return st;
}

/*
 * True if writes have a time. That decides on the clock, which is emitted before anything is read.
 */
static bool is_stamped(const struct user_import *u)
{
	if (u->kind != USER_LOG_AUTO)
		return u->kind != USER_LOG_RAW;
	for (size_t i = 0; i < u->request->input_count; i++)
		if (user_probe_text(u->request->inputs[i].source))
			return true;
	return false;
}

/* Without a time, writes get numbers by their order in a stream, which is the clock "counter". */
static enum tdat_status emit_info(struct user_import *u, struct tdat_error *err)
{
	struct tdat_emit_info info = TDAT_EMIT_INFO_INIT;
	char version[64];

	snprintf(version, sizeof(version), "tdat %s (user_events)", tdat_version());
	info.big_endian = u->big;
	info.long_size = 8;
	info.clock = is_stamped(u) ? "mono" : "counter";
	info.version = version;
	info.uname = import_option_find(u->request, "uname");
	return tdat_emit_info(u->emit, &info, err);
}

/*
 * Emits the numbers that the import reports at its end; those that are usually 0 only if they are
 * not.
 */
static enum tdat_status emit_facts(struct user_import *u, struct tdat_error *err)
{
	const struct tdat_emit *emit = u->emit;
	enum tdat_status st;

	st = import_fact_u64(emit, "definitions", u->number_count, TDAT_OK, err);
	st = import_fact_u64(emit, "writes", u->writes, st, err);
	if (u->refused)
		st = import_fact_u64(emit, "refused", u->refused, st, err);
	if (u->earlier)
		st = import_fact_u64(emit, "sorted", u->earlier, st, err);
	if (u->extra)
		st = import_fact_u64(emit, "with extra bytes", u->extra, st, err);
	return st;
}

/* The steps of an import. Definitions come first: a write is understood only with its event. */
static enum tdat_status run(struct user_import *u, struct tdat_error *err)
{
	struct tdat_user_events_opts opts = TDAT_USER_EVENTS_OPTS_INIT;
	enum tdat_status st = emit_info(u, err);
	bool found = false;

	opts.big_endian = u->big;
	opts.first_id = FIRST_ID;
	opts.word_names = import_option_flag(u->request, "word-names");
	if (st == TDAT_OK)
		st = tdat_user_events_new(&u->events, u->emit, &opts, err);
	if (st == TDAT_OK)
		st = import_sort_new(&u->sort, 0, err);
	if (st == TDAT_OK)
		st = read_sidecar(u, "definitions", is_defs_name, user_read_defs, &found, err);
	if (st == TDAT_OK && !found)
		st = tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
				    "no event definitions: name their file with --definitions, or "
				    "add an input called dynamic_events or defs.txt");
	if (st == TDAT_OK)
		st = read_sidecar(u, "comms", is_comms_name, read_comms, &found, err);
	if (st == TDAT_OK)
		st = read_logs(u, err);
	if (st == TDAT_OK)
		st = user_emit_writes(u, err);
	return st == TDAT_OK ? emit_facts(u, err) : st;
}

/* Releases all, also after a failure. */
static enum tdat_status user_run(const struct tdat_import_request *request,
				 const struct tdat_emit *emit, struct tdat_error *err)
{
	struct user_import u = {.request = request, .emit = emit};
	enum tdat_status st = parse_options(&u, err);

	if (st == TDAT_OK)
		st = run(&u, err);
	import_sort_free(u.sort);
	tdat_user_events_free(u.events);
	free(u.numbers);
	return st;
}

/*
 * The more lines look like writes, the surer. A file of definitions beside them makes it surer
 * still.
 */
static uint32_t user_probe(const struct tdat_import_input *inputs, size_t input_count)
{
	uint64_t bits = 0;
	bool defs = false;

	for (size_t i = 0; i < input_count; i++) {
		if (is_defs_name(inputs[i].name))
			defs = true;
		else
			bits += user_probe_text(inputs[i].source);
	}
	if (defs && bits)
		bits += 16;
	return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}

const struct tdat_importer import_user_events = {
	.name = "user_events",
	.summary = "writes to the kernel's user_events, logged as text or streams, with event "
		   "definitions",
	.options = option_descs,
	.probe = user_probe,
	.run = user_run,
};
