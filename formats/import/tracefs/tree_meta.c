/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Emits everything but CPU data: formats, names, symbols, clocks, statistics. Each text is
 * checked line by line by those who read it later; a file that is cut is reported. Statistics
 * of CPUs become option CPUSTAT.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tdat/file.h>

#include "core/build.h"
#include "core/text.h"
#include "import/format_folder.h"
#include "import/task_names.h"
#include "import/text_lines.h"
#include "tracefs.h"

/*
 * Reads a whole text file, without the newlines at its end and with a NUL behind. The caller frees
 * it; *len may exceed strlen() if the file holds NULs.
 */
enum tdat_status tracefs_text(const struct tdat_import_input *in, char **out, size_t *len,
			      struct tdat_error *err)
{
	uint64_t n = tdat_source_len(in->source);
	enum tdat_status st;
	char *text;

	*out = NULL;
	if (n > TRACEFS_TEXT_MAX)
		return tdat_error_set(err, TDAT_E_LIMIT, TDAT_NO_OFFSET,
				      "%s has %" PRIu64
				      " bytes, more than the maximum of %d for such a file",
				      in->path, n, TRACEFS_TEXT_MAX);
	text = malloc((size_t)n + 1);
	if (!text)
		return tdat_error_no_memory(err, "metadata");
	st = tdat_source_read(in->source, 0, text, (size_t)n, err);
	if (st != TDAT_OK) {
		free(text);
		return st;
	}
	while (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	*out = text;
	if (len)
		*len = (size_t)n;
	return TDAT_OK;
}

/* Cuts "local [global] boot" to the clock in brackets, in place; other text stays. */
char *tracefs_active_clock(char *text)
{
	const struct tdat_span active =
		tdat_active_clock((struct tdat_span){(uint8_t *)text, strlen(text)});

	if (!active.ptr)
		return text;
	text = (char *)active.ptr;
	text[active.len] = '\0';
	return text;
}

/* ---- event formats ---- */

/* Returns why the writer could not take a format; NULL: it can, and its id is marked as used. */
static const char *unfit(struct tdat_span text, struct tracefs_ids *ids)
{
	struct tdat_span id = tdat_behind(text, "ID: ");
	uint64_t v;

	if (!tdat_behind(text, "name: ").ptr)
		return "no line \"name: \"";
	if (!tdat_take_digits(&id, 10, &v))
		return "no line \"ID: \" with a number";
	if (!v || v > UINT16_MAX || (id.len && *id.ptr != '\n'))
		return "an id that is not 1 to 65535";
	if (tracefs_ids_has(ids, (uint16_t)v))
		return "an id that another format has";
	tracefs_ids_add(ids, (uint16_t)v);
	return NULL;
}

/* What formats are emitted to; the ids of those so far. */
struct format_sink {
	const struct tdat_emit *emit;
	struct tracefs_ids *ids;
};

/* Emits one format. A bad one costs a warning, and its events have no names. */
static enum tdat_status emit_format(const struct tdat_import_input *in, const char *system,
				    size_t system_len, const struct format_sink *sink,
				    struct tdat_error *err)
{
	char *text, *name = strndup(system, system_len);
	enum tdat_status st;
	const char *why = NULL;
	uint16_t id;
	size_t len;

	if (!name)
		return tdat_error_no_memory(err, "metadata");
	st = tracefs_text(in, &text, &len, err);
	if (st == TDAT_OK) {
		why = strlen(text) == len
			      ? unfit((struct tdat_span){(uint8_t *)text, len}, sink->ids)
			      : "a byte 0";
		/* The kernel ends it with a newline, which tracefs_text() took off. */
		text[len] = '\n'; /* as the kernel ends it */
		if (why)
			st = tdat_emit_warnf(sink->emit, in->name, TDAT_NO_OFFSET, err,
					     "the format has %s and is omitted", why);
		else
			st = tdat_emit_format(sink->emit, name, text, len + 1, &id, err);
	}
	if (st == TDAT_OK && !why)
		st = import_warn_unended(in->name, in->source, sink->emit, err);
	free(text);
	free(name);
	return st;
}

/* Emits a format of the file or folder that the user names, if the tree has none of its id. */
static enum tdat_status emit_other(void *ctx, const char *system, const char *text, size_t len,
				   struct tdat_error *err)
{
	const struct format_sink *sink = ctx;
	uint16_t id;

	return !len || memchr(text, 0, len) ||
			       unfit((struct tdat_span){(const uint8_t *)text, len}, sink->ids)
		       ? TDAT_OK
		       : tdat_emit_format(sink->emit, system, text, len, &id, err);
}

static enum tdat_status emit_others(const char *from, struct format_sink *sink,
				    struct tdat_error *err)
{
	struct tdat_file *file;
	enum tdat_status st;

