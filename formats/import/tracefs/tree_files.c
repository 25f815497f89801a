/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells what each file of the tree is, by its name within the capture. The tree may have been
 * copied from anywhere below /sys, so paths are matched from their end. Instances are buffers;
 * files of other tracers are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/search.h"
#include "core/text.h"
#include "import/importer_options.h"
#include "tracefs.h"

/* Returns the last place where "word" is a whole component of name; NULL: it is none. */
static const char *last_component(const char *name, const char *word)
{
	size_t len = strlen(word);
	const char *found = NULL;

	for (const char *p = name; *p; p++) {
		if ((p == name || p[-1] == '/') && !strncmp(p, word, len) &&
		    (p[len] == '/' || !p[len]))
			found = p;
	}
	return found;
}

/*
 * Splits "per_cpu/cpuN/REST": returns REST, and the number in *cpu. NULL: another name, or a CPU
 * beyond the limit.
 */
static const char *in_per_cpu(const char *name, uint32_t *cpu)
{
	const char *p;
	uint64_t v;

	if (strncmp(name, "per_cpu/cpu", 11) || !tdat_is_dec((uint8_t)name[11]))
		return NULL;
	p = tdat_read_digits(name + 11, NULL, 10, &v);
	if (v > TRACEFS_CPU_MAX)
		return NULL;
	*cpu = (uint32_t)v;
	return *p == '/' ? p + 1 : NULL;
}

static bool is_raw_name(const char *rest)
{
	return rest && (!strcmp(rest, "trace_pipe_raw") || !strcmp(rest, "snapshot_raw"));
}

/*
 * True for names like those of CPU data, or of a packed or older copy, in a place where none can
 * be: "per_cpu/cpu-1/trace_pipe_raw", "per_cpu2/cpu0/snapshot_raw",
 * "per_cpu/cpu0/trace_pipe_raw.gz". They cost a warning, since events may be missing.
 */
static bool is_stray(const char *name)
{
	const char *file = tdat_base_name(name), *per_cpu = last_component(name, "per_cpu");
	uint32_t cpu;

	if (strncmp(file, "trace_pipe_raw", 14) && strncmp(file, "snapshot_raw", 12))
		return false;
	return !per_cpu || !is_raw_name(in_per_cpu(per_cpu, &cpu));
}

/* True if a name is that of CPU data, in whatever folder. */
bool tracefs_is_raw(const char *name)
{
	const char *at = last_component(name, "per_cpu");
	uint32_t cpu;

	return at && is_raw_name(in_per_cpu(at, &cpu));
}

/* Length of the folder's name before "events/header_page"; -1: another name. */
long tracefs_header_page_root(const char *name)
{
	const char *at = last_component(name, "events");

	return at && !strcmp(at, "events/header_page") ? at - name : -1;
}

/* ---- the folder all of it is in ---- */

/*
 * Returns the length of the capture's root in a name: the part before its usual end, or before
 * "instances/X/". -1: the name shows no root.
 */
static long root_of(const char *name)
{
	const char *instances = last_component(name, "instances");
	long len = tracefs_header_page_root(name);

	if (len < 0 && tracefs_is_raw(name))
		len = last_component(name, "per_cpu") - name;
	/* An instance is part of the capture above it, unless "instances" lies deeper. */
	if (len > 0 && instances && instances - name < len) {
		const char *end = strchr(instances + 10, '/');

		if (end && end + 1 - name == len)
			len = instances - name;
	}
	return len;
}

/* Finds the root, which all telling names must share: two captures cannot be mixed. */
static enum tdat_status find_root(struct tracefs_files *f,
				  const struct tdat_import_request *request, struct tdat_error *err)
{
	const char *root = NULL;

	for (size_t i = 0; i < request->input_count; i++) {
		const char *name = request->inputs[i].name;
		long len = root_of(name);

		if (len < 0)
			continue;
		if (!root) {
			f->root = root = name;
			f->root_len = (size_t)len;
		} else if (f->root_len != (size_t)len || strncmp(root, name, (size_t)len)) {
			return tdat_error_set(err, TDAT_E_USAGE, TDAT_NO_OFFSET,
					      "the inputs contain two captures, one with %s and "
					      "one with %s: name the folder of one",
					      root, name);
		}
	}
	if (root)
		return TDAT_OK;
	return tdat_error_set(
		err, TDAT_E_FORMAT, TDAT_NO_OFFSET,
		"no input is named events/header_page or per_cpu/cpu0/trace_pipe_raw");
}

/* ---- sorting ---- */

/*
 * Finds the buffer of a name, or adds it. "" is the top buffer. *out is valid until the next call.
 */