	if (import_is_folder(from))
		return import_format_folder(from, emit_other, sink, err);
	st = tdat_file_open(&file, from, NULL, err);
	if (st != TDAT_OK)
		return st;
	for (size_t i = 0; st == TDAT_OK && i < tdat_file_format_count(file); i++) {
		const char *system;
		const struct tdat_span text = tdat_file_format_text(file, i, &system);

		st = emit_other(sink, system, (const char *)text.ptr, text.len, err);
	}
	tdat_file_close(file);
	return st;
}

/* Emits all formats; the system is the folder's name. Files that tar found empty are none. */
static enum tdat_status emit_formats(const struct tracefs_files *f, const char *from,
				     struct format_sink *sink, struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < f->formats.count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = f->formats.v[i];
		const char *system = in->name + f->root_len + strlen("events/");

		if (!from || tdat_source_len(in->source))
			st = emit_format(in, system, strcspn(system, "/"), sink, err);
	}
	if (st == TDAT_OK && from)
		return emit_others(from, sink, err);
	if (st == TDAT_OK && !f->formats.count)
		st = tdat_emit_warnf(
			sink->emit, NULL, TDAT_NO_OFFSET, err,
			"events/*/*/format is missing, so events have no names: add formats of the "
			"same kernel with \"tdat convert --from tracefs --formats-from FILE\"");
	return st;
}

/* ---- names and symbols ---- */

/* Emits the names of tasks. */
static enum tdat_status emit_comms(const struct tdat_import_input *in, const struct tdat_emit *emit,
				   struct tdat_error *err)
{
	if (!in)
		return tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err,
				       "saved_cmdlines is missing: tasks have no names");
	return import_task_names(in->name, in->source, emit, err);
}

/* Emits a text of any size; fn is kallsyms or printk of the emit. in NULL: nothing. */
static enum tdat_status emit_text(const struct tdat_import_input *in, import_text_fn fn,
				  const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st = in ? import_text_emit(in->source, fn, emit, err) : TDAT_OK;

	return in && st == TDAT_OK ? import_warn_unended(in->name, in->source, emit, err) : st;
}

/* Reads a text as tracefs_text() does, but ends it at the first NUL with a warning. */
static enum tdat_status whole_text(const struct tdat_import_input *in, const struct tdat_emit *emit,
				   char **text, size_t *len, struct tdat_error *err)
{
	enum tdat_status st = tracefs_text(in, text, len, err);
	size_t ends;

	if (st != TDAT_OK)
		return st;
	ends = strlen(*text);
	if (ends < *len)
		st = tdat_emit_warnf(emit, in->name, ends, err, "%zu bytes after a NUL are omitted",
				     *len - ends);
	*len = ends;
	return st == TDAT_OK ? import_warn_unended(in->name, in->source, emit, err) : st;
}

/*
 * Emits the option SAVED_TGIDS if wanted. Only readers of one fork of trace-cmd know it, and others
 * warn.
 */
static enum tdat_status emit_tgids(const struct tdat_import_input *in, bool wanted,
				   const struct tdat_emit *emit, struct tdat_error *err)
{
	enum tdat_status st;
	char *text;
	size_t len;

	if (!in || !tdat_source_len(in->source))
		return TDAT_OK;
	if (!wanted)
		return tdat_emit_factf(emit, "saved_tgids", err, "omitted");
	st = tracefs_text(in, &text, &len, err);
	if (st == TDAT_OK)
		text[len++] = '\n';
	if (st == TDAT_OK)
		st = tdat_emit_option(emit, TDAT_OPTION_SAVED_TGIDS, text, len, err);
	free(text);
	return st == TDAT_OK ? import_warn_unended(in->name, in->source, emit, err) : st;
}

/*
 * Emits the text of trace_clock whole, as trace-cmd records it: all clocks, the active one in
 * brackets.
 */
static enum tdat_status emit_clock(const struct tdat_import_input *in, const struct tdat_emit *emit,
				   struct tdat_error *err)
{
	enum tdat_status st;
	char *text;
	size_t len;

	if (!in)
		return tdat_emit_warnf(emit, NULL, TDAT_NO_OFFSET, err,
				       "trace_clock is missing: tdat assumes the clock local");
	st = whole_text(in, emit, &text, &len, err);
	if (st == TDAT_OK && !len)
		st = tdat_emit_warnf(emit, in->name, TDAT_NO_OFFSET, err,
				     "the file names no clock: tdat assumes the clock local");
	else if (st == TDAT_OK)
		st = tdat_emit_option(emit, TDAT_OPTION_TRACECLOCK, text, len + 1, err);
	free(text);
	return st;
}