static enum tdat_status buffer_named(struct tracefs_files *f, const char *name, size_t len,
				     struct tracefs_buffer **out, struct tdat_error *err)
{
	for (size_t i = 0; i < f->buffer_count; i++) {
		*out = &f->buffers[i];
		if (strlen((*out)->name) == len && !memcmp((*out)->name, name, len))
			return TDAT_OK;
	}
	if (!TDAT_GROW(f->buffers, &f->buffer_cap, f->buffer_count + 1))
		return tdat_error_no_memory(err, "a list of files");
	*out = &f->buffers[f->buffer_count];
	memset(*out, 0, sizeof(**out));
	(*out)->name = strndup(name, len);
	if (!(*out)->name)
		return tdat_error_no_memory(err, "a list of files");
	f->buffer_count++;
	return TDAT_OK;
}

static enum tdat_status add(struct tracefs_list *list, const struct tdat_import_input *in,
			    struct tdat_error *err)
{
	if (!TDAT_GROW(list->v, &list->cap, list->count + 1))
		return tdat_error_no_memory(err, "a list of files");
	list->v[list->count++] = in;
	return TDAT_OK;
}

/* Keeps a file of per_cpu/cpuN. The search begins at the end, as files of one CPU come together. */
static enum tdat_status take_cpu(struct tracefs_files *f, struct tracefs_buffer *b, uint32_t number,
				 const char *rest, const struct tdat_import_input *in,
				 struct tdat_error *err)
{
	struct tracefs_cpu *cpu = NULL;

	for (size_t i = b->cpu_count; i-- && !cpu;)
		if (b->cpus[i].cpu == number)
			cpu = &b->cpus[i];
	if (!cpu) {
		if (!TDAT_GROW(b->cpus, &b->cpu_cap, b->cpu_count + 1))
			return tdat_error_no_memory(err, "a list of files");
		cpu = &b->cpus[b->cpu_count++];
		*cpu = (struct tracefs_cpu){.cpu = number};
	}
	/* "cpu1" and "cpu01" name the same CPU: the second one is a stray. */
	if ((cpu->raw && !strcmp(rest, "trace_pipe_raw")) ||
	    (cpu->snapshot && !strcmp(rest, "snapshot_raw")))
		return add(&f->strays, in, err);
	if (!strcmp(rest, "trace_pipe_raw"))
		cpu->raw = in;
	else if (!strcmp(rest, "snapshot_raw"))
		cpu->snapshot = in;
	else if (!strcmp(rest, "stats"))
		cpu->stats = in;
	return TDAT_OK;
}

/* True for "events/SYSTEM/EVENT/format", and nothing deeper. */
static bool is_format(const char *name)
{
	const char *system, *event;

	if (strncmp(name, "events/", 7))
		return false;
	system = strchr(name + 7, '/');
	event = system ? strchr(system + 1, '/') : NULL;
	return event && system > name + 7 && event > system + 1 && !strcmp(event, "/format");
}

/* Keeps a file that each buffer has. */
static enum tdat_status take_of_buffer(struct tracefs_files *f, struct tracefs_buffer *b,
				       const char *name, const struct tdat_import_input *in,
				       struct tdat_error *err)
{
	uint32_t cpu;
	const char *rest = in_per_cpu(name, &cpu);

	if (rest && !is_stray(name))
		return take_cpu(f, b, cpu, rest, in, err);
	if (!strcmp(name, "events/header_page"))
		b->header_page = in;
	else if (!strcmp(name, "trace_clock"))
		b->trace_clock = in;
	return TDAT_OK;
}

/* Sorts one file by its name below the root; unknown ones are ignored. */
static enum tdat_status take(struct tracefs_files *f, const char *name,
			     const struct tdat_import_input *in, struct tdat_error *err)
{
	struct tracefs_buffer *b;

	if (!strncmp(name, "instances/", 10) && strchr(name + 10, '/')) {
		const char *end = strchr(name + 10, '/');
		enum tdat_status st =
			buffer_named(f, name + 10, (size_t)(end - name) - 10, &b, err);

		return st == TDAT_OK ? take_of_buffer(f, b, end + 1, in, err) : st;
	}
	if (is_format(name))
		return add(&f->formats, in, err);
	if (!strcmp(name, "printk_formats"))
		f->printk = in;
	else if (!strcmp(name, "saved_cmdlines"))
		f->cmdlines = in;
	else if (!strcmp(name, "saved_tgids"))
		f->tgids = in;
	return take_of_buffer(f, &f->buffers[0], name, in, err);
}

/* Keeps files that may also be beside the tree. One at the top of the capture wins. */
static void take_beside(struct tracefs_files *f, const struct tdat_import_input *in)
{
	const char *name = tdat_base_name(in->name);
	const bool at_top = name == in->name;

	if (last_component(in->name, "events") || last_component(in->name, "instances"))
		return;
	if (!strcmp(name, "kallsyms") && (!f->kallsyms || at_top))
		f->kallsyms = in;
	else if (!strcmp(name, "uname") && (!f->uname || at_top))
		f->uname = in;
}

/* Sorts all inputs. buffers[0] is the top buffer; CPUs of each buffer are sorted. */
enum tdat_status tracefs_files_find(struct tracefs_files *f,
				    const struct tdat_import_request *request,
				    struct tdat_error *err)
{
	struct tracefs_buffer *top;
	enum tdat_status st;

	memset(f, 0, sizeof(*f));
	st = find_root(f, request, err);
	if (st == TDAT_OK)
		st = buffer_named(f, "", 0, &top, err);
	for (size_t i = 0; i < request->input_count && st == TDAT_OK; i++) {
		const struct tdat_import_input *in = &request->inputs[i];

		take_beside(f, in);
		if (is_stray(in->name))
			st = add(&f->strays, in, err);
		else if (!strncmp(in->name, f->root, f->root_len) && in->name[f->root_len])
			st = take(f, in->name + f->root_len, in, err);
	}
	for (size_t i = 0; i < f->buffer_count; i++)
		if (f->buffers[i].cpu_count)
			qsort(f->buffers[i].cpus, f->buffers[i].cpu_count,
			      sizeof(*f->buffers[i].cpus), tdat_by_u32);
	return st;
}

void tracefs_files_fini(struct tracefs_files *f)
{
	for (size_t i = 0; i < f->buffer_count; i++) {
		free(f->buffers[i].name);
		free(f->buffers[i].cpus);
	}
	free(f->buffers);
	free(f->formats.v);
	free(f->strays.v);
}

static bool holds(const struct tdat_import_input *in)
{
	return in && tdat_source_len(in->source);
}

/* Data of a CPU; NULL: none, or an empty file. */
const struct tdat_import_input *tracefs_cpu_data(const struct tracefs_cpu *cpu, bool snapshot)
{
	const struct tdat_import_input *in = snapshot ? cpu->snapshot : cpu->raw;

	return holds(in) ? in : NULL;
}

/* ---- what of a tree is worth opening ---- */

/* DEPTH_BEFORE: folders above the root of tracefs in a copy; DEPTH_MAX: folders in all. */
enum { DEPTH_BEFORE = 4, DEPTH_MAX = 10 };

static size_t depth_of(const char *name)
{
	size_t n = 0;

	for (; *name; name++)
		n += *name == '/';
	return n;
}

/*
 * True if a folder may lead to files of a capture. name ends with a slash. Below an instance's
 * events folder only header_page is read: formats are the top buffer's.
 */
static bool wants_folder(const char *name, bool live)
{
	if (depth_of(name) > DEPTH_MAX)
		return false;
	if (last_component(name, "instances"))
		return !last_component(name, "events") ||
		       !strcmp(last_component(name, "events"), "events/");
	if (last_component(name, "events") || last_component(name, "per_cpu"))
		return true;
	return !live && depth_of(name) <= DEPTH_BEFORE;
}

/*
 * The importer's wants (tdat/emit.h): called before any file is opened, since reading some files of
 * a live tracefs changes them.
 */
bool tracefs_wants(const struct tdat_import_request *request, const char *name, bool live)
{
	static const char *const names[] = {"trace_clock", "printk_formats", "saved_cmdlines",
					    "saved_tgids", "kallsyms",	     "uname",
					    NULL};
	const char *slash = strrchr(name, '/'), *events, *per_cpu, *rest;
	uint32_t cpu;

	if (slash && !slash[1])
		return wants_folder(name, live);
	events = last_component(name, "events");
	if (events)
		return !strcmp(events, "events/header_page") || is_format(events);
	per_cpu = last_component(name, "per_cpu");
	if (per_cpu) {
		bool snapshot = import_option_flag(request, "snapshot");

		rest = in_per_cpu(per_cpu, &cpu);
		if (rest && live && is_raw_name(rest)) /* reading it would consume it */
			return !strcmp(rest, snapshot ? "snapshot_raw" : "trace_pipe_raw");
		if (rest && (is_raw_name(rest) || !strcmp(rest, "stats")))
			return true;
	}
	if (is_stray(name)) /* a warning, if it holds anything */
		return !live;
	for (size_t i = 0; names[i]; i++)
		if (!strcmp(slash ? slash + 1 : name, names[i]))
			return true;
	return false;
}