/* Emits everything but CPU data and statistics. described: ids of the formats that were emitted. */
enum tdat_status tracefs_meta(const struct tracefs_files *f, const struct tdat_emit *emit,
			      bool tgids, const char *formats_from, struct tracefs_ids *described,
			      struct tdat_error *err)
{
	struct format_sink sink = {emit, described};
	enum tdat_status st = emit_formats(f, formats_from, &sink, err);

	if (st == TDAT_OK)
		st = emit_comms(f->cmdlines, emit, err);
	if (st == TDAT_OK)
		st = emit_text(f->kallsyms, emit->ops->kallsyms, emit, err);
	if (st == TDAT_OK)
		st = emit_text(f->printk, emit->ops->printk, emit, err);
	if (st == TDAT_OK)
		st = emit_clock(f->buffers[0].trace_clock, emit, err);
	return st == TDAT_OK ? emit_tgids(f->tgids, tgids, emit, err) : st;
}

/* ---- per_cpu/cpuN/stats ---- */

/* Warns if a CPU's stats count events, but its data was not copied. */
static enum tdat_status warn_absent(const struct tracefs_cpu *cpu, const struct tdat_emit *emit,
				    struct tdat_error *err)
{
	if (tracefs_cpu_data(cpu, false) || tracefs_cpu_data(cpu, true) || !cpu->entries)
		return TDAT_OK;
	return tdat_emit_warnf(emit, cpu->stats->name, TDAT_NO_OFFSET, err,
			       "the file counts %" PRIu64
			       " entries of CPU %u, but there is %s trace_pipe_raw beside it",
			       cpu->entries, cpu->cpu, cpu->raw ? "nothing in the" : "no");
}

/*
 * Warns if a CPU's data has fewer events than its stats counted. lost: events that the pages
 * themselves report as lost.
 */
enum tdat_status tracefs_warn_missing(const struct tracefs_cpu *cpu, uint64_t events, uint64_t lost,
				      const struct tdat_emit *emit, struct tdat_error *err)
{
	/*
	 * The trace may have continued after stats was copied; events overwritten since then are no
	 * error.
	 */
	const uint64_t later = lost > cpu->overrun ? lost - cpu->overrun : 0;

	if (events >= cpu->entries || later >= cpu->entries - events)
		return TDAT_OK;
	return tdat_emit_warnf(emit, cpu->stats->name, TDAT_NO_OFFSET, err,
			       "the file counts %" PRIu64
			       " entries of CPU %u, but trace_pipe_raw beside it has only %" PRIu64
			       " events",
			       cpu->entries, cpu->cpu, events);
}

/*
 * Emits the stats file of one CPU as an option, and keeps its counters for tracefs_warn_missing().
 */
static enum tdat_status emit_cpu_stats(struct tracefs_cpu *cpu, const struct tdat_emit *emit,
				       struct tdat_error *err)
{
	struct tdat_build b;
	enum tdat_status st;
	char *text;
	size_t len;

	if (!cpu->stats || !tdat_source_len(cpu->stats->source))
		return TDAT_OK;
	st = whole_text(cpu->stats, emit, &text, &len, err);
	if (st == TDAT_OK) {
		tdat_line_number((struct tdat_span){(uint8_t *)text, len},
				 "entries:", &cpu->entries);
		tdat_line_number((struct tdat_span){(uint8_t *)text, len},
				 "overrun:", &cpu->overrun);
		st = warn_absent(cpu, emit, err);
	}
	if (st != TDAT_OK) {
		free(text);
		return st;
	}
	tdat_build_init(&b, false);
	tdat_build_printf(&b, "CPU: %u\n%s\n", cpu->cpu, text);
	tdat_build_u8(&b, 0);
	st = b.failed ? tdat_error_no_memory(err, "metadata")
		      : tdat_emit_option(emit, TDAT_OPTION_CPUSTAT, b.ptr, b.len, err);
	tdat_build_fini(&b);
	free(text);
	return st;
}

/* Emits all stats, with a heading for each instance as trace-cmd makes it. */
enum tdat_status tracefs_stats(struct tracefs_files *f, const struct tdat_emit *emit,
			       struct tdat_error *err)
{
	enum tdat_status st = TDAT_OK;

	for (size_t i = 0; i < f->buffer_count && st == TDAT_OK; i++) {
		const struct tracefs_buffer *b = &f->buffers[i];

		if (i) {
			char text[300];
			int n = snprintf(text, sizeof(text), "\nBuffer: %.255s\n\n", b->name);

			st = tdat_emit_option(emit, TDAT_OPTION_CPUSTAT, text, (size_t)n + 1, err);
		}
		for (size_t c = 0; c < b->cpu_count && st == TDAT_OK; c++)
			st = emit_cpu_stats(&b->cpus[c], emit, err);
	}
	return st;
}
